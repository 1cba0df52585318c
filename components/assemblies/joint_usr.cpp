#include "components/assemblies/joint_usr.h"

#include "components/make.h"

namespace cardan {

template std::unique_ptr<Component> make<JointUSR>();

}  // namespace cardan
