// Reading, writing and drawing images, and the files that are made of them.
#include "images.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace perception {
namespace {

namespace fs = std::filesystem;

constexpr int side = 64;
const char* const folder = "images";

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("'" + path + "' cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// FNV-1a.
std::uint64_t hash_of(const std::string& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// Splitmix64.
struct numbers {
  std::uint64_t state;
  int below(int n) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<int>((z ^ (z >> 31)) % static_cast<std::uint64_t>(n));
  }
};

struct shape {
  int kind, x, y, wide, high, grey;
  bool has(int px, int py) const {
    const int dx = px - x, dy = py - y;
    if (kind == 0) return dx * dx * high * high + dy * dy * wide * wide <= wide * wide * high * high;
    if (kind == 1) return std::abs(dx) <= wide && std::abs(dy) <= high;
    return dy >= -high && dy <= high && 2 * high * std::abs(dx) <= wide * (dy + high);
  }
};

int number_at(const std::string& text, std::size_t& at) {
  while (at < text.size() && (std::isspace(static_cast<unsigned char>(text[at])) != 0 || text[at] == '#'))
    at = text[at] == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
  int value = 0;
  const std::size_t first = at;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && value < 100000; ++at)
    value = 10 * value + text[at] - '0';
  return at == first ? -1 : value;
}

}  // namespace

int image::at(int x, int y) const {
  const int column = std::clamp(x, 0, width - 1), row = std::clamp(y, 0, height - 1);
  return pixels[static_cast<std::size_t>(row * width + column)];
}

image read_pgm(const std::string& path) {
  const std::string text = bytes_of(path);
  image made;
  std::size_t at = 2;
  made.width = number_at(text, at);
  made.height = number_at(text, at);
  const int most = number_at(text, at);
  const auto size = static_cast<std::size_t>(made.width) * static_cast<std::size_t>(made.height);
  if (text.compare(0, 2, "P5") != 0 || made.width < 1 || made.height < 1 || most != 255 || text.size() != at + 1 + size)
    throw std::runtime_error("'" + path + "' is no binary PGM of 8 bits, or is cut off");
  made.pixels.assign(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end());
  return made;
}

void write_pgm(const std::string& path, const image& of) {
  fs::create_directories(fs::path(path).parent_path());
  const std::string beside = path + "." + std::to_string(::getpid());
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file << "P5\n" << of.width << ' ' << of.height << "\n255\n";
  file.write(reinterpret_cast<const char*>(of.pixels.data()), static_cast<std::streamsize>(of.pixels.size()));
  file.close();
  if (!file) throw std::runtime_error("'" + beside + "' cannot be written");
  fs::rename(beside, path);
}

image draw_object(int number) {
  numbers random{static_cast<std::uint64_t>(number)};
  std::vector<shape> shapes;
  for (int i = 0; i < 5; ++i)
    shapes.push_back({random.below(3), 14 + random.below(36), 14 + random.below(36), 4 + random.below(14),
                      4 + random.below(14), 20 + 25 * random.below(8)});
  image made{side, side, std::vector<std::uint8_t>(side * side, 235)};
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      for (const shape& each : shapes)
        if (each.has(x, y)) made.pixels[static_cast<std::size_t>(y * side + x)] = static_cast<std::uint8_t>(each.grey);
  return made;
}

std::string object_file(int number) {
  const std::string name = (number < 10 ? "0" : "") + std::to_string(number);
  const std::string path = std::string(folder) + "/objects/" + name + ".pgm";
  if (!fs::exists(path)) write_pgm(path, draw_object(number));
  return path;
}

std::string changed_file(const std::string& path, const change& by) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_of(bytes_of(path))));
  const std::string made = std::string(folder) + "/" + by.name + "/" + object_of(path) + "-" + digits + ".pgm";
  if (!fs::exists(made)) write_pgm(made, by.apply(read_pgm(path)));
  return made;
}

std::string object_of(const std::string& path) {
  const std::string name = fs::path(path).stem().string();
  return name.substr(0, name.find('-'));
}

}  // namespace perception
