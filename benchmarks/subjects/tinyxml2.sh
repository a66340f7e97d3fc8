# tinyxml2 9.0.0: one plain program, which runs in the source folder and writes there.
subject_package=tinyxml2
subject_suite=tinyxml2
subject_kind='a plain program'
subject_tests=1

# Its add_test() and the verdict by regular expression become the suite's.
subject_add_morph() {
  sed -i -e '/^    add_test(/,/^    )/d' -e '/^    set_tests_properties(xmltest /d' "$1/CMakeLists.txt"
  sed -i '/^    target_link_libraries(xmltest /a\
    find_package(Morph REQUIRED)\
    morph_add_suite(tinyxml2 TARGET xmltest FRAMEWORK none PRODUCTION tinyxml2\
      WORKING_DIRECTORY ${tinyxml2_SOURCE_DIR} PROPERTIES PASS_REGULAR_EXPRESSION ", Fail 0")' "$1/CMakeLists.txt"
  printf 'build*/\n.morph/\nresources/out/\n' >>"$1/.gitignore"
}

# XMLUtil::ToStr(bool), the other way round.
subject_change() { sed -i 's/v ? writeBoolTrue : writeBoolFalse/!v ? writeBoolFalse : writeBoolTrue/' "$1/tinyxml2.cpp"; }

# There is no other test, and this one writes booleans: xmltest.cpp, "Bool true is 'true'".
subject_affected=(xmltest)

subject_fault() { sed -i 's/!v ? writeBoolFalse/v ? writeBoolFalse/' "$1/tinyxml2.cpp"; }
