#include "engine/picture/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "engine/picture/decimation.h"
#include "engine/text/escaped.h"

namespace cardan {
namespace {

// A panel [px]
constexpr double kPlotWidth = 900, kPanelHeight = 260, kLeft = 78, kRight = 18, kTop = 12,
                 kBottom = 40, kTitle = 30, kLegend = 20;

constexpr std::array<const char*, 10> kPalette{"#0067c5", "#d1495b", "#2a9d5c", "#e08e0b",
                                               "#7b4fc9", "#00a0b0", "#8a5a2b", "#c43fa0",
                                               "#5a6b7b", "#9aa800"};

struct Bounds {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  void take(std::span<const double> xs) {
    for (const double x : xs) take(x);
  }
  /// Never empty; `margin`: a share on both sides.
  void round(double margin) {
    if (!(low <= high)) low = high = 0;
    const double size = std::max(std::abs(low), std::abs(high));
    if (high - low < 1e-9 * size || high == low) {
      const double d = size > 0 ? 0.1 * size : 1;
      low -= d;
      high += d;
    }
    const double m = margin * (high - low);
    low -= m;
    high += m;
  }
};

/// Legends take as many lines as their names need.
int legendLines(const PlotPanel& p) {
  double x = 0;
  int lines = 1;
  for (const PlotCurve& c : p.curves) {
    if (c.label.empty()) continue;
    const double w = 34 + 7.2 * static_cast<double>(c.label.size());
    if (x > 0 && x + w > kPlotWidth - kLeft - kRight) {
      ++lines;
      x = 0;
    }
    x += w;
  }
  return lines;
}

std::string tickText(double x, double step) {
  if (x == 0 || std::abs(x) < 1e-9 * step) return "0";
  return fmt::format("{:.6g}", x);
}

/// A tick and what stands beside it.
struct LabelledTick {
  double at;
  std::string text;
};

/// 10^k: in digits where they are few, else as a power.
std::string powerText(int k) {
  if (k >= -3 && k <= 4) return fmt::format("{:g}", std::pow(10.0, k));
  static constexpr std::array<const char*, 10> kRaised{"\u2070", "\u00b9", "\u00b2", "\u00b3",
                                                       "\u2074", "\u2075", "\u2076", "\u2077",
                                                       "\u2078", "\u2079"};
  std::string text = k < 0 ? "10\u207b" : "10";
  for (const char digit : std::to_string(std::abs(k))) text += kRaised[digit - '0'];
  return text;
}

/// Between two powers of ten: these and, where they are few, twice and five times them.
std::vector<LabelledTick> powerTicks(double low, double high, int most) {
  std::vector<LabelledTick> ticks;
  const int first = static_cast<int>(std::floor(low)), last = static_cast<int>(std::floor(high));
  const int every = std::max(1, (last - first + most) / most);
  for (int k = first; k <= last; ++k) {
    for (const int times : {1, 2, 5}) {
      const double at = k + std::log10(times);
      if (at < low || at > high || (times > 1 && high - low > 2.5)) continue;
      if (times == 1 && k % every != 0) continue;
      ticks.push_back(
          {at, times == 1 ? powerText(k) : fmt::format("{:g}", times * std::pow(10.0, k))});
    }
  }
  return ticks;
}

std::vector<LabelledTick> labelledTicks(double low, double high, int most, bool isLog) {
  if (isLog) return powerTicks(low, high, most);
  std::vector<LabelledTick> ticks;
  const std::vector<double> places = plotTicks(low, high, most);
  const double step = places.size() > 1 ? places[1] - places[0] : 1.0;
  for (const double x : places) ticks.push_back({x, tickText(x, step)});
  return ticks;
}

/// The plot with powers of ten in place of the values along its logarithmic axes; bands stay behind, and other
/// data are the original's.
Plot byPowersOfTen(const Plot& original) {
  Plot plot{original.title, original.xLabel, original.panels, original.xLog, original.yLog};
  if (!plot.xLog && !plot.yLog) return plot;
  for (PlotPanel& p : plot.panels) {
    for (PlotCurve& c : p.curves) {
      std::vector<double> x, y;
      for (size_t i = 0; i < std::min(c.x.size(), c.y.size()); ++i) {
        if ((plot.xLog && !(c.x[i] > 0)) || (plot.yLog && !(c.y[i] > 0))) continue;
        x.push_back(plot.xLog ? std::log10(c.x[i]) : c.x[i]);
        y.push_back(plot.yLog ? std::log10(c.y[i]) : c.y[i]);
      }
      c.x = plot.keep(std::move(x));
      c.y = plot.keep(std::move(y));
      c.bandX.clear();
    }
  }
  return plot;
}

std::vector<PlotFrame> framesOf(const Plot& plot) {
  Bounds x;
  for (const PlotPanel& p : plot.panels) {
    for (const PlotCurve& c : p.curves) x.take(c.x);
  }
  x.round(plot.xLog ? 0.03 : 0);
  std::vector<PlotFrame> frames;
  double top = plot.title.empty() ? 4 : kTitle;
  for (const PlotPanel& p : plot.panels) {
    Bounds y;
    for (const PlotCurve& c : p.curves) {
      y.take(c.y);
      if (c.bandX.empty()) continue;
      y.take(c.bandLow);
      y.take(c.bandHigh);
    }
    y.round(0.04);
    top += kTop + kLegend * legendLines(p);
    frames.push_back({kLeft, top, kPlotWidth - kLeft - kRight, kPanelHeight - kTop - kBottom, x.low,
                      x.high, y.low, y.high});
    top += frames.back().height + kBottom;
  }
  if (frames.empty()) frames.push_back({kLeft, top, kPlotWidth - kLeft - kRight, 0, 0, 1, 0, 1});
  return frames;
}

class Svg {
 public:
  /// Pre: logarithmic axes already have powers of ten
  explicit Svg(const Plot& plot) : plot_(plot), frames_(framesOf(plot)) {}

