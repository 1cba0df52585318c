# How sources are compiled, by the pace of what they hold. STEP: what every step of a run goes
# through, with all optimisation. ONCE: what a command does once, such as reading files and writing
# messages; -O1 takes little more than half the time of -O3 there, and no run notices it.
# Pictures are made pixel by pixel and are not among it. TEST: tests, without any.

# cardan_precompile(<target> <pace>): Eigen and the standard headers, precompiled once for all targets
# of a pace. None of our own headers, so that no change of ours rebuilds it.
function(cardan_precompile target pace)
  set(options "")
  if(pace STREQUAL "TEST")
    set(options "$<$<CONFIG:Release>:-O0>")
  elseif(NOT pace STREQUAL "STEP")
    set(options "$<$<CONFIG:Release>:-O1>")
  endif()
  target_compile_options(${target} PRIVATE "${options}")
  if(NOT CARDAN_PCH)
    return()
  endif()
  set(precompiled cardan_precompiled_${pace})
  if(NOT TARGET ${precompiled})
    set(source "${PROJECT_BINARY_DIR}/generated/${precompiled}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "// Nothing but the precompiled header.\n" @ONLY)
    add_library(${precompiled} OBJECT "${source}")
    target_compile_options(${precompiled} PRIVATE "${options}")
    target_link_libraries(${precompiled} PRIVATE cardan::frames)
    target_precompile_headers(${precompiled} PRIVATE
      <Eigen/Core> <algorithm> <cmath> <functional> <map> <memory> <optional> <string> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${precompiled})
endfunction()

# cardan_sources(<target> <pace> <sources>): what a target is made of. Under CARDAN_UNITY they are compiled
# in batches, so that what they all include is read once and what they instantiate is compiled once:
# small rooms together, up to what keeps two cores busy and two gigabytes of memory enough.
function(cardan_sources target pace)
  target_sources(${target} PRIVATE ${ARGN})
  cardan_precompile(${target} ${pace})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CARDAN_UNITY} UNITY_BUILD_MODE GROUP)
  set(batch 0)
  set(size 0)  # of the batch [bytes]
  set(room "")
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    file(SIZE "${source}" bytes)
    math(EXPR size "${size} + ${bytes}")
    if(size GREATER 240000 OR (size GREATER 120000 AND NOT folder STREQUAL room))
      math(EXPR batch "${batch} + 1")
      set(size ${bytes})
    endif()
    set(room "${folder}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${batch}")
  endforeach()
endfunction()

