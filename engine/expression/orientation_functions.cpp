#include "engine/expression/orientation_functions.h"

#include <cassert>

namespace cardan {
namespace {

using OrientationKind = OrientationFunction::Kind;

struct Text {
  std::string_view name;
  std::string_view parameters;  ///< "R orientation, v2 3, guess 1 = 0"
  std::string_view steps;       ///< a line each: "name := value"; the last one is the result
};

// Source of all equations: MSL 4.0 Mechanics.MultiBody.Frames. T takes vectors into frame 2, w is
// resolved there.
constexpr Text kTexts[] = {
    {"Orientation", "T 3x3, w 3", ""},
    {"nullRotation", "", "Frames.Orientation(identity(3), zeros(3))"},
    {"orientationConstraint", "R orientation",
     "Frames.TransformationMatrices.orientationConstraint(R.T)"},
    {"angularVelocity1", "R orientation", "transpose(R.T)*R.w"},
    {"angularVelocity2", "R orientation", "R.w"},
    {"resolve1", "R orientation, v2 3", "transpose(R.T)*v2"},
    {"resolve2", "R orientation, v1 3", "R.T*v1"},
    {"resolveRelative", "v1 3, R1 orientation, R2 orientation", "R2.T*(transpose(R1.T)*v1)"},
    {"resolveDyade1", "R orientation, D2 3x3", "transpose(R.T)*D2*R.T"},
    {"resolveDyade2", "R orientation, D1 3x3", "R.T*D1*transpose(R.T)"},
    {"inverseRotation", "R orientation",
     "Frames.Orientation(transpose(R.T), -(transpose(R.T)*R.w))"},
    {"relativeRotation", "R1 orientation, R2 orientation",
     "T := R2.T*transpose(R1.T)\n"
     "Frames.Orientation(T, R2.w - T*R1.w)"},
    {"absoluteRotation", "R1 orientation, R_rel orientation",
     "Frames.Orientation(R_rel.T*R1.T, R_rel.w + R_rel.T*R1.w)"},
    {"planarRotation", "e 3, angle 1, der_angle 1",
     "Frames.Orientation(Frames.TransformationMatrices.planarRotation(e, angle), e*der_angle)"},
    {"axisRotation", "axis 1, angle 1, der_angle 1",
     "Frames.planarRotation(Frames.axis(axis), angle, der_angle)"},
    {"axesRotations", "sequence 3, angles 3, der_angles 3",
     "R1 := Frames.axisRotation(sequence[1], angles[1], der_angles[1])\n"
     "R2 := Frames.axisRotation(sequence[2], angles[2], der_angles[2])\n"
     "R3 := Frames.axisRotation(sequence[3], angles[3], der_angles[3])\n"
     "Frames.absoluteRotation(Frames.absoluteRotation(R1, R2), R3)"},
    {"planarRotationAngle", "e 3, v1 3, v2 3", "atan2(-(cross(e, v1)*v2), v1*v2 - (e*v1)*(e*v2))"},
    {"axesRotationsAngles", "R orientation, sequence 3 = {1, 2, 3}, guessAngle1 1 = 0",
     "e1 := Frames.axis(sequence[1])\n"
     "e2 := Frames.axis(sequence[2])\n"
     "e3 := Frames.axis(sequence[3])\n"
     "e3_1 := transpose(R.T)*e3\n"
     "A := e2*e3_1\n"
     "B := cross(e1, e2)*e3_1\n"
     "a := atan2(A, -B)\n"
     "b := atan2(-A, B)\n"
     "phi := if abs(A) <= 1e-12 and abs(B) <= 1e-12 then guessAngle1 else (if abs(a - guessAngle1) "
     "<= abs(b - guessAngle1) then a else b)\n"
     "R1 := Frames.planarRotation(e1, phi, 0)\n"
     "{phi, Frames.planarRotationAngle(e2, R1.T*e3_1, e3), Frames.planarRotationAngle(e3, e2, "
     "R.T*(transpose(R1.T)*e2))}"},
    {"smallRotation", "R orientation", "{R.T[2,3], -R.T[1,3], R.T[1,2]}"},
    {"from_nxy", "n_x 3, n_y 3",
     "Frames.Orientation(Frames.TransformationMatrices.from_nxy(n_x, n_y), zeros(3))"},
    {"from_nxz", "n_x 3, n_z 3",
     "Frames.Orientation(Frames.TransformationMatrices.from_nxz(n_x, n_z), zeros(3))"},
    {"from_T", "T 3x3, w 3", "Frames.Orientation(T, w)"},
    {"from_T2", "T 3x3, dT 3x3",
     "Frames.Orientation(T, {T[3,:]*dT[2,:], -(T[3,:]*dT[1,:]), T[2,:]*dT[1,:]})"},
    {"from_T_inv", "T_inv 3x3, w 3", "Frames.Orientation(transpose(T_inv), -w)"},
    {"from_Q", "Q 4, w 3", "Frames.Orientation(Frames.Quaternions.to_T(Q), w)"},
    {"to_T", "R orientation", "R.T"},
    {"to_T_inv", "R orientation", "transpose(R.T)"},
    {"to_Q", "R orientation, Q_guess 4 = {0, 0, 0, 1}", "Frames.Quaternions.from_T(R.T, Q_guess)"},
    {"to_vector", "R orientation",
     "{R.T[1,1], R.T[2,1], R.T[3,1], R.T[1,2], R.T[2,2], R.T[3,2], R.T[1,3], R.T[2,3], R.T[3,3]}"},
    {"to_exy", "R orientation", "transpose({R.T[1,:], R.T[2,:]})"},
    {"axis", "axis 1",
     "if axis == 1 then {1, 0, 0} else (if axis == 2 then {0, 1, 0} else {0, 0, 1})"},
    // Its third axis of T1 is x1 cross y1; zero for equal orientations only.
    {"Orientation.equalityConstraint", "R1 orientation, R2 orientation",
     "x := R1.T[1,:]\n"
     "y := R1.T[2,:]\n"
     "z := cross(x, y)\n"
     "{atan2(z*R2.T[2,:], x*R2.T[1,:]), atan2(-(z*R2.T[1,:]), y*R2.T[2,:]), atan2(y*R2.T[1,:], "
     "z*R2.T[3,:])}"},

    {"Quaternions.nullRotation", "", "{0, 0, 0, 1}"},
    {"Quaternions.orientationConstraint", "Q 4", "{Q*Q - 1}"},
    {"Quaternions.angularVelocity1", "Q 4, der_Q 4",
     "2*([Q[4], -Q[3], Q[2], -Q[1]; Q[3], Q[4], -Q[1], -Q[2]; -Q[2], Q[1], Q[4], -Q[3]]*der_Q)"},
    {"Quaternions.angularVelocity2", "Q 4, der_Q 4",
     "2*([Q[4], Q[3], -Q[2], -Q[1]; -Q[3], Q[4], Q[1], -Q[2]; Q[2], -Q[1], Q[4], -Q[3]]*der_Q)"},
    {"Quaternions.resolve1", "Q 4, v2 3", "transpose(Frames.Quaternions.to_T(Q))*v2"},
    {"Quaternions.resolve2", "Q 4, v1 3", "Frames.Quaternions.to_T(Q)*v1"},
    {"Quaternions.inverseRotation", "Q 4", "{-Q[1], -Q[2], -Q[3], Q[4]}"},
    {"Quaternions.relativeRotation", "Q1 4, Q2 4",
     "[Q1[4], Q1[3], -Q1[2], -Q1[1]; -Q1[3], Q1[4], Q1[1], -Q1[2]; Q1[2], -Q1[1], Q1[4], -Q1[3]; "
     "Q1[1], Q1[2], Q1[3], Q1[4]]*Q2"},
    {"Quaternions.absoluteRotation", "Q1 4, Q_rel 4",
     "[Q_rel[4], Q_rel[3], -Q_rel[2], Q_rel[1]; -Q_rel[3], Q_rel[4], Q_rel[1], Q_rel[2]; Q_rel[2], "
     "-Q_rel[1], Q_rel[4], Q_rel[3]; -Q_rel[1], -Q_rel[2], -Q_rel[3], Q_rel[4]]*Q1"},
    {"Quaternions.planarRotation", "e 3, angle 1",
     "{e[1]*sin(angle/2), e[2]*sin(angle/2), e[3]*sin(angle/2), cos(angle/2)}"},
    {"Quaternions.smallRotation", "Q 4", "2*{Q[1], Q[2], Q[3]}"},
    {"Quaternions.from_T_inv", "T_inv 3x3, Q_guess 4 = {0, 0, 0, 1}",
     "Frames.Quaternions.from_T(transpose(T_inv), Q_guess)"},
    // Of the four formulas the one with the largest denominator; of Q and -Q the one on the side of
    // the guess.
    {"Quaternions.from_T", "T 3x3, Q_guess 4 = {0, 0, 0, 1}",
     "c1 := 1 + T[1,1] - T[2,2] - T[3,3]\n"
     "c2 := 1 - T[1,1] + T[2,2] - T[3,3]\n"
     "c3 := 1 - T[1,1] - T[2,2] + T[3,3]\n"
     "c4 := 1 + T[1,1] + T[2,2] + T[3,3]\n"
     "c := max(max(c1, c2), max(c3, c4))\n"
     "a := {T[2,3] - T[3,2], T[3,1] - T[1,3], T[1,2] - T[2,1]}\n"
     "s := {T[2,3] + T[3,2], T[3,1] + T[1,3], T[1,2] + T[2,1]}\n"
     "Q := (if c4 >= c then {a[1], a[2], a[3], c4} else (if c1 >= c then {c1, s[3], s[2], a[1]} "
     "else (if c2 >= c then {s[3], c2, s[1], a[2]} else {s[2], s[1], c3, a[3]})))/(2*sqrt(c))\n"
     "if Q*Q_guess >= 0 then Q else -Q"},
    {"Quaternions.to_T", "Q 4",
     "p := {Q[1], Q[2], Q[3]}\n"
     "(2*Q[4]^2 - 1)*identity(3) + 2*(outerProduct(p, p) - Q[4]*skew(p))"},
    {"Quaternions.to_T_inv", "Q 4", "transpose(Frames.Quaternions.to_T(Q))"},

    {"TransformationMatrices.nullRotation", "", "identity(3)"},
    {"TransformationMatrices.orientationConstraint", "T 3x3",
     "{T[:,1]*T[:,1] - 1, T[:,2]*T[:,2] - 1, T[:,3]*T[:,3] - 1, T[:,1]*T[:,2], T[:,1]*T[:,3], "
     "T[:,2]*T[:,3]}"},
    {"TransformationMatrices.resolve1", "T 3x3, v2 3", "transpose(T)*v2"},
    {"TransformationMatrices.resolve2", "T 3x3, v1 3", "T*v1"},
    {"TransformationMatrices.resolveDyade1", "T 3x3, D2 3x3", "transpose(T)*D2*T"},
    {"TransformationMatrices.resolveDyade2", "T 3x3, D1 3x3", "T*D1*transpose(T)"},
    {"TransformationMatrices.inverseRotation", "T 3x3", "transpose(T)"},
    {"TransformationMatrices.relativeRotation", "T1 3x3, T2 3x3", "T2*transpose(T1)"},
    {"TransformationMatrices.absoluteRotation", "T1 3x3, T_rel 3x3", "T_rel*T1"},
    {"TransformationMatrices.planarRotation", "e 3, angle 1",
     "outerProduct(e, e) + (identity(3) - outerProduct(e, e))*cos(angle) - skew(e)*sin(angle)"},
    {"TransformationMatrices.axisRotation", "axis 1, angle 1",
     "Frames.TransformationMatrices.planarRotation(Frames.axis(axis), angle)"},
    {"TransformationMatrices.axesRotations", "sequence 3, angles 3",
     "T := Frames.axesRotations(sequence, angles, zeros(3))\n"
     "T.T"},
    {"TransformationMatrices.smallRotation", "T 3x3", "{T[2,3], -T[1,3], T[1,2]}"},
    {"TransformationMatrices.from_nxy", "n_x 3, n_y 3",
     "a := sqrt(n_x*n_x)\n"
     "e_x := if a < 1e-10 then {1, 0, 0} else n_x/a\n"
     "b := sqrt(n_y*n_y)\n"
     "n := if b < 1e-10 then {0, 1, 0} else n_y/b\n"
     "z := cross(e_x, n)\n"
     "e_y := if z*z > 1e-6 then n else (if abs(e_x[1]) > 1e-6 then {0, 1, 0} else {1, 0, 0})\n"
     "e_z := normalize(cross(e_x, e_y))\n"
     "{e_x, cross(e_z, e_x), e_z}"},
    {"TransformationMatrices.from_nxz", "n_x 3, n_z 3",
     "a := sqrt(n_x*n_x)\n"
     "e_x := if a < 1e-10 then {1, 0, 0} else n_x/a\n"
     "b := sqrt(n_z*n_z)\n"
     "n := if b < 1e-10 then {0, 0, 1} else n_z/b\n"
     "y := cross(n, e_x)\n"
     "e_z := if y*y > 1e-6 then n else (if abs(e_x[1]) > 1e-6 then {0, 0, 1} else {1, 0, 0})\n"
     "e_y := normalize(cross(e_z, e_x))\n"
     "{e_x, e_y, cross(e_x, e_y)}"},
    {"TransformationMatrices.from_T", "T 3x3", "T"},
    {"TransformationMatrices.from_T_inv", "T_inv 3x3", "transpose(T_inv)"},
    {"TransformationMatrices.from_Q", "Q 4", "Frames.Quaternions.to_T(Q)"},
    {"TransformationMatrices.to_T", "T 3x3", "T"},
    {"TransformationMatrices.to_T_inv", "T 3x3", "transpose(T)"},
    {"TransformationMatrices.to_Q", "T 3x3, Q_guess 4 = {0, 0, 0, 1}",
     "Frames.Quaternions.from_T(T, Q_guess)"},
};

Expression read(std::string_view text) {
  Diagnostics diagnostics;
  std::optional<Expression> e = parseExpression(text, {}, diagnostics);
  assert(e && "the table of functions holds expressions");
  return *e;
}

/// Takes the part before `separator` off `text`.
std::string_view next(std::string_view& text, std::string_view separator) {
  const size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? "" : text.substr(end + separator.size());
  return part;
}

/// "sequence 3 = {1, 2, 3}"
OrientationFunction::Parameter parameter(std::string_view text) {
  OrientationFunction::Parameter p;
  p.name = next(text, " ");
  const std::string_view kind = next(text, " = ");
  if (kind == "orientation") {
    p.kind = OrientationKind::orientation;
  } else if (kind == "3x3") {
    p.kind = OrientationKind::matrix;
  } else if (kind != "1") {
    p.kind = OrientationKind::vector;
    p.size = kind[0] - '0';
  }
  if (!text.empty()) p.otherwise.push_back(read(text));
  return p;
}

std::vector<OrientationFunction> readAll() {
  std::vector<OrientationFunction> all;
  for (const Text& t : kTexts) {
    OrientationFunction f;
    f.name = t.name;
    std::string_view parameters = t.parameters;
    while (!parameters.empty()) {
      // A comma between parameters is followed by a name, one in a default by a digit.
      size_t end = parameters.find(", ");
      while (end != std::string_view::npos && parameters[end + 2] >= '0' &&
             parameters[end + 2] <= '9') {
        end = parameters.find(", ", end + 2);
      }
      f.parameters.push_back(parameter(parameters.substr(0, end)));
      parameters = end == std::string_view::npos ? "" : parameters.substr(end + 2);
    }
    std::string_view steps = t.steps;
    while (!steps.empty()) {
      std::string_view line = next(steps, "\n");
      const bool named = line.find(" := ") != std::string_view::npos;
      const std::string name = named ? std::string(next(line, " := ")) : "";
      f.steps.push_back({name, read(line)});
    }
    all.push_back(std::move(f));
  }
  return all;
}

const std::vector<OrientationFunction>& functions() {
  static const std::vector<OrientationFunction> all = readAll();
  return all;
}

}  // namespace

const OrientationFunction* findOrientationFunction(std::string_view name) {
  for (const std::string_view package : {"Modelica.Mechanics.MultiBody.", "Frames."}) {
    if (name.starts_with(package)) name.remove_prefix(package.size());
  }
  for (const OrientationFunction& f : functions()) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

std::vector<std::string> orientationFunctionNames() {
  std::vector<std::string> names;
  for (const OrientationFunction& f : functions()) names.push_back("Frames." + f.name);
  return names;
}

}  // namespace cardan
