#include "tests/unit/probe/probed_run.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "coverage/probe/table.hpp"

namespace morph::probe::tests {
namespace {

namespace fs = std::filesystem;

int exit_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int plain_exit(const std::string& command) {
  return exit_of(std::system(("exec " + command).c_str()));
}

fs::path probed_programs::table_of(const fs::path& file) const {
  const auto key = key_of(contents(file), file);
  return key ? folder_ / (*key + ".probes") : fs::path();
}

void probed_programs::add_table(const fs::path& file) {
  const std::string bytes = contents(file);
  const auto table = make_table(bytes, file.string());
  ASSERT_TRUE(table) << table.error();
  std::ofstream(table_of(file), std::ios::binary) << table->bytes;
  files_.push_back(file);
}

probed_run probed_programs::run(const std::string& command, const std::string& variables) const {
  const fs::path row = folder_ / "row";
  fs::remove_all(row);
  probed_run result;
  result.exit = plain_exit("env MORPH_PROBES=" + folder_.string() + " MORPH_PROBES_ROW=" + row.string() +
                           " MORPH_PROBES_BUILD=" PROGRAMS "/ LD_PRELOAD=" RUNTIME " " + variables + " " + command);
  result.incomplete = contents(row / "incomplete");
  for (const fs::path& file : files_) {
    const std::string bytes = contents(file);
    const auto key = key_of(bytes, file);
    const auto table = make_table(bytes, file.string());
    const std::string entered = contents(row / (*key + ".entered"));
    for (std::size_t i = 0; i < entered.size() && i < table->functions.size(); ++i)
      if (entered[i] != 0)
        for (const std::string_view name : table->functions[i].names) result.entered.emplace(function_of(name));
  }
  return result;
}

}  // namespace morph::probe::tests
