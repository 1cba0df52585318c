#include "engine/picture/rigid_frames.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace cardan {
namespace {

constexpr double kRigid = 1e-9;    // of the scene's size, and of a turn
constexpr size_t kMostTried = 64;  // frames that turn alike

struct Pose {
  Eigen::Vector3d r;     ///< [m]
  Eigen::Quaterniond q;  ///< from the frame's own axes
};

Pose poseAt(const PictureRecorder& recorder, size_t row, size_t frame) {
  const double* m = recorder.motion(row, frame + 1);
  return {{m[0], m[1], m[2]}, {m[6], m[3], m[4], m[5]}};
}

/// Of a frame in another one.
Pose relative(const Pose& base, const Pose& p) {
  const Eigen::Quaterniond back = base.q.conjugate();
  return {back * (p.r - base.r), back * p.q};
}

bool isSame(const Pose& a, const Pose& b, double length) {
  return (a.r - b.r).cwiseAbs().maxCoeff() < length &&
         (a.q.coeffs() - b.q.coeffs()).cwiseAbs().maxCoeff() < kRigid;
}

/// How a frame turns from the first row to the last, the same for all that are one piece; rounded, so
/// that a pair at the edge between two numbers is missed, which only costs bytes.
std::array<long, 3> turnOf(const PictureRecorder& recorder, size_t frame) {
  const size_t last = recorder.rows() - 1;
  Eigen::Quaterniond turn =
      poseAt(recorder, last, frame).q * poseAt(recorder, 0, frame).q.conjugate();
  const double side = turn.w() < 0 ? -1 : 1;
  std::array<long, 3> key{};
  for (int i = 0; i < 3; ++i) key[static_cast<size_t>(i)] = std::lround(1e6 * side * turn.vec()[i]);
  return key;
}

}  // namespace

void findRigidFrames(const PictureRecorder& recorder, Scene& scene) {
  const size_t rows = recorder.rows();
  const double length = kRigid * scene.size();
  std::map<std::array<long, 3>, std::vector<size_t>> bases;
  for (size_t p = 0; p < scene.frames.size(); ++p) {
    Scene::Frame& frame = scene.frames[p];
    if (frame.r.constant() && frame.q.constant()) continue;
    std::vector<size_t>& alike = bases[turnOf(recorder, p)];
    const size_t tried = std::min(alike.size(), kMostTried);
    for (size_t i = 0; i < tried && frame.base < 0; ++i) {
      const size_t base = alike[alike.size() - 1 - i];
      const auto at = [&](size_t row) {
        return relative(poseAt(recorder, row, base), poseAt(recorder, row, p));
      };
      const Pose first = at(0);
      bool carried = isSame(at(rows - 1), first, length) && isSame(at(rows / 2), first, length);
      for (size_t row = 1; carried && row < rows; ++row) carried = isSame(at(row), first, length);
      if (!carried) continue;
      frame.base = static_cast<int>(base);
      for (int k = 0; k < 3; ++k) frame.r_rel[static_cast<size_t>(k)] = first.r[k];
      const Eigen::Vector4d q = first.q.normalized().coeffs();  // (x, y, z, w)
      for (int k = 0; k < 4; ++k) frame.q_rel[static_cast<size_t>(k)] = q[k];
    }
    if (frame.base < 0) alike.push_back(p);
  }
}

}  // namespace cardan
