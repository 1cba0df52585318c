#include "apps/studio/server/watch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/studio/packet.h"
#include "tests/folder.h"

using namespace cardan::studio;

namespace {

/// True once a change of that name is told.
bool tells(Watch& watch, long& since, const std::string& name) {
  for (int i = 0; i < 50; ++i) {
    const Watch::Changes changes = watch.changesSince(since, std::chrono::milliseconds(100));
    since = changes.number;
    if (std::ranges::find(changes.names, name) != changes.names.end()) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("Watch: tells what is written, renamed, removed, and comes in new folders") {
  const test::Folder folder;
  folder.write("a.yaml", "1");
  Watch watch(folder / "");
  long since = 0;
  folder.write("a.yaml", "2");
  CHECK(tells(watch, since, "a.yaml"));
  std::filesystem::rename(folder / "a.yaml", folder / "b.yaml");
  CHECK(tells(watch, since, "b.yaml"));
  std::filesystem::remove(folder / "b.yaml");
  CHECK(tells(watch, since, "b.yaml"));
  std::filesystem::create_directory(folder / "new");
  CHECK(tells(watch, since, ""));
  folder.write("new/c.yaml", "1");
  CHECK(tells(watch, since, "new/c.yaml"));
  folder.write("other.txt", "1");
  for (const std::string& name : watch.changesSince(since, std::chrono::milliseconds(200)).names)
    CHECK(name != "other.txt");
}

TEST_CASE("Packet: what is written is read again, from pieces of any size") {
  const Packet p{Packet::part, R"({"a": 1})", std::string("\0\1\2", 3)};
  std::string buffer;
  const std::string all = p.format() + Packet{Packet::end, "{}", ""}.format();
  std::vector<Packet> found;
  for (const char c : all) {
    buffer += c;
    while (auto q = takePacket(buffer)) found.push_back(*q);
  }
  REQUIRE(found.size() == 2);
  CHECK(found[0].kind == Packet::part);
  CHECK(found[0].json == p.json);
  CHECK(found[0].bytes == p.bytes);
  CHECK(buffer.empty());
  buffer = std::string(12, '\xff');
  CHECK_THROWS(takePacket(buffer));
}
