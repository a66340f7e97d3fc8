// Without arguments a test of each loop. main LOOP ROUNDS: that loop alone, so often.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "loops.hpp"

namespace {

std::vector<unsigned char> text(std::size_t size) {
  std::vector<unsigned char> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>("one, Two; _x = 3 zz"[i % 19]);
  return bytes;
}

std::vector<double> matrix(std::size_t size) {
  std::vector<double> a(size * size);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i % 7) - 3;
  return a;
}

std::vector<std::uint32_t> numbers(std::size_t size) {
  std::vector<std::uint32_t> made(size);
  std::uint32_t last = 1;
  for (std::uint32_t& number : made) number = last = last * 1664525 + 1013904223;
  return made;
}

bool all_right() {
  return checksum(text(9)) == 0x8e2c1935 && words(text(19)) == 4 && primes(100) == 25 && square(matrix(3), 3) == -4 &&
         sorted({5, 1, 4, 2, 3}) == 9;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return all_right() ? 0 : 1;
  const int rounds = std::atoi(arguments[2]);
  double sum = 0;
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  const auto bytes = text(100000);
  const auto a = matrix(100);
  const auto values = numbers(1500);
  for (int i = 0; i < rounds; ++i) {
    if (is("checksum")) sum += checksum(bytes);
    if (is("words")) sum += static_cast<double>(words(bytes));
    if (is("primes")) sum += static_cast<double>(primes(200000));
    if (is("square")) sum += square(a, 100);
    if (is("sorted")) sum += static_cast<double>(sorted(values));
  }
  std::printf("%g\n", sum);
  return 0;
}
