// Stands for doctest.
