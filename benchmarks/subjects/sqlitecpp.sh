# SQLiteCpp 3.2.1: one program of 47 GoogleTest cases, some of which write databases of equal names into their folder.
subject_package=sqlitecpp
subject_configure=(-DSQLITECPP_BUILD_TESTS=ON -DSQLITECPP_INTERNAL_SQLITE=OFF)
subject_suite=sqlitecpp
subject_kind='GoogleTest, databases in files'
subject_tests=47

# Its add_test() runs the whole program; the suite takes its place.
subject_add_morph() {
  sed -i 's|^    add_test(UnitTests SQLiteCpp_tests)|    find_package(Morph REQUIRED)\n    morph_add_suite(sqlitecpp TARGET SQLiteCpp_tests PRODUCTION SQLiteCpp PROPERTIES RESOURCE_LOCK files)|' "$1/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# The same in two steps, in Backup::getRemainingPageCount().
subject_change() { sed -i 's|    return sqlite3_backup_remaining(mpSQLiteBackup.get());|    const int pages = sqlite3_backup_remaining(mpSQLiteBackup.get());\n    return pages;|' "$1/src/Backup.cpp"; }

# Worked out by reading the sources: only Backup_test.cpp calls it, in two of its four tests, and the library does not.
subject_affected=(Backup.executeStepOne Backup.executeStepAll)
# SQLite opens the folder of a database in a file to flush it. Here that is the build's, where any source may have left something.
subject_extra=7

# One page more.
subject_fault() { sed -i 's|    return pages;|    return pages + 1;|' "$1/src/Backup.cpp"; }
