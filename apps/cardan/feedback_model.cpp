#include "apps/cardan/feedback_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "apps/cardan/console.h"
#include "apps/cardan/extending_model.h"
#include "engine/control/held_inputs.h"
#include "frames/quaternions.h"

namespace cardan {
namespace {

constexpr double kNoGain = 1e-13;  // of an input's largest, in the states' sizes

/// A state as the controller reads it, and where it stands at the point.
struct Term {
  std::string variable;
  double at = 0;
  Eigen::VectorXd gains;  ///< per input
};

/// "trunk" of "trunk.Q[2]", and 2; "" where it is another name.
std::pair<std::string, int> orientationOf(const std::string& name) {
  const size_t n = name.size();
  if (n < 6 || name.compare(n - 5, 3, ".Q[") != 0 || name[n - 1] != ']') return {"", 0};
  return {name.substr(0, n - 5), name[n - 2] - '0'};
}

class FeedbackWriter {
 public:
  FeedbackWriter(const ModelSource& source, const LinearModel& model,
                 const LinearFeedback& feedback, const LinearFeedback* observer, double sample,
                 const std::function<double(const std::string&)>& valueOf)
      : source_(source), model_(model), feedback_(feedback), sample_(sample), valueOf_(valueOf) {
    observer != nullptr ? addObserver(*observer) : findTerms();
    for (size_t j = 0; j < model.inputs.size(); ++j) bind(j);
  }

  std::string text(const std::string& path, const Overrides& overrides) const {
    std::string text =
        fmt::format("# {}, held at a point by the linear feedback u = u_0 - K (x - x_0){}.\n",
                    source_.name,
                    (observer_.empty() ? "" : ", x - x_0 from its outputs") +
                        (sample_ > 0 ? fmt::format(", sampled every {} s", sample_) : "")) +
        extendingModel(source_.file, path, overrides) + submodels_;
    if (!inputs_.empty()) text += "inputs:\n";
    for (const std::string& name : inputs_) text += fmt::format("  {}: null\n", name);
    if (!variables_.empty()) text += "variables:\n" + variables_;
    if (!components_.empty()) text += "components:\n" + components_;
    return text;
  }

 private:
  /// The three numbers of a quaternion that are states become a rotation from where it is at the point:
  /// dQ = dQ/dphi phi.
  void findTerms() {
    std::map<std::string, Eigen::MatrixXd> orientations;
    for (Eigen::Index i = 0; i < feedback_.K.cols(); ++i) {
      const LinearSignal& x = model_.states[static_cast<size_t>(i)];
      const auto [of, k] = orientationOf(x.name);
      if (of.empty()) {
        terms_.push_back({x.name, x.value, feedback_.K.col(i)});
        continue;
      }
      Eigen::MatrixXd& gains =
          orientations.try_emplace(of, Eigen::MatrixXd::Zero(feedback_.K.rows(), 3)).first->second;
      for (int j = 0; j < 3; ++j) {
        Eigen::Vector4d small = Eigen::Vector4d::Zero();
        small[j] = 0.5;
        gains.col(j) +=
            feedback_.K.col(i) * frames::Quaternions::absoluteRotation(pointOf(of), small)[k - 1];
      }
    }
    for (const auto& [of, gains] : orientations) addOrientation(of, gains);
  }

  Eigen::Vector4d pointOf(const std::string& of) const {
    Eigen::Vector4d Q;
    for (int k = 0; k < 4; ++k) Q[k] = valueOf_(fmt::format("{}.Q[{}]", of, k + 1));
    return Q;
  }

  /// 2 Q_4 Q_123 is sin(angle) along the axis, whatever the sign of Q.
  void addOrientation(const std::string& of, const Eigen::MatrixXd& gains) {
    const Eigen::Vector4d Q = pointOf(of);
    std::string own = "turned_";
    for (const char c : of) own += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    variables_ += fmt::format(
        "  {0}_Q: \"Frames.Quaternions.relativeRotation({{{2}, {3}, {4}, {5}}}, {1}.Q)\"\n"
        "  {0}: \"2*{0}_Q[4]*{{{0}_Q[1], {0}_Q[2], {0}_Q[3]}}\"\n",
        own, of, Q[0], Q[1], Q[2], Q[3]);
    for (int j = 0; j < 3; ++j)
      terms_.push_back({fmt::format("{}[{}]", own, j + 1), 0, gains.col(j)});
  }

