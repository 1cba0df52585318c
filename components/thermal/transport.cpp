#include "components/thermal/transport.h"

#include "components/catalogue_entry.h"

namespace cardan::thermal {

void HeatCapacitor::read(ParameterReader& r) {
  r.real("C", C_, "J/K", "heat capacity", kNotNegative);
  r.start("T", T_, "K", "temperature");
  r.start("der_T", der_T_, "K/s", "rate of the temperature");
}

void HeatCapacitor::declare(Structure& s) {
  port_ = s.flange("port", Domain::Thermal);
  if (C_ > 0) s.inertia(port_);
}

void HeatCapacitor::describe(Variables& v) const {
  v.scalar({"T", "K", "temperature", Level::Position},
           [this](const auto& x) { return x.flange(port_).position; });
  v.start("T", T_);
  v.scalar({"der_T", "K/s", "rate of the temperature", Level::Acceleration},
           [this](const auto& x) { return x.flange(port_).velocity; });
  v.start("der_T", der_T_);
}

template <bool Radiation>
void Transmission<Radiation>::read(ParameterReader& r) {
  if (Radiation) {
    r.real("Gr", G_, "m2", "net radiation conductance between the surfaces");
  } else {
    r.real("G", G_, "W/K", "thermal conductance");
  }
}

template <bool Radiation>
void Transmission<Radiation>::describe(Variables& v) const {
  ports_.describe(v, [this](const auto& x) { return Q_flow(x); });
}

void ThermalResistor::read(ParameterReader& r) { r.real("R", R_, "K/W", "thermal resistance"); }

void Convection::read(ParameterReader& r) {
  r.input("Gc", 1, "W/K", "convective thermal conductance");
}

void Convection::declare(Structure& s) {
  ports_.declare(s, "solid", "fluid");
  Gc_ = s.input("Gc", 1);
}

void Convection::describe(Variables& v) const {
  ports_.describe(v, [this](const auto& x) { return x.input(Gc_) * ports_.dT(x); });
}

void ConvectiveResistor::read(ParameterReader& r) {
  r.input("Rc", 1, "K/W", "convective thermal resistance");
}

void ConvectiveResistor::declare(Structure& s) {
  ports_.declare(s, "solid", "fluid");
  Rc_ = s.input("Rc", 1);
}

Catalogue transport() {
  return {
      entry<HeatCapacitor>("Thermal.HeatCapacitor", "lumped heat capacity"),
      entry<ThermalConductor>("Thermal.ThermalConductor", "heat conduction"),
      entry<ThermalResistor>("Thermal.ThermalResistor", "heat conduction, by its resistance"),
      entry<Convection>("Thermal.Convection", "convection with a conductance from a signal"),
      entry<ConvectiveResistor>("Thermal.ConvectiveResistor",
                                "convection with a resistance from a signal"),
      entry<BodyRadiation>("Thermal.BodyRadiation", "heat radiation between two bodies"),
  };
}

}  // namespace cardan::thermal
