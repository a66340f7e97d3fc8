# How a twin compiles: by which compilers' counters, for which files, and without what would disturb them.

# How the counters of instrumented programs are read: `memory`, by Morph itself, with compilers whose layouts were compared
# with their own gcov; `files`, by the compiler's own gcov (`--json-format` is there since GCC 9, a chosen format of Clang's notes since 11); `none`.
function(_morph_counters out)
  get_property(suites GLOBAL PROPERTY _MORPH_SUITES)
  list(GET suites 0 suite)
  _morph_get(directory "${suite}" SOURCE_DIR)
  get_directory_property(id DIRECTORY "${directory}" DEFINITION CMAKE_CXX_COMPILER_ID)
  get_directory_property(version DIRECTORY "${directory}" DEFINITION CMAKE_CXX_COMPILER_VERSION)
  set(counters none)
  string(REGEX MATCH "^[0-9]+" major "${version}")
  _morph_known_compilers(known)
  if(id MATCHES "^(GNU|Clang)$")
    string(REPLACE "GNU" "GCC" name "${id}")
    string(TOUPPER "${name}" name)
    if(major GREATER_EQUAL known_OLDEST_${name} AND major LESS_EQUAL known_NEWEST_${name})
      set(counters memory)
    elseif(major GREATER_EQUAL known_OLDEST_${name}_WITH_FILES)
      set(counters files)
    endif()
  endif()
  if(counters STREQUAL "memory" AND MORPH_COUNTERS STREQUAL "files")
    set(counters files)
  endif()
  if(NOT MORPH_EVIDENCE STREQUAL "twin" AND NOT MORPH_INSTRUMENT)
    set(counters ${MORPH_EVIDENCE})
  endif()
  set(${out} ${counters} PARENT_SCOPE)
endfunction()

# ${prefix}_OLDEST_GCC and the like, as the runtime has them.
function(_morph_known_compilers prefix)
  get_property(folders GLOBAL PROPERTY _MORPH_RUNTIME_INCLUDES)
  foreach(folder IN LISTS folders)
    if(EXISTS "${folder}/compilers.h")
      file(STRINGS "${folder}/compilers.h" lines REGEX "^#define MORPH_[A-Z_]+ [0-9]+$")
      foreach(line IN LISTS lines)
        string(REGEX MATCH "^#define MORPH_([A-Z_]+) ([0-9]+)$" matched "${line}")
        set(${prefix}_${CMAKE_MATCH_1} ${CMAKE_MATCH_2} PARENT_SCOPE)
      endforeach()
    endif()
  endforeach()
endfunction()

