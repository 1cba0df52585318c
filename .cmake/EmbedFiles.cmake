# Writes a C++ source with the contents of files, for a function that HEADER declares: of cardan::pictures
# unless it is given.
#   cmake -DOUTPUT=FILE "-DFILES=NAME=PATH;..." [-DFUNCTION=cardan::... -DHEADER=...] -P EmbedFiles.cmake
if(NOT FUNCTION)
  set(FUNCTION cardan::embeddedFile)
  set(HEADER engine/picture/embedded_file.h)
endif()
set(arrays "")
set(entries "")
set(i 0)
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([^=]+)=(.*)$" matched "${entry}")
  set(name "${CMAKE_MATCH_1}")
  file(READ "${CMAKE_MATCH_2}" hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "const unsigned char kFile${i}[] = {${bytes}0};\n")
  string(APPEND entries
    "  if (name == \"${name}\") return {reinterpret_cast<const char*>(kFile${i}), sizeof kFile${i} - 1};\n")
  math(EXPR i "${i} + 1")
endforeach()
file(WRITE "${OUTPUT}.new" "// Written by the build.
#include \"${HEADER}\"

namespace {

${arrays}
}  // namespace

std::string_view ${FUNCTION}(std::string_view name) {
${entries}  return {};
}
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(REMOVE "${OUTPUT}.new")
file(TOUCH_NOCREATE "${OUTPUT}")
