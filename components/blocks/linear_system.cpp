/// Blocks with states whose law is linear, a delay by a transfer function among them.
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "components/blocks/initial_state.h"
#include "components/blocks/reset.h"
#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"
#include "components/component.h"

namespace cardan::blocks {

namespace {

// The matrices of a linear system are full.
constexpr int kHighestOrder = 500;
constexpr const char* kHighestOrderRule = "must not be of a higher order than 500";

void readStart(ParameterReader& r, const char* name, double& start, bool& given,
               const char* about) {
  r.real(name, start, "1", about);
  given = given || r.isGiven(name);
}

/// `n` start values, all zero by default.
void readStarts(ParameterReader& r, const char* name, Eigen::Index n, std::vector<double>& starts,
                bool& given) {
  Eigen::MatrixXd values = Eigen::MatrixXd::Zero(n, 1);
  r.vectorOfAnySize(name, values, "1", "start values");
  given = given || r.isGiven(name);
  if (!r.require(values.size() == n, name, "has the wrong number of elements")) {
    values = Eigen::MatrixXd::Zero(n, 1);
  }
  starts.assign(values.data(), values.data() + n);
}

std::vector<std::string> numbered(const std::string& name, int n) {
  std::vector<std::string> names;
  for (int i = 1; i <= n; ++i) names.push_back(name + "[" + std::to_string(i) + "]");
  return names;
}

void readInput(ParameterReader& r, int size = 1) { r.input("u", size, "1", "input"); }

}  // namespace

/// What all linear blocks share.
///
/// Unknowns   x
/// Equations  der(x) = A x + B u;  y = C x + D u
class LinearSystem : public ComponentOf<LinearSystem> {
 public:
  void declare(Structure& s) override {
    u_ = s.input("u", D_.cols());
    for (size_t i = 0; i < names_.size(); ++i) {
      UnknownInfo info{names_[i], "1", "state"};
      info.start = x_start_[i];
      x_.push_back(s.unknown(info, Kind::Differential));
      rows_.push_back(s.row(names_[i]));
    }
  }
  void describe(Variables& v) const override {
    // Without direct feedthrough the output depends on states only.
    const std::vector<SignalId> reads =
        D_.isZero(0) ? std::vector<SignalId>{} : std::vector<SignalId>{u_};
    VariableInfo info = blocks::output("y", "output", Level::Position, reads);
    if (scalar_) {
      v.scalar(info, [this](const auto& x) { return output(x, 0); });
    } else {
      const int rows = C_.rows();
      v.array(info, {rows}, [this](const auto& x, auto* out) {
        for (int i = 0; i < C_.rows(); ++i) out[i] = output(x, i);
      });
    }
    for (size_t i = 0; i < names_.size(); ++i) {
      startState(v, names_[i], x_start_[i], init_ == Init::InitialState, startGiven_);
    }
    auto steady = [&](const std::string& what, const Eigen::RowVectorXd& parts) {
      initially(v, what + " in steady state", Level::Acceleration, [this, parts](const auto& x) {
        auto sum = parts(0) * x.rate(x_[0]);
        for (int i = 1; i < states(); ++i) sum += parts(i) * x.rate(x_[i]);
        return sum;
      });
    };
    if (init_ == Init::SteadyState) {
      for (int i = 0; i < states(); ++i) steady("'" + names_[i] + "' starts", only(i));
    } else if (init_ == Init::InitialOutput) {
      for (int i = 0; i < C_.rows(); ++i) {
        initially(v, "the output has its start value", Level::Position,
                  [this, i](const auto& x) { return output(x, i) - y_start_[i]; });
      }
      for (const Eigen::RowVectorXd& parts : steadyForOutput_) {
        Eigen::Index state = 0;
        const bool isOne = parts.cwiseAbs().maxCoeff(&state) == parts.cwiseAbs().sum();
        steady(isOne ? "'" + names_[state] + "' starts" : "what the outputs leave open starts",
               parts);
      }
    }
  }
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
  void resize(int outputs, int inputs) {
    A_ = Eigen::MatrixXd::Zero(states(), states());
    B_ = Eigen::MatrixXd::Zero(states(), inputs);
    C_ = Eigen::MatrixXd::Zero(outputs, states());
    D_ = Eigen::MatrixXd::Zero(outputs, inputs);
  }
  /// The start value of the one state, which is the output.
  void readOutputState(ParameterReader& r) {
    names_ = {"y"};
    x_start_ = {0};
    readStart(r, "y_start", x_start_[0], startGiven_,
              "start value of the output, which is the state");
    if (init_ == Init::InitialOutput) init_ = Init::InitialState;
    readInput(r);
  }

