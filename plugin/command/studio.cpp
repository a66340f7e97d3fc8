// morph studio
#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/studio_settings.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/studio/server.hpp"
#include "plugin/system/child_process.hpp"
#include "plugin/system/descriptor.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;

struct studio_arguments {
  std::uint16_t port = 0;
  bool no_open = false;
  std::vector<std::string> commands{};
};

std::vector<std::string> subcommands_of(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* each : program.get_subcommands([](const CLI::App*) { return true; }))
    if (each->get_name() != "studio") names.push_back(each->get_name());
  return names;
}

/// A file that leads to the page, for its owner alone: in the command line of a browser each user of the machine could
/// read the token.
class doorway {
 public:
  doorway(fs::path file, const std::string& url) : file_(std::move(file)) {
    std::error_code ignored;
    fs::remove(file_, ignored);
    const system::descriptor out(::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    const std::string text =
        fmt::format("<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={}\"><title>Morph</title>\n", url);
    is_there_ = ::write(out.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }
  doorway(const doorway&) = delete;
  doorway& operator=(const doorway&) = delete;
  ~doorway() {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  bool is_there() const { return is_there_; }
  const fs::path& file() const { return file_; }

 private:
  fs::path file_;
  bool is_there_ = false;
};

bool has_display() {
  return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

void open_browser(const doorway& at) {
  const system::descriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  auto started = system::start_child({.arguments = {"xdg-open", at.file().string()},
                                      .out = nothing.get(),
                                      .err = nothing.get(),
                                      .has_no_input = true,
                                      .leads_group = true,
                                      .has_default_signals = true});
  const int why = !at.is_there() || !started ? errno : started->await_program();
  if (why != 0) spdlog::warn("no browser was opened: xdg-open: {}; open the URL yourself", std::strerror(why));
}

int run_studio(const studio_arguments& given, const common_options& common) {
  const auto tree = open_build_tree(common, true);
  if (!tree) return contract::environment;
  studio::settings of = studio_settings(*tree, common);
  of.commands = given.commands;
  if (!tree->ctest.empty()) of.commands.emplace_back("ctest");
  of.port = given.port;
  std::unique_ptr<doorway> door;
  const auto served = studio::serve(of, [&](const studio::address& at) {
    if (common.json)
      fmt::print("{}\n", json_text({{"schema", contract::studio_schema}, {"url", at.url}, {"port", at.port}}));
    else
      fmt::print("{}\n", at.url);
    std::fflush(stdout);
    if (given.no_open || !has_display()) return;
    door = std::make_unique<doorway>(of.build / ".morph" / fmt::format("studio-{}.html", at.port), at.url);
    open_browser(*door);
  });
  if (!served) return failed(contract::environment, served.error());
  return contract::fine;
}

}  // namespace

action add_studio(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<studio_arguments>();
  app.add_option("--port", arguments->port, "Listen at this port (0, the default: any that is free)")
      ->type_name("N")
      ->check(CLI::Range(0, 65535).description(""));
  app.add_flag("--no-open", arguments->no_open, "Open no browser (the default without a display)");
  return [arguments, &app, &common] {
    arguments->commands = subcommands_of(*app.get_parent());
    return run_studio(*arguments, common);
  };
}

}  // namespace morph::command
