// Areas and perimeters of rectangles.
#include "geo.hpp"

int area(int width, int height) {
  return width * height;
}

int perimeter(int width, int height) {
  return 2 * (width + height);
}
