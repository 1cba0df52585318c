/// FmuHost: where an instance of an FMU lives, in this process or in one of its own, and what is said to it.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace cardan::cosimulation {

/// Types of variables by FMI 3; what FMI 2 calls Real and Integer are Float64 and Int32.
enum class FmuType : std::uint8_t {
  Float64,
  Float32,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Boolean,
  String
};

/// Variables as a call has them: `size` elements each, a number or a text per element.
struct FmuSlot {
  std::uint32_t reference = 0;
  FmuType type = FmuType::Float64;
  std::int32_t size = 1;
};
struct FmuSetting {
  FmuSlot slot;
  std::vector<double> numbers;
  std::string text;
  auto kept() { return std::tie(slot, numbers, text); }
};

/// What an instance is made with.
struct FmuOpening {
  std::int32_t version = 0;                 ///< of FMI: 2 or 3
  bool isExchange = false;                  ///< it has no solver of its own
  std::int32_t states = 0, indicators = 0;  ///< of model exchange by FMI 2; 3 tells by calls
  std::string library, resources, identifier, token, name;
  std::vector<std::string> logCategories;  ///< of warnings and errors
  std::vector<FmuSetting> settings;
  std::vector<FmuSlot> inputs, outputs;
  double start = 0;  ///< [s]
  auto kept() {
    return std::tie(version, isExchange, states, indicators, library, resources, identifier, token,
                    name, logCategories, settings, inputs, outputs, start);
  }
};

/// The life of an instance, in this order: open (up to its initialisation), start (inputs; as often as they
/// change), begin (the end of the initialisation), step by step; save and restore in between.
struct FmuRequest {
  enum class Kind : std::uint8_t { open, start, begin, step, save, restore };
  Kind kind = Kind::open;
  FmuOpening opening{};
  double time = 0, length = 0;  ///< [s]  of a step
  std::vector<double> inputs{};
  std::string state{};
  auto kept() { return std::tie(kind, time, length, inputs, state); }
};

struct FmuReply {
  std::string failure;                  ///< "": all went well
  std::vector<std::string> warnings{};  ///< its messages of a warning or more
  std::vector<double> outputs{};
  std::string state{};
  bool isMessage = false;  ///< no reply yet: `failure` is a message that the FMU has just told
  auto kept() { return std::tie(failure, warnings, outputs, state, isMessage); }
};

/// "; its last message: ..." behind what has failed.
inline std::string lastMessage(const std::string& message) {
  return message.empty() ? "" : "; its last message: " + message;
}

class FmuHost {
 public:
  virtual ~FmuHost() = default;
  /// Throws nothing that an FMU has done: that is the reply's failure.
  virtual FmuReply call(const FmuRequest& request) = 0;
};

}  // namespace cardan::cosimulation
