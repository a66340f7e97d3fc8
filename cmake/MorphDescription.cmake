# The end of configuring: the checks that need all targets, and .morph/build.json, which tells the `morph` program of
# the suites.

# Puts the work behind what the project itself deferred to the end of configuring.
function(_morph_finish_last)
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _morph_finish)
endfunction()

function(_morph_finish)
  set_property(GLOBAL PROPERTY _MORPH_FINISHING TRUE)
  get_property(suites GLOBAL PROPERTY _MORPH_SUITES)
  foreach(suite IN LISTS suites)
    _morph_get(targets ${suite} TARGETS)
    _morph_closure(closure frameworks direct ${targets})
    foreach(field IN ITEMS closure frameworks direct)
      _morph_set(${suite} LINKS_${field} "${${field}}")
    endforeach()
    _morph_decide_framework(${suite})
    _morph_check_granularity(${suite})
    _morph_check_runtime(${suite})
    _morph_check_directory(${suite})
    _morph_check_own_discovery(${suite})
    _morph_decide_production(${suite})
  endforeach()
  _morph_unsupported(reason)
  if(reason AND MORPH_INSTRUMENT)
    message(FATAL_ERROR "Morph: ${reason}; an instrumented build tree cannot be made here yet")
  elseif(reason)
    list(LENGTH suites number)
    message(STATUS "Morph: ${reason}, where tests cannot be measured and selected yet; the programs of ${number} \
suite(s) are registered whole and always run")
    return()
  endif()
  _morph_check_languages()
  if(MORPH_INSTRUMENT)
    _morph_describe()  # before the runtime's sources join the test programs
    _morph_instrument()
  else()
    _morph_describe()
    _morph_write_twin_cache()
    _morph_add_own_targets()
  endif()
endfunction()

# Called at the end of the suite's directory: imported targets are visible in their own directory only.
function(_morph_note_links suite)
  _morph_get(directory "${suite}" SOURCE_DIR)
  if(directory STREQUAL CMAKE_SOURCE_DIR)
    return()
  endif()
  _morph_get(framework "${suite}" FRAMEWORK)
  if(framework STREQUAL "")
    _morph_get(targets "${suite}" TARGETS)
    _morph_closure(closure frameworks direct ${targets})
    _morph_set("${suite}" FRAMEWORKS_NOTED "${frameworks}")
  endif()
  _morph_get(production "${suite}" PRODUCTION)
  set(imported_names "")
  foreach(name IN LISTS production)
    if(TARGET "${name}")
      get_target_property(imported "${name}" IMPORTED)
      if(imported)
        list(APPEND imported_names "${name}")
      endif()
    endif()
  endforeach()
  _morph_set("${suite}" IMPORTED_NOTED "${imported_names}")
endfunction()

function(_morph_decide_framework suite)
  _morph_get(framework "${suite}" FRAMEWORK)
  if(framework)
    return()
  endif()
  _morph_get(targets "${suite}" TARGETS)
  _morph_get(noted "${suite}" FRAMEWORKS_NOTED)
  _morph_get(frameworks "${suite}" LINKS_frameworks)
  _morph_get(direct "${suite}" LINKS_direct)
  list(APPEND frameworks ${noted})
  list(REMOVE_DUPLICATES frameworks)
  list(LENGTH frameworks number)
  string(REPLACE ";" ", " target_text "${targets}")
  if(number EQUAL 0)
    string(REPLACE ";" ", " direct_text "${direct}")
    if(direct_text STREQUAL "")
      set(direct_text "nothing")
    endif()
    _morph_fail("${suite}" "no test framework found among what ${target_text} links (${direct_text}); candidates are \
gtest (GoogleTest or GoogleMock), catch2 (Catch2 2 and 3), doctest, and none (a program is one test). A program that uses \
a framework's header without linking a target of it needs FRAMEWORK.")
  elseif(number GREATER 1)
    string(REPLACE ";" ", " frameworks_text "${frameworks}")
    _morph_fail("${suite}" "several test frameworks found among what ${target_text} links: ${frameworks_text}. Say \
which by FRAMEWORK, or FRAMEWORK none.")
  endif()
  _morph_set("${suite}" FRAMEWORK ${frameworks})
endfunction()

