/// SavedState: a run as it stands, to be kept in a file and gone on with, bit for bit.
#pragma once

#include <string>

namespace cardan {

class Model;
struct RunOptions;

/// A run as it stands: everything that the rest of it depends on, as the bytes of a StateArchive.
struct RunSnapshot {
  std::string numbers;
};

/// The numbers of a run, and what they are numbers of.
struct SavedState {
  std::string file;       ///< that it was read from, for messages
  std::string build;      ///< version and revision of the program, width of its registers
  std::string model;      ///< its name
  std::string structure;  ///< a sum over all that the model is made of
  std::string settings;   ///< tolerance, method, longest step, inputs
  double startTime = 0;   ///< [s]  of the run
  double time = 0;        ///< [s]  reached
  RunSnapshot run;

  /// A run of `model` that was started with `options` and has reached `time` [s].
  static SavedState of(const Model& model, const RunSnapshot& run, double time,
                       const RunOptions& options);

  /// True of a text that begins as a saved state does.
  static bool isOne(const std::string& text);
  /// Throws ModelError where `text` is none, or was cut short.
  static SavedState read(const std::string& text, const std::string& file);
  std::string write() const;

  /// Throws ModelError where it belongs to another model or build, or to other options, or is of a time
  /// behind the stop time.
  void requireFor(const Model& model, const RunOptions& options) const;
};

}  // namespace cardan
