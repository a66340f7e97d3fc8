// Programs of Morph's own specs: their lists of tests, and running them in batches.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plugin/frameworks/rows.hpp"
#include "plugin/system/files.hpp"

namespace morph::frameworks {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using kind = case_event::kind;

class spec_runner : public framework_runner {
 public:
  std::size_t takes(std::span<const std::string> cases) const override { return cases.size(); }

  result<std::vector<std::string>> arguments(std::span<const std::string> cases, const fs::path& scratch) override {
    const fs::path list = scratch / "tests.txt";
    events_ = scratch / "events.jsonl";
    std::string text;
    for (const std::string& name : cases) text += name + "\n";
    if (auto written = system::write_file_atomically(list, text); !written) return tl::unexpected(written.error());
    return std::vector<std::string>{"--tests-file", list.string(), "--events", events_.string()};
  }

  std::vector<case_event> read_line(std::string_view) override { return {}; }

  std::vector<case_event> read_progress() override {
    const auto text = system::read_file(events_);
    return text ? events_of(std::string_view(*text).substr(std::min(read_, text->size())), read_)
                : std::vector<case_event>();
  }

  std::optional<std::vector<case_event>> read_report() override {
    const auto text = system::read_file(events_);
    std::size_t all = 0;
    if (!text || !text->ends_with("{\"event\":\"end\"}\n")) return std::nullopt;
    return events_of(*text, all);
  }

  bool is_good(int status, bool) const override { return status == 0; }

 private:
  /// Of whole lines; `read` grows by their length.
  static std::vector<case_event> events_of(std::string_view text, std::size_t& read) {
    std::vector<case_event> events;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      const json line = json::parse(text.substr(0, end), nullptr, false);
      read += end + 1;
      text.remove_prefix(end + 1);
      if (!line.is_object() || !line.contains("test")) continue;
      const std::string what = line.value("event", "");
      case_event event;
      event.name = line.value("test", "");
      event.what = what == "started" ? kind::started : what == "passed" ? kind::passed : kind::failed;
      if (what != "started") event.seconds = line.value("seconds", 0.0);
      if (event.what == kind::failed) event.message = line.value("message", "");
      events.push_back(std::move(event));
    }
    return events;
  }

  fs::path events_;
  std::size_t read_ = 0;
};

}  // namespace

result<std::vector<listed_case>> list_spec(const listing_program& program) {
  std::vector<std::string> list = program.extra_args;  // of a pool, which are its tests
  list.insert(list.end(), {"--list", "--json"});
  const auto failed = [&](const std::string& what) { return tl::unexpected(fmt::format("--list --json': {}", what)); };
  const listing_end end = program.run(list);
  if (!end.succeeded()) {
    constexpr std::string_view mark = "error: ";
    const auto at = end.err.rfind(mark);
    if (at == std::string::npos) return failed(end.described);
    const std::string why = end.err.substr(at + mark.size());
    return failed(fmt::format("{}: {}", end.described, why.substr(0, why.find('\n'))));
  }
  const json found = json::parse(end.out, nullptr, false);
  if (!found.is_object() || !found.contains("tests") || !found["tests"].is_array())
    return failed("printed no list of tests; is it a program of specs, linked with Morph::spec_main?");
  std::vector<listed_case> cases;
  for (const json& test : found["tests"]) {
    const std::string name = test.value("name", "");
    cases.push_back({name, name, test.value("file", ""), test.value("line", 0), false});
  }
  return cases;
}

std::vector<std::string> choose_spec(std::span<const std::string> names) {
  std::vector<std::string> arguments;
  for (const std::string& name : names) arguments.push_back("--test=" + name);
  return arguments;
}

std::unique_ptr<framework_runner> make_spec_runner() {
  return std::make_unique<spec_runner>();
}

}  // namespace morph::frameworks
