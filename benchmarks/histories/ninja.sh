# ninja: one program of some 400 GoogleTest cases, production code in object libraries, the GoogleTest of the machine. Everything is built:
# a source of a program that nobody builds can only be taken for one that concerns all tests.
subject_suite=ninja
subject_add_morph() {
  sed -i 's|^  add_test(NAME NinjaTest COMMAND ninja_test)|  find_package(Morph REQUIRED)\n  morph_add_suite(ninja TARGET ninja_test PRODUCTION libninja libninja-re2c)|' "$1/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}
