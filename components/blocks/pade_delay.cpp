#include "components/blocks/pade_delay.h"

#include "components/catalogue_entry.h"

namespace cardan::blocks {

void PadeDelay::read(ParameterReader& r) {
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

/// Coefficients of powers of s: a_k = T^k/k! n!/(n-k)! (n+m-k)!/(n+m)!, b_k the same with m and signs.
/// The states are scaled by powers of the delay, so that the system is about balanced.
void PadeDelay::build() {
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

Catalogue padeDelay() {
  return {entry<PadeDelay>("Blocks.PadeDelay", "approximated delay by a transfer function")};
}

}  // namespace cardan::blocks
