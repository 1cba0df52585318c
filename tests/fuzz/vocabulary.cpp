#include "tests/fuzz/vocabulary.h"

#include <algorithm>
#include <set>

#include "components/catalogue.h"
#include "engine/expression/functions.h"
#include "engine/model_file/type_description.h"

namespace cardan::fuzz {
namespace {

Vocabulary make() {
  Vocabulary v;
  std::set<std::string> keys{"start", "fixed", "stateSelect", "type",    "size",   "name",
                             "count", "for",   "if",          "connect", "remove", "connector"};
  for (const CatalogueEntry& entry : catalogue()) {
    const TypeDescription described = describeType(entry);
    Vocabulary::Type& type = v.types.emplace_back();
    type.name = entry.type;
    type.parameters = described.parameters;
    for (const auto& c : described.connectors) type.connectors.push_back(c.name);
    for (const auto& x : described.variables) {
      if (x.output) type.connectors.push_back(x.name.substr(0, x.name.find('[')));
    }
    for (const DocumentedParameter& p : type.parameters) {
      for (size_t at = 0; at <= p.name.size();) {
        const size_t dot = std::min(p.name.find('.', at), p.name.size());
        keys.insert(p.name.substr(at, dot - at));
        at = dot + 1;
      }
    }
  }
  v.keys.assign(keys.begin(), keys.end());
  v.sections = {"components", "connections", "connectors", "description", "equations",
                "extends",    "include",     "interval",   "model",       "initial_equations",
                "outputs",    "parameters",  "simulation", "stop",        "submodels",
                "tolerance",  "variables",   "world",      "contacts"};
  v.functions = functionNames();
  v.operators = {"+",    "-",    "*",       "/",      "^",     ".+",  ".-", ".*",  "./",
                 ".^",   "<",    "<=",      ">",      ">=",    "==",  "<>", "and", "or",
                 "not ", "if ",  " then ",  " else ", "(",     ")",   "{",  "}",   "[",
                 "]",    ",",    ";",       ":",      " = ",   "**",  "&&", "\"",  "'",
                 ".",    "true", " false ", "time",   " 1.5 ", "pi ", "deg"};
  v.numbers = {"0",     "1",     "-1",         "2",          "3",      "0.5",         "1e-3",
               "1e308", "1e400", "-1e308",     "5e-324",     "1e-400", "-0",          "1000000",
               "1e9",   "1e15",  "2147483647", "2147483648", "-2e9",   "4294967296",  "1e20",
               ".inf",  ".nan",  "0.1",        "1e-300",     "1001",   "99999999999", "1e200",
               "3.14",  "7",     "1000000.5",  "100000",     "1e-12",  "16",          "0x10"};
  v.expressions = {"1/0",
                   "sqrt(-1)",
                   "time",
                   "der(time)",
                   "sin(2*pi*time)",
                   "if time < 0.5 then 1 else 2",
                   "if time > 0.25 and time < 0.75 then 1/time else noEvent(max(time, 1))",
                   "zeros(3)",
                   "zeros(1000000)",
                   "identity(1000)*identity(1000)",
                   "{1, 2, 3}",
                   "{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}",
                   "fill(1, 2000, 2)",
                   "linspace(0, 1, 1000)",
                   "cross({1, 0, 0}, {0, 1, 0})",
                   "30*deg",
                   "true",
                   "false",
                   "\"text\"",
                   "-",
                   "(((((1)))))",
                   "size(zeros(2, 3), 2)",
                   "exp(1000)",
                   "10^400",
                   "0^0",
                   "tan(pi/2)",
                   "integer(1e300)",
                   "mod(5, 0)",
                   "floor(time*10)",
                   "abs(time - 0.5)",
                   "smooth(1, time)",
                   "der(der(sin(time)))",
                   "atan2(0, 0)",
                   "log(0)",
                   "max({1, 2})",
                   "initial()",
                   "sum(fill(1e308, 10))"};
  return v;
}

}  // namespace

const Vocabulary& vocabulary() {
  static const Vocabulary v = make();
  return v;
}

std::string specimenModel(const Vocabulary::Type& type) {
  std::string text = "components:\n  x:\n    type: " + type.name + "\n";
  // Parameters of inner parts ("part.key") stand in a map of their own.
  std::string part;
  for (const DocumentedParameter& p : type.parameters) {
    const size_t dot = p.name.find('.');
    const std::string owner = dot == std::string::npos ? "" : p.name.substr(0, dot);
    if (p.name.find('.', dot + 1) != std::string::npos && dot != std::string::npos) continue;
    if (owner != part && !owner.empty()) text += "    " + owner + ":\n";
    part = owner;
    std::string value = p.defaultValue.empty() ? "0" : p.defaultValue;
    text += (owner.empty() ? "    " : "      ") +
            p.name.substr(dot == std::string::npos ? 0 : dot + 1) + ": " + value + "\n";
  }
  text += "connections:\n";
  for (const std::string& c : type.connectors) text += "  - [world.frame_b, x." + c + "]\n";
  text += "simulation: {stop: 0.1}\n";
  return text;
}

}  // namespace cardan::fuzz
