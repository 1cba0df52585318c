# Installs the build into a prefix of its own, then configures, builds and runs the consumer there.
#   -DBUILD=...  -DCONSUMER=...  -DPAGES=...  -DSCRATCH=...  -DCXX=...  -DCXX_FLAGS=...  -DVERSION=...
#   -DGENERATOR=...
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# What a user sees of the house. It should fall.
set(MOST_HEADERS 59)

file(REMOVE_RECURSE "${SCRATCH}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${SCRATCH}/prefix")

if(NOT EXISTS "${SCRATCH}/prefix/share/cardan/cardan.schema.json")
  message(FATAL_ERROR "the schema of model files is not installed")
endif()

# Every header must be found and compile from where it was installed.
set(root "${SCRATCH}/prefix/include/cardan-root")
file(GLOB_RECURSE headers RELATIVE "${root}" "${root}/*.h")
list(LENGTH headers number)
if(number GREATER MOST_HEADERS)
  message(FATAL_ERROR "${number} headers are installed, more than ${MOST_HEADERS}: what do the public ones include?")
endif()
list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"")
list(JOIN headers "\n" includes)
file(WRITE "${SCRATCH}/generated/headers.h" "${includes}\n")

run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CONSUMER}" -B "${SCRATCH}/build"
    "-DCMAKE_PREFIX_PATH=${SCRATCH}/prefix" "-DPAGES=${PAGES}" "-DCMAKE_CXX_COMPILER=${CXX}"
    "-DCMAKE_CXX_FLAGS=${CXX_FLAGS} -I${SCRATCH}/generated" -DCMAKE_BUILD_TYPE=Debug)
run("${CMAKE_COMMAND}" --build "${SCRATCH}/build")
run("${SCRATCH}/build/consumer_engine")
if(NOT output STREQUAL "cardan ${VERSION}\n")
  message(FATAL_ERROR "the consumer printed '${output}', expected 'cardan ${VERSION}'")
endif()
run("${CMAKE_COMMAND}" -E chdir "${SCRATCH}/build" "./consumer_satellites")
if(NOT output STREQUAL "2 links, 501 rows, swings as it should, moves when moved\n")
  message(FATAL_ERROR "the consumer's satellites printed '${output}'")
endif()
