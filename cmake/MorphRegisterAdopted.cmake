# Evaluated by ctest when there is no plan: labels every test that a suite has adopted, by the names that a ctest inside
# this one prints. Leaves _morph_whole_suite TRUE if not every name can be told from that text.
#
# The suite's own script has set _morph_suite, _morph_binary_dir, _morph_ctest and _morph_list_dir.
cmake_policy(PUSH)
cmake_policy(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/MorphText.cmake")

# The adopted tests that are not labelled already, as `ctest -N` prints them.
function(_morph_print_adopted out)
  set(configuration "")
  if(NOT "${CTEST_CONFIGURATION_TYPE}" STREQUAL "")
    set(configuration -C "${CTEST_CONFIGURATION_TYPE}")
  endif()
  set(ENV{MORPH_NESTED_CTEST} "${_morph_binary_dir}")
  execute_process(COMMAND "${_morph_ctest}" ${configuration} -N -LE "^morph(-placeholder)?$" ${ARGN}
    WORKING_DIRECTORY "${_morph_list_dir}" RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_QUIET)
  unset(ENV{MORPH_NESTED_CTEST})
  if(NOT result EQUAL 0)
    set(text "")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(_morph_label_adopted)
  _morph_print_adopted(names_of_several_lines -R "\n")
  _morph_print_adopted(text)
  if(NOT names_of_several_lines MATCHES "\nTotal Tests: 0\n$" OR NOT text MATCHES "\nTotal Tests: ([0-9]+)\n$")
    return()
  endif()
  set(total ${CMAKE_MATCH_1})
  _morph_pack(text "${text}")
  string(REPLACE "\n" ";" lines "${text}")
  list(FILTER lines INCLUDE REGEX "^  Test +#[0-9]+: ")
  list(LENGTH lines number)
  if(NOT number EQUAL total)
    return()
  endif()
  list(TRANSFORM lines REPLACE "^  Test +#[0-9]+: " "")
  if(lines)
    _morph_quote_list(names "${lines}")
    cmake_language(EVAL CODE "set_tests_properties(${names} PROPERTIES LABELS [==[morph;${_morph_suite}]==] COST 1000000)")
  endif()
  set(_morph_whole_suite FALSE PARENT_SCOPE)
endfunction()

_morph_label_adopted()
cmake_policy(POP)
