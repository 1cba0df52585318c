/// ContactViolations: laws of contact and friction that a run could not keep.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/integration/warning_tally.h"

namespace cardan {

/// Each is told once by component, counted, and recorded as the result contactViolation. The run goes on
/// with what comes nearest to the laws, unless the user has asked for an error.
class ContactViolations {
 public:
  explicit ContactViolations(Equations& equations) : equations_(equations) {}

  /// A run begins.
  void begin();
  void setStrict(bool isStrict) { isStrict_ = isStrict; }
  /// `kind`: the same for all that are told together; `text`: of this case; `size` [1]: by how much, of
  /// what the law is about. Throws SolverError where that is an error.
  void add(const std::string& kind, const std::string& text, double t, double size);
  /// The same of `names`, which are told together and stand before `what`.
  void addOf(const std::string& names, const std::string& what, double t, double size) {
    add(names, names + ": " + what, t, size);
  }
  long count() const { return count_; }
  std::vector<std::string> warnings() const { return warnings_.texts(); }

  auto kept() { return std::tie(warnings_, count_); }

 private:
  Equations& equations_;
  WarningTally warnings_;
  long count_ = 0;
  bool isStrict_ = false;
};

}  // namespace cardan
