# What ctest registers: with a plan, and without one for every reason that there can be.

function(write_program path text)
  file(WRITE "${path}" "#!/bin/sh\n${text}\n")
  file(CHMOD "${path}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# morph_prints(<exit code> <plan> <stderr>)
function(morph_prints code plan errors)
  file(WRITE "${build_dir}/plan.txt" "${plan}")
  file(WRITE "${build_dir}/errors.txt" "${errors}")
  write_program("${build_dir}/morph" "echo \"$@\" >> calls.txt\ncat plan.txt\ncat errors.txt >&2\nexit ${code}")
  file(REMOVE "${build_dir}/calls.txt")
endfunction()

function(plan_for out)
  set(plan "")
  foreach(suite IN LISTS ARGN)
    string(APPEND plan "macro(\"_morph_code_${suite}\")
add_test([=[${suite}.One;[]=] [=[/bin/true]=])
set_tests_properties([=[${suite}.One;[]=] PROPERTIES LABELS [=[deferred;${suite}]=] COST -1)
set(${suite}_PLANNED TRUE)
set(area_TESTS [=[${suite}.One;[]=])
endmacro()\n")
  endforeach()
  set(${out} "${plan}" PARENT_SCOPE)
endfunction()
set(sentinel "# morph-plan-end v1\n")

set(planned "geo.One;[ | [ \"deferred\", \"geo\" ]
pair.One;[ | [ \"deferred\", \"pair\" ]
tools.One;[ | [ \"deferred\", \"tools\" ]
")
set(whole "geo.all | [ \"geo\", \"morph\", \"quick\" ]
pair.all.left | [ \"morph\", \"pair\" ]
pair.all.right | [ \"morph\", \"pair\" ]
run.tool | [ \"morph\", \"tools\" ]
")

# without_plan(<case> <pattern>): the whole suites are registered, and one warning says why.
function(without_plan case pattern)
  list_tests(tests)
  expect_equal(${case} tests "${tests}" "${whole}")
  fold(stderr "${stderr}")
  expect_match(${case} stderr "${stderr}" "${pattern}")
  expect_contains(${case} stderr "${stderr}" "The WHOLE suites run.")
  string(REGEX MATCHALL "CMake Warning" warnings "${stderr}")
  list(LENGTH warnings number)
  expect_equal(${case} "number of warnings" ${number} 1)
endfunction()

run_cmake(Register "-DMORPH_EXECUTABLE=${WORK_DIR}/Register/Register/morph" -DMORPH_PLAN_TIMEOUT=1)
foreach(program IN ITEMS area left right tool)
  write_program("${program_dir}/${program}" "echo \"$0 $1 $X\"")
endforeach()

# ---- with a plan
plan_for(plan geo pair tools)
file(READ "${build_dir}/after.cmake" after)
file(WRITE "${build_dir}/after.cmake" "if(NOT area_TESTS STREQUAL \"tools.One;[\")\n  message(WARNING \"area_TESTS\")\nendif()\n")
morph_prints(0 "${plan}${sentinel}" "")
list_tests(tests)
expect_equal(Planned tests "${tests}" "${planned}")
expect_equal(Planned stderr "${stderr}" "")
file(READ "${build_dir}/calls.txt" calls)
set(options "")
if(config)
  set(options "--config ${config} ")
endif()
expect_equal(Planned "calls of morph" "${calls}" "plan --build ${build_dir} ${options}--format cmake\n")

morph_prints(3 "${plan}${sentinel}" "  one line\nanother\n")
list_tests(tests)
expect_equal(ExitCode3 tests "${tests}" "${planned}")
expect_equal(ExitCode3 stderr "${stderr}" "one line\nanother\n")

string(REPEAT "x" 3000 long)
morph_prints(0 "${plan}${sentinel}" "${long}")
list_tests(tests)
string(LENGTH "${stderr}" length)
expect_equal(LongNotice "length of stderr" ${length} 2001)

plan_for(part geo tools)
morph_prints(0 "${part}${sentinel}" "")
list_tests(tests)
expect_contains(UnknownSuite tests "${tests}" "pair.all.left | [ \"morph\", \"pair\" ]\npair.all.right")
expect_contains(UnknownSuite tests "${tests}" "geo.One")
expect_match(UnknownSuite stderr "${stderr}" "the plan does not know the suite 'pair'; the whole suite")

# ---- without a plan
file(WRITE "${build_dir}/after.cmake" "${after}")
morph_prints(4 "${plan}${sentinel}" "no store\nat all\n")
without_plan(ExitCode4 "Morph has no plan: '.*/morph plan' ended with exit code 4\\..* no store at all")
morph_prints(0 "${plan}# morph-plan-end v" "")
without_plan(Truncated "printed no complete plan, though it ended with exit code 0")
morph_prints(3 "" "")
without_plan(Empty "printed no complete plan, though it ended with exit code 3")
morph_prints(0 "${sentinel}message(FATAL_ERROR garbage) ]==] \"" "")
without_plan(Garbage "printed no complete plan, though it ended with exit code 0")
write_program("${build_dir}/morph" "exec sleep 600")
without_plan(Hang "did not end within 1 s \\(MORPH_PLAN_TIMEOUT\\)")
write_program("${build_dir}/morph" "kill -ABRT $$")
without_plan(Abort "failed: Subprocess aborted")
file(REMOVE "${build_dir}/morph")
without_plan(NoProgram "failed: [Nn]o such file or directory")

# The whole suites run as their cases would: arguments, environment, verdict; but without one case's limits.
run_ctest(-V)
expect_contains(Whole stdout "${stdout}" "/area --a b 1;2\n")
expect_contains(Whole stdout "${stdout}" "/left  \n")
expect_match(Whole stdout "${stdout}" "The following tests FAILED:\n[^\n]*run.tool")
run_ctest(--show-only=json-v1)
expect_contains(Whole properties "${stdout}" "PROCESSORS")
expect_contains(Whole properties "${stdout}" "RUN_SERIAL")
expect_lacks(Whole properties "${stdout}" "SKIP_REGULAR_EXPRESSION")
string(REGEX MATCHALL "\"TIMEOUT\"" timeouts "${stdout}")
expect_equal(Whole "time limits (of the test 'run.tool')" "${timeouts}" "\"TIMEOUT\"")

# ---- an earlier listing, if it is younger than programs and script
set(listing "${own_dir}/fallback/geo.cmake")
file(WRITE "${listing}" "add_test(listed /bin/true)\nset(area_TESTS listed)\n")
execute_process(COMMAND touch -d "2090-01-01" "${listing}")
list_tests(tests)
expect_match(Listed tests "${tests}" "^listed \\|[^\n]*\npair.all.left")
execute_process(COMMAND touch -d "2091-01-01" "${program_dir}/area")
without_plan(StaleListing "")
execute_process(COMMAND touch -d "2089-01-01" "${program_dir}/area")
execute_process(COMMAND touch -d "2091-01-01" "${own_dir}/suites/geo.cmake")
without_plan(ChangedSuite "")

# ---- programs that are not built
file(REMOVE "${program_dir}/area" "${program_dir}/right" "${program_dir}/tool")
list_tests(tests)
expect_equal(NotBuilt tests "${tests}" "geo_NOT_BUILT | [ \"geo\", \"morph\" ]
pair.all.left | [ \"morph\", \"pair\" ]
pair_NOT_BUILT | [ \"morph\", \"pair\" ]
tools_NOT_BUILT | [ \"morph\", \"tools\" ]
")

# ---- the module was removed after configuring
foreach(suite IN ITEMS geo pair tools)
  file(READ "${own_dir}/suites/${suite}.cmake" text)
  string(REPLACE "MorphRegister.cmake" "Gone.cmake" text "${text}")
  file(WRITE "${own_dir}/suites/${suite}.cmake" "${text}")
endforeach()
write_program("${program_dir}/area" "true")
list_tests(tests)
expect_match(Gone tests "${tests}" "^geo.all \\|")
expect_match(Gone stderr "${stderr}" "Morph is no longer where this build tree found it")
