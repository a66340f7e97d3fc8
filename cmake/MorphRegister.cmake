# Evaluated by ctest each time it builds its list of tests, once per suite: registers the suite's tests as the plan
# says.
#
# The suite's own script has set _morph_suite, _morph_program, _morph_binary_dir, _morph_config (empty in a tree of one
# configuration), _morph_plan_timeout, _morph_test_list and _morph_executables, and registers the whole suite when this
# file leaves _morph_whole_suite TRUE. ctest's stdout
# belongs to ctest (--show-only=json-v1), and an error here would stop every test of the project: all messages are
# notices and warnings, which go to stderr.

# A ctest that Morph runs to see the tests of others: one entry that never runs, for scripts that go on with the names.
if("$ENV{MORPH_NESTED_CTEST}" STREQUAL "${_morph_binary_dir}")
  add_test("${_morph_suite}.placeholder" "${_morph_suite}.placeholder")
  set_tests_properties("${_morph_suite}.placeholder" PROPERTIES LABELS morph-placeholder DISABLED TRUE)
  set("${_morph_test_list}" "${_morph_suite}.placeholder")
  set(_morph_whole_suite FALSE)
  return()
endif()

cmake_policy(PUSH)
cmake_policy(VERSION 3.25)

# One plan for the whole build tree, or one configuration of it. It defines a macro _morph_code_<suite> for each suite, which lives as long as this
# run of ctest.
function(_morph_plan)
  set(configuration "")
  if(NOT _morph_config STREQUAL "")
    set(configuration --config "${_morph_config}")
  elseif(NOT "${CTEST_CONFIGURATION_TYPE}" STREQUAL "")
    set(configuration --config "${CTEST_CONFIGURATION_TYPE}")  # of add_test(CONFIGURATIONS), in any tree
  endif()
  execute_process(
    COMMAND "${_morph_program}" plan --build "${_morph_binary_dir}" ${configuration} --format cmake
    WORKING_DIRECTORY "${_morph_binary_dir}"
    TIMEOUT ${_morph_plan_timeout}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE code
    ERROR_VARIABLE errors)
  string(STRIP "${errors}" errors)
  string(SUBSTRING "${errors}" 0 2000 errors)
  set(sentinel "# morph-plan-end v1\n")
  string(LENGTH "${sentinel}" length)
  string(LENGTH "${code}" start)
  math(EXPR start "${start} - ${length}")
  set(end "")
  if(NOT start LESS 0)
    string(SUBSTRING "${code}" ${start} -1 end)
  endif()
  if(end STREQUAL sentinel AND result MATCHES "^[03]$")
    cmake_language(EVAL CODE "${code}")
    set_property(GLOBAL PROPERTY "_MORPH_PLAN_${_morph_own_directory}" ACCEPTED)
    if(NOT errors STREQUAL "")
      message(NOTICE "${errors}")
    endif()
    return()
  endif()

  if(result MATCHES "timeout")
    set(reason "did not end within ${_morph_plan_timeout} s (MORPH_PLAN_TIMEOUT)")
  elseif(NOT result MATCHES "^[0-9]+$")
    set(reason "failed: ${result}")
  elseif(result MATCHES "^[03]$")
    set(reason "printed no complete plan, though it ended with exit code ${result}")
  else()
    set(reason "ended with exit code ${result}")
  endif()
  if(NOT errors STREQUAL "")
    string(REPLACE "\n" "\n  " errors "\n${errors}")
  endif()
  set_property(GLOBAL PROPERTY "_MORPH_PLAN_${_morph_own_directory}" FAILED)
  message(WARNING "Morph has no plan: '${_morph_program} plan' ${reason}. The WHOLE suites run.${errors}")
endfunction()

# Where an earlier listing of the suite is kept, if it is younger than all that it was taken from.
function(_morph_find_listing out)
  set(${out} "" PARENT_SCOPE)
  set(listing "${_morph_own_directory}/fallback/${_morph_suite}.cmake")
  if(NOT EXISTS "${listing}")
    return()
  endif()
  set(libraries "")
  file(READ "${_morph_own_directory}/build.json" description)
  string(JSON number ERROR_VARIABLE error LENGTH "${description}" shared_libraries)
  if(number GREATER 0)
    math(EXPR last "${number} - 1")
    foreach(index RANGE ${last})
      string(JSON library GET "${description}" shared_libraries ${index})
      if(EXISTS "${library}")
        list(APPEND libraries "${library}")
      endif()
    endforeach()
  endif()
  foreach(file IN LISTS _morph_executables _morph_pool libraries ITEMS "${_morph_own_directory}/suites/${_morph_suite}.cmake")
    if(NOT EXISTS "${file}" OR "${file}" IS_NEWER_THAN "${listing}")
      return()
    endif()
  endforeach()
  set(${out} "${listing}" PARENT_SCOPE)
endfunction()

cmake_path(APPEND _morph_binary_dir .morph "${_morph_config}" OUTPUT_VARIABLE _morph_own_directory)
get_property(_morph_state GLOBAL PROPERTY "_MORPH_PLAN_${_morph_own_directory}")
if(NOT _morph_state)
  _morph_plan()
  get_property(_morph_state GLOBAL PROPERTY "_MORPH_PLAN_${_morph_own_directory}")
endif()

# Not in a function: the variable of TEST_LIST is for the scripts that follow.
if(COMMAND "_morph_code_${_morph_suite}")
  cmake_language(CALL "_morph_code_${_morph_suite}")
  set(_morph_whole_suite FALSE)
else()
  if(_morph_state STREQUAL "ACCEPTED")
    message(WARNING "Morph: the plan does not know the suite '${_morph_suite}'; the whole suite runs.")
  endif()
  _morph_find_listing(_morph_code)
  if(_morph_code)
    include("${_morph_code}")
    set(_morph_whole_suite FALSE)
  endif()
endif()
unset(_morph_code)
unset(_morph_state)
unset(_morph_own_directory)
cmake_policy(POP)