  std::string write() {
    const PlotFrame& last = frames_.back();
    const double height = last.top + last.height + kBottom;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
        "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"DejaVu Sans, Arial, sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        kPlotWidth, height);
    if (!plot_.title.empty()) {
      out_ += fmt::format(
          "<text x=\"{:g}\" y=\"20\" font-size=\"15\" font-weight=\"bold\" "
          "fill=\"#1d242c\">{}</text>\n",
          kLeft, escapedXml(plot_.title));
    }
    for (size_t i = 0; i < plot_.panels.size(); ++i) panel(plot_.panels[i], frames_[i], i);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  static double px(const PlotFrame& f, double x) {
    return f.left + f.width * (x - f.x_low) / (f.x_high - f.x_low);
  }
  static double py(const PlotFrame& f, double y) {
    return f.top + f.height * (f.y_high - y) / (f.y_high - f.y_low);
  }

  void panel(const PlotPanel& p, const PlotFrame& f, size_t number) {
    const double right = f.left + f.width, bottom = f.top + f.height;
    std::string grid, text;
    for (const LabelledTick& x : labelledTicks(f.x_low, f.x_high, 9, plot_.xLog)) {
      grid += fmt::format("M{:.2f} {:.2f}V{:.2f}", px(f, x.at), f.top, bottom);
      text += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>",
                          px(f, x.at), bottom + 16, x.text);
    }
    for (const LabelledTick& y : labelledTicks(f.y_low, f.y_high, 6, plot_.yLog)) {
      grid += fmt::format("M{:.2f} {:.2f}H{:.2f}", f.left, py(f, y.at), right);
      text += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>",
                          f.left - 6, py(f, y.at) + 4, y.text);
    }
    out_ += fmt::format("<path d=\"{}\" stroke=\"#e4e8ed\" fill=\"none\"/>\n", grid);
    out_ += "<g fill=\"#4a545e\">" + text + "</g>\n";
    out_ += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" fill=\"#1d242c\">{}</text>\n",
        f.left + f.width / 2, bottom + 33, escapedXml(plot_.xLabel));
    if (!p.yLabel.empty()) {
      out_ += fmt::format(
          "<text transform=\"translate(16 {:.2f}) rotate(-90)\" "
          "text-anchor=\"middle\" fill=\"#1d242c\">{}</text>\n",
          f.top + f.height / 2, escapedXml(p.yLabel));
    }
    out_ += fmt::format(
        "<clipPath id=\"panel{0}\"><rect x=\"{1:g}\" y=\"{2:g}\" width=\"{3:g}\" "
        "height=\"{4:g}\"/></clipPath>\n<g clip-path=\"url(#panel{0})\" fill=\"none\" "
        "stroke-width=\"1.5\" stroke-linejoin=\"round\">\n",
        number + 1, f.left, f.top, f.width, f.height);
    for (const PlotCurve& c : p.curves) band(c, f);
    if (p.mark) {
      out_ += fmt::format(
          "<path d=\"M{:.2f} {:.2f}V{:.2f}\" stroke=\"#66717d\" "
          "stroke-dasharray=\"2 3\"/>\n",
          px(f, *p.mark), f.top, bottom);
    }
    for (const PlotCurve& c : p.curves) curve(c, f);
    out_ += "</g>\n";
    out_ += fmt::format(
        "<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"none\" "
        "stroke=\"#9aa5b1\"/>\n",
        f.left, f.top, f.width, f.height);
    legend(p, f);
  }

  static const char* color(const PlotCurve& c) { return kPalette[c.color % kPalette.size()]; }
  /// Half as many again as pixels: with four points each no point is half a pixel off.
  static int columnsOf(const PlotFrame& f) { return 1.5 * f.width; }
  /// Points to a tenth of a pixel; "M" where the pen was lifted.
  static std::string path(const std::vector<PlotPoint>& points, const PlotFrame& f) {
    std::string d;
    bool pen = false;
    for (const PlotPoint& p : points) {
      if (std::isnan(p.y)) {
        pen = false;
        continue;
      }
      d += pen ? 'L' : 'M';
      fmt::format_to(std::back_inserter(d), "{:.1f} {:.1f}", px(f, p.x), py(f, p.y));
      pen = true;
    }
    return d;
  }
  void curve(const PlotCurve& c, const PlotFrame& f) {
    const auto points = decimated(c.x, c.y, f.x_low, f.x_high, columnsOf(f));
    out_ += fmt::format("<path class=\"curve\" data-name=\"{}\" d=\"{}\" stroke=\"{}\"{}/>\n",
                        escapedXml(c.label), path(points, f), color(c),
                        c.dashed ? " stroke-dasharray=\"6 4\"" : "");
    if (!c.isMarked) return;
    for (const PlotPoint& p : points) {
      if (std::isnan(p.y)) continue;
      out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.8\" fill=\"{}\"/>\n",
                          px(f, p.x), py(f, p.y), color(c));
    }
  }
  void band(const PlotCurve& c, const PlotFrame& f) {
    if (c.bandX.empty()) return;
    const int columns = columnsOf(f);
    const auto low = decimated(c.bandX, c.bandLow, f.x_low, f.x_high, columns);
    auto high = decimated(c.bandX, c.bandHigh, f.x_low, f.x_high, columns);
    std::reverse(high.begin(), high.end());
    std::string d = path(low, f), back = path(high, f);
    if (!back.empty()) back[0] = 'L';
    out_ += fmt::format("<path class=\"band\" d=\"{}{}Z\" fill=\"{}\" fill-opacity=\"0.18\"/>\n", d,
                        back, color(c));
  }
  void legend(const PlotPanel& p, const PlotFrame& f) {
    double x = 0, y = f.top - 7 - kLegend * (legendLines(p) - 1);
    for (const PlotCurve& c : p.curves) {
      if (c.label.empty()) continue;
      const double w = 34 + 7.2 * static_cast<double>(c.label.size());
      if (x > 0 && x + w > kPlotWidth - kLeft - kRight) {
        x = 0;
        y += kLegend;
      }
      out_ += fmt::format(
          "<path d=\"M{:.1f} {:.1f}h18\" stroke=\"{}\" stroke-width=\"2\"{}/>"
          "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#1d242c\">{}</text>\n",
          f.left + x, y - 4, color(c), c.dashed ? " stroke-dasharray=\"6 4\"" : "", f.left + x + 23,
          y, escapedXml(c.label));
      x += w;
    }
  }

  const Plot& plot_;
  std::vector<PlotFrame> frames_;
  std::string out_;
};

}  // namespace

