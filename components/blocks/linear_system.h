/// Blocks with states whose law is linear.
#pragma once

#include <string>
#include <vector>

#include "components/blocks/initial_state.h"
#include "components/blocks/reset.h"
#include "components/component.h"

namespace cardan::blocks {

/// What all linear blocks share.
///
/// Unknowns   x
/// Equations  der(x) = A x + B u;  y = C x + D u
class LinearSystem : public ComponentOf<LinearSystem> {
 public:
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void parametersChanged() override { build(); }

  template <class S>
  void physics(View<S>& x) const {
    const int n = states(), m = B_.cols();
    for (int i = 0; i < n; ++i) {
      S rate = 0.0;
      for (int j = 0; j < n; ++j) {
        if (A_(i, j) != 0) rate += A_(i, j) * state(x, j);
      }
      for (int j = 0; j < m; ++j) {
        if (B_(i, j) != 0) rate += B_(i, j) * x.input(u_, j);
      }
      x.row(rows_[i]) = x.rate(x_[i]) - rate;
    }
  }

 protected:
  /// Sets A, B, C, D from the parameters.
  virtual void build() = 0;
  int states() const { return std::ssize(names_); }
  UnknownId stateId(int i) const { return x_[i]; }
  void resize(int outputs, int inputs);
  /// The start value of the one state, which is the output.
  void readOutputState(ParameterReader& r);

  std::vector<std::string> names_;  ///< of the states
  Eigen::MatrixXd A_, B_, C_, D_;
  Init init_ = Init::NoInit;
  std::vector<double> x_start_;
  std::vector<double> y_start_{0};
  bool startGiven_ = false;  ///< the user wrote start values
  bool scalar_ = true;       ///< one input and one output, not vectors of one element
  std::vector<int>
      steadyForOutput_;  ///< states whose rates are zero at the start with InitialOutput

 private:
  template <class S>
  const S& state(const View<S>& x, int i) const {
    return x.unknown(x_[i]);
  }
  template <class S>
  S output(const View<S>& x, int i) const {
    S y = 0.0;
    for (int j = 0; j < states(); ++j) y += C_(i, j) * state(x, j);
    for (int j = 0; j < D_.cols(); ++j) {
      if (D_(i, j) != 0) y += D_(i, j) * x.input(u_, j);
    }
    return y;
  }

  SignalId u_;
  std::vector<UnknownId> x_;
  std::vector<RowId> rows_;
};

/// y = k/s u, which a reset sets to another value.  Source: MSL 4.0 Blocks.Continuous.Integrator
class Integrator final : public LinearSystem {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override {
    LinearSystem::declare(s);
    reset_.declare(s);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    return reset_.transition(x, m, stateId(0), x_start_[0]);
  }

 private:
  void build() override;
  double k_ = 1;
  Reset reset_;
};

/// What has a gain, a time constant and one state of its own, x.
class TimeConstantSystem : public LinearSystem {
 public:
  void read(ParameterReader& r) override;

 protected:
  double k_ = 1, T_ = 1;
};

/// y = k s/(T s + 1) u, 0 for k = 0.  Source: MSL 4.0 Blocks.Continuous.Derivative
class Derivative final : public TimeConstantSystem {
 public:
  Derivative() { T_ = 0.01; }

 private:
  void build() override;
};

/// y = k/(T s + 1) u.  Source: MSL 4.0 Blocks.Continuous.FirstOrder
class FirstOrder final : public LinearSystem {
 public:
  void read(ParameterReader& r) override;

 private:
  void build() override;
  double k_ = 1, T_ = 1;
};

/// y = k/((s/w)^2 + 2 D s/w + 1) u.  Source: MSL 4.0 Blocks.Continuous.SecondOrder
class SecondOrder final : public LinearSystem {
 public:
  void read(ParameterReader& r) override;

 private:
  void build() override;
  double k_ = 1, w_ = 1, damping_ = 1;
};

/// y = k (1 + 1/(T s)) u.  Source: MSL 4.0 Blocks.Continuous.PI
class PI final : public TimeConstantSystem {
  void build() override;
};

/// y = k (1 + 1/(Ti s) + Td s/(Td/Nd s + 1)) u.  Source: MSL 4.0 Blocks.Continuous.PID
class PID final : public LinearSystem {
 public:
  void read(ParameterReader& r) override;

 private:
  void build() override;
  double k_ = 1, Ti_ = 0.5, Td_ = 0.1, Nd_ = 10;
};

/// y = 1/(s/w + 1)^n u, w = 2 pi f/alpha; normalized: 3 dB at f.  Source: MSL 4.0
/// Blocks.Continuous.CriticalDamping
class CriticalDamping final : public LinearSystem {
 public:
  void read(ParameterReader& r) override;

 private:
  void build() override;
  double f_ = 1;
  bool normalized_ = true;
};

/// y = b(s)/a(s) u, coefficients of the highest power first; states in controller canonical form.
/// Source: MSL 4.0 Blocks.Continuous.TransferFunction
class TransferFunction final : public LinearSystem {
 public:
  void read(ParameterReader& r) override;

 private:
  void build() override;
  Eigen::MatrixXd b_ = Eigen::MatrixXd::Ones(1, 1), a_ = Eigen::MatrixXd::Ones(1, 1);
};

/// The general linear system, its matrices given.  Source: MSL 4.0 Blocks.Continuous.StateSpace
class StateSpace final : public LinearSystem {
 public:
  void read(ParameterReader& r) override;

 private:
  void build() override {}
};

}  // namespace cardan::blocks
