// The table of all elements and attributes of MJCF: what it says of each is true.
#include "engine/robots/mjcf/vocabulary.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "engine/robots/import.h"

using namespace cardan;

namespace {

using Vocabulary = XmlVocabulary;

struct Imported {
  std::string text;      ///< of the model; "" after errors
  std::string messages;  ///< all diagnostics
};

Imported importedMjcf(const std::string& text, bool allowUnknown = false) {
  robots::ImportOptions options;
  options.allowUnknown = allowUnknown;
  options.friction = true;
  Diagnostics diagnostics;
  const auto robot = importRobotText(text, "r.xml", options, diagnostics);
  return {robot ? robot->model.text() : "", diagnostics.format()};
}

/// A robot with something of everything that has a place to put attributes in, {KIND}.
const std::string kRobot =
    R"(<mujoco{mujoco}><compiler{compiler}/><option{option}><flag{flag}/></option>
<default><default class='c'><joint damping='0.7'/><geom density='333'/><site pos='0.1 0 0'/>
  <equality active='false'/><motor gear='7'/><material rgba='0 1 0 1'/><mesh scale='2 2 2'/>
  <tendon damping='9'/></default>
  <equality{default.equality}/><tendon{default.tendon}/></default>
<asset><mesh{mesh}/><material{material}/><mesh name='box' vertex='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1'/></asset>
<worldbody><site name='w' pos='0.5 1 1'/>
  <body name='a' pos='0 0 1' euler='10 20 30'><joint name='h' axis='0 1 0' range='-60 60' stiffness='1' frictionloss='0.1' damping='0.1'/>
    <geom type='box' size='0.1 0.2 0.3' pos='0.4 0 0' group='1'/><site{site}/>
    <frame{frame}><body{body}><inertial{inertial}/><joint{joint}/><geom{geom}/>
      <geom type='capsule' size='0.1 0.2'/></body></frame>
    <replicate{replicate}><body><joint/><geom size='0.1'/></body></replicate></body>
  <body name='b'><freejoint{freejoint}/><geom size='0.1'/></body>
  <body name='d'><joint name='k'/><site name='v' pos='1 0 0'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom size='0.1' pos='0.2 0 0'/></body></worldbody>
<equality><connect body1='b' anchor='1 0 0'/><connect{connect}/><weld{weld}/><joint{equality.joint}/>
  <tendon{equality.tendon}/></equality>
<tendon><fixed name='t'{fixed}><joint joint='h' coef='2'/><joint joint='k' coef='-1'/></fixed>
  <fixed name='r'><joint joint='h' coef='1'/></fixed>
  <spatial name='p'{spatial}><site site='w'/><site site='v'/></spatial></tendon>
<actuator><motor name='u' joint='k'/><general{general}/><motor{motor}/><position{position}/><velocity{velocity}/><damper{damper}/>
</actuator></mujoco>)";

/// What an element needs to be there at all; without it its place is empty.
const std::map<std::string, std::string> kNeeded{
    {"mesh", "name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1'"},
    {"material", "name='m'"},
    {"inertial", "pos='0.1 0 0' mass='2'"},
    {"joint", "axis='0 1 0'"},
    {"geom", "type='box' size='0.1 0.2 0.3'"},
    {"replicate", "count='2'"},
    {"connect", "body1='a' body2='b' anchor='0 0 0'"},
    {"weld", "body1='a' body2='b'"},
    {"equality.joint", "joint1='h' joint2='k'"},
    {"equality.tendon", "tendon1='t'"},
    {"general", "joint='h'"},
    {"motor", "joint='h'"},
    {"position", "joint='h'"},
    {"velocity", "joint='h'"},
    {"damper", "joint='h' ctrlrange='0 1'"}};

