# Suites keep the order of their calls, a program may be in several, and a call made by a wrapper still has a place.
function(wrapper name)
  morph_add_suite(${name} ${ARGN} FRAMEWORK none)
endfunction()
add_executable(one "${CMAKE_BINARY_DIR}/empty.cpp")
add_executable(two "${CMAKE_BINARY_DIR}/empty.cpp")
add_executable(alias ALIAS one)

morph_add_suite(zebra TARGET two alias FRAMEWORK none POLICY all TEST_LIST names EXTRA_ARGS ${none} LABELS)
  morph_add_suite (
    ant TARGET one FRAMEWORK none TEST_PREFIX ant.)
wrapper(bee TARGET two TEST_PREFIX bee.)
get_directory_property(files TEST_INCLUDE_FILES)
list(TRANSFORM files REPLACE ".*/" "")
message(STATUS "included: ${files}")
