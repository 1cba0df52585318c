/// The differential-algebraic system F(t, y, y') = 0 as the integrator sees it: no component, no
/// name lookup.
#pragma once

#include <span>
#include <string>

namespace cardan {

/// A square DAE with its own exact Newton solver.
///
/// The integrator asks for residuals, for a factorised Newton matrix
/// J = dF/dy + cj dF/dy' at a point, and for solutions of J x = b with that matrix. How the matrix
/// is stored and factorised is the system's choice.
class DaeSystem {
 public:
  virtual ~DaeSystem() = default;

  /// Number of unknowns n = number of equations.
  virtual int size() const = 0;

  /// r = F(t, y, y'); arrays of length n. False: not computable here (NaN, domain error): the step
  /// is retried shorter.
  virtual bool residual(double t, const double* y, const double* yp, double* r) = 0;

  /// Evaluates and factorises J at (t, y, yp). False: singular or not finite.
  virtual bool factor(double t, double cj, const double* y, const double* yp) = 0;

  /// True: a matrix costs far more than a residual and a solution, so that one is to serve several
  /// steps.
  virtual bool isMatrixDear() const { return false; }

  /// From now on solve() takes the last factorised J for one of another cj, as far as its parts are
  /// known to go with a power of cj each. False: none are; it stays what it was.
  virtual bool carryTo(double /*cj*/) { return false; }

  /// A first correction e (0 before), of y + e and yp + cj e, that needs no matrix: that with which
  /// linear rows that tie rates to other unknowns hold from there on.
  virtual void correctRates(double /*cj*/, const double* /*y*/, const double* /*yp*/,
                            double* /*e*/) const {}

  /// Solves J x = b with the last factorised J (b and x of length n, may alias). In a Newton
  /// iteration b = -F, so that x is the update.
  virtual void solve(const double* b, double* x) = 0;

  /// True: y_i is differential (in the error test); false: algebraic (multipliers, forces).
  virtual bool isDifferential(int i) const = 0;

  /// Absolute tolerance of unknown i as a multiple of the relative tolerance; of algebraic ones the
  /// absolute tolerance itself: multipliers need a loose one.
  virtual double nominal(int i) const = 0;

  /// Name of unknown i, for messages ("revolute1.phi").
  virtual std::string unknownName(int i) const = 0;

  /// F may bend where no switching function tells of it: of the size of the next update the last ones
  /// say nothing.
  virtual bool bendsUnseen() const { return false; }

  /// Number of switching functions (events), 0 for smooth systems.
  virtual int rootCount() const { return 0; }

  /// g_k(t, y, yp), k < rootCount(); the current modes stay frozen while they are watched. False:
  /// not computable here.
  virtual bool roots(double /*t*/, const double* /*y*/, const double* /*yp*/, double* /*g*/) {
    return true;
  }

  /// So many more evaluations went into the search for changes of each function inside steps; the
  /// last number: of none.
  virtual void searched(std::span<const long> /*evaluations*/) {}

  /// After roots(): the frozen modes are those that the same point asks for.
  virtual bool modesFit() { return true; }

  /// [rad/s] How fast the fastest part turns at y: switching functions of angles swing with it, however
  /// evenly these go.
  virtual double turning(const double* /*y*/) const { return 0; }

  /// Switching functions read what interpolation leaves inexact: refine() is to be asked.
  virtual bool refines() const { return false; }
  /// Makes an interpolated point satisfy the equations: constraints, rates, algebraic unknowns.
  /// False: not possible here.
  virtual bool refine(double /*t*/, double* /*y*/, double* /*yp*/, bool /*again*/) { return false; }
};

}  // namespace cardan
