#include "engine/structure/layout.h"

#include <algorithm>
#include <utility>

#include "components/chart.h"

namespace cardan {

namespace {

constexpr double kRoomTemperature = 293.15;  // [K]  guess of a temperature

const char* positionUnit(Domain d) {
  switch (d) {
    case Domain::Rotational:
      return "rad";
    case Domain::Translational:
      return "m";
    case Domain::Electrical:
      return "V";
    case Domain::Thermal:
      return "K";
  }
  return "";
}

const char* positionName(Domain d) {
  switch (d) {
    case Domain::Rotational:
      return ".phi";
    case Domain::Translational:
      return ".s";
    case Domain::Electrical:
      return ".v";
    case Domain::Thermal:
      return ".T";
  }
  return "";
}

/// Coordinates without velocities of their own.
bool isFreePoint(const FlatModel::Edge& e) {
  return e.isRoot && e.law->positions() > 0 && e.law->velocities() == 0;
}

using Source = PotentialNetwork::Source;
using SourceKind = PotentialNetwork::SourceKind;

/// Fills a Layout part by part; the order of the calls is that of y.
class LayoutBuilder {
 public:
  LayoutBuilder(const FlatModel& b, const SpanningTree& spanningTree,
                const PotentialNetwork& network)
      : b_(b), spanningTree_(spanningTree), network_(network) {}

  Layout build(Diagnostics& diagnostics) {
    addTree();
    nameCoordinates();
    addComponentUnknowns();
    addFreePoints();
    addSources();
    placeRows(diagnostics);
    if (nothingMoves()) addConstant();
    addConstraints();
    addCuts();
    nameMultipliers();
    for (int i = 0; i < l_.nq + l_.nv; ++i)
      l_.inMetres.push_back(l_.unknowns[i].unit == (i < l_.nq ? "m" : "m/s"));
    return std::move(l_);
  }

 private:
  void addTree() {
    for (const SpanningTree::TreeEdge& t : spanningTree_.tree) {
      const FlatModel::Edge& e = b_.edges[t.edge];
      if (isFreePoint(e)) {
        l_.freePoints.push_back({t.edge, t.far, -1});
        l_.tree.push_back({e.law, t.near, t.far, node(e.a), node(e.b), t.edge, l_.nq, l_.nv, 0, 0,
                           t.forward, true});
        continue;
      }
      l_.tree.push_back({e.law, t.near, t.far, node(e.a), node(e.b), t.edge, l_.nq, l_.nv,
                         e.law->positions(), e.law->velocities(), t.forward,
                         e.law->plainCoordinates()});
      if (const Chart* chart = e.law->chart().chart) {
        l_.tree.back().chart = l_.chartSize;
        l_.chartSize += chart->size();
      }
      l_.nq += e.law->positions();
      l_.nv += e.law->velocities();
    }
    l_.edges = l_.tree.size();
    for (int i = 0; i < network_.inertial; ++i)
      l_.tree.push_back({nullptr, -1, -1, -1, -1, -1, l_.nq++, l_.nv++, 1, 1, true, true});
    for (int i = 0; i < std::ssize(l_.tree); ++i) {
      if (l_.tree[i].nq > 0) l_.moving.push_back(i);
    }
  }

  void nameCoordinates() {
    nameEdges(&FlatModel::Edge::positions);
    forSources(SourceKind::inertial, [&](const Source& s) {
      l_.unknowns.push_back({s.name + positionName(s.domain), positionUnit(s.domain), 0, 1, true});
    });
    nameEdges(&FlatModel::Edge::velocities);
    forSources(SourceKind::inertial, [&](const Source& s) {
      l_.unknowns.push_back({"der(" + s.name + positionName(s.domain) + ")",
                             std::string(positionUnit(s.domain)) + "/s", 0, 1, true});
    });
  }

  template <class Member>
  void nameEdges(Member member) {
    for (const Layout::TreeJoint& s : l_.tree) {
      if (!s.law) continue;
      const FlatModel::Edge& e = b_.edges[s.edge];
      if (isFreePoint(e)) continue;
      for (const UnknownInfo& u : e.*member)
        l_.unknowns.push_back({prefix(e.instance) + u.name, u.unit, u.start, u.nominal, true});
    }
  }

  void addComponentUnknowns() {
    for (const FlatModel::Unknown& u : b_.unknowns) {
      l_.unknownOffset.push_back(l_.xOffset() + l_.nx++);
      l_.unknowns.push_back({prefix(u.instance) + u.info.name, u.info.unit, u.info.start,
                             u.info.nominal, u.kind != Kind::Algebraic});
      l_.rated = l_.rated && u.kind == Kind::Rated;
    }
    componentUnknowns_ = l_.nx;
  }