  /// x = x_0 + what the observer's own states say.
  void addObserver(const LinearFeedback& observer) {
    observer_ = freeName("observer");
    const std::string seen = freeName("observed");
    std::string type = "Observer", names, y_0, u_0;
    while (std::ranges::find(source_.submodels, type) != source_.submodels.end()) type += "_";
    for (const LinearSignal& y : model_.outputs) {
      names += (names.empty() ? "" : ", ") + y.name;
      y_0 += fmt::format("{}{}", y_0.empty() ? "" : ", ", y.value);
    }
    for (const LinearSignal& u : model_.inputs)
      u_0 += fmt::format("{}{}", u_0.empty() ? "" : ", ", u.value);
    std::string states;
    for (const LinearSignal& x : model_.states) states += (states.empty() ? "" : ", ") + x.name;
    submodels_ = fmt::format("submodels:\n  {}:  # of {}\n    parameters:\n", type, states);
    const LinearModel m = sample_ > 0 ? sampled(model_, sample_) : model_;
    const std::pair<const char*, Eigen::MatrixXd> matrices[] = {
        {"A", m.A}, {"B", m.B},         {"C", m.C},
        {"D", m.D}, {"K", feedback_.K}, {"L", observer.K.transpose()}};
    for (const auto& [name, matrix] : matrices)
      submodels_ += fmt::format("      {}: {}\n", name, matrixText(matrix));
    submodels_ += fmt::format("      y_0: [{}]\n      u_0: [{}]\n", y_0, u_0);
    if (sample_ > 0) {
      submodels_ += fmt::format(
          "    components:\n      feedback:\n        type: Blocks.Discrete.StateSpace\n"
          "        samplePeriod: {}\n        A: \"A - B*K - L*(C - D*K)\"\n        B: L\n"
          "        C: \"-K\"\n        u: \"{} - y_0\"\n"
          "    variables:\n      u: \"u_0 + feedback.y\"\n",
          sample_, seen);
    } else {
      submodels_ += fmt::format(
          "    variables:\n      x: {{start: [{}], fixed: true}}\n      u: \"u_0 - K*x\"\n"
          "    equations:\n"
          "      - \"der(x) = A*x + B*(u - u_0) + L*({} - y_0 - C*x - D*(u - u_0))\"\n",
          fmt::join(std::vector<int>(model_.states.size(), 0), ", "), seen);
    }
    variables_ += fmt::format("  {}: \"{{{}}}\"\n", seen, names);
    components_ += fmt::format("  {}: {{type: {}}}\n", observer_, type);
  }

  static std::string matrixText(const Eigen::MatrixXd& M) {
    std::string text;
    for (const auto& row : M.rowwise())
      text += fmt::format("{}[{}]", text.empty() ? "" : ", ", fmt::join(row, ", "));
    return "[" + text + "]";
  }

  std::string law(size_t input) const {
    if (!observer_.empty()) return fmt::format("{}.u[{}]", observer_, input + 1);
    const auto row = static_cast<Eigen::Index>(input);
    std::string text;
    double most = 0;
    for (Eigen::Index i = 0; i < feedback_.K.cols(); ++i)
      most = std::max(most, std::abs(feedback_.K(row, i) * model_.sizes[i]));
    const double least = kNoGain * most;
    if (model_.inputs[input].value != 0) text = fmt::format("{}", model_.inputs[input].value);
    for (const Term& t : terms_) {
      const double k = t.gains[row];
      if (!(std::abs(k) > least)) continue;
      text += text.empty() ? (k > 0 ? "-" : "") : k > 0 ? " - " : " + ";
      text += fmt::format("{}*", std::abs(k));
      text += t.at == 0  ? t.variable
              : t.at > 0 ? fmt::format("({} - {})", t.variable, t.at)
                         : fmt::format("({} + {})", t.variable, -t.at);
    }
    return text.empty() ? "0" : text;
  }

