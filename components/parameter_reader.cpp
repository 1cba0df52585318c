/// The calls of a ParameterReader as visits to their targets.
#include "components/parameter_reader.h"

namespace cardan {

using Words = std::string_view;

void ParameterReader::real(Words name, double& x, Words unit, Words about, Range range) {
  visit({name, unit, about, range.minimum, range.excluded}, &x);
}
void ParameterReader::integer(Words name, int& x, Words about, Range range) {
  visit({name, "1", about, range.minimum, range.excluded}, &x);
}
void ParameterReader::boolean(Words name, bool& x, Words about) { visit({name, "", about}, &x); }
void ParameterReader::string(Words name, std::string& x, Words about) {
  visit({name, "", about}, &x);
}
void ParameterReader::strings(Words name, std::vector<std::string>& x, Words about) {
  visit({name, "", about}, &x);
}
void ParameterReader::vector(Words name, Vector3d& x, Words unit, Words about, Range range) {
  visit({name, unit, about, range.minimum, range.excluded}, &x);
}
void ParameterReader::matrix(Words name, Matrix3d& x, Words unit, Words about) {
  visit({name, unit, about}, &x);
}
void ParameterReader::integers(Words name, std::array<int, 3>& x, Words about, Range range) {
  visit({name, "1", about, range.minimum, range.excluded}, &x);
}
void ParameterReader::integers(Words name, std::vector<int>& x, Words about) {
  visit({name, "1", about}, &x);
}
void ParameterReader::table(Words name, Eigen::MatrixXd& x, Words unit, Words about) {
  visit({name, unit, about}, TableTarget{&x, false});
}
void ParameterReader::table(Words name, Eigen::MatrixXd& x, Words unit, Words about,
                            const TableFile& file) {
  visit({name, unit, about}, TableTarget{&x, false, &file});
}
void ParameterReader::vectorOfAnySize(Words name, Eigen::MatrixXd& x, Words unit, Words about) {
  visit({name, unit, about}, TableTarget{&x, true});
}
void ParameterReader::enumeration(Words name, const EnumerationTarget& x, Words about) {
  visit({name, "", about}, x);
}
void ParameterReader::start(Words name, const StartTarget& x, Words unit, Words about) {
  visit({name, unit, about}, x);
}
void ParameterReader::input(Words name, int size, Words unit, Words about) {
  visit({name, unit, about}, InputTarget{size, false, {}});
}
void ParameterReader::input(Words name, std::vector<double> value, Words unit, Words about) {
  const int size = std::ssize(value);
  visit({name, unit, about}, InputTarget{size, true, std::move(value)});
}

}  // namespace cardan
