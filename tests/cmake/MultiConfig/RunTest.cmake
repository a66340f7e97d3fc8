# Where Morph cannot measure, every program is a test with the label `morph`, and one line says why.
run_cmake(Generator)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build_dir}" --config Release --target area OUTPUT_QUIET)
run_ctest(-C Release -V -R geo.all)
expect_equal(Generator "result of ctest" "${result}" 0)
expect_contains(Generator stdout "${stdout}" "1:  A=1;2\n1:  B=Release\n")
run_ctest(-C Release -N -L morph)
expect_match(Generator stdout "${stdout}"
  "Test #1: geo.all\n.*Test #2: pair.all.left\n.*Test #3: pair.all.right\n.*Test #4: run.tool\n.*Total Tests: 4")
run_ctest(-C Release -N -L "^quick$")
expect_contains(Generator stdout "${stdout}" "Total Tests: 1")
if(EXISTS "${build_dir}/.morph")
  fail(Generator "there is a folder .morph")
endif()

run_cmake(Instrumented -DMORPH_INSTRUMENT=coverage)

set(GENERATOR Ninja)
set(compiler_dir "")  # the system is another one
set(known_compiler "")
run_cmake(Cross -DCMAKE_SYSTEM_NAME=Linux)
list_tests(tests)
expect_match(Cross tests "${tests}" "^geo.all \\|[^\n]*\npair.all.left \\|[^\n]*\npair.all.right \\|[^\n]*\nrun.tool \\|[^\n]*\n$")