/// A value of an attribute that changes the model, and what it needs beside it.
struct Sample {
  const char* kinds;
  const char* attribute;
  const char* value;
  const char* company = "";
};
constexpr const char* kPlaced = "body frame inertial geom";
constexpr const char* kDrive = "general motor position velocity damper";
constexpr const char* kTendon = "fixed spatial default.tendon";
constexpr Sample kSamples[] = {
    {"mujoco", "model", "m"},
    {"compiler", "angle", "radian"},
    {"compiler", "autolimits", "false"},
    {"compiler", "eulerseq", "zyx"},
    {"compiler", "coordinate", "global"},
    {"compiler", "inertiafromgeom", "true"},
    {"compiler", "inertiagrouprange", "1 5"},
    {"compiler", "settotalmass", "50"},
    {"compiler", "boundmass", "50"},
    {"compiler", "boundinertia", "50"},
    {"option", "gravity", "0 0 -1"},
    {"option", "actuatorgroupdisable", "0"},
    {"inertial", "quat", "1 0.1 0.2 0.3", "diaginertia='0.1 0.2 0.25'"},
    {"inertial", "axisangle", "1 2 3 40", "diaginertia='0.1 0.2 0.25'"},
    {"inertial", "xyaxes", "1 1 0 0 1 1", "diaginertia='0.1 0.2 0.25'"},
    {"inertial", "zaxis", "1 1 1", "diaginertia='0.1 0.2 0.25'"},
    {"inertial", "euler", "10 20 30", "diaginertia='0.1 0.2 0.25'"},
    {kPlaced, "pos", "0.3 0.2 0.1"},
    {kPlaced, "quat", "1 0.1 0.2 0.3"},
    {kPlaced, "axisangle", "1 2 3 40"},
    {kPlaced, "xyaxes", "1 1 0 0 1 1"},
    {kPlaced, "zaxis", "1 1 1"},
    {kPlaced, "euler", "10 20 30"},
    {"body frame replicate", "childclass", "c"},
    {"body", "name", "n"},
    {"body", "gravcomp", "0.5"},
    {"inertial", "mass", "3"},
    {"inertial", "diaginertia", "0.2 0.2 0.3"},
    {"inertial", "fullinertia", "1 1 1 0.1 0 0"},
    {"joint freejoint", "name", "n"},
    {"joint", "class", "c"},
    {"joint", "type", "slide"},
    {"joint", "pos", "0.1 0.2 0.3"},
    {"joint", "axis", "1 0 0"},
    {"joint", "ref", "10"},
    {"joint", "springref", "10", "stiffness='3'"},
    {"joint", "springdamper", "0.5 1"},
    {"joint", "damping", "3"},
    {"joint", "stiffness", "3"},
    {"joint", "armature", "3"},
    {"joint", "frictionloss", "3"},
    {"joint", "range", "-10 20"},
    {"joint", "limited", "false", "range='-10 20'"},
    {"joint", "solreflimit", "0.1 1", "range='-10 20'"},
    {"joint", "solimplimit", "0.8 0.9 0.01", "range='-10 20'"},
    {"geom", "class", "c"},
    {"geom", "type", "ellipsoid"},
    {"geom", "size", "0.3 0.4 0.5"},
    {"geom", "fromto", "0 0 0 1 1 1"},
    {"geom", "mass", "3"},
    {"geom", "density", "3"},
    {"geom", "shellinertia", "true"},
    {"geom", "mesh", "box"},
    {"geom", "rgba", "1 0 0 1"},
    {"geom", "material", "m"},
    {"geom", "fitscale", "2", "mesh='box'"},
    {"replicate", "count", "3"},
    {"replicate", "offset", "1 0 0"},
    {"replicate", "euler", "0 0 30"},
    {"connect", "anchor", "0.1 0.2 0.3"},
    {"connect", "body1", "d"},
    {"connect weld", "body2", "d"},
    {"weld", "relpose", "0 0 1 1 0 0 0"},
    {"weld", "torquescale", "0"},
    {"weld", "anchor", "0 0 1", "torquescale='0'"},
    {"weld connect equality.joint default.equality", "active", "false"},
    {"weld connect equality.joint", "class", "c"},
    {"weld connect", "name", "n"},
    {"equality.joint", "joint1", "k", "joint2='h'"},
    {"equality.joint", "joint2", "h", "joint1='k'"},
    {"equality.joint", "polycoef", "0 2 0 0 0"},
    {kDrive, "name", "n"},
    {"option", "density", "3"},
    {"option", "viscosity", "3"},
    {"option", "wind", "0 1 0", "density='3'"},
    {"fixed spatial", "class", "c"},
    {kTendon, "stiffness", "3"},
    {kTendon, "damping", "3"},
    {kTendon, "range", "-1 1"},
    {kTendon, "limited", "false", "range='-1 1'"},
    {kTendon, "solreflimit", "0.1 1", "range='-1 1'"},
    {kTendon, "solimplimit", "0.5 0.6", "range='-1 1'"},
    {kTendon, "springlength", "0.3", "stiffness='2'"},
    {"equality.tendon", "class", "c"},
    {"equality.tendon", "active", "false"},
    {"equality.tendon", "tendon1", "r"},
    {"equality.tendon", "tendon2", "t"},
    {"equality.tendon", "polycoef", "0.3 1"},
    {kDrive, "tendon", "t"},
    {kDrive, "site", "w"},
    {kDrive, "joint", "k"},
    {"damper", "gear", "3", "kv='2'"},
    {kDrive, "gear", "3"},
    {kDrive, "ctrlrange", "0 0.5"},
    {"general motor position velocity", "ctrllimited", "false", "ctrlrange='0 0.5'"},
    {kDrive, "forcerange", "-1 1"},
    {kDrive, "forcelimited", "false", "forcerange='-1 1'"},
    {kDrive, "armature", "3"},
    {kDrive, "damping", "3"},
    {"motor", "class", "c"},
    {"general", "gainprm", "3"},
    {"general", "gaintype", "affine", "gainprm='1 2'"},
    {"general", "biastype", "affine", "biasprm='1 2 3'"},
    {"general", "biasprm", "1 2 3", "biastype='affine'"},
    {"general", "dyntype", "filter"},
    {"general", "actrange", "0 1", "dyntype='filter'"},
    {"general", "actlimited", "false", "dyntype='filter' actrange='0 1'"},
    {"position", "kp", "3"},
    {"position velocity damper", "kv", "3"},
    {"position", "dampratio", "1"},
    {"position", "timeconst", "1"},
    {"position", "inheritrange", "1"},
};
/// Read attributes whose effect needs more than one element: other cases have them.
constexpr std::pair<const char*, const char*> kElsewhere[] = {{"mesh", ""},
                                                              {"material", ""},
                                                              {"site", ""},
                                                              {"compiler", "meshdir"},
                                                              {"compiler", "assetdir"},
                                                              {"compiler", "strippath"},
                                                              {"compiler", "balanceinertia"},
                                                              {"compiler", "fitaabb"},
                                                              {"compiler", "exactmeshinertia"},
                                                              {"compiler", "alignfree"},
                                                              {"body", "mocap"},
                                                              {"body", "sleep"},
                                                              {"frame", "name"},
                                                              {"replicate", "sep"},
                                                              {"connect", "site1"},
                                                              {"connect", "site2"},
                                                              {"weld", "site1"},
                                                              {"weld", "site2"},
                                                              {"weld", "body1"},
                                                              {"joint", "actuatorforcerange"},
                                                              {"joint", "actuatorforcelimited"},
                                                              {"joint", "actuatorfrcrange"},
                                                              {"joint", "actuatorfrclimited"},
                                                              {"geom", "name"},
                                                              {"geom", "group"},
                                                              {"geom", "contype"},
                                                              {"geom", "hfield"},
                                                              {"geom", "conaffinity"},
                                                              {"geom", "condim"},
                                                              {"geom", "priority"},
                                                              {"geom", "friction"},
                                                              {"geom", "solmix"},
                                                              {"geom", "solref"},
                                                              {"geom", "solimp"},
                                                              {"geom", "margin"},
                                                              {"geom", "gap"},
                                                              {"geom", "fluidshape"},
                                                              {"option", "timestep"},
                                                              {"fixed", "name"},
                                                              {"spatial", "name"},
                                                              {"general", "dynprm"},
                                                              {"damper", "ctrllimited"}};

