// The section `fit` of a study file.
#include <fmt/format.h>

#include <algorithm>

#include "engine/expression/constant_evaluation.h"
#include "engine/fit/fit_task.h"
#include "engine/model_file/bounded_parameter.h"
#include "engine/model_file/sections.h"
#include "engine/results/model_task.h"

namespace cardan {
namespace {

class FitReader {
 public:
  FitReader(const YamlNode& root, const std::string& path, Diagnostics& diagnostics)
      : root_(root), path_(path), d_(diagnostics) {}

  FitTask read() {
    readTask(root_, path_, "key of a study with a fit:", {"fit"}, task_, d_);
    const YamlNode* fit = root_.find("fit");
    if (isSectionMap(fit, "fit", "of data and parameters", d_)) readFit(*fit);
    return std::move(task_);
  }

 private:
  std::string beside(const std::string& file) const { return besideFile(path_, file); }

  void readFit(const YamlNode& fit) {
    reportUnknownKeys(fit, "key of fit:",
                      {"data", "signals", "sigma", "weights", "parameters", "loss", "loss_scale",
                       "confidence", "multistart", "seed", "iterations"},
                      d_);
    readSignals(fit, task_.signals);
    const YamlNode* data = fit.find("data");
    if (data && data->isSequence()) {
      for (const YamlNode& item : data->items) {
        const auto file = readText(item, "an entry of 'data'", "the path of a CSV file", d_);
        if (!file) continue;
        task_.addData(beside(*file), item.mark());
        task_.experiments.back().settings = task_.settings;
      }
    } else if (isSectionMap(data, "data", "of experiments and their files", d_)) {
      for (const YamlNode::Entry& e : data->entries) readExperiment(e);
    }
    const YamlNode* parameters = fit.find("parameters");
    if (parameters && parameters->isSequence()) {
      for (const YamlNode& item : parameters->items) {
        if (const auto text = readText(item, "an entry of 'parameters'", "a name", d_))
          task_.addParameter(*text, item.mark(), d_);
      }
    } else if (isSectionMap(parameters, "parameters", "of names and bounds", d_)) {
      for (const YamlNode::Entry& e : parameters->entries) readParameter(e);
    }
    if (const YamlNode* n = fit.find("loss")) {
      const auto loss = n->isScalar() ? lossOf(n->text) : std::nullopt;
      if (loss)
        task_.loss = *loss;
      else
        d_.error(n->mark(), fmt::format("'loss' must be one of {}, found {}",
                                        fmt::join(lossWords(), ", "), n->describe()));
    }
    const auto positive = [&](const char* key, double most, auto& x) {
      const YamlNode* n = fit.find(key);
      const auto value = n ? number(*n, key) : std::nullopt;
      if (!value) return;
      if (*value > 0 && *value <= most)
        x = static_cast<std::decay_t<decltype(x)>>(*value);
      else
        d_.error(n->mark(), fmt::format("'{}' must be greater than 0 and at most {:g}, found {}",
                                        key, most, n->describe()));
    };
    positive("loss_scale", 1e300, task_.lossScale);
    positive("confidence", 0.999999, task_.confidence);
    positive("multistart", 1e6, task_.starts);
    positive("seed", 9007199254740992.0, task_.seed);
    positive("iterations", 1e6, task_.iterations);
  }

  std::optional<double> number(const YamlNode& node, const std::string& key) {
    return readNumber(node, key, d_);
  }

  /// `signals`: names, or columns and variables; `sigma` and `weights`: by variable.
  void readSignals(const YamlNode& map, std::vector<FitSignal>& signals) {
    const YamlNode* list = map.find("signals");
    if (list && list->isMap()) {
      for (const YamlNode::Entry& e : list->entries) {
        if (const auto text = readText(e.value, "a signal", "a variable of the model", d_))
          signals.push_back({.variable = *text, .column = e.key, .at = e.keyMark()});
      }
    } else if (isSectionList(list, "signals", "of variables of the model", d_)) {
      for (const YamlNode& item : list->items) {
        if (const auto text = readText(item, "a signal", "a variable of the model", d_))
          signals.push_back({.variable = *text, .column = *text, .at = item.mark()});
      }
    }
    for (const char* key : {"sigma", "weights"}) {
      const YamlNode* values = map.find(key);
      if (!isSectionMap(values, key, "of signals and numbers", d_)) continue;
      for (const YamlNode::Entry& e : values->entries) {
        const auto x = number(e.value, e.key);
        const auto s = std::ranges::find(signals, e.key, &FitSignal::variable);
        if (s == signals.end()) {
          d_.error(e.keyMark(), "'" + e.key + "' must be one of 'signals' beside it");
        } else if (x && !(*x > 0)) {
          d_.error(e.value.mark(), fmt::format("'{}' of '{}' must be greater than 0, found {}", key,
                                               e.key, e.value.describe()));
        } else if (x && std::string_view(key) == "sigma") {
          s->sigma = *x;
        } else if (x) {
          s->weight = *x;
        }
      }
    }
  }

