# Which framework a program has, how its adapter comes by the header that the program uses, and what Morph does when off.
run_cmake(Twin -DMORPH_EXECUTABLE=/bin/false)
read_description(json)
set(index 0)
foreach(framework IN ITEMS catch2 doctest doctest catch2 boost boost)
  expect_json(Twin "${json}" ${framework} suites ${index} framework)
  math(EXPR index "${index} + 1")
endforeach()

set(twin "${build_dir}/morph-twin/${twin_name}")
execute_process(COMMAND "${CMAKE_COMMAND}" -C "${build_dir}/.morph/twin-cache.cmake" ${twin_arguments} -S "${group_dir}" -B "${twin}"
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE stderr)
expect_equal(Twin "result of cmake" "${result}" 0)
expect_equal(Twin stderr "${stderr}" "")
function(expect_adapter target framework defines)
  file(READ "${twin}/.morph/runtime/${target}/morph_${framework}.cpp" text)
  expect_equal(Twin "adapter of ${target}" "${text}" "// What the sources of '${target}' include. Written by Morph.
${defines}#include \"${MORPH_SOURCE_DIR}/plugin/runtime/morph_${framework}.cpp\"
")
endfunction()
expect_adapter(linked catch2 "")
expect_adapter(tests doctest "#define MORPH_DOCTEST_HEADER <doctest/doctest.h>\n")
expect_adapter(through doctest "#define MORPH_DOCTEST_HEADER \"${group_dir}/third/doctest.h\"\n")
expect_adapter(beside catch2 "#define MORPH_CATCH2_HEADER \"${group_dir}/third/catch.hpp\"
#define CATCH_CONFIG_ENABLE_BENCHMARKING\n")

foreach(target IN ITEMS boosted by_path)
  if(EXISTS "${twin}/.morph/runtime/${target}")
    fail(Twin "the adapter of ${target} needs no header, and has one")
  endif()
endforeach()

# ---- whose functions get no counters
file(STRINGS "${twin}/compile_commands.json" command REGEX "\"command\": .* -c [^ ]*/linked.cpp[\",]")
expect_match(Twin command "${command}" "-fprofile-exclude-files=")
string(REGEX REPLACE ".*-fprofile-exclude-files=([^ ]*) .*" "\\1" pattern "${command}")
string(REGEX REPLACE "[\\\\\"]" "" pattern "${pattern}")
foreach(file IN ITEMS /p/third/catch.hpp /p/tests/../third/catch.hpp /p/catch_amalgamated.cpp /p/catch2/catch_all.hpp /p/src/catch2/internal/catch_clara.cpp
                      /p/catch2/benchmark/detail/catch_stats.hpp /p/third/doctest.h /p/boost/test/unit_test.hpp
                      /p/x/boost/test/impl/framework.ipp)
  if(NOT file MATCHES "${pattern}")
    fail(Twin "'${file}' is not excluded by ${pattern}")
  endif()
endforeach()
foreach(file IN ITEMS /p/catch.hpp /p/catch.cpp /p/src/catch.hpp /p/doctest.h /p/mycatch.hpp /p/catch.cpp.hpp /p/doctest.hpp /p/doctest/helper.cpp /p/doctest.helpers/x.cpp /p/catch2/x.cpp
                      /p/catch2_tests/catch_x.cpp /p/catch_test.cpp /p/boost/test.hpp /p/test/unit_test.hpp)
  if(file MATCHES "${pattern}")
    fail(Twin "'${file}' is excluded by ${pattern}")
  endif()
endforeach()

# ---- MORPH_ENABLED=OFF where the frameworks' own modules cannot be found
run_cmake(Off -DMORPH_ENABLED=OFF)
expect_contains(Off stdout "${stdout}" "Morph is off: suite 'through': the CMake module of doctest cannot be used here; its \
programs are registered whole")
list_tests(tests)
expect_equal(Off tests "${tests}" "linked.all | \ntests.all | \nthrough.all | \nbeside.all | \nboosted.all | \nby_path.all | \n")