bool isAmong(const std::string& word, const char* words) {
  return (" " + std::string(words) + " ").find(" " + word + " ") != std::string::npos;
}

/// The robot with these attributes of one element, in place of those that it needs.
std::string robotWith(const std::string& kind, const std::string& attributes) {
  std::string robot = kRobot;
  for (size_t at = robot.find('{'); at != std::string::npos; at = robot.find('{')) {
    const size_t end = robot.find('}', at);
    const std::string found = robot.substr(at + 1, end - at - 1);
    const auto needed = kNeeded.find(found);
    std::string own = found == kind ? attributes : "";
    // One of an attribute: what is given counts.
    std::string all = own;
    for (size_t k = 0; needed != kNeeded.end() && k < needed->second.size();) {
      const size_t close = needed->second.find('\'', needed->second.find('\'', k) + 1) + 1;
      const std::string pair = needed->second.substr(k, close - k);
      const std::string name = pair.substr(0, pair.find('='));
      const auto has = [&](const std::string& other) {
        return (" " + own).find(" " + other + "=") != std::string::npos;
      };
      const bool isElsewhere = name == "joint" && (has("tendon") || has("site"));
      if (!has(name) && !isElsewhere) all += " " + pair;
      k = close + 1;
    }
    const size_t open = robot.rfind('<', at);
    if (needed == kNeeded.end() || found == kind || found == "mesh" || found == "material" ||
        found == "geom" || found == "joint" || found == "replicate") {
      robot.replace(at, end - at + 1, all.empty() ? "" : " " + all);
    } else {
      robot.erase(open, robot.find("/>", end) + 2 - open);
    }
  }
  return robot;
}

