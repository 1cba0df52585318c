#include "engine/structure/layout.h"

#include <algorithm>

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

}  // namespace

Layout makeLayout(const FlatModel& b, const SpanningTree& spanningTree,
                  const PotentialNetwork& network, Diagnostics& diagnostics) {
  Layout l;
  auto node = [&](FrameId f) { return spanningTree.nodeOfFrame[static_cast<size_t>(f.index)]; };
  auto prefix = [&](int instance) { return b.instances[static_cast<size_t>(instance)].full(""); };

  for (const SpanningTree::TreeEdge& t : spanningTree.tree) {
    const FlatModel::Edge& e = b.edges[static_cast<size_t>(t.edge)];
    if (isFreePoint(e)) {
      l.freePoints.push_back({t.edge, t.far, -1});
      l.tree.push_back(
          {e.law, t.near, t.far, node(e.a), node(e.b), t.edge, l.nq, l.nv, 0, 0, t.forward, true});
      continue;
    }
    l.tree.push_back({e.law, t.near, t.far, node(e.a), node(e.b), t.edge, l.nq, l.nv,
                      e.law->positions(), e.law->velocities(), t.forward,
                      e.law->plainCoordinates()});
    if (const Chart* chart = e.law->chart().chart) {
      l.tree.back().chart = l.chartSize;
      l.chartSize += chart->size();
    }
    l.nq += e.law->positions();
    l.nv += e.law->velocities();
  }
  l.edges = l.tree.size();
  for (int i = 0; i < network.inertial; ++i) {
    l.tree.push_back({nullptr, -1, -1, -1, -1, -1, l.nq++, l.nv++, 1, 1, true, true});
  }
  auto own = [&](PotentialNetwork::SourceKind kind, auto f) {
    for (const PotentialNetwork::Source& s : network.sources) {
      if (s.kind == kind) f(s);
    }
  };
  auto coordinates = [&](auto member) {
    for (const Layout::TreeJoint& s : l.tree) {
      if (!s.law) continue;
      const FlatModel::Edge& e = b.edges[static_cast<size_t>(s.edge)];
      if (isFreePoint(e)) continue;
      for (const UnknownInfo& u : e.*member) {
        l.unknowns.push_back({prefix(e.instance) + u.name, u.unit, u.start, u.nominal, true});
      }
    }
  };
  coordinates(&FlatModel::Edge::positions);
  own(PotentialNetwork::SourceKind::inertial, [&](const PotentialNetwork::Source& s) {
    l.unknowns.push_back({s.name + positionName(s.domain), positionUnit(s.domain), 0, 1, true});
  });
  coordinates(&FlatModel::Edge::velocities);
  own(PotentialNetwork::SourceKind::inertial, [&](const PotentialNetwork::Source& s) {
    l.unknowns.push_back({"der(" + s.name + positionName(s.domain) + ")",
                          std::string(positionUnit(s.domain)) + "/s", 0, 1, true});
  });

  for (const FlatModel::Unknown& u : b.unknowns) {
    l.unknownOffset.push_back(l.xOffset() + l.nx++);
    l.unknowns.push_back({prefix(u.instance) + u.info.name, u.info.unit, u.info.start,
                          u.info.nominal, u.kind == Kind::Differential});
  }
  const int componentUnknowns = l.nx;
  for (Layout::FreePoint& f : l.freePoints) {
    const FlatModel::Edge& e = b.edges[static_cast<size_t>(f.edge)];
    f.x = l.xOffset() + l.nx;
    for (const UnknownInfo& u : e.positions) {
      l.unknowns.push_back({prefix(e.instance) + u.name, u.unit, u.start, u.nominal, true});
      ++l.nx;
    }
  }
  // A node without inertia: its potential is an unknown, and the sum of the flows its equation, at
  // the same place.
  const int firstMassless = l.nx;
  own(PotentialNetwork::SourceKind::massless, [&](const PotentialNetwork::Source& s) {
    const double start = s.domain == Domain::Thermal ? kRoomTemperature : 0;
    l.unknowns.push_back(
        {s.name + positionName(s.domain), positionUnit(s.domain), start, 1, s.state});
    ++l.nx;
  });
  for (const PotentialNetwork::Source& s : network.sources) {
    switch (s.kind) {
      case PotentialNetwork::SourceKind::inertial:
        l.positionOfSource.push_back(l.nq - network.inertial + s.index);
        l.velocityOfSource.push_back(l.nq + l.nv - network.inertial + s.index);
        break;
      case PotentialNetwork::SourceKind::massless:
        l.positionOfSource.push_back(l.xOffset() + firstMassless + s.index);
        l.velocityOfSource.push_back(-1);
        break;
      default:
        l.positionOfSource.push_back(-1);
        l.velocityOfSource.push_back(-1);
    }
  }
  int row = l.xOffset();
  for (const FlatModel::Row& r : b.rows) {
    l.rowOffset.push_back(row);
    row += r.size;
  }
  if (row - l.xOffset() != componentUnknowns && diagnostics.errorCount() == 0) {
    diagnostics.error({}, "the parts of the model state " + std::to_string(row - l.xOffset()) +
                              " equations for " + std::to_string(componentUnknowns) + " unknowns");
  }

  // Joints outside the tree may state nothing.
  const bool cutsAreFree = std::ranges::all_of(spanningTree.cuts, [&](int edge) {
    return b.edges[static_cast<size_t>(edge)].closure->closures() == 0;
  });
  if (l.size() == 0 && b.constraints.empty() && network.relations.empty() && cutsAreFree) {
    l.still = true;
    l.nx = 1;
    l.unknowns.push_back({"(nothing moves)", "1", 0, 1, true});
  }

  // Constraints: those of components, then cut joints.
  auto multiplier = [&](std::string name, bool position) {
    l.rowNames.push_back(std::move(name));
    l.muOfLambda.push_back(position ? l.nmu++ : -1);
    ++l.nlambda;
  };
  for (const FlatModel::Constraint& c : b.constraints) {
    l.constraintOffset.push_back(l.nlambda);
    for (int i = 0; i < c.positionRows + c.velocityRows; ++i) {
      multiplier(c.name + "[" + std::to_string(i + 1) + "]", i < c.positionRows);
    }
  }
  l.firstRelation = l.nlambda;
  for (const PotentialNetwork::Relation& r : network.relations)
    multiplier("gear relation at " + r.name, true);
  auto addLoose = [&](int edge) {
    const FlatModel::Edge& e = b.edges[static_cast<size_t>(edge)];
    const int rows = e.closure->closures();
    l.loose.push_back({e.law, e.closure, node(e.a), node(e.b), edge, rows > 0 ? l.nlambda : -1,
                       rows, l.measuredSize});
    l.measuredSize += e.nq() + 2 * e.nv();
    for (int i = 0; i < rows; ++i) multiplier(prefix(e.instance) + e.closure->closureName(i), true);
  };
  for (int edge : spanningTree.cuts) addLoose(edge);
  for (const std::string& name : l.rowNames) {
    l.unknowns.push_back({"reaction of " + name, "", 0, 1, false});
  }
  for (int i = 0; i < l.nlambda; ++i) {
    if (l.muOfLambda[static_cast<size_t>(i)] >= 0) {
      l.unknowns.push_back(
          {"stabiliser of " + l.rowNames[static_cast<size_t>(i)], "", 0, 1, false});
    }
  }
  return l;
}

}  // namespace cardan
