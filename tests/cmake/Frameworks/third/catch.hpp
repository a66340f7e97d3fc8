// Stands for Catch2 2 in one header.
#define CATCH_VERSION_MAJOR 2
