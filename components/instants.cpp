#include "components/instants.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace cardan {
namespace {

constexpr double kExact = 9007199254740992.0;  // 2^53: whole numbers up to here are doubles
constexpr int kMostDigits = 12;                // more are no decimal that somebody means
constexpr int kKnownDigits = 15;               // of a double, whatever made it
constexpr int kMostPower = 22;                 // 10^22 is the last power that is a double

/// digits * 10^exponent, of as few digits as there are.
struct Decimal {
  double digits = 0;
  int exponent = 0;
  int count = 0;

  /// "-1.25e-03" of a number.
  static Decimal read(std::string_view text) {
    Decimal d;
    const size_t e = text.find('e');
    double zeros = 1;  // power of ten behind the last digit that is not 0
    int waiting = 0;
    bool point = false;
    for (const char c : text.substr(0, e)) {
      if (c == '.') point = true;
      if (c < '0' || c > '9') continue;
      if (point) --d.exponent;
      ++waiting;
      zeros *= 10;
      if (c == '0') continue;
      d.digits = zeros * d.digits + (c - '0');
      d.count += waiting;
      waiting = 0;
      zeros = 1;
    }
    d.exponent += waiting + std::atoi(text.data() + e + 1);
    if (text.front() == '-') d.digits = -d.digits;
    return d;
  }
  /// That is meant by `x`; nothing where it is no short one.
  static std::optional<Decimal> meantBy(double x) {
    if (x == 0) return Decimal{};
    char text[64] = {};  // ends with 0
    const auto end =
        std::to_chars(text, text + sizeof text, x, std::chars_format::scientific, kKnownDigits - 1)
            .ptr;
    double rounded = 0;
    std::from_chars(text, end, rounded);
    const Decimal d = read({text, end});
    if (d.count > kMostDigits || !isSameInstant(x, rounded)) return std::nullopt;
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
    const auto a = Decimal::meantBy(x), b = Decimal::meantBy(y);
    if (!a || !b) return std::nullopt;
    const int unit = std::min({a->exponent, b->exponent, 0});
    if (std::max({a->exponent, b->exponent, 0}) - unit > kMostPower) return std::nullopt;
    Fractions f{a->digits * powerOfTen(a->exponent - unit),
                b->digits * powerOfTen(b->exponent - unit), powerOfTen(-unit)};
    if (std::abs(f.a) > kExact || std::abs(f.b) > kExact) return std::nullopt;
    return f;
  }
};

int digitsOf(double x) {
  char text[64] = {};
  const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::scientific).ptr;
  return Decimal::read({text, end}).count;
}

}  // namespace

double plainerOf(double a, double b) { return a == b || digitsOf(a) <= digitsOf(b) ? a : b; }

Ticks::Ticks(double start, double interval) : start_(start), interval_(interval) {
  if (const auto f = Fractions::of(start, interval)) {
    first_ = f->a;
    step_ = f->b;
    divisor_ = f->divisor;
  }
}

Ticks Ticks::equalParts(double start, double stop, int parts) {
  Ticks ticks;
  ticks.start_ = start;
  ticks.interval_ = (stop - start) / parts;
  const auto f = Fractions::of(start, stop);
  if (f && f->divisor * parts <= kExact) {
    ticks.first_ = f->a * parts;
    ticks.step_ = f->b - f->a;
    ticks.divisor_ = f->divisor * parts;
  }
  return ticks;
}

double Ticks::at(double k) const {
  if (k == 0) return start_;
  // A quotient of two whole numbers is rounded once: it is the double nearest to the decimal.
  if (divisor_ > 0 && std::abs(first_) + k * std::abs(step_) <= kExact)
    return (first_ + k * step_) / divisor_;
  return start_ + k * interval_;
}

/// One that is not too late: rounding moves the quotient by less than one but for numbers of ticks
/// beyond counting.
double Ticks::estimate(double time) const {
  return std::max(0.0, std::floor((time - start_) / interval_) - 1);
}

double Ticks::from(double time) const {
  double k = estimate(time);
  for (int i = 0; i < 4 && hasCome(at(k), time) && !isSameInstant(at(k), time); ++i) ++k;
  return k;
}

double Ticks::after(double time) const {
  double k = estimate(time);
  for (int i = 0; i < 4 && hasCome(at(k), time); ++i) ++k;
  return k;
}

}  // namespace cardan