function(_morph_check_granularity suite)
  _morph_get(framework "${suite}" FRAMEWORK)
  _morph_get(granularity "${suite}" GRANULARITY)
  if(framework STREQUAL "none" AND granularity MATCHES "^(tier|suite)$")
    _morph_fail("${suite}" "GRANULARITY ${granularity} runs several cases in one process, but with FRAMEWORK none a \
program is one test; say GRANULARITY case")
  endif()
endfunction()

# One program holds one runtime.
function(_morph_check_runtime suite)
  _morph_get(framework "${suite}" FRAMEWORK)
  _morph_get(targets "${suite}" TARGETS)
  foreach(target IN LISTS targets)
    get_property(other GLOBAL PROPERTY "_MORPH_RUNTIME_${target}")
    if(other AND NOT other STREQUAL framework)
      _morph_fail("${suite}" "TARGET '${target}' is used with FRAMEWORK ${framework} here and with FRAMEWORK ${other} in another suite")
    endif()
    set_property(GLOBAL PROPERTY "_MORPH_RUNTIME_${target}" "${framework}")
  endforeach()
endfunction()

function(_morph_check_directory suite)
  _morph_get(directory "${suite}" SOURCE_DIR)
  get_directory_property(testing DIRECTORY "${directory}" DEFINITION CMAKE_TESTING_ENABLED)
  get_directory_property(wanted DIRECTORY "${directory}" DEFINITION BUILD_TESTING)
  if(NOT testing AND (wanted OR wanted STREQUAL ""))
    _morph_fail("${suite}" "enable_testing() was not called for the directory ${directory}, so ctest would not see \
the suite; call it in the top CMakeLists.txt before add_subdirectory()")
  endif()
  get_directory_property(labels DIRECTORY "${directory}" LABELS)
  foreach(label IN LISTS labels)
    _morph_check_label("${suite}" "label of the directory" "${label}")
  endforeach()
endfunction()

function(_morph_check_own_discovery suite)
  _morph_get(targets "${suite}" TARGETS)
  foreach(target IN LISTS targets)
    get_property(discovered TARGET ${target} PROPERTY CTEST_DISCOVERED_TEST_COUNTER SET)
    get_target_property(directory ${target} SOURCE_DIR)
    _morph_get(suite_directory "${suite}" SOURCE_DIR)
    set(directories "${directory}" "${suite_directory}")
    list(REMOVE_DUPLICATES directories)
    foreach(directory IN LISTS directories)
      get_directory_property(scripts DIRECTORY "${directory}" TEST_INCLUDE_FILES)
      foreach(script IN LISTS scripts)
        cmake_path(GET script FILENAME name)
        string(FIND "${name}" "${target}" position)
        string(LENGTH "${target}" length)
        if(position EQUAL 0)
          string(SUBSTRING "${name}" ${length} -1 rest)
          if(rest MATCHES "^(\\[[0-9]+\\]|-[0-9a-f]+)?[_-](include|tests)([_-].*)?\\.cmake$")
            set(discovered TRUE)
          endif()
        endif()
      endforeach()
    endforeach()
    if(NOT discovered)
      _morph_scanned_tests(discovered ${target})
    endif()
    if(discovered)
      _morph_fail("${suite}" "TARGET '${target}' also has its own test discovery (gtest_discover_tests() or its kin), \
so every case would be registered twice; remove that call or this one")
    endif()
  endforeach()
endfunction()

