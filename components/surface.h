/// Surface: the outside of a component's body, which those of other bodies may touch.
#pragma once

#include <memory>
#include <string>

namespace cardan {

class Component;

/// Of a body with flat faces that touches others.
inline constexpr int kMostFaces = 200;

class Surface {
 public:
  virtual ~Surface() = default;

  /// The component's frame connector that it is fixed in.
  virtual const char* connector() const = 0;
  /// [m]  About the radius of the largest ball inside it; infinite for a half-space.
  virtual double inRadius() const = 0;
  /// Name of its material in the model's section on contacts; "": the defaults alone.
  virtual const std::string& material() const = 0;
  /// A component between this surface, at its frame_a, and `other` at its frame_b, to be read like
  /// others. Null: there is no law for these two, and `why` says so. `mass` [kg]: of what moves
  /// together with the lighter of the two.
  virtual std::unique_ptr<Component> against(const Surface& other, double mass,
                                             std::string& why) const = 0;
};

}  // namespace cardan
