# What `cmake --install` copies: the program, the CMake package, the sources that instrumented test programs compile, and
# the optimizer as a library.
include(CMakePackageConfigHelpers)

set(MORPH_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/Morph")
set(MORPH_INSTALL_RUNTIMEDIR "${CMAKE_INSTALL_DATADIR}/morph/runtime")

install(TARGETS morph_pagmo_module LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/morph")
install(TARGETS morph_source_program morph_recorder morph_tracer RUNTIME DESTINATION "${CMAKE_INSTALL_LIBDIR}/morph")
install(TARGETS morph_probe_runtime LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/morph")
install(TARGETS morph EXPORT MorphTargets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(EXPORT MorphTargets NAMESPACE Morph:: DESTINATION "${MORPH_INSTALL_CMAKEDIR}")

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/MorphConfig.cmake.in" "${Morph_BINARY_DIR}/MorphConfig.cmake"
  INSTALL_DESTINATION "${MORPH_INSTALL_CMAKEDIR}"
  PATH_VARS MORPH_INSTALL_RUNTIMEDIR
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${Morph_BINARY_DIR}/MorphConfigVersion.cmake"
  VERSION "${Morph_VERSION}" COMPATIBILITY SameMinorVersion)

set(_morph_modules Morph MorphSpec MorphText MorphFrameworks MorphLinks MorphArguments MorphSuite MorphAdopt MorphDescription
  MorphTwinCache MorphTwinFlags MorphTwinRuntime MorphTwin MorphMutation MorphRegister MorphRegisterAdopted)
list(TRANSFORM _morph_modules REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/\\1.cmake")
install(FILES ${_morph_modules} "${Morph_BINARY_DIR}/MorphConfig.cmake" "${Morph_BINARY_DIR}/MorphConfigVersion.cmake"
  DESTINATION "${MORPH_INSTALL_CMAKEDIR}")
install(FILES "${CMAKE_CURRENT_LIST_DIR}/adopted/CMakeLists.txt" DESTINATION "${MORPH_INSTALL_CMAKEDIR}/adopted")
unset(_morph_modules)

install(DIRECTORY "${Morph_SOURCE_DIR}/plugin/runtime/" DESTINATION "${MORPH_INSTALL_RUNTIMEDIR}"
  FILES_MATCHING PATTERN "*.cpp" PATTERN "*.h" PATTERN "*.ld")
install(FILES "${Morph_SOURCE_DIR}/coverage/gcov/compilers.h" "${Morph_SOURCE_DIR}/coverage/gcov/stream_format.h" "${Morph_SOURCE_DIR}/coverage/mutation/server_format.h"
  DESTINATION "${MORPH_INSTALL_RUNTIMEDIR}")

# What `morph spec new` fills in.
install(FILES "${Morph_SOURCE_DIR}/templates/spec.cpp.in" DESTINATION "${CMAKE_INSTALL_DATADIR}/morph/templates")

# What scripts validate Morph's results by.
install(DIRECTORY "${Morph_SOURCE_DIR}/docs/schemas/" DESTINATION "${CMAKE_INSTALL_DATADIR}/morph/schemas" FILES_MATCHING PATTERN "*.json")

# The libraries that programs of specs link, and their headers.
set_target_properties(morph_spec PROPERTIES EXPORT_NAME spec)
set_target_properties(morph_spec_main PROPERTIES EXPORT_NAME spec_main)
install(TARGETS morph_spec morph_spec_main EXPORT MorphTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${Morph_SOURCE_DIR}/plugin/include/morph" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# Targets of their own, loaded only for who asks for the component: the library needs another package and C++20. Its
# headers include each other as "optimizer/...".
set_target_properties(morph_optimizer PROPERTIES EXPORT_NAME optimizer)
install(TARGETS morph_optimizer EXPORT MorphOptimizerTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" "${CMAKE_INSTALL_INCLUDEDIR}/morph")
install(EXPORT MorphOptimizerTargets NAMESPACE Morph:: DESTINATION "${MORPH_INSTALL_CMAKEDIR}")
install(DIRECTORY "${Morph_SOURCE_DIR}/optimizer/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${Morph_SOURCE_DIR}/optimizer" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/morph"
  FILES_MATCHING PATTERN "*.hpp" PATTERN include EXCLUDE PATTERN pagmo EXCLUDE)
