// Every class of the catalogue, made, read, declared and described as the engine does it, with
// default parameters and with others: what holds for all classes is tested over these.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "components/catalogue.h"
#include "tests/components/fakes.h"
#include "tests/components/motions.h"

namespace cardan::fake {

/// Numbers of variations, see VaryingReader.
inline constexpr int kVariations = 8;

/// Gives parameters other values than their defaults, the same for the same `number`; 0 leaves all.
///
/// Odd numbers turn and stretch vectors, and shift angles and lengths; every pair takes another
/// choice of each enumeration; from 4 on switches are thrown. Rules may be broken by that.
class VaryingReader final : public ParameterReader {
 public:
  explicit VaryingReader(int number) : number_(number), random_(static_cast<unsigned>(number)) {}

  bool require(bool holds, std::string_view, std::string_view) override {
    broken = broken || !holds;
    return holds;
  }
  bool isGiven(std::string_view name) const override {
    return given_.count(path_ + std::string(name)) > 0;
  }
  const WorldSettings& world() const override { return settings; }
  void begin(std::string_view part) override { path_ += std::string(part) + "."; }
  void end() override {
    path_.pop_back();
    path_.erase(path_.find_last_of('.') + 1);
  }

  bool broken = false;          ///< a rule is
  std::set<std::string> names;  ///< of all parameters
  WorldSettings settings;

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override {
    const std::string name = path_ + std::string(info.name);
    CHECK_MESSAGE(names.insert(name).second, name << " is read once");
    CHECK_MESSAGE(!info.description.empty(), name << " is documented");
    if (number_ == 0) return;
    if (auto* v = std::get_if<Vector3d*>(&target)) {
      if (number_ % 2 == 0) return;
      **v += uniformVector(random_);
    } else if (auto* x = std::get_if<double*>(&target)) {
      const double shift = std::abs(uniform(random_));
      if (number_ % 2 == 0 || **x + shift < info.minimum) return;
      **x += shift;
    } else if (auto* e = std::get_if<EnumerationTarget>(&target)) {
      e->set((e->current + number_ / 2) % static_cast<int>(e->names.size()));
    } else if (auto* n = std::get_if<std::array<int, 3>*>(&target)) {
      if (number_ % 2 == 1 && **n == frames::kCardanSequence) **n = {3, 1, 3};
    } else if (auto* b = std::get_if<bool*>(&target)) {
      if (number_ < 4 || uniform(random_) < 0) return;
      **b = !**b;
    } else {
      return;
    }
    given_.insert(name);
  }

 private:
  int number_;
  std::mt19937 random_;
  std::string path_;
  std::set<std::string> given_;
};

/// A component that was declared and described, with its inner parts.
struct Specimen {
  explicit Specimen(std::unique_ptr<Component> made, const WorldSettings& settings)
      : component(std::move(made)) {
    declared.settings = settings;
    component->declare(declared);
    component->describe(described);
    for (auto& [name, part] : declared.parts) {
      parts.emplace(name, std::make_unique<Specimen>(std::move(part), settings));
    }
  }

  /// A variable, a coordinate of a joint, an unknown or something of a connector, inner parts
  /// included ("revolute.phi").
  bool has(const std::string& name) const {
    if (described.infos.count(name) || described.aliases.count(name)) return true;
    const auto among = [&](const std::vector<UnknownInfo>& list) {
      for (const UnknownInfo& u : list) {
        if (u.name == name || u.name.substr(0, u.name.find('[')) == name) return true;
      }
      return false;
    };
    for (const auto& e : declared.edges) {
      if (among(e.positions) || among(e.velocities)) return true;
    }
    for (const auto& r : declared.roots) {
      if (among(r.positions) || among(r.velocities)) return true;
    }
    if (among(declared.unknowns)) return true;
    const size_t dot = name.find('.');
    if (dot == std::string::npos) return false;
    const std::string first = name.substr(0, dot);
    const auto part = parts.find(first);
    if (part != parts.end()) return part->second->has(name.substr(dot + 1));
    return declared.frameIndex.count(first) > 0 ||
           std::find(declared.flanges.begin(), declared.flanges.end(), first) !=
               declared.flanges.end();
  }

  std::unique_ptr<Component> component;
  Declared declared;
  Described described;
  std::map<std::string, std::unique_ptr<Specimen>> parts;
};

/// A class of the catalogue with parameters of variation `number`; null where they break a rule.
inline std::unique_ptr<Specimen> specimen(const CatalogueEntry& entry, int number = 0) {
  VaryingReader reader(number);
  reader.settings.prepare();
  auto component = entry.make();
  component->read(reader);
  component->parametersChanged();
  if (number > 0 && reader.broken) return nullptr;
  return std::make_unique<Specimen>(std::move(component), reader.settings);
}

}  // namespace cardan::fake
