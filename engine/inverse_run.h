/// InverseRun: the forces that a motion needs which a table gives, row by row.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/dynamics/inverse_dynamics.h"
#include "engine/model_file/simulation_settings.h"

namespace cardan {

class MotionTable;
class RowSink;
class Simulation;

class InverseRun {
 public:
  /// `file`: the motion's, for messages. `actuators`: names of coordinates; none: the given ones.
  /// `outputs`: further results; none are added where nothing is asked for. Throws ModelError for wrong
  /// names, InverseError. Simulation and motion outlive it.
  InverseRun(Simulation& simulation, const MotionTable& motion, const std::string& file,
             const std::vector<OutputPattern>& actuators,
             const std::vector<OutputPattern>& outputs);
  ~InverseRun();

  /// "note: loops tie 'r2.phi' to ...": columns that are not the motion, but tell which way loops close; "":
  /// there are none.
  const std::string& note() const;
  /// After run(): "warning: loops make of 'r2.phi' something else than the file says: ..."; "": they do not.
  const std::string& warning() const;
  /// A row of forces for each row of the motion. Throws InverseError.
  void run(RowSink& sink);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cardan
