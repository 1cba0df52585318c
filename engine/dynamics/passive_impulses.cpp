#include "engine/dynamics/passive_impulses.h"

#include <algorithm>

namespace cardan {
namespace {

constexpr double kGained = 1e-10;    // of what the impulses do in all: energy that is rounding
constexpr double kHardlyAny = 1e-3;  // of the restitution
constexpr double kUnsolved =
    1e-6;  // of the velocities: a violation of those for which there are none

/// Kinetic energy that the impulses give, over the sum of what each of them does.
double gain(const Eigen::MatrixXd& W, const Eigen::VectorXd& v, const Eigen::VectorXd& p) {
  double given = 0, moved = 0;
  for (Eigen::Index i = 0; i < p.size(); i += 3) {
    Eigen::Vector3d after = v.segment<3>(i);
    for (Eigen::Index j = 0; j < p.size(); j += 3) after += W.block<3, 3>(i, j) * p.segment<3>(j);
    const Eigen::Vector3d mean = 0.5 * (v.segment<3>(i) + after);
    given += p.segment<3>(i).dot(mean);
    moved += p.segment<3>(i).cwiseAbs().dot(v.segment<3>(i).cwiseAbs() + after.cwiseAbs());
  }
  return moved > 0 ? given / moved : 0;
}

/// `attempt` by the part of the restitution that is taken: all, or as much as gives no energy, or allows impulses.
template <class Attempt>
PassiveImpulses lowered(const Eigen::MatrixXd& W, const Eigen::VectorXd& v, bool bounces,
                        Attempt attempt) {
  PassiveImpulses result;
  double gained = 0;
  const auto solve = [&](double part) {
    result = attempt(part);
    result.part = part;
    gained = gain(W, v, result.p);
  };
  const double unsolved = kUnsolved * v.cwiseAbs().maxCoeff();
  solve(1);
  const bool gains = gained > kGained;
  if (!bounces || (!gains && result.left <= unsolved)) return result;
  const PassiveImpulses whole = result;
  solve(0);
  const bool isSolved = result.left <= unsolved;
  if (!isSolved && !gains) return whole;
  double low = 0, high = 1;
  for (int i = 0; i < 20; ++i) {
    const double middle = 0.5 * (low + high);
    solve(middle);
    (gained <= 0 && (!isSolved || result.left <= unsolved) ? low : high) = middle;
  }
  solve(low > kHardlyAny ? low : 0);
  return result;
}

/// Impulses of the least violation, with what that is.
PassiveImpulses solved(const ContactProblem& problem) {
  PassiveImpulses found{problem.solve()};
  found.left = problem.violation(found.p);
  return found;
}

}  // namespace

PassiveImpulses PassiveImpulses::of(const ContactProblem& rest, const Eigen::VectorXd& v,
                                    const Eigen::VectorXd& bounce) {
  ContactProblem problem = rest;
  const bool bounces = bounce.size() > 0 && bounce.minCoeff() < 0;
  return lowered(rest.W, v, bounces, [&](double part) {
    for (Eigen::Index i = 0; i < bounce.size(); ++i)
      problem.q[3 * i] = rest.q[3 * i] + part * bounce[i];
    return solved(problem);
  });
}

PassiveImpulses PassiveImpulses::inTwoPhases(
    const ContactProblem& rest, const std::function<double(Eigen::Index, double)>& restitution) {
  const PassiveImpulses compression = solved(rest);
  ContactProblem problem = rest;
  problem.q += rest.W * compression.p;
  Eigen::VectorXd back(rest.mu.size());
  for (Eigen::Index i = 0; i < back.size(); ++i) {
    const double p = compression.p[3 * i];
    back[i] = p * restitution(i, rest.W(3 * i, 3 * i) * p);
  }
  const bool bounces = back.size() > 0 && back.maxCoeff() > 0;
  return lowered(rest.W, rest.q, bounces, [&](double part) {
    problem.given = part * back;
    PassiveImpulses both = solved(problem);
    both.p += compression.p;
    both.left = std::max(both.left, compression.left);
    return both;
  });
}

}  // namespace cardan
