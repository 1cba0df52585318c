#include "engine/dynamics/sparse_lu.h"

#include <klu.h>

#include <new>

namespace cardan {
namespace {

constexpr double kDiagonalPreference =
    0.1;                              // pivots off the diagonal where they are 10 times larger
constexpr double kGoodGrowth = 1e-4;  // smallest reciprocal growth with the pivots of before
constexpr double kSingular = 1e-30;   // ratio of smallest to largest pivot

}  // namespace

struct SparseLu::Factors {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  Factors() {
    klu_defaults(&common);
    common.tol = kDiagonalPreference;
    common.scale = 0;
  }
  ~Factors() { clear(); }
  void clear() {
    if (numeric) klu_free_numeric(&numeric, &common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }
  int size() const { return symbolic->n; }
};

SparseLu::SparseLu() : factors_(std::make_unique<Factors>()) {}
SparseLu::~SparseLu() = default;

void SparseLu::analyse(std::span<const int> start, std::span<const int> rows) {
  factors_->clear();
  start_.assign(start.begin(), start.end());
  rows_.assign(rows.begin(), rows.end());
  factors_->symbolic =
      klu_analyze(std::ssize(start) - 1, start_.data(), rows_.data(), &factors_->common);
  if (!factors_->symbolic && factors_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
}

bool SparseLu::factor(std::span<double> values) {
  Factors& f = *factors_;
  if (!f.symbolic) return false;  // structurally singular
  int *start = start_.data(), *rows = rows_.data();
  double* x = values.data();
  if (f.numeric && klu_refactor(start, rows, x, f.symbolic, f.numeric, &f.common) &&
      klu_rgrowth(start, rows, x, f.symbolic, f.numeric, &f.common) &&
      f.common.rgrowth > kGoodGrowth) {
    return klu_rcond(f.symbolic, f.numeric, &f.common) && f.common.rcond > kSingular;
  }
  if (f.numeric) klu_free_numeric(&f.numeric, &f.common);
  f.numeric = klu_factor(start, rows, x, f.symbolic, &f.common);
  return f.numeric && klu_rcond(f.symbolic, f.numeric, &f.common) && f.common.rcond > kSingular;
}

double SparseLu::pivotRatio() const { return factors_->common.rcond; }

void SparseLu::solve(std::span<double> b) {
  klu_solve(factors_->symbolic, factors_->numeric, factors_->size(), 1, b.data(),
            &factors_->common);
}

}  // namespace cardan