std::string pairOf(const std::string& name, const std::string& value) {
  return name + "='" + value + "'";
}

}  // namespace

TEST_CASE("MJCF table: an attribute that is read changes the model, or a message says why not") {
  for (const Vocabulary::Element& e : robots::mjcf::vocabulary().elements()) {
    if (kRobot.find("{" + e.kind + "}") == std::string::npos) continue;
    for (const Vocabulary::Attribute& a : e.attributes) {
      if (a.fate != Vocabulary::Fate::read) continue;
      const bool isElsewhere = std::ranges::any_of(kElsewhere, [&](const auto& other) {
        return e.kind == other.first && (a.name == other.second || *other.second == 0);
      });
      if (isElsewhere) continue;
      CAPTURE(e.kind);
      CAPTURE(a.name);
      if (e.kind == "flag") {
        CHECK(!importedMjcf(robotWith("flag", pairOf(a.name, "disable"))).text.empty());
        continue;
      }
      const auto sample = std::ranges::find_if(kSamples, [&](const Sample& s) {
        return a.name == s.attribute && isAmong(e.kind, s.kinds);
      });
      if (sample == std::end(kSamples)) {
        // All drives take a class, a group, and the other way to name a joint.
        CHECK_MESSAGE((isAmong(e.kind, kDrive) && isAmong(a.name, "class group jointinparent")),
                      "an attribute without a sample");
        continue;
      }
      const Imported before = importedMjcf(robotWith(e.kind, sample->company));
      const Imported after =
          importedMjcf(robotWith(e.kind, pairOf(a.name, sample->value) + " " + sample->company));
      CHECK_MESSAGE(!before.text.empty(), before.messages);
      const bool isRefused = after.text.empty();
      const bool differs = before.text != after.text;
      CHECK_MESSAGE(differs, after.messages);
      if (isRefused) CHECK(after.messages.find("not supported") != std::string::npos);
    }
  }
}

