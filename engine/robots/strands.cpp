#include "engine/robots/strands.h"

#include "components/line_around.h"

namespace cardan::robots {

StrandState stateOf(const Strand& strand, const std::vector<Pose>& poses) {
  const auto placed = [&](const Place& p) { return p.body < 0 ? p.pose : poses[p.body] * p.pose; };
  const Vector3d a = placed(strand.from).r, b = placed(strand.to).r;
  if (strand.around) {
    const Strand::Around& o = *strand.around;
    const Pose c = placed(o.place);
    const auto seen = [&](const Vector3d& r) { return Vector3d(c.R.transpose() * (r - c.r)); };
    const line_around::Obstacle obstacle{o.isRound, o.radius};
    const line_around::Point<double> p{seen(a), Vector3d::Zero(), Vector3d::Zero()},
        q{seen(b), Vector3d::Zero(), Vector3d::Zero()};
    const Vector3d side = o.side ? seen(placed(*o.side).r) : Vector3d::Zero();
    const int turn = turnAround(obstacle, p.r, q.r, o.side ? &side : nullptr);
    if (turn != 0) {
      const auto path = around(obstacle, p, q, turn);
      const Vector3d pull_a = c.R * path.pull_p, pull_b = c.R * path.pull_q;
      return {path.length.x,
              {{strand.from.body, a, pull_a},
               {strand.to.body, b, pull_b},
               {o.place.body, a, -pull_a},
               {o.place.body, b, -pull_b}}};
    }
  }
  const double length = (b - a).norm();
  const Vector3d e = (b - a) / std::max(length, 1e-10);
  return {length, {{strand.from.body, a, e}, {strand.to.body, b, -e}}};
}

}  // namespace cardan::robots
