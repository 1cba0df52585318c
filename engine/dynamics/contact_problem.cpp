#include "engine/dynamics/contact_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

constexpr double kHeldFast = 1e-12;  // of the mobility along the normal: a direction that is held
constexpr int kDirections = 64;      // in which a slip is looked for
constexpr double kNoTie = 1e-14;     // of two contacts' own mobility: they do not move each other
constexpr double kGiven = 1e-10;  // of the mobility: what every contact gives way, against nothing
constexpr double kOpen = 1e-9;   // of the mobility, more than kGiven: an impulse that moves nothing
constexpr double kMet = 1e-9;    // of the velocities
constexpr double kWithin = 0.9;  // of the friction
constexpr double kExact = 1e-13;            // of the velocities: no violation
constexpr double kEnough = 1e-10;           // of the velocities: as good as none
constexpr double kNoNearer = 0.9;           // of the violation before: a round that is of no use
constexpr double kSofter[] = {1e-6, 1e-3};  // of the mobility, where it is not solved with kGiven
constexpr int kMostRounds = 5, kSweeps = 20, kNewtonSteps = 30, kMostNearer = 30;

/// How far along k from p the friction is kWithin of its bound, the nearest: |p_t + s k_t| = m (p_n + s k_n)
/// as a s^2 + 2 b s + c = 0. Not a number: nowhere.
double wellWithin(const Eigen::Vector3d& p, const Eigen::Vector3d& k, double mu) {
  const double m = kWithin * mu, mm = m * m;
  const double a = k.tail<2>().squaredNorm() - mm * k[0] * k[0];
  const double b = p.tail<2>().dot(k.tail<2>()) - mm * p[0] * k[0];
  const double c = p.tail<2>().squaredNorm() - mm * p[0] * p[0];
  const double far = -b - std::copysign(std::sqrt(b * b - a * c), b);  // without cancellation
  double least = std::numeric_limits<double>::quiet_NaN();
  for (const double s : {far / a, c / far}) {
    if (std::isfinite(s) && p[0] + s * k[0] > 0 && !(std::abs(s) >= std::abs(least))) least = s;
  }
  return least;
}

/// Along it impulses of the contact move nothing, the most of all such directions along its normal; none: 0.
Eigen::Vector3d idle(const OrthogonalFactors& D) {
  if (D.rank() == 3) return Eigen::Vector3d::Zero();
  const Eigen::MatrixXd open = D.nullSpace();
  return open * open.row(0).transpose();
}

/// The least impulse within the cone that leaves no velocity. Where joints guide the contact so that some
/// impulses move nothing, it may push harder than it needs to, and jams by its friction: well within it.
std::optional<Eigen::Vector3d> stuckImpulse(const Eigen::Matrix3d& D, const Eigen::Vector3d& q,
                                            double mu) {
  const OrthogonalFactors factors(D, kOpen);
  const Eigen::Vector3d p = -factors.leastNorm(q), k = idle(factors);
  if (p[0] > 0 && p.tail<2>().norm() <= mu * p[0]) return p;
  if (!(k[0] > kMet) || (D * p + q).norm() > kMet * q.norm()) return std::nullopt;
  const double s = wellWithin(p, k, mu);
  return std::isfinite(s) ? std::optional<Eigen::Vector3d>(p + s * k) : std::nullopt;
}