  std::vector<std::string> names_;  ///< of the states
  Eigen::MatrixXd A_, B_, C_, D_;
  Init init_ = Init::NoInit;
  std::vector<double> x_start_;
  std::vector<double> y_start_{0};
  bool startGiven_ = false;  ///< the user wrote start values
  bool scalar_ = true;       ///< one input and one output, not vectors of one element
  /// Sums of rates that are zero at the start with InitialOutput.
  std::vector<Eigen::RowVectorXd> steadyForOutput_;
  Eigen::RowVectorXd only(int i) const { return Eigen::RowVectorXd::Unit(states(), i); }

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
  void read(ParameterReader& r) override {
    init_ = Init::InitialState;
    r.real("k", k_, "1", "gain");
    reset_.read(r);
    readInit(r, init_);
    readOutputState(r);
  }
  void declare(Structure& s) override {
    LinearSystem::declare(s);
    reset_.declare(s);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    return reset_.transition(x, m, stateId(0), x_start_[0]);
  }

 private:
  void build() override {
    resize(1, 1);
    B_(0, 0) = k_;
    C_(0, 0) = 1;
  }
  double k_ = 1;
  Reset reset_;
};

/// What has a gain, a time constant and one state of its own, x.
class TimeConstantSystem : public LinearSystem {
 public:
  void read(ParameterReader& r) override {
    r.real("k", k_, "1", "gain");
    r.real("T", T_, "s", "time constant", kPositive);
    readInit(r, init_);
    names_ = {"x"};
    x_start_ = {0};
    readStart(r, "x_start", x_start_[0], startGiven_, "start value of the state");
    readStart(r, "y_start", y_start_[0], startGiven_, "start value of the output");
    readInput(r);
  }

 protected:
  double k_ = 1, T_ = 1;
};

/// y = k s/(T s + 1) u, 0 for k = 0.  Source: MSL 4.0 Blocks.Continuous.Derivative
class Derivative final : public TimeConstantSystem {
 public:
  Derivative() { T_ = 0.01; }

 private:
  void build() override {
    resize(1, 1);
    if (std::abs(k_) < 2.3e-16) {  // MSL: the state rests, the output is zero
      if (init_ != Init::NoInit) init_ = Init::InitialState;
      return;
    }
    A_(0, 0) = -1 / T_;
    B_(0, 0) = 1 / T_;
    C_(0, 0) = -k_ / T_;
    D_(0, 0) = k_ / T_;
  }
};

/// y = k/(T s + 1) u.  Source: MSL 4.0 Blocks.Continuous.FirstOrder
class FirstOrder final : public LinearSystem {
 public:
  void read(ParameterReader& r) override {
    r.real("k", k_, "1", "gain");
    r.real("T", T_, "s", "time constant", kPositive);
    readInit(r, init_);
    readOutputState(r);
  }

