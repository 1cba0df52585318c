#include "tests/random/outcome.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>

namespace cardan::random {

const char* word(Outcome::Class c) {
  switch (c) {
    case Outcome::Class::completed:
      return "completed";
    case Outcome::Class::sensitive:
      return "completed, sensitive";
    case Outcome::Class::stopped:
      return "stopped by name";
    case Outcome::Class::unfinished:
      return "unfinished";
    case Outcome::Class::disagreement:
      return "DISAGREEMENT";
    case Outcome::Class::violation:
      return "SILENT VIOLATION";
    case Outcome::Class::broken:
      return "BROKEN";
    case Outcome::Class::crash:
      return "CRASH";
    case Outcome::Class::hang:
      return "HANG";
  }
  return "";
}

std::string serialised(const Outcome& o) {
  return nlohmann::json{{"seed", o.seed},   {"what", static_cast<int>(o.what)},
                        {"kind", o.kind},   {"detail", o.detail},
                        {"steps", o.steps}, {"seconds", o.seconds}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Outcome outcomeOf(const std::string& line) {
  const nlohmann::json j = nlohmann::json::parse(line);
  return {j.at("seed").get<std::uint64_t>(), static_cast<Outcome::Class>(j.at("what").get<int>()),
          j.at("kind").get<std::string>(),   j.at("detail").get<std::string>(),
          j.at("steps").get<long>(),         j.at("seconds").get<double>()};
}

void OutcomeTable::add(const Outcome& o) {
  Row& row = rows_[{o.what, o.kind}];
  ++row.count;
  if (row.seeds.size() < 4) row.seeds.push_back(o.seed);
  ++total_;
  steps_ += o.steps;
  if (!o.good()) ++bad_;
}

std::string OutcomeTable::format() const {
  std::string t = fmt::format("{:>7}  {:<21} {}\n", "cases", "outcome", "kind (first seeds)");
  for (const auto& [key, row] : rows_) {
    t += fmt::format("{:>7}  {:<21} {}{}({})\n", row.count, word(key.first), key.second,
                     key.second.empty() ? "" : " ", fmt::join(row.seeds, ", "));
  }
  return t + fmt::format("{:>7}  in all, {} bad; {} steps\n", total_, bad_, steps_);
}

std::string kindOfMessage(const std::string& message) {
  static const std::regex place("^[^ ]*:[0-9]+:[0-9]+: |^[^ ]*\\.yaml: ");
  static const std::regex quoted("'[^']*'");
  static const std::regex named("\\b[A-Za-z_]+[0-9]+[A-Za-z0-9_.]*(\\[[0-9,]+\\])?");
  static const std::regex digits("[-+]?[0-9][0-9.]*(e[-+]?[0-9]+)?");
  std::string s = message.substr(0, message.find('\n'));
  s = std::regex_replace(s, place, "");
  s = std::regex_replace(s, quoted, "'x'");
  s = std::regex_replace(s, named, "x");
  s = std::regex_replace(s, digits, "#");
  return s.substr(0, 100);
}

}  // namespace cardan::random
