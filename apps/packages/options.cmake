# What is known only when packages are made: by cpack, before it asks a generator.
#   CPACK_CARDAN_...: see CMakeLists.txt
cmake_minimum_required(VERSION 3.25)

# The same bytes at any time: files are as old as the commit.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git -C "${CPACK_CARDAN_SOURCE}" log -1 --format=%ct OUTPUT_VARIABLE epoch
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{SOURCE_DATE_EPOCH} "${epoch}")
endif()

# Libraries that the program loads when it wants them, by their names in it: their paths and packages.
set(CPACK_CARDAN_LOADED "")
set(recommended "")
set(pattern "lib(zip|hdf5|hdf5_serial|assimp|nlopt)\\.so\\.[0-9]+")
file(STRINGS "${CPACK_CARDAN_BUILD}/bin/cardan" names REGEX "${pattern}")
string(REGEX MATCHALL "${pattern}" names "${names}")
list(REMOVE_DUPLICATES names)
foreach(name IN LISTS names)
  execute_process(COMMAND dpkg-query -S "*/${name}" OUTPUT_VARIABLE owner COMMAND_ERROR_IS_FATAL ANY)
  if(owner MATCHES "^([^:]+)[^/]*: ([^\n]+)")
    list(APPEND recommended "${CMAKE_MATCH_1}")
    list(APPEND CPACK_CARDAN_LOADED "${CMAKE_MATCH_2}")
  endif()
endforeach()
list(JOIN recommended ", " CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS)

# The module is of one version of Python: _cardan.cpython-311-x86_64-linux-gnu.so
file(GLOB module "${CPACK_CARDAN_BUILD}/python/cardan/_cardan.cpython-3*")
if(NOT module MATCHES "cpython-3([0-9]+)")
  message(FATAL_ERROR "the Python package is not built: pybind11-dev, python3-dev and python3-numpy make it")
endif()
set(this "${CMAKE_MATCH_1}")
math(EXPR next "${this} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${this}), python3 (<< 3.${next}), python3-numpy")
