#include "engine/initialisation/linearisation.h"

#include <Eigen/LU>

#include "engine/edge_unknowns.h"

namespace cardan {
namespace {

using EdgeMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxPerEdge, kMaxPerEdge>;
using EdgeVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxPerEdge, 1>;

/// The rows are affine in der(q): A der(q) = -b, with the constraints' gradients as the last rows.
void solveEdge(const Layout::Step& s, const double* q, const double* v, double* qd) {
  Dual q_[kMaxPerEdge], qd_[kMaxPerEdge], v_[6], rows[kMaxPerEdge];
  EdgeMatrix A(s.nq, s.nq);
  EdgeVector b(s.nq);
  for (int i = 0; i < s.nv; ++i) v_[i] = Dual(v[i]);
  for (int j0 = 0; j0 < s.nq; j0 += kLanes) {
    for (int pass = 0; pass < 2; ++pass) {  // by der(q), then by q
      for (int j = 0; j < s.nq; ++j) {
        q_[j] = Dual(q[j]);
        qd_[j] = Dual(0);
        if (j >= j0 && j < j0 + kLanes) (pass == 0 ? qd_[j] : q_[j]).setLane(j - j0, 1);
      }
      s.law->kinematics(q_, qd_, v_, rows);
      for (int j = j0; j < std::min(s.nq, j0 + kLanes); ++j) {
        for (int i = pass == 0 ? 0 : s.nv; i < (pass == 0 ? s.nv : s.nq); ++i) {
          A(i, j) = rows[i].lane(j - j0);
        }
      }
    }
  }
  for (int i = 0; i < s.nq; ++i) b[i] = i < s.nv ? -rows[i].v : 0.0;
  Eigen::PartialPivLU<EdgeMatrix> lu(A);
  const EdgeVector x = lu.solve(b);
  for (int j = 0; j < s.nq; ++j) qd[j] = x[j];
}

}  // namespace

void kinematicRates(const Layout& layout, const double* y, double* yp) {
  for (const Layout::Step& s : layout.tree) {
    const double* v = y + layout.nq + s.v;
    if (s.plain) {
      std::copy_n(v, s.nv, yp + s.q);
    } else if (s.nq > 0) {
      solveEdge(s, y + s.q, v, yp + s.q);
    }
  }
}

}  // namespace cardan
