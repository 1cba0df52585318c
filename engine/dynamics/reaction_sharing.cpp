#include "engine/dynamics/reaction_sharing.h"

#include <algorithm>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

constexpr double kCancelling = 1e-9;

}  // namespace

ReactionSharing::ReactionSharing(EvaluationPoint& at) : at_(at) {
  for (const FlatModel::Edge& e : at.equations().flatModel().edges) {
    if (!e.isRoot && e.closure->closures() > 0 && e.closure->closures() < 6) {
      jointFrames_.push_back(e.b.index);
    }
  }
}

/// Loads of all joints at their frame_b, and the multipliers of constraints that are no joints.
Eigen::VectorXd ReactionSharing::reactions(double t, const std::vector<double>& y,
                                           const std::vector<double>& yp) {
  const Layout& l = at_.layout();
  const Workspace<double>& w =
      at_.evaluateAt(t, y.data(), yp.data(), {.kinematicRows = false, .connectorLoads = true});
  Eigen::VectorXd r = Eigen::VectorXd::Zero(6 * std::ssize(jointFrames_) + l.nlambda);
  int i = 0;
  for (int frame : jointFrames_) {
    const Wrench<double>& load = w.connectorLoads[frame];
    r.segment<3>(i) = load.f_0;
    r.segment<3>(i + 3) = load.t_0;
    i += 6;
  }
  for (int k = 0; k < l.nlambda; ++k) {
    const bool ofCut = !l.cutJoints.empty() && k >= l.cutJoints.front().row;
    if (!ofCut) r[i + k] = y[l.lambdaOffset() + k];
  }
  return r;
}

void ReactionSharing::share(double t, std::vector<double>& y, const std::vector<double>& yp) {
  const Layout& l = at_.layout();
  // Multipliers whose loads cancel in the motion: null space of the rows' transpose.
  at_.setPoint(t, y.data(), yp.data());
  const BlockMatrix& G = at_.velocityRows();
  std::vector<Eigen::MatrixXd> N, R;
  Eigen::Index most = 0;
  for (int s = 0; s < G.blocks(); ++s) {
    N.push_back(kernel(G.block(s).transpose(), kCancelling));
    most = std::max(most, N.back().cols());
  }
  if (most == 0) return;
  Eigen::Map<Eigen::VectorXd> lambda(y.data() + l.lambdaOffset(), l.nlambda);
  std::vector<int> ofFrames;
  for (const int frame : jointFrames_) {
    const int instance = at_.equations().flatModel().frames[frame].instance;
    ofFrames.insert(ofFrames.end(), 6, at_.equations().islands().ofInstance[instance]);
  }
  const Partition loads = Partition(ofFrames, G.blocks()).with(G.rowSets());
  // All loads are affine in the multipliers; one combination of each island is looked at at a time.
  const Eigen::VectorXd here = reactions(t, y, yp);
  for (int s = 0; s < G.blocks(); ++s) R.emplace_back(std::ssize(loads.members[s]), N[s].cols());
  const auto each = [&](int i, auto visit) {
    for (int s = 0; s < G.blocks(); ++s) {
      if (i < N[s].cols()) visit(s, lambda(G.rowsOf(s)));
    }
  };
  for (int i = 0; i < most; ++i) {
    each(i, [&](int s, auto own) { own += N[s].col(i); });
    const Eigen::VectorXd change = reactions(t, y, yp) - here;
    each(i, [&](int s, auto own) {
      R[s].col(i) = change(loads.members[s]);
      own -= N[s].col(i);
    });
  }
  each(0, [&](int s, auto own) {
    const Eigen::VectorXd b = here(loads.members[s]);
    own -= N[s] * OrthogonalFactors(R[s], roundingTolerance(R[s])).leastNorm(b);
  });
}

}  // namespace cardan
