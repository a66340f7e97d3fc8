# uriparser since 0.9.3 (2018): C, compiled for char and wchar_t; one program of GoogleTest cases; the GoogleTest of the machine.
subject_configure=(-DURIPARSER_BUILD_DOCS=OFF -DURIPARSER_BUILD_TOOLS=OFF -DURIPARSER_BUILD_TESTS=ON -DURIPARSER_SHARED_LIBS=OFF)
subject_suite=uriparser
subject_add_morph() {
  cat >>"$1/CMakeLists.txt" <<'CMAKE'
find_package(Morph REQUIRED)
morph_add_suite(uriparser TARGET testrunner PRODUCTION uriparser)
CMAKE
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}
