#include "components/interfaces/orientation_states.h"

#include <algorithm>

namespace cardan {

namespace {

bool areAxes(const frames::Sequence& s) {
  return std::ranges::all_of(s, [](int i) { return 1 <= i && i <= 3; });
}

StartVector<3> turned(const frames::Orientation<double>& R, const Vector3d& v_1, bool fixed,
                      bool given, StateSelect select) {
  StartVector<3> s(fixed);
  s.start = frames::resolve2(R, v_1);
  s.given = given;
  s.stateSelect = select;
  return s;
}

}  // namespace

void OrientationStates::readStart(ParameterReader& r, const std::string& suffix) {
  const std::string w = "w_" + suffix, z = "z_" + suffix;
  r.boolean("angles_fixed", angles_fixed,
            "angles_start holds exactly at the start, else it is a guess");
  r.vector("angles_start", angles_start, "rad",
           "angles about the axes of sequence_start at the start");
  r.integers("sequence_start", sequence_start, "axes of angles_start");
  r.boolean(w + "_fixed", w_fixed, w + "_start holds exactly at the start, else it is a guess");
  r.vector(w + "_start", w_start, "rad/s", "angular velocity at the start");
  r.boolean(z + "_fixed", z_fixed, z + "_start holds exactly at the start, else it is a guess");
  r.vector(z + "_start", z_start, "rad/s2", "angular acceleration at the start");
  anglesGiven = r.isGiven("angles_start");
  wGiven = r.isGiven(w + "_start");
  zGiven = r.isGiven(z + "_start");
  if (!r.require(areAxes(sequence_start), "sequence_start", "must consist of 1, 2 and 3")) {
    sequence_start = frames::kCardanSequence;
  }
}

void OrientationStates::readStates(ParameterReader& r) {
  r.boolean("enforceStates", enforceStates,
            "its coordinates are unknowns of the model, where possible");
  r.boolean("useQuaternions", useQuaternions,
            "quaternion as orientation coordinates, else three angles");
  r.integers("sequence_angleStates", sequence_angleStates, "axes of the three angles");
  r.enumeration("orientationStates", orientationStates,
                {{"automatic", OrientationForm::automatic},
                 {"quaternions", OrientationForm::quaternions},
                 {"transformationMatrix", OrientationForm::transformationMatrix},
                 {"angles", OrientationForm::angles}},
                "orientation coordinates; automatic: as useQuaternions says");
  const auto& s = sequence_angleStates;
  if (!r.require(areAxes(s) && s[0] != s[1] && s[1] != s[2], "sequence_angleStates",
                 "must consist of 1, 2 and 3, neighbours different")) {
    sequence_angleStates = frames::kCardanSequence;
  }
}

OrientationForm OrientationStates::form() const {
  if (orientationStates != OrientationForm::automatic) return orientationStates;
  return useQuaternions ? OrientationForm::quaternions : OrientationForm::angles;
}

frames::Orientation<double> OrientationStates::R_start() const {
  return frames::axesRotations(sequence_start, angles_start, Vector3d::Zero());
}

Vector3d OrientationStates::phi_start() const {
  return sequence_start == sequence_angleStates
             ? angles_start
             : frames::axesRotationsAngles(R_start(), sequence_angleStates);
}

StartVector<3> OrientationStates::wStart() const {
  return turned(R_start(), w_start, w_fixed, wGiven, priority());
}

StartVector<3> OrientationStates::zStart() const {
  return turned(R_start(), z_start, z_fixed, zGiven, StateSelect::defaultSelect);
}

template <template <class> class Law>
OrientationLaw OrientationStates::make() const {
  const auto with = [this](auto coordinates) {
    OrientationLaw made;
    made.positions = coordinates.infos(R_start());
    made.law = std::make_unique<Law<decltype(coordinates)>>(coordinates);
    return made;
  };
  switch (form()) {
    case OrientationForm::transformationMatrix:
      return with(MatrixCoordinates());
    case OrientationForm::angles: {
      const AngleCoordinates coordinates(sequence_angleStates);
      coordinates.chart()->startAt(phi_start());
      OrientationLaw made = with(coordinates);
      const size_t first = made.positions.size() - AngleCoordinates::nq;
      for (size_t i = 0; i < AngleCoordinates::nq; ++i) {
        made.positions[first + i].start = coordinates.chart()->coordinatesAtStart()[i];
      }
      return made;
    }
    default:
      return with(QuaternionCoordinates());
  }
}

OrientationLaw OrientationStates::freeMotionLaw() const { return make<FreeMotionLaw>(); }
OrientationLaw OrientationStates::sphericalLaw() const { return make<SphericalLaw>(); }

void OrientationStates::describeJoint(Variables& v, const TwoTreeFrames& frames,
                                      const std::string& w, int offset) const {
  v.start(w, wStart());
  v.vector({w, "rad/s", "angular velocity of frame_b relative to frame_a, resolved in frame_b",
            Level::Velocity},
           [frames](const auto& x) {
             const auto R = frames.relativeRotation(x);
             return Vector3<std::decay_t<decltype(x.time())>>(frames::angularVelocity2(R));
           });
  v.initial(
      {"z_rel_a_start", "angular acceleration at the start", Level::Acceleration, z_fixed, zGiven},
      3, [this, frames](const auto& x, auto* out) {
        const auto z = frames.relativeMotion(x).z_rel;
        const Vector3d start = zStart().start;
        for (int i = 0; i < 3; ++i) out[i] = z[i] - start[i];
      });
  cardan::describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                                [frames](const auto& x) { return frames.relativeRotation(x); });
  cardan::describe::orientation(
      v, "R_rel_inv", "rotation from frame_b to frame_a",
      [frames](const auto& x) { return frames::inverseRotation(frames.relativeRotation(x)); });
  describeOrientation(
      v, "R_rel_start", [frames](const auto& x) { return frames.relativeRotation(x); },
      [frames](const auto& x) { return frames.relativeMotion(x).z_rel; },
      [frames, offset](const auto& x) {
        const auto* q = x.joint(frames.joint).q;
        return q ? q + offset : q;
      });
}

}  // namespace cardan
