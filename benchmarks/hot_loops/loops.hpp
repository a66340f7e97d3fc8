// What programs spend their time in: bytes, bits, numbers, comparisons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// The CRC of zlib, a bit at a time.
std::uint32_t checksum(const std::vector<unsigned char>& bytes);

/// Words of letters, as a lexer sees them.
std::size_t words(const std::vector<unsigned char>& bytes);

/// Primes below the limit.
std::size_t primes(std::size_t limit);

/// The trace of a * a; a has size * size elements.
double square(const std::vector<double>& a, std::size_t size);

/// The sum of every second element after an insertion sort.
std::uint64_t sorted(std::vector<std::uint32_t> numbers);
