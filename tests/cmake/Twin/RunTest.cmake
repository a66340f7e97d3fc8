# The instrumented twin of a build tree: what is configured differently, and that the normal tree sees nothing of it.

# commands(<out> <source>): the compile command of one source of the twin.
function(commands out source)
  file(STRINGS "${twin}/compile_commands.json" lines REGEX "\"command\": .* -c [^ ]*/${source}[\",]")
  list(LENGTH lines number)
  if(NOT number EQUAL 1)
    fail(Twin "${number} commands compile ${source}")
  endif()
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

function(expect_instrumented source)
  commands(line ${source})
  expect_match(Twin "${source}" "${line}"
    " -fprofile-arcs -ftest-coverage [^ ]*-fprofile-exclude-files=[^ ]*/_deps/[^ ]* -fprofile-update=single")
  expect_lacks(Twin "${source}" "${line}" "-fno-profile-arcs")
endfunction()

function(expect_plain source)
  commands(line ${source})
  expect_lacks(Twin "${source}" "${line}" "-fprofile-arcs")
  expect_lacks(Twin "${source}" "${line}" "-ftest-coverage")
endfunction()

function(make_twin dir)
  execute_process(COMMAND "${CMAKE_COMMAND}" -C "${build_dir}/.morph/twin-cache.cmake" ${twin_arguments} -S "${group_dir}" -B "${dir}"
      ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
  foreach(what IN ITEMS result stdout stderr)
    set(${what} "${${what}}" PARENT_SCOPE)
  endforeach()
endfunction()

share_compilations()
set(elsewhere "${WORK_DIR}/Twin/elsewhere")
file(REMOVE_RECURSE "${elsewhere}")
run_cmake(Twin -DMORPH_EXECUTABLE=/bin/false "-DELSEWHERE=${elsewhere}" -DCHOICE=ON -DEXTRA=from_user "-DMORPH_TWIN_CACHE_ARGS=-DADDED:BOOL=ON"
  ${build_type})
expect_contains(Twin stdout "${stdout}" "choice ON, listed a;b, note ${build_dir}/x, extra from_user")
set(twin "${build_dir}/morph-twin/${twin_name}")
file(READ "${build_dir}/compile_commands.json" normal)
set(normal_commands "${normal}")
foreach(part IN ITEMS coverage morph_ profile)
  expect_lacks(Normal compile_commands.json "${normal}" "${part}")
endforeach()

# ---- the twin's cache
make_twin("${twin}")
expect_equal(Twin "result of cmake" "${result}" 0)
expect_equal(Twin stderr "${stderr}" "")
expect_contains(Twin stdout "${stdout}" "choice ON, listed a;b, note ${twin}/x, extra from_user")
file(READ "${twin}/CMakeCache.txt" cache)
expect_contains(Twin CMakeCache.txt "${cache}" "\nMORPH_INSTRUMENT:STRING=coverage\n")
expect_contains(Twin CMakeCache.txt "${cache}" "\nADDED:BOOL=ON\n")
expect_contains(Twin CMakeCache.txt "${cache}" "\nFETCHCONTENT_BASE_DIR:PATH=${twin}/_deps\n")
expect_contains(Twin CMakeCache.txt "${cache}" "\nFETCHCONTENT_SOURCE_DIR_DEP:PATH=${build_dir}/_deps/dep-src\n")
expect_contains(Twin CMakeCache.txt "${cache}" "\nCMAKE_BUILD_TYPE:STRING=Debug\n")

# ---- its description
file(READ "${twin}/.morph/build.json" json)
expect_json(Twin "${json}" "coverage" instrument)
expect_json(Twin "${json}" "" twin_cache)
expect_json(Twin "${json}" "[\"unit\",\"script\"]" targets)
expect_json(Twin "${json}" "[\"fixed\",\"shared\",\"objects\",\"header\"]" suites 0 production)
expect_json(Twin "${json}" "[\"${group_dir}/unit.cpp\"]" suites 0 test_sources)
file(READ "${own_dir}/build.json" normal)
expect_json(Normal "${normal}" "[\"fixed\",\"shared\",\"objects\",\"header\"]" suites 0 production)
if(IS_DIRECTORY "${twin}/.morph/suites")
  fail(Twin "there are scripts for ctest")
endif()

# ---- what is instrumented
foreach(source IN ITEMS fixed.cpp objects.cpp script.cpp)
  expect_instrumented(${source})
endforeach()
file(READ "${twin}/compile_commands.json" commands)
expect_match(Twin compile_commands.json "${commands}" "-ftest-coverage[^\n]*/shared.dir/Unity/unity_0_cxx.cxx")
foreach(source IN ITEMS framework.cpp unrelated.cpp tool.cpp fetched.cpp vendored.cpp)
  expect_plain(${source})
endforeach()
commands(line fixed.cpp)
string(REGEX MATCHALL " -ftest-coverage " options "${line}")
list(LENGTH options number)
expect_equal(Twin "times that fixed.cpp is instrumented for two suites" ${number} 1)

# ---- no link-time optimization, whatever asks for it
commands(line fixed.cpp)
expect_match(Twin fixed.cpp "${line}" " -flto .* -O0 .* -fno-lto ")
foreach(source IN ITEMS fixed.cpp objects.cpp unrelated.cpp)
  commands(line ${source})
  expect_match(Twin ${source} "${line}" " -fno-lto ")
  expect_lacks(Twin ${source} "${line}" "fat-lto")  # which the property brings
  expect_match(Normal compile_commands.json "${normal_commands}" "fat-lto[^\n]*/${source}")
endforeach()
commands(line morph_capture.cpp)
expect_match(Twin morph_capture.cpp "${line}" " -fno-lto ")

# ---- the runtime's sources
foreach(source IN ITEMS morph_capture.cpp morph_gtest.cpp morph_process.cpp)
  commands(line ${source})  # compiled once
  expect_contains(Twin "${source}" "${line}" "-fno-profile-arcs -fno-test-coverage")
  expect_contains(Twin "${source}" "${line}" "-I${MORPH_SOURCE_DIR}/coverage/gcov")
  expect_lacks(Twin "${source}" "${line}" "cmake_pch")
endforeach()
commands(line morph_gtest.cpp)
expect_match(Twin morph_gtest.cpp "${line}" "-ftest-coverage .*-fno-profile-arcs")
expect_lacks(Twin morph_gtest.cpp "${line}" "--coverage")  # which could not be taken back
foreach(source IN ITEMS morph_capture.cpp morph_process.cpp)
  expect_plain(${source})
endforeach()

# ---- what it builds stays inside, and a program with an instrumented object library's objects links
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${twin}" --target tool --target shared
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  fail(Twin "${output}")
endif()
foreach(file IN ITEMS "morph-output${elsewhere}/tool" lib/libshared.so)
  if(NOT EXISTS "${twin}/${file}")
    fail(Twin "${file} was not built")
  endif()
endforeach()
if(EXISTS "${elsewhere}/tool")
  fail(Twin "the twin wrote where the normal tree's program belongs")
endif()

# ---- a later change of the normal tree arrives, what was removed goes, and nothing else is asked again
configure("${build_dir}" -DCASE=Twin -DCHOICE=OFF -UEXTRA -DMORPH_TWIN_CACHE_ARGS=)
make_twin("${twin}")
expect_equal(Changed "result of cmake" "${result}" 0)
expect_contains(Changed stdout "${stdout}" "choice OFF, listed a;b, note ${twin}/x, extra \n")
expect_lacks(Changed stdout "${stdout}" "compiler identification")
file(READ "${twin}/CMakeCache.txt" cache)
expect_lacks(Changed CMakeCache.txt "${cache}" "\nADDED")

# ---- another compiler
if(CLANG)
  file(READ "${build_dir}/.morph/twin-cache.cmake" cache)
  string(REPLACE "[=[${COMPILER}]=]" "[=[${CLANG}]=]" other "${cache}")
  file(WRITE "${build_dir}/.morph/twin-cache.cmake" "${other}")
  make_twin("${twin}")
  expect_equal(Clang "result of cmake" "${result}" 0)
  expect_contains(Clang stdout "${stdout}" "identification is Clang")
  commands(line fixed.cpp)
  expect_match(Clang fixed.cpp "${line}" " -fprofile-arcs -ftest-coverage -Xclang [^ ]*-fprofile-exclude-files=[^ ]*/_deps/[^ ]* \
-fprofile-update=single -fdebug-compilation-dir=/ -include [^ ]*/morph_clang_arcs.h -Xclang -coverage-version=A93[LM] ")
  foreach(source IN ITEMS morph_gtest.cpp morph_llvm.cpp)
    commands(line ${source})
    expect_lacks(Clang ${source} "${line}" "--coverage")
    expect_match(Clang ${source} "${line}" "-fno-profile-arcs -fno-test-coverage")
  endforeach()
  file(READ "${twin}/compile_commands.json" commands)
  expect_match(Clang compile_commands.json "${commands}" "coverage-version[^\n]*/shared.dir/Unity/unity_0_cxx.cxx")
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${twin}" --target tool --target shared
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    fail(Clang "${output}")
  endif()
  # Where llvm-cov reads the counters, a program tries it first, compiled as the project is.
  make_twin("${twin}" -DMORPH_COUNTERS=files)
  expect_equal(Files "result of cmake" "${result}" 0)
  commands(line morph_probe.cpp)
  expect_match(Files morph_probe.cpp "${line}" " -include [^ ]*/morph_clang_arcs.h -Xclang -coverage-version=A93M .* -O0 ")
  commands(line morph_files.cpp)
  expect_lacks(Files morph_files.cpp "${line}" "coverage-version")

  # Of the others only the number is known here.
  make_twin("${twin}" -DMORPH_COUNTERS=auto -DPRETENDED_VERSION=20.1.2)
  expect_equal(Later "result of cmake" "${result}" 0)
  file(READ "${twin}/.morph/build.json" description)
  expect_contains(Later build.json "${description}" "\"counters\": \"files\"")
  make_twin("${twin}" -DPRETENDED_VERSION=10.0.1)
  fold(stderr "${stderr}")
  expect_match(Other stderr "${stderr}" "Morph: coverage is measured with GCC 9 and later and with Clang 11 and later in this version, not with Clang 10[0-9.]+;")

  file(WRITE "${build_dir}/.morph/twin-cache.cmake" "${cache}")
  make_twin("${twin}")
  expect_equal(Back "result of cmake" "${result}" 0)
  expect_contains(Back stdout "${stdout}" "identification is GNU")
  expect_instrumented(fixed.cpp)

  # The normal tree works with it.
  set(COMPILER "${CLANG}")
  set(compiler_dir "")
  set(known_compiler "")
  run_cmake(Normal -DMORPH_EXECUTABLE=/bin/false)
else()
  message("not run: Twin with Clang, which is not installed, or was tried with another generator")
endif()

# ---- a twin that lost its cache is not silently an ordinary tree
file(REMOVE "${twin}/CMakeCache.txt")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${group_dir}" -B "${twin}" "-DMODULE=${module}" -DCASE=Twin
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE stderr)
fold(stderr "${stderr}")
expect_match(Lost stderr "${stderr}" "this twin tree has lost its cache; remove [^ ]* and run `morph measure` again")
