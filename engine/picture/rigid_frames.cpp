#include "engine/picture/rigid_frames.h"

#include "engine/picture/picture_recorder.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

namespace cardan {
namespace {

constexpr double kRigid = 1e-9;    // of the picture's size, and of a turn
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
  for (int i = 0; i < 3; ++i) key[i] = std::lround(1e6 * side * turn.vec()[i]);
  return key;
}

}  // namespace

std::vector<CarriedFrame> carriedFrames(const PictureRecorder& recorder,
                                        const std::vector<bool>& moves, double length) {
  const size_t rows = recorder.rows();
  std::vector<CarriedFrame> carried(moves.size());
  std::map<std::array<long, 3>, std::vector<size_t>> bases;
  for (size_t p = 0; p < moves.size(); ++p) {
    if (!moves[p]) continue;
    std::vector<size_t>& alike = bases[turnOf(recorder, p)];
    const size_t tried = std::min(alike.size(), kMostTried);
    for (size_t i = 0; i < tried && carried[p].base < 0; ++i) {
      const size_t base = alike[alike.size() - 1 - i];
      const auto at = [&](size_t row) {
        return relative(poseAt(recorder, row, base), poseAt(recorder, row, p));
      };
      const Pose first = at(0);
      bool rides = isSame(at(rows - 1), first, kRigid * length) &&
                   isSame(at(rows / 2), first, kRigid * length);
      for (size_t row = 1; rides && row < rows; ++row)
        rides = isSame(at(row), first, kRigid * length);
      if (!rides) continue;
      carried[p].base = base;
      const Eigen::Vector4d q = first.q.normalized().coeffs();  // (x, y, z, w)
      std::copy_n(first.r.data(), 3, carried[p].r_rel.begin());
      std::copy_n(q.data(), 4, carried[p].q_rel.begin());
    }
    if (carried[p].base < 0) alike.push_back(p);
  }
  return carried;
}

}  // namespace cardan
