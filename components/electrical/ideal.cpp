#include "components/electrical/ideal.h"

#include "components/make.h"

namespace cardan::electrical {

void IdealOpAmp::read(ParameterReader& r) {
  r.start("v1", v1_, "V", "voltage of the left port");
  r.start("v2", v2_, "V", "voltage of the right port");
  r.start("i1", i1_, "A", "current of the left port");
  r.start("i2", i2Start_, "A", "current of the right port");
}

void IdealOpAmp::declare(Structure& s) {
  p1_ = s.flange("p1", Domain::Electrical);
  n1_ = s.flange("n1", Domain::Electrical);
  p2_ = s.flange("p2", Domain::Electrical);
  n2_ = s.flange("n2", Domain::Electrical);
  i2_ = s.unknown({"i2", "A", "current of the right port"}, Kind::Algebraic);
  row_ = s.row("v1");
}

void IdealOpAmp::describe(Variables& v) const {
  v.scalar({"v1", "V", "voltage of the left port, zero", Level::Acceleration},
           [this](const auto& x) { return x.flange(p1_).position - x.flange(n1_).position; });
  v.start("v1", v1_);
  v.scalar({"v2", "V", "voltage of the right port", Level::Acceleration},
           [this](const auto& x) { return x.flange(p2_).position - x.flange(n2_).position; });
  v.start("v2", v2_);
  v.constant("i1", "A", "current of the left port, zero", 0);
  v.start("i1", i1_);
  v.scalar({"i2", "A", "current of the right port", Level::Acceleration},
           [this](const auto& x) { return x.unknown(i2_); });
  v.start("i2", i2Start_);
}

void IdealOpAmp3Pin::declare(Structure& s) {
  in_p_ = s.flange("in_p", Domain::Electrical);
  in_n_ = s.flange("in_n", Domain::Electrical);
  out_ = s.flange("out", Domain::Electrical);
  i_ = s.unknown({"outputCurrent", "A", "current into the output pin"}, Kind::Algebraic);
  row_ = s.row("input");
}

}  // namespace cardan::electrical

namespace cardan {

template std::unique_ptr<Component> make<electrical::IdealOpAmp>();
template std::unique_ptr<Component> make<electrical::IdealOpAmp3Pin>();

}  // namespace cardan
