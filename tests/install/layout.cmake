# Installs the program alone into a folder of its own, looks what is there, and runs it from there.
#   -DBUILD=...  -DSCRATCH=...
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output
                  WORKING_DIRECTORY "${SCRATCH}")
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --component program --prefix "${SCRATCH}/here")
# It runs from any folder.
file(RENAME "${SCRATCH}/here" "${SCRATCH}/moved here")
set(root "${SCRATCH}/moved here")

file(GLOB folders RELATIVE "${root}" "${root}/*")
list(REMOVE_ITEM folders bin lib lib64 libexec share)
if(folders)
  message(FATAL_ERROR "the program also installs ${folders}")
endif()
foreach(file IN ITEMS bin/cardan share/bash-completion/completions/cardan share/zsh/vendor-completions/_cardan
        share/cardan/cardan.schema.json share/cardan/models/README.md share/doc/cardan/models/README.md
        share/doc/cardan/README.md share/doc/cardan/LICENSE share/doc/cardan/apps/packages/README.md
        share/fish/vendor_completions.d/cardan.fish share/man/man1/cardan.1 share/man/man1/cardan-simulate.1)
  if(NOT EXISTS "${root}/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()

set(model "${root}/share/cardan/models/elementary/double_pendulum.yaml")
run("${root}/bin/cardan" simulate "${model}" -q -o result.csv)
file(STRINGS "${SCRATCH}/result.csv" rows)
list(LENGTH rows number)
if(number LESS 601)
  message(FATAL_ERROR "the installed program has written ${number} rows")
endif()
run("${root}/bin/cardan" complete -- simulate "${model}" --set boxBody1.wid)
if(NOT output STREQUAL "boxBody1.width=\nboxBody1.widthDirection=\n")
  message(FATAL_ERROR "the installed program completes '${output}'")
endif()