/// One contact alone, the others' impulses being what they are. `q`: velocities without its own.
Eigen::Vector3d impulseOf(const Eigen::Matrix3d& D, const Eigen::Vector3d& q, double mu) {
  if (q[0] >= 0) return Eigen::Vector3d::Zero();
  if (!(mu > 0)) return {-q[0] / D(0, 0), 0, 0};
  if (const auto stuck = stuckImpulse(D, q, mu)) return *stuck;
  // Slip along (cos a, sin a): the impulse against it, of 1 along the normal, is at the bound.
  const auto unit = [&](double a) -> Eigen::Vector3d {
    return {1, -mu * std::cos(a), -mu * std::sin(a)};
  };
  const auto sliding = [&](double a) -> Eigen::Vector3d {
    const double along = D.row(0).dot(unit(a));
    return unit(a) * (along > 0 ? -q[0] / along : 0);
  };
  // How far the slip after the impact turns from it, and whether it goes that way: times what the impulse
  // of 1 does along the normal, which may be nothing or less (Painleve), so that both are continuous.
  const auto turned = [&](double a, double& onward) {
    const Eigen::Vector3d w = D * unit(a), v = w[0] * q - q[0] * w;
    onward = w[0] > 0 ? std::cos(a) * v[1] + std::sin(a) * v[2] : -1;
    return std::cos(a) * v[2] - std::sin(a) * v[1];
  };
  // Where the impulse of 1 parts the surfaces: by less than `half` from `middle`.
  const double middle = std::atan2(-D(0, 2), -D(0, 1));
  const double least = D(0, 0) / (mu * D.row(0).tail<2>().norm());
  const double half = least < 1 ? std::acos(-least) : 2 * std::numbers::pi;
  const double start = std::atan2(q[2], q[1]);
  const double cell = 2 * std::numbers::pi / kDirections;
  double onward = 0;
  for (int i = 0; i < kDirections; ++i) {
    // Nearest to the slip as it was first: 0, 1, -1, 2, -2, ...
    const double next = start + cell * (i % 2 == 1 ? (i + 1) / 2 : -i / 2) - middle;
    const double from = std::remainder(next, 2 * std::numbers::pi);
    double a = middle + std::max(from - 0.5 * cell, -half);
    double b = middle + std::min(from + 0.5 * cell, half);
    if (a >= b) continue;
    double fa = turned(a, onward);
    const double fb = turned(b, onward);
    if (fa * fb > 0) continue;
    for (int k = 0; k < 60 && b - a > 1e-16; ++k) {
      const double m = 0.5 * (a + b), fm = turned(m, onward);
      (fa * fm > 0 ? a : b) = m;
      if (fa * fm > 0) fa = fm;
    }
    const double found = 0.5 * (a + b);
    turned(found, onward);
    if (onward >= -kHeldFast * D(0, 0)) return sliding(found);
  }
  return sliding(start);
}

/// The friction of one contact that pushes with `normal`: where it sticks not, the longest against the slip.
Eigen::Vector3d rubbing(const Eigen::Matrix3d& D, const Eigen::Vector3d& q, double mu,
                        double normal) {
  const double bound = mu * normal;
  if (!(bound > 0)) return {normal, 0, 0};
  const Eigen::Vector2d v = q.tail<2>() + normal * D.col(0).tail<2>();
  // -(D_t + s) p = v: the larger s, the shorter.
  const auto friction = [&](double s) -> Eigen::Vector2d {
    const double a = D(1, 1) + s, c = D(2, 2) + s, b = 0.5 * (D(1, 2) + D(2, 1));
    return Eigen::Vector2d(b * v[1] - c * v[0], b * v[0] - a * v[1]) / (a * c - b * b);
  };
  double low = 0, high = friction(0).norm() <= bound ? 0 : v.norm() / bound;
  for (int i = 0; i < 60 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    (friction(middle).norm() > bound ? low : high) = middle;
  }
  const Eigen::Vector2d p = friction(high);
  return {normal, p[0], p[1]};
}

/// [kg]  Of one contact: what its velocities count as beside its impulses, along and across.
std::pair<double, double> weights(const ContactProblem& c, Eigen::Index row) {
  const double normal = c.W(row, row);
  const double across = std::max({c.W(row + 1, row + 1), c.W(row + 2, row + 2), kGiven * normal});
  return {normal > 0 ? 1 / normal : 0, normal > 0 ? 1 / across : 0};
}

