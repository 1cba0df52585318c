/// AlgorithmSection: the statements of a model's algorithm as equations: carried out with expressions in
/// place of values, so that each variable has one in the end.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/modelica/evaluation.h"
#include "engine/modelica/syntax.h"

namespace cardan::modelica {

class AlgorithmSection {
 public:
  AlgorithmSection(Evaluation& evaluation, Scope scope)
      : evaluation_(evaluation), scope_(std::move(scope)) {}

  /// An equation for each variable that the statements assign, `when` with what it sets, and assertions.
  /// A variable that is read before it is assigned has its start value, a discrete one what it was
  /// before. Throws Refusal where the way of the statements depends on variables.
  std::vector<Equation> equations(const std::vector<Statement>& statements);

 private:
  /// What has been assigned, by name with indices.
  using Values = std::map<std::string, Expression>;
  enum class Flow { next, leave, finish };

  Flow run(const std::vector<Statement>& statements, const Scope& scope);
  void assign(const Expression& left, Expression value, const Scope& scope);
  Flow branch(const Statement& s, const Scope& scope);
  void when(const Statement& s, const Scope& scope);
  void joinWhens();
  void call(const Statement& s, const Scope& scope);
  void loop(const Statement& s, const Scope& scope);
  void findAssigned(const std::vector<Statement>& statements, bool isInWhen);
  Expression substituted(const Expression& e, const Scope& scope);
  Expression indexed(const Expression& e, const Scope& scope);
  Expression named(const Expression& e, const Scope& scope);
  Expression allOf(const Expression& name) const;
  Expression read(const std::string& key);
  Expression before(const Expression& name) const;
  std::string keyOf(const Expression& name) const;
  std::optional<bool> truth(const Expression& condition, const Scope& scope);

  Evaluation& evaluation_;
  Scope scope_;
  Values values_;
  std::map<std::string, Expression> names_;     ///< of the keys
  std::vector<std::string> order_;              ///< keys as they are assigned
  std::set<std::string> assigned_, discretes_;  ///< by first name
  std::vector<Equation> out_;
  std::vector<Equation>* calls_ = nullptr;  ///< of the branch of `when` that is carried out
  std::vector<Expression> around_;          ///< conditions of variables that all hold
};

}  // namespace cardan::modelica
