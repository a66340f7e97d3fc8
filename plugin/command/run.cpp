// morph run: what ctest executes for Morph's own entries.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/frameworks/batch_report.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

void show(std::string_view output) {
  while (!output.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, output.data(), output.size());
    if (n < 0 && errno != EINTR) return;  // nobody listens
    if (n > 0) output.remove_prefix(static_cast<std::size_t>(n));
  }
}

result<void> write_report(const frameworks::batch& b, const frameworks::batch_result& result) {
  const char* folder = std::getenv(contract::junit_variable);
  if (folder == nullptr || *folder == '\0') return {};
  return system::write_file_atomically(
      b.binary_dir / folder / (b.entry + ".xml"),
      frameworks::write_junit(b.entry, frameworks::junit_cases_of(b, result), std::time(nullptr)));
}

int run_batch_file(const std::string& path) {
  const auto b = frameworks::read_batch(path);
  if (!b) return failed(contract::environment, b.error());
  system::catch_interrupts();
  // ctest may go away; a handler, unlike SIG_IGN, is not inherited by the test programs.
  std::signal(SIGPIPE, [](int) {});
  const auto [ran, left] = frameworks::run_and_keep(*b, show);
  if (!left) spdlog::warn("the next plan will not know how these cases ended: {}", left.error());
  fmt::print("{}", frameworks::summary_of(*b, ran));
  std::fflush(stdout);
  if (auto written = write_report(*b, ran); !written)
    return failed(contract::environment, "MORPH_JUNIT_DIR: " + written.error());
  if (ran.interrupted) return contract::environment;
  return ran.good() ? contract::fine : contract::finding;
}

}  // namespace

action add_run(CLI::App& app, const common_options&) {
  auto batch = std::make_shared<std::string>();
  app.add_option("--batch", *batch, "Run the cases that this file lists, in as few processes as possible")
      ->type_name("FILE")
      ->required();
  return [batch] { return run_batch_file(*batch); };
}

}  // namespace morph::command
