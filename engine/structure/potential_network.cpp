#include "engine/structure/potential_network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

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

  explicit Elimination(int nodes) : nodes_(nodes), rowsWith_(nodes) {}

  void add(Row r, std::string name) {
    for (auto [c, x] : r) {
      if (c < nodes_) rowsWith_[c].insert(rows());
    }
    rows_.push_back(std::move(r));
    names_.push_back(std::move(name));
  }

  /// Gauss-Jordan; a pivot is a node without inertia where there is one.
  void reduce(const std::vector<bool>& inertialNode) {
    pivotRow_.assign(nodes_, -1);
    for (int r = 0; r < rows(); ++r) {
      int best = -1;
      double score = 0;
      for (auto [n, x] : row(r)) {
        const double c = std::abs(x);
        if (n >= nodes_ || c < kZero) continue;
        const double s = inertialNode[n] ? c : c * 1e6;
        if (s > score) {
          score = s;
          best = n;
        }
      }
      if (best < 0) continue;
      Row& pivot = rows_[r];
      const double scale = pivot[best];
      for (auto& [c, x] : pivot) x /= scale;
      const std::set<int> others = rowsWith_[best];
      for (int k : others) {
        if (k != r) subtract(k, at(k, best), pivot);
      }
      pivotRow_[best] = r;
    }
  }

  int rows() const { return std::ssize(rows_); }
  const Row& row(int r) const { return rows_[r]; }
  double at(int r, int column) const {
    const auto i = row(r).find(column);
    return i == row(r).end() ? 0.0 : i->second;
  }
  int pivotRow(int node) const { return pivotRow_[node]; }
  const std::string& name(int row) const { return names_[row]; }

 private:
  /// Row k less `factor` times the pivot row; what cancels exactly goes.
  void subtract(int k, double factor, const Row& pivot) {
    if (factor == 0) return;
    Row& target = rows_[k];
    for (auto [c, x] : pivot) {
      double& y = target[c];
      y -= factor * x;
      if (c < nodes_) rowsWith_[c].insert(k);
      if (y != 0) continue;
      target.erase(c);
      if (c < nodes_) rowsWith_[c].erase(k);
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
  const auto nodeOf = [&](FlangeId f) { return nodeOfFlange[f.index]; };
  UnionFind joined(nodes);
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
        flangeIndex.insert({f.index, std::ssize(flangeIndex)});
        nodeIndex.insert({nodeOf(f), std::ssize(nodeIndex)});
      }
    }
    const Eigen::Index count = std::ssize(members);
    Eigen::MatrixXd atFlanges = Eigen::MatrixXd::Zero(std::ssize(flangeIndex), count);
    Eigen::MatrixXd atNodes = Eigen::MatrixXd::Zero(std::ssize(nodeIndex), count);
    for (Eigen::Index r = 0; r < count; ++r) {
      for (auto [f, c] : relations[members[r]]) {
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
  UnionFind circuits(nodes);
  std::vector<int> firstNode(b.instances.size(), -1);
  for (size_t f = 0; f < b.flanges.size(); ++f) {
    if (b.flanges[f].domain != Domain::Electrical) continue;
    int& first = firstNode[b.flanges[f].instance];
    if (first < 0) first = nodeOfFlange[f];
    circuits.unite(first, nodeOfFlange[f]);
  }
  std::vector<bool> known(nodes, false);
  for (const FlatModel::Ground& g : b.grounds) {
    known[circuits.find(nodeOfFlange[g.flange.index])] = true;
  }
  for (size_t f = 0; f < b.flanges.size(); ++f) {
    if (b.flanges[f].domain != Domain::Electrical) continue;
    const size_t circuit = circuits.find(nodeOfFlange[f]);
    if (known[circuit]) continue;
    known[circuit] = true;  // one message each
    const int instance = b.flanges[f].instance;
    diagnostics.error(b.instances[instance].at,
                      b.typeAndName(instance) +
                          ": its circuit has no ground, so that no potential "
                          "is known: connect an Analog.Ground");
  }
}

/// Flanges become nodes, what is stated of their potentials rows, and the rows the potential of
/// every node in sources.
class NetworkBuilder {
 public:
  NetworkBuilder(const FlatModel& b, Diagnostics& diagnostics) : b_(b), diagnostics_(diagnostics) {}

  PotentialNetwork build() {
    if (b_.flanges.empty()) return {};
    findNodes();
    requireGround(b_, net_.nodeOfFlange, nodes(), diagnostics_);
    addGivenSources();
    Elimination rows = statedRows();
    inertial_.assign(firstFlange_.size(), false);
    for (FlangeId f : b_.inertialFlanges) inertial_[node(f)] = true;
    rows.reduce(inertial_);
    takeRelations(rows);
    addOwnSources(rows);
    expressNodes(rows);
    net_.relationFlows = relationFlows(b_, net_.nodeOfFlange, nodes());
    return std::move(net_);
  }

 private:
  int nodes() const { return std::ssize(firstFlange_); }
  int node(FlangeId f) const { return net_.nodeOfFlange[f.index]; }
  int constant() const { return nodes() + given_; }  ///< column of the rows' constants
  const std::string& nameOf(FlangeId f) const { return b_.flanges[f.index].name; }

  /// Flanges that are connected are one node.
  void findNodes() {
    UnionFind sets(b_.flanges.size());
    for (auto [p, q] : b_.flangeConnections) sets.unite(p, q);
    std::vector<int> nodeOfSet(b_.flanges.size(), -1);
    for (size_t f = 0; f < b_.flanges.size(); ++f) {
      int& node = nodeOfSet[sets.find(f)];
      if (node < 0) {
        node = nodes();
        firstFlange_.push_back(f);
      }
      net_.nodeOfFlange.push_back(node);
    }
  }

  /// Sources that are there without the network.
  void addGivenSources() {
    const auto add = [&](PotentialNetwork::SourceKind kind, int index, FlangeId f) {
      net_.sources.push_back({kind, index, b_.flanges[f.index].domain, nameOf(f)});
    };
    int i = 0;
    for (const FlatModel::AxisBinding& a : b_.axes)
      add(PotentialNetwork::SourceKind::joint, i++, a.flange);
    i = 0;
    for (const FlatModel::Driven& d : b_.driven)
      add(PotentialNetwork::SourceKind::driven, i++, d.flange);
    given_ = std::ssize(net_.sources);
  }

  /// Rows over [nodes | given sources | constant], each of which is zero.
  Elimination statedRows() const {
    Elimination rows(nodes());
    int source = nodes();
    const auto bind = [&](FlangeId f) {
      Elimination::Row r;
      r[node(f)] = 1;
      r[source++] = -1;
      rows.add(std::move(r), nameOf(f));
    };
    for (const FlatModel::AxisBinding& a : b_.axes) bind(a.flange);
    for (const FlatModel::Driven& d : b_.driven) bind(d.flange);
    for (const FlatModel::Ground& g : b_.grounds) {
      Elimination::Row r;
      r[node(g.flange)] = 1;
      r[constant()] = g.potential;
      rows.add(std::move(r), nameOf(g.flange));
    }
    for (const Affine& a : b_.affines) {
      Elimination::Row r;
      for (auto [f, c] : a.terms) r[node(f)] += c;
      r[constant()] = a.constant;
      rows.add(std::move(r), a.terms.empty() ? "" : nameOf(a.terms.front().first));
    }
    return rows;
  }

  /// Rows without a node: relations among given sources, or contradictions.
  void takeRelations(const Elimination& rows) {
    for (int r = 0; r < rows.rows(); ++r) {
      bool hasNode = false;
      PotentialNetwork::Relation relation{{}, rows.at(r, constant()), rows.name(r)};
      for (auto [c, x] : rows.row(r)) {
        if (std::abs(x) <= kZero) continue;
        hasNode = hasNode || c < nodes();
        if (c >= nodes() && c < constant()) relation.terms.push_back({c - nodes(), x});
      }
      if (hasNode) continue;
      if (!relation.terms.empty()) {
        net_.relations.push_back(std::move(relation));
      } else if (std::abs(relation.constant) > kZero) {
        refuse(rows.name(r), relation.constant);
      }
    }
  }

  void refuse(const std::string& name, double difference) {
    const auto found = std::ranges::find(b_.flanges, name, &FlatModel::Flange::name);
    const bool isKnown = found != b_.flanges.end() && found->instance >= 0;
    diagnostics_.error(isKnown ? b_.instances[found->instance].at : SourceMark{},
                       "'" + name + "' is fixed twice, at values that differ by " +
                           std::to_string(std::abs(difference)));
  }

  /// Nodes with inertia, their own or that of nodes that follow them.
  std::vector<bool> carryingNodes(const Elimination& rows) const {
    std::vector<bool> carries = inertial_;
    for (int n = 0; n < nodes(); ++n) {
      const int r = rows.pivotRow(n);
      if (r < 0 || !inertial_[n]) continue;
      for (auto [c, x] : rows.row(r)) {
        if (c < nodes() && std::abs(x) > kZero) carries[c] = true;
      }
    }
    return carries;
  }

  /// Own coordinates for the nodes that nothing determines.
  void addOwnSources(const Elimination& rows) {
    const std::vector<bool> carries = carryingNodes(rows);
    sourceOfNode_.assign(firstFlange_.size(), -1);
    for (int n = 0; n < nodes(); ++n) {
      if (rows.pivotRow(n) >= 0) continue;
      const FlatModel::Flange& f = b_.flanges[firstFlange_[n]];
      const bool mechanical = isMechanical(f.domain);
      sourceOfNode_[n] = std::ssize(net_.sources);
      if (carries[n] && mechanical) {
        net_.sources.push_back(
            {PotentialNetwork::SourceKind::inertial, net_.inertial++, f.domain, f.name});
      } else {
        net_.sources.push_back({PotentialNetwork::SourceKind::massless, net_.massless++, f.domain,
                                f.name, mechanical || carries[n]});
      }
    }
  }

  void expressNodes(const Elimination& rows) {
    net_.nodes.resize(firstFlange_.size());
    for (int n = 0; n < nodes(); ++n) {
      PotentialNetwork::Node& out = net_.nodes[n];
      const int r = rows.pivotRow(n);
      if (r < 0) {
        out.terms.push_back({sourceOfNode_[n], 1});
        continue;
      }
      out.constant = rows.at(r, constant());
      for (auto [c, x] : rows.row(r)) {
        if (c == n || c == constant() || std::abs(x) <= kZero) continue;
        out.terms.push_back({c < nodes() ? sourceOfNode_[c] : c - nodes(), -x});
      }
    }
  }

  const FlatModel& b_;
  Diagnostics& diagnostics_;
  PotentialNetwork net_;
  std::vector<int> firstFlange_;   ///< per node
  std::vector<bool> inertial_;     ///< per node
  std::vector<int> sourceOfNode_;  ///< per node, -1: its row says its potential
  int given_ = 0;                  ///< sources that are there without the network
};

}  // namespace

PotentialNetwork makeFlangeNetwork(const FlatModel& b, Diagnostics& diagnostics) {
  return NetworkBuilder(b, diagnostics).build();
}

}  // namespace cardan
