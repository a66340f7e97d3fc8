# The mutation twin: a mirror of the source tree, whose sources hold all their program mutants, configured with the same
# cache. `morph mutate` rewrites the sources and writes .morph/mutants/morph_nodes.h in this tree.
#
# Every target sees rewritten headers, so every program and shared library gets what they refer to. Of a program and the
# shared libraries that it loads the program's takes the place of all others.

function(_morph_prepare_mutation)
  get_property(suites GLOBAL PROPERTY _MORPH_SUITES)
  set(tests "")
  foreach(suite IN LISTS suites)
    foreach(field IN ITEMS TARGETS EXECUTABLES)
      _morph_get(targets "${suite}" ${field})
      list(APPEND tests ${targets})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES tests)
  # Made by who observes mutants: units that read fields which are private to others.
  set(observed "${CMAKE_BINARY_DIR}/.morph/mutants/observed.cmake")
  if(NOT EXISTS "${observed}")
    file(WRITE "${observed}" "")
  endif()
  include("${observed}")  # when it changes, the build runs CMake again
  _morph_add_mutants("${CMAKE_SOURCE_DIR}" "${tests}")
endfunction()

function(_morph_add_mutants directory tests)
  get_directory_property(targets DIRECTORY "${directory}" BUILDSYSTEM_TARGETS)
  get_property(runtime GLOBAL PROPERTY _MORPH_RUNTIME_DIR)
  # Functions that are inlined, or end with a call, have no place in a call path.
  set(observing_options -fno-access-control -fno-inline -fno-optimize-sibling-calls)
  # What earlier calls left on the stack is no state of a variable that nothing has written yet.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12))
    list(APPEND observing_options -ftrivial-auto-var-init=pattern)
  endif()
  foreach(source IN LISTS MORPH_OBSERVED_SOURCES)
    set_property(SOURCE "${source}" DIRECTORY "${directory}" APPEND PROPERTY COMPILE_OPTIONS ${observing_options})
  endforeach()
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(target MATCHES "^_morph_" OR NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
      continue()
    endif()
    _morph_keep_output_inside(${target})
    # -w: the guards compare what is constant to who reads the rewritten text.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-include \"${runtime}/morph_mutants.h\">"
      "$<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${CMAKE_SOURCE_DIR}=${MORPH_MIRROR_OF}>")
    _morph_optimize_mutants(${target})
    if(NOT TARGET _morph_without_warnings)
      add_library(_morph_without_warnings INTERFACE)
      target_compile_options(_morph_without_warnings INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-w>"
        # Coverage that the project measures for itself costs time in each mutant, and is of no use to anyone.
        "$<$<OR:$<COMPILE_LANG_AND_ID:C,GNU>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:SHELL:-fno-profile-arcs -fno-test-coverage -fno-profile-use>"
        "$<$<OR:$<COMPILE_LANG_AND_ID:C,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>>:SHELL:-fno-profile-use -fno-profile-instr-generate -fno-coverage-mapping -fno-profile-generate>"
        # Errors are read, all of them: which mutant does not compile.
        "$<$<COMPILE_LANGUAGE:C,CXX>:-fdiagnostics-color=never;-Wno-fatal-errors>"
        "$<$<OR:$<COMPILE_LANG_AND_ID:C,GNU>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-fmax-errors=0>"
        "$<$<OR:$<COMPILE_LANG_AND_ID:C,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>>:-ferror-limit=0>"
        "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,11>>:-fdiagnostics-column-unit=byte>")
    endif()
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES _morph_without_warnings)
    set_target_properties(${target} PROPERTIES C_CLANG_TIDY "" CXX_CLANG_TIDY "" CXX_CPPCHECK "" CXX_CPPLINT ""
      CXX_INCLUDE_WHAT_YOU_USE "" EXPORT_COMPILE_COMMANDS ON)
    if(NOT type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$")
      continue()
    endif()
    set(source morph_mutants)
    set(observing observe/morph_observe.cpp)
    if(NOT type STREQUAL "EXECUTABLE")
      set(source morph_mutants_library)
      set(observing observe/morph_observe_library.cpp)
    endif()
    _morph_runtime_objects(objects ${source}.cpp ${observing})
    target_include_directories(_${source} PRIVATE "${CMAKE_BINARY_DIR}/.morph/mutants")
    target_sources(${target} PRIVATE ${objects})
    _morph_link_as_cxx(${target})
    if(type STREQUAL "EXECUTABLE")
      target_link_options(${target} PRIVATE -Wl,-z,now)
      foreach(symbol IN ITEMS morph_node morph_alternative morph_records morph_at_node morph_saw
        morph_observes morph_instruction morph_observe_enter morph_observe_call morph_observe_begin morph_observe_end morph_observe_push
        morph_observe_pop morph_observe_bits morph_observe_word morph_observe_text morph_observe_c_text morph_observe_list
        morph_observe_list_end morph_observe_not_read morph_observe_copy morph_observe_exception)
        target_link_options(${target} PRIVATE -Wl,--export-dynamic-symbol=${symbol})
      endforeach()
    endif()
    if(target IN_LIST tests)
      _morph_add_mutants_adapter(${target})
    endif()
  endforeach()
  get_directory_property(subdirectories DIRECTORY "${directory}" SUBDIRECTORIES)
  foreach(subdirectory IN LISTS subdirectories)
    _morph_add_mutants("${subdirectory}" "${tests}")
  endforeach()
endfunction()

# Each test runs with many mutants: where the project asks for no optimization, a little of it repays its time.
function(_morph_optimize_mutants target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  get_target_property(options ${target} COMPILE_OPTIONS)
  if(NOT "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${configuration}} ${options}" MATCHES "(^| |;)-O")
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-O1>")
  endif()
endfunction()

function(_morph_add_mutants_adapter target)
  get_property(framework GLOBAL PROPERTY "_MORPH_RUNTIME_${target}")
  if(NOT framework)
    return()
  endif()
  _morph_adapter(adapter ${target} ${framework} _mutants)
  get_property(include_directories GLOBAL PROPERTY _MORPH_RUNTIME_INCLUDES)
  set_source_files_properties("${adapter}" TARGET_DIRECTORY ${target} PROPERTIES
    COMPILE_OPTIONS "-O2;-fno-sanitize=all;-w" INCLUDE_DIRECTORIES "${include_directories}"
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON SKIP_AUTOGEN ON SKIP_LINTING ON)
  target_sources(${target} PRIVATE "${adapter}")
endfunction()
