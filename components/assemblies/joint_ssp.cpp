#include "components/assemblies/joint_ssp.h"

#include "components/make.h"

namespace cardan {

template std::unique_ptr<Component> make<JointSSP>();

}  // namespace cardan
