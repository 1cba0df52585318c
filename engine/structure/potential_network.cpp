#include "engine/structure/potential_network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/structure/dense_algebra.h"
#include "engine/structure/union_find.h"

namespace cardan {
namespace {

constexpr double kZero =
    1e-12;  // coefficients below are cancellation, relative to ratios of order one

/// Sparse rows over [nodes | given sources | constant], brought to reduced form: networks are many
/// small ones side by side.
class Elimination {
 public:
  using Row = std::map<int, double>;

  explicit Elimination(int nodes) : nodes_(nodes), rowsWith_(static_cast<size_t>(nodes)) {}

  void add(Row r, std::string name) {
    for (auto [c, x] : r) {
      if (c < nodes_) rowsWith_[static_cast<size_t>(c)].insert(rows());
    }
    rows_.push_back(std::move(r));
    names_.push_back(std::move(name));
  }

  /// Gauss-Jordan; a pivot is a node without inertia where there is one.
  void reduce(const std::vector<bool>& inertialNode) {
    pivotRow_.assign(static_cast<size_t>(nodes_), -1);
    for (int r = 0; r < rows(); ++r) {
      int best = -1;
      double score = 0;
      for (auto [n, x] : row(r)) {
        const double c = std::abs(x);
        if (n >= nodes_ || c < kZero) continue;
        const double s = inertialNode[static_cast<size_t>(n)] ? c : c * 1e6;
        if (s > score) {
          score = s;
          best = n;
        }
      }
      if (best < 0) continue;
      Row& pivot = rows_[static_cast<size_t>(r)];
      const double scale = pivot[best];
      for (auto& [c, x] : pivot) x /= scale;
      const std::set<int> others = rowsWith_[static_cast<size_t>(best)];
      for (int k : others) {
        if (k != r) subtract(k, at(k, best), pivot);
      }
      pivotRow_[static_cast<size_t>(best)] = r;
    }
  }

  int rows() const { return static_cast<int>(rows_.size()); }
  const Row& row(int r) const { return rows_[static_cast<size_t>(r)]; }
  double at(int r, int column) const {
    const auto i = row(r).find(column);
    return i == row(r).end() ? 0.0 : i->second;
  }
  int pivotRow(int node) const { return pivotRow_[static_cast<size_t>(node)]; }
  const std::string& name(int row) const { return names_[static_cast<size_t>(row)]; }

 private:
  /// Row k less `factor` times the pivot row; what cancels exactly goes.
  void subtract(int k, double factor, const Row& pivot) {
    if (factor == 0) return;
    Row& target = rows_[static_cast<size_t>(k)];
    for (auto [c, x] : pivot) {
      double& y = target[c];
      y -= factor * x;
      if (c < nodes_) rowsWith_[static_cast<size_t>(c)].insert(k);
      if (y != 0) continue;
      target.erase(c);
      if (c < nodes_) rowsWith_[static_cast<size_t>(c)].erase(k);
    }
  }

  int nodes_;
  std::vector<Row> rows_;
  std::vector<std::set<int>> rowsWith_;  ///< per node
  std::vector<std::string> names_;
  std::vector<int> pivotRow_;
};

/// Multipliers m of all relations from the balance of every node, F + C' m = 0, as flows c m at
/// their flanges; one connected network at a time.
std::vector<PotentialNetwork::RelationFlow> relationFlows(const FlatModel& b,
                                                          const std::vector<int>& nodeOfFlange,
                                                          int nodes) {
  std::vector<std::vector<std::pair<FlangeId, double>>> relations;
  for (const FlatModel::AxisBinding& a : b.axes) relations.push_back({{a.flange, 1.0}});
  for (const FlatModel::Driven& d : b.driven) relations.push_back({{d.flange, 1.0}});
  for (const FlatModel::Ground& g : b.grounds) relations.push_back({{g.flange, 1.0}});
  for (const Affine& a : b.affines) {
    if (!a.terms.empty()) relations.push_back(a.terms);
  }
  const auto nodeOf = [&](FlangeId f) { return nodeOfFlange[static_cast<size_t>(f.index)]; };
  UnionFind joined(static_cast<size_t>(nodes));
  for (const auto& terms : relations) {
    for (auto [f, c] : terms) joined.unite(nodeOf(terms.front().first), nodeOf(f));
  }
  std::map<int, std::vector<size_t>> networks;
  for (size_t r = 0; r < relations.size(); ++r)
    networks[joined.find(nodeOf(relations[r].front().first))].push_back(r);

  std::vector<PotentialNetwork::RelationFlow> flows;
  for (const auto& [root, members] : networks) {
    std::map<int, Eigen::Index> flangeIndex, nodeIndex;
    for (size_t r : members) {
      for (auto [f, c] : relations[r]) {
        flangeIndex.insert({f.index, static_cast<Eigen::Index>(flangeIndex.size())});
        nodeIndex.insert({nodeOf(f), static_cast<Eigen::Index>(nodeIndex.size())});
      }
    }
    const Eigen::Index count = static_cast<Eigen::Index>(members.size());
    Eigen::MatrixXd atFlanges =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(flangeIndex.size()), count);
    Eigen::MatrixXd atNodes =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(nodeIndex.size()), count);
    for (Eigen::Index r = 0; r < count; ++r) {
      for (auto [f, c] : relations[members[static_cast<size_t>(r)]]) {
        atFlanges(flangeIndex[f.index], r) += c;
        atNodes(nodeIndex[nodeOf(f)], r) += c;
      }
    }
    const Eigen::MatrixXd factors =
        -atFlanges * OrthogonalFactors(atNodes, roundingTolerance(atNodes)).pseudoInverse();
    for (auto [f, row] : flangeIndex) {
      for (auto [n, column] : nodeIndex) {
        if (factors(row, column) != 0) flows.push_back({f, n, factors(row, column)});
      }
    }
  }
  return flows;
}

