/// Variables: what a component lets one ask for by name: MSL's variables, outputs, start values,
/// energies.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "components/start_value.h"
#include "components/view.h"

namespace cardan {

inline const std::vector<SignalId> kReadsNothing;  ///< read directly

/// What is said of a variable besides how to evaluate it.
struct VariableInfo {
  // Not inline, as what a description is made of would be compiled with each of them.
  VariableInfo();
  VariableInfo(std::string_view name, std::string_view unit, std::string_view description,
               Level level = Level::Position, bool output = false,
               const std::vector<SignalId>& reads = kReadsNothing, bool isBoolean = false);
  VariableInfo(const VariableInfo&);
  VariableInfo(VariableInfo&&) noexcept;
  VariableInfo& operator=(const VariableInfo&);
  VariableInfo& operator=(VariableInfo&&) noexcept;
  ~VariableInfo();

  std::string name;  ///< MSL's name inside the component, without indices ("r_0")
  std::string unit;  ///< SI unit, "1" for none
  std::string description;
  Level level = Level::Position;  ///< what it reads
  bool output = false;            ///< a signal output: may be connected, is a result by default
  std::vector<SignalId> reads{};  ///< inputs that it depends on directly
  bool isBoolean = false;         ///< result is 0 or 1
  bool remembers = false;         ///< reads a memory: what it is depends on the steps before
};

/// A variable's value as a function of one evaluation; evaluated only when somebody asked for it.
class VariableFunction {
 public:
  virtual ~VariableFunction() = default;
  virtual void evaluate(const View<double>& x, double* out) const = 0;
  virtual void evaluate(const View<Dual>& x, Dual* out) const = 0;
};

/// Mechanical sums of one body; totals over the model are results.
template <class S>
struct MechanicalSums {
  S kineticEnergy{0};                   ///< [J]
  S potentialEnergy{0};                 ///< [J]  of gravity and of springs
  Vector3<S> p_0 = Vector3<S>::Zero();  ///< [N.s]     linear momentum, resolved in world
  Vector3<S> L_0 = Vector3<S>::Zero();  ///< [N.m.s]   angular momentum about the world's origin,
                                        ///< resolved in world
};

/// An initial condition that is no start value of a variable: residue = 0 at the start.
struct InitialInfo {
  std::string name;         ///< the parameter that states it ("angles_start"), for messages
  std::string description;  ///< what it fixes, in the user's words
  Level level = Level::Position;
  bool fixed = false;  ///< false: a guess
  bool given = false;  ///< the user wrote it
  StateSelect stateSelect = StateSelect::defaultSelect;
};

/// Receives a component's variables. `f` is a generic callable: f(const View<S>&) -> S, Vector3<S>,
/// or f(const View<S>&, S* out) for arrays.
class Variables {
 public:
  virtual ~Variables() = default;

  template <class F>
  void scalar(const VariableInfo& info, F f) {
    put(info, 0, make([f](const auto& x, auto* out) { out[0] = f(x); }));
  }
  template <class F>
  void vector(const VariableInfo& info, F f) {
    put(info, 3, make([f](const auto& x, auto* out) {
          const auto v = f(x);
          for (int i = 0; i < 3; ++i) out[i] = v[i];
        }));
  }
  /// Array of the given dimensions ({4}; {3, 3} row by row; {} for a scalar).
  template <class F>
  void array(const VariableInfo& info, const std::vector<int>& dimensions, F f) {
    putArray(info, dimensions, make(f));
  }

  /// A fixed number (a parameter's value or one derived from parameters).
  void constant(std::string_view name, std::string_view unit, std::string_view description,
                double value);

  /// Start values of the variable `name`, declared here or as a joint's coordinate.
  template <int N>
  void start(const std::string& name, const StartVector<N>& s) {
    for (int i = 0; i < N; ++i) {
      addStart(name, N == 1 ? -1 : i, s.start[i], s.fixed[i], s.given, s.stateSelect);
    }
  }
  /// Initial condition: f(const View<S>&, S* residues), `size` of them.
  template <class F>
  void initial(const InitialInfo& info, int size, F f) {
    putInitial(info, size, make(f));
  }
  /// Contribution to the model's energy and momentum: f(const View<S>&) -> MechanicalSums<S>;
  /// `reads`: inputs that it depends on directly.
  template <class F>
  void mechanics(F f, const std::vector<SignalId>& reads = kReadsNothing) {
    putMechanics(reads, make([f](const auto& x, auto* out) {
                   const auto m = f(x);
                   out[0] = m.kineticEnergy;
                   out[1] = m.potentialEnergy;
                   for (int i = 0; i < 3; ++i) {
                     out[2 + i] = m.p_0[i];
                     out[5 + i] = m.L_0[i];
                   }
                 }));
  }
  /// Numbers that go on from step to step, such as the branch of an angle: f(const View<S>&, const
  /// double* before, S* out) gives them from those of the last step, `start` are those before the first; the
  /// last: how far frames may turn [rad] until the next one. Read by View::remembered (VariableInfo::remembers).
  template <class F>
  MemoryId memory(const std::vector<double>& start, F f) {
    const MemoryId id = addMemory(start);
    putMemory(id, make([f, id](const auto& x, auto* out) { f(x, x.remembered(id), out); }));
    return id;
  }
  /// `name` is another name of `target` ("phi" of "revolute.phi"), relative to the component.
  virtual void alias(const std::string& name, const std::string& target) = 0;

 protected:
  virtual void add(VariableInfo info, std::vector<int> dimensions,
                   std::unique_ptr<VariableFunction> f) = 0;
  virtual void addStart(const std::string& name, int element, double start, bool fixed, bool given,
                        StateSelect select) = 0;
  virtual void addInitial(InitialInfo info, int size, std::unique_ptr<VariableFunction> f) = 0;
  virtual void addMechanics(const std::vector<SignalId>& reads,
                            std::unique_ptr<VariableFunction> f) = 0;
  virtual MemoryId addMemory(const std::vector<double>& start) = 0;
  virtual void setMemory(MemoryId m, std::unique_ptr<VariableFunction> next) = 0;

 private:
  template <class F>
  struct Function final : VariableFunction {
    explicit Function(F g) : f(std::move(g)) {}
    void evaluate(const View<double>& x, double* out) const override { f(x, out); }
    void evaluate(const View<Dual>& x, Dual* out) const override { f(x, out); }
    F f;
  };
  // Plain pointers, owned from here to there: a unique_ptr would be compiled with each variable.
  template <class F>
  static VariableFunction* make(F f) {
    return new Function<F>(std::move(f));
  }
  void put(const VariableInfo& info, int size, VariableFunction* f);  ///< size 0: a scalar
  void putArray(const VariableInfo& info, const std::vector<int>& dimensions, VariableFunction* f);
  void putInitial(const InitialInfo& info, int size, VariableFunction* f);
  void putMechanics(const std::vector<SignalId>& reads, VariableFunction* f);
  void putMemory(MemoryId m, VariableFunction* next);
};

}  // namespace cardan
