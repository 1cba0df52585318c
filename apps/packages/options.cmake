# What is known only when packages are made: by cpack, before it asks a generator.
#   CPACK_CARDAN_...: see CMakeLists.txt

# The same bytes at any time: files are as old as the commit.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git -C "${CPACK_CARDAN_SOURCE}" log -1 --format=%ct OUTPUT_VARIABLE epoch
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{SOURCE_DATE_EPOCH} "${epoch}")
endif()

# Libraries that the program loads when it wants them, by their names in it.
file(STRINGS "${CPACK_CARDAN_BUILD}/bin/cardan" CPACK_CARDAN_LOADED REGEX "^lib(zip|hdf5|hdf5_serial|assimp)\\.so\\.[0-9]+$")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "")
foreach(name IN LISTS CPACK_CARDAN_LOADED)
  execute_process(COMMAND dpkg-query -S "*/${name}" OUTPUT_VARIABLE owner ERROR_QUIET)
  string(REGEX MATCH "^[^:]+" owner "${owner}")
  list(APPEND CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS ${owner})
endforeach()
list(JOIN CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS ", " CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS)

# The module is of one version of Python.
list(JOIN CPACK_CARDAN_PYTHON "." python)
list(GET CPACK_CARDAN_PYTHON 1 next)
math(EXPR next "${next} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${python}), python3 (<< 3.${next}), python3-numpy")