/// Pins that parts connect with each other, none of them with ground: only differences of their
/// potentials would be known.
void requireGround(const FlatModel& b, const std::vector<int>& nodeOfFlange, int nodes,
                   Diagnostics& diagnostics) {
  UnionFind circuits(static_cast<size_t>(nodes));
  std::vector<int> firstNode(b.instances.size(), -1);
  for (size_t f = 0; f < b.flanges.size(); ++f) {
    if (b.flanges[f].domain != Domain::Electrical) continue;
    int& first = firstNode[static_cast<size_t>(b.flanges[f].instance)];
    if (first < 0) first = nodeOfFlange[f];
    circuits.unite(first, nodeOfFlange[f]);
  }
  std::vector<bool> known(static_cast<size_t>(nodes), false);
  for (const FlatModel::Ground& g : b.grounds) {
    known[static_cast<size_t>(circuits.find(nodeOfFlange[static_cast<size_t>(g.flange.index)]))] =
        true;
  }
  for (size_t f = 0; f < b.flanges.size(); ++f) {
    if (b.flanges[f].domain != Domain::Electrical) continue;
    const size_t circuit = static_cast<size_t>(circuits.find(nodeOfFlange[f]));
    if (known[circuit]) continue;
    known[circuit] = true;  // one message each
    const int instance = b.flanges[f].instance;
    diagnostics.error(b.instances[static_cast<size_t>(instance)].at,
                      b.typeAndName(instance) +
                          ": its circuit has no ground, so that no potential "
                          "is known: connect an Analog.Ground");
  }
}

}  // namespace

