# cardan_precompile(<target>): Eigen and the standard headers, precompiled once for all targets. None
# of our own headers, so that no change of ours rebuilds it.
function(cardan_precompile target)
  if(NOT CARDAN_PCH)
    return()
  endif()
  if(NOT TARGET cardan_precompiled)
    set(source "${PROJECT_BINARY_DIR}/generated/precompiled.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "// Nothing but the precompiled header.\n" @ONLY)
    add_library(cardan_precompiled OBJECT "${source}")
    target_link_libraries(cardan_precompiled PRIVATE cardan::frames)
    target_precompile_headers(cardan_precompiled PRIVATE
      <Eigen/Core> <algorithm> <cmath> <functional> <map> <memory> <optional> <string> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM cardan_precompiled)
endfunction()

# cardan_library(<folder>): the static library cardan::<folder> from every .cpp of the folder and
# its subfolders. A new source needs no line here; a folder without sources still gives a library.
function(cardan_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  if(NOT sources)
    set(sources "${CMAKE_CURRENT_BINARY_DIR}/empty.cpp")
    file(CONFIGURE OUTPUT "${sources}" CONTENT "// ${name}/ has no sources yet.\n" @ONLY)
  endif()
  add_library(cardan_${name} STATIC ${sources})
  add_library(cardan::${name} ALIAS cardan_${name})
  cardan_precompile(cardan_${name})
  set_target_properties(cardan_${name} PROPERTIES EXPORT_NAME ${name} UNITY_BUILD ${CARDAN_UNITY})
endfunction()

# cardan_application(<target> <folder>): an executable from every .cpp of apps/<folder>.
function(cardan_application name folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
  if(NOT sources)
    message(STATUS "apps/${folder} has no sources: no target ${name}")
    return()
  endif()
  add_executable(${name} ${sources})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${CARDAN_UNITY})
  cardan_precompile(${name})
  target_link_libraries(${name} PRIVATE cardan::components cardan::engine CLI11::CLI11 fmt::fmt
                                        nlohmann_json::nlohmann_json)
endfunction()
