/// HeldValues: numbers of a model that change at events alone: its discrete variables, values before
/// an event, whether sample() holds.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/structure/variable_table.h"

namespace cardan {

class ExpressionVariable;

/// Where everything stands in RunState::held, and which variable of the table shows it.
class HeldValues {
 public:
  explicit HeldValues(VariableTable& table) : table_(table) {}

  /// A variable that `when` sets.
  struct Discrete {
    int variable;  ///< in the table
    int offset;
    int size;
  };
  /// pre(of): the value before the event; of what changes at events alone the one at which nothing
  /// more became true.
  struct Before {
    int of;  ///< in the table; -1: not there yet
    std::string name;
    int variable;
    int offset;
    int size;
    bool discrete;
  };
  /// True at the events start, start + interval, ...; behind the flag how many there were.
  struct Sample {
    int variable;
    int offset;
    double start, interval;  ///< [s]
  };

  void addDiscrete(const std::string& name, VariableInfo info, std::vector<int> dimensions,
                   const std::vector<double>& start);
  /// What pre() of this variable, scalar or array, is before the first event; not said: 0.
  void beginAt(const std::string& name, const std::vector<double>& start);
  /// Where an element of this variable, or of the one that it is pre() of, begins: its place, and that of
  /// pre() of it. None: it is not held.
  std::vector<int> placesOf(int variable, int element) const;
  /// Only what is held there says what the variable is at the start, no equation.
  bool isFree(int variable) const;
  /// All but the starts of the file: by initial equations.
  void beginAt(int place, double start) { start_[place] = start; }
  /// A variable that equations define, and that changes at events alone because its type says so.
  void addDiscreteType(int variable) { held_.insert(variable); }
  /// The variable "pre(...)" of a variable of the table.
  int before(int variable);
  /// The same of one that is not in the table yet.
  int before(const std::string& name, bool isBoolean);
  int sample(double start, double interval);
  int initial() { return flag(initial_, "initial()"); }
  int terminal() { return flag(terminal_, "terminal()"); }
  /// Room for a number that no variable shows.
  int slot() { return reserve({0.0}); }

  /// Some expression has asked for pre() of this variable.
  bool hasBefore(const std::string& name) const;
  /// The variable shows what is set at events: a discrete one, pre(), sample(), initial(), terminal().
  bool holds(int variable) const { return held_.contains(variable); }
  /// The variable, or what an expression gives, changes at events alone.
  bool isDiscrete(int variable) const;
  bool isDiscrete(const ExpressionVariable& expression) const;
  const Discrete* discrete(const std::string& name) const;
  const std::map<std::string, Discrete>& discretes() const { return discretes_; }

  /// To be called when all variables are in the table.
  void resolve();

  const std::vector<Before>& befores() const { return befores_; }
  const std::vector<Sample>& samples() const { return samples_; }
  int initialFlag() const { return initial_.second; }    ///< offset, or -1
  int terminalFlag() const { return terminal_.second; }  ///< likewise
  /// All of them before a run.
  const std::vector<double>& start() const { return start_; }

 private:
  bool areDiscrete(std::vector<int> open) const;
  const Before* shownAs(int variable) const;
  int before(Before b, const std::vector<int>& dimensions, bool isBoolean);
  int reserve(const std::vector<double>& start);
  std::vector<double> startOf(const std::string& name, int size) const;
  int show(const std::string& name, const char* description, std::vector<int> dimensions, int size,
           int offset, bool isBoolean);
  int flag(std::pair<int, int>& which, const char* name);

  VariableTable& table_;
  std::set<int> held_;  ///< variables that read a value held between events
  std::map<std::string, std::vector<double>> starts_;  ///< by variable
  std::map<std::string, Discrete> discretes_;
  std::vector<Before> befores_;
  std::vector<Sample> samples_;
  std::pair<int, int> initial_{-1, -1}, terminal_{-1, -1};  ///< variable, offset
  std::vector<double> start_;
};

}  // namespace cardan