# gtest_add_tests() leaves the scanned sources in CMAKE_CONFIGURE_DEPENDS and tests named after their TEST()s.
function(_morph_scanned_tests out target)
  set(${out} FALSE PARENT_SCOPE)
  get_target_property(directory ${target} SOURCE_DIR)
  get_directory_property(dependencies DIRECTORY "${directory}" CMAKE_CONFIGURE_DEPENDS)
  get_directory_property(tests DIRECTORY "${directory}" TESTS)
  get_target_property(sources ${target} SOURCES)
  if(NOT dependencies OR NOT tests OR NOT sources)
    return()
  endif()
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${directory}" OUTPUT_VARIABLE file)
    if((source IN_LIST dependencies OR file IN_LIST dependencies) AND EXISTS "${file}")
      file(READ "${file}" text)
      if(text MATCHES "[^A-Za-z0-9_]TEST(_F)?[ \t]*\\([ \t]*([A-Za-z0-9_]+)[ \t]*,[ \t]*([A-Za-z0-9_]+)[ \t]*\\)"
         AND tests MATCHES "${CMAKE_MATCH_2}\\.${CMAKE_MATCH_3}")
        set(${out} TRUE PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

function(_morph_decide_production suite)
  _morph_get(given "${suite}" PRODUCTION_GIVEN)
  _morph_get(targets "${suite}" TARGETS)
  set(production "")
  set(imported_names "")
  if(given)
    _morph_get(names "${suite}" PRODUCTION)
    _morph_get(imported_noted "${suite}" IMPORTED_NOTED)
    foreach(name IN LISTS names)
      _morph_unpack(name "${name}")
      if(name IN_LIST imported_noted)
        list(APPEND imported_names "${name}")
        continue()
      endif()
      if(NOT TARGET "${name}")
        _morph_fail("${suite}" "PRODUCTION '${name}' is not a target at the end of configuring")
      endif()
      _morph_real_target(real "${name}")
      get_target_property(type ${real} TYPE)
      get_target_property(imported ${real} IMPORTED)
      if(imported)
        list(APPEND imported_names "${name}")
      elseif(type STREQUAL "UTILITY")
        _morph_fail("${suite}" "PRODUCTION '${name}' is a custom target; production targets are libraries or executables")
      elseif(NOT real IN_LIST targets)
        list(APPEND production ${real})
      endif()
    endforeach()
  else()
    _morph_get(closure "${suite}" LINKS_closure)
    foreach(target IN LISTS closure)
      _morph_is_production(own ${target})
      if(own)
        list(APPEND production ${target})
      endif()
    endforeach()
  endif()
  list(REMOVE_DUPLICATES production)
  if(imported_names)
    string(REPLACE ";" ", " imported_text "${imported_names}")
    message(STATUS "Morph: suite '${suite}': imported production targets (${imported_text}) are built elsewhere and \
cannot be measured here")
  endif()
  if(production STREQUAL "")
    message(STATUS "Morph: suite '${suite}': no production target of this project is linked; only the test programs' \
own code is measured")
  endif()
  _morph_set("${suite}" PRODUCTION_TARGETS "${production}")
endfunction()

function(_morph_check_languages)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    get_property(suites GLOBAL PROPERTY _MORPH_SUITES)
    list(GET suites 0 suite)
    _morph_fail("${suite}" "the language CXX is not enabled, but what Morph adds to measured test programs is C++; \
write project(... LANGUAGES C CXX) or enable_language(CXX)")
  endif()
endfunction()

# The `morph` program for generated files: a path or a generator expression.
function(_morph_program out)
  get_property(program GLOBAL PROPERTY _MORPH_PROGRAM)
  if(MORPH_EXECUTABLE)
    _morph_literal(program "${MORPH_EXECUTABLE}")
  elseif(program STREQUAL "" AND TARGET Morph::morph)
    set(program "$<TARGET_FILE:Morph::morph>")
  elseif(program STREQUAL "")
    message(FATAL_ERROR "Morph: the morph program is neither installed beside this module nor built by this project; \
set MORPH_EXECUTABLE to its path")
  endif()
  set(${out} "${program}" PARENT_SCOPE)
endfunction()

# Cache entries that name a machine, a tool or a dashboard, or change messages and not objects. The compiler has its own
# member.
string(JOIN "|" _morph_not_compared
  "^MORPH_(EXECUTABLE|STORE|IGNORE|PLAN_TIMEOUT|ENABLED|INSTRUMENT|BUILD_TESTS|INSTALL)$" "^Morph_DIR$" "^MORPH_TWIN_OF$" "^FETCHCONTENT_"
  "^CMAKE_.*_(COMPILER|COMPILER_(AR|RANLIB|LAUNCHER)|CLANG_TIDY)$" "^CMAKE_(VERBOSE_MAKEFILE|COLOR_.*|EXPORT_COMPILE_COMMANDS|MAKE_PROGRAM)$"
  # include(CTest)
  "^(SITE|BUILDNAME|BZRCOMMAND|CVSCOMMAND|GITCOMMAND|HGCOMMAND|P4COMMAND|SVNCOMMAND|SCPCOMMAND|MAKECOMMAND|CVS_UPDATE_OPTIONS)$"
  "^(CTEST|DART|MEMORYCHECK|COVERAGE|SLURM)_")
set_property(GLOBAL PROPERTY _MORPH_NOT_COMPARED "${_morph_not_compared}")
unset(_morph_not_compared)

# Everything a person could set that may change the code: what makes measurements of two build trees comparable.
function(_morph_configuration out)
  get_property(suites GLOBAL PROPERTY _MORPH_SUITES)
  list(GET suites 0 suite)
  _morph_get(directory "${suite}" SOURCE_DIR)
  foreach(variable IN ITEMS CMAKE_CXX_COMPILER_ID CMAKE_CXX_COMPILER_VERSION CMAKE_CXX_COMPILER CMAKE_C_COMPILER_ID CMAKE_C_COMPILER_VERSION)
    get_directory_property(${variable} DIRECTORY "${directory}" DEFINITION ${variable})
  endforeach()
  string(LENGTH "${CMAKE_SOURCE_DIR}" source_length)
  string(LENGTH "${CMAKE_BINARY_DIR}" binary_length)
  set(text "")
  set(separator "")
  get_property(not_compared GLOBAL PROPERTY _MORPH_NOT_COMPARED)
  get_cmake_property(entries CACHE_VARIABLES)
  foreach(entry IN LISTS entries)
    get_property(type CACHE "${entry}" PROPERTY TYPE)
    if(type MATCHES "^(INTERNAL|STATIC)$" OR entry MATCHES "${not_compared}")
      continue()
    endif()
    # Tools and places of CMake's own; what a project looked up (Foo_DIR, Foo_LIBRARY) decides what it is made of.
    if(type MATCHES "PATH$" AND entry MATCHES "_(EXE|EXECUTABLE|PROGRAM|COMMAND)$|^CMAKE_" AND NOT entry MATCHES "^CMAKE_(SYSROOT|TOOLCHAIN_FILE)")
      continue()
    endif()
    set(value "$CACHE{${entry}}")
    if(binary_length LESS source_length)
      string(REPLACE "${CMAKE_SOURCE_DIR}" "<source>" value "${value}")
      string(REPLACE "${CMAKE_BINARY_DIR}" "<binary>" value "${value}")
    else()
      string(REPLACE "${CMAKE_BINARY_DIR}" "<binary>" value "${value}")
      string(REPLACE "${CMAKE_SOURCE_DIR}" "<source>" value "${value}")
    endif()
    _morph_json_text(entry "${entry}")
    _morph_json_text(value "${value}")
    string(APPEND text "${separator}\n      ${entry}: ${value}")
    set(separator ",")
  endforeach()
  _morph_json_text(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  _morph_json_text(c_compiler "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
  _morph_json_text(compiler_path "${CMAKE_CXX_COMPILER}")
  _morph_json_text(system "${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR}")
  set(${out} "{
    \"compiler\": ${compiler},
    \"c_compiler\": ${c_compiler},
    \"compiler_path\": ${compiler_path},
    \"system\": ${system},
    \"cache\": {${text}
    }
  }" PARENT_SCOPE)
endfunction()

function(_morph_describe_suite out suite)
  foreach(field IN ITEMS FRAMEWORK POLICY GRANULARITY BINARY_DIR DECLARED_AT TEST_PREFIX TEST_SUFFIX TEST_LIST)
    _morph_get(value "${suite}" ${field})
    _morph_json_text(${field} "${value}")
  endforeach()
  _morph_get(directory "${suite}" WORKING_DIRECTORY)
  _morph_pack(directory "${directory}")
  _morph_closed_expressions(directory "${directory}")
  _morph_json(WORKING_DIRECTORY "${directory}")
  foreach(field IN ITEMS EXTRA_ARGS ENVIRONMENT PROPERTIES)
    _morph_get(value "${suite}" ${field})
    _morph_closed_expressions(value "${value}")
    _morph_json(${field} "${value}")
  endforeach()
  foreach(field IN ITEMS LABELS DATA ALWAYS)
    _morph_get(value "${suite}" ${field})
    _morph_json(value "${value}")
    _morph_literal(${field} "${value}")
  endforeach()
  _morph_get(TIMEOUT "${suite}" TIMEOUT)
  if(TIMEOUT STREQUAL "")
    set(TIMEOUT null)
  endif()
  _morph_get(DISCOVERY_TIMEOUT "${suite}" DISCOVERY_TIMEOUT)

  _morph_get(targets "${suite}" TARGETS)
  set(programs "")
  set(separator "")
  foreach(target IN LISTS targets)
    string(APPEND programs "${separator}{\"target\": \"${target}\", \"executable\": \"$<TARGET_FILE:${target}>\"}")
    set(separator ", ")
  endforeach()
  _morph_sources_json(test_sources ${targets})
  _morph_get(targets "${suite}" PRODUCTION_TARGETS)
  _morph_pack_list(production "${targets}")
  _morph_json(production "${production}")
  _morph_sources_json(production_sources ${targets})
  set(${out} "
    {
      \"name\": \"${suite}\",
      \"framework\": ${FRAMEWORK},
      \"policy\": ${POLICY},
      \"granularity\": ${GRANULARITY},
      \"binary_dir\": ${BINARY_DIR},
      \"declared_at\": ${DECLARED_AT},
      \"programs\": [${programs}],
      \"production\": [${production}],
      \"production_sources\": [${production_sources}],
      \"test_sources\": [${test_sources}],
      \"working_directory\": ${WORKING_DIRECTORY},
      \"test_prefix\": ${TEST_PREFIX},
      \"test_suffix\": ${TEST_SUFFIX},
      \"test_list\": ${TEST_LIST},
      \"extra_args\": [${EXTRA_ARGS}],
      \"environment\": [${ENVIRONMENT}],
      \"timeout\": ${TIMEOUT},
      \"discovery_timeout\": ${DISCOVERY_TIMEOUT},
      \"labels\": [${LABELS}],
      \"properties\": [${PROPERTIES}],
      \"data\": [${DATA}],
      \"always\": [${ALWAYS}]
    }" PARENT_SCOPE)
endfunction()

function(_morph_describe)
  get_property(suites GLOBAL PROPERTY _MORPH_SUITES)
  set(suite_texts "")
  set(separator "")
  set(targets "")
  foreach(suite IN LISTS suites)
    _morph_describe_suite(text "${suite}")
    string(APPEND suite_texts "${separator}${text}")
    set(separator ",")
    _morph_get(suite_targets "${suite}" TARGETS)
    list(APPEND targets ${suite_targets})
  endforeach()
  list(REMOVE_DUPLICATES targets)
  _morph_pack_list(targets "${targets}")
  _morph_json(targets "${targets}")
  _morph_pack_list(ignore "${MORPH_IGNORE}")
  _morph_json(ignore "${ignore}")
  _morph_literal(ignore "${ignore}")
  _morph_configuration(configuration)
  set(twin_cache "")
  if(NOT MORPH_INSTRUMENT)
    set(twin_cache "${CMAKE_BINARY_DIR}/.morph/twin-cache.cmake")
  endif()
  get_property(version GLOBAL PROPERTY _MORPH_VERSION)
  set(head "\"schema\": \"morph.build/1\"")
  foreach(member IN ITEMS morph_version=version source_dir=CMAKE_SOURCE_DIR binary_dir=CMAKE_BINARY_DIR
                          instrument=MORPH_INSTRUMENT generator=CMAKE_GENERATOR generator_platform=CMAKE_GENERATOR_PLATFORM
                          generator_toolset=CMAKE_GENERATOR_TOOLSET make_program=CMAKE_MAKE_PROGRAM cmake=CMAKE_COMMAND
                          ctest=CMAKE_CTEST_COMMAND twin_cache=twin_cache store=MORPH_STORE)
    string(REGEX MATCH "^(.*)=(.*)$" matched "${member}")
    set(key "${CMAKE_MATCH_1}")
    _morph_json_text(value "${${CMAKE_MATCH_2}}")
    string(APPEND head ",\n  \"${key}\": ${value}")
  endforeach()
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/.morph/build.json" CONTENT "{
  ${head},
  \"ignore\": [${ignore}],
  \"targets\": [${targets}],
  \"configuration\": ${configuration},
  \"suites\": [${suite_texts}
  ]
}
")
endfunction()

function(_morph_add_own_targets)
  _morph_program(program)
  add_custom_target(morph-measure
    COMMAND "${program}" measure --build "${CMAKE_BINARY_DIR}"
    COMMENT "Measuring what each test executes" USES_TERMINAL VERBATIM)
  if(NOT TARGET Morph::morph OR MORPH_EXECUTABLE)
    return()
  endif()
  _morph_real_target(morph Morph::morph)
  get_target_property(imported ${morph} IMPORTED)
  if(NOT imported)
    add_dependencies(morph-measure ${morph})
    get_property(suites GLOBAL PROPERTY _MORPH_SUITES)
    foreach(suite IN LISTS suites)
      _morph_get(targets "${suite}" TARGETS)
      foreach(target IN LISTS targets)
        add_dependencies(${target} ${morph})
      endforeach()
    endforeach()
  endif()
endfunction()