# The compile options of measured code. Functions of system headers and of fetched projects get no counters: the
# compiler matches the pattern, a POSIX extended regular expression, with the name of the file that defines the
# function.
function(_morph_coverage_options out)
  get_property(suites GLOBAL PROPERTY _MORPH_SUITES)
  list(GET suites 0 suite)
  _morph_get(directory "${suite}" SOURCE_DIR)
  get_directory_property(implicit DIRECTORY "${directory}" DEFINITION CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
  set(excluded "")
  file(REAL_PATH "${CMAKE_SOURCE_DIR}" real_source)  # Clang resolves symbolic links
  file(REAL_PATH "${CMAKE_BINARY_DIR}" real_binary)
  if(NOT "${CMAKE_SOURCE_DIR};${CMAKE_BINARY_DIR};${real_source};${real_binary}" MATCHES "(^|;)/usr/")
    list(APPEND excluded /usr)
  endif()
  _morph_foreign_directories(foreign)
  list(REMOVE_ITEM foreign "${CMAKE_BINARY_DIR}" "${MORPH_TWIN_OF}")
  foreach(path IN LISTS implicit foreign)
    cmake_path(NORMAL_PATH path)
    if(NOT (path MATCHES "^/usr/" AND "/usr" IN_LIST excluded))
      list(APPEND excluded "${path}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES excluded)
  set(pattern "")
  set(separator "")
  foreach(path IN LISTS excluded)
    string(REGEX REPLACE "/$" "" path "${path}")
    # `.` for all that a regular expression, a generator expression or a shell could take for its own.
    string(REGEX REPLACE "[^A-Za-z0-9_/-]" "." path "${path}")
    string(APPEND pattern "${separator}^${path}/")
    set(separator "|")
  endforeach()
  if(NOT CMAKE_SOURCE_DIR MATCHES "/_deps/")
    string(APPEND pattern "${separator}/_deps/")
    set(separator "|")
  endif()
  # Test frameworks that the project keeps among its own files. A single header has any name; the compiler may know it by
  # a path with `..`, so that its folder and its name are compared.
  get_property(frameworks GLOBAL PROPERTY _MORPH_FRAMEWORKS)
  foreach(framework IN LISTS frameworks)
    _morph_of_framework(own ${framework} NO_COUNTERS)
    if(own)
      string(APPEND pattern "${separator}${own}")
      set(separator "|")
    endif()
  endforeach()
  foreach(header IN LISTS ARGN)
    string(REGEX MATCH "[^/]+/[^/]+$" header "${header}")
    string(REGEX REPLACE "[^A-Za-z0-9_/-]" "." header "${header}")
    string(APPEND pattern "|/${header}$")
  endforeach()
  set(options "")
  # -fpch-deps: without it the record of dependencies leaves out the headers inside a precompiled header. Not --coverage,
  # which no later option takes back: GCC's driver puts it behind all others.
  set(own -fpch-deps -fdata-sections -fprofile-arcs -ftest-coverage "-fprofile-exclude-files=${pattern}" -fprofile-update=${MORPH_PROFILE_UPDATE})
  get_property(id GLOBAL PROPERTY _MORPH_COMPILER_ID)
  if(id STREQUAL "Clang")
    _morph_clang_options(own "${directory}" "${pattern}")
  endif()
  _morph_measured_languages(languages "${directory}")
  foreach(option IN LISTS own)
    list(APPEND options "$<$<COMPILE_LANGUAGE:${languages}>:${option}>")
  endforeach()
  if(MORPH_CONDITIONS AND id STREQUAL "GNU")
    # GCC 14 and later. It warns of more than 64 terms in one condition, which are left out.
    foreach(language IN ITEMS C CXX)
      get_directory_property(compiler DIRECTORY "${directory}" DEFINITION CMAKE_${language}_COMPILER_ID)
      get_directory_property(version DIRECTORY "${directory}" DEFINITION CMAKE_${language}_COMPILER_VERSION)
      if(compiler STREQUAL "GNU" AND version VERSION_GREATER_EQUAL 14)
        list(APPEND options "$<$<COMPILE_LANGUAGE:${language}>:-fcondition-coverage>"
          "$<$<COMPILE_LANGUAGE:${language}>:-Wno-coverage-too-many-conditions>")
      endif()
    endforeach()
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# The C of another compiler than that of C++ has no counters: their libraries cannot be linked into one program.
function(_morph_measured_languages out directory)
  set(${out} "CXX" PARENT_SCOPE)
  foreach(language IN ITEMS C CXX)
    get_directory_property(${language}_id DIRECTORY "${directory}" DEFINITION CMAKE_${language}_COMPILER_ID)
    get_directory_property(${language}_version DIRECTORY "${directory}" DEFINITION CMAKE_${language}_COMPILER_VERSION)
  endforeach()
  if(C_id STREQUAL CXX_id AND (C_id STREQUAL "GNU" OR C_version VERSION_EQUAL CXX_version))
    set(${out} "C,CXX" PARENT_SCOPE)
  endif()
endfunction()

# The same for Clang: -fprofile-arcs and -ftest-coverage can be taken back, --coverage cannot. Its driver knows files to
# exclude with --coverage only.
#
# The version of the notes says which Clang wrote them (coverage/gcov/records.hpp). With `/` as the folder of the
# compilation their paths are absolute; else a path relative to a folder above the source is mistaken for one in the
# build tree if a file of that name is there. Before Clang 19, lines need the object's line table to be told from those of
# other files; of versions that were not compared nobody knows.
function(_morph_clang_options out directory pattern)
  get_property(runtime GLOBAL PROPERTY _MORPH_RUNTIME_DIR)
  get_directory_property(version DIRECTORY "${directory}" DEFINITION CMAKE_CXX_COMPILER_VERSION)
  set(options -fdata-sections -fprofile-arcs -ftest-coverage "SHELL:-Xclang -fprofile-exclude-files=${pattern}"
    -fprofile-update=${MORPH_PROFILE_UPDATE} -fdebug-compilation-dir=/ "SHELL:-include \"${runtime}/morph_clang_arcs.h\"")
  _morph_counters(counters)
  if(version VERSION_LESS 19 OR counters STREQUAL "files")
    list(APPEND options "SHELL:-Xclang -coverage-version=A93M" -gline-tables-only -gdwarf-4 -gz=none)
  else()
    list(APPEND options "SHELL:-Xclang -coverage-version=A93L")
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# -O0, behind all other options of a target: GCC inlines and folds small functions before it inserts counters, and their
# lines would never be seen to run. A target's own options stand before those of the libraries that it links; SHELL: keeps
# CMake from taking a second -O0 for a duplicate. LINK_LIBRARIES is set directly, so that no export set misses the library.
function(_morph_end_without_optimization target)
  if(NOT TARGET _morph_without_optimization)
    add_library(_morph_without_optimization INTERFACE)
    target_compile_options(_morph_without_optimization INTERFACE
      "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-O0 -U_FORTIFY_SOURCE>")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES _morph_without_optimization)
endfunction()

# No link-time optimization in the whole twin: what instrumented objects are linked with is optimized together with them.
# Only compiling is told: a library from outside may consist of such code alone, which nobody but the linker can read.
#
# Nor profiles of the project's own: those that it optimizes by belong to other objects, and Clang's counters of another
# kind would be written for nobody. GCC's are the ones that are measured, wherever -fprofile-dir has them written.
function(_morph_end_without_lto target)
  if(NOT TARGET _morph_without_lto)
    add_library(_morph_without_lto INTERFACE)
    target_compile_options(_morph_without_lto INTERFACE
      "$<$<OR:$<COMPILE_LANG_AND_ID:C,GNU,Clang>,$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>>:SHELL:-fno-lto -fno-profile-use>"
      "$<$<OR:$<COMPILE_LANG_AND_ID:C,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>>:SHELL:-fno-profile-instr-generate -fno-coverage-mapping -fno-profile-generate>")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES _morph_without_lto)
  foreach(configuration IN LISTS CMAKE_BUILD_TYPE CMAKE_CONFIGURATION_TYPES)
    string(TOUPPER "${configuration}" configuration)
    set_property(TARGET ${target} PROPERTY INTERPROCEDURAL_OPTIMIZATION_${configuration} OFF)
  endforeach()
  set_property(TARGET ${target} PROPERTY INTERPROCEDURAL_OPTIMIZATION OFF)
