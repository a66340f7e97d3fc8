# jsoncpp 1.9.5: one plain program with a framework of its own, which runs its 100 and more tests in a row.
subject_package=libjsoncpp
subject_configure=(-DBUILD_SHARED_LIBS=OFF -DBUILD_OBJECT_LIBS=OFF -DJSONCPP_WITH_POST_BUILD_UNITTEST=OFF)
subject_target=jsoncpp_test
subject_suite=jsoncpp
subject_kind='a plain program'
subject_tests=1

# Its own add_test() runs the same program; the suite takes its place.
subject_add_morph() {
  sed -i '/^add_test(NAME jsoncpp_test/,/^)/d' "$1/src/test_lib_json/CMakeLists.txt"
  cat >>"$1/src/test_lib_json/CMakeLists.txt" <<'CMAKE'
find_package(Morph REQUIRED)
morph_add_suite(jsoncpp TARGET jsoncpp_test FRAMEWORK none PRODUCTION jsoncpp_static)
CMAKE
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# valueToString(bool), the other way round.
subject_change() { sed -i 's/return value ? "true" : "false";/return !value ? "false" : "true";/' "$1/src/lib_json/json_writer.cpp"; }

# There is no other test, and this one writes booleans: main.cpp, "valueToString(true)" by way of its writers.
subject_affected=(jsoncpp_test)

subject_fault() { sed -i 's/return !value ? "false"/return value ? "false"/' "$1/src/lib_json/json_writer.cpp"; }