  void addFreePoints() {
    for (Layout::FreePoint& f : l_.freePoints) {
      const FlatModel::Edge& e = b_.edges[f.edge];
      f.x = l_.xOffset() + l_.nx;
      l_.rated = false;
      for (const UnknownInfo& u : e.positions) {
        l_.unknowns.push_back({prefix(e.instance) + u.name, u.unit, u.start, u.nominal, true});
        ++l_.nx;
      }
    }
  }

  /// A node without inertia: its potential is an unknown, and the sum of the flows its equation, at
  /// the same place.
  void addSources() {
    const int firstMassless = l_.xOffset() + l_.nx;
    forSources(SourceKind::massless, [&](const Source& s) {
      const double start = s.domain == Domain::Thermal ? kRoomTemperature : 0;
      l_.unknowns.push_back(
          {s.name + positionName(s.domain), positionUnit(s.domain), start, 1, s.state});
      ++l_.nx;
      l_.rated = false;
    });
    for (const Source& s : network_.sources) {
      int position = -1, velocity = -1;
      if (s.kind == SourceKind::inertial) {
        position = l_.nq - network_.inertial + s.index;
        velocity = l_.nq + l_.nv - network_.inertial + s.index;
      } else if (s.kind == SourceKind::massless) {
        position = firstMassless + s.index;
      }
      l_.positionOfSource.push_back(position);
      l_.velocityOfSource.push_back(velocity);
    }
  }

  void placeRows(Diagnostics& diagnostics) {
    int rows = 0;
    for (const FlatModel::Row& r : b_.rows) {
      l_.rowOffset.push_back(l_.xOffset() + rows);
      rows += r.size;
    }
    if (rows != componentUnknowns_ && diagnostics.errorCount() == 0) {
      diagnostics.error({}, "the parts of the model state " + std::to_string(rows) +
                                " equations for " + std::to_string(componentUnknowns_) +
                                " unknowns");
    }
  }

  /// Joints outside the tree may state nothing.
  bool nothingMoves() const {
    const bool cutsAreFree = std::ranges::all_of(
        spanningTree_.cuts, [&](int edge) { return b_.edges[edge].closure->closures() == 0; });
    return l_.size() == 0 && b_.constraints.empty() && network_.relations.empty() && cutsAreFree;
  }

  void addConstant() {
    l_.still = true;
    l_.nx = 1;
    l_.unknowns.push_back({"(nothing moves)", "1", 0, 1, true});
  }

  /// Those of components, then those among one-dimensional parts.
  void addConstraints() {
    for (const FlatModel::Constraint& c : b_.constraints) {
      l_.constraintOffset.push_back(l_.nlambda);
      for (int i = 0; i < c.positionRows + c.velocityRows; ++i)
        addMultiplier(c.name + "[" + std::to_string(i + 1) + "]", i < c.positionRows);
    }
    l_.firstRelation = l_.nlambda;
    for (const PotentialNetwork::Relation& r : network_.relations)
      addMultiplier("gear relation at " + r.name, true);
  }

  void addCuts() {
    for (int edge : spanningTree_.cuts) {
      const FlatModel::Edge& e = b_.edges[edge];
      const int rows = e.closure->closures();
      l_.cutJoints.push_back({e.law, e.closure, node(e.a), node(e.b), edge,
                              rows > 0 ? l_.nlambda : -1, rows, l_.measuredSize});
      l_.measuredSize += e.nq() + 2 * e.nv();
      for (int i = 0; i < rows; ++i)
        addMultiplier(prefix(e.instance) + e.closure->closureName(i), true);
    }
  }

  void addMultiplier(std::string name, bool position) {
    l_.rowNames.push_back(std::move(name));
    l_.muOfLambda.push_back(position ? l_.nmu++ : -1);
    ++l_.nlambda;
  }

  void nameMultipliers() {
    for (const std::string& name : l_.rowNames)
      l_.unknowns.push_back({"reaction of " + name, "", 0, 1, false});
    for (int i = 0; i < l_.nlambda; ++i) {
      if (l_.muOfLambda[i] >= 0)
        l_.unknowns.push_back({"stabiliser of " + l_.rowNames[i], "", 0, 1, false});
    }
  }

  template <class F>
  void forSources(SourceKind kind, F f) const {
    for (const Source& s : network_.sources) {
      if (s.kind == kind) f(s);
    }
  }
  int node(FrameId f) const { return spanningTree_.nodeOfFrame[f.index]; }
  std::string prefix(int instance) const { return b_.instances[instance].full(""); }

  const FlatModel& b_;
  const SpanningTree& spanningTree_;
  const PotentialNetwork& network_;
  Layout l_;
  int componentUnknowns_ = 0;
};

}  // namespace

Layout makeLayout(const FlatModel& b, const SpanningTree& spanningTree,
                  const PotentialNetwork& network, Diagnostics& diagnostics) {
  return LayoutBuilder(b, spanningTree, network).build(diagnostics);
}

}  // namespace cardan
