// Stands for doctest.
#define DOCTEST_VERSION_MAJOR 2
