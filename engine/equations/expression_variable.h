/// A model expression as a variable: evaluates the variables that it names, then itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/equations/expression_values.h"
#include "engine/expression/bound_expression.h"
#include "engine/model_file/parameter_table.h"
#include "engine/structure/variable_table.h"

namespace cardan {

/// Function of a variable's elements; knows which variables it reads.
class ExpressionVariable final : public VariableFunction {
 public:
  struct Source {
    int variable;    ///< in the table
    int slot;        ///< first slot: of all elements, and from then on of those that are read
    int derivative;  ///< order of its time derivative that is meant; 0: itself
    SignalId rate{
        -1};  ///< of a derivative: the signal that carries the variable, or its derivative
              ///< of the order before, whose rate it is; none where only results read it
  };

  ExpressionVariable(BoundExpression expression, std::vector<Source> sources,
                     const VariableTable& table, std::string text);

  void evaluate(const View<double>& x, double* out) const override {
    evaluateIn(newPass(x), x, out);
  }
  void evaluate(const View<Dual>& x, Dual* out) const override { evaluateIn(newPass(x), x, out); }
  /// The same as one of several of a pass (ExpressionValues), which share what they have in common:
  /// all at one point.
  template <class S>
  void evaluateIn(std::uint64_t pass, const View<S>& x, S* out) const;

  const BoundExpression& expression() const { return expression_; }
  const std::vector<Source>& sources() const { return sources_; }
  const std::string& text() const { return text_; }
  /// Place of its first character in the file.
  const SourceMark& at() const { return expression_.at(); }
  /// Highest level of what it reads; a derivative has that of the next higher one at least.
  Level level() const { return level_; }
  /// A derivative in an equation is the rate of a signal that carries the variable: the signals
  /// that `signalOf(variable, order of the derivative)` gives, here and in what this expression
  /// reads.
  void readRates(const std::function<SignalId(int, int)>& signalOf);

  /// This expression, or one that it reads, takes a derivative that no signal carries.
  bool takesDerivatives() const;
  /// A derivative for results that this expression takes, or one that it reads, of what is above
  /// `most` or contains such a derivative itself; null: there is none.
  struct Differentiated {
    const ExpressionVariable* in;
    int variable;  ///< in the table
  };
  std::optional<Differentiated> derivativeBeyond(Level most) const;

  /// The motion feels the jumps of this, and its kinks if `kinks`: they are relations.
  void watchBends(bool kinks) { expression_.watchBends(kinks); }

  /// It compares what jumps, here or in what it reads, where nothing watches yet: the comparison would not be
  /// seen to change.
  bool comparesJumps() const;
  /// Of a Boolean: the text of a comparison that decides it, here or in a Boolean that it reads, and changes
  /// without an event; "": there is none. `isDiscrete(variable)`: it changes at events alone.
  std::string unseenComparison(const std::function<bool(int)>& isDiscrete) const;

  /// Place of its relations among those of the model (RunState::relations); -1: they switch
  /// nothing, and compare for themselves always.
  int firstRelation() const { return firstRelation_; }
  void setFirstRelation(int first) { firstRelation_ = first; }
  /// left - right of all relations, at a point; or as one of several of a pass.
  void relationResiduals(const View<double>& x, double* residuals) const {
    relationResidualsIn(newPass(x), x, residuals);
  }
  void relationResidualsIn(std::uint64_t pass, const View<double>& x, double* residuals) const;
  void relationStates(const View<double>& x, RelationState* states) const {
    relationStatesIn(newPass(x), x, states);
  }
  void relationStatesIn(std::uint64_t pass, const View<double>& x, RelationState* states) const;
  /// Relation k depends on time alone.
  bool relationIsOfTime(int k) const;
  /// Relation k depends on one of these variables of the table.
  bool relationReads(int k, const std::vector<int>& variables) const;
  /// Relation k reads time in the branches that hold: until one of these changes it cannot, where
  /// this is false. Pre: it is of time.
  bool relationFollowsTime(int k, const View<double>& x) const;
  /// Operations of an evaluation, those of what it reads among them.
  long operations() const;
  /// Time itself has a part in the value, directly or through a source of time alone.
  bool readsTime() const { return readsTime_; }
  /// What went wrong where the value is not finite ("division by zero in '1/x'"), here or in an
  /// expression that this one reads.
  std::optional<BoundExpression::Fault> fault(const View<double>& x) const;
  /// It may hang on a comparison of what is no number, here or in what it reads.
  bool mayBeUndecided() const { return mayBeUndecided_; }
  /// That it does, and why, as one of several of a pass; with the place of the comparison.
  std::optional<BoundExpression::Fault> undecided(std::uint64_t pass, const View<double>& x) const;
  /// Index of the source that a slot belongs to.
  size_t sourceOf(int slot) const;
  /// The element of its source.
  int elementOf(int slot) const;

 private:
  template <class S>
  static std::uint64_t newPass(const View<S>& x) {
    return x.tables().expressions->newPass();
  }
  bool isOfTime(size_t i) const;
  bool readsAnyOf(const std::vector<int>& variables, size_t i) const;
  template <class F>
  bool anySourceOf(int relation, F isOne) const;
  std::vector<const ExpressionVariable*> reached() const;
  template <class S>
  using Values = typename ExpressionValues<S>::One;
  template <class S>
  Values<S>& values(const View<S>& x) const;
  template <class S>
  const RelationState* frozen(const View<S>& x) const;
  template <class S>
  void update(std::uint64_t pass, const View<S>& x, Values<S>& own) const;
  template <class S>
  void updateInner(std::uint64_t pass, const View<S>& x) const;
  template <class S>
  const std::vector<S>& arrayOf(std::uint64_t pass, const View<S>& x, int variable) const;
  template <class S>
  void fill(std::uint64_t pass, const View<S>& x, S* slots) const;

  BoundExpression expression_;
  std::vector<Source> sources_;
  std::vector<ExpressionVariable*> inner_;  ///< per source: the expression that it is, or null
  std::vector<std::vector<int>> read_;      ///< per source: the elements that are read
  const VariableTable& table_;
  std::string text_;
  Level level_ = Level::Constant;
  bool ofTime_ = true;  ///< all that is read depends on time alone
  bool readsTime_ = false;
  bool hasInner_ = false;
  bool mayBeNoNumber_ = false, mayBeUndecided_ = false;
  std::vector<const ExpressionVariable*>
      undecidable_;  ///< of those that it reads, as they are counted
  int firstRelation_ = -1;
  size_t number_;  ///< among all expressions of the model
  size_t slots_ = 0;
};

/// f(v) once for each of these variables and for all that they read, however far away.
template <class F>
void forEachRead(const VariableTable& table, const std::vector<int>& variables, F f) {
  std::vector<int> open;
  std::set<int> seen;
  for (const int v : variables) {
    if (seen.insert(v).second) open.push_back(v);
  }
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    f(next);
    const ExpressionVariable* e = table[next].expression;
    if (!e) continue;
    for (const ExpressionVariable::Source& s : e->sources()) {
      if (seen.insert(s.variable).second) open.push_back(s.variable);
    }
  }
}

}  // namespace cardan
