# How Morph's own targets are compiled, whatever standard, sanitizers or warnings an embedding project has set.
function(morph_own_target target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    CXX_CLANG_TIDY "" CXX_CPPCHECK "" CXX_INCLUDE_WHAT_YOU_USE "" UNITY_BUILD OFF)
  if(NOT PROJECT_IS_TOP_LEVEL)
    set_target_properties(${target} PROPERTIES COMPILE_WARNING_AS_ERROR OFF)
  endif()
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${Morph_SOURCE_DIR}>)
  if(PROJECT_IS_TOP_LEVEL)
    # GCC 12 warns of overlaps in std::string's own operator+ (GCC bug 105329).
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
      $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  endif()
endfunction()

# Where the own code of a source is little beside the headers that it reads: eight at a time take a third of the time.
# Names of one source shadow those of another then. What a source shadows by itself, or does not include, a build without shows.
function(morph_unity target)
  if(MORPH_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# Sources that match. A new one is noticed by the next build, but in a project that has Morph in it: each of its builds would
# look for files that never change there.
function(morph_sources out)
  if(PROJECT_IS_TOP_LEVEL)
    file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  else()
    file(GLOB sources ${ARGN})
  endif()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# A room: a static library of all sources in the folder, and of SOURCES. It is linked with the rooms that it may use by
# tests/floors.txt, and with PACKAGES. FAST: it has loops that take time; of the others -O3 would only take longer to compile. APART: sources
# are not compiled together, since macros of one would change headers of another.
function(morph_room)
  cmake_parse_arguments(PARSE_ARGV 0 room "FAST;APART" "" "SOURCES;PACKAGES")
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${Morph_SOURCE_DIR}" OUTPUT_VARIABLE folder)
  _morph_library_of(library "${folder}")
  morph_sources(sources "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_library(${library} STATIC ${sources} ${room_SOURCES})
  morph_own_target(${library})
  if(NOT room_APART)
    morph_unity(${library})
  endif()
  if(NOT room_FAST)
    target_compile_options(${library} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  _morph_libraries_below(below "${folder}")
  target_link_libraries(${library} PUBLIC ${below} ${room_PACKAGES})
endfunction()

# The libraries of the rooms that the one in `folder` may use.
function(_morph_libraries_below out folder)
  set(table "${Morph_SOURCE_DIR}/tests/floors.txt")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
  file(STRINGS "${table}" line REGEX "^${folder}:")
  string(REGEX REPLACE "^[^:]*:" "" rooms "${line}")
  separate_arguments(rooms)
  set(libraries "")
  foreach(room IN LISTS rooms)
    _morph_library_of(library "${room}")
    list(APPEND libraries ${library})
  endforeach()
  list(REMOVE_DUPLICATES libraries)
  set(${out} ${libraries} PARENT_SCOPE)
endfunction()

# None for rooms that are headers alone, or are compiled into other programs.
function(_morph_library_of out folder)
  if(folder MATCHES "^plugin/(contract|include|runtime|runtime/generate)$" OR folder STREQUAL "optimizer/pagmo")
    set(library "")
  elseif(folder MATCHES "^optimizer")
    set(library morph_optimizer)
  elseif(folder MATCHES "^(plugin/spec|coverage/source)/")
    string(REGEX REPLACE "^[^/]*/([^/]*)/.*$" "morph_\\1" library "${folder}")
  else()
    string(REGEX REPLACE "^[^/]*/(.*)$" "morph_\\1" library "${folder}")
    string(REPLACE "/" "_" library "${library}")
  endif()
  set(${out} "${library}" PARENT_SCOPE)
endfunction()

# A source that defines `pages()` of plugin/FOLDER/pages.hpp in `namespace`, with all files of templates/FOLDER.
function(morph_embedded_folder out namespace folder)
  set(root "${Morph_SOURCE_DIR}/templates/${folder}")
  if(PROJECT_IS_TOP_LEVEL)
    file(GLOB_RECURSE names CONFIGURE_DEPENDS LIST_DIRECTORIES OFF RELATIVE "${root}" "${root}/*")
  else()
    file(GLOB_RECURSE names LIST_DIRECTORIES OFF RELATIVE "${root}" "${root}/*")
  endif()
  set(rows "")
  foreach(name IN LISTS names)
    file(READ "${root}/${name}" text)
    string(APPEND rows "    page{\"${name}\", R\"page(${text})page\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${root}/${name}")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${folder}_texts.cpp")
  configure_file("${Morph_SOURCE_DIR}/plugin/writing/folder_texts.cpp.in" "${source}" @ONLY)
  set(${out} "${source}" PARENT_SCOPE)
endfunction()
