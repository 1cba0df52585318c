# The last hand on the files of packages, by cpack on the folders that it is about to pack, one for each
# component: stripped, compressed as Debian wants it, with licence and history, as old as the commit.
set(doc share/doc)

# In full, as the licences of what is compiled in want it.
set(copyright "Cardan is under the licence below. Compiled into it are what the packages of Debian hold whose
names and copyright files follow.\n\n")
file(READ "${CPACK_CARDAN_SOURCE}/LICENSE" licence)
string(APPEND copyright "${licence}")
foreach(package IN ITEMS libcli11-dev libeigen3-dev libjs-codemirror libjs-three nlohmann-json3-dev pybind11-dev)
  if(EXISTS "/usr/share/doc/${package}/copyright")
    file(READ "/usr/share/doc/${package}/copyright" licence)
    string(APPEND copyright "\n\n======== ${package}\n\n${licence}")
  endif()
endforeach()

execute_process(COMMAND date -R -u -d "@$ENV{SOURCE_DATE_EPOCH}" OUTPUT_VARIABLE date
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(folder "${CPACK_TEMPORARY_DIRECTORY}/${component}")
  string(TOUPPER "${component}" upper)
  set(package "${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
  file(GLOB_RECURSE files "${folder}/*")
  foreach(file IN LISTS files)
    file(READ "${file}" begin LIMIT 8 HEX)
    if(begin MATCHES "^7f454c46")
      execute_process(COMMAND strip --strip-unneeded -R .comment -R .note "${file}" COMMAND_ERROR_IS_FATAL ANY)
    elseif(begin STREQUAL "213c617263683e0a")
      execute_process(COMMAND strip --strip-debug -R .comment -D "${file}" COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()
  file(GLOB pages "${folder}/usr/share/man/man1/*.1")
  file(MAKE_DIRECTORY "${folder}/usr/share/doc/${package}")
  file(WRITE "${folder}/usr/share/doc/${package}/copyright" "${copyright}")
  set(changelog "${folder}/usr/share/doc/${package}/changelog")
  file(WRITE "${changelog}" "cardan (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  execute_process(COMMAND gzip -9nf "${changelog}" ${pages} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND find "${folder}" -exec touch -h -d "@$ENV{SOURCE_DATE_EPOCH}" {} + COMMAND_ERROR_IS_FATAL ANY)
endforeach()
