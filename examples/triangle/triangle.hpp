// The sides of a triangle, its kind, and four programs that tell the kind. Two of them are wrong.
#pragma once

struct Triangle {
  int x, y, z;
};

enum class Kind { equilateral, isosceles, scalene, none };

Kind by_sorting(Triangle sides);
Kind by_sorting_wrong(Triangle sides);
Kind by_counting(Triangle sides);
Kind by_counting_wrong(Triangle sides);
