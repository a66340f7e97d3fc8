# The table of test frameworks, their own CMake modules, and the header that a program of theirs uses.

# A row of the table of test frameworks; everything else asks _morph_of_framework(). The program `morph` has the other
# table, in plugin/frameworks/framework.cpp. The adapters are plugin/runtime/morph_<name>.cpp, morph_<name>_mutants.cpp and
# morph_<name>_end.h.
#
# TITLE         with the name before it, for who did not say FRAMEWORK; a framework without one is not offered
# LINKED        what its targets and libraries are called, an expression for lower case
# MODULE        its own CMake module
# COMMAND       by which that module discovers tests
# DIRECTORIES   where the module may be: names of variables, with what follows their values
# OF_CMAKE      the module is one of CMake's: it is always there, for targets of any directory, and has DISCOVERY_TIMEOUT
# HEADER        what names a header from which all of the framework can be had: a single one. Its adapters include what the
#               sources of the program include, as MORPH_<NAME>_HEADER
# PARTS         what names a header of a framework in parts, which its adapters find themselves
# MARK          a line of that single header, which a project's own of that name lacks
# DEFINES       macros in sources that change what the adapters see
# OLD           a line of a version that is too old, with its name as the first group
# OLD_ADVICE    what is said of it then, with % for that name
# OPTIMIZED     targets of its own, in projects that build it: their loops over all tests run in each test's process
# NO_COUNTERS   the framework's own files where they are a project's, an expression of the compiler's
function(_morph_framework name)
  set(fields TITLE LINKED MODULE COMMAND HEADER PARTS MARK OLD OLD_ADVICE NO_COUNTERS)
  set(lists DIRECTORIES DEFINES OPTIMIZED)
  cmake_parse_arguments(PARSE_ARGV 1 row OF_CMAKE "${fields}" "${lists}")
  foreach(field IN LISTS fields lists ITEMS OF_CMAKE)
    set_property(GLOBAL PROPERTY _MORPH_FRAMEWORK_${name}_${field} "${row_${field}}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY _MORPH_FRAMEWORKS ${name})
endfunction()

function(_morph_of_framework out name field)
  get_property(value GLOBAL PROPERTY _MORPH_FRAMEWORK_${name}_${field})
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

set_property(GLOBAL PROPERTY _MORPH_FRAMEWORKS "")
_morph_framework(gtest
  TITLE "GoogleTest or GoogleMock"
  LINKED "^((gtest|googletest|gmock)::(gtest|gmock|main|gtest_main|gmock_main)|(-l|.*/lib)?(gtest|gmock)(_main)?d?(\\.a|\\.so.*)?)$"
  MODULE GoogleTest COMMAND gtest_discover_tests OF_CMAKE
  OPTIMIZED gtest gmock)
_morph_framework(catch2
  TITLE "Catch2 2 and 3"
  LINKED "^(catch2::.*|(-l|.*/lib)?catch2(withmain|main)?d?(\\.a|\\.so.*)?)$"
  MODULE Catch COMMAND catch_discover_tests
  DIRECTORIES Catch2_DIR Catch2_SOURCE_DIR/extras Catch2_SOURCE_DIR/contrib catch2_SOURCE_DIR/extras catch2_SOURCE_DIR/contrib
  HEADER "^(.*/)?catch(_amalgamated)?\\.hpp$"
  PARTS "^catch2/([a-z]+/)?catch_[a-z_]+\\.hpp$"
  MARK "define[ \t]+CATCH_VERSION"
  DEFINES CATCH_CONFIG_ENABLE_BENCHMARKING  # in version 2 it changes what a listener is
  OLD "Catch v(1[.][0-9.]+)"
  OLD_ADVICE "which is Catch %; Morph runs cases of Catch2 from 2.2 on. Take a newer header"
  NO_COUNTERS "(^|/)catch_amalgamated[.][ch]pp$|/catch2/([a-z]+/)*catch_[a-z_]+[.][ch]pp$")
_morph_framework(doctest
  TITLE doctest
  LINKED "^(doctest::.*|doctest|doctest_with_main)$"
  MODULE doctest COMMAND doctest_discover_tests
  DIRECTORIES doctest_DIR doctest_SOURCE_DIR/scripts/cmake
  HEADER "^(.*/)?doctest\\.h(pp)?$"
  MARK "define[ \t]+DOCTEST_VERSION")
# No HEADER: its adapters include parts, found as the program's sources find theirs.
_morph_framework(boost
  TITLE Boost.Test
  LINKED "^(boost::unit_test_framework|(-l|.*/lib)?boost_unit_test_framework(-[a-z0-9_.-]+)?(\\.a|\\.so.*)?)$"
  NO_COUNTERS "/boost/test/([a-z_]+/)*[a-z_0-9]+[.][hi]pp$")
# Morph's own specs, where they are a program's whole purpose; a program of another framework may hold specs, too.
_morph_framework(spec LINKED "^morph(::|_)spec_main$")

# `gtest (GoogleTest or GoogleMock), catch2 (Catch2 2 and 3), doctest`
function(_morph_titles_of_frameworks out)
  set(titles "")
  get_property(frameworks GLOBAL PROPERTY _MORPH_FRAMEWORKS)
  foreach(framework IN LISTS frameworks)
    _morph_of_framework(title ${framework} TITLE)
    if(title STREQUAL framework)
      list(APPEND titles "${framework}")
    elseif(title)
      list(APPEND titles "${framework} (${title})")
    endif()
  endforeach()
  list(JOIN titles ", " titles)
  set(${out} "${titles}" PARENT_SCOPE)
endfunction()

# Includes the framework's CMake module where it can be found and sets `out` to its discovery command, else to nothing.
# A macro: doctest's command reads a variable that its module sets.
macro(_morph_include_discovery out framework)
  set(${out} "")
  foreach(field IN ITEMS MODULE COMMAND DIRECTORIES OF_CMAKE)
    _morph_of_framework(discovery_${field} "${framework}" ${field})
  endforeach()
  if(discovery_OF_CMAKE)
    include(${discovery_MODULE})
  elseif(discovery_MODULE)
    set(directories "")
    foreach(directory IN LISTS discovery_DIRECTORIES)
      string(REGEX MATCH "^([^/]+)(.*)$" matched "${directory}")
      list(APPEND directories "${${CMAKE_MATCH_1}}${CMAKE_MATCH_2}")
    endforeach()
    foreach(directory IN LISTS directories CMAKE_MODULE_PATH)
      if(EXISTS "${directory}/${discovery_MODULE}.cmake")
        include("${directory}/${discovery_MODULE}.cmake")
        break()
      endif()
    endforeach()
  endif()
  if(discovery_COMMAND AND COMMAND ${discovery_COMMAND})
    set(${out} ${discovery_COMMAND})
  endif()
endmacro()

# ---- the twin tree

# The directories that a target's quoted and angled includes are looked for in, as far as they can be told now.
function(_morph_include_directories out target)
  _morph_closure(closure frameworks direct ${target})
  set(directories "")
  foreach(from IN LISTS target closure)
    foreach(property IN ITEMS INCLUDE_DIRECTORIES INTERFACE_INCLUDE_DIRECTORIES)
      get_target_property(value ${from} ${property})
      if(value)
        string(REGEX REPLACE "\\$<[A-Z_]+:" "" value "${value}")
        string(REPLACE ">" "" value "${value}")
        list(APPEND directories ${value})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES directories)
  set(${out} "${directories}" PARENT_SCOPE)
