// Programs that say how likely two images show the same object: 1 certainly, 0 certainly not, "the same" from 0.5 on.
#pragma once

#include <string>

#include "images.hpp"

namespace perception {

/// Two files.
struct image_pair {
  std::string target, subject;
};

/// One less the mean difference of pixels, as part of half the range.
double by_pixels(const image_pair& pair);
/// The distance of the first four of Hu's invariant moments (1962), which turns, place and size do not change.
double by_moments(const image_pair& pair);
/// The correlation of pixels, the highest of small shifts and of turns of the subject by 15 degrees.
double by_search(const image_pair& pair);

/// What the program `histogram` is made of: the overlap of both histograms, of 16 greys.
double by_histogram(const image& target, const image& subject);

}  // namespace perception
