// Models from files of other formats.
#include "apps/cardan/model_options.h"
#include "apps/cosimulation/types.h"

namespace cardan {

RobotImport robotOf(const std::string& path, const robots::ImportOptions& options,
                    Diagnostics& warnings) {
  Diagnostics diagnostics;
  auto robot = importRobot(path, options, diagnostics);
  diagnostics.throwIfErrors();
  warnings.add(diagnostics);
  return std::move(*robot);
}

const Catalogue& laterTypes() { return allTypes(); }

ModelFormats formats(const modelica::ImportOptions& modelica, const robots::ImportOptions& robot) {
  return {modelica::modelicaFormat(modelica), robotFormat(robot)};
}

}  // namespace cardan
