/// StepContacts: rigid surfaces over a step, with forces that act over all of it.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "components/component.h"
#include "engine/dynamics/passive_impulses.h"
#include "engine/integration/implicit_step.h"

namespace cardan {

/// Moreau's time stepping. A step is made without forces between rigid surfaces; of all that come near
/// each other in it, with the gap g and the velocity v at its end and v_0 at its beginning,
///
///   0 <= p, g >= 0, complementary;  which approach and would pass: v_n + e v_n0 >= 0 in place of it
///   g >= g_0 in place of it         where they overlap when the step begins: to part them would make
///                                   energy
///   friction                        |p_t| <= mu p_n; at the bound against the slip at the end
///
/// is one problem over what forces do to the end of the step, by the factors of its Newton matrix:
/// joints, loops, springs and drives are in it. The step is then made again with these forces.
class StepContacts {
 public:
  enum class Push {
    settled,   ///< forces are as the laws want them
    changed,   ///< they are others now: the step is to be solved again
    restless,  ///< they would still change
    unknown    ///< what they do to the step cannot be told
  };

  explicit StepContacts(MultibodySystem& system);

  bool any() const { return !contacts_.empty(); }
  /// A step begins at a point: there are no forces yet, and it is known who approaches.
  void begin(double t, std::span<const double> y, std::span<const double> yp);
  /// `step` was solved with the forces as they are. `isLast`: they stay so.
  Push push(ImplicitStep& step, double h, bool isLast);
  /// [m/s]  What the forces of this step leave of the laws, as no others were found; 0: nothing.
  double left() const { return left_; }
  /// [1]  Of the restitution, what the bounces of this step have: 1 but where all of it would give energy.
  double part() const { return part_; }
  /// [m/s]  By how much the last forces were not those that the laws want.
  double unsettled() const { return unsettled_; }
  /// [m/s]  The largest among them, and the contact that is farthest from its laws.
  double speed() const { return speed_; }
  const std::string& worst() const { return *contacts_[worst_].name; }

 private:
  struct Contact {
    const Component* component;
    const std::string* name;
    double overlap = 0;   ///< [m]    g_0 where it is negative, or 0
    double approach = 0;  ///< [m/s]  v_n0
    double bounce = 0;    ///< [m/s]  e v_n0, negative where it approaches
    bool isPair = false;
    ImpactPair now = {};
  };

  void look(double t, std::span<const double> y, std::span<const double> yp);
  bool choosePairs(double h);
  bool respond(ImplicitStep& step);
  double* forceOf(size_t pair);

  MultibodySystem& system_;
  Equations& equations_;
  Workspace<double> w_;
  std::vector<Contact> contacts_;
  std::vector<size_t> pairs_;  ///< of contacts_, those that come near in this step
  std::vector<double> r0_, r_, moved_;
  double part_ = 1;  ///< [1]  of the restitution, in this step
  double left_ = 0, unsettled_ = 0, speed_ = 1;
  size_t worst_ = 0;          ///< of contacts_
  Eigen::MatrixXd mobility_;  ///< [m/s/N]  velocities of the pairs by their forces, three each
};

}  // namespace cardan
