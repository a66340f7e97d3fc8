# yaml-cpp 0.7.0: one program of 980 GoogleTest cases (and 8 disabled ones).
subject_package=yaml-cpp
subject_configure=(-DYAML_CPP_BUILD_TESTS=ON)
subject_suite=yaml
subject_kind='GoogleTest'
subject_target=yaml-cpp-tests
subject_tests=980

# Its own add_test() runs all cases as one test; the suite takes its place.
subject_add_morph() {
  sed -i '/^add_test(yaml-cpp::test yaml-cpp-tests)/d' "$1/test/CMakeLists.txt"
  cat >>"$1/test/CMakeLists.txt" <<'CMAKE'
find_package(Morph REQUIRED)
morph_add_suite(yaml TARGET yaml-cpp-tests PRODUCTION yaml-cpp)
CMAKE
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# The exact length of the encoding instead of an upper bound, in YAML::EncodeBase64().
subject_change() { sed -i 's|  ret.resize(4 \* size / 3 + 3);|  ret.resize(4 * ((size + 2) / 3));|' "$1/src/binary.cpp"; }

# Worked out by reading the sources: EncodeBase64() is called by Utils::WriteBinary() (src/emitterutils.cpp), which only
# Emitter::Write(const Binary&) calls, and by convert<Binary>::encode() (include/yaml-cpp/node/convert.h). No test makes a
# Node out of a Binary; three tests of test/integration/emitter_test.cpp stream one: those whose body says `Binary(`.
subject_affected=(EmitterTest.Binary EmitterTest.EmptyBinary EmitterTest.LongBinary)

# A wrong padding character in the same function.
subject_fault() { sed -i "s|const char PAD = '=';|const char PAD = '-';|" "$1/src/binary.cpp"; }
