#include "engine/picture/still.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "engine/picture/canvas.h"
#include "engine/picture/posed_scene.h"

namespace cardan {
namespace {

constexpr int kFiner = 3;  // pixels drawn in each direction for one shown
constexpr double kFieldOfView = 32 * 3.14159265358979323846 / 180;
const Vector3d kBackground(0.969, 0.976, 0.984);

/// Axes that the eye knows: up, and two across it.
struct Directions {
  Vector3d up, right, front;

  explicit Directions(const Scene& scene) : up(scene.up[0], scene.up[1], scene.up[2]) {
    up.normalize();
    const Vector3d x = std::abs(up[0]) > 0.9 ? Vector3d(0, 1, 0) : Vector3d(1, 0, 0);
    right = (x - x.dot(up) * up).normalized();
    front = right.cross(up);
  }

  /// To the eye.
  Vector3d back(const std::string& view) const {
    if (view.size() == 1) return Vector3d::Unit(view[0] - 'x');
    const bool iso = view == "iso";
    return (front + (iso ? 1 : 0.55) * right + (iso ? 0.816 : 0.42) * up).normalized();
  }
};

class StillCamera {
 public:
  /// Sees the box from its middle, as near as it goes.
  StillCamera(const Directions& d, const std::string& view, const Vector3d& low,
              const Vector3d& high, int width, int height)
      : back_(d.back(view)), middleX_(width / 2.0), middleY_(height / 2.0) {
    const Vector3d up = std::abs(back_.dot(d.up)) > 0.9999 ? Vector3d(-d.front) : d.up;
    right_ = up.cross(back_).normalized();
    up_ = back_.cross(right_);
    const double tan = std::tan(kFieldOfView / 2), aspect = double(width) / height;
    const Vector3d target = (low + high) / 2;
    double distance = 1e-9;
    for (int c = 0; c < 8; ++c) {
      Vector3d p = -target;
      for (int i = 0; i < 3; ++i) p[i] += c & (1 << i) ? low[i] : high[i];
      const double tall = std::abs(p.dot(up_)) / tan, wide = std::abs(p.dot(right_)) / tan / aspect;
      distance = std::max(distance, std::max(tall, wide) * 1.08 + p.dot(back_));
    }
    eye_ = target + distance * back_;
    focus_ = height / 2.0 / tan;
    nearest_ = distance / 300;
  }

  const Vector3d& eye() const { return eye_; }
  /// False for what is behind the eye.
  bool project(const Vector3d& p, CanvasPoint& to) const {
    const Vector3d d = p - eye_;
    const double away = -d.dot(back_);
    if (!(away > nearest_)) return false;
    to.inverse = to.depth = 1 / away;
    to.x = middleX_ + focus_ * d.dot(right_) / away;
    to.y = middleY_ - focus_ * d.dot(up_) / away;
    return true;
  }

 private:
  Vector3d back_, right_, up_, eye_;
  double middleX_, middleY_, focus_ = 1, nearest_ = 0;
};

/// What the sun does not reach: distances to it, seen from far away.
class Shadows {
 public:
  Shadows(const PosedScene& scene, const Vector3d& toSun)
      : toSun_(toSun),
        middle_((scene.lowest + scene.highest) / 2),
        reach_(std::max(0.55 * (scene.highest - scene.lowest).norm(), 1e-9)),
        map_(kSize, kSize, Vector3d(0, 0, 0)) {
    right_ = toSun_.unitOrthogonal();
    up_ = toSun_.cross(right_);
    for (const PosedItem& item : scene.items) {
      if (item.lines || item.opacity < 1) continue;
      for (size_t t = 0; t + 2 < item.indices->size(); t += 3) {
        std::array<CanvasPoint, 3> v;
        for (size_t k = 0; k < 3; ++k) v[k] = seen(item.positions[(*item.indices)[t + k]]);
        map_.triangle(v, true, [](const auto&) { return Eigen::Vector4f(0, 0, 0, 0); });
      }
    }
  }

  /// Share of the sun at a point of a surface with this normal: 0..1.
  double light(const Vector3d& p, const Vector3d& normal) const {
    const CanvasPoint at = seen(p + 0.004 * reach_ * normal);
    const int x = static_cast<int>(std::floor(at.x)), y = static_cast<int>(std::floor(at.y));
    int free = 0, all = 0;
    for (int i = -2; i <= 2; ++i) {
      for (int j = -2; j <= 2; ++j, ++all) {
        const bool inside = x + i >= 0 && y + j >= 0 && x + i < kSize && y + j < kSize;
        free += !inside || map_.depth(x + i, y + j) <= at.depth + 0.003 * reach_;
      }
    }
    return double(free) / all;
  }

 private:
  static constexpr int kSize = 1400;

