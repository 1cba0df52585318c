/// HeldStarts: what is held between events begins where initial equations say, as functions of the start.
#pragma once

#include <optional>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/equations/model.h"

namespace cardan {

class HeldStarts {
 public:
  HeldStarts(const Model& model, Equations& equations) : model_(model), equations_(equations) {}

  /// Puts in what the equations say at a point, each with the new values of the others; nothing where
  /// that is no number, as guesses may have it. True: something has changed.
  bool take(double t, const std::vector<double>& y, const std::vector<double>& yp);
  /// The start that these values lead to leads to others, again and again: throws.
  void throwRestless() const;
  /// Throws where a value is none that the variable can have at the start that was found.
  void check(double t, const std::vector<double>& y, const std::vector<double>& yp);
  /// Throws where initial equations that read nothing else do not hold: no start of a motion can meet them.
  void checkConditions(double t, const std::vector<double>& y, const std::vector<double>& yp);
  /// Where no start was found: conditions that were meant to say where something held begins, as it seems.
  void explain(Diagnostics& diagnostics) const;

 private:
  View<double> viewAt(double t, const std::vector<double>& y, const std::vector<double>& yp);

  const Model& model_;
  Equations& equations_;
  std::optional<EvaluationPoint> point_;  ///< made when it is asked for first
  std::vector<double> buffer_;
  const HeldStart* changed_ = nullptr;  ///< the last one that did
  double before_ = 0, after_ = 0;       ///< what it was and became
};

}  // namespace cardan
