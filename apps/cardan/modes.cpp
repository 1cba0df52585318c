// cardan modes: eigenvalues, frequencies and damping of a model near a point.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "apps/cardan/analysis_options.h"
#include "apps/cardan/campbell.h"
#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/picture_files.h"
#include "apps/cardan/run_options.h"
#include "engine/analysis/mode_film.h"
#include "engine/analysis/modes.h"
#include "engine/control/linear_feedback.h"
#include "engine/model_file/model_source.h"
#include "engine/motion_point.h"
#include "engine/results/run_settings.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr const char* kModesFooter =
    R"(A line for each eigenvalue, pairs as one, by rising magnitude: value, frequency, damping ratio, time
in which it grows or falls to e or 1/e, and the coordinates that take part, by their share. Eigenvalues
of zero, of free movements, are counted apart. A mode with '!' is nearly multiple: its value is known
with less digits, its shape hardly.

With --vary each oscillating mode is followed over values of a parameter, by its eigenvalue and its shape,
also where frequencies cross: a Campbell diagram (.svg), or a table of frequencies [Hz] and damping ratios
(.csv) with a line a value. Velocities that a start value gives are those of a steady motion.

With -u or -y a second table says how far each input reaches each mode, and each output shows it, in parts
of the mode that it reaches or shows best.

Examples:
  cardan modes chain.yaml
  cardan modes bicycle.yaml --at 1 --set v=6
  cardan modes bridge.yaml --at-equilibrium --animate bridge.html
  cardan modes rotor.yaml --vary speed=0:10:1000 --excitation 1 -o campbell.svg

Exit codes: 0 done, 1 the point cannot be reached or linearised, 2 the model or the command line is
wrong.)";

constexpr double kIllConditioned = 1e6;
constexpr size_t kMostShown = 4;
constexpr size_t kMostFilmed = 40;

struct ModesOptions {
  AnalysisOptions where;
  size_t most = 100;
  PictureChoice picture;  ///< of the modes; no output: none
  CampbellOptions campbell;
  std::vector<std::string> inputs, outputs;
};

std::string eigenvalueText(const EigenMode& m) {
  if (!m.isPair()) return fmt::format("{:.8g}", m.eigenvalue.real());
  const double re = m.timeConstant() < HUGE_VAL ? m.eigenvalue.real() : 0;
  return fmt::format("{:.8g} +- {:.8g} i", re, m.eigenvalue.imag());
}

std::string sharesText(const EigenMode& m) {
  std::vector<std::string> parts;
  for (const auto& [name, share] : m.participation) {
    if (share >= 0.01) parts.push_back(fmt::format("{} {:.0f} %", name, 100 * share));
  }
  return joinMost(parts, kMostShown);
}

std::string modesTable(const LinearModel& linear, const ModalAnalysis& a, size_t most) {
  std::string text = fmt::format("{} at time = {:.6g} s: {}, {} states\n", linear.name, linear.time,
                                 word(linear.kind), linear.states.size());
  if (!a.modes.empty()) {
    text += fmt::format("{:>5}  {:<30} {:>13} {:>10} {:>13}  {}\n", "mode", "eigenvalue [1/s]",
                        "frequency [Hz]", "damping", "time [s]", "coordinates");
  }
  for (size_t i = 0; i < std::min(most, a.modes.size()); ++i) {
    const EigenMode& m = a.modes[i];
    const double tau = m.timeConstant();
    text +=
        fmt::format("{:>5}{} {:<30} {:>13} {:>10} {:>13}  {}\n", i + 1,
                    m.condition > kIllConditioned ? "!" : " ", eigenvalueText(m),
                    m.isPair() ? fmt::format("{:.6g}", m.frequency()) : "-",
                    m.isPair() ? fmt::format("{:.4g}", tau < HUGE_VAL ? m.dampingRatio() : 0) : "-",
                    tau < HUGE_VAL ? fmt::format("{:.5g}", tau) : "-", sharesText(m));
  }
  text += moreLines(a.modes.size(), most);
  if (a.zeros > 0) {
    text += fmt::format("{} eigenvalue{} of zero, of free movements: {}\n", a.zeros,
                        a.zeros == 1 ? "" : "s", joinMost(a.freeMovements, 8));
  }
  if (linear.kind == LinearModel::Kind::equilibrium || linear.kind == LinearModel::Kind::steady) {
    text += a.unstable > 0 ? fmt::format("unstable: {} eigenvalue{} with a positive real part\n",
                                         a.unstable, a.unstable == 1 ? "" : "s")
                           : "no eigenvalue has a positive real part\n";
  }
  return text;
}

