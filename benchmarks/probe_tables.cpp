// Tables of probes for benchmarks/probes.py:
//   morph_probe_tables make FOLDER FILE...         tables of programs and shared libraries
//   morph_probe_tables learn FOLDER FILE ROW...    again, by what tests entered: what all of them did gets no probe
//   morph_probe_tables entered ROW FILE            symbols that were entered, a line a function
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "coverage/probe/table.hpp"

namespace {

namespace fs = std::filesystem;
using namespace morph;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Milliseconds that it took, or none with a message.
bool write_table(const fs::path& folder, const std::string& file, const probe::symbols& of_every_test) {
  const auto started = std::chrono::steady_clock::now();
  const std::string bytes = contents(file);
  const auto key = probe::key_of(bytes, file);
  const auto table = key ? probe::make_table(bytes, file, of_every_test) : tl::unexpected(key.error());
  if (!table) {
    std::cerr << table.error() << '\n';
    return false;
  }
  std::ofstream(folder / (*key + ".probes"), std::ios::binary) << table->bytes;
  std::cout << table->functions.size() << ' '
            << std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count() << '\n';
  return true;
}

bool learn(const fs::path& folder, const std::string& file, const std::vector<std::string>& rows) {
  const auto key = probe::key_of(contents(file), file);
  std::vector<std::string> entered;
  for (const std::string& row : rows)
    if (std::string each = contents(fs::path(row) / (*key + ".entered")); !each.empty())
      entered.push_back(std::move(each));
  const std::string bytes = contents(file);
  const auto table = probe::make_table(bytes, file);
  probe::symbols of_every_test;
  for (std::size_t i = 0; table && !entered.empty() && i < table->functions.size(); ++i)
    if (std::ranges::all_of(entered, [&](const std::string& row) { return i < row.size() && row[i] != 0; }))
      for (const std::string_view name : table->functions[i].names) of_every_test.emplace(probe::function_of(name));
  return write_table(folder, file, of_every_test);
}

bool print_entered(const fs::path& row, const std::string& file) {
  const std::string bytes = contents(file);
  const auto key = probe::key_of(bytes, file);
  const auto table = probe::make_table(bytes, file);
  if (!key || !table) return false;
  const std::string entered = contents(row / (*key + ".entered"));
  for (std::size_t i = 0; i < std::min(entered.size(), table->functions.size()); ++i) {
    if (entered[i] == 0) continue;
    for (const std::string_view name : table->functions[i].names) std::cout << name << ' ';
    std::cout << '\n';
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 3) return 2;
  if (words[0] == "learn") return learn(words[1], words[2], {words.begin() + 3, words.end()}) ? 0 : 1;
  if (words[0] == "entered") return print_entered(words[1], words[2]) ? 0 : 1;
  for (std::size_t i = 2; i < words.size(); ++i)
    if (!write_table(words[1], words[i], {})) return 1;
  return 0;
}