  CanvasPoint seen(const Vector3d& p) const {
    const Vector3d d = p - middle_;
    return {kSize / 2.0 * (1 + d.dot(right_) / reach_), kSize / 2.0 * (1 + d.dot(up_) / reach_),
            d.dot(toSun_), 1};
  }

  Vector3d toSun_, middle_, right_, up_;
  double reach_;
  Canvas map_;
};

class Painter {
 public:
  Painter(const Scene& scene, const StillOptions& options, const PosedScene& posed)
      : scene_(scene),
        posed_(posed),
        directions_(scene),
        low_(posed.lowest),
        high_(posed.highest),
        toSun_((1.5 * directions_.up + 0.7 * directions_.right + 0.5 * directions_.front)
                   .normalized()),
        toFill_((directions_.front - directions_.right).normalized()),
        shadows_(posed, toSun_),
        canvas_(kFiner * options.width, kFiner * options.height, kBackground) {
    for (const int f : scene.traced) {
      for (size_t row = 0; row < scene.times.size(); ++row) {
        low_ = low_.cwiseMin(framePosition(scene, f, row));
        high_ = high_.cwiseMax(framePosition(scene, f, row));
      }
    }
    camera_.emplace(directions_, options.view, low_, high_, canvas_.width(), canvas_.height());
  }

  Image paint() {
    floor();
    for (const bool opaque : {true, false}) {
      for (const PosedItem& item : posed_.items) {
        if ((item.opacity >= 1) == opaque) add(item);
      }
    }
    traces();
    return image();
  }

 private:
  /// A grid below everything, that takes the shadows.
  void floor() {
    const double size = std::max((high_ - low_).norm(), 1e-9), raw = size / 12;
    double step = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {2.0, 2.5, 2.0}) {
      if (step < raw) step *= factor;
    }
    double bottom = 1e300;
    std::array<double, 2> from{1e300, 1e300}, to{-1e300, -1e300};
    for (int c = 0; c < 8; ++c) {
      Vector3d p;
      for (int i = 0; i < 3; ++i) p[i] = c & (1 << i) ? low_[i] : high_[i];
      bottom = std::min(bottom, p.dot(directions_.up) - 0.004 * size);
      const std::array<double, 2> across{p.dot(directions_.right), p.dot(directions_.front)};
      for (size_t k = 0; k < 2; ++k) {
        from[k] = std::min(from[k], std::floor((across[k] - size / 4) / step) * step);
        to[k] = std::max(to[k], std::ceil((across[k] + size / 4) / step) * step);
      }
    }
    const auto place = [&](double u, double v) -> Vector3d {
      return bottom * directions_.up + u * directions_.right + v * directions_.front;
    };
    const auto grid = [&](const Vector3d& a, const Vector3d& b) {
      segment(a, b, 0.8, {0.80F, 0.83F, 0.86F, 1}, false);
    };
    for (double u = from[0]; u < to[0] + step / 2; u += step)
      grid(place(u, from[1]), place(u, to[1]));
    for (double v = from[1]; v < to[1] + step / 2; v += step)
      grid(place(from[0], v), place(to[0], v));
    const std::array<Vector3d, 4> corners{place(from[0], from[1]), place(to[0], from[1]),
                                          place(to[0], to[1]), place(from[0], to[1])};
    for (const std::array<size_t, 3>& t : {std::array<size_t, 3>{0, 1, 2}, {0, 2, 3}}) {
      std::array<CanvasPoint, 3> v;
      bool seen = true;
      for (size_t k = 0; k < 3; ++k) seen = camera_->project(corners[t[k]], v[k]) && seen;
      if (!seen) continue;
      canvas_.triangle(v, false, [&](const std::array<double, 3>& w) {
        const Vector3d p = w[0] * corners[t[0]] + w[1] * corners[t[1]] + w[2] * corners[t[2]];
        const double dark = 0.2 * (1 - shadows_.light(p, directions_.up));
        return Eigen::Vector4f(0, 0, 0, static_cast<float>(dark));
      });
    }
  }

  void add(const PosedItem& item) {
    const std::vector<std::uint32_t>& indices = *item.indices;
    if (item.lines) {
      for (size_t k = 0; k + 1 < indices.size(); k += 2) {
        Eigen::Vector4f c;
        c << item.color(indices[k]).cast<float>(), static_cast<float>(item.opacity);
        segment(item.positions[indices[k]], item.positions[indices[k + 1]], 1.2, c, true);
      }
      return;
    }
    for (size_t t = 0; t + 2 < indices.size(); t += 3)
      triangle(item, {indices[t], indices[t + 1], indices[t + 2]});
  }

