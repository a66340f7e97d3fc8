// The entry of libFuzzer, compiled once for each target.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  morph::fuzz::MORPH_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
