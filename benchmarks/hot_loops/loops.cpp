// Small bodies that run often: the guard of each place is there in every turn.
#include "loops.hpp"

std::uint32_t checksum(const std::vector<unsigned char>& bytes) {
  std::uint32_t crc = 0xffffffff;
  for (unsigned char byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}

std::size_t words(const std::vector<unsigned char>& bytes) {
  std::size_t count = 0;
  bool inside = false;
  for (unsigned char c : bytes) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (letter && !inside) ++count;
    inside = letter;
  }
  return count;
}

std::size_t primes(std::size_t limit) {
  std::vector<unsigned char> composite(limit + 1);
  std::size_t count = 0;
  for (std::size_t i = 2; i < limit; ++i) {
    if (composite[i] != 0) continue;
    ++count;
    for (std::size_t j = i * i; j < limit; j += i) composite[j] = 1;
  }
  return count;
}

double square(const std::vector<double>& a, std::size_t size) {
  double trace = 0;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < size; ++k) sum += a[i * size + k] * a[k * size + j];
      if (i == j) trace += sum;
    }
  return trace;
}

std::uint64_t sorted(std::vector<std::uint32_t> numbers) {
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const std::uint32_t moved = numbers[i];
    std::size_t at = i;
    while (at > 0 && numbers[at - 1] > moved) {
      numbers[at] = numbers[at - 1];
      --at;
    }
    numbers[at] = moved;
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 2) sum += numbers[i];
  return sum;
}
