/// SensitivitySystem: a model and its derivatives by parameters as one DAE.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/integration/dae_system.h"
#include "engine/integration/multibody_system.h"
#include "engine/sensitivities/varied_parameter.h"

namespace cardan {

/// Unknowns: y of the model, then s = dy/dp for one parameter after the other, with
///
///   F(t, y, y', p) = 0,    F_y s + F_y' s' + F_p = 0.
///
/// The derivatives by y and y' are those of duals, F_p is a difference of variants. A Newton step is
/// staggered: y first; then s, which is linear, where y has got to. All of them are solved by the
/// factors of the model's own Newton matrix, and all have their part in the error test.
class SensitivitySystem final : public DaeSystem {
 public:
  /// All outlive it.
  SensitivitySystem(MultibodySystem& system, std::vector<VariedParameter>& parameters)
      : system_(system),
        parameters_(parameters),
        n_(system.size()),
        y_(size()),
        yp_(size()),
        newY_(n_),
        newYp_(n_),
        rows_(size() - n_),
        byParameters_(rows_.size()),
        at_(system.equations()) {}

  int size() const override { return n_ * (1 + std::ssize(parameters_)); }
  bool residual(double t, const double* y, const double* yp, double* r) override {
    t_ = t;
    std::copy_n(y, y_.size(), y_.begin());
    std::copy_n(yp, yp_.size(), yp_.begin());
    // The rows of the derivatives are found where the model's Newton step leads: see solve().
    std::fill(r + n_, r + size(), 0.0);
    return system_.residual(t, y, yp, r);
  }
  bool factor(double t, double cj, const double* y, const double* yp) override {
    cj_ = cj;
    return system_.factor(t, cj, y, yp);
  }
  /// Pre: `b` is what residual() left, with the opposite sign.
  void solve(const double* b, double* x) override {
    system_.solve(b, x);
    for (size_t i = 0; i < newY_.size(); ++i) {
      newY_[i] = y_[i] + x[i];
      newYp_[i] = yp_[i] + cj_ * x[i];
    }
    tangentRows(y_.data() + n_, yp_.data() + n_);
    for (size_t j = 0; j < parameters_.size(); ++j) {
      solveScaled(rows_.data() + j * n_, x + (j + 1) * n_);
    }
  }
  bool isDifferential(int i) const override { return system_.isDifferential(i % n_); }
  /// Of a derivative: what the unknown changes by where the parameter changes by its size.
  double nominal(int i) const override {
    const double own = system_.nominal(i % n_);
    return i < n_ ? own : own / parameters_[i / n_ - 1].size;
  }
  std::string unknownName(int i) const override {
    const std::string own = system_.unknownName(i % n_);
    return i < n_ ? own : "d(" + own + ")/d(" + parameters_[i / n_ - 1].name + ")";
  }

  bool bendsUnseen() const override { return system_.bendsUnseen(); }
  int rootCount() const override { return system_.rootCount(); }
  bool roots(double t, const double* y, const double* yp, double* g) override {
    return system_.roots(t, y, yp, g);
  }
  bool modesFit() override { return system_.modesFit(); }
  bool refines() const override { return system_.refines(); }
  bool refine(double t, double* y, double* yp, bool again) override {
    return system_.refine(t, y, yp, again);
  }

  /// The variants take what the run has changed: modes, memories.
  void follow() {
    knownAt_ = std::numeric_limits<double>::quiet_NaN();
    for (const VariedParameter& parameter : parameters_)
      parameter.follow(system_.equations().state);
  }

 private:
  static constexpr double kSamePoint = 1e-11;  // relative

  /// J x = -row. Kinematic residues that are rounding beside the model's own rates count as none there:
  /// so the rows are scaled until these are of the rates' size. `row` is changed.
  void solveScaled(double* row, double* x) {
    double largest = 0;
    for (int i = 0; i < system_.equations().layout().nq; ++i)
      largest = std::max(largest, std::abs(row[i]) / system_.nominal(i));
    int exponent = 0;
    if (largest > 0 && std::isfinite(largest)) std::frexp(largest, &exponent);
    for (int i = 0; i < n_; ++i) row[i] = -std::ldexp(row[i], -exponent);
    system_.solve(row, x);
    for (int i = 0; i < n_; ++i) x[i] = std::ldexp(x[i], exponent);
  }
  /// F_y s + F_y' s' + F_p at the model's new values, into rows_.
  void tangentRows(const double* s, const double* sp) {
    const size_t n = n_;
    at_.setPoint(t_, newY_.data(), newYp_.data());
    at_.columns(
        static_cast<int>(parameters_.size()), {.everyFrame = false},
        [&](Workspace<Dual>& w, size_t j, int lane, double on) {
          for (size_t i = 0; i < n; ++i) {
            w.y[i].setLane(lane, on * s[j * n + i]);
            w.yp[i].setLane(lane, on * sp[j * n + i]);
          }
        },
        [&](const Workspace<Dual>& w, size_t j, int lane) {
          for (size_t i = 0; i < n; ++i) rows_[j * n + i] = w.residual[i].lane(lane);
        });
    if (!knownByParameters()) findByParameters();
    for (size_t i = 0; i < rows_.size(); ++i) rows_[i] += byParameters_[i];
  }
  /// A second iteration moves the model by rounding. The differences would answer that with their own,
  /// larger one, so that the iteration would not end.
  bool knownByParameters() const {
    if (knownAt_ != t_ || knownCj_ != cj_) return false;
    for (size_t i = 0; i < newY_.size(); ++i) {
      const double size = system_.nominal(i) + std::abs(newY_[i]);
      if (!(std::abs(newY_[i] - knownY_[i]) <= kSamePoint * size)) return false;
    }
    return true;
  }
  /// F_p at the model's new values.
  void findByParameters() {
    const size_t n = n_;
    std::ranges::fill(byParameters_, 0.0);
    for (size_t j = 0; j < parameters_.size(); ++j) {
      for (const VariedParameter::Point& p : parameters_[j].points) {
        Workspace<double>& w = p.variant->w;
        std::ranges::copy(newY_, w.y.begin());
        std::ranges::copy(newYp_, w.yp.begin());
        w.tables.time = t_;
        p.variant->equations.evaluate(w, {.everyFrame = false});
        for (size_t i = 0; i < n; ++i) byParameters_[j * n + i] += p.weight * w.residual[i];
      }
    }
    knownAt_ = t_;
    knownCj_ = cj_;
    knownY_ = newY_;
  }

  MultibodySystem& system_;
  std::vector<VariedParameter>& parameters_;
  const int n_;
  double t_ = 0, cj_ = 0;
  std::vector<double> y_, yp_;        ///< of the last residual(), with the derivatives
  std::vector<double> newY_, newYp_;  ///< of the model, after its Newton step
  std::vector<double> rows_;          ///< of the derivatives
  std::vector<double> byParameters_;  ///< F_p, and where it is known
  std::vector<double> knownY_;
  double knownAt_ = 0, knownCj_ = 0;
  EvaluationPoint at_;
};

}  // namespace cardan
