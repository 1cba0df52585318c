#include "engine/robots/mjcf/values.h"

#include <cmath>
#include <numbers>

#include "frames/algebra.h"

namespace cardan::robots::mjcf {
namespace {

std::string what(const XmlElement& e, const char* name, const std::string& owner) {
  return owner + ": '" + name + "' of <" + e.name + ">";
}

/// [1]  about an axis of length 1
Matrix3d turned(const Vector3d& axis, double angle) {
  Matrix3d K;  // K v = axis x v
  K << 0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0;
  return Matrix3d::Identity() + std::sin(angle) * K + (1 - std::cos(angle)) * K * K;
}

}  // namespace

std::optional<std::vector<double>> numbers(const XmlElement& e, const char* name, size_t least,
                                           size_t most, const std::string& owner,
                                           Diagnostics& diagnostics) {
  const XmlAttribute* a = e.attribute(name);
  if (!a) return std::nullopt;
  auto found = numbersIn(a->value);
  if (found && found->size() >= least && found->size() <= most) return found;
  const std::string count =
      most == 1 ? "a finite number"
                : (least == most ? std::to_string(least)
                                 : std::to_string(least) + " to " + std::to_string(most)) +
                      " finite numbers";
  diagnostics.error(e.mark(*a),
                    what(e, name, owner) + " must be " + count + ", found " + shown(a->value));
  return std::nullopt;
}

Vector3d vector(const XmlElement& e, const char* name, const Vector3d& byDefault,
                const std::string& owner, Diagnostics& diagnostics) {
  const auto v = numbers(e, name, 3, 3, owner, diagnostics);
  return v ? Vector3d(v->data()) : byDefault;
}

double number(const XmlElement& e, const char* name, double byDefault, const std::string& owner,
              Diagnostics& diagnostics) {
  const auto v = numbers(e, name, 1, 1, owner, diagnostics);
  return v ? (*v)[0] : byDefault;
}

Matrix3d fromQuaternion(const double* q) {
  const Eigen::Vector4d unit = Eigen::Map<const Eigen::Vector4d>(q).stableNormalized();
  const double w = unit[0], x = unit[1], y = unit[2], z = unit[3], n = 2 / unit.squaredNorm();
  Matrix3d R;
  R << 1 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y),  //
      n * (x * y + w * z), 1 - n * (x * x + z * z), n * (y * z - w * x),   //
      n * (x * z - w * y), n * (y * z + w * x), 1 - n * (x * x + y * y);
  return R;
}

Matrix3d fromEuler(const Vector3d& angles, const Conventions& c) {
  Matrix3d R = Matrix3d::Identity();
  for (int i = 0; i < 3; ++i) {
    const char axis = c.eulerSequence[i];
    const bool isFixed = axis >= 'X' && axis <= 'Z';
    const Matrix3d one = turned(Vector3d::Unit(axis - (isFixed ? 'X' : 'x')), angles[i] * c.angle);
    R = isFixed ? Matrix3d(one * R) : Matrix3d(R * one);
  }
  return R;
}

std::string textOf(const XmlElement& e, const char* name) {
  const XmlAttribute* a = e.attribute(name);
  return a ? a->value : "";
}

std::string assetName(const XmlElement& e) {
  if (const std::string own = textOf(e, "name"); !own.empty()) return own;
  const std::string path = textOf(e, "file"), file = path.substr(path.find_last_of("/\\") + 1);
  return file.substr(0, file.rfind('.'));
}

std::string Conventions::pathOf(const std::string& file) const {
  if (file.empty()) return "";
  const std::string path = stripsPaths ? file.substr(file.find_last_of("/\\") + 1) : file;
  return meshFolder.empty() || path.starts_with('/') ? path : meshFolder + "/" + path;
}

