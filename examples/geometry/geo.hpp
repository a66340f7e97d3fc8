// Areas and perimeters of rectangles.
#pragma once

int area(int width, int height);
int perimeter(int width, int height);
