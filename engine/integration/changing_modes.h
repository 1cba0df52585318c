/// ChangingModes: the modes of all components while an event lets them change.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "components/component.h"

namespace cardan {

/// What a component sees and sets in transition(); `modes` must outlive it.
class ChangingModes final : public Modes {
 public:
  /// `outsides`: of the run; null: nothing outside may happen.
  explicit ChangingModes(std::vector<int>& modes,
                         std::vector<std::shared_ptr<Outside>>* outsides = nullptr)
      : modes_(modes), outsides_(outsides) {}
  int get(ModeId m) const override { return modes_[m.index]; }
  void set(ModeId m, int mode) override { modes_[m.index] = mode; }
  double contradiction() const override { return contradiction_; }
  void contradictBy(double residue) { contradiction_ = residue; }
  const View<double>* before() const override { return before_; }
  void enterFrom(const View<double>* before) { before_ = before; }
  bool isQuiet() const override { return quiet_; }
  void setQuiet(bool quiet) { quiet_ = quiet; }
  void violate(double size, const std::string& what) override { violation_ = {size, what}; }
  bool violated() const { return violation_.has_value(); }
  /// Of the component that was asked last, by how much and which law.
  std::optional<std::pair<double, std::string>> takeViolation() {
    return std::exchange(violation_, std::nullopt);
  }
  bool isUndetermined() const override { return undetermined_; }
  int openLoads() const override {
    if (findLoads_) loads_ = std::exchange(findLoads_, nullptr)();
    return static_cast<int>(loads_.cols());
  }
  double openLoad(int load, UnknownId u) const override {
    return loads_((*elements_)[u.index] - elements_->front(), load);
  }
  /// Of the component that is asked next, if it wants to know: see Completion::openAlone; `elements`: of y,
  /// per unknown.
  void openBy(std::function<Eigen::MatrixXd()> loads, const std::vector<int>& elements) {
    findLoads_ = std::move(loads);
    elements_ = &elements;
  }
  double openMobility() const override {
    shared_ = shared_ || mobility_ > 0;
    return mobility_;
  }
  bool isGuided() const override { return guided_; }
  /// Of the component that is asked next; `mobility` [1/kg]: see Impacts::openMobilities; `isGuided`: see
  /// Impacts::isGuided.
  void undetermine(bool isOpen, double mobility = 0, bool isGuided = false) {
    undetermined_ = isOpen;
    guided_ = isGuided;
    mobility_ = mobility;
    shared_ = false;
    findLoads_ = nullptr;
    loads_.resize(0, 0);
  }
  /// The component that was asked last has read a mobility: it is one of the surfaces that share.
  bool isSharedSeat() const { return shared_; }
  const Vector3d* solvedForce() const override { return solved_; }
  /// Of the component that is asked next; null: it shall find its modes alone.
  void solve(const Vector3d* force) { solved_ = force; }
  void reinit(UnknownId u, double x) override { states_.emplace_back(u, x); }
  const std::vector<std::pair<UnknownId, double>>& states() const { return states_; }
  /// States that were set since the last call.
  std::vector<std::pair<UnknownId, double>> takeStates() { return std::exchange(states_, {}); }
  std::shared_ptr<Outside>* outside(OutsideId o) override {
    return outsides_ ? &(*outsides_)[o.index] : nullptr;
  }
  void fail(const std::string& why) override { failure_ = why; }
  void warn(const std::string& text) override { warnings_.push_back(text); }
  /// Of the component that was asked last: why the run cannot go on ("": it can), and what it says.
  const std::string& failure() const { return failure_; }
  std::vector<std::string> takeWarnings() { return std::exchange(warnings_, {}); }

 private:
  std::vector<int>& modes_;
  std::vector<std::shared_ptr<Outside>>* outsides_;
  std::string failure_;
  std::vector<std::string> warnings_;
  std::vector<std::pair<UnknownId, double>> states_;
  bool quiet_ = false, undetermined_ = false, guided_ = false;
  double contradiction_ = 0;
  double mobility_ = 0;
  const Vector3d* solved_ = nullptr;
  const View<double>* before_ = nullptr;
  mutable bool shared_ = false;
  mutable std::function<Eigen::MatrixXd()> findLoads_;
  mutable Eigen::MatrixXd loads_;
  const std::vector<int>* elements_ = nullptr;
  std::optional<std::pair<double, std::string>> violation_;
};

}  // namespace cardan
