// morph doctor
#include <fmt/format.h>

#include "plugin/command/options.hpp"
#include "plugin/doctor/checks.hpp"

namespace morph::command {

action add_doctor(CLI::App&, const common_options& common) {
  return [&common]() -> int {
    const auto found = doctor::check(common.build);
    fmt::print("{}", common.json ? doctor::rows_as_json(found) : doctor::rows_as_text(found));
    return doctor::has_problem(found) ? contract::finding : contract::fine;
  };
}

}  // namespace morph::command
