#include "engine/robots/mjcf/source.h"

namespace cardan::robots::mjcf {

Source::Source(const XmlElement& file, const std::string& from, ImportReport& report,
               Diagnostics& diagnostics)
    : root(&file), folder(from), defaults(file, report, diagnostics) {
  conventions.meshFolder = folder;
  for (const XmlElement& e : root->children) {
    if (e.name == "compiler") readCompiler(e, diagnostics);
    if (e.name == "option") readOption(e, report, diagnostics);
    if (e.name == "compiler" || e.name == "option" || e.name == "asset") report.use(e);
  }
  for (const XmlElement& e : root->children) {
    if (e.name == "asset") readAssets(e, report, diagnostics);
  }
}

void Source::readCompiler(const XmlElement& e, Diagnostics& diagnostics) {
  const std::string owner = "<compiler>";
  constexpr const char* kAngles[] = {"degree", "radian"};
  if (const auto angle = choice(e, "angle", kAngles, diagnostics))
    conventions.angle = *angle == 1 ? 1 : 0.017453292519943295;
  if (const XmlAttribute* a = e.attribute("eulerseq")) {
    const bool isSequence =
        a->value.size() == 3 && a->value.find_first_not_of("xyzXYZ") == std::string::npos;
    if (isSequence) {
      conventions.eulerSequence = a->value;
    } else {
      diagnostics.error(
          e.mark(*a),
          "'eulerseq' of <compiler> must be three of x, y, z, X, Y, Z, found " + shown(a->value));
    }
  }
  conventions.autoLimits = flag(e, "autolimits", conventions.autoLimits, diagnostics);
  constexpr const char* kCoordinates[] = {"local", "global"};
  if (choice(e, "coordinate", kCoordinates, diagnostics).value_or(0) == 1)
    diagnostics.error(e.mark(*e.attribute("coordinate")),
                      "coordinate=\"global\" is not supported, as it is not by newer readers of "
                      "MJCF: save the file with local coordinates",
                      ErrorKind::unsupported);
  constexpr const char* kFromGeoms[] = {"false", "true", "auto"};
  if (const auto word = choice(e, "inertiafromgeom", kFromGeoms, diagnostics); word && *word < 2)
    conventions.inertiaFromGeoms = *word == 1;
  if (const auto g = numbers(e, "inertiagrouprange", 2, 2, owner, diagnostics))
    conventions.groups = {(*g)[0], (*g)[1]};
  conventions.alignsFree = flag(e, "alignfree", conventions.alignsFree, diagnostics);
  conventions.fitsBoxes = flag(e, "fitaabb", conventions.fitsBoxes, diagnostics);
  conventions.stripsPaths = flag(e, "strippath", conventions.stripsPaths, diagnostics);
  if (flag(e, "exactmeshinertia", false, diagnostics)) conventions.meshKind = SolidKind::exact;
  for (const char* name : {"assetdir", "meshdir"}) {
    const XmlAttribute* a = e.attribute(name);
    if (!a || a->value.empty()) continue;
    conventions.meshFolder =
        folder.empty() || a->value.starts_with('/') ? a->value : folder + "/" + a->value;
  }
  totalMass = number(e, "settotalmass", totalMass, owner, diagnostics);
  boundMass = number(e, "boundmass", boundMass, owner, diagnostics);
  boundInertia = number(e, "boundinertia", boundInertia, owner, diagnostics);
  balancesInertia = flag(e, "balanceinertia", balancesInertia, diagnostics);
}

void Source::readOption(const XmlElement& e, ImportReport& report, Diagnostics& diagnostics) {
  gravity = vector(e, "gravity", gravity, "<option>", diagnostics);
  timeStep = number(e, "timestep", timeStep, "<option>", diagnostics);
  fluid.density = number(e, "density", fluid.density, "<option>", diagnostics);
  fluid.viscosity = number(e, "viscosity", fluid.viscosity, "<option>", diagnostics);
  fluid.wind = vector(e, "wind", fluid.wind, "<option>", diagnostics);
  if (const auto groups = numbers(e, "actuatorgroupdisable", 0, 31, "<option>", diagnostics)) {
    for (const double g : *groups) {
      if (std::abs(g) < 1e6) idleGroups.insert(static_cast<int>(g));
    }
  }
  for (const XmlElement& inside : e.children) {
    if (inside.name != "flag") continue;
    report.use(inside);
    readFlags(inside, diagnostics);
  }
}

void Source::readFlags(const XmlElement& e, Diagnostics& diagnostics) {
  struct Flag {
    const char* name;
    std::vector<bool*> parts;
  };
  Switches& s = switches;
  const Flag flags[] = {{"constraint", {&s.equalities, &s.limits, &s.friction, &s.contacts}},
                        {"equality", {&s.equalities}},
                        {"contact", {&s.contacts}},
                        {"limit", {&s.limits}},
                        {"frictionloss", {&s.friction}},
                        {"passive", {&s.springs, &s.dampers}},
                        {"spring", {&s.springs}},
                        {"damper", {&s.dampers}},
                        {"gravity", {&s.weights}},
                        {"actuation", {&s.drives}},
                        {"clampctrl", {&s.controlRanges}},
                        {"refsafe", {&s.timeBounds}}};
  constexpr const char* kWords[] = {"disable", "enable"};
  for (const Flag& f : flags) {
    if (choice(e, f.name, kWords, diagnostics).value_or(1) == 1) continue;
    for (bool* part : f.parts) *part = false;
  }
  s.sleeps = choice(e, "sleep", kWords, diagnostics).value_or(s.sleeps) == 1;
}

void Source::readAssets(const XmlElement& e, ImportReport& report, Diagnostics& diagnostics) {
  for (const XmlElement& asset : e.children) {
    if (asset.name == "model") {
      report.use(asset);
      models.push_back(&asset);
      continue;
    }
    if (asset.name != "mesh" && asset.name != "material" && asset.name != "hfield") continue;
    report.use(asset);
    if (asset.name == "hfield") {
      HeightField field = readHeightField(asset, conventions, diagnostics);
      const std::string name = field.name;
      if (!assets.fields.emplace(name, std::move(field)).second)
        diagnostics.error(asset.mark(), "hfield '" + name + "' is defined twice");
      continue;
    }
    const XmlElement full = defaults.complete(asset, "", diagnostics);
    if (asset.name == "mesh") {
      MeshAsset mesh = readMesh(full, asset, conventions, diagnostics);
      const std::string name = mesh.name;
      if (!assets.meshes.emplace(name, std::move(mesh)).second)
        diagnostics.error(asset.mark(), "mesh '" + name + "' is defined twice");
      continue;
    }
    const auto rgba = numbers(full, "rgba", 4, 4, "<material>", diagnostics);
    const XmlAttribute* name = asset.attribute("name");
    if (name) assets.colors.emplace(name->value, colorFrom(rgba.value_or(std::vector(4, 1.0))));
  }
}

}  // namespace cardan::robots::mjcf