# cardan_library(<name> [ROOMS <rooms>] [WITHOUT <rooms>] [ONCE <rooms>]): the static library
# cardan::<name> from every .cpp of the folder and its subfolders, or of some rooms (or sources:
# <room>/<name>) of it; those of the rooms ONCE compiled as what is done once. A new source needs no
# line here; a folder without sources still gives a library. In the caller, ${targets} is what takes
# the library's include directories, definitions and libraries.
function(cardan_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ROOMS;WITHOUT;ONCE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  foreach(kind IN ITEMS ROOMS WITHOUT ONCE)
    list(JOIN arg_${kind} "|" rooms)
    set(${kind} "^${CMAKE_CURRENT_SOURCE_DIR}/(${rooms})(/|\\.cpp$)")
  endforeach()
  if(arg_ROOMS)
    list(FILTER sources INCLUDE REGEX "${ROOMS}")
  endif()
  list(FILTER sources EXCLUDE REGEX "${WITHOUT}")
  set(once ${sources})
  list(FILTER once INCLUDE REGEX "${ONCE}")
  list(FILTER sources EXCLUDE REGEX "${ONCE}")
  if(NOT sources AND NOT once)
    set(sources "${CMAKE_CURRENT_BINARY_DIR}/empty.cpp")
    file(CONFIGURE OUTPUT "${sources}" CONTENT "// ${name}/ has no sources yet.\n" @ONLY)
  endif()
  set(targets cardan_${name})
  add_library(cardan_${name} STATIC)
  add_library(cardan::${name} ALIAS cardan_${name})
  set_target_properties(cardan_${name} PROPERTIES EXPORT_NAME ${name})
  if(NOT sources)
    cardan_sources(cardan_${name} ONCE ${once})
  else()
    cardan_sources(cardan_${name} STEP ${sources})
    if(once)
      list(APPEND targets cardan_${name}_once)
      add_library(cardan_${name}_once OBJECT)
      cardan_sources(cardan_${name}_once ONCE ${once})
      target_sources(cardan_${name} PRIVATE $<TARGET_OBJECTS:cardan_${name}_once>)
    endif()
  endif()
  set(targets ${targets} PARENT_SCOPE)
endfunction()

# cardan_application(<target> <folder> [FIRST <names>] [LIBRARIES <libraries>]): an executable from
# every .cpp of apps/<folder>, with the engine and these libraries; <target>-first is another one, from
# the sources of these names and with the engine alone.
function(cardan_application name folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FIRST;LIBRARIES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
  if(NOT sources)
    message(STATUS "apps/${folder} has no sources: no target ${name}")
    return()
  endif()
  add_executable(${name})
  set(programs ${name})
  if(arg_FIRST)
    list(JOIN arg_FIRST "|" names)
    set(first ${sources})
    list(FILTER first INCLUDE REGEX "/(${names})\\.cpp$")
    list(REMOVE_ITEM sources ${first})
    add_library(${name}_first_sources OBJECT)
    cardan_sources(${name}_first_sources ONCE ${first})
    add_executable(${name}-first $<TARGET_OBJECTS:${name}_first_sources>)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_first_sources>)
    list(APPEND programs ${name}-first ${name}_first_sources)
  endif()
  cardan_sources(${name} ONCE ${sources})
  foreach(target IN LISTS programs)
    target_link_libraries(${target} PRIVATE cardan::components cardan::engine CLI11::CLI11 fmt::fmt
                                            nlohmann_json::nlohmann_json)
  endforeach()
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
endfunction()

# cardan_generated(<target> <name> <script> <arguments> <depends> [<definitions>]): generated/<name>.cpp, which
# `cmake <definitions> <arguments> -P .cmake/<script>` writes, as a part of the target. In a library of its own, as all
# sources of a target wait for what is made for one of them, and that waits for all that it links.
function(cardan_generated target name script arguments depends)
  set(source "${PROJECT_BINARY_DIR}/generated/${name}.cpp")
  set(script "${PROJECT_SOURCE_DIR}/.cmake/${script}")
  add_custom_command(OUTPUT "${source}" DEPENDS ${depends} "${script}" VERBATIM
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${source}" ${ARGN} "${arguments}" -P "${script}")
  add_library(cardan_${name} OBJECT "${source}")
  target_include_directories(cardan_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:cardan_${name}>)
endfunction()

# cardan_loaded(TARGET NAME HEADER LIBRARY MISSING SOURCE...): an optional library that is loaded when it is
# wanted. The sources get the name that its package alone has, libzip.so.4, as CARDAN_NAME; where it is not
# there, a message says MISSING.
function(cardan_loaded target name header library missing)
  find_path(CARDAN_${name}_INCLUDE ${header})
  find_library(CARDAN_${name}_LIBRARY ${library})
  mark_as_advanced(CARDAN_${name}_INCLUDE CARDAN_${name}_LIBRARY)
  if(NOT CARDAN_${name}_INCLUDE OR NOT CARDAN_${name}_LIBRARY)
    message(STATUS "${missing}")
    return()
  endif()
  execute_process(COMMAND "${CMAKE_OBJDUMP}" -p "${CARDAN_${name}_LIBRARY}" OUTPUT_VARIABLE sections ERROR_QUIET)
  string(REGEX MATCH "SONAME +([^\n ]+)" named "${sections}")
  set_source_files_properties(${ARGN} PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON COMPILE_DEFINITIONS "CARDAN_${name}=\"${CMAKE_MATCH_1}\"")
  if(NOT CARDAN_${name}_INCLUDE IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    set_source_files_properties(${ARGN} PROPERTIES INCLUDE_DIRECTORIES "${CARDAN_${name}_INCLUDE}")
  endif()
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
endfunction()
