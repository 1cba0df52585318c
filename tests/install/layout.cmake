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

# The studio, where it was built: its page, and a run by a worker beside it.
if(EXISTS "${root}/lib/cardan/cardan-studio" OR EXISTS "${root}/lib/x86_64-linux-gnu/cardan/cardan-studio")
  file(WRITE "${SCRATCH}/ask.sh" "\
'${root}/bin/cardan' studio '${root}/share/cardan/models/elementary' --no-open >address &
pid=$!
for i in $(seq 100); do grep -q token address && break; sleep 0.05; done
exec 3<>/dev/tcp/127.0.0.1/$(sed -n 's|.*:\\([0-9]*\\)/#.*|\\1|p' address)
body='{\"page\": \"p\", \"file\": \"double_pendulum.yaml\"}'
printf 'POST /api/run HTTP/1.1\\r\\nHost: %s\\r\\nX-Cardan-Token: %s\\r\\nContent-Length: %d\\r\\n\\r\\n%s' \\
  $(sed -n 's|http://\\(.*\\)/#token=\\(.*\\)|\\1 \\2|p' address) \${#body} \"$body\" >&3
cat <&3 >answer
kill $pid
grep -aq '\"rows\":601' answer
")
  run(bash "${SCRATCH}/ask.sh")
endif()
