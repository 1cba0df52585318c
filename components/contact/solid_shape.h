/// SolidShape: a convex body that others touch, or ground that they lie on.
#pragma once

#include <array>
#include <vector>

#include "components/animation.h"
#include "components/component.h"
#include "components/contact/solid.h"
#include "components/interfaces/one_frame.h"
#include "components/surface.h"

namespace cardan::contact {

/// A massless solid fixed at frame_a: displaced by r, then turned. What it touches, and how, is the
/// model's (`contacts`); see ShapePair.
class SolidShape final : public ComponentOf<SolidShape>, public Surface {
 public:
  /// A body that begins at r and extends along lengthDirection, by width along widthDirection and
  /// by height across both; as cardan::Shape has it, resolved in frame_a.
  struct Bar {
    Vector3d r{0, 0, 0};                       ///< [m]
    Vector3d lengthDirection{1, 0, 0};         ///< [1]
    Vector3d widthDirection{0, 1, 0};          ///< [1]
    double length = 0, width = 0, height = 0;  ///< [m]
  };

  SolidShape() = default;
  /// `type`: box, cylinder or sphere.
  SolidShape(const std::string& type, const Bar& bar, std::string material)
      : material_(std::move(material)) {
    set(type, bar);
  }
  void set(const std::string& type, const Bar& bar);

  void read(ParameterReader& r) override;
  void parametersChanged() override;
  void declare(Structure& s) override { frame_.declare(s); }
  void picture(Shapes& s) const override;
  const Surface* surface() const override { return this; }

  const char* connector() const override { return "frame_a"; }
  double inRadius() const override { return solid_.inRadius(); }
  const std::string& material() const override { return material_; }
  std::unique_ptr<Component> against(const Surface& other, double mass,
                                     std::string& why) const override;

  const Solid& solid() const { return solid_; }
  const Vector3d& r() const { return r_; }  ///< [m]  to the solid's origin, resolved in frame_a
  const Matrix3d& T() const { return T_; }  ///< [1]  v_solid = T v_frame_a

 private:
  enum class Kind { plane, sphere, capsule, cylinder, ellipsoid, box, cone, hull, heights, mesh };

  void makeSolid();
  void turn();
  void pictureHull(Shapes& s) const;
  void pictureGround(Shapes& s) const;
  void readGround(ParameterReader& r);
  void checkGround(ParameterReader& r) const;
  /// [m]  Of the field of heights, by row and column.
  Vector3d top(Eigen::Index i, Eigen::Index j) const;
  std::vector<std::array<Vector3d, 3>> groundTriangles() const;
  bool isGround() const { return has(Kind::heights) || has(Kind::mesh); }
  bool has(Kind k) const { return kind_ == k; }

  Kind kind_ = Kind::box;
  Vector3d r_{0, 0, 0};  ///< [m]
  frames::Sequence sequence_{1, 2, 3};
  Vector3d angles_{0, 0, 0};   ///< [deg]
  Vector3d n_{0, 0, 1};        ///< [1]  of a plane
  double radius_ = 0;          ///< [m]
  double length_ = 0;          ///< [m]
  Vector3d radii_{0, 0, 0};    ///< [m]
  Vector3d size_{0, 0, 0};     ///< [m]
  Eigen::MatrixXd points_;     ///< [m]  n x 3
  Eigen::MatrixXd heights_;    ///< [m]  a row for each y, along x
  Eigen::MatrixXd spacing_;    ///< [m]  between these, along x and y
  Eigen::MatrixXd triangles_;  ///< [m]  n x 9
  std::string material_;

  Solid solid_;
  Matrix3d T_ = Matrix3d::Identity();
  OneFrame_a frame_;
  Animation animation_;
};

}  // namespace cardan::contact
