/// Contacts: which geoms touch, and how, by the rules of MuJoCo.
#pragma once

#include <array>
#include <compare>
#include <string>
#include <utility>
#include <vector>

#include "engine/robots/import_report.h"
#include "engine/robots/robot.h"

namespace cardan::robots::mjcf {

/// What a geom says of its contacts.
struct ContactSettings {
  int type = 1, affinity = 1;  ///< bits: of itself, of those that it touches
  int dimension = 3;           ///< 1: without friction, 6: with rolling resistance
  int priority = 0;
  double mix = 1;                            ///< [1]  its weight in the next two
  std::array<double, 2> reference{0.02, 1};  ///< [s], [1]; negative: -[1/s2], -[1/s]
  std::array<double, 5> impedance{0.9, 0.95, 0.001, 0.5, 2};  ///< [1], width [m], middle [1], power
  double mu = 1;                                              ///< [1]
  double rolling = 1e-4;                                      ///< [m]

  auto operator<=>(const ContactSettings&) const = default;
  bool touches() const { return type != 0 || affinity != 0; }
};

/// Adds what the attributes of a <geom> or a <pair> say.
void readContactSettings(const XmlElement& full, const std::string& owner,
                         ContactSettings& settings, Diagnostics& diagnostics);

/// Of a contact of two geoms.
ContactSettings bothOf(const ContactSettings& a, const ContactSettings& b);

/// `solref` as a constraint has it: in place of what makes no sense the default, and no time constant below
/// `leastTime` [s].
std::array<double, 2> solved(std::array<double, 2> reference, double leastTime);

/// `g` [m/s2]; `leastTime` [s]: of time constants.
ContactLaw lawOf(const ContactSettings& both, double g, double leastTime);

/// What a file says of contacts; geoms are colliders of its robot, by index.
struct GeomContacts {
  struct Pair {
    int a = -1, b = -1;
    ContactSettings settings;
    const XmlElement* element = nullptr;
  };
  std::vector<ContactSettings> settings;     ///< of each collider
  std::vector<Pair> pairs;                   ///< that touch whatever else is said
  std::vector<std::pair<int, int>> exclude;  ///< bodies that do not touch
  double leastTime = 0;                      ///< [s]
};

/// Names the colliders that touch, and says which do; what cannot is in `report`.
void makeContacts(const GeomContacts& contacts, Robot& robot, ImportReport& report);

}  // namespace cardan::robots::mjcf
