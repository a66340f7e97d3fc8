# What of Morph's own is compiled into the programs and libraries of a twin.

# What makes a test program run its cases apart and write what each of them executed. It must not count itself. Where
# gcov reads the counters, each process has one case, and tells that it came to its end.
#
# What knows no framework is compiled once. The adapter of a framework is compiled with the program's own options.
function(_morph_add_runtime target)
  get_property(framework GLOBAL PROPERTY "_MORPH_RUNTIME_${target}")
  get_property(adopting GLOBAL PROPERTY _MORPH_ADOPTING)
  _morph_add_capture(${target})
  set(sources "")
  set(kind "")
  _morph_counters(counters)
  if(counters STREQUAL "files")
    set(kind _end)
  elseif(adopting OR framework STREQUAL "none")
    _morph_runtime_objects(process morph_process.cpp)
    list(APPEND sources ${process})
  endif()
  if(framework AND NOT framework STREQUAL "none")
    get_property(include_directories GLOBAL PROPERTY _MORPH_RUNTIME_INCLUDES)
    _morph_adapter(adapter ${target} ${framework} "${kind}")
    list(APPEND sources "${adapter}")
    # Clang's --coverage, which the project may have, cannot be taken back: then no function has counters.
    set(without_counters "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Xclang>" "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fprofile-exclude-files=.>")
    set_source_files_properties("${adapter}" TARGET_DIRECTORY ${target} PROPERTIES
      COMPILE_OPTIONS "-O2;-fno-profile-arcs;-fno-test-coverage;${without_counters};-fno-sanitize=all;-w"
      INCLUDE_DIRECTORIES "${include_directories}"
      SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON SKIP_AUTOGEN ON SKIP_LINTING ON)
  endif()
  target_sources(${target} PRIVATE ${sources})
endfunction()

# Any instrumented program: run by a test, it shares its counters with the measurement. What it loads finds it by name.
# Where gcov reads them, it says that it runs, and takes that back when it has written its counters.
function(_morph_add_capture target)
  _morph_counters(counters)
  if(counters STREQUAL "files")
    _morph_runtime_objects(objects morph_files.cpp morph_end.cpp)
    target_sources(${target} PRIVATE ${objects})
    _morph_own_directory(own_directory config)
    set_property(TARGET _morph_files PROPERTY COMPILE_DEFINITIONS "MORPH_RUNNING=\"${own_directory}/measure/running\"")
    target_link_options(${target} PRIVATE -pthread)
    _morph_link_as_cxx(${target})
    _morph_add_probe(${target})
    return()
  endif()
  _morph_runtime_objects(objects morph_capture.cpp morph_counters.cpp morph_end.cpp morph_environment.cpp morph_snapshot.cpp morph_shared.cpp)
  _morph_profiling_objects(profiling)
  target_sources(${target} PRIVATE ${objects} ${profiling})
  # Not target_link_libraries(): its signature would have to be the one that the project uses for this target.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${CMAKE_DL_LIBS})
  # Bound at once: else each test process would look up the same functions again.
  target_link_options(${target} PRIVATE -pthread -Wl,-z,now -Wl,--export-dynamic-symbol=morph_runtime_loaded
    -Wl,--export-dynamic-symbol=morph_runtime_unloaded)
  _morph_gather_counters(${target})
  _morph_link_as_cxx(${target})
endfunction()

# A program of which it is known what runs, instrumented as the project is: whether llvm-cov can be relied on.
function(_morph_add_probe target)
  get_property(id GLOBAL PROPERTY _MORPH_COMPILER_ID)
  if(NOT id STREQUAL "Clang")
    return()
  endif()
  if(NOT TARGET _morph_probe)
    get_property(runtime GLOBAL PROPERTY _MORPH_RUNTIME_DIR)
    get_property(options GLOBAL PROPERTY _MORPH_COVERAGE_OPTIONS)
    _morph_own_directory(own_directory config)
    configure_file("${runtime}/morph_probe.cpp" "${own_directory}/probe/morph_probe.cpp" COPYONLY)
    add_executable(_morph_probe EXCLUDE_FROM_ALL "${own_directory}/probe/morph_probe.cpp")
    set_target_properties(_morph_probe PROPERTIES OUTPUT_NAME morph_probe RUNTIME_OUTPUT_DIRECTORY "${own_directory}/probe"
      CXX_CLANG_TIDY "" CXX_CPPCHECK "" CXX_CPPLINT "" CXX_INCLUDE_WHAT_YOU_USE "" UNITY_BUILD OFF AUTOMOC OFF AUTOUIC OFF AUTORCC OFF)
    target_compile_options(_morph_probe PRIVATE ${options} -w)
    target_link_options(_morph_probe PRIVATE --coverage)
    _morph_end_without_optimization(_morph_probe)
  endif()
  add_dependencies(${target} _morph_probe)
