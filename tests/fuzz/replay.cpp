// Feeds every reader its seeds and deterministic mutations of them, with any compiler and little memory.
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/targets.hpp"

namespace {

namespace fs = std::filesystem;

constexpr int mutations_of_a_seed = 20000;
constexpr rlim_t memory = rlim_t{512} << 20;

/// A size that nobody checked asks for gigabytes, and new throws. Sanitizers reserve terabytes for themselves.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit limit{memory, memory};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::perror("setrlimit");
#endif
}

std::vector<std::string> seeds_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return seeds;
}

/// Most fields are words: besides any byte, sizes and indices get the values that break arithmetic.
std::string mutated(std::string bytes, std::mt19937& random) {
  static constexpr std::uint32_t words[]{0, 1, 2, 0xff, 0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff, 0x20000000};
  for (auto changes = random() % 6 + 1; changes > 0 && bytes.size() > 8; --changes) {
    const std::size_t at = random() % (bytes.size() - 4);
    const std::size_t size = std::min<std::size_t>(random() % 64 + 1, bytes.size() - at);
    switch (random() % 6) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
        break;
      case 2:
        std::memcpy(bytes.data() + at / 4 * 4, &words[random() % std::size(words)], sizeof words[0]);
        break;
      case 3:
        bytes.insert(at, bytes.substr(at, size));
        break;
      case 4:
        bytes.erase(at, size);
        break;
      default:
        if (random() % 4 == 0) bytes.resize(at);
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: morph_fuzz_replay FOLDER_OF_SEEDS\n");
    return 2;
  }
  limit_memory();
  for (const auto& target : morph::fuzz::targets) {
    std::size_t accepted = 0, runs = 0;
    std::mt19937 random(1);
    for (const std::string& seed : seeds_in(fs::path(argv[1]) / target.name)) {
      accepted += target.accepts(seed) ? 1 : 0;
      target.run(seed);
      for (int i = 0; i < mutations_of_a_seed; ++i, ++runs) target.run(mutated(seed, random));
    }
    if (accepted == 0) {
      std::fprintf(stderr, "'%s': no seed is accepted, so that nothing behind the first check was tried\n",
                   target.name);
      return 1;
    }
    std::printf("%s: %zu seeds accepted, %zu mutations\n", target.name, accepted, runs);
  }
  return 0;
}
