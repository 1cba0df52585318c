#include "components/contact/bristle.h"

#include <string>

namespace cardan::contact {

namespace {

constexpr const char* kName = "bristle";
constexpr const char* kAbout = "displacement of what sticks, resolved in world";
constexpr const char* kSpin = "bristle_n";
constexpr const char* kAboutSpin = "displacement of what holds a spin: its angle times a radius";

}  // namespace

/// Of z an error of 1e-4 of z_s counts at a tolerance of 1e-6: so exact is friction on its way to rest.
void Bristle::declare(Structure& s, const Grip& grip) {
  for (int i = 0; i < 3; ++i) {
    z_[i] = s.unknown({kName + ("[" + std::to_string(i + 1) + "]"), "m", kAbout, 0, 100 * grip.z_s},
                      Kind::Rated);
  }
  row_ = s.row("bristle", 3);
  if (grip.spins) {
    z_n_ = s.unknown({kSpin, "m", kAboutSpin, 0, 100 * grip.z_s}, Kind::Rated);
    spin_ = s.row(kSpin);
  }
  mode_ = s.mode("slip", Apart);
  direction_.declare(s);
}

void Bristle::describe(Variables& v, const Grip& grip) const {
  v.vector({kName, "m", kAbout, Level::Position}, [this](const auto& x) { return vector(x); });
  v.start(kName, StartVector<3>(true));
  if (!grip.spins) return;
  v.scalar({kSpin, "m", kAboutSpin, Level::Position},
           [this](const auto& x) { return x.unknown(z_n_); });
  v.start(kSpin, StartValue(true));
}

void Bristle::guards(const View<double>& x, Guards& g, const Vector3d& slip, const Vector3d& n_0,
                     const Grip& grip) const {
  const Vector3d z = displacement(x, n_0, grip);
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

bool Bristle::transition(const View<double>& x, Modes& m, const Vector3d& slip, const Vector3d& n_0,
                         const Grip& grip) const {
  const Vector3d z = displacement(x, n_0, grip), held = load(z, slip, grip);
  const double speed = slip.norm();
  switch (m.get(mode_)) {
    case Stuck:
      if (!(held.norm() > grip.peak)) return false;
      place(m, held.normalized() * grip.z_s, n_0, grip);
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
        place(m, (speed > 0 ? Vector3d(slip / speed) : d) * grip.z_s, n_0, grip);
        m.set(mode_, Yielding);
        return true;
      }
      return HeldDirection::agrees(d, slip) ? false : slide(m, slip);
    }
    default:
      if (speed > 2 * slow(grip)) return slide(m, slip);
      clear(x, m, grip);
      m.set(mode_, Stuck);
      return true;
  }
}

void Bristle::follow(const View<double>& x, Modes& m, bool touch, const Vector3d& slip,
                     const Vector3d& n_0, const Grip& grip) const {
  const Vector3d z = displacement(x, n_0, grip), held = load(z, slip, grip);
  const double most = m.get(mode_) == Yielding ? 1 : grip.peak;
  if (!touch) {
    clear(x, m, grip);
    m.set(mode_, Stuck);
  } else if (held.norm() > most) {
    place(m, held.normalized() * grip.z_s, n_0, grip);
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

void Bristle::clear(const View<double>& x, Modes& m, const Grip& grip) const {
  const bool isClear = vector(x).isZero(0) && !(grip.spins && x.unknown(z_n_) != 0);
  if (!isClear) place(m, Vector3d::Zero(), Vector3d::Zero(), grip);
}

/// Sets z.
void Bristle::place(Modes& m, const Vector3d& z, const Vector3d& n_0, const Grip& grip) const {
  const double along = grip.spins ? n_0.dot(z) : 0;
  for (int i = 0; i < 3; ++i) m.reinit(z_[i], z[i] - along * n_0[i]);
  if (grip.spins) m.reinit(z_n_, along);
}

}  // namespace cardan::contact
