# The tarball: the files of the package `cardan` in one folder, which runs where it lies, with the libraries
# that not every Linux has and their licences. Run by cpack once these files stand in a folder of their own.
set(name "cardan-${CPACK_PACKAGE_VERSION}-linux-x86_64")
set(root "${CPACK_TEMPORARY_DIRECTORY}/${name}")
file(REMOVE_RECURSE "${root}")
file(RENAME "${CPACK_TEMPORARY_DIRECTORY}/program/usr" "${root}")
set(libraries "${root}/${CPACK_CARDAN_LIBRARIES}")
set(doc "${root}/share/doc/cardan")

# FMUs are zip files, and what packs them travels along; HDF5 and Collada are left to the system.
set(loaded "${CPACK_CARDAN_LOADED}")
list(FILTER loaded INCLUDE REGEX "/libzip\\.so")
file(GLOB studio "${libraries}/cardan-studio")
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${root}/bin/cardan" "${libraries}/cardan-fmu" ${studio} MODULES "${libraries}/cardan_fmu.so" LIBRARIES ${loaded}
  RESOLVED_DEPENDENCIES_VAR needed
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+)\\.so" "^ld-linux")
set(copyright "")
set(common "")
foreach(path IN LISTS needed loaded)
  cmake_path(GET path FILENAME file)
  file(REAL_PATH "${path}" real)
  file(COPY_FILE "${real}" "${libraries}/${file}")
  execute_process(COMMAND dpkg-query -S "*/${file}" OUTPUT_VARIABLE package COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "^[^:]+" package "${package}")
  file(READ "/usr/share/doc/${package}/copyright" licence)
  file(WRITE "${libraries}/licenses/${file}.txt" "${licence}")
  string(APPEND copyright "\n\n======== ${file} (of Debian's ${package}, whose sources are there: apt-get source ${package})\n\n${licence}")
endforeach()
file(APPEND "${doc}/copyright" "

The libraries in ${CPACK_CARDAN_LIBRARIES} are Debian's. Each may be replaced by another build
of it there: so the LGPL wants it for KLU and BTF.${copyright}")

# Debian keeps the longer licences in one place, which others do not have.
file(READ "${doc}/copyright" text)
string(REGEX MATCHALL "/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]" common "${text}")
list(REMOVE_DUPLICATES common)
foreach(path IN LISTS common)
  file(REAL_PATH "${path}" real)
  cmake_path(GET path FILENAME file)
  file(COPY_FILE "${real}" "${libraries}/licenses/${file}")
endforeach()

execute_process(COMMAND find "${root}" -exec touch -h -d "@$ENV{SOURCE_DATE_EPOCH}" {} + COMMAND_ERROR_IS_FATAL ANY)
set(tarball "${CPACK_TEMPORARY_DIRECTORY}/${name}.tar")
execute_process(COMMAND tar -C "${CPACK_TEMPORARY_DIRECTORY}" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu
                        -cf "${tarball}" "${name}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9nf "${tarball}" COMMAND_ERROR_IS_FATAL ANY)
file(COPY "${tarball}.gz" DESTINATION "${CPACK_PACKAGE_DIRECTORY}")
set(CPACK_EXTERNAL_BUILT_PACKAGES "${CPACK_PACKAGE_DIRECTORY}/${name}.tar.gz")