 private:
  void build() override {
    resize(1, 1);
    A_(0, 0) = -1 / T_;
    B_(0, 0) = k_ / T_;
    C_(0, 0) = 1;
  }
  double k_ = 1, T_ = 1;
};

/// y = k/((s/w)^2 + 2 D s/w + 1) u.  Source: MSL 4.0 Blocks.Continuous.SecondOrder
class SecondOrder final : public LinearSystem {
 public:
  void read(ParameterReader& r) override {
    r.real("k", k_, "1", "gain");
    r.real("w", w_, "rad/s", "angular frequency");
    r.real("D", damping_, "1", "damping ratio");
    readInit(r, init_);
    names_ = {"y", "yd"};
    x_start_ = {0, 0};
    readStart(r, "y_start", x_start_[0], startGiven_, "start value of the output");
    readStart(r, "yd_start", x_start_[1], startGiven_, "start value of the output's derivative");
    if (init_ == Init::InitialOutput) init_ = Init::InitialState;
    readInput(r);
  }

 private:
  void build() override {
    resize(1, 1);
    A_ << 0, 1, -w_ * w_, -2 * damping_ * w_;
    B_(1, 0) = w_ * w_ * k_;
    C_(0, 0) = 1;
  }
  double k_ = 1, w_ = 1, damping_ = 1;
};

/// y = k (1 + 1/(T s)) u.  Source: MSL 4.0 Blocks.Continuous.PI
class PI final : public TimeConstantSystem {
  void build() override {
    resize(1, 1);
    B_(0, 0) = 1 / T_;
    C_(0, 0) = k_;
    D_(0, 0) = k_;
  }
};

/// y = k (1 + 1/(Ti s) + Td s/(Td/Nd s + 1)) u.  Source: MSL 4.0 Blocks.Continuous.PID
class PID final : public LinearSystem {
 public:
  void read(ParameterReader& r) override {
    init_ = Init::InitialState;
    r.real("k", k_, "1", "gain");
    r.real("Ti", Ti_, "s", "time constant of the integral part", kPositive);
    r.real("Td", Td_, "s", "time constant of the derivative part", kNotNegative);
    r.real("Nd", Nd_, "1", "Td/Nd is the time constant of the derivative part's filter", kPositive);
    readInit(r, init_);
    names_ = {"I.y", "D.x"};
    x_start_ = {0, 0};
    readStart(r, "xi_start", x_start_[0], startGiven_, "start value of the integral part");
    readStart(r, "xd_start", x_start_[1], startGiven_,
              "start value of the derivative part's state");
    readStart(r, "y_start", y_start_[0], startGiven_, "start value of the output");
    steadyForOutput_ = {only(1)};
    readInput(r);
  }

 private:
  void build() override {
    resize(1, 1);
    const double T = std::max(Td_ / Nd_, 100 * 2.2e-16);
    B_(0, 0) = 1 / Ti_;
    C_(0, 0) = k_;
    D_(0, 0) = k_;
    if (Td_ == 0) return;
    A_(1, 1) = -1 / T;
    B_(1, 0) = 1 / T;
    C_(0, 1) = -k_ * Td_ / T;
    D_(0, 0) += k_ * Td_ / T;
  }
  double k_ = 1, Ti_ = 0.5, Td_ = 0.1, Nd_ = 10;
};

/// y = 1/(s/w + 1)^n u, w = 2 pi f/alpha; normalized: 3 dB at f.  Source: MSL 4.0
/// Blocks.Continuous.CriticalDamping
class CriticalDamping final : public LinearSystem {
 public:
  void read(ParameterReader& r) override {
    int n = 2;
    r.integer("n", n, "order", Range{1});
    if (!r.require(n <= kHighestOrder, "n", kHighestOrderRule)) n = 1;
    r.real("f", f_, "Hz", "cut-off frequency", kPositive);
    r.boolean("normalized", normalized_, "the amplitude at f is 3 dB less");
    readInit(r, init_);
    names_ = numbered("x", n);
    readStarts(r, "x_start", names_.size(), x_start_, startGiven_);
    readStart(r, "y_start", y_start_[0], startGiven_, "start value of the output");
    for (int i = 0; i + 1 < n; ++i) steadyForOutput_.push_back(only(i));
    readInput(r);
  }

