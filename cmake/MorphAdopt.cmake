# morph_adopt_tests(): labels for tests that others register with ctest. The manual is at the top of Morph.cmake.
#
# ctest reads a directory's scripts, then its tests, then its sub-directories in the order of add_subdirectory(). A
# sub-directory made by the call, of which nothing but a script is there, therefore comes behind all tests before it;
# that script sets labels and costs by name. set_tests_properties() adds to LABELS when ctest reads it.

function(morph_adopt_tests)
  set(one_value NAME DIRECTORY POLICY)
  set(many_values PRODUCTION DATA ALWAYS)
  set(keywords ${one_value} ${many_values})
  set(suite adopted)
  foreach(index RANGE 1 ${ARGC})
    math(EXPR before "${index} - 1")
    if(index LESS ARGC AND "${ARGV${before}}" STREQUAL "NAME")
      set(suite "${ARGV${index}}")
      break()
    endif()
  endforeach()
  _morph_set("${suite}" COMMAND morph_adopt_tests)
  _morph_check_suite_name(morph_adopt_tests "${suite}" "${keywords}")
  set(first_argument 0)
  _morph_read_arguments()

  if(given_DIRECTORY)
    _morph_unpack(directory "${arg_DIRECTORY}")
    cmake_path(ABSOLUTE_PATH directory BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    string(REGEX REPLACE "(.)/$" "\\1" directory "${directory}")
  else()
    set(directory "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  _morph_check_adopted_directory("${suite}" "${directory}")
  _morph_check_policy()
  _morph_absolute_globs(data)

  _morph_call_place(place "${suite}" morph_adopt_tests)
  _morph_set("${suite}" DECLARED_AT "${place}")
  _morph_set("${suite}" FRAMEWORK ctest)
  _morph_set("${suite}" SOURCE_DIR "${directory}")
  get_property(binary_dir DIRECTORY "${directory}" PROPERTY BINARY_DIR)
  _morph_set("${suite}" BINARY_DIR "${binary_dir}")
  _morph_set("${suite}" CALLED_IN "${CMAKE_CURRENT_SOURCE_DIR}")
  _morph_set("${suite}" POLICY "${arg_POLICY}")
  _morph_set("${suite}" PRODUCTION "${arg_PRODUCTION}")
  _morph_set("${suite}" PRODUCTION_GIVEN ${given_PRODUCTION})
  _morph_set("${suite}" DATA "${data}")
  _morph_set("${suite}" ALWAYS "${arg_ALWAYS}")

  if(NOT MORPH_ENABLED)
    return()
  endif()
  _morph_add_to_suites("${suite}")
  _morph_quote(quoted "${binary_dir}")
  _morph_write("${CMAKE_BINARY_DIR}/.morph/nested/${suite}/CTestTestfile.cmake"
    "# The adopted tests alone, for a ctest inside ctest. Written by Morph.\nsubdirs(${quoted})\n")
  if(MORPH_INSTRUMENT)
    return()
  endif()
  _morph_generate_adopted_script("${suite}")
  set(_morph_adopted_script "${CMAKE_BINARY_DIR}/.morph/suites/${suite}.cmake")
  get_property(module_dir GLOBAL PROPERTY _MORPH_MODULE_DIR)
  add_subdirectory("${module_dir}/adopted" "${CMAKE_BINARY_DIR}/.morph/adopted/${suite}")
endfunction()

function(_morph_check_adopted_directory suite directory)
  _morph_directories(known "${CMAKE_SOURCE_DIR}")
  if(NOT directory IN_LIST known)
    _morph_fail("${suite}" "DIRECTORY '${directory}' is not a directory of this project yet; \
add_subdirectory() comes before morph_adopt_tests()")
  endif()
  get_property(binary_dir DIRECTORY "${directory}" PROPERTY BINARY_DIR)
  get_property(suites GLOBAL PROPERTY _MORPH_SUITES)
  foreach(other IN LISTS suites)
    _morph_get(framework "${other}" FRAMEWORK)
    _morph_get(other_directory "${other}" BINARY_DIR)
    if(framework STREQUAL "ctest")
      string(FIND "${binary_dir}/" "${other_directory}/" inside)
      string(FIND "${other_directory}/" "${binary_dir}/" around)
      if(inside EQUAL 0 OR around EQUAL 0)
        _morph_get(place "${other}" DECLARED_AT)
        _morph_fail("${suite}" "the tests of '${directory}' are adopted twice: '${other}', declared at ${place}, takes \
tests of the same directories")
      endif()
    endif()
  endforeach()
endfunction()

# A directory and all below it, so far.
function(_morph_directories out directory)
  set(directories "${directory}")
  get_property(subdirectories DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(subdirectory IN LISTS subdirectories)
    _morph_directories(more "${subdirectory}")
    list(APPEND directories ${more})
  endforeach()
  set(${out} "${directories}" PARENT_SCOPE)
endfunction()

# Called when configuring ends.
function(_morph_finish_adopted suite)
  _morph_check_directory("${suite}")
  _morph_check_adopted_order("${suite}")
  _morph_own_targets(executables libraries)
  _morph_get(given "${suite}" PRODUCTION_GIVEN)
  _morph_set("${suite}" TARGETS "${executables}")
  if(given)
    _morph_decide_production("${suite}")
  else()
    _morph_set("${suite}" PRODUCTION_TARGETS "${libraries}")
  endif()
  _morph_set("${suite}" EXECUTABLES "${executables}")
  set_property(GLOBAL PROPERTY _MORPH_ADOPTING TRUE)
  _morph_set("${suite}" TARGETS "")
endfunction()

# Tests of directories that came behind the call would never get their labels, and `ctest -L morph` would not run them.
function(_morph_check_adopted_order suite)
  _morph_get(called_in "${suite}" CALLED_IN)
  _morph_get(adopted_dir "${suite}" BINARY_DIR)
  get_property(module_dir GLOBAL PROPERTY _MORPH_MODULE_DIR)
  if(MORPH_INSTRUMENT)
    return()
  endif()
  set(found FALSE)
  get_property(directories DIRECTORY "${called_in}" PROPERTY SUBDIRECTORIES)
  foreach(directory IN LISTS directories)
    if(directory STREQUAL "${module_dir}/adopted")
      set(found TRUE)
    elseif(found)
      get_property(binary_dir DIRECTORY "${directory}" PROPERTY BINARY_DIR)
      string(FIND "${binary_dir}/" "${adopted_dir}/" position)
      _morph_has_tests(has_tests "${directory}")
      if(has_tests AND position EQUAL 0)
        _morph_fail("${suite}" "the tests of '${directory}' come behind the call, where ctest cannot label them any \
more; move morph_adopt_tests() to the end of ${called_in}/CMakeLists.txt")
      endif()
    endif()
  endforeach()
endfunction()

function(_morph_has_tests out directory)
  set(found "")
  _morph_directories(directories "${directory}")
  foreach(directory IN LISTS directories)
    foreach(property IN ITEMS TESTS TEST_INCLUDE_FILES TEST_INCLUDE_FILE)
      get_property(value DIRECTORY "${directory}" PROPERTY ${property})
      list(APPEND found ${value})
    endforeach()
  endforeach()
  list(FILTER found EXCLUDE REGEX "/\\.morph/suites/[^/]*$")
  if(found)
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The project's own targets. A header-only library has no code but in those who use it.
function(_morph_own_targets executables_out libraries_out)
  set(executables "")
  set(libraries "")
  _morph_directories(directories "${CMAKE_SOURCE_DIR}")
  foreach(directory IN LISTS directories)
    get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      _morph_is_production(own ${target})
      _morph_framework_of_name(framework ${target})
      if(NOT own OR framework)
        continue()
      elseif(type STREQUAL "EXECUTABLE")
        list(APPEND executables ${target})
      elseif(type MATCHES "^(STATIC|SHARED|MODULE|OBJECT)_LIBRARY$")
        list(APPEND libraries ${target})
      endif()
    endforeach()
  endforeach()
  set(${executables_out} "${executables}" PARENT_SCOPE)
  set(${libraries_out} "${libraries}" PARENT_SCOPE)
endfunction()

function(_morph_describe_adopted out suite)
  foreach(field IN ITEMS POLICY BINARY_DIR DECLARED_AT)
    _morph_get(value "${suite}" ${field})
    _morph_json_text(${field} "${value}")
  endforeach()
  foreach(field IN ITEMS DATA ALWAYS)
    _morph_get(value "${suite}" ${field})
    _morph_json(value "${value}")
    _morph_literal(${field} "${value}")
  endforeach()
  _morph_json_text(ctest "${CMAKE_CTEST_COMMAND}")
  _morph_get(targets "${suite}" PRODUCTION_TARGETS)
  _morph_pack_list(production "${targets}")
  _morph_json(production "${production}")
  _morph_get(targets "${suite}" EXECUTABLES)
  set(executables "")
  set(separator "")
  foreach(target IN LISTS targets)
    string(APPEND executables "${separator}\"$<TARGET_FILE:${target}>\"")
    set(separator ", ")
  endforeach()
  set(${out} "
    {
      \"name\": \"${suite}\",
      \"framework\": \"ctest\",
      \"policy\": ${POLICY},
      \"granularity\": \"case\",
      \"binary_dir\": ${BINARY_DIR},
      \"declared_at\": ${DECLARED_AT},
      \"programs\": [{\"target\": \"${suite}\", \"executable\": ${ctest}}],
      \"executables\": [${executables}],
      \"production\": [${production}],
      \"production_sources\": [],
      \"test_sources\": [],
      \"working_directory\": ${BINARY_DIR},
      \"test_prefix\": \"\",
      \"test_suffix\": \"\",
      \"test_list\": \"\",
      \"extra_args\": [],
      \"environment\": [],
      \"timeout\": null,
      \"discovery_timeout\": 120,
      \"labels\": [],
      \"properties\": [],
      \"data\": [${DATA}],
      \"always\": [${ALWAYS}]
    }" PARENT_SCOPE)
endfunction()

# What ctest reads behind the adopted tests. Each way of labelling them that fails leaves them to the next: the plan, all
# of them by name, one entry that runs them all.
function(_morph_generate_adopted_script suite)
  set(list_dir "${CMAKE_BINARY_DIR}/.morph/nested/${suite}")
  foreach(text IN ITEMS list_dir CMAKE_BINARY_DIR CMAKE_COMMAND CMAKE_CTEST_COMMAND)
    _morph_literal(value "${${text}}")
    _morph_quote(${text}_text "${value}")
  endforeach()
  get_property(module_dir GLOBAL PROPERTY _MORPH_MODULE_DIR)
  foreach(module IN ITEMS MorphRegister MorphRegisterAdopted)
    _morph_literal(value "${module_dir}/${module}.cmake")
    _morph_quote(${module} "${value}")
  endforeach()
  _morph_own_directory(own_directory config)
  if(config)
    _morph_set("${suite}" TEST_LIST _morph_no_list)
    _morph_write_dispatcher("${suite}" "${suite}.all")
  endif()
  _morph_unsupported(reason)
  set(plan "")
  if(NOT reason)
    _morph_program(program)
    set(plan "\
  set(_morph_program [==[${program}]==])
  set(_morph_config [==[${config}]==])
  set(_morph_plan_timeout ${MORPH_PLAN_TIMEOUT})
  set(_morph_executables)
  set(_morph_test_list _morph_no_list)
  include(${MorphRegister} OPTIONAL RESULT_VARIABLE _morph_module)
  if(NOT _morph_module)
    message(WARNING \"Morph is no longer where this build tree found it; the whole suite '${suite}' runs. Configure again.\")
  endif()
")
  endif()
  file(GENERATE OUTPUT "${own_directory}/suites/${suite}.cmake" CONTENT "\
# Read by ctest: labels of the tests that the suite '${suite}' has adopted. Written by morph_adopt_tests().
set(_morph_binary_dir ${CMAKE_BINARY_DIR_text})
if(NOT \"\$ENV{MORPH_NESTED_CTEST}\" STREQUAL \"\${_morph_binary_dir}\")
  set(_morph_suite ${suite})
  set(_morph_ctest ${CMAKE_CTEST_COMMAND_text})
  set(_morph_list_dir ${list_dir_text})
  set(_morph_whole_suite TRUE)
${plan}\
  if(_morph_whole_suite)
    include(${MorphRegisterAdopted} OPTIONAL)
  endif()
  if(_morph_whole_suite)
    set(_morph_configuration)
    if(NOT \"\${CTEST_CONFIGURATION_TYPE}\" STREQUAL \"\")
      set(_morph_configuration -C \"\${CTEST_CONFIGURATION_TYPE}\")
    endif()
    add_test(${suite}.all ${CMAKE_COMMAND_text} -E env \"MORPH_NESTED_CTEST=\${_morph_binary_dir}\" ${CMAKE_CTEST_COMMAND_text}
      --test-dir ${list_dir_text} \${_morph_configuration} --output-on-failure -LE \"^morph(-placeholder)?\$\")
    set_tests_properties(${suite}.all PROPERTIES LABELS \"morph;${suite}\" COST 1000000)
  endif()
endif()
")
endfunction()
