#if __has_include("fmi3FunctionTypes.h")
#include "tests/fmu/importer.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <new>

#include "fmi2FunctionTypes.h"
#include "fmi3FunctionTypes.h"

namespace test {
namespace {

/// Attributes of an element, entities replaced.
std::map<std::string, std::string> attributesOf(const std::string& element) {
  std::map<std::string, std::string> attributes;
  for (size_t at = 0; (at = element.find("=\"", at)) != std::string::npos;) {
    const size_t name = element.find_last_of(" \n", at) + 1;
    const size_t end = element.find('"', at + 2);
    std::string value = element.substr(at + 2, end - at - 2);
    for (const auto& [entity, sign] :
         {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
      for (size_t e; (e = value.find(entity)) != std::string::npos;)
        value.replace(e, std::string(entity).size(), sign);
    }
    attributes[element.substr(name, at - name)] = value;
    at = end;
  }
  return attributes;
}

/// Calls take(name, attributes) for every element.
template <class F>
void forEachElement(const std::string& xml, F take) {
  for (size_t at = 0; (at = xml.find('<', at)) != std::string::npos; ++at) {
    const size_t end = xml.find('>', at);
    const std::string element = xml.substr(at + 1, end - at - 1);
    if (element[0] == '/' || element[0] == '?') continue;
    take(element.substr(0, element.find_first_of(" /")), attributesOf(element));
  }
}

void log2(fmi2ComponentEnvironment environment, fmi2String, fmi2Status, fmi2String category,
          fmi2String message, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, message);
  std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  *static_cast<std::string*>(environment) += std::string(category) + ": " + text + "\n";
}
void log3(fmi3InstanceEnvironment environment, fmi3Status, fmi3String category,
          fmi3String message) {
  *static_cast<std::string*>(environment) += std::string(category) + ": " + message + "\n";
}

}  // namespace

Fmu::Fmu(const std::string& file) : folder(file.substr(0, file.rfind('.')) + ".unpacked") {
  std::filesystem::create_directories(folder);
  if (std::system(("unzip -qo '" + file + "' -d '" + folder + "'").c_str()) != 0)
    throw std::runtime_error("cannot unpack " + file);
  std::string variable;
  forEachElement(
      readFile(folder + "/modelDescription.xml"), [&](const std::string& name, auto attributes) {
        const auto number = [&](const char* key) { return std::stod(attributes[key]); };
        if (name == "fmiModelDescription") {
          version = attributes["fmiVersion"] == "3.0" ? 3 : 2;
          token = attributes[version == 3 ? "instantiationToken" : "guid"];
          if (version == 2 && attributes.contains("numberOfEventIndicators"))
            indicators = std::stoul(attributes["numberOfEventIndicators"]);
        } else if (name == "ModelExchange") {
          offersExchange = true;
        } else if (name == "EventIndicator") {
          ++indicators;
        } else if (name == "CoSimulation") {
          identifier = attributes["modelIdentifier"];
        } else if (name == "DefaultExperiment") {
          start = number("startTime");
          stop = number("stopTime");
          interval = number("stepSize");
        } else if (name == "ScalarVariable" || attributes.contains("causality")) {
          variable = attributes["name"];
          FmuScalar& v = variables[variable];
          v.reference = std::stoul(attributes["valueReference"]);
          v.causality = attributes["causality"];
          v.variability = attributes["variability"];
          v.initial = attributes["initial"];
        }
        if (attributes.contains("derivative")) ++states;
        if (!variable.empty() && (name == "Real" || name == "Integer" || name == "Boolean" ||
                                  name == "String" || attributes.contains("causality"))) {
          if (name == "ScalarVariable") return;
          variables[variable].type = name;
          variables[variable].start = attributes["start"];
          variables[variable].unit = attributes["unit"];
        }
      });
  library =
      folder + "/binaries/" + (version == 3 ? "x86_64-linux/" : "linux64/") + identifier + ".so";
  handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) throw std::runtime_error(dlerror());
}
Fmu::~Fmu() {
  if (handle_) dlclose(handle_);
}

