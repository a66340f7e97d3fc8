# One module, met as an installed package and as a part of the user's project.
set(module "")
share_compilations()
set(prefix "${WORK_DIR}/Package/prefix")
file(REMOVE_RECURSE "${prefix}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${MORPH_BINARY_DIR}" --prefix "${prefix}"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  fail(Install "${output}")
endif()
file(STRINGS "${MORPH_SOURCE_DIR}/CMakeLists.txt" version REGEX "^project\\(Morph VERSION")
string(REGEX MATCH "([0-9]+)\\.([0-9]+)[0-9.]*" version "${version}")
set(major "${CMAKE_MATCH_1}")
set(minor "${CMAKE_MATCH_2}")

# ---- find_package
set(no_expected --no-warn-unused-cli -DCMAKE_DISABLE_FIND_PACKAGE_tl-expected=ON)
run_cmake(Installed "-DCMAKE_PREFIX_PATH=${prefix}" -DWANTED=${major}.${minor} ${build_type} ${no_expected})
expect_contains(Installed stdout "${stdout}" "found Morph ${version}")
expect_lacks(Installed stdout "${stdout}" "the optimizer is there")
read_description(json)
expect_json(Installed "${json}" "${version}" morph_version)
expect_json(Installed "${json}" "[\"geo\"]" suites 0 production)
file(READ "${own_dir}/suites/geometry.cmake" script)
expect_contains(Installed geometry.cmake "${script}" "[==[${prefix}/bin/morph]==]")
expect_match(Installed geometry.cmake "${script}" "${prefix}/lib[^\n]*/cmake/Morph/MorphRegister.cmake")
expect_lacks(Installed geometry.cmake "${script}" "${MORPH_SOURCE_DIR}/cmake")

execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build_dir}" --target area OUTPUT_QUIET)
list_tests(tests)
expect_match(Installed tests "${tests}" "(^|\n)area \\|[^\n]*\"morph\"")
expect_lacks(Installed stderr "${stderr}" "Morph has no plan")

execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build_dir}" --target help OUTPUT_VARIABLE targets)
expect_contains(Installed targets "${targets}" "morph-measure")

# The twin compiles the installed runtime.
set(twin "${build_dir}/morph-twin/${twin_name}")
execute_process(COMMAND "${CMAKE_COMMAND}" -C "${build_dir}/.morph/twin-cache.cmake" ${twin_arguments} -S "${group_dir}" -B "${twin}"
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  file(READ "${twin}/compile_commands.json" commands)
  expect_contains(Twin compile_commands.json "${commands}" "-c ${prefix}/share/morph/runtime/morph_process.cpp")
  foreach(name IN ITEMS compilers.h morph_capture.cpp morph_counters.ld morph_gtest.cpp morph_process.cpp server_format.h stream_format.h)
    if(NOT EXISTS "${prefix}/share/morph/runtime/${name}")
      fail(Twin "${name} is not installed")
    endif()
  endforeach()
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${twin}" --target area
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    fail(Twin "${output}")
  endif()
elseif(NOT output MATCHES "coverage is measured with GCC")
  fail(Twin "${output}")
endif()

# ---- a project of tests only, for a library that was installed before
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build_dir}" --target geo OUTPUT_QUIET)
run_cmake(Separate "-DCMAKE_PREFIX_PATH=${prefix}" -DWANTED=${major}.${minor} "-DGEO_LIBRARY=${program_dir}/libgeo.a" ${build_type})
expect_contains(Separate stdout "${stdout}" "Morph: suite 'geometry': imported production targets (geo) are built \
elsewhere and cannot be measured here, every test is selected")
read_description(json)
expect_json(Separate "${json}" "all" suites 0 policy)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build_dir}" OUTPUT_QUIET)
run_ctest(-L morph)
expect_contains(Separate stdout "${stdout}" "100% tests passed, 0 tests failed out of 2")

# ---- projects that still ask for an old CMake, with its policies
foreach(required IN ITEMS 3.0 3.5 3.10 3.15)
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 4 AND required VERSION_LESS 3.5)
    continue()  # which that no longer knows
  endif()
  run_cmake(Old "-DCMAKE_PREFIX_PATH=${prefix}" -DREQUIRED=${required} -Wno-deprecated ${build_type})
  read_description(json)
  expect_json(Old "${json}" "[\"geo\"]" suites 0 production)
  list_tests(tests)
  expect_match("Old ${required}" tests "${tests}" "geometry_NOT_BUILT")
  expect_lacks("Old ${required}" stderr "${stderr}" "Warning")
endforeach()

math(EXPR other "${minor} + 1")
run_cmake(WrongVersion "-DCMAKE_PREFIX_PATH=${prefix}" -DWANTED=${major}.${other})

# ---- its library, for who asks for it
set(find "-DCMAKE_PREFIX_PATH=${prefix}" -DWANTED=${major}.${minor} ${build_type})
run_cmake(Library ${find} -DCOMPONENTS=COMPONENTS -DCOMPONENT=optimizer)
expect_contains(Library stdout "${stdout}" "the optimizer is there")
run_cmake(NoExpected ${find} -DCOMPONENTS=COMPONENTS -DCOMPONENT=optimizer ${no_expected})
run_cmake(OptionalLibrary ${find} -DCOMPONENTS=OPTIONAL_COMPONENTS -DCOMPONENT=optimizer ${no_expected})
expect_contains(OptionalLibrary stdout "${stdout}" "found Morph ${version}")
expect_lacks(OptionalLibrary stdout "${stdout}" "the optimizer is there")
run_cmake(WrongComponent ${find} -DCOMPONENTS=COMPONENTS -DCOMPONENT=optimiser)

# ---- add_subdirectory
set(known_compiler "")  # Morph asks the compiler more than the other cases do
run_cmake(Subdirectory "-DMORPH_SOURCES=${MORPH_SOURCE_DIR}" ${build_type})
read_description(json)
expect_json(Subdirectory "${json}" "${version}" morph_version)
expect_json(Subdirectory "${json}" "[\"geo\"]" suites 0 production)
expect_json(Subdirectory "${json}" "[\"area\"]" targets)
expect_contains(Subdirectory stdout "${stdout}" "the optimizer is there")
file(READ "${own_dir}/suites/geometry.cmake" script)
string(REGEX MATCH "_morph_program \\[==\\[([^]]*)" program "${script}")
set(program "${CMAKE_MATCH_1}")
expect_match(Subdirectory "the program" "${program}" "^${build_dir}/.*/morph$")
if(GENERATOR STREQUAL "Ninja")
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build_dir}" -- -n area OUTPUT_VARIABLE commands)
  expect_match(Subdirectory "build of area" "${commands}" "plugin/command/CMakeFiles/morph.dir")
endif()

# As if it had been built: the same program tells ctest of the tests.
cmake_path(GET program PARENT_PATH directory)
cmake_path(APPEND build_dir tests "${config}" area OUTPUT_VARIABLE area)
file(COPY "${MORPH}" DESTINATION "${directory}")
file(WRITE "${area}" "#!/bin/sh\n")
file(CHMOD "${area}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
list_tests(tests)
expect_match(Subdirectory tests "${tests}" "(^|\n)area \\|[^\n]*\"morph\"")
expect_lacks(Subdirectory stderr "${stderr}" "Morph has no plan")