  /// What the input becomes: the law, or a block that holds it.
  std::string held(size_t input) {
    if (!(sample_ > 0) || !observer_.empty()) return law(input);
    const std::string name = freeName(fmt::format("held_{}", input + 1));
    components_ +=
        fmt::format("  {}: {{type: Blocks.ZeroOrderHold, samplePeriod: {}, u: \"{}\"}}\n", name,
                    sample_, law(input));
    return name + ".y";
  }

  std::string freeName(std::string name) const {
    while (isTaken(name)) name += "_";
    return name;
  }

  bool isTaken(const std::string& name) const {
    return std::ranges::any_of(source_.components,
                               [&](const ComponentDescription& c) { return c.name == name; }) ||
           std::ranges::any_of(source_.variables,
                               [&](const VariableDescription& v) { return v.name == name; }) ||
           std::ranges::any_of(source_.parameters,
                               [&](const ModelParameter& p) { return p.name == name; });
  }

  void bind(size_t j) {
    const std::string& name = model_.inputs[j].name;
    const std::string base = name.substr(0, name.find('['));
    if (std::ranges::find(source_.inputs, base, &InputDescription::name) != source_.inputs.end())
      return bindInput(j, base);
    const size_t dot = name.find('.');
    const std::string of = name.substr(0, dot);
    const bool isPlain = dot != std::string::npos && name.find('[') == std::string::npos &&
                         name.find('.', dot + 1) == std::string::npos &&
                         std::ranges::find(source_.components, of, &ComponentDescription::name) !=
                             source_.components.end();
    if (!isPlain)
      refuse("'" + name +
             "' is an element of a vector, or inside of a submodel or an array, where a model "
             "that extends this one cannot reach it: make it one of the model's 'inputs', and name "
             "that with -u");
    const std::string value = held(j);
    components_ += fmt::format("  {}: {{{}: \"{}\"}}\n", of, name.substr(dot + 1), value);
  }

  /// A vector becomes one variable; elements that nothing holds stay as they are.
  void bindInput(size_t j, const std::string& base) {
    if (std::ranges::find(inputs_, base) != inputs_.end()) return;
    inputs_.push_back(base);
    if (model_.inputs[j].name == base) {
      variables_ += fmt::format("  {}: \"{}\"\n", base, held(j));
      return;
    }
    std::string list;
    for (int k = 1;; ++k) {
      const std::string element = fmt::format("{}[{}]", base, k);
      const auto found = std::ranges::find(model_.inputs, element, &LinearSignal::name);
      const double stays = found == model_.inputs.end() ? valueOf_(element) : 0;
      if (std::isnan(stays)) break;
      list += (k > 1 ? ", " : "") +
              (found == model_.inputs.end()
                   ? fmt::format("{}", stays)
                   : "\"" + held(static_cast<size_t>(found - model_.inputs.begin())) + "\"");
    }
    variables_ += fmt::format("  {}: [{}]\n", base, list);
  }

  const ModelSource& source_;
  const LinearModel& model_;
  const LinearFeedback& feedback_;
  double sample_;
  const std::function<double(const std::string&)>& valueOf_;
  std::vector<Term> terms_;
  std::vector<std::string> inputs_;
  std::string observer_, submodels_, variables_, components_;
};

}  // namespace

std::string feedbackModel(const ModelSource& source, const std::string& path,
                          const Overrides& overrides, const LinearModel& model,
                          const LinearFeedback& feedback, const LinearFeedback* observer,
                          double sample,
                          const std::function<double(const std::string& name)>& valueOf) {
  return FeedbackWriter(source, model, feedback, observer, sample, valueOf).text(path, overrides);
}

}  // namespace cardan