 private:
  void build() override {
    resize(1, 1);
    const double alpha = normalized_ ? std::sqrt(std::pow(2, 1.0 / states()) - 1) : 1;
    const double w = 2 * std::numbers::pi * f_ / alpha;
    for (int i = 0; i < states(); ++i) {
      A_(i, i) = -w;
      if (i > 0) A_(i, i - 1) = w;
    }
    B_(0, 0) = w;
    C_(0, states() - 1) = 1;
  }
  double f_ = 1;
  bool normalized_ = true;
};

/// y = b(s)/a(s) u, coefficients of the highest power first; states in controller canonical form.
/// Source: MSL 4.0 Blocks.Continuous.TransferFunction
class TransferFunction final : public LinearSystem {
 public:
  void read(ParameterReader& r) override {
    r.vectorOfAnySize("b", b_, "1", "coefficients of the numerator, highest power first");
    r.vectorOfAnySize("a", a_, "1", "coefficients of the denominator, highest power first");
    const bool fine = r.require(a_.size() > 0 && a_(0) != 0, "a", "must not begin with zero") &&
                      r.require(a_.size() <= kHighestOrder + 1, "a", kHighestOrderRule) &&
                      r.require(b_.size() <= a_.size(), "b", "must not be longer than a");
    if (!fine) a_ = b_ = Eigen::MatrixXd::Ones(1, 1);
    readInit(r, init_);
    names_ = numbered("x", std::ssize(a_) - 1);
    readStarts(r, "x_start", names_.size(), x_start_, startGiven_);
    readStart(r, "y_start", y_start_[0], startGiven_, "start value of the output");
    for (int i = 1; i < states(); ++i) steadyForOutput_.push_back(only(i));
    readInput(r);
  }

 private:
  void build() override {
    resize(1, 1);
    const Eigen::Index n = states();
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n + 1);
    b.tail(b_.size()) = b_.col(0);
    const double d = b(0) / a_(0);
    D_(0, 0) = d;
    if (n == 0) return;
    A_.row(0) = -a_.col(0).tail(n).transpose() / a_(0);
    for (Eigen::Index i = 1; i < n; ++i) A_(i, i - 1) = 1;
    B_(0, 0) = 1 / a_(0);
    C_.row(0) = (b.tail(n) - d * a_.col(0).tail(n)).transpose();
  }
  Eigen::MatrixXd b_ = Eigen::MatrixXd::Ones(1, 1), a_ = Eigen::MatrixXd::Ones(1, 1);
};

/// The general linear system, its matrices given.  Source: MSL 4.0 Blocks.Continuous.StateSpace
class StateSpace final : public LinearSystem {
 public:
  void read(ParameterReader& r) override {
    A_ = Eigen::MatrixXd::Identity(2, 2);
    B_ = Eigen::MatrixXd::Ones(2, 1);
    C_ = Eigen::MatrixXd::Ones(1, 2);
    r.table("A", A_, "1", "der(x) = A x + B u");
    r.table("B", B_, "1", "der(x) = A x + B u");
    r.table("C", C_, "1", "y = C x + D u");
    D_ = Eigen::MatrixXd::Zero(C_.rows(), B_.cols());
    r.table("D", D_, "1", "y = C x + D u");
    const bool fine = r.require(A_.rows() == A_.cols(), "A", "must be square") &&
                      r.require(B_.rows() == A_.rows(), "B", "must have as many rows as A") &&
                      r.require(C_.cols() == A_.cols(), "C", "must have as many columns as A") &&
                      r.require(D_.rows() == C_.rows() && D_.cols() == B_.cols(), "D",
                                "must have the rows of C and the columns of B");
    if (!fine) {
      A_ = B_ = C_ = Eigen::MatrixXd::Ones(1, 1);
      D_ = Eigen::MatrixXd::Zero(1, 1);
    }
    readInit(r, init_);
    scalar_ = false;
    names_ = numbered("x", A_.rows());
    readStarts(r, "x_start", names_.size(), x_start_, startGiven_);
    readStarts(r, "y_start", C_.rows(), y_start_, startGiven_);
    // Of the states with the outputs asked for, those whose rates have the smallest sum of squares.
    const Eigen::FullPivLU<Eigen::MatrixXd> outputs(C_);
    if (outputs.dimensionOfKernel() > 0) {
      const Eigen::MatrixXd open = A_ * outputs.kernel();
      for (Eigen::Index i = 0; i < open.cols(); ++i)
        steadyForOutput_.push_back(open.col(i).transpose());
    }
    readInput(r, B_.cols());
  }

