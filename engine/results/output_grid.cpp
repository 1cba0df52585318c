#include "engine/results/output_grid.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace cardan {
namespace {

constexpr double kExact = 9007199254740992.0;  // 2^53: whole numbers up to here are doubles
constexpr int kMostDigits = 12;                // more are no decimal that somebody means
constexpr int kMostPower = 22;                 // 10^22 is the last power that is a double
constexpr double kRoundOff = 1e-9;             // of an interval: times that are meant to be `stop`

/// digits * 10^exponent, the shortest that reads back as the double.
struct Decimal {
  double digits = 0;
  int exponent = 0;

  static std::optional<Decimal> of(double x) {
    if (x == 0) return Decimal{};
    char text[64] = {};  // ends with 0
    const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::scientific).ptr;
    const char* e = std::find(static_cast<const char*>(text), static_cast<const char*>(end), 'e');
    Decimal d;
    int count = 0;
    bool point = false;
    for (const char* c = text; c != e; ++c) {
      if (*c == '.') point = true;
      if (*c < '0' || *c > '9') continue;
      d.digits = 10 * d.digits + (*c - '0');
      d.exponent -= point ? 1 : 0;
      ++count;
    }
    d.exponent += std::atoi(e + 1);
    if (x < 0) d.digits = -d.digits;
    if (count > kMostDigits) return std::nullopt;
    return d;
  }
};

double powerOfTen(int n) {
  double x = 1;  // exact
  for (int i = 0; i < n; ++i) x *= 10;
  return x;
}

/// Two numbers as whole multiples of 1/divisor; nothing where that is not exact.
struct Fractions {
  double a = 0, b = 0, divisor = 1;

  static std::optional<Fractions> of(double x, double y) {
    const auto a = Decimal::of(x), b = Decimal::of(y);
    if (!a || !b) return std::nullopt;
    const int unit = std::min({a->exponent, b->exponent, 0});
    if (std::max({a->exponent, b->exponent, 0}) - unit > kMostPower) return std::nullopt;
    Fractions f{a->digits * powerOfTen(a->exponent - unit),
                b->digits * powerOfTen(b->exponent - unit), powerOfTen(-unit)};
    if (std::abs(f.a) > kExact || std::abs(f.b) > kExact) return std::nullopt;
    return f;
  }
};

}  // namespace

OutputGrid::OutputGrid(double start, double stop, double interval)
    : start_(start), stop_(stop), interval_(interval) {
  if (const auto f = Fractions::of(start, interval)) {
    first_ = f->a;
    step_ = f->b;
    divisor_ = f->divisor;
  }
}

OutputGrid OutputGrid::equalParts(double start, double stop, int parts) {
  OutputGrid grid;
  grid.start_ = start;
  grid.stop_ = stop;
  grid.interval_ = (stop - start) / parts;
  const auto f = Fractions::of(start, stop);
  if (f && f->divisor * parts <= kExact) {
    grid.first_ = f->a * parts;
    grid.step_ = f->b - f->a;
    grid.divisor_ = f->divisor * parts;
  }
  return grid;
}

double OutputGrid::time(long k) const {
  if (k <= 0) return start_;
  const auto n = static_cast<double>(k);
  double at = start_ + n * interval_;
  // A quotient of two whole numbers is rounded once: it is the double nearest to the decimal.
  if (divisor_ > 0 && std::abs(first_) + n * std::abs(step_) <= kExact) {
    at = (first_ + n * step_) / divisor_;
  }
  return at > stop_ - kRoundOff * interval_ ? stop_ : at;
}

}  // namespace cardan
