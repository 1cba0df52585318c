/// Translation: from the tree of a robot to the components and connections of a model.
#pragma once

#include <string>
#include <vector>

#include "engine/text/import_report.h"
#include "engine/text/imported_model.h"
#include "engine/urdf/component_names.h"
#include "engine/urdf/import_options.h"
#include "engine/urdf/kinematic_tree.h"
#include "engine/urdf/model_values.h"

namespace cardan::urdf {

/// Links become bodies, joints the joints of the catalogue; what is in the way between them (an
/// origin, a damper, a gear that makes a joint follow) has names of its own.
class Translation {
 public:
  /// `bodies`: for every link the one that it is part of, mostly itself. `path`: the robot's file.
  Translation(const Robot& robot, const KinematicTree& tree, const std::vector<int>& bodies,
              const std::string& path, const ImportOptions& options, ImportReport& report);

  ImportedModel make();

 private:
  void takeNames();
  void findDriven();
  void findShapes();
  void warnOfMassless();
  double extent() const;
  void addWorld();
  void addRoot();
  void addJoint(size_t joint);
  void addCoordinates(const Joint& j, size_t joint, ArgumentList& a);
  void addOrigin(const Joint& j, const std::string& name, ArgumentList& a);
  void addDrives(const Joint& j, size_t joint);
  void addDamper(const Joint& j, const std::string& name);
  void addFriction(const Joint& j, ArgumentList& a);
  void addStops(const Joint& j, ArgumentList& a);
  void addFollower(const Joint& j, size_t joint);
  void addLink(size_t link, const ArgumentList& start);
  void addShapes(size_t link);

  ArgumentList argumentsAt(const XmlElement& e) const { return ArgumentList(e.mark()); }
  /// Adds a component; returns its name.
  std::string add(const std::string& name, const std::string& type, const ArgumentList& arguments,
                  const XmlElement& e, const std::string& comment = "");
  void connect(const std::string& a, const std::string& b, const XmlElement& e);
  /// A component that the file does not name.
  std::string helper(const std::string& name) { return names_.take(name, ""); }
  std::string stopParameter(const char* name, double value, const XmlElement& e,
                            const std::string& comment);
  const std::string& bodyName(int link) const { return linkNames_[bodies_[link]]; }
  /// Shapes are there: the looks of the mechanics would hide them.
  void hide(ArgumentList& a) const {
    if (hasShapes_) a.addWord("animation", "false");
  }

  const Robot& robot_;
  const KinematicTree& tree_;
  const std::vector<int>& bodies_;
  const std::string& path_;
  const ImportOptions& options_;
  ImportReport& report_;

  ImportedModel model_;
  ComponentNames names_;
  std::vector<std::string> linkNames_, jointNames_;
  std::vector<bool> isDriven_;                 ///< joints that need an axis flange
  std::vector<std::vector<YamlNode>> shapes_;  ///< of a link
  bool hasShapes_ = false;
  std::map<std::string, std::string> stopParameters_;  ///< their names in the model
};

}  // namespace cardan::urdf
