#include "engine/study/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/study/philox.h"
#include "engine/study/sobol.h"

namespace cardan {
namespace {

constexpr std::array<std::pair<SamplingMethod, const char*>, 3> kMethods{{
    {SamplingMethod::random, "random"},
    {SamplingMethod::latin, "latin"},
    {SamplingMethod::sobol, "sobol"},
}};

enum Purpose : std::uint32_t { kPoint = 0, kPermutation = 1 };

}  // namespace

const char* word(SamplingMethod method) {
  for (const auto& [m, text] : kMethods) {
    if (m == method) return text;
  }
  return "";
}

std::optional<SamplingMethod> samplingMethodOf(std::string_view text) {
  for (const auto& [m, name] : kMethods) {
    if (text == name) return m;
  }
  return std::nullopt;
}

std::vector<std::string> samplingMethodWords() {
  std::vector<std::string> words;
  for (const auto& [m, name] : kMethods) words.emplace_back(name);
  return words;
}

Sampling::Sampling(SamplingMethod method, int dimensions, long n, std::uint64_t seed,
                   bool withoutOrigin)
    : method_(method), n_(n), seed_(seed), withoutOrigin_(withoutOrigin) {
  if (method_ != SamplingMethod::latin) return;
  parts_.resize(dimensions);
  for (size_t d = 0; d < parts_.size(); ++d) {
    std::vector<std::uint32_t>& order = parts_[d];
    order.resize(n);
    std::iota(order.begin(), order.end(), 0U);
    for (size_t k = order.size(); k > 1; --k) {  // Fisher and Yates
      const double u = uniformNumber(seed_, kPermutation, static_cast<std::uint32_t>(d), k);
      std::swap(order[k - 1], order[u * static_cast<double>(k)]);
    }
  }
}

double Sampling::operator()(long index, int dimension) const {
  const auto i = static_cast<std::uint64_t>(index);
  if (method_ == SamplingMethod::sobol)
    return sobolCoordinate(i + (withoutOrigin_ ? 1 : 0), dimension);
  const double u = uniformNumber(seed_, kPoint, static_cast<std::uint32_t>(dimension), i);
  if (method_ == SamplingMethod::random) return u;
  const double x = (parts_[dimension][i] + u) / static_cast<double>(n_);
  return std::min(x, std::nextafter(1.0, 0.0));  // not 1 by rounding
}

}  // namespace cardan