endfunction()

# How the sources of a target include the framework: `"/path/of/catch.hpp"` or `<doctest/doctest.h>`, as C++ writes it;
# nothing if it is not a single header or cannot be told. Looks through the project's own headers. Also which of the
# framework's DEFINES they have.
function(_morph_framework_header header_out defines_out target framework)
  set(${header_out} "" PARENT_SCOPE)
  set(defined "")
  set(${defines_out} "" PARENT_SCOPE)
  foreach(field IN ITEMS HEADER PARTS MARK DEFINES OLD OLD_ADVICE)
    _morph_of_framework(row_${field} ${framework} ${field})
  endforeach()
  set(wanted "include[ \t]*[<\"]")
  foreach(macro IN LISTS row_DEFINES)
    string(APPEND wanted "|define[ \t]+${macro}")
  endforeach()
  _morph_include_directories(directories ${target})
  _morph_sources(files ${target})
  set(seen "")
  set(header "")
  while(files)
    list(POP_FRONT files file)
    if(file IN_LIST seen OR NOT EXISTS "${file}" OR IS_DIRECTORY "${file}")
      continue()
    endif()
    list(APPEND seen "${file}")
    file(STRINGS "${file}" lines REGEX "^[ \t]*#[ \t]*(${wanted})")
    cmake_path(GET file PARENT_PATH here)
    foreach(line IN LISTS lines)
      if(line MATCHES "^[ \t]*#[ \t]*define[ \t]+([A-Za-z0-9_]+)")
        foreach(macro IN LISTS row_DEFINES)
          if(CMAKE_MATCH_1 MATCHES "^${macro}")
            list(APPEND defined ${macro})
          endif()
        endforeach()
        list(REMOVE_DUPLICATES defined)
        set(${defines_out} "${defined}" PARENT_SCOPE)
        continue()
      endif()
      if(header OR NOT line MATCHES "([<\"])([^<>\"]+)[>\"]")
        continue()
      endif()
      set(mark "${CMAKE_MATCH_1}")
      set(name "${CMAKE_MATCH_2}")
      set(found "")
      set(candidates ${directories})
      if(mark STREQUAL "\"")
        list(PREPEND candidates "${here}")
      endif()
      foreach(directory IN LISTS candidates)
        if(EXISTS "${directory}/${name}")
          cmake_path(ABSOLUTE_PATH name BASE_DIRECTORY "${directory}" NORMALIZE OUTPUT_VARIABLE found)
          break()
        endif()
      endforeach()
      if(row_PARTS AND name MATCHES "${row_PARTS}" AND NOT name MATCHES "${row_HEADER}")
        return()
      endif()
      set(is_framework FALSE)
      if(name MATCHES "${row_HEADER}")
        set(is_framework TRUE)
        if(found)
          file(STRINGS "${found}" version REGEX "${row_MARK}" LIMIT_COUNT 1)
          if(version STREQUAL "")
            set(is_framework FALSE)
            _morph_refuse_old_framework("${target}" "${found}" "${row_OLD}" "${row_OLD_ADVICE}")
          endif()
        endif()
      endif()
      if(is_framework)
        set(header "<${name}>")
        if(found)
          set(header "\"${found}\"")
        endif()
        set(${header_out} "${header}" PARENT_SCOPE)
      elseif(found)
        _morph_is_own_path(own "${found}")
        if(own)
          list(APPEND files "${found}")
        endif()
      endif()
    endforeach()
  endwhile()
