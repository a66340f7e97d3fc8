# pugixml 1.13: one test, a program of 956 checks of its own harness that runs in the source folder; it is adopted.
subject_package=pugixml
subject_configure=(-DPUGIXML_BUILD_TESTS=ON)
subject_suite=adopted
subject_kind='adopted: a harness of its own'
subject_target=pugixml-check
subject_tests=1

subject_add_morph() {
  printf 'find_package(Morph REQUIRED)\nmorph_adopt_tests()\n' >>"$1/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# xml_attribute::hash_value() with a name for its result.
subject_change() {
  sed -i '/PUGI__FN size_t xml_attribute::hash_value() const/,/^\t}/ s|return static_cast<size_t>(reinterpret_cast<uintptr_t>(_attr) / sizeof(xml_attribute_struct));|const size_t place = static_cast<size_t>(reinterpret_cast<uintptr_t>(_attr) / sizeof(xml_attribute_struct));\n\t\treturn place;|' "$1/src/pugixml.cpp"
}

# Worked out by reading the sources: tests/test_dom_traverse.cpp calls it in dom_hash_value, and ctest has one test.
subject_affected=(pugixml::test)

# Every attribute has the same hash.
subject_fault() { sed -i '/PUGI__FN size_t xml_attribute::hash_value() const/,/^\t}/ s|return place;|return 0 * place;|' "$1/src/pugixml.cpp"; }
