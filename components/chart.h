/// Chart: coordinates of an edge that are good near a reference only (three angles), and the choice
/// of a new reference on the way.
#pragma once

namespace cardan {

/// The reference in force belongs to the run, as `size()` numbers. Arrays `q` hold the coordinates
/// concerned, some of an edge's positions. Velocities mean the same in all charts.
class Chart {
 public:
  virtual ~Chart() = default;

  /// Numbers that hold a reference.
  virtual int size() const = 0;
  /// The reference of the start of a run.
  virtual void start(double* reference) const = 0;
  /// The reference by which the coordinates are what results call by their names; good anywhere or not.
  virtual void plain(double* reference) const = 0;
  /// From 1, as good as can be, to 0 at a singular place.
  virtual double regularity(const double* q) const = 0;
  /// Below it `q` is near a singular place, a new reference is due.
  static constexpr double kDue = 0.5;
  /// Takes `q` as the middle of the coordinates from here on, which thereby mean something else.
  virtual void renew(const double* q, double* reference) const = 0;
  /// From the coordinates by the reference `before` into those by `after`, on the branch nearest to
  /// `guess`.
  virtual void translate(const double* before, const double* after, const double* guess,
                         double* q) const = 0;
  /// Coordinates at the reference.
  virtual void middle(double* q) const = 0;
};

}  // namespace cardan