 private:
  void build() override {}
};

Catalogue continuous() {
  return {
      entry<Integrator>("Blocks.Integrator", "integral of the input"),
      entry<Derivative>("Blocks.Derivative", "approximated derivative"),
      entry<FirstOrder>("Blocks.FirstOrder", "first-order transfer function"),
      entry<SecondOrder>("Blocks.SecondOrder", "second-order transfer function"),
      entry<PI>("Blocks.PI", "proportional-integral controller"),
      entry<PID>("Blocks.PID", "proportional-integral-derivative controller"),
  };
}

Catalogue linearSystems() {
  return {
      entry<CriticalDamping>("Blocks.CriticalDamping", "low-pass filter with critical damping"),
      entry<TransferFunction>("Blocks.TransferFunction", "linear transfer function"),
      entry<StateSpace>("Blocks.StateSpace", "linear state-space system"),
  };
}

/// Pade's approximation of a delay: orders m over n.
///
/// Source  MSL 4.0 Blocks.Nonlinear.PadeDelay
class PadeDelay final : public LinearSystem {
 public:
  void read(ParameterReader& r) override {
    int n = 1;
    bool balance = false;
    r.real("delayTime", delayTime_, "s", "delay", kPositive);
    r.integer("n", n, "order of the denominator", Range{1});
    if (!r.require(n <= 30, "n", "must not be greater than 30")) n = 1;
    m_ = n;
    r.integer("m", m_, "order of the numerator", Range{1});
    if (!r.require(m_ <= n, "m", "must not be greater than n")) m_ = n;
    r.boolean("balance", balance,
              "the states are those of a balanced system, which starts in steady state");
    init_ = Init::SteadyState;
    names_.clear();
    for (int i = 1; i <= n; ++i) names_.push_back("x[" + std::to_string(i) + "]");
    x_start_.assign(n, 0.0);
    r.input("u", 1, "1", "input");
  }

 private:
  /// Coefficients of powers of s: a_k = T^k/k! n!/(n-k)! (n+m-k)!/(n+m)!, b_k the same with m and signs.
  /// The states are scaled by powers of the delay, so that the system is about balanced.
  void build() override {
    const Eigen::Index n = states();
    const double nm = static_cast<double>(n) + m_;
    Eigen::VectorXd a = Eigen::VectorXd::Ones(n + 1), b = Eigen::VectorXd::Zero(n + 1);
    b(0) = 1;
    for (Eigen::Index i = 1; i <= n; ++i) {
      const double k = static_cast<double>(i);
      a(i) = a(i - 1) * (static_cast<double>(n) - k + 1) / (nm - k + 1) / k;
      if (i <= m_) b(i) = -b(i - 1) * (m_ - k + 1) / (nm - k + 1) / k;
    }
    resize(1, 1);
    // In the time t/delayTime; x[i + 1]' = x[i].
    const double d = b(n) / a(n);
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::Index power = n - 1 - j;
      A_(0, j) = -a(power) / a(n);
      C_(0, j) = b(power) - d * a(power);
    }
    for (Eigen::Index i = 1; i < n; ++i) A_(i, i - 1) = 1;
    B_(0, 0) = 1 / a(n);
    A_ /= delayTime_;
    B_ /= delayTime_;
    D_(0, 0) = d;
  }
  double delayTime_ = 1;  ///< [s]
  int m_ = 1;
};

Catalogue padeDelay() {
  return {entry<PadeDelay>("Blocks.PadeDelay", "approximated delay by a transfer function")};
}

}  // namespace cardan::blocks
