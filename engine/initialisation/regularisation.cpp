#include "engine/initialisation/regularisation.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace cardan {
namespace {

/// Eigenvalues of K with a unit diagonal that count as zero: singular positions have some.
constexpr double kNoShare = 1e-9;

}  // namespace

bool regularisationIsStable(const Completion& completion, const Layout& layout) {
  const Eigen::MatrixXd& all = completion.matrix();
  const Eigen::Index n = layout.nv + layout.nx, m = all.rows() - n;
  if (m <= 0 || n == 0) return true;  // a tree has no matrix at all
  const Eigen::PartialPivLU<Eigen::MatrixXd> motion(all.topLeftCorner(n, n));
  Eigen::MatrixXd K = all.bottomLeftCorner(m, n) * motion.solve(all.topRightCorner(n, m));
  // Motion that only the constraints determine (a leg without mass) leaves M singular.
  if (!(motion.rcond() > 1e-15) || !K.allFinite()) return true;

  Eigen::VectorXd scale(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const double d = std::abs(K(i, i));
    scale[i] = d > 0 ? 1 / std::sqrt(d) : 1;
  }
  K = scale.asDiagonal() * K * scale.asDiagonal();
  Eigen::MatrixXd shifted = (K + K.transpose()) / 2;
  shifted.diagonal().array() += kNoShare;
  if (Eigen::LLT<Eigen::MatrixXd>(shifted).info() == Eigen::Success) return true;
  const Eigen::VectorXcd eigenvalues = Eigen::EigenSolver<Eigen::MatrixXd>(K, false).eigenvalues();
  return eigenvalues.real().minCoeff() > -kNoShare;
}

}  // namespace cardan