endfunction()

# Where the project has GCC's counters written to a folder of its own, the twin has one, too: the runtime of GCC crashes if
# GCOV_PREFIX leads elsewhere and that folder's name is relative.
function(_morph_keep_profiles_inside target)
  get_target_property(directory ${target} SOURCE_DIR)
  get_target_property(all ${target} COMPILE_OPTIONS)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  foreach(language IN ITEMS C CXX)
    foreach(variable IN ITEMS CMAKE_${language}_FLAGS CMAKE_${language}_FLAGS_${configuration})
      get_directory_property(flags DIRECTORY "${directory}" DEFINITION ${variable})
      string(APPEND all " ${flags}")
    endforeach()
  endforeach()
  if(NOT all MATCHES "-fprofile-(dir|generate)=")
    return()
  endif()
  if(NOT TARGET _morph_profiles_inside)
    _morph_own_directory(own_directory config)
    add_library(_morph_profiles_inside INTERFACE)
    target_compile_options(_morph_profiles_inside INTERFACE
      "$<$<OR:$<COMPILE_LANG_AND_ID:C,GNU>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-fprofile-dir=${own_directory}/profiles>")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES _morph_profiles_inside)
endfunction()

# What is not measured has no counters in the form that the twin asks Clang for: those by options of the project are left
# out. GCC's have one form.
function(_morph_end_without_counters target)
  if(NOT TARGET _morph_without_counters)
    add_library(_morph_without_counters INTERFACE)
    target_compile_options(_morph_without_counters INTERFACE
      "$<$<OR:$<COMPILE_LANG_AND_ID:C,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>>:SHELL:-Xclang -fprofile-exclude-files=.>")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES _morph_without_counters)
endfunction()
