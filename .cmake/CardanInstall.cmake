# Headers go to include/cardan-root, so that installed code includes as we do: "engine/simulation.h".
include(CMakePackageConfigHelpers)

set(cardan_include "${CMAKE_INSTALL_INCLUDEDIR}/cardan-root")
set(cardan_config "${CMAKE_INSTALL_LIBDIR}/cmake/cardan")

foreach(folder IN ITEMS frames components engine)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION "${cardan_include}"
          FILES_MATCHING PATTERN "*.h")
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/generated/engine/version.h"
        DESTINATION "${cardan_include}/engine")

install(TARGETS cardan_frames cardan_components cardan_engine cardan_formats cardan_analysis
                cardan_pictures cardan_studies EXPORT cardanTargets)
install(EXPORT cardanTargets NAMESPACE cardan:: DESTINATION "${cardan_config}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/.cmake/cardanConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/cardanConfig.cmake"
                              INSTALL_DESTINATION "${cardan_config}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cardanConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cardanConfig.cmake"
              "${PROJECT_BINARY_DIR}/cardanConfigVersion.cmake"
        DESTINATION "${cardan_config}")
