/// Impacts: the jump of all velocities where rigid surfaces strike each other.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/dynamics/passive_impulses.h"
#include "engine/equations/equations.h"
#include "engine/integration/contact_violations.h"
#include "engine/integration/rigid_surfaces.h"
#include "engine/integration/warning_tally.h"
#include "engine/model_file/simulation_settings.h"

namespace cardan {

/// M (v+ - v-) = G' Lambda + N' p with G v+ = G v-: what a force does to the accelerations of the
/// mechanism, an impulse does to its velocities, joints, loops and drive trains included.
///
/// Of every pair of closed surfaces   v_n+ + e v_n- >= 0, p_n >= 0, one of them 0 (Moreau; Newton: where
///                                    it pushes, v_n+ = -e v_n-. With an e of each pair these are one)
///   friction                         |p_t| <= mu p_n; at the bound against the slip after the impact
/// Surfaces that only touch take part with e = 0. Poisson: in two phases, of which each has this friction; in the
/// first p_c brings v_n to 0, in the second p_n >= e p_c, v_n+ >= 0, also of what only touched. All impulses of
/// one instant are found together.
/// Where restitution and friction together would give energy (Kane's paradox), e is made smaller.
///
/// Where friction against a slip presses surfaces together by as much as their normal force parts them
/// (n W n - mu n W t = 0, Painleve), that force has no bound: an impact without collision stops the slip.
class Impacts {
 public:
  Impacts(Equations& equations, ContactViolations& violations);

  /// A run begins.
  void begin();

  void setLaw(ImpactLaw law) { law_ = law; }
  bool any() const { return !contacts_.empty(); }
  /// Closed surfaces approach each other at the point of `w`.
  bool areDue(const Workspace<double>& w) const;
  /// Where closed surfaces approach each other at the point of `w`: velocities in `y` jump. Returns
  /// the names of what has been struck, none if nothing was. What no impulse can part passes through
  /// until it is apart again, a violation.
  std::vector<std::string> strike(double t, std::vector<double>& y, std::vector<double>& yp,
                                  Completion& completion, Workspace<double>& w);
  /// Closed surfaces that do not rest on each other are about to approach at (t, y, yp), the point of `w`:
  /// their modes are wrong, however well each agrees with the others' forces.
  bool arePressed(double t, const std::vector<double>& y, const std::vector<double>& yp,
                  Workspace<double>& w);
  /// What cannot go on at (t, y, yp) is that surfaces which slide on each other jam: strike() there stops
  /// their slip.
  bool areJammed(double t, const std::vector<double>& y, const std::vector<double>& yp,
                 Completion& completion, Workspace<double>& w);
  /// Forces that satisfy the laws of all closed pairs together at (t, y, yp), what slides included, and of
  /// frictions along an axis that may stick, by their velocities a moment later.
  struct Force {
    std::size_t instance;
    Vector3d f;  ///< [N]  in the directions of ImpactPair::v; [N | N.m]  the first: AxialFriction
  };
  std::vector<Force> forces(double t, const std::vector<double>& y, const std::vector<double>& yp,
                            Completion& completion, Workspace<double>& w);
  /// [1/kg]  Per instance: how a force between its surfaces moves them apart, the most of all that share
  /// a load, where the normal forces of closed surfaces leave each other open; 0 elsewhere, and
  /// everywhere if no surfaces ask (ImpactPair::sharesLoad).
  /// `open`: per instance, not 0 where any of its unknowns are open.
  std::vector<double> openMobilities(double t, const std::vector<double>& y,
                                     const std::vector<double>& yp, const std::vector<int>& open,
                                     Completion& completion, Workspace<double>& w);
  /// What is closed and still may be guided by joints, which is looked for once an event, that begins with
  /// forgetGuided(); of what rests only `atStart`, where guesses had it so. False: there is none.
  bool mayBeGuided(bool atStart, double t, const std::vector<double>& y,
                   const std::vector<double>& yp, Workspace<double>& w);
  /// Of these, which are: their normal forces move nothing. Behind mayBeGuided().
  void findGuided(double t, const std::vector<double>& y, const std::vector<double>& yp,
                  Completion& completion, Workspace<double>& w);
  void forgetGuided() {
    std::ranges::fill(guided_, Guided::unknown);
    std::ranges::fill(isGuided_, 0);
  }
  /// Joints hold the surfaces of this instance that touch, so that no force between them moves anything.
  bool isGuided(size_t instance) const { return !isGuided_.empty() && isGuided_[instance] != 0; }
  std::vector<std::string> warnings() const { return warnings_.texts(); }

  auto kept() { return std::tie(warnings_, passing_); }

 private:
  using Contact = RigidSurface;
  /// A pair that is closed, with the impulses in three directions; or a friction along an axis, in the
  /// second of them.
  struct Pair {
    size_t contact;  ///< or which of the frictions
    ImpactPair blow;
    Vector3d p{0, 0, 0};
    double most = 0;  ///< [N | N.m]  > 0: a friction
  };

  void closedPairs(const View<double>& x);
  void addFrictions(const View<double>& x);
  Vector3d velocityOf(const Pair& pair, const View<double>& x) const;
  bool isJammed(size_t pair) const;
  bool stopSlips();
  /// What acts beside impulses: nothing, or all other forces.
  enum class Beside { nothing = View<double>::kStriking, forces = View<double>::kGiven };
  bool tryRespond(Beside beside, double t, const std::vector<double>& y,
                  const std::vector<double>& yp, Completion& completion, Workspace<double>& w);
  bool respond(double t, const std::vector<double>& y, const std::vector<double>& yp,
               Completion& completion, Workspace<double>& w);
  ContactProblem problem() const;
  void take(const Eigen::VectorXd& p);
  Eigen::VectorXd solveInOneUnit(ContactProblem ahead) const;
  PassiveImpulses solve();
  void leaveOutGuided();
  bool letPass(bool known, double t);
  bool bounces(const Pair& pair) const;
  void tellCoupled(double t);
  std::vector<std::string> tellJammed(double t);
  void move(std::vector<double>& y) const;

  Equations& equations_;
  ContactViolations& violations_;
  ImpactLaw law_ = ImpactLaw::moreau;
  std::vector<Contact> contacts_;
  std::vector<Contact> frictions_;  ///< along an axis
  std::vector<int> passing_;        ///< per contact: no impulse parts it, as long as it is closed
  enum class Guided : char { unknown, no, yes };
  std::vector<Guided> guided_;  ///< per contact
  std::vector<int> isGuided_;
  std::vector<Pair> pairs_;
  static constexpr double kNoJam = -std::numeric_limits<double>::infinity();
  double jamAt_ = kNoJam;     ///< [s]  strike() there stops slips
  Eigen::VectorXd free_;      ///< rates of the states without impulses
  Eigen::MatrixXd response_;  ///< states by impulses
  Eigen::MatrixXd mobility_;  ///< velocities of the pairs by impulses, three each
  WarningTally warnings_;
};

}  // namespace cardan
