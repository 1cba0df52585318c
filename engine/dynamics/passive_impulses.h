/// PassiveImpulses: impulses with restitution that give no energy.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "engine/dynamics/contact_problem.h"

namespace cardan {

struct PassiveImpulses {
  Eigen::VectorXd p;  ///< three a contact
  double part = 1;    ///< [1]  of the restitution that was taken
  double left = 0;    ///< ContactProblem::violation

  /// `rest`: the problem without restitution; `v`: velocities without impulses, three a contact;
  /// `bounce`: per contact, by what its normal velocity is to be more, negative. Where restitution and
  /// friction together would give energy (Kane's paradox), or allow no impulses, all of it is made smaller.
  static PassiveImpulses of(const ContactProblem& rest, const Eigen::VectorXd& v,
                            const Eigen::VectorXd& bounce);
  /// Poisson's: impulses of compression bring all approaches to an end; those of restitution are `restitution`
  /// times these at least, each with its friction. That by the contact, and the approach [m/s] that its
  /// compression would bring to an end alone. Made smaller in the same way.
  static PassiveImpulses inTwoPhases(
      const ContactProblem& rest, const std::function<double(Eigen::Index, double)>& restitution);
};

}  // namespace cardan
