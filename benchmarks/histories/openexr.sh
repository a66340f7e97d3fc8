# OpenEXR 3.1 (later ones download libdeflate), with Debian's Imath: some 140 entries of ctest, one for each test of three
# programs that have a main() of their own, and of tools that Python scripts call.
subject_configure=(-DCMAKE_BUILD_TYPE=Release -DOPENEXR_INSTALL_EXAMPLES=OFF)
subject_suite=openexr
subject_add_morph() {
  cat >>"$1/CMakeLists.txt" <<'CMAKE'
find_package(Morph REQUIRED)
morph_adopt_tests(NAME openexr)
CMAKE
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}
