# OpenEXR 3.1 (later ones download libdeflate), with Debian's Imath: 111 entries of ctest, one for each test of programs
# that have a main() of their own. Without five tests that take one to six minutes each.
subject_configure=(-DCMAKE_BUILD_TYPE=Release -DOPENEXR_INSTALL_EXAMPLES=OFF)
subject_suite=openexr
subject_add_morph() {
  local slow='testMultiTiledPartThreading|testScanLineApi|testDeepScanLineBasic|testTiledLineOrder|testOptimizedInterleavePatterns'
  sed -i -E "/^ ($slow)$/d" "$1/src/test/OpenEXRTest/CMakeLists.txt"
  cat >>"$1/CMakeLists.txt" <<'CMAKE'
find_package(Morph REQUIRED)
morph_adopt_tests(NAME openexr)
CMAKE
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}
