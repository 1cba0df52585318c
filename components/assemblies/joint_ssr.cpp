#include "components/assemblies/joint_ssr.h"

#include "components/make.h"

namespace cardan {

template std::unique_ptr<Component> make<JointSSR>();

}  // namespace cardan
