# Every call that ends configuring, with the message it gets.

# refuses(<code> <message> <cmake argument>...): the message, white space folded, is part of cmake's stderr.
function(refuses code message)
  get_property(number GLOBAL PROPERTY number)
  math(EXPR number "${number} + 1")
  set_property(GLOBAL PROPERTY number ${number})
  set(build_dir "${WORK_DIR}/Refusals/${number}")
  make_build_dir("${build_dir}")
  file(WRITE "${build_dir}/case.cmake" "${code}\n")
  configure("${build_dir}" "-DCASE_FILE=${build_dir}/case.cmake" -DMORPH_EXECUTABLE=/bin/false ${ARGN})
  if(result EQUAL 0)
    fail("${code}" "was not refused")
  endif()
  string(REPLACE "@CASE@" "${build_dir}/case.cmake" message "${message}")
  expect_contains("${code}" stderr "${stderr}" "${message}")
endfunction()

set(keywords "FRAMEWORK, POLICY, GRANULARITY, TEST_PREFIX, TEST_SUFFIX, TEST_LIST, WORKING_DIRECTORY, TIMEOUT, \
DISCOVERY_TIMEOUT, TARGET, PRODUCTION, DATA, ALWAYS, EXTRA_ARGS, ENVIRONMENT, LABELS, PROPERTIES")

refuses("morph_add_suite(a TARGET unit)" "MORPH_EVIDENCE 'gcov' is unknown; allowed: probes, blocks, twin, off" -DMORPH_EVIDENCE=gcov)

# ---- names
refuses("morph_add_suite()" "morph_add_suite(): the suite's name is missing; it is the first argument")
refuses("morph_add_suite(TARGET unit)" "morph_add_suite(): the suite's name is missing; it is the first argument, before TARGET")
refuses("morph_add_suite(\"a b\" TARGET unit)"
  "suite name 'a b' is not allowed; allowed: letters, digits and the characters _ . + -")
refuses("morph_add_suite(a/b TARGET unit)" "suite name 'a/b' is not allowed")
refuses("morph_add_suite(polyMORPHism TARGET unit)"
  "morph_add_suite(polyMORPHism): suite name 'polyMORPHism' contains 'morph'; `ctest -L morph` matches any part of a label")
refuses("morph_add_suite(deferred.x TARGET unit)" "suite name 'deferred.x' contains 'deferred'")
refuses("morph_add_suite(a TARGET unit FRAMEWORK none)\nmorph_add_suite(a TARGET other FRAMEWORK none)"
  "morph_add_suite(a): the suite is declared twice, first at @CASE@:1")

# ---- TARGET
refuses("morph_add_suite(a FRAMEWORK none)" "morph_add_suite(a): TARGET is missing; it names the suite's test executables")
refuses("morph_add_suite(a TARGET FRAMEWORK none)" "morph_add_suite(a): TARGET has no value")
refuses("morph_add_suite(a TARGET unti)"
  "morph_add_suite(a): TARGET 'unti' is not a target at the end of its directory; is there an add_executable(unti ...), \
here or in a directory before? declared at @CASE@:1")
refuses("morph_add_suite(a TARGET late)\nadd_library(late INTERFACE)"
  "morph_add_suite(a): TARGET 'late' is not an executable but a INTERFACE_LIBRARY declared at @CASE@:1")
refuses("morph_add_suite(a TARGET late late)\nadd_executable(late unit.cpp)" "morph_add_suite(a): TARGET 'late' is given twice")
refuses("morph_add_suite(a TARGET geo)" "morph_add_suite(a): TARGET 'geo' is not an executable but a INTERFACE_LIBRARY")
refuses("morph_add_suite(a TARGET bought)" "morph_add_suite(a): TARGET 'bought' is an imported target")
refuses("morph_add_suite(a TARGET unit unit)" "morph_add_suite(a): TARGET 'unit' is given twice")

# ---- keywords
refuses("morph_add_suite(a unit)" "morph_add_suite(a): unknown argument 'unit'; allowed: ${keywords}")
refuses("morph_add_suite(NAME a TARGET unit)"
  "morph_add_suite(NAME): the suite's name comes first, without a word before it: morph_add_suite(a TARGET ...)")
refuses("morph_add_suite(a TARGET unit FRAMEWORK none stray)" "morph_add_suite(a): unknown argument 'stray'; allowed: ${keywords}")
refuses("morph_add_suite(a DISCOVERY_MODE PRE_TEST TARGET unit)"
  "unknown argument 'DISCOVERY_MODE': the cases are always listed at test time")
refuses("morph_add_suite(a TARGET unit FRAMEWORK catch2 TEST_SPEC [fast])"
  "unknown argument 'TEST_SPEC': use EXTRA_ARGS, or the labels and names of ctest")
