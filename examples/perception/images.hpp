// Grey images as PGM files: objects that are drawn by their number, and what can be done to images. All by whole
// numbers, so that every machine makes the same files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perception {

struct image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  // rows, 0 black to 255 white

  /// The nearest pixel of the image where there is none.
  int at(int x, int y) const;
};

/// Throws std::runtime_error: the file is not there, or is no binary PGM of 8 bits.
image read_pgm(const std::string& path);
/// The file is there as a whole or not at all, whoever else writes it.
void write_pgm(const std::string& path, const image& of);

/// 64 x 64, some shapes; equal numbers give equal objects.
image draw_object(int number);

/// A change that an image can undergo.
struct change {
  std::string name;
  image (*apply)(const image&);
};
const std::vector<change>& all_changes();

/// The file `images/objects/07.pgm`, written if it is not there.
std::string object_file(int number);

/// The file of the changed image, such as `images/blur/07-1f0c22ab99d31e04.pgm`: its name says of which object and
/// content it was made, and what is there is not made again.
std::string changed_file(const std::string& path, const change& by);

/// "07" of both.
std::string object_of(const std::string& path);

}  // namespace perception
