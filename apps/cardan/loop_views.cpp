#include "apps/cardan/loop_views.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "engine/control/frequency_response.h"
#include "engine/control/margins.h"
#include "engine/control/root_locus.h"
#include "engine/control/step_response.h"
#include "engine/picture/plot.h"
#include "engine/results/output_file.h"

namespace cardan {
namespace {

constexpr size_t kMostPairs = 20;
constexpr double kFarOut = 20;  // of |G|: no part of a Nyquist curve beyond that is drawn
constexpr double kDegree = std::numbers::pi / 180;

double decibel(double gain) { return 20 * std::log10(gain); }

/// A plot, and what is told with it.
struct LoopPlot {
  Plot plot;
  std::string numbers;
};

std::string pairName(const LinearModel& m, size_t output, size_t input) {
  return m.outputs[output].name + " by " + m.inputs[input].name;
}

template <class Do>
void forPairs(const LinearModel& m, const Do& each) {
  for (size_t i = 0; i < m.outputs.size(); ++i) {
    for (size_t j = 0; j < m.inputs.size(); ++j)
      each(i, j, pairName(m, i, j), i * m.inputs.size() + j);
  }
}

std::string marginText(const Margins& margins) {
  std::string text;
  if (margins.bandwidth > 0)
    text += fmt::format("; bandwidth {:.4g} rad/s ({:.4g} Hz)", margins.bandwidth,
                        margins.bandwidth / (2 * std::numbers::pi));
  for (const Margin& m : margins.gain)
    text += fmt::format("; gain margin {:.4g} ({:.3g} dB) at {:.4g} rad/s", m.size, decibel(m.size),
                        m.w);
  for (const Margin& m : margins.phase) {
    text += fmt::format("; phase margin {:.4g} deg at {:.4g} rad/s", m.size / kDegree, m.w);
    if (m.size > 0) text += fmt::format(" (a delay of {:.4g} s)", m.size / m.w);
  }
  return text;
}

/// Of all outputs and inputs, in the order of forPairs.
std::vector<Margins> marginsOf(const LinearModel& m) {
  std::vector<Margins> all;
  forPairs(m, [&](size_t i, size_t j, const std::string&, size_t) {
    all.push_back(Margins::of(m, static_cast<int>(i), static_cast<int>(j)));
  });
  return all;
}

/// Frequencies that show all that the model does, and where its margins are.
std::vector<double> shown(const LinearModel& m, const std::vector<Margins>& margins, int count) {
  std::vector<double> marked;
  for (const Margins& one : margins) {
    marked.push_back(one.bandwidth);
    for (const auto* crossings : {&one.gain, &one.phase}) {
      for (const Margin& c : *crossings) marked.push_back(c.w);
    }
  }
  return frequencies(m, count, marked);
}

LoopPlot bodeOf(const LinearModel& m) {
  LoopPlot view;
  view.plot = {.title = m.name + ", frequency response",
               .xLabel = "angular frequency [rad/s]",
               .xLog = true};
  view.plot.panels = {{.yLabel = "magnitude [dB]"}, {.yLabel = "phase [deg]"}};
  const std::vector<Margins> margins = marginsOf(m);
  const std::vector<double> w = shown(m, margins, 400);
  forPairs(m, [&](size_t i, size_t j, const std::string& name, size_t color) {
    const auto r = FrequencyResponse::of(m, static_cast<int>(i), static_cast<int>(j), w);
    std::vector<double> size, phase;
    for (size_t k = 0; k < r.w.size(); ++k) {
      size.push_back(decibel(std::abs(r.G[k])));
      phase.push_back(r.phase[k] / kDegree);
    }
    const auto x = view.plot.keep(r.w);
    view.plot.panels[0].curves.push_back(
        {.label = name, .x = x, .y = view.plot.keep(std::move(size)), .color = color});
    view.plot.panels[1].curves.push_back(
        {.label = name, .x = x, .y = view.plot.keep(std::move(phase)), .color = color});
    const Margins& own = margins[color];
    view.numbers +=
        name + ": " +
        (std::isfinite(own.rest) ? fmt::format("{:.6g} at rest", own.rest) : "no bound at rest") +
        marginText(own) + "\n";
  });
  return view;
}

LoopPlot nyquistOf(const LinearModel& m) {
  LoopPlot view;
  view.plot = {.title = m.name + ", Nyquist curves", .xLabel = "real part"};
  view.plot.panels = {{.yLabel = "imaginary part"}};
  const std::vector<Margins> margins = marginsOf(m);
  const std::vector<double> w = shown(m, margins, 2000);
  forPairs(m, [&](size_t i, size_t j, const std::string& name, size_t color) {
    const auto r = FrequencyResponse::of(m, static_cast<int>(i), static_cast<int>(j), w);
    for (const double side : {1.0, -1.0}) {
      std::vector<double> x, y;
      for (const auto& g : r.G) {
        const bool isFar = std::abs(g) > kFarOut;
        x.push_back(isFar ? NAN : g.real());
        y.push_back(isFar ? NAN : side * g.imag());
      }
      view.plot.panels[0].curves.push_back({.label = side > 0 ? name : name + ", w < 0",
                                            .x = view.plot.keep(std::move(x)),
                                            .y = view.plot.keep(std::move(y)),
                                            .dashed = side < 0,
                                            .color = color});
    }
    view.numbers += name + marginText(margins[color]) + "\n";
  });
  static constexpr double kCritical[] = {-1}, kZero[] = {0};
  view.plot.panels[0].curves.push_back(
      {.label = "-1", .x = kCritical, .y = kZero, .color = 9, .isMarked = true});
  return view;
}

std::string settlingText(const Settling& s, double end) {
  if (std::isnan(s.settled))
    return fmt::format(": {:.6g} after {:.4g} s, where it does not stay", s.rest, end);
  std::string text = fmt::format(": {:.6g} in the end", s.rest);
  if (std::isfinite(s.rise)) text += fmt::format("; 10 % to 90 % in {:.4g} s", s.rise);
  if (std::isfinite(s.overshoot)) text += fmt::format("; overshoot {:.3g} %", 100 * s.overshoot);
  return text + fmt::format("; within 2 % {}after {:.4g} s",
                            std::isnan(s.overshoot) ? "of its largest " : "", s.settled);
}

LoopPlot stepOf(const LinearModel& m) {
  LoopPlot view;
  view.plot.title = m.name + ", step responses";
  for (const LinearSignal& y : m.outputs)
    view.plot.panels.push_back({.yLabel = y.name + (y.unit.empty() ? "" : " [" + y.unit + "]")});
  for (size_t j = 0; j < m.inputs.size(); ++j) {
    const StepResponse r = StepResponse::of(m, static_cast<int>(j));
    const auto t = view.plot.keep(r.t);
    for (size_t i = 0; i < m.outputs.size(); ++i) {
      view.plot.panels[i].curves.push_back(
          {.label = "1 of " + m.inputs[j].name, .x = t, .y = view.plot.keep(r.y[i]), .color = j});
      view.numbers += pairName(m, i, j) + settlingText(r.settling[i], r.t.back()) + "\n";
    }
  }
  return view;
}

LoopPlot locusOf(const LinearModel& m, double gain) {
  LoopPlot view;
  view.plot = {.title = fmt::format("{}, poles with {} = -k {}, k to {:g}", m.name,
                                    m.inputs[0].name, m.outputs[0].name, gain),
               .xLabel = m.sample > 0 ? "real part" : "real part [1/s]"};
  view.plot.panels = {{.yLabel = m.sample > 0 ? "imaginary part" : "imaginary part [1/s]"}};
  const RootLocus locus = RootLocus::of(m, 0, 0, gain);
  size_t color = 0;
  for (const auto& branch : locus.branches) {
    std::vector<double> re, im;
    for (const auto& z : branch) {
      re.push_back(z.real());
      im.push_back(z.imag());
    }
    const auto x = view.plot.keep(std::move(re)), y = view.plot.keep(std::move(im));
    view.plot.panels[0].curves.push_back(
        {.label = fmt::format("pole {}", color + 1), .x = x, .y = y, .color = color});
    view.plot.panels[0].curves.push_back(
        {.label = "", .x = x.first(1), .y = y.first(1), .color = color, .isMarked = true});
    ++color;
  }
  view.numbers =
      pairName(m, 0, 0) + (locus.startsStable ? ": stable" : ": unstable") + " without feedback";
  bool stable = locus.startsStable;
  for (const double k : locus.turns)
    view.numbers +=
        fmt::format(", {} beyond a gain of {:.6g}", (stable = !stable) ? "stable" : "unstable", k);
  return view;
}

}  // namespace

void LoopViews::add(CLI::App& command) {
  command.add_flag("--bode", bode, "magnitude and phase of outputs over frequency, with margins");
  command.add_flag("--nyquist", nyquist, "the same as curves in the complex plane");
  command.add_flag("--step", step, "outputs after a step of each input");
  addOption(command, "--root-locus", gain, "GAIN",
            "poles with u = -k y of the one input and output, k from 0 to this gain");
  addOption(command, "--picture", picture, "FILE",
            "where these curves go, .svg or .html; default: the terminal");
}

void LoopViews::check() const {
  const int asked = int(bode) + int(nyquist) + int(step) + int(gain.has_value());
  if (asked > 1) refuse("one picture at a time: --bode, --nyquist, --step or --root-locus");
  if (!picture.empty() && asked == 0)
    refuse("--picture: say of what: --bode, --nyquist, --step or --root-locus");
  if (!picture.empty() && !picture.ends_with(".svg") && !picture.ends_with(".html"))
    refuse("--picture: '" + picture + "' ends neither in .svg nor in .html");
  if (gain && !(std::isfinite(*gain) && *gain != 0))
    refuse(fmt::format("--root-locus must be a gain other than 0, found {:g}", *gain));
}

void LoopViews::show(const LinearModel& m) const {
  if (m.inputs.empty() || m.outputs.empty())
    refuse("curves need an input and an output: name them with -u and -y");
  if (m.inputs.size() * m.outputs.size() > kMostPairs)
    refuse(fmt::format("{} inputs and {} outputs are too many for a picture: choose with -u and -y",
                       m.inputs.size(), m.outputs.size()));
  if (gain && m.inputs.size() * m.outputs.size() > 1)
    refuse("--root-locus is of one input and one output: choose with -u and -y");
  const LoopPlot view = bode      ? bodeOf(m)
                        : nyquist ? nyquistOf(m)
                        : step    ? stepOf(m)
                                  : locusOf(m, *gain);
  if (picture.empty()) printOutput(formatBraille(view.plot, terminalWidth()));
  printOutput(view.numbers + (view.numbers.ends_with('\n') ? "" : "\n"));
  if (picture.empty()) return;
  std::string text = formatSvg(view.plot);
  if (picture.ends_with(".html"))
    text = "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Cardan</title>\n<body>\n" +
           text.substr(text.find("<svg")) + "</body>\n";
  writeTextFile(picture, text);
}

}  // namespace cardan