endfunction()

function(_morph_add_sharing target type production)
  if(type STREQUAL "EXECUTABLE")  # it may load what it does not link
    _morph_add_capture(${target})
    return()
  endif()
  _morph_counters(counters)
  if(counters STREQUAL "files")  # it writes its own when it is unloaded
    return()
  endif()
  _morph_closure(linked frameworks direct ${target})
  list(APPEND linked ${target})
  get_target_property(sources ${target} SOURCES)
  foreach(library IN LISTS production)
    string(FIND "${sources}" "$<TARGET_OBJECTS:${library}>" position)
    if(library IN_LIST linked OR position GREATER -1)
      _morph_runtime_objects(objects morph_module.cpp)
      _morph_profiling_objects(profiling)
      target_sources(${target} PRIVATE ${objects} ${profiling})
      _morph_gather_counters(${target})
      return()
    endif()
  endforeach()
endfunction()

# Pages that hold counters alone need no copy before each fork. Without them, as with another linker than GNU's, it is
# only slower.
function(_morph_gather_counters target)
  get_property(directory GLOBAL PROPERTY _MORPH_RUNTIME_DIR)
  set(option "-Wl,-T,${directory}/morph_counters.ld")
  include(CheckLinkerFlag)
  set(CMAKE_REQUIRED_QUIET ON)
  check_linker_flag(CXX "${option}" _MORPH_GATHERS_COUNTERS)
  get_target_property(options ${target} LINK_OPTIONS)
  get_target_property(flags ${target} LINK_FLAGS)
  if(_MORPH_GATHERS_COUNTERS AND NOT "${options} ${flags}" MATCHES "-fuse-ld=|-T|-flto|--script")
    target_link_options(${target} PRIVATE "${option}")
  endif()
endfunction()

function(_morph_link_as_cxx target)
  get_target_property(language ${target} LINKER_LANGUAGE)
  if(NOT language)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endfunction()

# What takes the place of the compiler's own profiling library, in each executable and shared object.
function(_morph_profiling_objects out)
  set(objects "")
  get_property(id GLOBAL PROPERTY _MORPH_COMPILER_ID)
  if(id STREQUAL "Clang")
    _morph_runtime_objects(objects morph_llvm.cpp)
  endif()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()

# The objects of sources of the runtime, for any executable or library. The first one names them.
function(_morph_runtime_objects out name)
  cmake_path(GET name STEM library)
  string(PREPEND library _)
  if(NOT TARGET ${library})
    get_property(directory GLOBAL PROPERTY _MORPH_RUNTIME_DIR)
    get_property(include_directories GLOBAL PROPERTY _MORPH_RUNTIME_INCLUDES)
    set(sources ${name} ${ARGN})
    list(TRANSFORM sources PREPEND "${directory}/")
    add_library(${library} OBJECT ${sources})
    set_target_properties(${library} PROPERTIES
      CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON POSITION_INDEPENDENT_CODE ON INTERPROCEDURAL_OPTIMIZATION OFF
      INCLUDE_DIRECTORIES "${include_directories}" CXX_CLANG_TIDY "" CXX_CPPCHECK "" CXX_CPPLINT "" CXX_INCLUDE_WHAT_YOU_USE ""
      UNITY_BUILD OFF AUTOMOC OFF AUTOUIC OFF AUTORCC OFF EXCLUDE_FROM_ALL ON)
    target_compile_options(${library} PRIVATE -O2 -fno-lto -fno-profile-arcs -fno-test-coverage
      "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fprofile-exclude-files=.>" -fno-sanitize=all -w)
  endif()
  set(${out} "$<TARGET_OBJECTS:${library}>" PARENT_SCOPE)
endfunction()
