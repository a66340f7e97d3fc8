# Tests that are switched off by the usual variable are no error.
add_executable(unit "${CMAKE_BINARY_DIR}/empty.cpp")
morph_add_suite(a TARGET unit FRAMEWORK none)
