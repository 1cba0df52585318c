#include "engine/sensitivities/tangent_states.h"

#include <utility>

#include "engine/integration/vector_operations.h"

namespace cardan {

TangentStates::TangentStates(const Equations& run, std::vector<VariedParameter>& parameters,
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

void TangentStates::follow() {
  self_().follow(run_.state, 0, {});
  for (const VariedParameter& parameter : parameters_) parameter.follow(run_.state);
}

void TangentStates::begin(double* x, double* f) {
  follow();
  for (size_t j = 0; j < parameters_.size(); ++j) {
    for (const int i : places_) {
      *x++ = tangents_.s[j * there_.size() + i];
      *f++ = tangents_.sp[j * there_.size() + i];
    }
  }
}

void TangentStates::spread(const double* x, std::vector<double>& s) const {
  s.assign(parameters_.size() * there_.size(), 0.0);
  for (size_t j = 0; j < parameters_.size(); ++j) {
    for (const int i : places_) s[j * there_.size() + i] = *x++;
  }
}

/// out = d/dp of the states' values that f(variant) makes of there_ and points to; null: it cannot.
template <class F>
bool TangentStates::differentiate(const std::vector<double>& y, const double* x, double* out, F f) {
  bool good = true;
  for (const VariedParameter& parameter : parameters_) {
    double reach = 0;
    for (int k = 0; k < n(); ++k)
      reach = std::max(reach, std::abs(x[k]) / run_.state.nominals[places_[k]]);
    std::fill_n(out, n(), 0.0);
    parameter.eachPoint(self_(), reach, tolerance_,
                        [&](ModelVariant& v, double /*shift*/, double along, double weight) {
                          there_ = y;
                          for (int k = 0; k < n(); ++k) there_[places_[k]] += along * x[k];
                          const std::vector<double>* result = f(v);
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

bool TangentStates::rates(double t, const std::vector<double>& y, const std::vector<double>& yp,
                          const double* x, double* f) {
  return differentiate(y, x, f, [&](ModelVariant& v) {
    ratesThere_ = yp;
    return v.completion.complete(t, there_, ratesThere_) ? &ratesThere_ : nullptr;
  });
}

bool TangentStates::project(double t, const std::vector<double>& before, double* x) {
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

}  // namespace cardan