endfunction()

function(_morph_refuse_old_framework target header expression advice)
  if(NOT expression)
    return()
  endif()
  file(STRINGS "${header}" first REGEX "${expression}" LIMIT_COUNT 1)
  if(first MATCHES "${expression}")
    string(REPLACE "%" "${CMAKE_MATCH_1}" advice "${advice}")
    message(FATAL_ERROR "morph: target '${target}' includes '${header}', ${advice}, or declare \
the suite with FRAMEWORK none: each of its programs is one test then")
  endif()
endfunction()

# The file name of the adapter's source for a target: one of its own that says which header the target uses. Of a kind:
# nothing for coverage, `_mutants`; `_end` is a header, for it has a source of its own where coverage needs no more.
function(_morph_adapter out target framework kind)
  get_property(directory GLOBAL PROPERTY _MORPH_RUNTIME_DIR)
  if(framework STREQUAL "none")
    set(${out} "${directory}/morph_process${kind}.cpp" PARENT_SCOPE)
    return()
  endif()
  set(adapter "${directory}/morph_${framework}${kind}.cpp")
  _morph_of_framework(header_expression ${framework} HEADER)
  if(header_expression OR kind STREQUAL "_end")
    set(included "${adapter}")
    if(kind STREQUAL "_end")
      set(included "${directory}/morph_${framework}_end.h")
    endif()
    set(code "// What the sources of '${target}' include. Written by Morph.\n")
    if(header_expression)
      _morph_framework_header(header defines ${target} ${framework})
      if(header)
        string(TOUPPER "${framework}" upper)
        string(APPEND code "#define MORPH_${upper}_HEADER ${header}\n")
      endif()
      foreach(macro IN LISTS defines)
        string(APPEND code "#define ${macro}\n")
      endforeach()
    endif()
    string(APPEND code "#include \"${included}\"\n")
    set(adapter "${CMAKE_BINARY_DIR}/.morph/runtime/${target}/morph_${framework}${kind}.cpp")
    _morph_write("${adapter}" "${code}")
  endif()
  set(${out} "${adapter}" PARENT_SCOPE)
endfunction()
