/// VariableTable: the variables of a model by name, with how to evaluate them, as far as somebody
/// has asked for them; start values and initial conditions.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "components/variables.h"
#include "engine/structure/flat_model.h"

namespace cardan {

class ExpressionVariable;
class HeldValues;

/// Of an array of this size.
inline int elementCount(const std::vector<int>& dimensions) {
  return std::accumulate(dimensions.begin(), dimensions.end(), 1, std::multiplies<>());
}

/// One element of a variable.
struct VariableElement {
  int variable = -1;
  int element = 0;
};

/// A model has far more variables than anybody asks for. All components are asked for their start
/// values at once; the variables of one are put in when a name leads to it, and stay. Whatever is
/// found is the same as if all had been put in; runs of one model may ask at the same time.
class VariableTable {
 public:
  /// Instances that are none: the model itself, a parameter of the model.
  static constexpr int kModel = -1, kParameter = -2;

  struct Variable {
    std::string name;  ///< full name, without the indices of its elements ("body.r_0")
    VariableInfo info;
    std::vector<int> dimensions;  ///< {} scalar, {3} vector, {3, 3} matrix
    int size = 1;
    std::unique_ptr<VariableFunction> function;
    int instance = kModel;
    ExpressionVariable* expression = nullptr;  ///< `function`, where that is an expression
    std::uint64_t place = 0;                   ///< in the order of the model
    bool isUnknown = false;                    ///< an unknown, or the coordinate of a joint
  };
  /// `phi: {start:, fixed:}` of one element.
  struct Start {
    VariableElement of;
    double start = 0;
    bool fixed = false;
    bool given = false;
    StateSelect select = StateSelect::defaultSelect;
    std::optional<Level> level{};  ///< of an expression, which its variable does not tell
    SourceMark at{};               ///< of one that no component has
  };
  struct Initial {
    InitialInfo info;
    int size = 0;
    int instance = -1;
    std::unique_ptr<VariableFunction> function;
  };

  /// What a component adds to the model's energy and momentum (Variables::mechanics).
  struct Mechanics {
    int instance = -1;
    std::unique_ptr<VariableFunction> function;
  };

  /// Numbers that variables keep from step to step (Variables::memory), one after another.
  struct Memory {
    int offset = 0;
    std::unique_ptr<VariableFunction> next;  ///< after an accepted step, from those before it
  };

  /// Asks all components of the flat model, which stays where it is, for their start values.
  VariableTable(const FlatModel& flatModel, Diagnostics& diagnostics);
  ~VariableTable();
  VariableTable(const VariableTable&) = delete;

  /// Adds one more (model variables, signals); returns its index.
  int add(std::string name, VariableInfo info, std::vector<int> dimensions,
          std::unique_ptr<VariableFunction> function, int instance = kModel,
          ExpressionVariable* expression = nullptr);

  /// Numbers that change at events alone: pre() and sample() in expressions make them; null: a model
  /// without own equations has none.
  void keepHeld(HeldValues* held) { held_ = held; }
  HeldValues* held() const { return held_; }

  /// A start value of one of the model's own variables.
  void addStart(Start start) { starts_.push_back(start); }

  /// Variable by its name without indices.
  std::optional<int> find(std::string_view name) const;
  /// Elements that "body.r_0[1]" or "body.r_0" (all three) name; empty if there are none.
  std::vector<VariableElement> elements(std::string_view name) const;
  /// The same of a name that start values refer to, or that was asked for: no component is asked.
  std::vector<VariableElement> knownElements(std::string_view name) const;
  /// Name of an element with its indices ("body.r_0[1]").
  std::string nameOf(VariableElement e) const;
  /// Elements with a name of their own that matches a glob, in the order of the model; then those
  /// with another one (an alias).
  std::vector<VariableElement> matching(std::string_view glob) const;

