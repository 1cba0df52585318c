# Writes a C++ source with what the components say of their classes, for cardan::componentComments(): of
# every header, and of every source that enters classes, the comments, classes and aliases that are not
# indented, and the lines that enter a class under its type.
#   cmake -DOUTPUT=FILE -DFOLDER=components -P ComponentComments.cmake
string(ASCII 1 semicolon)
string(ASCII 2 open)
string(ASCII 3 close)
file(GLOB_RECURSE headers "${FOLDER}/*.h")
file(GLOB_RECURSE sources "${FOLDER}/*.cpp")
list(SORT headers)
list(SORT sources)
set(text "")
foreach(path IN LISTS headers sources)
  # Lines as a list: what a list would take for its own is something else meanwhile.
  file(READ "${path}" content)
  string(REPLACE ";" "${semicolon}" content "${content}")
  string(REPLACE "[" "${open}" content "${content}")
  string(REPLACE "]" "${close}" content "${content}")
  if(path MATCHES "\\.cpp$" AND NOT content MATCHES "entry<")
    continue()
  endif()
  string(REGEX REPLACE "\\([ \n]+\"" "(\"" content "${content}")
  string(REGEX REPLACE " =\n +" " = " content "${content}")
  set(wanted "^(///|namespace |class |struct |using |template |$)|entry<")
  string(REPLACE "\n" ";" lines "${content}")
  foreach(line IN LISTS lines)
    if(line MATCHES "${wanted}")
      string(APPEND text "${line}\n")
    endif()
  endforeach()
endforeach()
string(REPLACE "${semicolon}" ";" text "${text}")
string(REPLACE "${open}" "[" text "${text}")
string(REPLACE "${close}" "]" text "${text}")
# A string literal has a longest length that compilers need not go beyond: one for every piece.
set(pieces "")
while(NOT text STREQUAL "")
  string(SUBSTRING "${text}" 0 8000 piece)
  string(LENGTH "${piece}" length)
  string(SUBSTRING "${text}" ${length} -1 text)
  string(APPEND pieces "    R\"comments(${piece})comments\"\n")
endwhile()
file(WRITE "${OUTPUT}.new" "// Written by the build.
#include \"apps/cardan/class_comments.h\"

namespace cardan {

std::string_view componentComments() {
  return
${pieces}    ;
}

}  // namespace cardan
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(REMOVE "${OUTPUT}.new")
