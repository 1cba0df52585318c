// What holds for every class of the catalogue: a new class is tested by being listed.
#include <doctest/doctest.h>

#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/components/specimens.h"

namespace cardan {
namespace {

using fake::Specimen;
using fake::specimen;

TEST_CASE("catalogue: every class has a name of its own, a package and a line that describes it") {
  std::set<std::string> types;
  for (const CatalogueEntry& entry : catalogue()) {
    CAPTURE(entry.type);
    CHECK(types.insert(entry.type).second);
    CHECK(!entry.package.empty());
    CHECK(!entry.description.empty());
    CHECK(entry.description.find('\n') == std::string::npos);
  }
}

/// The readers and recorders check that names are not used twice and that all have a description.
void checkDocumentation(const Specimen& s) {
  for (const auto& [name, info] : s.described.infos) {
    CHECK_MESSAGE(!info.unit.empty(), name << " has a unit");
  }
  const auto check = [](const std::vector<UnknownInfo>& list) {
    for (const UnknownInfo& u : list) {
      CHECK_MESSAGE(!u.unit.empty(), u.name << " has a unit");
      CHECK_MESSAGE(!u.description.empty(), u.name << " is documented");
    }
  };
  for (const auto& e : s.declared.edges) {
    check(e.positions);
    check(e.velocities);
  }
  for (const auto& r : s.declared.roots) {
    check(r.positions);
    check(r.velocities);
  }
  check(s.declared.unknowns);
  for (const auto& [name, starts] : s.described.starts) {
    CHECK_MESSAGE(s.has(name), name << ", which has a start value, is a variable");
  }
  for (const auto& [name, target] : s.described.aliases) {
    CHECK_MESSAGE(s.has(target), target << ", which " << name << " stands for, is a variable");
  }
  for (const auto& [name, part] : s.parts) {
    CAPTURE(name);
    checkDocumentation(*part);
  }
}

TEST_CASE("catalogue: parameters and variables of every class are there once and documented") {
  for (const CatalogueEntry& entry : catalogue()) {
    CAPTURE(entry.type);
    const auto s = specimen(entry);
    CHECK(s->declared.errors.empty());
    checkDocumentation(*s);
  }
}

TEST_CASE("catalogue: a class can be read, declared and described with parameters of all kinds") {
  int tried = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    CAPTURE(entry.type);
    for (int number = 1; number < fake::kVariations; ++number) {
      if (const auto s = specimen(entry, number)) ++tried;
    }
  }
  CHECK(tried > static_cast<int>(catalogue().size()));
}

/// The texts of all parameters, and the defaults that they have once `changed` is another number.
class Texts final : public ParameterReader {
 public:
  explicit Texts(std::string changed = "") : changed_(std::move(changed)) {
    if (changed_ != kOfWorld) return;
    for (double* x :
         {&settings_.defaultAxisLength, &settings_.defaultJointLength, &settings_.defaultJointWidth,
          &settings_.defaultForceLength, &settings_.defaultForceWidth,
          &settings_.defaultBodyDiameter, &settings_.defaultWidthFraction,
          &settings_.defaultArrowDiameter, &settings_.defaultFrameDiameterFraction,
          &settings_.defaultSpecularCoefficient, &settings_.defaultN_to_m,
          &settings_.defaultNm_to_m})
      *x *= 1.5;
  }
  static constexpr const char* kOfWorld = "world";

  bool require(bool holds, std::string_view, std::string_view) override { return holds; }
  bool isGiven(std::string_view name) const override {
    return path_ + std::string(name) == changed_;
  }
  const WorldSettings& world() const override { return settings_; }
  void begin(std::string_view part) override { path_ += std::string(part) + "."; }
  void end() override {
    path_.pop_back();
    path_.erase(path_.find_last_of('.') + 1);
  }

  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<double>> defaults;
  std::set<std::string> lengths;

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override {
    const std::string name = path_ + std::string(info.name);
    texts[name] = info.description;
    const bool changes = name == changed_;
    std::vector<double>& d = defaults[name];
    if (double** x = std::get_if<double*>(&target)) {
      d = {**x};
      if (info.unit == "m") lengths.insert(name);
      if (changes) **x = 1.5 * **x + 0.25;
    } else if (Vector3d** v = std::get_if<Vector3d*>(&target)) {
      d.assign((*v)->begin(), (*v)->end());
      if (changes) **v += Vector3d(0.25, 0.5, 0.125);
    } else if (std::array<int, 3>** c = std::get_if<std::array<int, 3>*>(&target)) {
      d.assign((*c)->begin(), (*c)->end());
      if (changes) (**c)[0] += 1;
    } else if (const InputTarget* input = std::get_if<InputTarget>(&target)) {
      d = input->value;
    }
  }

 private:
  std::string changed_;
  WorldSettings settings_;
  std::string path_;
};

Texts textsOf(const CatalogueEntry& entry, const std::string& changed = "") {
  Texts texts(changed);
  entry.make()->read(texts);
  return texts;
}

TEST_CASE(
    "catalogue: the text of a parameter says more than its name, that of a length what it is of") {
  for (const CatalogueEntry& entry : catalogue()) {
    std::set<std::string> ofLengths;
    const Texts texts = textsOf(entry);
    for (const auto& [name, text] : texts.texts) {
      CAPTURE(entry.type + "." + name + ": " + text);
      const size_t dot = name.rfind('.') + 1;
      CHECK(text != name.substr(dot));
      CHECK(text != "animation");
      if (texts.lengths.contains(name)) CHECK(ofLengths.insert(name.substr(0, dot) + text).second);
    }
  }
}

TEST_CASE("catalogue: where a default follows from other parameters, the text names one of them") {
  const auto names = [](const std::string& text, const std::string& name) {
    const std::string last = name.substr(name.rfind('.') + 1);
    for (size_t at = text.find(last); at != text.npos; at = text.find(last, at + 1)) {
      const auto isOfName = [](char c) { return std::isalnum(c) != 0 || c == '_'; };
      const size_t after = at + last.size();
      if ((at == 0 || !isOfName(text[at - 1])) && (after == text.size() || !isOfName(text[after])))
        return true;
    }
    return false;
  };
  for (const CatalogueEntry& entry : catalogue()) {
    const Texts plain = textsOf(entry);
    std::set<std::string> following, named;
    std::vector<std::string> causes{Texts::kOfWorld};
    for (const auto& [name, value] : plain.defaults) {
      if (!value.empty()) causes.push_back(name);
    }
    for (const std::string& cause : causes) {
      const Texts changed = textsOf(entry, cause);
      for (const auto& [name, value] : changed.defaults) {
        if (name == cause || value == plain.defaults.at(name)) continue;
        following.insert(name);
        const std::string& text = plain.texts.at(name);
        const size_t from = text.find("default");
        if (from != text.npos && names(text.substr(from), cause)) named.insert(name);
      }
    }
    for (const std::string& name : following) {
      CHECK_MESSAGE(named.contains(name),
                    entry.type << "." << name << ": " << plain.texts.at(name));
    }
  }
}

}  // namespace
}  // namespace cardan
