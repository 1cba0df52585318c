/// Translation: from the bodies of a robot to the components and connections of a model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/mjcf/robot.h"
#include "engine/text/import_report.h"
#include "engine/text/imported_model.h"
#include "engine/urdf/component_names.h"
#include "engine/urdf/import_options.h"
#include "engine/urdf/model_values.h"

namespace cardan::mjcf {

/// Bodies become bodies, joints the joints of the catalogue, in the order in which they turn the body;
/// what lies between them has names of its own.
class Translation {
 public:
  /// `path`: the robot's file.
  Translation(const Robot& robot, const std::string& path, const urdf::ImportOptions& options,
              ImportReport& report);

  ImportedModel make();

 private:
  using ArgumentList = urdf::ArgumentList;

  void hide(ArgumentList& a) const;
  void takeNames();
  void findPoses();
  void findFollowers();
  void addWorld();
  void addBody(int body);
  void addJoint(int joint);
  void addMount(int joint);
  void addDrives(int joint);
  void addActuators(int joint);
  void addStops(const Joint& j, ArgumentList& a);
  void addEquality(const Equality& q, int index);
  void addFollower(const Equality& q);
  void addShapes(const std::vector<urdf::Visual>& visuals, const std::string& owner,
                 const std::string& frame);
  /// Adds what lies at `pose`, where that is anywhere else; returns its far frame.
  std::string addOffset(const std::string& from, const Pose& pose, const std::string& name,
                        const XmlElement& e);
  std::string add(const std::string& name, const std::string& type, const ArgumentList& a,
                  const XmlElement& e, const std::string& comment = "");
  void connect(const std::string& a, const std::string& b, const XmlElement& e);
  std::string helper(const std::string& name) { return names_.take(name, ""); }
  std::string frameOf(int body) const;
  const std::string& jointName(int joint) const { return jointNames_[joint]; }
  std::string stopParameter(const char* name, double value, const XmlElement& e,
                            const std::string& comment);
  bool isDriven(int joint) const;

  const Robot& robot_;
  std::string path_;
  const urdf::ImportOptions& options_;
  ImportReport& report_;
  ImportedModel model_;
  urdf::ComponentNames names_;
  std::vector<std::string> bodyNames_, jointNames_;
  std::vector<Pose> poses_;                 ///< of the bodies in the world, as the file shows them
  std::vector<std::vector<int>> jointsOf_;  ///< of a body: into robot_.joints
  std::vector<bool> follows_, leads_;       ///< of a joint: in a constraint
  std::map<std::string, std::string> stopParameters_;
};

}  // namespace cardan::mjcf