  void triangle(const PosedItem& item, const std::array<size_t, 3>& corners) {
    std::array<CanvasPoint, 3> v;
    for (size_t k = 0; k < 3; ++k) {
      if (!camera_->project(item.positions[corners[k]], v[k])) return;
    }
    const auto mean = [&](const auto& of, const std::array<double, 3>& w) -> Vector3d {
      return w[0] * of(corners[0]) + w[1] * of(corners[1]) + w[2] * of(corners[2]);
    };
    const auto position = [&](size_t i) -> const Vector3d& { return item.positions[i]; };
    const auto normal = [&](size_t i) -> const Vector3d& { return item.normals[i]; };
    const auto color = [&](size_t i) -> const Vector3d& { return item.color(i); };
    const Vector3d face = (position(corners[1]) - position(corners[0]))
                              .cross(position(corners[2]) - position(corners[0]));
    const bool away = face.dot(camera_->eye() - position(corners[0])) < 0;
    if (item.closed && away && item.opacity >= 1) return;
    canvas_.triangle(v, item.opacity >= 1, [&](const std::array<double, 3>& w) {
      Vector3d n = mean(normal, w).normalized();
      if (away) n = -n;
      Eigen::Vector4f c;
      c << lit(mean(position, w), n, mean(color, w), item.specular).cast<float>(),
          static_cast<float>(item.opacity);
      return c;
    });
  }

  /// Light from the sky, the sun and a lamp on the other side.
  Vector3d lit(const Vector3d& p, const Vector3d& n, const Vector3d& color, double specular) {
    const Vector3d toEye = (camera_->eye() - p).normalized();
    const double sky = n.dot(directions_.up) / 2 + 0.5;
    Vector3d light = 0.72 * (sky * Vector3d(1, 1, 1) + (1 - sky) * Vector3d(0.706, 0.729, 0.761));
    Vector3d shine(0, 0, 0);
    const auto lamp = [&](const Vector3d& to, double strength) {
      const double towards = n.dot(to);
      if (towards <= 0) return;
      light += strength * towards * Vector3d(1, 1, 1);
      const double glance = std::max(0.0, n.dot((to + toEye).normalized()));
      shine +=
          0.35 * specular * strength * towards * 5.9 * std::pow(glance, 45) * Vector3d(1, 1, 1);
    };
    if (n.dot(toSun_) > 0) lamp(toSun_, 0.42 * shadows_.light(p, n));
    lamp(toFill_, 0.2);
    return color.cwiseProduct(light) + shine;
  }

  /// `width` [pixels of the image].
  void segment(const Vector3d& a, const Vector3d& b, double width, const Eigen::Vector4f& color,
               bool covers) {
    CanvasPoint from, to;
    if (camera_->project(a, from) && camera_->project(b, to))
      canvas_.line(from, to, kFiner * width, color, covers);
  }

  void traces() {
    static const std::array<Eigen::Vector4f, 4> kColors{
        Eigen::Vector4f(0, 0.40F, 0.77F, 1), Eigen::Vector4f(0.82F, 0.29F, 0.36F, 1),
        Eigen::Vector4f(0.16F, 0.62F, 0.36F, 1), Eigen::Vector4f(0.88F, 0.56F, 0.04F, 1)};
    for (size_t k = 0; k < scene_.traced.size(); ++k) {
      for (size_t row = 1; row < scene_.times.size(); ++row) {
        segment(framePosition(scene_, scene_.traced[k], row - 1),
                framePosition(scene_, scene_.traced[k], row), 1.4, kColors[k % kColors.size()],
                true);
      }
    }
  }

  Image image() const {
    Image image{canvas_.width() / kFiner, canvas_.height() / kFiner, {}};
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        Eigen::Vector3f sum(0, 0, 0);
        for (int k = 0; k < kFiner * kFiner; ++k)
          sum += canvas_.color(kFiner * x + k % kFiner, kFiner * y + k / kFiner);
        for (int i = 0; i < 3; ++i) {
          const float c = 255 * sum[i] / (kFiner * kFiner);
          image.rgb.push_back(static_cast<unsigned char>(std::lround(std::clamp(c, 0.F, 255.F))));
        }
      }
    }
    return image;
  }

  const Scene& scene_;
  const PosedScene& posed_;
  Directions directions_;
  Vector3d low_, high_, toSun_, toFill_;
  Shadows shadows_;
  Canvas canvas_;
  std::optional<StillCamera> camera_;
};

}  // namespace

const std::vector<std::string>& stillViews() {
  static const std::vector<std::string> kViews{"x", "y", "z", "iso", "home"};
  return kViews;
}

Image drawStill(const Scene& scene, const StillOptions& options) {
  const PosedScene posed = poseAt(scene, options.time.value_or(scene.times.back()));
  return Painter(scene, options, posed).paint();
}

}  // namespace cardan
