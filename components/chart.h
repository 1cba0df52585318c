/// Chart: coordinates of an edge that are good near a reference only (three angles), and the choice
/// of a new reference on the way.
#pragma once

namespace cardan {

/// Arrays hold the coordinates concerned, some of an edge's positions. Velocities mean the same in
/// all charts.
class Chart {
 public:
  virtual ~Chart() = default;

  /// Back to the reference of the start.
  virtual void reset() = 0;
  /// The model has arrived at `q`. True: that is near a singular place, a new reference is due.
  virtual bool arrive(const double* q) = 0;
  /// Takes `q` as the middle of the coordinates from here on, which thereby mean something else.
  virtual void renew(const double* q) = 0;
  /// From the coordinates before renew() into those after, on the branch nearest to `guess`.
  virtual void translate(const double* guess, double* q) const = 0;
  /// Coordinates at the reference.
  virtual void middle(double* q) const = 0;
};

/// Which of an edge's positions have a chart.
struct ChartOfEdge {
  Chart* chart = nullptr;  ///< null: none
  int first = 0;           ///< position
  int size = 0;
};

}  // namespace cardan