std::vector<std::string> Fmu::outputs() const {
  std::vector<std::string> names;
  for (const auto& [name, v] : variables) {
    if (v.causality == "output" && (v.type == "Real" || v.type == "Float64")) names.push_back(name);
  }
  return names;
}

void* Fmu::function(const std::string& name) const {
  void* found = dlsym(handle_, name.c_str());
  if (!found) throw std::runtime_error("no function " + name);
  return found;
}

template <class F>
F* Slave::f(const char* name) const {
  return reinterpret_cast<F*>(
      fmu_.function((fmu_.version == 3 ? "fmi3" : "fmi2") + std::string(name)));
}
#define CALL(name, ...)                                                                    \
  (fmu_.version == 3 ? static_cast<int>(f<fmi3##name##TYPE>(#name)(instance_ __VA_ARGS__)) \
                     : static_cast<int>(f<fmi2##name##TYPE>(#name)(instance_ __VA_ARGS__)))

Slave::Slave(const Fmu& fmu, const std::string& token, bool logging, SlaveKind kind) : fmu_(fmu) {
  const bool exchange = kind == SlaveKind::exchange;
  const std::string& mine = token.empty() ? fmu.token : token;
  if (fmu.version == 3 && exchange) {
    instance_ = f<fmi3InstantiateModelExchangeTYPE>("InstantiateModelExchange")(
        "one", mine.c_str(), (fmu.folder + "/resources").c_str(), false, logging, log_.get(), log3);
    return;
  }
  if (fmu.version == 3) {
    instance_ = f<fmi3InstantiateCoSimulationTYPE>("InstantiateCoSimulation")(
        "one", mine.c_str(), (fmu.folder + "/resources").c_str(), false, logging,
        kind != SlaveKind::coSimulation, kind == SlaveKind::eventsEarly, nullptr, 0, log_.get(),
        log3, nullptr);
    return;
  }
  callbacks_ = std::make_unique<char[]>(sizeof(fmi2CallbackFunctions));
  const auto* callbacks =
      new (callbacks_.get()) fmi2CallbackFunctions{log2, nullptr, nullptr, nullptr, log_.get()};
  instance_ = f<fmi2InstantiateTYPE>("Instantiate")(
      "one", exchange ? fmi2ModelExchange : fmi2CoSimulation, mine.c_str(),
      ("file://" + fmu.folder + "/resources").c_str(), callbacks, fmi2False, logging);
}
Slave::~Slave() {
  if (fmu_.version == 3) {
    f<fmi3FreeInstanceTYPE>("FreeInstance")(instance_);
  } else {
    f<fmi2FreeInstanceTYPE>("FreeInstance")(instance_);
  }
}

int Slave::setUp(const Setup& s) {
  return f<fmi2SetupExperimentTYPE>("SetupExperiment")(instance_, s.tolerance > 0, s.tolerance,
                                                       s.start, s.stop > 0, s.stop);
}
int Slave::enterAlone() {
  return f<fmi2EnterInitializationModeTYPE>("EnterInitializationMode")(instance_);
}
int Slave::enter(const Setup& s) {
  if (fmu_.version == 2) {
    const int status = setUp(s);
    return status == kFmuOk ? enterAlone() : status;
  }
  return f<fmi3EnterInitializationModeTYPE>("EnterInitializationMode")(
      instance_, s.tolerance > 0, s.tolerance, s.start, s.stop > 0, s.stop);
}
int Slave::exit() { return CALL(ExitInitializationMode); }
int Slave::initialise(const Setup& setup) {
  const int status = enter(setup);
  return status == kFmuOk ? exit() : status;
}
int Slave::terminate() { return CALL(Terminate); }
int Slave::reset() { return CALL(Reset); }

int Slave::step(double at, double length) {
  if (fmu_.version == 2) {
    const int status = f<fmi2DoStepTYPE>("DoStep")(instance_, at, length, fmi2True);
    fmi2Boolean ended = fmi2False;
    f<fmi2GetBooleanStatusTYPE>("GetBooleanStatus")(instance_, fmi2Terminated, &ended);
    f<fmi2GetRealStatusTYPE>("GetRealStatus")(instance_, fmi2LastSuccessfulTime, &reached);
    terminated = ended != 0;
    return status;
  }
  return f<fmi3DoStepTYPE>("DoStep")(instance_, at, length, true, &event, &terminated, &early,
                                     &reached);
}

int Slave::enterEvents() { return CALL(EnterEventMode); }
int Slave::enterSteps() { return f<fmi3EnterStepModeTYPE>("EnterStepMode")(instance_); }
int Slave::enterMotion() { return CALL(EnterContinuousTimeMode); }
int Slave::completeStep(bool& isEvent) {
  if (fmu_.version == 3)
    return f<fmi3CompletedIntegratorStepTYPE>("CompletedIntegratorStep")(instance_, true, &isEvent,
                                                                         &terminated);
  fmi2Boolean enters = fmi2False, ends = fmi2False;
  const int status = f<fmi2CompletedIntegratorStepTYPE>("CompletedIntegratorStep")(
      instance_, fmi2True, &enters, &ends);
  isEvent = enters != 0;
  return status;
}
int Slave::update(Update& u) {
  bool hasNext = false;
  double next = 0;
  int status = kFmuOk;
  if (fmu_.version == 3) {
    status = f<fmi3UpdateDiscreteStatesTYPE>("UpdateDiscreteStates")(
        instance_, &u.again, &terminated, &u.nominals, &u.values, &hasNext, &next);
  } else {
    fmi2EventInfo info{};
    status = f<fmi2NewDiscreteStatesTYPE>("NewDiscreteStates")(instance_, &info);
    u.again = info.newDiscreteStatesNeeded != 0;
    u.nominals = info.nominalsOfContinuousStatesChanged != 0;
    u.values = info.valuesOfContinuousStatesChanged != 0;
    terminated = info.terminateSimulation != 0;
    hasNext = info.nextEventTimeDefined != 0;
    next = info.nextEventTime;
  }
  u.next = hasNext ? next : 1e300;
  return status;
}
int Slave::setTime(double time) { return CALL(SetTime, , time); }
int Slave::setStates(const std::vector<double>& x) {
  return CALL(SetContinuousStates, , x.data(), x.size());
}
int Slave::states(std::vector<double>& x) {
  return CALL(GetContinuousStates, , x.data(), x.size());
}
int Slave::nominals(std::vector<double>& x) {
  return CALL(GetNominalsOfContinuousStates, , x.data(), x.size());
}
int Slave::derivatives(std::vector<double>& x) {
  if (fmu_.version == 3)
    return f<fmi3GetContinuousStateDerivativesTYPE>("GetContinuousStateDerivatives")(
        instance_, x.data(), x.size());
  return f<fmi2GetDerivativesTYPE>("GetDerivatives")(instance_, x.data(), x.size());
}
int Slave::indicators(std::vector<double>& z) {
  return CALL(GetEventIndicators, , z.data(), z.size());
}

int Slave::get(const std::vector<std::string>& names, std::vector<double>& values) {
  std::vector<unsigned> references;
  for (const std::string& n : names) references.push_back(fmu_.variables.at(n).reference);
  values.assign(names.size(), NAN);
  if (fmu_.version == 3)
    return f<fmi3GetFloat64TYPE>("GetFloat64")(instance_, references.data(), names.size(),
                                               values.data(), names.size());
  return f<fmi2GetRealTYPE>("GetReal")(instance_, references.data(), names.size(), values.data());
}
double Slave::operator[](const std::string& name) {
  std::vector<double> values;
  if (get({name}, values) != kFmuOk) throw std::runtime_error("cannot read " + name + ": " + log());
  return values[0];
}
int Slave::set(const std::string& name, double value) {
  return setReference(fmu_.variables.at(name).reference, value);
}
int Slave::getReference(unsigned r, double& value) {
  if (fmu_.version == 3) return f<fmi3GetFloat64TYPE>("GetFloat64")(instance_, &r, 1, &value, 1);
  return f<fmi2GetRealTYPE>("GetReal")(instance_, &r, 1, &value);
}
int Slave::setReference(unsigned r, double value) {
  if (fmu_.version == 3) return f<fmi3SetFloat64TYPE>("SetFloat64")(instance_, &r, 1, &value, 1);
  return f<fmi2SetRealTYPE>("SetReal")(instance_, &r, 1, &value);
}
int Slave::getBoolean(const std::string& name, bool& value) {
  const unsigned r = fmu_.variables.at(name).reference;
  if (fmu_.version == 3) return f<fmi3GetBooleanTYPE>("GetBoolean")(instance_, &r, 1, &value, 1);
  fmi2Boolean x = fmi2False;
  const int status = f<fmi2GetBooleanTYPE>("GetBoolean")(instance_, &r, 1, &x);
  value = x != 0;
  return status;
}
int Slave::getString(const std::string& name, std::string& value) {
  const unsigned r = fmu_.variables.at(name).reference;
  const char* x = "";
  const int status =
      fmu_.version == 3
          ? static_cast<int>(f<fmi3GetStringTYPE>("GetString")(instance_, &r, 1, &x, 1))
          : static_cast<int>(f<fmi2GetStringTYPE>("GetString")(instance_, &r, 1, &x));
  value = x;
  return status;
}
int Slave::getInteger(const std::string& name, int& value) {
  const unsigned r = fmu_.variables.at(name).reference;
  if (fmu_.version == 3) return f<fmi3GetInt32TYPE>("GetInt32")(instance_, &r, 1, &value, 1);
  return f<fmi2GetIntegerTYPE>("GetInteger")(instance_, &r, 1, &value);
}

int Slave::getState(void*& s) {
  if (fmu_.version == 3) return f<fmi3GetFMUStateTYPE>("GetFMUState")(instance_, &s);
  return f<fmi2GetFMUstateTYPE>("GetFMUstate")(instance_, &s);
}
int Slave::setState(void* s) {
  if (fmu_.version == 3) return f<fmi3SetFMUStateTYPE>("SetFMUState")(instance_, s);
  return f<fmi2SetFMUstateTYPE>("SetFMUstate")(instance_, s);
}
int Slave::freeState(void*& s) {
  if (fmu_.version == 3) return f<fmi3FreeFMUStateTYPE>("FreeFMUState")(instance_, &s);
  return f<fmi2FreeFMUstateTYPE>("FreeFMUstate")(instance_, &s);
}
int Slave::serialise(void* s, std::string& bytes) {
  size_t size = 0;
  if (fmu_.version == 3) {
    const int status =
        f<fmi3SerializedFMUStateSizeTYPE>("SerializedFMUStateSize")(instance_, s, &size);
    bytes.resize(size);
    if (status != kFmuOk) return status;
    return f<fmi3SerializeFMUStateTYPE>("SerializeFMUState")(
        instance_, s, reinterpret_cast<fmi3Byte*>(bytes.data()), size);
  }
  const int status =
      f<fmi2SerializedFMUstateSizeTYPE>("SerializedFMUstateSize")(instance_, s, &size);
  bytes.resize(size);
  if (status != kFmuOk) return status;
  return f<fmi2SerializeFMUstateTYPE>("SerializeFMUstate")(instance_, s, bytes.data(), size);
}
int Slave::deserialise(const std::string& bytes, void*& s) {
  if (fmu_.version == 3)
    return f<fmi3DeserializeFMUStateTYPE>("DeserializeFMUState")(
        instance_, reinterpret_cast<const fmi3Byte*>(bytes.data()), bytes.size(), &s);
  return f<fmi2DeSerializeFMUstateTYPE>("DeSerializeFMUstate")(instance_, bytes.data(),
                                                               bytes.size(), &s);
}
int Slave::derivative(const std::string& unknown, const std::string& known, double& value) {
  const unsigned u = fmu_.variables.at(unknown).reference, k = fmu_.variables.at(known).reference;
  const double one = 1;
  if (fmu_.version == 3)
    return f<fmi3GetDirectionalDerivativeTYPE>("GetDirectionalDerivative")(instance_, &u, 1, &k, 1,
                                                                           &one, 1, &value, 1);
  return f<fmi2GetDirectionalDerivativeTYPE>("GetDirectionalDerivative")(instance_, &u, 1, &k, 1,
                                                                         &one, &value);
}

}  // namespace test
#endif