/// p less what Alart and Curnier's projection makes of it: 0 where all laws hold.
Eigen::VectorXd residue(const ContactProblem& c, const Eigen::VectorXd& p, Eigen::MatrixXd* J) {
  const Eigen::Index n = c.q.size();
  const Eigen::VectorXd u = c.q + c.W * p;
  Eigen::VectorXd F = p;
  if (J) J->setIdentity(n, n);
  for (Eigen::Index row = 0; row < n; row += 3) {
    if (c.isFriction(row / 3)) {
      const double most = c.most[row / 3], across = 1 / c.W(row + 1, row + 1);
      const double y = p[row + 1] - across * u[row + 1];
      F[row + 1] -= std::clamp(y, -most, most);
      if (J && std::abs(y) <= most) J->row(row + 1) = across * c.W.row(row + 1);
      continue;
    }
    const auto [along, across] = weights(c, row);
    if (!(along > 0)) continue;
    const double x = p[row] - along * u[row];
    const Eigen::Vector2d y = p.segment<2>(row + 1) - across * u.segment<2>(row + 1);
    const double least = c.givenOf(row / 3), pushes = std::max(least, x);
    const double mu = c.mu[row / 3], bound = mu * pushes, size = y.norm();
    const bool sticks = size <= bound, isGiven = !(x > least);
    F[row] -= pushes;
    if (sticks) {
      F.segment<2>(row + 1) -= y;
    } else if (bound > 0) {
      F.segment<2>(row + 1) -= y * (bound / size);
    }
    if (!J || !(pushes > 0)) continue;
    if (!isGiven) J->row(row) = along * c.W.row(row);
    if (!(mu > 0)) continue;
    Eigen::Matrix<double, 2, Eigen::Dynamic> dy = -across * c.W.middleRows<2>(row + 1);
    dy(0, row + 1) += 1;
    dy(1, row + 2) += 1;
    if (!sticks) {
      const Eigen::Vector2d d = y / size;
      Eigen::RowVectorXd dx = isGiven ? 0 * c.W.row(row) : -along * c.W.row(row);
      if (!isGiven) dx[row] += 1;
      dy = bound / size * (dy - d * (d.transpose() * dy)).eval() + mu * d * dx;
    }
    J->middleRows<2>(row + 1) -= dy;
  }
  return F;
}

void sweep(const ContactProblem& c, Eigen::VectorXd& p) {
  for (Eigen::Index row = 0; row < p.size(); row += 3) {
    if (c.isFriction(row / 3)) {
      const double most = c.most[row / 3], u = c.q[row + 1] + c.W.row(row + 1).dot(p);
      p[row + 1] = std::clamp(p[row + 1] - u / c.W(row + 1, row + 1), -most, most);
      continue;
    }
    if (!(c.W(row, row) > 0)) continue;
    const Eigen::Matrix3d D = c.W.block<3, 3>(row, row);
    const Eigen::Vector3d q =
        c.q.segment<3>(row) + c.W.middleRows<3>(row) * p - D * p.segment<3>(row);
    const double least = c.givenOf(row / 3);
    const Eigen::Vector3d own = rubbing(D, q, c.mu[row / 3], least);
    const bool suffices = least > 0 && q[0] + D.row(0).dot(own) >= 0;
    p.segment<3>(row) = suffices ? own : impulseOf(D, q, c.mu[row / 3]);
  }
}

/// Newton's method from p: to the best it meets.
void newton(const ContactProblem& c, Eigen::VectorXd& p, double exact) {
  Eigen::MatrixXd J;
  DenseLu lu;
  Eigen::VectorXd step(p.size()), at = p;
  double least = c.violation(p);
  for (int k = 0; k < kNewtonSteps && least > exact; ++k) {
    const Eigen::VectorXd F = residue(c, at, &J);
    lu.factor(J);
    if (!lu.pivotsExceed(0)) return;
    lu.solve(F, step);
    if (!step.allFinite()) return;
    // Where no part of the step gets nearer, the whole of it may come round.
    double part = 1;
    while (part > 1e-2 && residue(c, at - part * step, nullptr).norm() >= F.norm()) part *= 0.5;
    at -= (part > 1e-2 ? part : 1) * step;
    const double left = c.violation(at);
    if (!(left < least)) continue;
    least = left;
    p = at;
  }
}

}  // namespace

