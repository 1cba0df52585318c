#include "engine/dynamics/body_accelerations.h"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/operations.h"
#include "engine/dynamics/sparse_lu.h"

namespace cardan {
namespace {

std::vector<int> parentsOf(const BodyTree& tree) {
  std::vector<int> parents;
  for (size_t i = 1; i < tree.links().size(); ++i) parents.push_back(tree.links()[i].parent);
  return parents;
}

bool isOnAxis(const BodyTree::Link& c) {
  return c.kind == BodyTree::Kind::turn || c.kind == BodyTree::Kind::slide;
}

/// M x
[[gnu::always_inline]] inline Quad times(const Quad* M, const Quad& x) {
  const double lanes[3] = {x[0], x[1], x[2]};
  return combine(M, lanes);
}

/// Three numbers along the axes of a vector.
[[gnu::always_inline]] inline void setAlong(const Quad* axes, const Quad& x, double* out) {
  for (int k = 0; k < 3; ++k) out[k] = dot(axes[k], x);
}

/// Makes M symmetric, which it is but for rounding: what is skew of it would grow from joint to joint.
[[gnu::always_inline]] inline void symmetrise(Quad* M) {
  const double xy = 0.5 * (M[0][1] + M[1][0]), xz = 0.5 * (M[0][2] + M[2][0]),
               yz = 0.5 * (M[1][2] + M[2][1]);
  M[0] = Quad::of(M[0][0], xy, xz);
  M[1] = Quad::of(xy, M[1][1], yz);
  M[2] = Quad::of(xz, yz, M[2][2]);
}

/// Inverse of a symmetric matrix, by L D L'; false: a pivot is small against what it is left of.
[[gnu::always_inline]] inline bool invertSymmetric(const Quad* M, Quad* inverse) {
  const double a = M[0][0], b = M[1][1], c = M[2][2], xy = M[0][1], xz = M[0][2], yz = M[1][2];
  const auto isSmall = [](double pivot, double of) {
    return !(std::abs(pivot) > kMovesNothing * std::abs(of));
  };
  if (isSmall(a, 1e-300)) return false;
  const double p = 1 / a, l = xy * p, m = xz * p;
  const double second = b - l * xy, left = yz - m * xy;
  if (isSmall(second, b)) return false;
  const double q = 1 / second, n = left * q;
  const double third = c - m * xz - n * left;
  if (isSmall(third, c)) return false;
  const double r = 1 / third, k = l * n - m;
  inverse[0] = Quad::of(p + l * l * q + k * k * r, -l * q - n * k * r, k * r);
  inverse[1] = Quad::of(-l * q - n * k * r, q + n * n * r, -n * r);
  inverse[2] = Quad::of(k * r, -n * r, r);
  return true;
}

}  // namespace

BodyAccelerations::BodyAccelerations(const Equations& equations)
    : clusters_(equations.clusters()),
      tree_(clusters_.bodies()),
      parts_(equations),
      places_(parentsOf(tree_)) {
  const Layout& l = equations.layout();
  fits_ = l.nv > 0 && l.rated && !equations.signals().readsAccelerations() && parts_.fits();
  const auto& links = tree_.links();
  for (size_t i = 1; i < links.size(); ++i) fits_ = fits_ && links[i].nv > 0;
  if (!fits_) return;
  joints_.resize(links.size());
  carried_.resize(places_.count);
  arms_.resize(links.size());
  changes_.resize(links.size());
  loaded_.resize(links.size());
  placeParts(l);
  for (size_t i = 1; i < links.size(); ++i) {
    const BodyTree::Link& c = links[i];
    onAxes_ = onAxes_ && isOnAxis(c) && joints_[i].part < 0;
    if (c.kind == BodyTree::Kind::general) {
      joints_[i].more = std::ssize(directions_);
      directions_.resize(directions_.size() + c.nv);
    } else if (c.nv > 1) {
      joints_[i].more = std::ssize(free_);
      free_.emplace_back();
    }
  }
}

/// Where what they take is kept.
void BodyAccelerations::placeParts(const Layout& l) {
  const auto& links = tree_.links();
  own_ = l.edges < std::ssize(l.tree) ? l.tree[l.edges].v : l.nv;
  ownInertia_.resize(l.nv - own_);
  bodyOnAxis_.assign(own_, 0);
  branches_.resize(own_);
  for (size_t i = 1; i < links.size(); ++i) {
    if (links[i].nv == 1) bodyOnAxis_[links[i].joint] = i;
  }
  place_.assign(l.nv, -1);
  for (int p = 0; p < std::ssize(parts_.parts()); ++p) {
    const MassiveParts::Part& part = parts_.parts()[p];
    Coupled coupled{p, {}, {}, {}, {}};
    for (const MassiveParts::End& e : part.ends) {
      if (e.cluster > 0 && joints_[e.cluster].part < 0) {
        joints_[e.cluster].part = std::ssize(shares_);
        shares_.emplace_back();
      }
      const bool ofJoint = e.cluster == 0 && e.index < own_;
      if (ofJoint) axisInertia_.resize(links.size(), 0.0);
      coupled.alone.push_back(!ofJoint || bodyOnAxis_[e.index] > 0);
    }
    if (part.ends.size() < 2 && std::ranges::count(coupled.alone, 0) == 0) continue;
    for (const MassiveParts::End& e : part.ends) addReach(e, coupled);
    coupled.D.setZero(part.directions, part.directions);
    coupled_.push_back(std::move(coupled));
  }
  std::vector<size_t> root(links.size()), bodies(links.size());
  std::vector<Branch> branches(links.size());
  for (size_t i = 1; i < links.size(); ++i) {
    root[i] = links[i].parent == 0 ? i : root[links[i].parent];
    ++bodies[root[i]];
    branches[root[i]] = {root[i], i + 1};
  }
  for (size_t i = 1; i < links.size(); ++i) {
    const Branch& branch = branches[root[i]];
    const bool inOnePiece = branch.end - branch.first == bodies[root[i]];
    for (int k = 0; k < links[i].nv; ++k)
      branches_[links[i].joint + k] = inOnePiece ? branch : Branch{1, links.size()};
  }
  const Eigen::Index n = std::ssize(touched_);
  fits_ = n < SparseLu::kLeast;
  for (Eigen::MatrixXd* A : {&C_, &K_}) A->setZero(n, n);
  for (Eigen::MatrixXd* A : {&inverse_, &W_}) A->setZero(l.nv, n);
  unit_.setZero(l.nv);
  for (Eigen::VectorXd* x : {&moved_, &change_}) x->setZero(n);
}

/// Which velocities move an end.
void BodyAccelerations::addReach(const MassiveParts::End& end, Coupled& coupled) {
  const auto& links = tree_.links();
  std::vector<int> places;
  const auto touch = [&](int velocity) {
    int& place = place_[velocity];
    if (place < 0) {
      place = std::ssize(touched_);
      touched_.push_back(velocity);
    }
    places.push_back(place);
  };
  if (end.cluster == 0) touch(end.index);
  for (int i = end.cluster; i > 0; i = links[i].parent) {
    for (int k = 0; k < links[i].nv; ++k) touch(links[i].joint + k);
  }
  coupled.J.push_back(Eigen::MatrixXd::Ones(end.directions, std::ssize(places)));
  coupled.places.push_back(std::move(places));
}

[[gnu::always_inline]] inline BodyAccelerations::Carried& BodyAccelerations::Carried::operator+=(
    const Carried& other) {
  for (int k = 0; k < 3; ++k) {
    A[k] += other.A[k];
    B[k] += other.B[k];
    G[k] += other.G[k];
    C[k] += other.C[k];
  }
  t += other.t;
  f += other.f;
  return *this;
}

/// One by one: a copy in wider pieces than they were written in waits for them to reach the cache.
[[gnu::always_inline]] inline void BodyAccelerations::Carried::take(const Carried& other) {
  for (int k = 0; k < 3; ++k) {
    A[k] = other.A[k];
    B[k] = other.B[k];
    G[k] = other.G[k];
    C[k] = other.C[k];
  }
  t = other.t;
  f = other.f;
}

bool BodyAccelerations::accelerations(const Workspace<double>& at, const double* f, double* da) {
  findShares(at);
  if (!(onAxes_ ? toWorld<true>(at, f) : toWorld<false>(at, f))) return false;
  fromWorld({1, joints_.size()}, da);
  if (!shafts(f, da)) return false;
  if (touched_.empty()) return true;
  if (!findCouplings(at)) return false;
  addCoupling(da);
  return true;
}

void BodyAccelerations::solve(const double* f, double* da) {
  const Branch all{1, joints_.size()};
  loadsToWorld(all, f);
  fromWorld(all, da);
  shafts(f, da);
  if (!touched_.empty()) addCoupling(da);
}

void BodyAccelerations::fromWorld(const Branch& branch, double* da) {
  onAxes_ ? fromWorld<true>(branch, da) : fromWorld<false>(branch, da);
}

double BodyAccelerations::operations() const {
  constexpr double kOfPart = 750;  // its derivatives
  const double n = static_cast<double>(touched_.size()), nv = static_cast<double>(W_.rows());
  return kOfPart * static_cast<double>(parts_.parts().size()) + operations::denseFactors(n) +
         n * n * nv / 4;
}

/// T^-1 of one velocity, of which no other branch knows.
void BodyAccelerations::solveUnit(int velocity, double* da) {
  if (velocity >= own_) {
    da[velocity] = 1 / ownInertia_[velocity - own_];
    return;
  }
  unit_[velocity] = 1;
  loadsToWorld(branches_[velocity], unit_.data());
  fromWorld(branches_[velocity], da);
  unit_[velocity] = 0;
}

/// False: one has no inertia of its own.
bool BodyAccelerations::shafts(const double* f, double* da) const {
  bool moves = true;
  for (size_t i = 0; i < ownInertia_.size(); ++i) {
    moves = moves && ownInertia_[i] != 0;
    da[own_ + i] = f[own_ + i] / ownInertia_[i];
  }
  return moves;
}

/// What parts take by accelerations, and how joints move that their laws describe.
void BodyAccelerations::findShares(const Workspace<double>& at) {
  for (size_t i = 1; !directions_.empty() && i < joints_.size(); ++i) {
    if (tree_.links()[i].kind == BodyTree::Kind::general) findDirections(i, at);
  }
  if (parts_.parts().empty()) return;
  parts_.begin(at);
  for (auto& share : shares_) share.setZero();
  for (std::vector<double>* J : {&axisInertia_, &ownInertia_}) std::ranges::fill(*J, 0.0);
  auto coupled = coupled_.begin();
  for (int p = 0; p < std::ssize(parts_.parts()); ++p) {
    const MassiveParts::Part& part = parts_.parts()[p];
    const auto D = parts_.derivatives(part, at);
    if (coupled != coupled_.end() && coupled->part == p) (coupled++)->D = D;
    for (const MassiveParts::End& e : part.ends) {
      const auto own = D.block(e.first, e.first, e.directions, e.directions);
      if (e.cluster > 0) {
        addShare(own, at.frames[e.index].r_0 - at.bodies[e.cluster].r.vector(),
                 shares_[joints_[e.cluster].part]);
      } else if (e.index >= own_) {
        ownInertia_[e.index - own_] += own(0, 0);
      } else if (const int body = bodyOnAxis_[e.index]; body > 0) {
        axisInertia_[body] += own(0, 0);
      }
    }
  }
}

/// From the directions of a frame to those of its cluster: a_frame = a + z x arm.
void BodyAccelerations::addShare(const Eigen::Ref<const MassiveParts::Derivatives>& D,
                                 const Vector3d& arm, Eigen::Matrix<double, 6, 6>& share) {
  Matrix3d X;
  X << 0, arm[2], -arm[1], -arm[2], 0, arm[0], arm[1], -arm[0], 0;
  const Matrix3d C = D.topLeftCorner<3, 3>();
  Matrix3d G = C * X, B = X.transpose() * C, A = X.transpose() * G;
  if (D.rows() == 6) {
    const Matrix3d byTurn = D.topRightCorner<3, 3>(), torque = D.bottomLeftCorner<3, 3>();
    G += byTurn;
    B += torque;
    A += X.transpose() * byTurn + torque * X + D.bottomRightCorner<3, 3>();
  }
  share.topLeftCorner<3, 3>() += A;
  share.topRightCorner<3, 3>() += B;
  share.bottomLeftCorner<3, 3>() += G;
  share.bottomRightCorner<3, 3>() += C;
}

/// What velocity k of joint i does to the body behind it, about its origin.
BodyAccelerations::Change BodyAccelerations::directionOf(size_t i, int k) const {
  const BodyTree::Link& c = tree_.links()[i];
  const Joint& joint = joints_[i];
  if (c.kind == BodyTree::Kind::turn) return {joint.s, {}};
  if (c.kind == BodyTree::Kind::slide) return {{}, joint.s};
  if (c.kind == BodyTree::Kind::general)
    return {directions_[joint.more + k].z, directions_[joint.more + k].a};
  const Free& x = free_[joint.more];
  const int turning = k - (c.nv - 3);
  if (turning < 0) return {{}, x.shifting[k] * c.sense};
  const Quad z = x.turning[turning] * c.sense;
  return {z, cross(z, x.lever)};
}

/// The motion of an end by the velocities that move it.
void BodyAccelerations::findReach(const MassiveParts::End& end, const Workspace<double>& at,
                                  double* column) const {
  for (int i = end.cluster; i > 0; i = tree_.links()[i].parent) {
    const Quad arm = Quad::of(at.frames[end.index].r_0) - at.bodies[i].r;
    for (int k = 0; k < tree_.links()[i].nv; ++k, column += end.directions) {
      const Change x = directionOf(i, k);
      const Quad a = x.a + cross(x.z, arm);
      for (int n = 0; n < 3; ++n) column[n] = a[n];
      for (int n = 3; n < end.directions; ++n) column[n] = x.z[n - 3];
    }
  }
}

/// C of parts that reach several ends, what moves one times what it takes by the other, and 1 + T^-1 C.
/// Behind toWorld(). False: the latter is singular.
bool BodyAccelerations::findCouplings(const Workspace<double>& at) {
  C_.setZero();
  for (Coupled& c : coupled_) {
    const std::vector<MassiveParts::End>& ends = parts_.parts()[c.part].ends;
    for (size_t a = 0; a < ends.size(); ++a) findReach(ends[a], at, c.J[a].data());
    for (size_t b = 0; b < ends.size(); ++b) {
      for (Eigen::Index k = 0; k < c.J[b].cols(); ++k) {
        for (size_t a = 0; a < ends.size(); ++a) {
          if (a == b && c.alone[a]) continue;
          double load[6] = {};
          for (int n = 0; n < ends[b].directions; ++n) {
            for (int r = 0; r < ends[a].directions; ++r)
              load[r] += c.D(ends[a].first + r, ends[b].first + n) * c.J[b](n, k);
          }
          for (Eigen::Index i = 0; i < c.J[a].cols(); ++i) {
            double sum = 0;
            for (int r = 0; r < ends[a].directions; ++r) sum += c.J[a](r, i) * load[r];
            C_(c.places[a][i], c.places[b][k]) += sum;
          }
        }
      }
    }
  }
  for (size_t k = 0; k < touched_.size(); ++k) {
    solveUnit(touched_[k], inverse_.col(k).data());
  }
  W_.noalias() = inverse_ * C_;
  for (size_t k = 0; k < touched_.size(); ++k) {
    K_.row(k) = W_.row(touched_[k]);
    K_(k, k) += 1;
  }
  if (!K_.allFinite()) return false;
  lu_.factor(K_);
  return lu_.pivotsExceed(kMovesNothing);
}

/// da = T^-1 f becomes (T + C)^-1 f.
void BodyAccelerations::addCoupling(double* da) {
  for (size_t k = 0; k < touched_.size(); ++k) moved_[k] = da[touched_[k]];
  lu_.solve(moved_, change_);
  Eigen::Map<Eigen::VectorXd>(da, W_.rows()).noalias() -= W_ * change_;
}

/// Free directions of a joint, by its law: the work of unit loads per unit of each velocity.
void BodyAccelerations::findDirections(size_t i, const Workspace<double>& at) {
  const int nv = tree_.links()[i].nv;
  double work[6][6];
  for (int k = 0; k < 6; ++k) {
    Wrench<double> unit;
    unit.setZero();
    (k < 3 ? unit.t_0[k] : unit.f_0[k - 3]) = 1;
    clusters_.work(clusters_.clusters()[i], at, unit, work[k]);
  }
  for (int n = 0; n < nv; ++n) {
    Direction& d = directions_[joints_[i].more + n];
    d.z = Quad::of(work[0][n], work[1][n], work[2][n]);
    d.a = Quad::of(work[3][n], work[4][n], work[5][n]);
  }
}

/// Adds what the parts on body i take.
void BodyAccelerations::takeShare(size_t i, Carried& P) const {
  const auto& D = shares_[joints_[i].part];
  for (int k = 0; k < 3; ++k) {
    P.A[k] += Quad::of(D.block<3, 1>(0, k));
    P.B[k] += Quad::of(D.block<3, 1>(0, 3 + k));
    P.G[k] += Quad::of(D.block<3, 1>(3, k));
    P.C[k] += Quad::of(D.block<3, 1>(3, 3 + k));
  }
}

template <bool onAxes>
bool BodyAccelerations::toWorld(const Workspace<double>& at, const double* f) {
  const BodyTree::Body* bodies = at.bodies.data();
  const std::vector<BodyTree::Link>& links = tree_.links();
  for (size_t i = links.size(); i-- > 1;) {
    const BodyTree::Link& c = links[i];
    const BodyTree::Body& b = bodies[i];
    const OpenPlaces::Place& place = places_.of[i - 1];
    const BodyTree::Inertia own = BodyTree::inertia(c, b);
    // t = I z + h x a,  f = z x h + m a
    const Quad h = own.h, n = -h;
    Carried P;
    for (int k = 0; k < 3; ++k) P.A[k] = own.I[k];
    P.G[0] = Quad::picked<3, 6, 1, 3>(h, n);
    P.G[1] = Quad::picked<2, 3, 4, 3>(h, n);
    P.G[2] = Quad::picked<5, 0, 3, 3>(h, n);
    for (int k = 0; k < 3; ++k) P.B[k] = -P.G[k];
    P.C[0] = Quad::of(1, 0, 0) * c.m;
    P.C[1] = Quad::of(0, 1, 0) * c.m;
    P.C[2] = Quad::of(0, 0, 1) * c.m;
    const BodyTree::Load load = BodyTree::load(c, b, own);
    P.t = -load.t;
    P.f = -load.f;
    if (!onAxes && joints_[i].part >= 0) takeShare(i, P);
    if (!place.leaf) P += carried_[place.place];
    arms_[i] = b.arm;
    if (onAxes || isOnAxis(c)) {
      if (!eliminateAxis(i, b, f, P)) return false;
    } else if (c.kind == BodyTree::Kind::general) {
      if (!eliminateDirections(i, f, P)) return false;
    } else {
      if (!eliminateFree(i, bodies, f, P)) return false;
    }
    if (c.parent == 0) continue;
    Carried& up = carried_[places_.of[c.parent - 1].place];
    if (place.first) {
      up.take(P);
    } else {
      up += P;
    }
  }
  return true;
}

/// About the parent's origin: a = a_up + z_up x arm, then t_up = t + arm x f.
[[gnu::always_inline]] inline void BodyAccelerations::shift(const Quad& arm, Carried& P) {
  const double x = arm[0], y = arm[1], z = arm[2];
  P.A[0] += P.B[2] * y - P.B[1] * z;
  P.A[1] += P.B[0] * z - P.B[2] * x;
  P.A[2] += P.B[1] * x - P.B[0] * y;
  P.G[0] += P.C[2] * y - P.C[1] * z;
  P.G[1] += P.C[0] * z - P.C[2] * x;
  P.G[2] += P.C[1] * x - P.C[0] * y;
  for (int k = 0; k < 3; ++k) {
    P.A[k] += cross(arm, P.G[k]);
    P.B[k] += cross(arm, P.C[k]);
  }
  P.t += cross(arm, P.f);
}

[[gnu::always_inline]] inline bool BodyAccelerations::eliminateAxis(size_t i,
                                                                    const BodyTree::Body& b,
                                                                    const double* f, Carried& P) {
  const BodyTree::Link& c = tree_.links()[i];
  Joint& keep = joints_[i];
  const Quad s = b.e[2] * c.sense;
  keep.s = s;
  const double axis[3] = {c.sense * b.e[2][0], c.sense * b.e[2][1], c.sense * b.e[2][2]};
  const bool turns = c.kind == BodyTree::Kind::turn;
  // What the joint's own acceleration does.
  Quad t, g, along, p;
  if (turns) {
    along = t = combine(P.A, axis);
    g = combine(P.G, axis);
    p = P.t;
  } else {
    t = combine(P.B, axis);
    along = g = combine(P.C, axis);
    p = P.f;
  }
  const double J = axisInertia_.empty() ? 0 : axisInertia_[i];
  const double D = dot(s, along) + J;
  if (!(std::abs(D) > kMovesNothing * (sumOfSizes(s, along) + std::abs(J)))) return false;
  const double inverse = 1 / D;
  keep.inverse = inverse;
  keep.beta = (f[c.joint] - dot(s, p)) * inverse;
  if (c.parent == 0) return true;

  // All of it before what the joint takes out, for which the pivot is waited for.
  shift(b.arm, P);
  t += cross(b.arm, g);
  keep.t = t * inverse;
  keep.f = g * inverse;
  for (int k = 0; k < 3; ++k) {
    P.A[k] -= t * keep.t[k];
    P.G[k] -= g * keep.t[k];
    P.B[k] -= t * keep.f[k];
    P.C[k] -= g * keep.f[k];
  }
  P.t += t * keep.beta;
  P.f += g * keep.beta;
  return true;
}

/// The body's acceleration (z, a), of which a body on a ball has a of its parent:
///   A z + B a = torque,  (C - G A^-1 B) a = force - G A^-1 torque
[[gnu::always_inline]] inline bool BodyAccelerations::eliminateFree(size_t i,
                                                                    const BodyTree::Body* bodies,
                                                                    const double* f, Carried& P) {
  const BodyTree::Link& c = tree_.links()[i];
  Free& x = free_[joints_[i].more];
  const bool shifts = c.kind == BodyTree::Kind::free;
  symmetrise(P.A);
  if (!invertSymmetric(P.A, x.inverse)) return false;
  tree_.turning(i, bodies, x.turning);
  if (shifts) {
    tree_.shifting(i, bodies, x.shifting);
    x.lever = tree_.lever(i, bodies);
  }
  if (shifts || c.parent != 0) {
    for (int k = 0; k < 3; ++k) {
      x.H[k] = times(x.inverse, P.B[k]);
      x.G[k] = P.G[k];
    }
    for (int k = 0; k < 3; ++k) P.C[k] -= times(P.G, x.H[k]);
    symmetrise(P.C);
    if (shifts && !invertSymmetric(P.C, x.inverseC)) return false;
  }
  solveFree(c, f, x, P.t, P.f);
  if (c.parent == 0) return true;
  for (int k = 0; k < 3; ++k) {
    P.A[k] = P.B[k] = P.G[k] = Quad{};
    if (shifts) P.C[k] = Quad{};
  }
  shift(bodies[i].arm, P);
  return true;
}

/// In: the load without the body's own accelerations; out: what reaches the joint's other side.
[[gnu::always_inline]] inline void BodyAccelerations::solveFree(const BodyTree::Link& c,
                                                                const double* f, Free& x, Quad& t,
                                                                Quad& force) const {
  const bool shifts = c.kind == BodyTree::Kind::free;
  Quad given{}, torque = combine(x.turning, f + c.joint + c.nv - 3) * c.sense;
  if (shifts) {
    given = combine(x.shifting, f + c.joint) * c.sense;
    torque -= cross(x.lever, given);
  }
  x.rest = times(x.inverse, torque - t);
  t = torque;
  if (shifts) {
    x.shift = times(x.inverseC, given - force - times(x.G, x.rest));
    force = given;
  } else if (c.parent != 0) {
    force += times(x.G, x.rest);
  }
}

bool BodyAccelerations::eliminateDirections(size_t i, const double* f, Carried& P) {
  const BodyTree::Link& c = tree_.links()[i];
  const double J = axisInertia_.empty() ? 0 : axisInertia_[i];
  for (int k = 0; k < c.nv; ++k) {
    Direction& d = directions_[joints_[i].more + k];
    const Quad t = times(P.A, d.z) + times(P.B, d.a), g = times(P.G, d.z) + times(P.C, d.a);
    const double D = dot(d.z, t) + dot(d.a, g) + J;
    if (!(std::abs(D) > kMovesNothing * (sumOfSizes(d.z, t) + sumOfSizes(d.a, g) + std::abs(J))))
      return false;
    d.inverse = 1 / D;
    d.t = t * d.inverse;
    d.f = g * d.inverse;
    for (int n = 0; n < 3; ++n) {
      P.A[n] -= t * d.t[n];
      P.G[n] -= g * d.t[n];
      P.B[n] -= t * d.f[n];
      P.C[n] -= g * d.f[n];
    }
    d.beta = (f[c.joint + k] - dot(d.z, P.t) - dot(d.a, P.f)) * d.inverse;
    P.t += t * d.beta;
    P.f += g * d.beta;
  }
  if (c.parent != 0) shift(arms_[i], P);
  return true;
}

/// The way to the world of one more f, by what factor() has kept.
void BodyAccelerations::loadsToWorld(const Branch& branch, const double* f) {
  const std::vector<BodyTree::Link>& links = tree_.links();
  for (size_t i = branch.first; i < branch.end; ++i) {
    changes_[i] = {};
    loaded_[i] = false;
  }
  for (size_t i = branch.end; i-- > branch.first;) {
    const BodyTree::Link& c = links[i];
    Joint& joint = joints_[i];
    // What a constraint loads is mostly a path or two.
    if (!loaded_[i] && isOnAxis(c) && f[c.joint] == 0) {
      joint.beta = 0;
      continue;
    }
    Quad t = changes_[i].z, force = changes_[i].a;
    double rest = 0;  // of an axis
    if (isOnAxis(c)) {
      rest = f[c.joint] - dot(joint.s, c.kind == BodyTree::Kind::turn ? t : force);
      joint.beta = rest * joint.inverse;
    } else if (c.kind == BodyTree::Kind::general) {
      for (int k = 0; k < c.nv; ++k) {
        Direction& d = directions_[joint.more + k];
        const double left = f[c.joint + k] - dot(d.z, t) - dot(d.a, force);
        d.beta = left * d.inverse;
        t += d.t * left;
        force += d.f * left;
      }
    } else {
      solveFree(c, f, free_[joint.more], t, force);
    }
    if (c.parent == 0) continue;
    loaded_[c.parent] = true;
    Change& up = changes_[c.parent];
    up.z += t + cross(arms_[i], force) + joint.t * rest;
    up.a += force + joint.f * rest;
  }
}

template <bool onAxes>
void BodyAccelerations::fromWorld(const Branch& branch, double* da) {
  const std::vector<BodyTree::Link>& links = tree_.links();
  Quad z, a;
  for (size_t i = branch.first; i < branch.end; ++i) {
    const BodyTree::Link& c = links[i];
    const Joint& joint = joints_[i];
    if (c.parent == 0) {
      z = a = Quad{};
    } else if (c.parent + 1 != static_cast<int>(i)) {  // in a chain they are there
      z = changes_[c.parent].z;
      a = changes_[c.parent].a;
    }
    if (onAxes || isOnAxis(c)) {
      double acceleration = joint.beta;
      if (c.parent != 0) {
        const Quad::Lanes p = joint.t.v * z.v + joint.f.v * a.v;
        acceleration -= p[0] + p[1] + p[2];
        a += cross(z, arms_[i]);
      }
      da[c.joint] = acceleration;
      if (c.kind == BodyTree::Kind::turn) {
        z += joint.s * acceleration;
      } else {
        a += joint.s * acceleration;
      }
    } else if (c.kind == BodyTree::Kind::general) {
      a += cross(z, arms_[i]);
      for (int k = c.nv; k-- > 0;) {
        const Direction& d = directions_[joint.more + k];
        da[c.joint + k] = d.beta - dot(d.t, z) - dot(d.f, a);
        z += d.z * da[c.joint + k];
        a += d.a * da[c.joint + k];
      }
    } else {
      // The next body feels what da has become by rounding: errors would add up.
      const Free& x = free_[joint.more];
      const bool shifts = c.kind == BodyTree::Kind::free;
      double* own = da + c.joint + c.nv - 3;
      a += cross(z, shifts ? arms_[i] - x.lever : arms_[i]);
      Quad turned = x.rest;
      if (shifts || c.parent != 0) turned -= times(x.H, shifts ? x.shift : a);
      setAlong(x.turning, (turned - z) * c.sense, own);
      z += combine(x.turning, own) * c.sense;
      if (shifts) {
        a += cross(z, x.lever);
        setAlong(x.shifting, (x.shift - a) * c.sense, da + c.joint);
        a += combine(x.shifting, da + c.joint) * c.sense;
      }
    }
    if (places_.of[i - 1].leaf) continue;
    changes_[i].z = z;
    changes_[i].a = a;
  }
}

}  // namespace cardan
