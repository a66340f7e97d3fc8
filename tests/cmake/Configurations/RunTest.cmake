# One build tree, several configurations: each has its description, its plan and its script for ctest.

# calls_of_morph(<out>): how ctest asked for a plan.
function(calls_of_morph out)
  set(calls "")
  if(EXISTS "${build_dir}/calls.txt")
    file(READ "${build_dir}/calls.txt" calls)
    file(REMOVE "${build_dir}/calls.txt")
  endif()
  set(${out} "${calls}" PARENT_SCOPE)
endfunction()

function(expect_descriptions case)
  file(GLOB found RELATIVE "${build_dir}/.morph" "${build_dir}/.morph/build.json" "${build_dir}/.morph/*/build.json")
  list(SORT found)
  expect_equal(${case} "descriptions" "${found}" "${ARGN}")
endfunction()

set(program "${WORK_DIR}/Configurations/Several/morph")
run_cmake(Several "-DMORPH_EXECUTABLE=${program}" -DCHOICE=one)
file(WRITE "${program}" "#!/bin/sh\necho \"$@\" >> calls.txt\nexit 4\n")
file(CHMOD "${program}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# ---- descriptions
expect_descriptions(Several Debug/build.json RelWithDebInfo/build.json Release/build.json)
foreach(name IN ITEMS Debug Release)
  file(READ "${build_dir}/.morph/${name}/build.json" json)
  expect_json(${name} "${json}" "${name}" config)
  expect_json(${name} "${json}" "${name}" configuration cache CMAKE_BUILD_TYPE)
  expect_json(${name} "${json}" "one" configuration cache CHOICE)
  expect_json(${name} "${json}" "${build_dir}/${name}/left" suites 0 programs 0 executable)
  expect_json(${name} "${json}" "[\"C=${name}\"]" suites 0 environment)
endforeach()

# ---- ctest reads what belongs to the configuration that it is told, in any case
foreach(name IN ITEMS Debug debug RELEASE)
  set(config ${name})
  list_tests(tests)
  set(asked Debug)
  if(name STREQUAL "RELEASE")
    set(asked Release)
  endif()
  expect_equal(${name} tests "${tests}" "pair_NOT_BUILT | [ \"morph\", \"pair\" ]
tools_NOT_BUILT | [ \"morph\", \"tools\" ]
own | 
")
  calls_of_morph(calls)
  expect_equal(${name} "calls of morph" "${calls}" "plan --build ${build_dir} --config ${asked} --format cmake\n")
endforeach()

# ---- a configuration that is built, beside one that is not
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build_dir}" --config Release OUTPUT_QUIET)
set(config Release)
list_tests(tests)
expect_match(Release tests "${tests}" "^pair.all.left \\|[^\n]*\npair.all.right \\|[^\n]*\nrun.tool \\|")
run_ctest()
expect_match(Release stdout "${stdout}" "100% tests passed, 0 tests failed out of 4")
run_ctest(--show-only=json-v1)
expect_contains(Release properties "${stdout}" "C=Release")
set(config Debug)
list_tests(tests)
expect_match(Debug tests "${tests}" "^pair_NOT_BUILT \\|")

# ---- without a configuration, or with one that there is not, all is as with add_test()
foreach(name IN ITEMS "" Fastest)
  set(config "${name}")
  file(REMOVE "${build_dir}/calls.txt")
  run_ctest(-N)
  expect_match("none '${name}'" stdout "${stdout}"
    "Test #1: pair.all.left\n.*Test #2: pair.all.right\n.*Test #3: run.tool\n.*Test #4: own\n")
  expect_equal("none '${name}'" stderr "${stderr}" "names: pair.all.left;pair.all.right\n")
  run_ctest(-N -L morph -L "^a b$")
  expect_contains("none '${name}'" stdout "${stdout}" "Total Tests: 2")
  calls_of_morph(calls)
  expect_equal("none '${name}'" "calls of morph" "${calls}" "")
  run_ctest()
  expect_match("none '${name}'" stdout "${stdout}" "0% tests passed, 4 tests failed out of 4.*pair.all.left \\(Not Run\\).*own \\(Not Run\\)")
endforeach()

# ---- configurations that are no longer there are no longer described
set(config Debug)
configure("${build_dir}" -DCASE=Several -DCMAKE_CONFIGURATION_TYPES=Debug)
expect_descriptions(Fewer Debug/build.json)
set(GENERATOR Ninja)
configure("${build_dir}" --fresh -DCASE=Several "-DMORPH_EXECUTABLE=${program}" -DCMAKE_BUILD_TYPE=Debug)
expect_descriptions(One build.json)
set(config "")
list_tests(tests)
calls_of_morph(calls)
expect_equal(One "calls of morph" "${calls}" "plan --build ${build_dir} --format cmake\n")
set(GENERATOR "Ninja Multi-Config")
configure("${build_dir}" --fresh -DCASE=Several "-DMORPH_EXECUTABLE=${program}")
expect_descriptions(Again Debug/build.json RelWithDebInfo/build.json Release/build.json)

# ---- a twin has one configuration
run_cmake(Instrumented -DMORPH_INSTRUMENT=coverage)
