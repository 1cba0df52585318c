# Lists the test cases of a doctest program as ctest tests (run after the program was linked).
# doctest's own module splits the list as a CMake list and so loses cases with [, ] or ; in the name:
# here those characters stay encoded until they are written.
#   -DPROGRAM=...  -DFOLDER=...  -DWORKING_DIRECTORY=...  -DOUTPUT=...
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${PROGRAM}" --list-test-cases --reporters=xml
                WORKING_DIRECTORY "${WORKING_DIRECTORY}"
                OUTPUT_VARIABLE listing RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} cannot list its test cases (${result}):\n${listing}")
endif()

string(ASCII 1 code_open)
string(ASCII 2 code_close)
string(ASCII 3 code_semicolon)
string(ASCII 4 code_backslash)
string(REPLACE "[" "${code_open}" listing "${listing}")
string(REPLACE "]" "${code_close}" listing "${listing}")
string(REPLACE ";" "${code_semicolon}" listing "${listing}")
string(REPLACE "\\" "${code_backslash}" listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")

function(decode text result)
  string(REPLACE "${code_open}" "[" text "${text}")
  string(REPLACE "${code_close}" "]" text "${text}")
  string(REPLACE "${code_semicolon}" ";" text "${text}")  # before the entities, which end in one
  string(REPLACE "${code_backslash}" "\\" text "${text}")
  string(REPLACE "&quot;" "\"" text "${text}")
  string(REPLACE "&lt;" "<" text "${text}")
  string(REPLACE "&gt;" ">" text "${text}")
  string(REPLACE "&amp;" "&" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(script "")
set(names "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "<TestCase name=\"([^\"]*)\"")
    continue()
  endif()
  set(name "${CMAKE_MATCH_1}")
  if(name IN_LIST names)
    decode("${name}" name)
    message(FATAL_ERROR "${FOLDER}: two test cases are called '${name}'")
  endif()
  list(APPEND names "${name}")

  set(labels "${FOLDER}")
  if(line MATCHES " testsuite=\"([^\"]*)\"")
    string(APPEND labels ";${CMAKE_MATCH_1}")
  endif()

  decode("${name}" name)
  string(REPLACE "\\" "?" filter "${name}")  # doctest's wildcard; \ would escape the next character
  string(REPLACE "," "\\," filter "${filter}")
  # A filter that matches no case must not pass for a success.
  string(APPEND script
    "add_test([==[${FOLDER}/${name}]==] [==[${PROGRAM}]==] [==[--test-case=${filter}]==])\n"
    "set_tests_properties([==[${FOLDER}/${name}]==] PROPERTIES LABELS [==[${labels}]==]\n"
    "  WORKING_DIRECTORY [==[${WORKING_DIRECTORY}]==] TIMEOUT 600\n"
    "  SKIP_REGULAR_EXPRESSION [==[TEST SKIPPED: ]==]\n"
    "  FAIL_REGULAR_EXPRESSION [==[test cases: +0 ]==])\n")
endforeach()
file(WRITE "${OUTPUT}" "${script}")
