# A program that looks nothing up when it starts needs a third less time for a short run.
option(CARDAN_ARCHIVES "Link what libraries come as archives, and the compiler's own, into the program" ON)

# cardan_take_archives(<target>): of an executable that links cardan::engine. All of them or none: the
# shared ones stay behind them on the line, find nothing left to give, and are dropped.
function(cardan_take_archives target)
  if(NOT CARDAN_ARCHIVES OR CARDAN_SANITIZE OR CARDAN_COVERAGE OR CARDAN_FUZZ
     OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(archives "")
  foreach(name sundials_ida sundials_nvecserial sundials_generic klu btf amd colamd
               suitesparseconfig yaml-cpp pugixml png z)
    find_library(CARDAN_ARCHIVE_${name} "lib${name}.a")
    mark_as_advanced(CARDAN_ARCHIVE_${name})
    if(NOT CARDAN_ARCHIVE_${name})
      return()
    endif()
    list(APPEND archives "${CARDAN_ARCHIVE_${name}}")
  endforeach()
  # Shared, it would bring the compiler's own along.
  if(NOT TARGET cardan_fmt)
    add_library(cardan_fmt STATIC "${PROJECT_SOURCE_DIR}/.cmake/fmt_archive.cpp")
    target_link_libraries(cardan_fmt PRIVATE fmt::fmt)
  endif()
  list(APPEND archives "$<TARGET_FILE:cardan_fmt>")
  add_dependencies(${target} cardan_fmt)
  target_link_libraries(${target} PRIVATE ${archives})
  target_link_options(${target} PRIVATE -Wl,--as-needed -static-libstdc++ -static-libgcc)
endfunction()
