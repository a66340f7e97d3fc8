// What can be done to an image. Whole numbers alone: the nearest pixel, sines as parts of 65536.
#include <algorithm>
#include <cstdlib>

#include "images.hpp"

namespace perception {
namespace {

/// By the place of each pixel.
template <typename Value>
image made_of(const image& from, const Value& value) {
  image made = from;
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      made.pixels[static_cast<std::size_t>(y * from.width + x)] =
          static_cast<std::uint8_t>(std::clamp<int>(value(x, y), 0, 255));
  return made;
}

/// By the grey of each pixel.
template <typename Value>
image toned(const image& from, const Value& value) {
  return made_of(from, [&](int x, int y) { return value(from.at(x, y)); });
}

image turned(const image& from, int cosine, int sine) {
  return made_of(from, [&](int x, int y) {
    const int dx = 2 * x - from.width + 1, dy = 2 * y - from.height + 1;  // twice the way from the middle
    const int sx = cosine * dx + sine * dy, sy = cosine * dy - sine * dx;
    return from.at(((sx >> 16) + from.width) >> 1, ((sy >> 16) + from.height) >> 1);
  });
}

/// Percent of the size, about the middle.
image scaled(const image& from, int percent) {
  return made_of(from, [&](int x, int y) {
    return from.at((x - from.width / 2) * 100 / percent + from.width / 2,
                   (y - from.height / 2) * 100 / percent + from.height / 2);
  });
}

int square_root(int of) {
  int root = 0;
  while ((root + 1) * (root + 1) <= of) ++root;
  return root;
}

std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

}  // namespace

const std::vector<change>& all_changes() {
  static const std::vector<change> all{
      {"rotate-15", [](const image& i) { return turned(i, 63303, 16962); }},
      {"rotate-90", [](const image& i) { return turned(i, 0, 65536); }},
      {"mirror", [](const image& i) { return made_of(i, [&](int x, int y) { return i.at(i.width - 1 - x, y); }); }},
      {"shift", [](const image& i) { return made_of(i, [&](int x, int y) { return i.at(x - 6, y - 4); }); }},
      {"shrink", [](const image& i) { return scaled(i, 75); }},
      {"zoom", [](const image& i) { return scaled(i, 130); }},
      {"brighter", [](const image& i) { return toned(i, [](int v) { return v + 50; }); }},
      {"darker", [](const image& i) { return toned(i, [](int v) { return v - 50; }); }},
      {"more-contrast", [](const image& i) { return toned(i, [](int v) { return 128 + (v - 128) * 2; }); }},
      {"less-contrast", [](const image& i) { return toned(i, [](int v) { return 128 + (v - 128) / 3; }); }},
      {"gamma-up", [](const image& i) { return toned(i, [](int v) { return square_root(v * 255); }); }},
      {"gamma-down", [](const image& i) { return toned(i, [](int v) { return v * v / 255; }); }},
      {"invert", [](const image& i) { return toned(i, [](int v) { return 255 - v; }); }},
      {"four-greys", [](const image& i) { return toned(i, [](int v) { return v / 64 * 85; }); }},
      {"noise",
       [](const image& i) {
         return made_of(i, [&](int x, int y) {
           return i.at(x, y) + static_cast<int>(mixed(static_cast<std::uint32_t>(y * i.width + x)) % 121) - 60;
         });
       }},
      {"blur",
       [](const image& i) {
         return made_of(i, [&](int x, int y) {
           int sum = 0;
           for (int dy = -2; dy <= 2; ++dy)
             for (int dx = -2; dx <= 2; ++dx) sum += i.at(x + dx, y + dy);
           return sum / 25;
         });
       }},
      {"occlude",
       [](const image& i) {
         return made_of(i, [&](int x, int y) { return x >= i.width / 2 && y >= i.height / 2 ? 128 : i.at(x, y); });
       }},
  };
  return all;
}

}  // namespace perception
