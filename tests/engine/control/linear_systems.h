/// Linear models made of matrices, for tests.
#pragma once

#include <Eigen/Core>
#include <string>

#include "engine/analysis/linear_model.h"

namespace cardan::plants {

inline LinearModel linearModel(Eigen::MatrixXd A, Eigen::MatrixXd B, Eigen::MatrixXd C) {
  LinearModel m;
  m.name = "Plant";
  const auto named = [](const char* name, Eigen::Index n) {
    std::vector<LinearSignal> list;
    for (Eigen::Index i = 0; i < n; ++i) list.push_back({name + std::to_string(i + 1), "", 0});
    return list;
  };
  m.states = named("x", A.rows());
  m.inputs = named("u", B.cols());
  m.outputs = named("y", C.rows());
  m.D = Eigen::MatrixXd::Zero(C.rows(), B.cols());
  m.sizes = Eigen::VectorXd::Ones(A.rows());
  m.rateOf.assign(static_cast<size_t>(A.rows()), -1);
  m.A = std::move(A);
  m.B = std::move(B);
  m.C = std::move(C);
  return m;
}

/// x'' = u, y = x.
inline LinearModel doubleIntegrator() {
  return linearModel(Eigen::Matrix2d{{0, 1}, {0, 0}}, Eigen::Vector2d(0, 1),
                     Eigen::RowVector2d(1, 0));
}
/// y = k/(T s + 1) u.
inline LinearModel firstOrder(double k, double T) {
  return linearModel(Eigen::MatrixXd::Constant(1, 1, -1 / T),
                     Eigen::MatrixXd::Constant(1, 1, k / T), Eigen::MatrixXd::Ones(1, 1));
}
/// y = w^2/(s^2 + 2 d w s + w^2) u.
inline LinearModel swinging(double w, double d) {
  return linearModel(Eigen::Matrix2d{{0, 1}, {-w * w, -2 * d * w}}, Eigen::Vector2d(0, w * w),
                     Eigen::RowVector2d(1, 0));
}
/// y = k/(s (s + 1) (s + 2)) u.
inline LinearModel thirdOrder(double k) {
  return linearModel(Eigen::Matrix3d{{0, 1, 0}, {0, 0, 1}, {0, -2, -3}}, Eigen::Vector3d(0, 0, k),
                     Eigen::RowVector3d(1, 0, 0));
}

}  // namespace cardan::plants
