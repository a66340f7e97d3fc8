// morph_symptoms BUILD [--null] [--runs N] [--most N] [--jobs N] [--verbose]: what survivors of the last `morph mutate`
// change, as JSON.
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/observing/run.hpp"
#include "plugin/system/observer.hpp"

namespace {

using namespace morph;

class printing : public system::observer {
 public:
  explicit printing(bool is_verbose) : is_verbose_(is_verbose) {}
  void status(const std::string& line) override { std::cerr << line << '\n'; }
  void warn(const std::string& line) override { std::cerr << "warning: " << line << '\n'; }
  void detail(const std::string& line) override {
    if (is_verbose_) std::cerr << line << '\n';
  }

 private:
  bool is_verbose_;
};

const char* name_of(observation::symptom means) {
  return means == observation::symptom::weak_oracle      ? "weak-oracle"
         : means == observation::symptom::no_propagation ? "no-propagation"
                                                         : "no-infection";
}

nlohmann::json place(const observation::source_place& of) {
  return of.file.empty() ? nlohmann::json() : nlohmann::json(of.file + ":" + std::to_string(of.line));
}

nlohmann::json as_json(const observation::observed_mutant& of) {
  nlohmann::json made{{"id", of.id},
                      {"symptom", name_of(of.means)},
                      {"tests", nlohmann::json::array()},
                      {"left_out", of.left_out},
                      {"operands", of.operands},
                      {"not_read", of.not_read},
                      {"differences", nlohmann::json::array()}};
  for (const auto& each : of.tests) made["tests"].push_back({each.name, each.calls, each.depth});
  for (const auto& each : of.differences)
    made["differences"].push_back({{"level", each.where == observation::level::call ? "call" : "test"},
                                   {"test", each.test},
                                   {"place", place(each.place)},
                                   {"expression", each.expression},
                                   {"type", each.type},
                                   {"property", each.property},
                                   {"original", each.original},
                                   {"mutated", each.mutated},
                                   {"private", each.is_private},
                                   {"invocation", each.invocation},
                                   {"instruction", place(each.instruction)},
                                   {"path", each.call_path}});
  return made;
}

}  // namespace

int main(int count, char** arguments) {
  observing::request asked;
  bool is_verbose = false;
  for (int i = 2; i < count; ++i) {
    const std::string option = arguments[i];
    if (option == "--null") asked.is_null = true;
    if (option == "--verbose") is_verbose = true;
    if (i + 1 == count) break;
    if (option == "--runs") asked.runs = static_cast<unsigned>(std::stoul(arguments[i + 1]));
    if (option == "--most") asked.most = std::stoul(arguments[i + 1]);
    if (option == "--jobs") asked.jobs = static_cast<unsigned>(std::stoul(arguments[i + 1]));
  }
  const auto tree = build::read_build_tree(count > 1 ? arguments[1] : "build", "");
  if (!tree) return std::cerr << tree.error() << '\n', 3;
  printing told(is_verbose);
  const auto observed = observing::run(*tree, asked, told);
  if (!observed) return std::cerr << observed.error() << '\n', 3;
  nlohmann::json all = nlohmann::json::array();
  for (const auto& each : *observed) all.push_back(as_json(each));
  std::cout << all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  return 0;
}
