/// PictureRecorder: the shapes of a model, and what varies about them, along a run.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "components/shapes.h"
#include "engine/results/row_watch.h"
#include "engine/results/rows.h"
#include "engine/text/diagnostics.h"

namespace cardan {

class ModelParts;
class Simulation;

struct PictureOptions {
  std::vector<std::string> frames{};  ///< frame connectors wanted besides those of shapes
  double start = 0, stop = 1;         ///< [s]  of the run
  int most = 1000;                    ///< frames of the picture, events not counted
  bool contactForces = true;  ///< with their patches, which read forces and modes of the run
};

/// Asks every component for its shapes, and takes their numbers where rows are written. Of many
/// rows it keeps as many as are asked for, evenly spread, and those at events.
class PictureRecorder final : public RowWatch, public RowSink {
 public:
  /// Frames that are none are errors.
  PictureRecorder(const Simulation& simulation, PictureOptions options, Diagnostics& diagnostics);
  ~PictureRecorder() override;

  // As a watch: frames and shapes.
  const std::vector<int>& variables() const override { return variables_; }
  Level level() const override { return level_; }
  void look(double t, const View<double>& x, std::span<const double> values) override;
  // As a sink: curves. To be called after look() of the same row, or never.
  void begin(const std::vector<Column>& columns) override { columns_ = columns; }
  void row(double time, std::span<const double> values) override;
  /// No more rows come.
  void finish();

  const ModelParts& model() const { return *model_; }
  /// One shape of a component.
  struct Item {
    int instance = -1;
    std::variant<Shape, ArrowShape, SurfaceShape> shape;
    const PicturePlace& place() const;
  };
  const std::deque<Item>& items() const { return items_; }

  // What was kept.
  size_t rows() const { return kept_.size(); }
  double time(size_t row) const { return kept_[row].time; }
  /// Elements of a value of one of the items.
  const float* value(size_t row, const PictureValue& v) const;
  /// Places of frames: the world is 0.
  int place(FrameId frame) const;
  /// How many, and a connector at each.
  size_t places() const { return nodes_.size() + 1; }
  const std::string& placeName(size_t place) const { return placeNames_[place]; }
  /// Position [m] (3) and quaternion (4), continuous along the rows, of a place but the world.
  const double* motion(size_t row, size_t place) const {
    return &kept_[row].motions[7 * (place - 1)];
  }
  const std::vector<Column>& columns() const { return columns_; }
  float curve(size_t row, size_t column) const { return kept_[row].curves[column]; }
  /// The place of a wanted frame.
  int placeOf(const std::string& connector) const { return wanted_.at(connector); }

 private:
  class Collector;
  struct Row {
    double time = 0;
    bool event = false;           ///< one of two rows of one time
    std::vector<double> motions;  ///< 7 a place
    std::vector<float> numbers, curves;
  };
  /// Where an element of an input comes from.
  struct InputPlace {
    std::vector<double> numbers;  ///< given by the model
    int offset = -1;              ///< else: among the watch's values
    int size = 1;
  };
  struct Bound {
    const PictureValue* value;
    size_t offset;  ///< in Row::numbers
    std::vector<InputPlace> inputs;
  };

  void bind(const PictureValue& v, int instance);
  int addPlace(FrameId frame, const std::string& name);
  void decide(bool beforeEvent);

  std::unique_ptr<const ModelParts> model_;
  PictureOptions options_;
  std::deque<Item> items_;
  std::vector<Bound> bound_;
  std::map<const PictureValue*, size_t> offsets_;
  std::map<const PictureValue*, std::vector<float>> constants_;
  size_t numbers_ = 0;
  Level level_ = Level::Position;
  std::vector<int> variables_;
  int variableElements_ = 0;
  std::map<int, int> placeOfVariable_;
  std::vector<int> nodes_;  ///< per place but the world
  std::vector<FrameId> frameOf_;
  std::map<int, int> placeOfNode_;
  std::vector<std::string> placeNames_;
  std::map<std::string, int> wanted_;
  std::vector<Column> columns_;

  std::vector<Row> kept_;
  std::unique_ptr<Row> pending_;
  std::vector<double> last_;  ///< motions of the row before
  double before_ = 0;         ///< [s]  time of the row before the pending one
  double lastKept_ = 0;
  int eventRows_ = 0;
  std::vector<double> in_, out_;
};

}  // namespace cardan
