#include "components/assemblies/joint_usp.h"

#include "components/make.h"

namespace cardan {

template std::unique_ptr<Component> make<JointUSP>();

}  // namespace cardan