  const Variable& operator[](int i) const {
    const auto [block, at] = blockOf(i);
    return blocks_[block][at];
  }
  /// How many there are so far: the model's own, and those of parts that somebody asked for.
  int size() const { return size_; }
  /// All variables in the order of the model: instance by instance, then the connectors', then the
  /// model's own.
  std::vector<int> all() const;
  /// The signal outputs of components and the model's own, in this order.
  std::vector<int> results() const;
  const std::vector<Start>& starts() const { return starts_; }
  const std::vector<Initial>& initials() const { return initials_; }
  const std::vector<Mechanics>& mechanics() const { return mechanics_; }
  /// Inputs that these depend on directly.
  const std::vector<SignalId>& mechanicsRead() const { return mechanicsRead_; }
  const std::vector<Memory>& memories() const { return memories_; }
  /// All memories at the start of a run.
  const std::vector<double>& memoryStart() const { return memoryStart_; }
  /// All names, for 'did you mean'.
  std::vector<std::string> names() const;
  /// The number of one more expression of the model, while it is loaded.
  size_t countExpression() const { return expressions_++; }

 private:
  class Description;
  struct Contents;

  /// Blocks of doubling size: what is there stays where it is.
  static constexpr int kFirstBlock = 6;  ///< log2 of its size
  static std::pair<size_t, size_t> blockOf(int i) {
    const auto from = static_cast<unsigned>(i) + (1U << kFirstBlock);
    const int top = std::bit_width(from) - 1;
    return {top - kFirstBlock, from - (1U << top)};
  }

  void survey(int instance);
  void resolveStarts(Diagnostics& diagnostics);
  // Of the rest, whoever calls has locked asking_.
  void describe(int instance) const;
  void describeAll() const;
  void describeOwners(std::string_view name) const;
  void describeMatching(std::string_view glob) const;
  void putDescribed(int instance, const std::vector<std::string>* wanted) const;
  void putCoordinates(int instance, const std::vector<std::string>* wanted) const;
  void putUnknowns(int instance, const std::vector<std::string>* wanted) const;
  void putConnectors(int instance) const;
  void putFrame(int index) const;
  void putFlange(int index) const;
  void putInput(int index) const;
  int put(Variable variable) const;
  std::optional<int> findKnown(std::string_view name) const;
  std::optional<int> findAsking(std::string_view name) const;
  std::vector<VariableElement> elementsOf(std::string_view name, bool ask) const;
  template <class Wanted>
  std::vector<int> inOrder(Wanted wanted) const;
  bool hasName(const std::string& name, bool all) const;
  std::string full(int instance, std::string_view name) const;

  const FlatModel& flatModel_;
  std::unordered_map<std::string_view, int> instances_;  ///< by name
  std::unique_ptr<Contents> contents_;
  std::unique_ptr<Description> description_;
  std::vector<int> firstMemory_;  ///< per instance
  std::vector<bool> hasOutputs_;  ///< per instance
  std::vector<Start> starts_;
  std::vector<Initial> initials_;
  std::vector<Mechanics> mechanics_;
  std::vector<SignalId> mechanicsRead_;
  std::vector<Memory> memories_;
  std::vector<double> memoryStart_;
  HeldValues* held_ = nullptr;
  int own_ = 0;  ///< the model's own, so far
  mutable std::atomic<size_t> expressions_ = 0;

  // What asking puts in
  mutable std::mutex asking_;
  mutable std::array<std::unique_ptr<Variable[]>, 26> blocks_;
  mutable std::atomic<int> size_ = 0;
  mutable std::unordered_map<std::string_view, int> byName_;
  mutable std::map<std::string, std::string, std::less<>> aliases_;
  mutable std::vector<bool> isDescribed_;            ///< per instance: all of it is there
  mutable std::vector<bool> isKnown_;                ///< per instance: something of it is
  mutable std::unordered_set<std::uint64_t> early_;  ///< places of what came before its instance
};

}  // namespace cardan
