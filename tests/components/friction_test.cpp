// Friction of one-dimensional parts: the state machine walked by hand, the row of each mode, stick
// and slip.
#include <numbers>

#include "tests/components/one_dimensional_bench.h"

namespace cardan {
namespace {

using bench::Bench;
using bench::checkClose;
using bench::Class;
using bench::Matrix;
using Errors = std::vector<std::string>;
using std::numbers::pi;

/// What MSL's state machine lets one see.
template <class C>
std::vector<int> state(Bench<C>& b) {
  return {b.mode("mode"), b.mode("startForward"), b.mode("startBackward")};
}
template <class C>
void set(Bench<C>& b, double w, double a, double tau) {
  b.flange("flange_a") = {0, w, a};
  b.x.y = {tau};
}

TEST_CASE("BearingFriction: modes from start to stop, break-away and back, walked by hand") {
  using State = std::vector<int>;
  Bench<Class<"Rotational.BearingFriction">> b(
      {{"tau_pos", Matrix{{0, 0.5}, {1, 0.6}}}, {"peak", 1.2}});
  CHECK(state(b) == State{3, 0, 0});
  set(b, 0, 0, 0.3);
  b.settle();
  CHECK(state(b) == State{0, 0, 0});
  CHECK(b.value("locked") == 1);
  CHECK(b.value("tau0") == 0.5);
  CHECK(b.value("tau0_max") == 0.6);
  CHECK(b.value("sa") == 0.3);
  // Within the limits it stays stuck; the crossings see both limits.
  set(b, 0, 0, -0.59);
  CHECK(!b.transition());
  CHECK(b.events().crossings.size() == 2);
  CHECK(b.events().crossings[0] > 0);
  CHECK(b.events().crossings[1] > 0);
  // Beyond: starts forward, with sliding friction at once.
  set(b, 0, 0, 0.6000001);
  CHECK(b.events().crossings[0] < 0);
  CHECK(b.transition());
  CHECK(state(b) == State{0, 1, 0});
  set(b, 0, 0.1, 0.5);
  CHECK(!b.transition());
  CHECK(b.value("locked") == 0);
  // It slides as soon as it moves.
  CHECK(b.events().crossings[0] > 0);
  set(b, 2e-8, 0.1, 0.5);
  CHECK(b.events().crossings[0] < 0);
  b.settle();
  CHECK(state(b) == State{1, 0, 0});
  // It slides until w comes back to zero, then it is stuck or goes backward.
  set(b, 0.5, -3, 0.55);
  CHECK(!b.transition());
  CHECK(b.events().crossings[0] == 0.5);
  set(b, -1e-15, -3, 0.5);
  CHECK(b.transition());
  CHECK(state(b) == State{0, 0, 0});
  set(b, 0, 0, -0.7);
  CHECK(b.transition());
  CHECK(state(b) == State{0, 0, 1});
  set(b, -2e-8, -1, -0.5);
  b.settle();
  CHECK(state(b) == State{-1, 0, 0});
  CHECK(b.value("mode") == -1);
  // A blow that turns the motion round.
  set(b, 0.2, 0, -0.5);
  b.settle();
  CHECK(state(b) == State{1, 0, 0});
}

TEST_CASE("BearingFriction: starting ends where the slip turns back or the drive is too weak") {
  using State = std::vector<int>;
  Bench<Class<"Rotational.BearingFriction">> b({{"tau_pos", Matrix{{0, 0.5}}}});
  set(b, 0, 0, 0);
  b.settle();
  set(b, 0, 0, 0.51);
  b.settle();
  CHECK(state(b) == State{0, 1, 0});
  set(b, 0, -0.01, 0.5);  // another element that broke away took the load
  CHECK(b.transition());
  CHECK(state(b) == State{0, 0, 0});
  set(b, 0, 0, 0.51);
  b.settle();
  set(b, -5e-8, 1, 0.5);  // a slip that the integration has left over comes round
  CHECK(!b.transition());
  set(b, -1e-8, -1e-3, 0.5);
  CHECK(b.transition());
  CHECK(state(b) == State{0, 0, 0});
}

TEST_CASE("BearingFriction: one row, stuck a = 0, sliding tau = tau_c(w), odd in w") {
  Bench<Class<"Rotational.BearingFriction">> b(
      {{"tau_pos", Matrix{{0, 1}, {1, 2}, {2, 5}}}, {"useHeatPort", true}, {"useSupport", true}});
  auto residual = [&](double w, double a, double tau) {
    set(b, w, a, tau);
    b.evaluate();
    return b.x.residual[0];
  };
  CHECK(residual(0, 0.25, 0.5) == 0.25);  // stuck, also before the start
  set(b, 1.5, 0, 0);
  b.settle();
  checkClose(residual(1.5, 0, 3.5), 0);
  checkClose(residual(3, 0, 8), 0);  // straight on
  CHECK(b.flow("flange_a") == 8);
  CHECK(b.flow("support") == -8);
  CHECK(b.flow("heatPort") == -24);
  CHECK(b.flow("flange_b") == 0);  // by the relation
  set(b, -1.5, 0, 0);
  b.settle();
  checkClose(residual(-1.5, 0, -3.5), 0);
  auto n = b.dual();
  n.flanges[0].velocity.setLane(0, 1);
  n.y[0].setLane(1, 1);
  b.evaluateAt(n);
  checkClose(n.residual[0].lane(0), -3);  // slope of the table
  checkClose(n.residual[0].lane(1), 1);
  CHECK(b.declared.kinds[0] == Kind::Algebraic);
  CHECK(b.declared.unknowns[0].nominal == 5);
}

TEST_CASE("BearingFriction: an inertia under a slow sine sticks, slides and sticks as it must") {
  // J a = u - tau, u = 2 sin(t), tau0 = 1: breaks away at sin(t) = 1/2; sliding w = 2 (cos t1 - cos
  // t) - (t - t1).
  Bench<Class<"Rotational.BearingFriction">> b({{"tau_pos", Matrix{{0, 1}}}});
  double w = 0, slid = -1, stuck = -1;
  const double h = 1e-5;
  set(b, 0, 0, 0);
  b.settle();
  for (double t = 0; t < 4; t += h) {
    const double u = 2 * std::sin(t);
    const bool locked = b.value("locked") == 1;
    const double tau = locked ? u : b.mode("mode") == -1 || b.mode("startBackward") ? -1 : 1;
    set(b, w, u - tau, tau);
    b.settle();
    if (!locked) w += h * (u - tau);
    if (b.mode("mode") == 1 && w < 0) w = 0;  // the event is where w vanishes
    if (slid < 0 && b.mode("mode") == 1) slid = t;
    if (slid > 0 && stuck < 0 && b.mode("mode") == 0) stuck = t;
  }
  checkClose(slid, pi / 6, 1e-3);
  const double t1 = pi / 6;
  CHECK(stuck > 2);
  checkClose(2 * (std::cos(t1) - std::cos(stuck)) - (stuck - t1), 0, 1e-3);
}

TEST_CASE("Brake and Clutch: free without normal force, friction in proportion to it") {
  Bench<Class<"Rotational.Brake">> brake(
      {{"mu_pos", Matrix{{0, 0.5}, {1, 0.7}}}, {"cgeo", 2.0}, {"fn_max", 10.0}});
  brake.x.inputs = {0};
  set(brake, 1, 0, 0);
  brake.settle();
  CHECK(brake.mode("mode") == 2);
  CHECK(brake.value("free") == 1);
  set(brake, 1, 0.5, 3);
  brake.evaluate();
  CHECK(brake.x.residual[0] == 3);
  brake.x.inputs = {0.5};
  brake.settle();
  CHECK(brake.mode("mode") == 1);
  set(brake, 1, 0, 7);
  brake.evaluate();
  checkClose(brake.x.residual[0], 0);
  checkClose(brake.value("fn"), 5);
  checkClose(brake.value("tau0"), 5);
  CHECK(brake.events().crossings.size() == 3);

  Bench<Class<"Rotational.Clutch">> clutch({{"fn_max", 10.0}});
  clutch.x.inputs = {1};
  clutch.flange("flange_a") = {0, 1, 0};
  clutch.flange("flange_b") = {0, 3, 0};
  clutch.settle();
  CHECK(clutch.mode("mode") == 1);
  clutch.x.y = {5};
  clutch.evaluate();
  checkClose(clutch.x.residual[0], 0);
  CHECK(clutch.flow("flange_b") == 5);
  CHECK(clutch.flow("flange_a") == -5);
}

TEST_CASE("friction: errors of the table and the peak") {
  using Friction = Bench<Class<"Rotational.BearingFriction">>;
  CHECK(Friction({{"tau_pos", Matrix{{0, 1}, {0, 2}}}}).reader.errors ==
        Errors{"'tau_pos' must rise in its first column"});
  CHECK(Friction({{"tau_pos", Matrix{{0, 1, 2}}}}).reader.errors ==
        Errors{"'tau_pos' must have two columns"});
  CHECK(Friction({{"peak", 0.9}}).reader.errors == Errors{"'peak' is out of range"});
}

}  // namespace
}  // namespace cardan
