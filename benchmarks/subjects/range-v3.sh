# range-v3 0.12.0: header-only; 239 tests, each a plain program; they are adopted. Builds for minutes.
subject_package=range-v3
subject_options=(--tar-only)
subject_configure=(-DRANGE_V3_DOCS=OFF -DRANGE_V3_EXAMPLES=OFF -DRANGE_V3_PERF=OFF -DRANGE_V3_HEADER_CHECKS=OFF)
subject_suite=adopted
subject_kind='adopted: plain programs, header-only'
subject_target=all
subject_tests=239

subject_add_morph() {
  printf 'find_package(Morph REQUIRED)\nmorph_adopt_tests()\n' >>"$1/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# A step inside ranges::adjacent_remove_if(), in a statement of its own.
subject_change() { sed -i 's|            for(auto j = ++i; |            ++i;\n            for(auto j = i; |' "$1/include/range/v3/algorithm/adjacent_remove_if.hpp"; }

# Worked out by reading the sources: of all files, test/algorithm/adjacent_remove_if.cpp calls the algorithm, and
# actions::adjacent_remove_if (include/range/v3/action), which test/action/adjacent_remove_if.cpp uses. The view of that
# name has a loop of its own.
subject_affected=(range.v3.test.act.adjacent_remove_if range.v3.test.alg.adjacent_remove_if)

# The action removes nothing. (A fault in the algorithm would not compile: its test has a constexpr part.)
subject_fault() {
  sed -i 's|erase(rng, std::move(i), end(rng));|erase(rng, i, i);|' "$1/include/range/v3/action/adjacent_remove_if.hpp"
}
