#include "engine/analysis/linear_model_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "engine/text/escaped.h"
#include "engine/version.h"

namespace cardan {
namespace {

using LinearJson = nlohmann::ordered_json;

LinearJson matrixJson(const Eigen::MatrixXd& A) {
  LinearJson rows = LinearJson::array();
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    LinearJson row = LinearJson::array();
    for (Eigen::Index k = 0; k < A.cols(); ++k) row.push_back(A(i, k));
    rows.push_back(std::move(row));
  }
  return rows;
}

LinearJson signalsJson(const std::vector<LinearSignal>& signals) {
  LinearJson list = LinearJson::array();
  for (const LinearSignal& s : signals)
    list.push_back({{"name", s.name}, {"unit", s.unit}, {"value", s.value}});
  return list;
}

void appendInteger(std::string& out, std::int32_t value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

/// Header and column-wise doubles; `text`: they are characters.
void appendMatrix(std::string& out, const std::string& name, const Eigen::MatrixXd& A, bool text) {
  constexpr int kBigEndian = 1000;
  appendInteger(out, (std::endian::native == std::endian::big ? kBigEndian : 0) + (text ? 1 : 0));
  appendInteger(out, static_cast<std::int32_t>(A.rows()));
  appendInteger(out, static_cast<std::int32_t>(A.cols()));
  appendInteger(out, 0);  // no imaginary part
  appendInteger(out, std::ssize(name) + 1);
  out.append(name);
  out.push_back('\0');
  if (A.size() == 0) return;
  out.append(reinterpret_cast<const char*>(A.data()), sizeof(double) * A.size());
}

void appendNames(std::string& out, const std::string& name,
                 const std::vector<LinearSignal>& signals, const std::string LinearSignal::*text) {
  size_t longest = 1;
  for (const LinearSignal& s : signals) longest = std::max(longest, (s.*text).size());
  Eigen::MatrixXd letters = Eigen::MatrixXd::Constant(std::ssize(signals), longest, ' ');
  for (size_t i = 0; i < signals.size(); ++i) {
    for (size_t k = 0; k < (signals[i].*text).size(); ++k) {
      letters(i, k) = static_cast<unsigned char>((signals[i].*text)[k]);
    }
  }
  appendMatrix(out, name, letters, true);
}

}  // namespace

std::string linearModelJson(const LinearModel& m) {
  LinearJson all{{"tool", {{"name", "cardan"}, {"version", version}}},
                 {"model", m.name},
                 {"time", m.time},
                 {"point", word(m.kind)},
                 {"states", signalsJson(m.states)},
                 {"inputs", signalsJson(m.inputs)},
                 {"outputs", signalsJson(m.outputs)},
                 {"A", matrixJson(m.A)},
                 {"B", matrixJson(m.B)},
                 {"C", matrixJson(m.C)},
                 {"D", matrixJson(m.D)},
                 {"frozenModes", m.frozen},
                 {"bends", m.bends},
                 {"warnings", m.warnings}};
  if (m.sample > 0) all["sample"] = m.sample;
  if (m.descriptor) {
    all["descriptor"] = {{"unknowns", signalsJson(m.descriptor->unknowns)},
                         {"E", matrixJson(m.descriptor->E)},
                         {"A", matrixJson(m.descriptor->A)},
                         {"B", matrixJson(m.descriptor->B)}};
  }
  return all.dump(1, ' ', false, LinearJson::error_handler_t::replace) + "\n";
}

std::string linearModelMat(const LinearModel& m) {
  std::string out;
  appendMatrix(out, "A", m.A, false);
  appendMatrix(out, "B", m.B, false);
  appendMatrix(out, "C", m.C, false);
  appendMatrix(out, "D", m.D, false);
  if (m.sample > 0) appendMatrix(out, "sample", Eigen::MatrixXd::Constant(1, 1, m.sample), false);
  if (m.descriptor) {
    appendMatrix(out, "E_full", m.descriptor->E, false);
    appendMatrix(out, "A_full", m.descriptor->A, false);
    appendMatrix(out, "B_full", m.descriptor->B, false);
    appendNames(out, "unknowns", m.descriptor->unknowns, &LinearSignal::name);
  }
  const std::pair<const char*, const std::vector<LinearSignal>*> lists[] = {
      {"state", &m.states}, {"input", &m.inputs}, {"output", &m.outputs}};
  for (const auto& [what, signals] : lists) {
    appendNames(out, std::string(what) + "_names", *signals, &LinearSignal::name);
    appendNames(out, std::string(what) + "_units", *signals, &LinearSignal::unit);
  }
  return out;
}

std::string linearModelCsv(const LinearModel& m) {
  std::string out = "\"\"";
  for (const LinearSignal& s : m.states) out += "," + csvText(s.name);
  for (const LinearSignal& s : m.inputs) out += "," + csvText(s.name);
  out += "\n";
  const auto rows = [&](const std::vector<LinearSignal>& signals, bool rates,
                        const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
    for (size_t i = 0; i < signals.size(); ++i) {
      const Eigen::Index r = i;
      out += csvText(rates ? (m.sample > 0 ? "next(" : "der(") + signals[i].name + ")"
                           : signals[i].name);
      for (Eigen::Index k = 0; k < left.cols(); ++k) out += fmt::format(",{}", left(r, k));
      for (Eigen::Index k = 0; k < right.cols(); ++k) out += fmt::format(",{}", right(r, k));
      out += "\n";
    }
  };
  rows(m.states, true, m.A, m.B);
  rows(m.outputs, false, m.C, m.D);
  return out;
}

}  // namespace cardan