std::vector<double> plotTicks(double low, double high, int most) {
  const double raw = (high - low) / most, power = std::pow(10, std::floor(std::log10(raw)));
  double step = power;
  for (const double f : {1.0, 2.0, 5.0, 10.0}) {
    step = f * power;
    if (step >= raw * 0.999) break;
  }
  std::vector<double> ticks;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    ticks.push_back(k * step + 0.0);
  return ticks;
}

std::vector<PlotFrame> plotFrames(const Plot& plot) { return framesOf(byPowersOfTen(plot)); }

std::string formatSvg(const Plot& plot) { return Svg(byPowersOfTen(plot)).write(); }

std::string formatBraille(const Plot& original, int columns) {
  constexpr int kRows = 10;
  std::string text;
  const Plot plot = byPowersOfTen(original);
  const std::vector<PlotFrame> frames = framesOf(plot);
  const auto atEdge = [](double x, bool isLog) {
    return fmt::format("{:.4g}", isLog ? std::pow(10.0, x) : x);
  };
  for (size_t k = 0; k < plot.panels.size(); ++k) {
    const PlotPanel& p = plot.panels[k];
    const PlotFrame& f = frames[k];
    const int wide = std::max(columns - 12, 10), dotsX = 2 * wide, dotsY = 4 * kRows;
    std::vector<unsigned char> cells(wide * kRows, 0);
    const auto dot = [&](int x, int y) {
      if (x < 0 || x >= dotsX || y < 0 || y >= dotsY) return;
      static constexpr unsigned char kDots[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
      cells[y / 4 * wide + x / 2] |= kDots[y % 4][x % 2];
    };
    for (const PlotCurve& c : p.curves) {
      std::optional<std::array<int, 2>> before;
      for (const PlotPoint& q : decimated(c.x, c.y, f.x_low, f.x_high, dotsX)) {
        if (std::isnan(q.y)) {
          before.reset();
          continue;
        }
        const int x = static_cast<int>((q.x - f.x_low) / (f.x_high - f.x_low) * (dotsX - 1) + 0.5);
        const int y = static_cast<int>((f.y_high - q.y) / (f.y_high - f.y_low) * (dotsY - 1) + 0.5);
        const auto [x0, y0] = before.value_or(std::array<int, 2>{x, y});
        const int n = std::max({std::abs(x - x0), std::abs(y - y0), 1});
        for (int i = 0; i <= n; ++i) dot(x0 + (x - x0) * i / n, y0 + (y - y0) * i / n);
        before = {x, y};
      }
    }
    std::string names;
    for (const PlotCurve& c : p.curves) {
      if (!c.label.empty()) names += (names.empty() ? "" : ", ") + c.label;
    }
    // A label that is made of the names says them already: "phi [rad]".
    const bool isSaid = p.yLabel.starts_with(names + " [") || p.yLabel == names;
    text += (isSaid || p.yLabel.empty() ? "" : names + " - ") +
            (p.yLabel.empty() ? names : p.yLabel) + "\n";
    for (int row = 0; row < kRows; ++row) {
      const bool top = row == 0, bottom = row == kRows - 1;
      text += fmt::format("{:>10} ", top      ? atEdge(f.y_high, plot.yLog)
                                     : bottom ? atEdge(f.y_low, plot.yLog)
                                              : "");
      for (int i = 0; i < wide; ++i) {
        const unsigned code = 0x2800U + cells[row * wide + i];
        text += static_cast<char>(0xE0U | code >> 12);
        text += static_cast<char>(0x80U | (code >> 6 & 63));
        text += static_cast<char>(0x80U | (code & 63));
      }
      text += '\n';
    }
    const std::string from = atEdge(f.x_low, plot.xLog), to = atEdge(f.x_high, plot.xLog);
    const int gap = std::max<int>(1, wide - std::ssize(from) - std::ssize(to));
    const std::string label = std::ssize(plot.xLabel) + 2 < gap ? plot.xLabel : "";
    const int half = (gap - std::ssize(label)) / 2;
    text += std::string(11, ' ') + from + std::string(half, ' ') + label +
            std::string(gap - half - std::ssize(label), ' ') + to + "\n";
  }
  return text;
}

}  // namespace cardan
