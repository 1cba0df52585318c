#include "engine/equations/model_equations.h"

namespace cardan {
namespace {

/// "m/s", "m/s2" of "m".
std::string rateUnit(const std::string& unit, int order) {
  if (order == 0 || unit.empty()) return unit;
  const std::string seconds = order == 1 ? "s" : "s" + std::to_string(order);
  return (unit == "1" ? "1" : unit) + "/" + seconds;
}

}  // namespace

std::string ModelEquations::Unknown::derivativeName(int k) const {
  std::string text = name;
  for (int i = 0; i < k; ++i) text = "der(" + text + ")";
  return text;
}

void ModelEquations::declare(Structure& s) {
  for (Unknown& u : unknowns_) {
    for (int k = 0; k < std::max(u.order, 1); ++k) {
      std::vector<UnknownId>& ids = u.ids.emplace_back();
      const StartValues& start = k == 0 ? u.start : k == 1 ? u.rateStart : StartValues{};
      for (int i = 0; i < u.size; ++i) {
        const double guess = start.start.empty() ? 0 : start.start[i];
        std::string name = u.derivativeName(k);
        if (!u.dimensions.empty()) {
          const int columns = u.dimensions.back();
          name += u.dimensions.size() == 1 ? "[" + std::to_string(i + 1) + "]"
                                           : "[" + std::to_string(i / columns + 1) + "," +
                                                 std::to_string(i % columns + 1) + "]";
        }
        ids.push_back(s.unknown({name, rateUnit(u.unit, k), u.description, guess, u.nominal},
                                u.order > 0 ? Kind::Differential : Kind::Algebraic));
      }
      if (k > 0) u.chain.push_back(s.row(u.derivativeName(k), u.size));
    }
  }
}

void ModelEquations::describe(Variables& v) const {
  for (const Unknown& u : unknowns_) {
    for (int k = 0; k <= u.order; ++k) {
      VariableInfo info{u.derivativeName(k), rateUnit(u.unit, k), u.description};
      if (info.description.empty()) info.description = "unknown of the model's equations";
      if (k > 0) info.description = "derivative of " + u.derivativeName(k - 1);
      // The highest derivative, and what has none, are found with the accelerations.
      info.level = k == u.order ? Level::Acceleration : Level::Position;
      info.output = k == 0;
      const bool isRate = k > 0 && k == u.order;
      const std::vector<UnknownId>& ids = u.ids[isRate ? k - 1 : k];
      v.array(std::move(info), u.dimensions, [ids, isRate](const auto& x, auto* out) {
        for (size_t i = 0; i < ids.size(); ++i)
          out[i] = isRate ? x.rate(ids[i]) : x.unknown(ids[i]);
      });
    }
  }
}

template <class S>
void ModelEquations::evaluateAs(View<S>& x) const {
  for (const Unknown& u : unknowns_) {
    for (size_t k = 0; k < u.chain.size(); ++k) {
      for (size_t i = 0; i < u.ids[k].size(); ++i) {
        x.row(u.chain[k], i) = x.rate(u.ids[k][i]) - x.unknown(u.ids[k + 1][i]);
      }
    }
  }
  const std::uint64_t pass = x.tables().expressions->newPass();
  for (const Row& r : rows_) {
    if (!r.readsLoads) evaluateRow(r, pass, x);
  }
}

template <class S>
void ModelEquations::rowsOfLoads(View<S>& x) const {
  const std::uint64_t pass = x.tables().expressions->newPass();
  for (const Row& r : rows_) {
    if (r.readsLoads) evaluateRow(r, pass, x);
  }
}
template void ModelEquations::rowsOfLoads(View<double>&) const;
template void ModelEquations::rowsOfLoads(View<Dual>&) const;

template <class S>
void ModelEquations::evaluateRow(const Row& r, std::uint64_t pass, View<S>& x) {
  std::vector<S>& scratch = x.tables().expressions->scratch;
  S* const row = &x.row(r.id);
  r.left->evaluateIn(pass, x, row);
  if (std::ssize(scratch) < r.size) scratch.resize(r.size);
  r.right->evaluateIn(pass, x, scratch.data());
  for (int i = 0; i < r.size; ++i) row[i] -= scratch[i];
}

}  // namespace cardan
