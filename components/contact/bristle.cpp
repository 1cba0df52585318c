#include "components/contact/bristle.h"

#include <string>

namespace cardan::contact {

namespace {

constexpr const char* kName = "bristle";
constexpr const char* kAbout = "displacement of what sticks, resolved in world";

}  // namespace

/// Of z an error of 1e-4 of z_s counts at a tolerance of 1e-6: so exact is friction on its way to rest.
void Bristle::declare(Structure& s, const Grip& grip) {
  for (int i = 0; i < 3; ++i) {
    z_[i] = s.unknown({kName + ("[" + std::to_string(i + 1) + "]"), "m", kAbout, 0, 100 * grip.z_s},
                      Kind::Rated);
  }
  row_ = s.row("bristle", 3);
  mode_ = s.mode("slip", Apart);
  direction_.declare(s);
}

void Bristle::describe(Variables& v) const {
  v.vector({kName, "m", kAbout, Level::Position},
           [this](const auto& x) { return displacement(x); });
  v.start(kName, StartVector<3>(true));
}

void Bristle::guards(const View<double>& x, Guards& g, const Vector3d& slip,
                     const Grip& grip) const {
  const Vector3d z = displacement(x);
  const double speed = slip.norm();
  double g1 = 1, g2 = 1;
  switch (x.mode(mode_)) {
    case Stuck:
      g1 = grip.peak * (1 + kBeyond) - load(z, slip, grip).norm();
      break;
    case Yielding:
      g1 = load(z, slip, grip).norm() - (1 - kBack);
      g2 = 2 * slow(grip) - speed;
      break;
    case Sliding:
      g1 = HeldDirection::guard(direction_(x), slip);
      g2 = speed - slow(grip);
      break;
    default:
      break;
  }
  g.crossing(g1);
  g.crossing(g2);
}

bool Bristle::transition(const View<double>& x, Modes& m, const Vector3d& slip,
                         const Grip& grip) const {
  const Vector3d z = displacement(x), held = load(z, slip, grip);
  const double speed = slip.norm();
  switch (m.get(mode_)) {
    case Stuck:
      if (!(held.norm() > grip.peak)) return false;
      place(m, held.normalized() * grip.z_s);
      m.set(mode_, Yielding);
      return true;
    case Yielding:
      if (speed > 2 * slow(grip)) return slide(m, slip);
      if (!(held.norm() < 1 - 0.5 * kBack)) return false;
      m.set(mode_, Stuck);
      return true;
    case Sliding: {
      const Vector3d d = direction_(x);
      if (speed < slow(grip) * (1 + kClear)) {
        place(m, (speed > 0 ? Vector3d(slip / speed) : d) * grip.z_s);
        m.set(mode_, Yielding);
        return true;
      }
      return HeldDirection::agrees(d, slip) ? false : slide(m, slip);
    }
    default:
      if (speed > 2 * slow(grip)) return slide(m, slip);
      if (!z.isZero(0)) place(m, Vector3d::Zero());
      m.set(mode_, Stuck);
      return true;
  }
}

void Bristle::follow(const View<double>& x, Modes& m, bool touch, const Vector3d& slip,
                     const Grip& grip) const {
  const Vector3d z = displacement(x), held = load(z, slip, grip);
  const double most = m.get(mode_) == Yielding ? 1 : grip.peak;
  if (!touch) {
    if (!z.isZero(0)) place(m, Vector3d::Zero());
    m.set(mode_, Stuck);
  } else if (held.norm() > most) {
    place(m, held.normalized() * grip.z_s);
    m.set(mode_, Yielding);
  } else if (held.norm() < 1 - 0.5 * kBack) {
    m.set(mode_, Stuck);
  }
}

bool Bristle::forget(Modes& m) const {
  if (m.get(mode_) == Apart) return false;
  m.set(mode_, Apart);
  return true;
}

bool Bristle::slide(Modes& m, const Vector3d& slip) const {
  direction_.hold(m, slip / slip.norm());
  m.set(mode_, Sliding);
  return true;
}

/// Sets z.
void Bristle::place(Modes& m, const Vector3d& z) const {
  for (int i = 0; i < 3; ++i) m.reinit(z_[i], z[i]);
}

}  // namespace cardan::contact