  void readExperiment(const YamlNode::Entry& entry) {
    FitExperiment e{
        .name = entry.key, .file = "", .at = entry.keyMark(), .settings = task_.settings};
    if (entry.value.isScalar()) {
      e.file = beside(entry.value.text);
    } else if (isSectionMap(&entry.value, entry.key, "of file, set, signals, hold, simulation",
                            d_)) {
      const YamlNode& map = entry.value;
      reportUnknownKeys(map, "key of data:",
                        {"file", "set", "signals", "sigma", "weights", "hold", "simulation"}, d_);
      const YamlNode* file = map.find("file");
      const auto text =
          file ? readText(*file, "'file'", "the path of a CSV file", d_) : std::nullopt;
      if (text) e.file = beside(*text);
      if (!file) d_.error(entry.keyMark(), "'" + entry.key + "' must have a 'file'");
      readOverrides(map.find("set"), e.overrides, d_);
      readSignals(map, e.signals);
      readRunSection(map.find("simulation"), e.settings, d_);
      if (const YamlNode* n = map.find("hold")) e.held = n->isScalar() && n->text == "true";
    }
    task_.experiments.push_back(std::move(e));
  }

  void readParameter(const YamlNode::Entry& entry) {
    const YamlNode& value = entry.value;
    if (!value.isMap()) {
      const std::string text = value.isScalar() ? "=" + value.text : "";
      if (!value.isScalar() && !value.isNull())
        d_.error(value.mark(), "a parameter must have bounds or a map, found " + value.describe());
      task_.addParameter(entry.key + text, entry.keyMark(), d_);
      return;
    }
    reportUnknownKeys(
        value, "key of a parameter:", {"start", "bounds", "scale", "prior", "each", "of"}, d_);
    FitParameter p{.name = entry.key, .at = entry.keyMark()};
    if (const YamlNode* n = value.find("start")) p.start = number(*n, "start");
    if (const YamlNode* n = value.find("scale")) p.scale = number(*n, "scale").value_or(0);
    if (const YamlNode* n = value.find("bounds")) {
      const bool good = n->isScalar() && n->text.find("..") != std::string::npos;
      if (good)
        readBounds(n->text, n->mark(), p.low, p.high, d_);
      else
        d_.error(n->mark(), "'bounds' must be FROM..TO, found " + n->describe());
    }
    if (const YamlNode* n = value.find("each")) p.each = n->isScalar() && n->text == "true";
    if (const YamlNode* n = value.find("of")) {
      if (n->isScalar()) p.of.push_back(n->text);
      for (const YamlNode& item : n->items) p.of.push_back(item.text);
    }
    if (const YamlNode* n = value.find("prior")) readPrior(*n, p);
    task_.parameters.push_back(std::move(p));
  }

  /// `normal(0.5, 0.1)`
  void readPrior(const YamlNode& node, FitParameter& p) {
    const std::string& text = node.text;
    const size_t comma = text.find(',');
    if (!text.starts_with("normal(") || !text.ends_with(')') || comma == std::string::npos) {
      d_.error(node.mark(), "'prior' must be normal(MEAN, DEVIATION), found " + node.describe());
      return;
    }
    const auto mean = readConstant(text.substr(7, comma - 7), node.markInText(7), d_);
    const auto deviation = readConstant(text.substr(comma + 1, text.size() - comma - 2),
                                        node.markInText(comma + 1), d_);
    if (!mean || !deviation) return;
    if (*deviation > 0)
      p.prior = {*mean, *deviation};
    else
      d_.error(node.mark(), "the deviation of a prior must be greater than 0, found " + text);
  }

  const YamlNode& root_;
  const std::string& path_;
  Diagnostics& d_;
  FitTask task_;
};

}  // namespace

FitTask FitTask::read(const YamlNode& root, const std::string& path, Diagnostics& diagnostics) {
  return FitReader(root, path, diagnostics).read();
}

}  // namespace cardan
