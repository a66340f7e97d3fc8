# How Morph's own targets are compiled, whatever standard, sanitizers or warnings an embedding project has set.
function(morph_own_target target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    CXX_CLANG_TIDY "" CXX_CPPCHECK "" CXX_INCLUDE_WHAT_YOU_USE "" UNITY_BUILD OFF)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${Morph_SOURCE_DIR}>)
  if(PROJECT_IS_TOP_LEVEL)
    # GCC 12 warns of overlaps in std::string's own operator+ (GCC bug 105329).
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
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
