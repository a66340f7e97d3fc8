# RE2 up to 2023-03 (later ones need Abseil): twenty programs with a main() of their own, five of which take nearly all the time.
subject_configure=(-DRE2_BUILD_TESTING=ON -DCMAKE_BUILD_TYPE=Release)
subject_suite=re2
subject_add_morph() {
  cat >>"$1/CMakeLists.txt" <<'CMAKE'
find_package(Morph REQUIRED)
morph_adopt_tests(NAME re2)
CMAKE
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}