PotentialNetwork makeFlangeNetwork(const FlatModel& b, Diagnostics& diagnostics) {
  PotentialNetwork net;
  const size_t flanges = b.flanges.size();
  if (flanges == 0) return net;
  UnionFind sets(flanges);
  for (auto [p, q] : b.flangeConnections) sets.unite(p, q);
  net.nodeOfFlange.assign(flanges, -1);
  std::vector<int> nodeOfSet(flanges, -1);
  std::vector<int> firstFlange;
  for (size_t f = 0; f < flanges; ++f) {
    int& node = nodeOfSet[static_cast<size_t>(sets.find(static_cast<int>(f)))];
    if (node < 0) {
      node = static_cast<int>(firstFlange.size());
      firstFlange.push_back(static_cast<int>(f));
    }
    net.nodeOfFlange[f] = node;
  }
  const int nodes = static_cast<int>(firstFlange.size());
  requireGround(b, net.nodeOfFlange, nodes, diagnostics);
  auto node = [&](FlangeId f) { return net.nodeOfFlange[static_cast<size_t>(f.index)]; };
  auto flange = [&](FlangeId f) -> const FlatModel::Flange& {
    return b.flanges[static_cast<size_t>(f.index)];
  };
  auto nameOf = [&](FlangeId f) { return flange(f).name; };

  // Sources that are there without the network.
  for (size_t i = 0; i < b.axes.size(); ++i) {
    const FlangeId f = b.axes[i].flange;
    net.sources.push_back(
        {PotentialNetwork::SourceKind::joint, static_cast<int>(i), flange(f).domain, nameOf(f)});
  }
  for (size_t i = 0; i < b.driven.size(); ++i) {
    const FlangeId f = b.driven[i].flange;
    net.sources.push_back(
        {PotentialNetwork::SourceKind::driven, static_cast<int>(i), flange(f).domain, nameOf(f)});
  }
  const int given = static_cast<int>(net.sources.size());

  Elimination e(nodes);
  const int constant = nodes + given;
  auto bind = [&](FlangeId f, int source) {
    Elimination::Row r;
    r[node(f)] = 1;
    r[nodes + source] = -1;
    e.add(std::move(r), nameOf(f));
  };
  for (size_t i = 0; i < b.axes.size(); ++i) bind(b.axes[i].flange, static_cast<int>(i));
  for (size_t i = 0; i < b.driven.size(); ++i)
    bind(b.driven[i].flange, static_cast<int>(b.axes.size() + i));
  for (const FlatModel::Ground& g : b.grounds) {
    Elimination::Row r;
    r[node(g.flange)] = 1;
    r[constant] = g.potential;
    e.add(std::move(r), nameOf(g.flange));
  }
  for (const Affine& a : b.affines) {
    Elimination::Row r;
    for (auto [f, c] : a.terms) r[node(f)] += c;
    r[constant] = a.constant;
    e.add(std::move(r), a.terms.empty() ? "" : nameOf(a.terms.front().first));
  }
  std::vector<bool> inertialNode(static_cast<size_t>(nodes), false);
  for (FlangeId f : b.inertialFlanges) inertialNode[static_cast<size_t>(node(f))] = true;
  e.reduce(inertialNode);

  // Rows without a node: relations among given sources, or contradictions.
  for (int r = 0; r < e.rows(); ++r) {
    bool hasNode = false;
    PotentialNetwork::Relation relation{{}, e.at(r, constant), e.name(r)};
    for (auto [c, x] : e.row(r)) {
      if (std::abs(x) <= kZero) continue;
      hasNode = hasNode || c < nodes;
      if (c >= nodes && c < constant) relation.terms.push_back({c - nodes, x});
    }
    if (hasNode) continue;
    if (!relation.terms.empty()) {
      net.relations.push_back(std::move(relation));
    } else if (std::abs(e.at(r, constant)) > kZero) {
      const auto found = std::ranges::find(b.flanges, e.name(r), &FlatModel::Flange::name);
      diagnostics.error(found == b.flanges.end() || found->instance < 0
                            ? SourceMark{}
                            : b.instances[static_cast<size_t>(found->instance)].at,
                        "'" + e.name(r) + "' is fixed twice, at values that differ by " +
                            std::to_string(std::abs(e.at(r, constant))));
    }
  }

  // Own coordinates for the nodes that nothing determines.
  std::vector<int> sourceOfNode(static_cast<size_t>(nodes), -1);
  std::vector<bool> carries = inertialNode;  // inertia, its own or that of nodes that follow it
  for (int k = 0; k < nodes; ++k) {
    const int r = e.pivotRow(k);
    if (r < 0 || !inertialNode[static_cast<size_t>(k)]) continue;
    for (auto [c, x] : e.row(r)) {
      if (c < nodes && std::abs(x) > kZero) carries[static_cast<size_t>(c)] = true;
    }
  }
  for (int n = 0; n < nodes; ++n) {
    if (e.pivotRow(n) >= 0) continue;
    const bool inertia = carries[static_cast<size_t>(n)];
    const FlatModel::Flange& f =
        b.flanges[static_cast<size_t>(firstFlange[static_cast<size_t>(n)])];
    const bool mechanical = isMechanical(f.domain);
    sourceOfNode[static_cast<size_t>(n)] = static_cast<int>(net.sources.size());
    if (inertia && mechanical) {
      net.sources.push_back(
          {PotentialNetwork::SourceKind::inertial, net.inertial++, f.domain, f.name});
    } else {
      net.sources.push_back({PotentialNetwork::SourceKind::massless, net.massless++, f.domain,
                             f.name, mechanical || inertia});
    }
  }
  net.nodes.resize(static_cast<size_t>(nodes));
  for (int n = 0; n < nodes; ++n) {
    PotentialNetwork::Node& out = net.nodes[static_cast<size_t>(n)];
    const int r = e.pivotRow(n);
    if (r < 0) {
      out.terms.push_back({sourceOfNode[static_cast<size_t>(n)], 1});
      continue;
    }
    out.constant = e.at(r, constant);
    for (auto [c, x] : e.row(r)) {
      if (c == n || c == constant || std::abs(x) <= kZero) continue;
      out.terms.push_back({c < nodes ? sourceOfNode[static_cast<size_t>(c)] : c - nodes, -x});
    }
  }
  net.relationFlows = relationFlows(b, net.nodeOfFlange, nodes);
  return net;
}

}  // namespace cardan
