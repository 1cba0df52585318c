/// LineForceAround: a line between two frames as a place for translational parts, around a sphere or a
/// cylinder where that is in its way.
#pragma once

#include <optional>
#include <string>

#include "components/animation.h"
#include "components/forces/line_flanges.h"
#include "components/interfaces/picture.h"
#include "components/line_around.h"

namespace cardan {

/// A thread under tension without friction and without mass: what pulls at its ends pulls as much all along.
///
/// Equations  flange_a.s = 0;  flange_b.s = length, of the shortest way around what is about frame_c;
///            along it the force at flange_b on frame_a and frame_b, its reaction on frame_c
/// Source     MuJoCo's documentation, Computation, Spatial tendons. Not in MSL.
class LineForceAround final : public ComponentOf<LineForceAround> {
 public:
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.enumeration("shape", obstacle_.isRound, {{"sphere", true}, {"cylinder", false}},
                  "what is in the way; a cylinder is along z of frame_c, and without ends");
    r.real("radius", obstacle_.radius, "m", "its radius, about the origin of frame_c", kPositive);
    r.boolean("useSide", useSide_,
              "there is a frame_side: the line passes frame_c on that side, else the shorter way");
    animation_.length(r, "diameter", r.world().defaultArrowDiameter,
                      "diameter of the line; default: world.defaultArrowDiameter");
    animation_.color(r, "color", kSensorColor, "line");
    animation_.specular(r);
  }
  void declare(Structure& s) override {
    frames_.declare(s);
    frame_c_ = s.frame("frame_c");
    if (useSide_) frame_side_ = s.frame("frame_side");
    flanges_.declare(s, [this](const auto& x) { return path(x).length; });
  }
  void describe(Variables& v) const override {
    v.scalar({"length", "m", "of the line from frame_a to frame_b", Level::Position},
             [this](const auto& x) { return path(x).length.position; });
    flanges_.describe(v);
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    for (int i = 0; i < line_around::kPieces; ++i) {
      const auto point = [this](const View<double>& x, int k) {
        const Ends<double> e = ends(x);
        return line_around::pointOn(obstacle_, e.p.r, e.q.r, e.turn, k);
      };
      const auto piece = [point, i](const View<double>& x) {
        return Vector3d(point(x, i + 1) - point(x, i));
      };
      Shape rod{.name = "line" + std::to_string(i + 1),
                .type = "cylinder",
                .place = frame_c_,
                .r_shape = PictureValue::vector(
                    Level::Position, [point, i](const View<double>& x) { return point(x, i); }),
                .lengthDirection = PictureValue::vector(Level::Position, piece),
                .length = PictureValue::scalar(
                    Level::Position, [piece](const View<double>& x) { return piece(x).norm(); }),
                .color = picture::rgb(animation_.colorValue("color")),
                .specular = animation_.specularValue()};
      picture::setDiameter(rod, animation_.realValue("diameter"));
      s.add(std::move(rod));
    }
  }

  template <class S>
  void physics(View<S>& x) const {
    const Path<S> line = path(x);
    flanges_.transmit(x, frames_.frame_a, line.pull_a);
    flanges_.transmit(x, frames_.frame_b, line.pull_b);
    if (line.reaction) x.transmit(flanges_.flange_b, frame_c_, *line.reaction);
  }

 private:
  template <class S>
  struct Path {
    FlangeState<S> length;
    Vector3<S> pull_a, pull_b;          ///< [1]  of 1 N, resolved in world
    std::optional<Wrench<S>> reaction;  ///< at frame_c, where it touches
  };
  /// Resolved in frame_c, and which way the line runs between them.
  template <class S>
  struct Ends {
    line_around::Point<S> p, q;
    int turn;
  };
  template <class S>
  Ends<S> ends(const View<S>& x) const {
    const FrameState<S>& c = x.frame(frame_c_);
    const auto seen = [&](FrameId frame) {
      const FrameState<S>& f = x.frame(frame);
      const auto in = [&c](const Vector3<S>& u) { return frames::resolve2(c.R, u); };
      const Vector3<S> w = frames::angularVelocity2(c.R);
      line_around::Point<S> p;
      p.r = in(f.r_0 - c.r_0);
      p.v = in(f.v_0 - c.v_0) - cross(w, p.r);
      p.a = in(f.a_0 - c.a_0) - cross(c.z_a, p.r) - cross(w, (cross(w, p.r) + 2.0 * p.v).eval());
      return p;
    };
    using line_around::number;
    Ends<S> e{seen(frames_.frame_a), seen(frames_.frame_b), 0};
    Vector3d side;
    if (useSide_) side = number(seen(frame_side_).r);
    e.turn = line_around::turnAround(obstacle_, number(e.p.r), number(e.q.r),
                                     useSide_ ? &side : nullptr);
    return e;
  }
  template <class S>
  Path<S> path(const View<S>& x) const {
    const auto [p, q, turn] = ends(x);
    if (turn == 0) {
      const Line<S> line =
          lineBetween(x.frame(frames_.frame_a), x.frame(frames_.frame_b), kShortest);
      return {{line.s, line.sd, line.sdd}, line.e_0, -line.e_0, std::nullopt};
    }
    const auto& R = x.frame(frame_c_).R;
    const auto found = line_around::around(obstacle_, p, q, turn);
    const auto out = [&R](const Vector3<S>& u) { return frames::resolve1(R, u); };
    const Vector3<S> moment = cross(p.r, found.pull_p) + cross(q.r, found.pull_q);
    return {{found.length.x, found.length.d, found.length.dd},
            out(found.pull_p),
            out(found.pull_q),
            -Wrench<S>{out(found.pull_p + found.pull_q), out(moment)}};
  }

  static constexpr double kShortest = 1e-10;  // [m]  below it a straight line has no direction
  line_around::Obstacle obstacle_;
  bool useSide_ = false;
  Animation animation_;
  TwoNoTreeFrames frames_;
  FrameId frame_c_, frame_side_;
  LineFlanges flanges_;
};

}  // namespace cardan
