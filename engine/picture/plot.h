/// Plot: panels of curves, as an SVG file or for a terminal.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cardan {

/// A curve through points; its data outlive the plot, or are kept by it.
struct PlotCurve {
  std::string label;  ///< "": not in the legend
  std::span<const double> x, y;
  bool dashed = false;
  size_t color = 0;       ///< number in the palette
  bool isMarked = false;  ///< a dot at every point
  /// A band around it, with times of its own: values below and above.
  std::vector<double> bandX{}, bandLow{}, bandHigh{};
};
struct PlotPanel {
  std::string yLabel;  ///< "angle [rad]"
  std::string unit{};
  std::vector<PlotCurve> curves{};
  std::optional<double> mark{};  ///< a vertical line, where something is to be seen
};
struct Plot {
  std::string title{}, xLabel = "time [s]";
  std::vector<PlotPanel> panels{};
  /// Axes by powers of ten; points that are not positive are left out.
  bool xLog = false, yLog = false;
  std::vector<std::unique_ptr<const std::vector<double>>> kept{};  ///< data that nobody else has

  /// Keeps data for a curve.
  std::span<const double> keep(std::vector<double> data) {
    return *kept.emplace_back(std::make_unique<const std::vector<double>>(std::move(data)));
  }
};

/// Where the data of a panel lie in the picture: value = low + share * (high - low).
struct PlotFrame {
  double left, top, width, height;      ///< [px]
  double x_low, x_high, y_low, y_high;  ///< at the edges; of a logarithmic axis the powers of ten
};

/// Round numbers between `low` and `high`, about `most` of them.
std::vector<double> plotTicks(double low, double high, int most);
/// Each panel's frame, in order.
std::vector<PlotFrame> plotFrames(const Plot& plot);

/// The SVG file. A curve has at most six points a pixel column, the extremes among them, and none
/// of its data lies half a pixel off.
std::string formatSvg(const Plot& plot);

/// All curves of a panel in a small picture of braille dots, `columns` characters wide.
std::string formatBraille(const Plot& plot, int columns);

}  // namespace cardan
