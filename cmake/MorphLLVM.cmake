# morph_find_llvm(): the package LLVM, of the version that is asked for or the newest that is there.
set(MORPH_CLANG_VERSION "" CACHE STRING "LLVM and Clang to build with, as 19.1; empty: the newest of 19.1 to 22.1 that is there")

# morph_find_llvm(<oldest>): sets what LLVM's package sets.
macro(morph_find_llvm oldest)
  # Where libedit's headers are, LLVM's package tries them with a C compiler, and a project may have C++ alone. Nothing here needs it.
  set(CMAKE_DISABLE_FIND_PACKAGE_LibEdit ON)
  set(morph_llvm_versions ${MORPH_CLANG_VERSION})
  if(NOT MORPH_CLANG_VERSION OR MORPH_CLANG_VERSION VERSION_LESS ${oldest})
    set(morph_llvm_versions 22.1 21.1 20.1 19.1)
  endif()
  foreach(morph_llvm_version IN LISTS morph_llvm_versions)
    find_package(LLVM ${morph_llvm_version} QUIET CONFIG)
    if(LLVM_FOUND)
      break()
    endif()
  endforeach()
  if(NOT LLVM_FOUND)
    list(JOIN morph_llvm_versions ", " morph_llvm_versions)
    message(FATAL_ERROR "LLVM is not found: looked for version ${morph_llvm_versions}. Install its development files (Debian: "
      "llvm-19-dev, libclang-19-dev and libclang-cpp19-dev), or name another version by -DMORPH_CLANG_VERSION=.")
  endif()
endmacro()
