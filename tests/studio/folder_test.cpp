#include "apps/studio/server/folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/folder.h"

using cardan::studio::Folder;

TEST_CASE("Folder: files below it are read, and have a place before they are there") {
  const test::Folder here;
  here.write("in/a/m.yaml", "model: M\n");
  const Folder folder(here / "in");
  CHECK(folder.read("a/m.yaml") == "model: M\n");
  CHECK(folder.file("new/n.yaml") == here / "in/new/n.yaml");
  CHECK(!folder.readIfThere("n.yaml"));
  CHECK_THROWS_AS(folder.read("n.yaml"), std::runtime_error);
}

TEST_CASE("Folder: no name leads out of it") {
  const test::Folder here;
  here.write("secret.yaml", "secret");
  here.write("in/m.yaml", "model");
  here.write("inside/m.yaml", "beside");
  here.write("in/.hidden/h.yaml", "hidden");
  std::filesystem::create_symlink(here / "secret.yaml", here / "in/link.yaml");
  std::filesystem::create_symlink(here / "", here / "in/up");
  std::filesystem::create_symlink(here / "missing.yaml", here / "in/dangling.yaml");
  std::filesystem::create_symlink("m.yaml", here / "in/own.yaml");
  REQUIRE(::mkfifo((here / "in/pipe.yaml").c_str(), 0600) == 0);
  const Folder folder(here / "in");
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("../secret.yaml"),
        here / "secret.yaml", std::string("link.yaml"), std::string("up/secret.yaml"),
        std::string("a/../../secret.yaml"), std::string("../inside/m.yaml"),
        std::string(".hidden/h.yaml"), std::string("m.yaml/.."), std::string("m.yaml/"),
        std::string("pipe.yaml"), std::string("dangling.yaml"), std::string("m.yaml\0x", 8),
        std::string("./m.yaml"), std::string("/")}) {
    INFO(name);
    CHECK_THROWS_AS(folder.file(name), std::runtime_error);
    CHECK_THROWS_AS(folder.read(name), std::runtime_error);
  }
  CHECK(folder.read("own.yaml") == "model");
}

TEST_CASE("Folder: lists what a studio can open, without what is hidden or built") {
  const test::Folder here;
  for (const char* name : {"b.yaml", "a/c.mo", "r.urdf", "x.txt", ".git/x.yaml", "build/y.yaml"})
    here.write(name, "");
  CHECK(Folder(here / "").names() == std::vector<std::string>{"a/c.mo", "b.yaml", "r.urdf"});
}

TEST_CASE("Folder: stamps tell contents apart") {
  CHECK(Folder::stampOf("a") == Folder::stampOf("a"));
  CHECK(Folder::stampOf("ab") != Folder::stampOf("ba"));
  CHECK(Folder::stampOf("") != Folder::stampOf(std::string(1, '\0')));
}