double ContactProblem::violation(const Eigen::VectorXd& p, Eigen::Index* worst) const {
  const Eigen::VectorXd F = residue(*this, p, nullptr);
  double largest = 0;
  for (Eigen::Index row = 0; row < F.size(); row += 3) {
    const auto [along, across] = weights(*this, row);
    if (!(along > 0) && !isFriction(row / 3)) continue;
    const double left = isFriction(row / 3) ? std::abs(F[row + 1]) * W(row + 1, row + 1)
                                            : std::max(std::abs(F[row]) / along,
                                                       F.segment<2>(row + 1).norm() / across);
    if (worst && left > largest) *worst = row / 3;
    largest = std::max(largest, left);
  }
  return largest;
}

/// Contacts that move each other, each with all that it can move through others.
std::vector<std::vector<Eigen::Index>> ContactProblem::islands() const {
  const Eigen::Index count = mu.size();
  std::vector<std::vector<Eigen::Index>> all;
  std::vector<char> known(static_cast<size_t>(count), 0);
  const auto size = [this](Eigen::Index i) { return W.block<3, 3>(3 * i, 3 * i).trace(); };
  for (Eigen::Index first = 0; first < count; ++first) {
    if (std::exchange(known[static_cast<size_t>(first)], 1)) continue;
    std::vector<Eigen::Index>& island = all.emplace_back(1, first);
    for (size_t at = 0; at < island.size(); ++at) {
      const Eigen::Index i = island[at];
      for (Eigen::Index j = 0; j < count; ++j) {
        const double both = std::sqrt(std::max(0.0, size(i)) * std::max(0.0, size(j)));
        const double moved = std::max(W.block<3, 3>(3 * i, 3 * j).cwiseAbs().maxCoeff(),
                                      W.block<3, 3>(3 * j, 3 * i).cwiseAbs().maxCoeff());
        if (known[static_cast<size_t>(j)] || moved <= kNoTie * both) continue;
        known[static_cast<size_t>(j)] = 1;
        island.push_back(j);
      }
    }
    std::ranges::sort(island);
  }
  return all;
}

Eigen::VectorXd ContactProblem::solve() const {
  Eigen::VectorXd p = Eigen::VectorXd::Zero(q.size());
  const std::vector<std::vector<Eigen::Index>> all = islands();
  if (all.size() == 1) return solveTogether();
  for (const std::vector<Eigen::Index>& island : all) {
    const Eigen::Index n = std::ssize(island);
    ContactProblem alone{Eigen::MatrixXd(3 * n, 3 * n),
                         Eigen::VectorXd(3 * n),
                         Eigen::VectorXd(n),
                         Eigen::VectorXd::Zero(n),
                         enough,
                         Eigen::VectorXd::Zero(n)};
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Index of = island[static_cast<size_t>(i)];
      alone.q.segment<3>(3 * i) = q.segment<3>(3 * of);
      alone.mu[i] = mu[of];
      alone.given[i] = givenOf(of);
      if (isFriction(of)) alone.most[i] = most[of];
      for (Eigen::Index j = 0; j < n; ++j)
        alone.W.block<3, 3>(3 * i, 3 * j) =
            W.block<3, 3>(3 * of, 3 * island[static_cast<size_t>(j)]);
    }
    const Eigen::VectorXd own = alone.solveTogether();
    for (Eigen::Index i = 0; i < n; ++i)
      p.segment<3>(3 * island[static_cast<size_t>(i)]) = own.segment<3>(3 * i);
  }
  return p;
}

