#include "apps/cardan/run_record.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace cardan {
namespace {

constexpr char kMagic[8] = {'c', 'a', 'r', 'd', 'a', 'n', 'R', '1'};
constexpr size_t kPieceBytes = 1 << 20;

/// In the byte order of the machine: a record does not outlive its study.
struct Head {
  std::array<char, 8> magic;
  std::int64_t run, rows, columns, textBytes;
};

std::string bytesOf(const Head& head) {
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

}  // namespace

void RunRecord::begin(const std::vector<Column>& columns) {
  std::string names = "time\n", units = "s\n";
  for (const Column& c : columns) {
    names += c.name + '\n';
    units += c.unit + '\n';
  }
  file_.open(path_, std::ios::binary | std::ios::trunc);
  columns_ = columns.size() + 1;
  textBytes_ = names.size() + units.size();
  rows_ = 0;
  writeHead();
  file_ << names << units;
}

void RunRecord::writeHead() {
  Head head{
      {}, run_, rows_, static_cast<std::int64_t>(columns_), static_cast<std::int64_t>(textBytes_)};
  std::memcpy(head.magic.data(), kMagic, sizeof kMagic);
  file_ << bytesOf(head);
}

void RunRecord::row(double time, std::span<const double> values) {
  file_.write(reinterpret_cast<const char*>(&time), sizeof time);
  file_.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size_bytes()));
  ++rows_;
}

void RunRecord::close() {
  if (columns_ == 0) return;  // not begun
  file_.seekp(0);
  writeHead();
  file_.close();
  if (!file_) throw cannotWrite(path_, errno, "a trajectory to ");
}

std::streamoff forEachRecord(const std::string& path,
                             const std::function<void(const RecordPlace&)>& f) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : 0;
  std::streamoff at = 0;
  while (size - at >= static_cast<std::streamoff>(sizeof(Head))) {
    Head head{};
    file.seekg(at);
    file.read(reinterpret_cast<char*>(&head), sizeof head);
    if (!file || std::memcmp(head.magic.data(), kMagic, sizeof kMagic) != 0) break;
    RecordPlace place{head.run, head.rows, head.columns, "", "", 0, 0};
    place.values = at + static_cast<std::streamoff>(sizeof head) + head.textBytes;
    place.end =
        place.values + static_cast<std::streamoff>(sizeof(double)) * head.rows * head.columns;
    if (place.end > size) break;
    std::string text(head.textBytes, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    size_t middle = 0;
    for (long i = 0; i < head.columns; ++i) middle = text.find('\n', middle) + 1;
    place.names = text.substr(0, middle);
    place.units = text.substr(middle);
    f(place);
    at = place.end;
  }
  return at;
}

RecordFile::RecordFile(const std::string& path) : file_(path, "trajectories to ") {
  file_.keep(forEachRecord(path, [](const RecordPlace&) {}));
}

void RecordFile::take(const std::string& path) {
  std::ifstream record(path, std::ios::binary);
  if (!record) return;
  std::string piece(kPieceBytes, '\0');
  while (record.read(piece.data(), static_cast<std::streamsize>(piece.size())),
         record.gcount() > 0) {
    const std::string_view read(piece.data(), record.gcount());
    if (file_.append(read) < read.size()) throw file_.error(errno);
  }
  std::remove(path.c_str());
}

}  // namespace cardan
