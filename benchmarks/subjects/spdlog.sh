# spdlog 1.10.0: one program of Catch2 cases, which write log files of equal names into their folder, with threads.
subject_package=spdlog
subject_configure=(-DSPDLOG_BUILD_TESTS=ON -DSPDLOG_BUILD_EXAMPLE=OFF -DSPDLOG_FMT_EXTERNAL=ON)
subject_suite=spdlog
subject_kind='Catch2, log files, threads'
subject_tests=147

# Its add_test() runs the whole program; the suite takes its place.
subject_add_morph() {
  sed -i -e '/^    add_test(NAME ${test_target}/d' -e '/^    set_tests_properties(${test_target} PROPERTIES RUN_SERIAL ON)/d' \
    -e 's|^    spdlog_prepare_test(spdlog-utests spdlog::spdlog)|&\n    find_package(Morph REQUIRED)\n    morph_add_suite(spdlog TARGET spdlog-utests FRAMEWORK catch2 PRODUCTION spdlog PROPERTIES RUN_SERIAL ON)|' "$1/tests/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# Another way to the same, in level::to_short_c_str(). It builds optimized, where a name for a value more is no change.
subject_change() { sed -i 's|    return short_level_names\[l\];|    return l < level::n_levels ? short_level_names[l] : "";|' "$1/include/spdlog/common-inl.h"; }

# Worked out by reading the sources: one test calls it, and the formatter of "%L", which four patterns of the tests have. (The first
# version of this list overlooked those with a width.)
subject_affected=(to_short_c_str 'short level' 'short level_left_padded' 'short level_right_padded' 'short level_center_padded')
# The optimizer makes other code of four more functions of that source.
subject_extra=6

# Another name for one level.
subject_fault() { sed -i 's|? short_level_names\[l\] : "";|? short_level_names[l == level::info ? level::warn : l] : "";|' "$1/include/spdlog/common-inl.h"; }
