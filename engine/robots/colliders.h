/// Colliders: what touches others as the shapes of a model.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/robots/import_report.h"
#include "engine/robots/robot.h"
#include "engine/robots/solids.h"

namespace cardan::robots {

/// What no component of a model with shapes is named: results of contacts begin with it.
inline constexpr const char* kContactName = "contact";

/// Geometry that touches nothing, told once for each reason.
class Untouched {
 public:
  /// `noun`: "geom"
  explicit Untouched(std::string noun) : noun_(std::move(noun)) {}
  /// `name`: in the report;  `what`: "'x'", "one of body 'b'".
  void add(const std::string& name, const std::string& what, const SourceMark& at,
           const std::string& why);
  void tell(ImportReport& report) const;

 private:
  struct Reason {
    std::string why, name;
    SourceMark at;  ///< of the first
    std::vector<std::string> what;
  };
  std::string noun_;
  std::vector<Reason> reasons_;
};

/// The arguments of the Contact.Shape.
YamlNode argumentsOf(const Collider& collider);

/// Makes it the hull of a mesh's faces [m], without corners where it has more faces than a contact takes.
/// False, and `why` says so, where there is none.
bool makeHull(const std::vector<Face>& faces, Collider& collider, std::string& why);

/// A warning of those hulls from which corners are left out.
void tellCutHulls(const Robot& robot, ImportReport& report);

/// A plane that bears what stands on it, at a height [m].
Collider groundAt(double height, const XmlElement& robot);

/// Gives a collider the name that it has in the file, else one by its body; `suffix` goes behind a name that is
/// taken.
void takeName(Collider& collider, const std::string& suffix, Robot& robot);

}  // namespace cardan::robots
