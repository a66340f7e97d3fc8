// Stands for Catch2 2 in one header.
