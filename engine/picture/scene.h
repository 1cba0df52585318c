/// Scene: a moving picture of a model, as data that any viewer can show: frames, meshes, items with
/// tracks.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "engine/picture/mesh.h"
#include "engine/picture/rigid_frames.h"

namespace cardan {

class Diagnostics;
class PictureRecorder;

/// Numbers along the picture's times; those that do not change are there once.
struct Track {
  int width = 1;
  std::vector<float> values;  ///< width of them, or width a time

  bool constant() const { return std::ssize(values) == width; }
  /// Those at time `row`.
  const float* at(size_t row) const { return values.data() + (constant() ? 0 : row * width); }
};

/// Quaternions are (x, y, z, w) of the rotation that takes an item's own axes to where they are, in
/// the axes around it; they are continuous.
struct Scene {
  struct Frame {
    std::string name;  ///< of a connector there
    Track r{3, {}};    ///< [m]  resolved in world
    Track q{4, {}};
    CarriedFrame carried;  ///< by an earlier frame, with which it moves as one piece
  };
  struct Item {
    size_t component = 0;
    std::string name;  ///< inside the component ("box")
    int frame = -1;    ///< that it is fixed to; -1: world
    size_t mesh = 0;
    Track r{3, {}}, q{4, {}};  ///< in that frame
    Track scale{3, {}};        ///< [m]  or [1], as the mesh
    Track weights{0, {}};      ///< of the mesh's targets
    Track color{3, {}};        ///< RGB 0..255; more than 3: one a line of a grid, or one a point
    float specular = 0, opacity = 1;
  };
  struct Component {
    std::string name, type;
    std::vector<std::pair<std::string, std::string>> parameters;
  };
  struct Curve {
    std::string name, unit, description;
    std::vector<float> values;    ///< one a time
    std::vector<double> times{};  ///< [s]  its own; none: the picture's
    int panel = -1;               ///< that it is drawn in; -1: that of its unit
    bool dashed = false;
  };

  /// A part of the times that is shown alone, over and over.
  struct Chapter {
    std::string name;
    double from, to;  ///< [s]
  };

  std::string title, description;
  std::vector<Chapter> chapters;              ///< none: all is one
  std::array<double, 3> up{0, 1, 0};          ///< against gravity
  std::array<double, 3> lowest{}, highest{};  ///< [m]  of all that is shown, at all times
  std::vector<double> times;                  ///< [s]  equal ones are before and after an event
  std::vector<Frame> frames;
  std::vector<Mesh> meshes;
  std::vector<Item> items;
  std::vector<Item> contactForces;  ///< with their patches, shown on demand; of no component
  std::vector<Component> components;
  std::vector<Curve> curves;
  std::vector<double> events;  ///< [s]
  int followed = -1;           ///< frame that the view goes with
  std::vector<int> traced;     ///< frames that leave a line

  /// Length that small is told from large by [m].
  double size() const;
};

struct SceneOptions {
  std::string follow;              ///< frame connector, or ""
  std::vector<std::string> trace;  ///< frame connectors
};

/// Pre: the recorder has rows, and has been asked for the frames of `options`. Warnings, such as
/// files of shapes that are not there, go to `diagnostics`.
Scene makeScene(const PictureRecorder& recorder, const SceneOptions& options,
                Diagnostics& diagnostics);

}  // namespace cardan
