# morph_adopt_tests(): labels by the plan, labels without one, what is refused.

function(morph_prints code plan)
  file(WRITE "${build_dir}/plan.txt" "${plan}")
  file(WRITE "${build_dir}/morph" "#!/bin/sh\ncat plan.txt\nexit ${code}\n")
  file(CHMOD "${build_dir}/morph" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()
set(sentinel "# morph-plan-end v1\n")

# refuses(<case> <message> [<arguments of the call>])
function(refuses case message)
  set(build_dir "${WORK_DIR}/Adopt/refused")
  make_build_dir("${build_dir}")
  configure("${build_dir}" "-DCASE=${case}" -DMORPH_EXECUTABLE=/bin/false "-DARGUMENTS=${ARGN}" -Wno-dev)
  expect_equal("${case} ${ARGN}" "result of cmake" "${result}" 1)
  expect_contains("${case} ${ARGN}" stderr "${stderr}" "${message}")
endfunction()

# ---- with a plan: names, order and properties stay, labels are added
set(dev -Wno-dev)
run_cmake(Adopt "-DMORPH_EXECUTABLE=${WORK_DIR}/Adopt/Adopt/morph" ${dev})
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build_dir}" OUTPUT_QUIET)
set(plan "macro(\"_morph_code_adopted\")
add_test(adopted.plan /bin/true)
set_tests_properties(adopted.plan PROPERTIES LABELS [=[morph;adopted]=] COST 2000000)
set_tests_properties(plain below PROPERTIES LABELS [=[morph;adopted]=] COST 7)
set_tests_properties(setup fails PROPERTIES LABELS [=[deferred;adopted]=] COST -1)
endmacro()\n")
morph_prints(0 "${plan}${sentinel}")
list_tests(tests)
set(planned "plain | [ \"adopted\", \"morph\", \"own\", \"quick\" ]
setup | [ \"adopted\", \"deferred\" ]
fails | [ \"adopted\", \"deferred\" ]
below | [ \"adopted\", \"deep\", \"morph\" ]
off | [ \"deep\" ]
adopted.plan | [ \"adopted\", \"morph\" ]
")
expect_equal(Planned tests "${tests}" "${planned}")
expect_equal(Planned stderr "${stderr}" "")
run_ctest(--show-only=json-v1)
foreach(property IN ITEMS DEPENDS FIXTURES_REQUIRED FIXTURES_SETUP TIMEOUT RESOURCE_LOCK WILL_FAIL ENVIRONMENT)
  expect_contains(Planned properties "${stdout}" "\"${property}\"")
endforeach()
run_ctest(-L "^morph$" --no-tests=error)
expect_match(Planned "what runs" "${stdout}" "4/4 Test[^\n]*Passed")  # the plan's entry, two tests and a set-up

# ---- a ctest inside ctest sees the tests of others alone
set(ENV{MORPH_NESTED_CTEST} "${build_dir}")
list_tests(tests)
expect_equal(Nested tests "${tests}" "plain | [ \"own\", \"quick\" ]\nsetup | \nfails | \nbelow | [ \"deep\" ]\noff | [ \"deep\" ]\n")
unset(ENV{MORPH_NESTED_CTEST})

# ---- without a plan
set(whole "plain | [ \"adopted\", \"morph\", \"own\", \"quick\" ]
setup | [ \"adopted\", \"morph\" ]
fails | [ \"adopted\", \"morph\" ]
below | [ \"adopted\", \"deep\", \"morph\" ]
off | [ \"deep\" ]
")
morph_prints(4 "${plan}${sentinel}")
list_tests(tests)
expect_equal(ExitCode4 tests "${tests}" "${whole}")
expect_contains(ExitCode4 stderr "${stderr}" "Morph has no plan")
morph_prints(3 "${sentinel}")
list_tests(tests)
expect_equal(NotListed tests "${tests}" "${whole}")
expect_contains(NotListed stderr "${stderr}" "the plan does not know the suite 'adopted'")
run_ctest(-L "^morph$")
expect_contains(NotListed "what runs" "${stdout}" "100% tests passed, 0 tests failed out of 4")

# ---- without Morph, one entry runs them all
set(script "${own_dir}/suites/adopted.cmake")
file(READ "${script}" text)
string(REPLACE "${MORPH_SOURCE_DIR}/cmake" "/nowhere" text "${text}")
file(WRITE "${script}" "${text}")
list_tests(tests)
expect_match(Gone tests "${tests}" "off \\| [^\n]*\nadopted.all \\| [^\n]*\"morph\" \\]\n$")
expect_contains(Gone stderr "${stderr}" "Morph is no longer where this build tree found it")
run_ctest(-L "^morph$" -V)
expect_contains(Gone "what runs" "${stdout}" "100% tests passed, 0 tests failed out of 4")
expect_contains(Gone "what runs" "${stdout}" "100% tests passed, 0 tests failed out of 1")

# ---- a name of two lines cannot be told from what ctest prints
run_cmake(Newline -DMORPH_EXECUTABLE=/bin/false ${dev})
list_tests(tests)
expect_match(Newline tests "${tests}" "plain \\| [^\n]*\"own\", \"quick\" \\]\n.*\nadopted.all \\| [^\n]*\"morph\" \\]\n$")

# ---- beside a suite
run_cmake(Mixed -DMORPH_EXECUTABLE=/bin/false ${dev})
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build_dir}" OUTPUT_QUIET)
list_tests(tests)
expect_equal(Mixed tests "${tests}" "area | [ \"geo\", \"morph\" ]\n${whole}")
set(ENV{MORPH_NESTED_CTEST} "${build_dir}")
list_tests(tests)
expect_match(Mixed nested "${tests}" "^geo.placeholder \\| \\[ \"morph-placeholder\" \\]\nplain ")
unset(ENV{MORPH_NESTED_CTEST})
read_description(json)
expect_json(Mixed "${json}" "[\"area\",\"all\"]" targets)
expect_json(Mixed "${json}" "ctest" suites 1 framework)

# ---- one directory of several
run_cmake(Part -DMORPH_EXECUTABLE=/bin/false ${dev})
list_tests(tests)
expect_match(Part tests "${tests}" "^plain \\| \\[ \"own\", \"quick\" \\]\nsetup \\| \nfails \\| \nbelow \\| \\[ \"deep\", \"morph\", \"part\" \\]\n")
run_cmake(LateWithout -DMORPH_EXECUTABLE=/bin/false ${dev})

# ---- switched off, and where nothing can be measured
run_cmake(Off -DMORPH_ENABLED=OFF ${dev})
list_tests(tests)
expect_equal(Off tests "${tests}" "plain | [ \"own\", \"quick\" ]\nsetup | \nfails | \nbelow | [ \"deep\" ]\noff | [ \"deep\" ]\n")
set(normal_generator "${GENERATOR}")
set(normal_compiler_dir "${compiler_dir}")
set(normal_known_compiler "${known_compiler}")
set(compiler_dir "")
set(known_compiler "")
run_cmake(Cross -DCMAKE_SYSTEM_NAME=Linux ${dev})
list_tests(tests)
expect_equal(Cross tests "${tests}" "${whole}")
if(GENERATOR STREQUAL "Ninja")
  set(GENERATOR "Ninja Multi-Config")
  run_cmake(MultiConfig -DMORPH_EXECUTABLE=/bin/false ${dev})
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build_dir}" --config Release OUTPUT_QUIET)
  run_ctest(-C Release -L "^morph$")
  expect_contains(MultiConfig "what runs" "${stdout}" "100% tests passed, 0 tests failed out of 4")
endif()
set(GENERATOR "${normal_generator}")
set(compiler_dir "${normal_compiler_dir}")
set(known_compiler "${normal_known_compiler}")

# ---- refused
refuses(Late "morph_adopt_tests(adopted): the tests of '${CMAKE_CURRENT_LIST_DIR}/late' come behind the call, where ctest \
cannot label them any more; move morph_adopt_tests() to the end of ${CMAKE_CURRENT_LIST_DIR}/CMakeLists.txt declared at \
${CMAKE_CURRENT_LIST_DIR}/CMakeLists.txt")
refuses(Overlap "are adopted twice: 'part', declared at")
refuses(NotEnabled "morph_adopt_tests(adopted): enable_testing() was not called")
refuses(Refused "morph_adopt_tests: suite name 'a b' is not allowed" "NAME \"a b\"")
refuses(Refused "morph_adopt_tests(morphs): suite name 'morphs' contains 'morph'" "NAME morphs")
refuses(Refused "morph_adopt_tests(adopted): POLICY 'fast' is unknown; allowed: all, safe, narrow, minimal" "POLICY fast")
refuses(Refused "morph_adopt_tests(adopted): unknown argument 'unit'; allowed: NAME, DIRECTORY, POLICY, PRODUCTION, DATA, ALWAYS" unit)
refuses(Refused "DIRECTORY '${CMAKE_CURRENT_LIST_DIR}/gone' is not a directory of this project yet" "DIRECTORY gone")
refuses(Refused "morph_adopt_tests(adopted): NAME has no value" "NAME")
refuses(Refused "morph_adopt_tests(adopted): PRODUCTION 'none' is not a target at the end of configuring" "PRODUCTION none")