/// A line a mode, a column an input or output.
std::string reachTable(const LinearModel& linear, size_t most) {
  constexpr double kNothing = 1e-9;
  const std::vector<ModeReach> modes = modesReached(linear);
  std::string text = fmt::format("{:<44}", "reached by an input, shown in an output");
  size_t width = 12;
  for (const auto* signals : {&linear.inputs, &linear.outputs}) {
    for (const LinearSignal& s : *signals) width = std::max(width, s.name.size() + 1);
  }
  for (const auto* signals : {&linear.inputs, &linear.outputs}) {
    for (const LinearSignal& s : *signals) text += fmt::format("{:>{}}", s.name, width);
  }
  text += "\n";
  for (size_t i = 0; i < std::min(most, modes.size()); ++i) {
    text += fmt::format("{:<44}", modes[i].name);
    for (const auto* parts : {&modes[i].inputs, &modes[i].outputs}) {
      for (const double part : *parts)
        text += part < kNothing ? fmt::format("{:>{}}", "-", width)
                                : fmt::format("{:>{}.3g}", part, width);
    }
    text += "\n";
  }
  return text + moreLines(modes.size(), most);
}

/// The page of the first modes.
void film(PictureChoice picture, const AnalysisOptions::Place& place, const LinearModel& linear,
          const ModalAnalysis& a, size_t most, bool quiet) {
  const size_t filmed = std::min({most, kMostFilmed, a.modes.size()});
  if (filmed == 0) throw AnalysisError("there is no mode to show");
  RunSettings settings;
  settings.start = 0;
  settings.stop = filmLength(filmed);
  picture.fps = 2 * kFilmRate;  // keeps every picture
  const auto recorder = picture.recorder(place.simulation, settings);
  for (const FilmedMode& m : filmModes(place.simulation, place.point, linear, a, filmed, *recorder))
    picture.chapters.push_back({m.name, m.from, m.to});
  picture.write(*recorder, quiet);
  if (quiet) return;
  printMessages(fmt::format("{}: {} of {} modes, {} shapes, in {}", place.simulation.source().name,
                            filmed, a.modes.size(), recorder->items().size(), picture.output));
}

void checkPicture(PictureChoice& picture, const ModelSource& source) {
  if (!picture.output.ends_with(".html"))
    refuse("modes are shown in a .html file, found '" + picture.output + "'");
  picture.check();
  protectFiles({{picture.output, "the picture"}}, sourcesOf(source));
}

int modes(ModesOptions o) {
  if (!o.campbell.vary.empty()) return drawCampbell(o.campbell, o.where);
  const AnalysisOptions::Place place = o.where.go();
  if (!o.picture.output.empty()) checkPicture(o.picture, place.simulation.source());

  LinearModel linear = AnalysisOptions::linearAt(place, o.inputs, o.outputs);
  const ModalAnalysis a = findModes(linear);
  printOutput(modesTable(linear, a, o.most));
  if (o.outputs.empty()) {
    linear.outputs.clear();
    linear.C.resize(0, linear.A.cols());
  }
  if (!o.inputs.empty() || !o.outputs.empty()) printOutput("\n" + reachTable(linear, o.most));
  o.where.printNotes(linear);
  if (!o.picture.output.empty()) film(o.picture, place, linear, a, o.most, o.where.quiet);
  return kDone;
}

}  // namespace

CommandRun addModes(CLI::App& app) {
  auto o = std::make_shared<ModesOptions>();
  o->where.add(app);
  addOption(app, "--most", o->most, "N", "lines of the table (default: 100)");
  addRepeatable(app, "-u,--input", o->inputs, "NAME",
                "input that may reach the modes (repeatable)");
  addPatterns(app, "-y,--output", o->outputs,
              "names or patterns of outputs that may show them (repeatable, or separated by ;)");
  CLI::Option* const film =
      addOption(app, "--animate", o->picture.output, "FILE",
                "show the modes on a page (.html), each as a slow motion about the point");
  o->campbell.add(app);
  app.get_option("--vary")->excludes(film);
  app.footer(kModesFooter);
  return [o] { return modes(*o); };
}

}  // namespace cardan