refuses("morph_add_suite(a FRAMEWORK doctest ADD_LABELS 1 TARGET unit)" "unknown argument 'ADD_LABELS': use LABELS")
refuses("morph_add_suite(a TARGET unit PRODUCTION TIMEOUT 3)" "morph_add_suite(a): PRODUCTION has no value")
refuses("morph_add_suite(a TARGET unit TIMEOUT LABELS x)" "morph_add_suite(a): TIMEOUT has no value")
refuses("morph_add_suite(a TARGET unit TIMEOUT)" "morph_add_suite(a): TIMEOUT has no value")
refuses("morph_add_suite(a TARGET unit FRAMEWORK none FRAMEWORK gtest)" "morph_add_suite(a): FRAMEWORK is given twice")
refuses("morph_add_suite(a TARGET unit TIMEOUT soon)"
  "morph_add_suite(a): TIMEOUT 'soon' is not a number of seconds, such as 30 or 0.5")
refuses("morph_add_suite(a TARGET unit TIMEOUT -1)" "TIMEOUT '-1' is not a number of seconds")
refuses("morph_add_suite(a TARGET unit DISCOVERY_TIMEOUT 5s)" "DISCOVERY_TIMEOUT '5s' is not a number of seconds")
refuses("morph_add_suite(a TARGET unit FRAMEWORK junit)" "FRAMEWORK 'junit' is unknown; allowed: gtest, catch2, doctest, boost, spec, none")
refuses("morph_add_suite(a TARGET unit FRAMEWORK morph)"
  "FRAMEWORK 'morph' is not available in this version of Morph; allowed: gtest, catch2, doctest, boost, spec, none. FRAMEWORK none \
registers each program as one test.")
refuses("morph_add_suite(a TARGET unit GRANULARITY line)" "GRANULARITY 'line' is unknown; allowed: case, tier, suite, auto")
refuses("morph_add_suite(a TARGET unit FRAMEWORK none GRANULARITY tier)"
  "morph_add_suite(a): GRANULARITY tier runs several cases in one process, but with FRAMEWORK none a program is one \
test; say GRANULARITY case declared at @CASE@:1")
foreach(property IN ITEMS PASS_REGULAR_EXPRESSION FAIL_REGULAR_EXPRESSION SKIP_REGULAR_EXPRESSION SKIP_RETURN_CODE WILL_FAIL
                          TIMEOUT_AFTER_MATCH)
  refuses("morph_add_suite(a TARGET unit GRANULARITY suite PROPERTIES RUN_SERIAL TRUE ${property} 1)"
    "morph_add_suite(a): PROPERTIES ${property} judges the output or exit status of one test, but with GRANULARITY suite \
one ctest entry runs many; remove it or say GRANULARITY case")
endforeach()
refuses("morph_add_suite(a TARGET unit POLICY budget=5)" "POLICY 'budget=5' is not available in this version of Morph; allowed: all, safe, narrow, minimal, risk=P")
foreach(risk IN ITEMS risk risk= risk=P risk=0 risk=1 risk=95 risk=0.0 risk=-0.5 risk=0.99999999999999999999)
  refuses("morph_add_suite(a TARGET unit POLICY ${risk})" "POLICY '${risk}' does not name a probability of detection between 0 and 1; write for example risk=0.95")
endforeach()
refuses("morph_add_suite(a TARGET unit POLICY brave)" "POLICY 'brave' is unknown; allowed: all, safe, narrow, minimal")

# ---- labels and properties
refuses("morph_add_suite(a TARGET unit LABELS fast Polymorphism)" "label 'Polymorphism' contains 'morph'")
refuses("morph_add_suite(a TARGET unit PROPERTIES LABELS \"fast;deferred\")" "label 'deferred' contains 'deferred'")
refuses("morph_add_suite(a TARGET unit FRAMEWORK none)\nset_property(DIRECTORY PROPERTY LABELS morphology)"
  "label of the directory 'morphology' contains 'morph'")
refuses("morph_add_suite(a TARGET unit PROPERTIES COST 3)" "PROPERTIES COST '3' is refused: Morph orders the tests by COST")
refuses("morph_add_suite(a TARGET unit PROPERTIES RUN_SERIAL TRUE WILL_FAIL)"
  "PROPERTIES has an odd number of values; the last one, 'WILL_FAIL', lacks its name or value")
refuses("morph_add_suite(a TARGET unit TIMEOUT 3 PROPERTIES TIMEOUT 4)"
  "PROPERTIES TIMEOUT '4' contradicts the keyword TIMEOUT; keep the keyword")
refuses("morph_add_suite(a TARGET unit ENVIRONMENT HOME)" "ENVIRONMENT 'HOME' is not of the form NAME=VALUE")
refuses("morph_add_suite(a TARGET unit ENVIRONMENT \"A=x[y\")" "ENVIRONMENT 'A=x[y' has unbalanced square brackets")

