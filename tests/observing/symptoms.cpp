// morph_symptoms BUILD [--null] [--runs N] [--most N] [--jobs N] [--verbose]: what survivors of the last `morph mutate`
// change, as JSON.
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "coverage/observation/observed_json.hpp"
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
  for (const auto& each : *observed) all.push_back(observation::to_json(each));
  std::cout << all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  return 0;
}
