# Headers go to include/cardan-root, so that installed code includes as we do: "engine/simulation.h".
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)

set(cardan_include "${CMAKE_INSTALL_INCLUDEDIR}/cardan-root")
set(cardan_config "${CMAKE_INSTALL_LIBDIR}/cmake/cardan")

# What a user's program, component or analysis includes: frames, the contract of the components, the
# public headers of the engine; then other files as models, analyses, pictures, studies.
file(STRINGS "${PROJECT_SOURCE_DIR}/engine/public_headers.txt" cardan_public REGEX "^installed ")
list(TRANSFORM cardan_public REPLACE "^installed " "")
list(APPEND cardan_public
  frames/frames.h components/catalogue.h components/component.h components/shapes.h
  components/interfaces/describe.h components/interfaces/one_frame.h
  components/interfaces/two_tree_frames.h components/laws/closure_rows.h components/laws/joint_axis.h
  engine/modelica/import.h engine/robots/import.h
  engine/analysis/equilibrium.h engine/analysis/linear_model.h engine/analysis/modes.h
  engine/fit/fit.h engine/sensitivities/sensitivities.h
  engine/picture/pictures.h
  engine/study/study_runs.h
  apps/cosimulation/types.h)
install(CODE "set(ROOT \"${PROJECT_SOURCE_DIR}\")\nset(PUBLIC \"${cardan_public}\")\nset(INCLUDE \"${cardan_include}\")" COMPONENT dev)
install(SCRIPT "${CMAKE_CURRENT_LIST_DIR}/InstallHeaders.cmake" COMPONENT dev)

install(TARGETS cardan_frames cardan_components cardan_engine cardan_formats cardan_analysis
                cardan_pictures cardan_studies cardan_cosimulation EXPORT cardanTargets)
install(EXPORT cardanTargets NAMESPACE cardan:: DESTINATION "${cardan_config}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/.cmake/cardanConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/cardanConfig.cmake"
                              INSTALL_DESTINATION "${cardan_config}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cardanConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cardanConfig.cmake"
              "${PROJECT_BINARY_DIR}/cardanConfigVersion.cmake"
        DESTINATION "${cardan_config}")