/// The same where every contact gives way a little, by the impulses in p less than by others: then nothing is
/// open, and p is a solution of both alike.
ContactProblem ContactProblem::softened(const Eigen::VectorXd& p, double part) const {
  const double give = part * W.diagonal().maxCoeff();
  ContactProblem soft{W, q - give * p, mu, most, enough, given};
  for (Eigen::Index i = 0; i < q.size(); i += 3) {
    if (isFriction(i / 3)) soft.W(i + 1, i + 1) += give;
    const int directions = mu[i / 3] > 0 ? 3 : 1;
    if (W(i, i) > 0) soft.W.diagonal().segment(i, directions).array() += give;
  }
  return soft;
}

Eigen::VectorXd ContactProblem::solveNear(Eigen::VectorXd p) const {
  for (int pass = 0; pass < 2; ++pass)
    newton(softened(p, kGiven), p, kExact * q.cwiseAbs().maxCoeff());
  return p;
}

/// What sticks at its bound and could push harder without moving anything does.
void ContactProblem::jam(Eigen::VectorXd& p) const {
  const Eigen::VectorXd u = q + W * p;
  for (Eigen::Index row = 0; row < p.size(); row += 3) {
    const double bound = mu[row / 3] * p[row];
    const bool still = u.segment<3>(row).norm() <= kMet * q.cwiseAbs().maxCoeff();
    if (!(bound > 0) || !still || p.segment<2>(row + 1).norm() < kWithin * bound) continue;
    const Eigen::Vector3d k = idle(OrthogonalFactors(W.block<3, 3>(row, row), kOpen));
    const double s = k[0] > kMet ? wellWithin(p.segment<3>(row), k, mu[row / 3]) : 0;
    if (s > 0) p.segment<3>(row) += s * k;
  }
}

/// Where velocities of what holds each other more ways than one do not quite fit, impulses hang on hairs:
/// contacts that give way more find them step by step, each from the impulses before.
Eigen::VectorXd ContactProblem::nearer(const Eigen::VectorXd& from) const {
  const double speed = q.cwiseAbs().maxCoeff(), good = std::max(kEnough * speed, enough);
  Eigen::VectorXd best = from;
  double nearest = violation(best);
  for (const double part : kSofter) {
    Eigen::VectorXd p = best;
    for (int i = 0; i < kMostNearer && nearest > good; ++i) {
      const ContactProblem soft = softened(p, part);
      for (int k = 0; k < kSweeps; ++k) sweep(soft, p);
      newton(soft, p, kExact * speed);
      const double left = violation(p);
      if (!(left < nearest)) continue;
      nearest = left;
      best = p;
    }
  }
  return best;
}

Eigen::VectorXd ContactProblem::solveTogether() const {
  Eigen::VectorXd p = Eigen::VectorXd::Zero(q.size());
  const double speed = q.cwiseAbs().maxCoeff();
  for (int pass = 0; pass < 2; ++pass) {
    const ContactProblem soft = softened(p, kGiven);
    Eigen::VectorXd best = p;
    double least = soft.violation(p);
    for (int round = 0; round < kMostRounds && least > kExact * speed; ++round) {
      const double before = least;
      const auto keep = [&] {
        const double left = soft.violation(p);
        if (left < least) best = p;
        least = std::min(least, left);
      };
      for (int k = 0; k < kSweeps << round && least > kExact * speed; ++k) {
        sweep(soft, p);
        keep();
      }
      const Eigen::VectorXd swept = p;
      newton(soft, p, kExact * speed);
      keep();
      if (least <= enough ||
          (round > 0 && (least <= kEnough * speed || least > kNoNearer * before)))
        break;
      p = swept;
    }
    p = best;
    if (least > std::max(kEnough * speed, enough)) return nearer(p);
  }
  jam(p);
  return p;
}

}  // namespace cardan