std::optional<size_t> choice(const XmlElement& e, const char* name,
                             std::span<const char* const> words, Diagnostics& diagnostics) {
  const XmlAttribute* a = e.attribute(name);
  if (!a) return std::nullopt;
  std::string known;
  for (size_t i = 0; i < words.size(); ++i) {
    if (a->value == words[i]) return i;
    known += std::string(known.empty() ? "" : ", ") + words[i];
  }
  diagnostics.error(e.mark(*a), "'" + std::string(name) + "' of <" + e.name + "> must be one of " +
                                    known + ", found " + shown(a->value));
  return std::nullopt;
}

bool flag(const XmlElement& e, const char* name, bool byDefault, Diagnostics& diagnostics) {
  constexpr const char* kWords[] = {"false", "true", "auto"};
  const auto word = choice(e, name, kWords, diagnostics);
  return word && *word < 2 ? *word == 1 : byDefault;
}

Matrix3d quaternion(const XmlElement& e, const char* name, const std::string& owner,
                    Diagnostics& diagnostics) {
  const auto v = numbers(e, name, 4, 4, owner, diagnostics);
  if (!v) return Matrix3d::Identity();
  const Eigen::Map<const Eigen::Vector4d> q(v->data());
  if (!(q.stableNorm() > 1e-14)) {
    diagnostics.error(e.mark(*e.attribute(name)), what(e, name, owner) + " must not be zero");
    return Matrix3d::Identity();
  }
  return fromQuaternion(v->data());
}

Matrix3d turnZTo(const Vector3d& z) {
  const Vector3d target = z.stableNormalized();
  const Vector3d axis = cross(Vector3d(Vector3d::UnitZ()), target);
  const double s = axis.stableNorm();
  if (s < 1e-10)
    return target[2] > 0 ? Matrix3d::Identity() : turned(Vector3d::UnitX(), std::numbers::pi);
  return turned(axis / s, std::atan2(s, target[2]));
}

Pose poseOf(const XmlElement& e, const Conventions& c, const std::string& owner,
            Diagnostics& diagnostics) {
  Pose p;
  p.r = vector(e, "pos", p.r, owner, diagnostics);
  const auto refuse = [&](const char* name, const std::string& rule) {
    diagnostics.error(e.mark(*e.attribute(name)), what(e, name, owner) + " must not be " + rule);
  };
  const auto isLong = [](const Vector3d& v) { return v.stableNorm() > 1e-14; };
  int given = 0;
  for (const char* name : {"quat", "axisangle", "xyaxes", "zaxis", "euler"}) {
    if (!e.attribute(name)) continue;
    if (++given > 1) {
      diagnostics.error(e.mark(*e.attribute(name)), owner + ": <" + e.name +
                                                        "> has its orientation twice, also by '" +
                                                        std::string(name) + "'");
      return p;
    }
    const std::string kind = name;
    const size_t count = kind == "xyaxes" ? 6 : kind == "quat" || kind == "axisangle" ? 4 : 3;
    const auto v = numbers(e, name, count, count, owner, diagnostics);
    if (!v) continue;
    if (kind == "quat") {
      p.R = quaternion(e, name, owner, diagnostics);
    } else if (kind == "axisangle") {
      const Vector3d axis(v->data());
      if (isLong(axis)) {
        p.R = turned(axis.stableNormalized(), (*v)[3] * c.angle);
      } else {
        refuse(name, "about the zero vector");
      }
    } else if (kind == "xyaxes") {
      const Vector3d x = Vector3d(v->data()).stableNormalized();
      const Vector3d across = Vector3d(v->data() + 3) - x * x.dot(Vector3d(v->data() + 3));
      if (!isLong(Vector3d(v->data())) || !isLong(across)) {
        refuse(name, "of parallel or zero vectors");
        continue;
      }
      const Vector3d y = across.stableNormalized();
      p.R << x, y, cross(x, y);
    } else if (kind == "zaxis") {
      if (isLong(Vector3d(v->data()))) {
        p.R = turnZTo(Vector3d(v->data()));
      } else {
        refuse(name, "the zero vector");
      }
    } else {
      p.R = fromEuler(Vector3d(v->data()), c);
    }
  }
  return p;
}

}  // namespace cardan::robots::mjcf
