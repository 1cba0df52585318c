/// TangentStates: derivatives of a model's states by parameters, as an explicit method steps them.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "engine/integration/ode_extension.h"
#include "engine/integration/vector_operations.h"
#include "engine/sensitivities/varied_parameter.h"

namespace cardan {

/// The derivatives at a start or restart, one parameter after the other, each as long as y.
struct Tangents {
  std::vector<double> s, sp;  ///< of y, of y'
};

/// Per parameter the states x of the model, one parameter after the other: of x' = f(t, x, p)
///
///   s' = f_x s + f_p,
///
/// a difference over variants of the model that are moved along s. What follows from the states
/// follows in each of them again.
class TangentStates final : public OdeExtension {
 public:
  /// `tangents`: what the next start begins with. `self`: the model's variant of its own parameters,
  /// asked for at run time. All outlive it.
  TangentStates(const Equations& run, std::vector<VariedParameter>& parameters,
                const Tangents& tangents, std::function<ModelVariant&()> self,
                double relativeTolerance)
      : run_(run),
        parameters_(parameters),
        tangents_(tangents),
        self_(std::move(self)),
        tolerance_(relativeTolerance),
        there_(run.layout().size()),
        ratesThere_(there_.size()) {
    const std::vector<Layout::Unknown>& unknowns = run.layout().unknowns;
    for (size_t i = 0; i < unknowns.size(); ++i) {
      if (unknowns[i].differential) places_.push_back(static_cast<int>(i));
    }
  }

  int size() const override { return n() * static_cast<int>(std::ssize(parameters_)); }
  /// No error test sees less than the rounding of differences, of which loops leave more.
  double relativeTolerance(double ofModel) const override {
    return std::max(ofModel, run_.layout().nlambda > 0 ? 1e-8 : kTangentRounding);
  }
  double nominal(int i) const override {
    return run_.state.nominals[places_[i % n()]] / parameters_[i / n()].size;
  }
  void begin(double* x, double* f) override {
    follow();
    for (size_t j = 0; j < parameters_.size(); ++j) {
      for (const int i : places_) {
        *x++ = tangents_.s[j * there_.size() + i];
        *f++ = tangents_.sp[j * there_.size() + i];
      }
    }
  }
  bool rates(double t, const std::vector<double>& y, const std::vector<double>& yp, const double* x,
             double* f) override {
    return differentiate(y, x, f, [&](ModelVariant& v) {
      ratesThere_ = yp;
      return v.completion.complete(t, there_, ratesThere_) ? &ratesThere_ : nullptr;
    });
  }
  bool project(double t, const std::vector<double>& before, double* x) override {
    if (!self_().completion.constrains()) return true;
    projected_.resize(size());
    // What a point of a run may leave of a residue would be large beside the differences: so once more.
    const bool good = differentiate(before, x, projected_.data(), [&](ModelVariant& v) {
      const bool met = v.completion.project(t, there_) && v.completion.project(t, there_);
      return met ? &there_ : nullptr;
    });
    if (good) std::ranges::copy(projected_, x);
    return good;
  }

  /// The variants take what the run has changed: modes, memories.
  void follow() {
    self_().follow(run_.state, 0, {});
    for (const VariedParameter& parameter : parameters_) parameter.follow(run_.state);
  }
  /// Derivatives of all unknowns, laid out as Tangents::s; those of other unknowns than states are 0.
  void spread(const double* x, std::vector<double>& s) const {
    s.assign(parameters_.size() * there_.size(), 0.0);
    for (size_t j = 0; j < parameters_.size(); ++j) {
      for (const int i : places_) s[j * there_.size() + i] = *x++;
    }
  }

 private:
  int n() const { return std::ssize(places_); }
  /// out = d/dp of the states' values that f(variant) makes of there_ and points to; null: it cannot.
  template <class F>
  bool differentiate(const std::vector<double>& y, const double* x, double* out, F f) {
    bool good = true;
    here_.clear();
    for (const VariedParameter& parameter : parameters_) {
      double reach = 0;
      for (int k = 0; k < n(); ++k)
        reach = std::max(reach, std::abs(x[k]) / run_.state.nominals[places_[k]]);
      std::fill_n(out, n(), 0.0);
      parameter.eachPoint(self_(), reach, tolerance_,
                          [&](ModelVariant& v, double /*shift*/, double along, double weight) {
                            const bool moved = along != 0 || &v != &self_();
                            const std::vector<double>* result = &here_;
                            if (moved || here_.empty()) {
                              there_ = y;
                              for (int k = 0; k < n(); ++k) there_[places_[k]] += along * x[k];
                              result = f(v);
                              if (!moved && result) here_ = *result;
                            }
                            good = good && result;
                            for (int k = 0; good && k < n(); ++k)
                              out[k] += weight * (*result)[places_[k]];
                          });
      if (!good || !vectors::allFinite(n(), out)) return false;
      x += n();
      out += n();
    }
    return true;
  }

  const Equations& run_;
  std::vector<VariedParameter>& parameters_;
  const Tangents& tangents_;
  std::function<ModelVariant&()> self_;
  double tolerance_;
  std::vector<int> places_;                             ///< of the states in y
  std::vector<double> there_, ratesThere_, projected_;  ///< work space
  std::vector<double> here_;  ///< what f makes of the model itself, once it is asked for
};

}  // namespace cardan