TEST_CASE("MJCF table: what has no influence leaves the model as it is, what is lost is told") {
  for (const Vocabulary::Element& e : robots::mjcf::vocabulary().elements()) {
    if (kRobot.find("{" + e.kind + "}") == std::string::npos) continue;
    const Imported before = importedMjcf(robotWith(e.kind, ""));
    for (const Vocabulary::Attribute& a : e.attributes) {
      if (a.fate == Vocabulary::Fate::read) continue;
      CAPTURE(e.kind);
      CAPTURE(a.name);
      const bool isWord = !a.harmless.empty();
      // A place that another kind of actuator would act at needs no joint.
      const Imported after = importedMjcf(robotWith(e.kind, pairOf(a.name, isWord ? "true" : "1")));
      const bool isSame = after.text == before.text;
      CHECK_MESSAGE(isSame, after.messages);
      const bool isTold = after.messages.find("'" + a.name + "' of <" + e.tag +
                                              "> is left out: " + a.text) != std::string::npos;
      CHECK(isTold == (a.fate == Vocabulary::Fate::lost));
      if (!isTold) continue;
      const Imported harmless =
          importedMjcf(robotWith(e.kind, pairOf(a.name, isWord ? a.harmless : "0 0")));
      CHECK(harmless.messages.find("left out") == std::string::npos);
    }
  }
}

TEST_CASE("MJCF table: a name that is not in it is an error with its place, or a warning") {
  struct Slip {
    const char* text;
    const char* message;
  };
  const Slip slips[] = {
      {"<mujoco><worldbody><body><joint dampng='3'/><geom size='1'/></body></worldbody></mujoco>",
       "r.xml:1:41: error: <joint> has no attribute 'dampng'; did you mean 'damping'?"},
      {"<mujoco><worldbody><body><joint/><geom size='1'/><geem "
       "size='1'/></body></worldbody></mujoco>",
       "r.xml:1:50: error: <body> has no element <geem>; did you mean 'geom'?"},
      {"<mujoco><worldbody><body><joint viscositee='3'/><geom "
       "size='1'/></body></worldbody></mujoco>",
       "r.xml:1:45: error: <joint> has no attribute 'viscositee'; --allow-unknown leaves it out"},
      {"<mujoco><option><flag gravty='disable'/></option></mujoco>",
       "r.xml:1:31: error: <flag> has no attribute 'gravty'; did you mean 'gravity'?"},
      {"<mujoco><default><joint><wheel/></joint></default></mujoco>",
       "r.xml:1:25: error: <joint> has no element <wheel>; --allow-unknown leaves it out"},
      {"<mujoco><sensor><tuch name='s'/></sensor></mujoco>",
       "r.xml:1:17: error: <sensor> has no element <tuch>; did you mean 'touch'?"},
      {"<mujoco><actuator><motor kp='3'/></actuator></mujoco>",
       "r.xml:1:30: error: <motor> has no attribute 'kp'"},
  };
  for (const Slip& slip : slips) {
    const std::string messages = importedMjcf(slip.text).messages;
    CHECK_MESSAGE(messages.find(slip.message) != std::string::npos, messages);
    const std::string allowed = importedMjcf(slip.text, true).messages;
    CHECK_MESSAGE(allowed.find("; it is left out") != std::string::npos, allowed);
    CHECK_MESSAGE(
        allowed.find("has no attribute") + allowed.find("has no element") != 2 * std::string::npos,
        allowed);
  }
}

TEST_CASE("MJCF table: every kind has a place, and no attribute is there twice") {
  const auto& all = robots::mjcf::vocabulary().elements();
  for (const Vocabulary::Element& e : all) {
    CAPTURE(e.tag);
    for (const std::string& around : e.around)
      CHECK(std::ranges::any_of(all, [&](const auto& o) { return o.inside == around; }));
    for (const Vocabulary::Attribute& a : e.attributes) {
      CAPTURE(a.name);
      CHECK(std::ranges::count(e.attributes, a.name, &Vocabulary::Attribute::name) == 1);
      CHECK((a.fate == Vocabulary::Fate::lost) == !a.text.empty());
    }
  }
}
