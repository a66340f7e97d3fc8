// What a plan selects for each kind of change in tests/corpus/selection, with one compiler: a line of JSON a kind.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "tests/end_to_end/change_kinds.hpp"

int main(int argc, char** argv) {
  using namespace morph::end_to_end;
  corpus_setting setting{"g++", "-O0", "gtest"};
  std::string only;
  CLI::App app("Tries the kinds of change in tests/corpus/selection");
  app.add_option("--compiler", setting.compiler);
  app.add_option("--flags", setting.flags);
  app.add_option("--evidence", setting.evidence);
  app.add_option("--framework", setting.framework, "of the kinds that need no other one");
  app.add_option("--only", only, "kinds whose names hold this");
  CLI11_PARSE(app, argc, argv);
  try {
    auto kinds = read_change_kinds(MORPH_SOURCE_DIR "/tests/corpus/selection");
    std::erase_if(kinds, [&](const change_kind& kind) { return kind.name.find(only) == std::string::npos; });
    if (kinds.empty()) throw std::runtime_error(fmt::format("no kind's name holds '{}'", only));
    const std::string evidence = app.count("--evidence") == 0 ? "" : ' ' + setting.evidence;
    const std::string label = fmt::format("{} {}{}", setting.compiler, setting.flags, evidence);
    for (const kind_outcome& kind : try_change_kinds(kinds, setting))
      std::cout << nlohmann::json{{"kind", kind.name},
                                  {"setting", label},
                                  {"framework", setting.framework},
                                  {"must", kind.must},
                                  {"missed", kind.missed},
                                  {"missed_before_build", kind.missed_early},
                                  {"must_not", kind.must_not},
                                  {"too_many", kind.too_many},
                                  {"contradicted", kind.contradicted},
                                  {"others", kind.others}}
                       .dump()
                << "\n";
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