# ---- what is known at the end of configuring only
refuses("\nmorph_add_suite(a TARGET unit FRAMEWORK none)"
  "enable_testing() was not called for the directory ${group_dir}, so ctest would not see the suite; call it in the \
top CMakeLists.txt before add_subdirectory() declared at @CASE@:2" -DNO_TESTING=ON)
refuses("file(WRITE \${CMAKE_BINARY_DIR}/sub/CMakeLists.txt \"morph_add_suite(a TARGET unit FRAMEWORK none)\")
add_subdirectory(\${CMAKE_BINARY_DIR}/sub \${CMAKE_BINARY_DIR}/below)\nenable_testing()"
  "enable_testing() was not called for the directory" -DNO_TESTING=ON)
refuses("morph_add_suite(a TARGET unit)"
  "morph_add_suite(a): no test framework found among what unit links (nothing); candidates are gtest (GoogleTest or \
GoogleMock), catch2 (Catch2 2 and 3), doctest, boost (Boost.Test), and none (a program is one test). A program that uses a framework's \
header without linking a target of it needs FRAMEWORK. declared at @CASE@:1")
refuses("target_link_libraries(unit PRIVATE geo m)\nmorph_add_suite(a TARGET unit)" "what unit links (geo, m); candidates")
refuses("target_link_libraries(unit PRIVATE gmock doctest::doctest)\nmorph_add_suite(a TARGET unit)"
  "several test frameworks found among what unit links: gtest, doctest. Say which by FRAMEWORK, or FRAMEWORK none.")
refuses("target_link_libraries(geo INTERFACE Catch2::Catch2)\ntarget_link_libraries(unit PRIVATE geo gmock)
morph_add_suite(a TARGET unit)" "several test frameworks found among what unit links: gtest, catch2.")
refuses("morph_add_suite(a TARGET unit FRAMEWORK none PRODUCTION goe)"
  "PRODUCTION 'goe' is not a target at the end of configuring declared at @CASE@:1")
refuses("morph_add_suite(a TARGET unit FRAMEWORK none PRODUCTION chores)"
  "PRODUCTION 'chores' is a custom target; production targets are libraries or executables")
refuses("morph_add_suite(a TARGET unit FRAMEWORK none)\nmorph_add_suite(b TARGET unit FRAMEWORK gtest)"
  "morph_add_suite(b): TARGET 'unit' is used with FRAMEWORK gtest here and with FRAMEWORK none in another suite")
refuses("include(GoogleTest)\n\nmorph_add_suite(a TARGET unit FRAMEWORK gtest)\ngtest_discover_tests(unit)"
  "TARGET 'unit' also has its own test discovery (gtest_discover_tests() or its kin), so every case would be \
registered twice; remove that call or this one declared at @CASE@:3")
refuses("morph_add_suite(a TARGET unit FRAMEWORK gtest)\n\
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES /x/unit_include-b12d07c.cmake)" "also has its own test \
discovery")
refuses("morph_add_suite(a TARGET unit FRAMEWORK catch2)\n\
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES /x/unit-b12d07c_include.cmake)" "also has its own test discovery")
refuses("file(WRITE \${CMAKE_BINARY_DIR}/unit.cpp \"\\nTEST(Area, of_square) {}\\n\")\ninclude(GoogleTest)\n\
gtest_add_tests(TARGET unit)\nmorph_add_suite(a TARGET unit FRAMEWORK gtest)" "also has its own test discovery")

if(NOT GENERATOR MATCHES "Multi-Config")
  refuses("file(WRITE \${CMAKE_BINARY_DIR}/catch.hpp \" *  Catch v1.5.0\\n\")\n\
file(WRITE \${CMAKE_BINARY_DIR}/old.cpp \"#include \\\"catch.hpp\\\"\\n\")\nadd_executable(old \${CMAKE_BINARY_DIR}/old.cpp)\n\
morph_add_suite(a TARGET old FRAMEWORK catch2)" "catch.hpp', which is Catch 1.5.0; Morph runs cases of Catch2 from 2.2 on. \
Take a newer header, or declare the suite with FRAMEWORK none" -DMORPH_INSTRUMENT=coverage)
endif()

# ---- variables
refuses("" "MORPH_INSTRUMENT 'timing' is not available in this version of Morph; allowed: coverage, mutation, or empty"
  -DMORPH_INSTRUMENT=timing)
refuses("" "MORPH_PLAN_TIMEOUT 'long' is not a number of seconds, such as 60" -DMORPH_PLAN_TIMEOUT=long)
refuses("morph_add_suite(a TARGET unit FRAMEWORK none)"
  "MORPH_TWIN_CACHE_ARGS: 'FOO=1' is not of the form -D<name>=<value> or -D<name>:<type>=<value>" -DMORPH_TWIN_CACHE_ARGS=FOO=1)
refuses("morph_add_suite(a TARGET unit FRAMEWORK none)"
  "the morph program is neither installed beside this module nor built by this project; set MORPH_EXECUTABLE to its path"
  -DMORPH_EXECUTABLE=)
refuses("morph_add_suite(a TARGET unit FRAMEWORK none)"
  "the language CXX is not enabled, but what Morph adds to measured test programs is C++" -DLANGUAGES=C)
