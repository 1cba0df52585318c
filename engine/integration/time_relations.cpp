#include "engine/integration/time_relations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "components/instants.h"
#include "engine/integration/grid_cells.h"

namespace cardan {
namespace {

constexpr double kNoChange = std::numeric_limits<double>::infinity();
/// Behind `from` a relation may leave its side again at once: points there lie at powers of a quarter of
/// the first cell.
constexpr int kFirstPoints = 12;

/// A function with these values at three points after each other may have turned back at zero between the
/// outer two: it came nearer to zero, and does not rest there.
bool mayTurn(double before, double here, double there) {
  return !(here == before && here == there) &&
         std::abs(here) <= std::min(std::abs(before), std::abs(there));
}

}  // namespace

void TimeRelations::refine(const std::vector<Switching>& all, Workspace<double>& w) {
  if (std::exchange(isRefined_, true)) return;
  // Others, and those whose time is known, are not looked for here.
  const auto isLookedFor = [](const Switching& s, std::size_t k) {
    return s.ofTime[k] && !s.expression->expression().timeEvent(k);
  };
  std::vector<const Switching*> searched;
  std::vector<double> types;
  const double perDegree = 2 * std::numbers::pi / (stop_ - start_);
  for (const Switching& s : all) {
    if (!s.isSearched) continue;
    searched.push_back(&s);
    for (std::size_t k = 0; k < s.ofTime.size(); ++k)
      types.push_back(isLookedFor(s, k) ? s.expression->expression().typeInTime(k, perDegree) : 0);
  }
  const double kept = w.tables.time;
  const GridCells cells = cellsFor(start_, stop_, cell_, types, [&](double t, double* values) {
    w.tables.time = t;
    const std::uint64_t pass = w.expressions.newPass();
    for (const Switching* s : searched) {
      s->expression->relationResidualsIn(pass, View<double>(w.tables), values);
      for (std::size_t k = 0; k < s->ofTime.size(); ++k) {
        if (!isLookedFor(*s, k)) values[k] = 0;
      }
      values += s->ofTime.size();
    }
  });
  w.tables.time = kept;
  cell_ = cells.cell;
  if (!cells.hidden) return;
  std::size_t at = *cells.hidden;
  auto s = searched.begin();
  for (; at >= (*s)->ofTime.size(); ++s) at -= (*s)->ofTime.size();
  warning_ = fasterThanCells("'" + (*s)->expression->text() + "'", start_, stop_, cell_);
}

void TimeRelations::lookAt(Workspace<double>& w, double t, double Moving::*out) {
  w.tables.time = t;
  const std::uint64_t pass = w.expressions.newPass();
  const View<double> view(w.tables);
  Switching* known = nullptr;
  for (Moving& m : moving_) {
    if (std::exchange(known, m.of) != m.of) {
      ++m.of->looks[m.k];
      m.of->expression->relationResidualsIn(pass, view, residuals_.data());
    }
    m.*out = residuals_[m.k];
  }
}

double TimeRelations::residueAt(const Moving& m, Workspace<double>& w, double t) {
  w.tables.time = t;
  ++m.of->looks[m.k];
  m.of->expression->relationResiduals(View<double>(w.tables), residuals_.data());
  return residuals_[m.k];
}

bool TimeRelations::isOther(const Moving& m, Workspace<double>& w, double t) {
  w.tables.time = t;
  ++m.of->looks[m.k];
  m.of->expression->relationStates(View<double>(w.tables), tried_.data());
  return tried_[m.k] != state_.relations[m.of->states + m.k];
}

/// The first instant on the other side in (a, b], where b is on it: to its own last digits, so that it is
/// one instant with what says it outright. It is there at the end of the instant, too: near a shallow
/// crossing rounding decides.
double TimeRelations::locate(const Moving& r, Workspace<double>& w, double a, double b) {
  double ga = residueAt(r, w, a), gb = residueAt(r, w, b);
  for (int i = 0; b - a > 0.25 * instantWidth(b) && i < 200; ++i) {
    double m = a + 0.5 * (b - a);
    if (i % 3 != 2 && ga * gb < 0) m = a + (b - a) * std::clamp(ga / (ga - gb), 1e-3, 0.999);
    if (!(m > a && m < b)) break;
    if (isOther(r, w, m) && isOther(r, w, m + instantWidth(m))) {
      b = m;
      gb = residueAt(r, w, m);
    } else {
      a = m;
      ga = residueAt(r, w, m);
    }
  }
  return b;
}

/// Where the difference turns back between two points it may have been on its other side.
double TimeRelations::searchTurn(const Moving& m, Workspace<double>& w, double left, double right,
                                 double resolution) {
  for (int i = 0; i < 60 && right - left > resolution; ++i) {
    const double m1 = left + 0.382 * (right - left), m2 = left + 0.618 * (right - left);
    if (isOther(m, w, m1)) return locate(m, w, left, m1);
    if (isOther(m, w, m2)) return locate(m, w, left, m2);
    const bool isLeft = std::abs(residueAt(m, w, m1)) < std::abs(residueAt(m, w, m2));
    (isLeft ? right : left) = isLeft ? m2 : m1;
  }
  return kNoChange;
}

/// A change in (a, end) that is taken back before `end`; `before`: the point before a.
double TimeRelations::searchInside(const Moving& m, Workspace<double>& w, double before, double a,
                                   double end, double resolution) {
  const double quarter = 0.25 * (end - a);
  const std::array<double, 6> at{before, a, a + quarter, a + 2 * quarter, a + 3 * quarter, end};
  std::array<double, 6> g{m.before, m.here};
  for (std::size_t i = 2; i < at.size(); ++i) {
    if (at[i] < end && isOther(m, w, at[i])) return locate(m, w, at[i - 1], at[i]);
    g[i] = residueAt(m, w, at[i]);
    if (!(at[i - 2] < at[i - 1]) || !mayTurn(g[i - 2], g[i - 1], g[i])) continue;
    const double turn = searchTurn(m, w, at[i - 2], at[i], resolution);
    if (turn < end) return turn;
  }
  return kNoChange;
}

/// The earlier of `first` and the first change in (a, end]; `before`: the point before a.
double TimeRelations::firstInCell(Workspace<double>& w, double from, double a, double end,
                                  double first, double before, double resolution) {
  lookAt(w, end, &Moving::there);
  for (Moving& m : moving_) {
    const double b = first > a ? std::min(end, first) : end;
    if (b < end) m.there = residueAt(m, w, b);
    // What has the sign that it had, or rests at zero, says what it said.
    const bool stays = before < a && (m.here == m.there || m.here * m.there > 0);
    if (!stays && isOther(m, w, b)) {
      const double found = locate(m, w, a, b);
      first = std::min({first, found, searchInside(m, w, before, a, found, resolution)});
      continue;
    }
    // A step may be narrower than a cell that follows what it is taken from.
    if (m.of->expression->expression().isOfFloor(static_cast<int>(m.k))) {
      first = std::min(first, searchInside(m, w, before, a, b, resolution));
      continue;
    }
    if (before < a && mayTurn(m.before, m.here, m.there)) {
      const double found = searchTurn(m, w, before, b, resolution);
      if (found > from && found < first) first = found;
    }
  }
  return first;
}

double TimeRelations::next(std::vector<Switching>& all, Workspace<double>& w, double from,
                           double to) {
  moving_.clear();
  for (Switching& s : all) {
    const std::size_t n = s.ofTime.size();
    residuals_.resize(std::max(residuals_.size(), n));
    tried_.resize(residuals_.size());
    for (std::size_t k = 0; s.isSearched && k < n; ++k) {
      if (!s.ofTime[k] || s.expression->expression().timeEvent(k)) continue;
      ++s.looks[k];
      if (s.expression->relationFollowsTime(k, View<double>(w.tables))) moving_.push_back({&s, k});
    }
  }
  if (moving_.empty()) return kNoChange;
  const double kept = w.tables.time;
  const double resolution =
      8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(to), to - from);
  double first = kNoChange;
  double a = from + instantWidth(from), before = a;  // up to a it has been asked
  lookAt(w, a, &Moving::here);
  for (Moving& m : moving_) m.before = m.here;
  const double firstCell = std::floor((a - start_) / cell_) + 1;
  const double beginning = a, firstWidth = start_ + firstCell * cell_ - a;
  // A turn just before `to` shows at the point behind it.
  const double enough = std::max(to, std::min(to + cell_, stop_));
  for (double cell = firstCell - kFirstPoints; a < std::min(enough, first); ++cell) {
    const double end = std::min(
        enough, cell < firstCell ? beginning + std::pow(0.25, firstCell - cell) * firstWidth
                                 : start_ + cell * cell_);
    if (!(end > a)) continue;
    first = firstInCell(w, from, a, end, first, before, resolution);
    for (Moving& m : moving_) m.before = std::exchange(m.here, m.there);
    before = std::exchange(a, end);
  }
  w.tables.time = kept;
  return first;
}

}  // namespace cardan
