// Which of them are still right, and writing the others.
#include "plugin/planning/fallbacks.hpp"

#include <filesystem>
#include <string>

#include "plugin/planning/plan_cmake.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::planning {

namespace fs = std::filesystem;

void refresh_fallbacks(const build::build_tree& tree, const full_plan& p, const std::vector<suite_entries>& planned,
                       system::observer& told) {
  const auto entries = make_fallback_entries(tree, p, planned);
  for (std::size_t i = 0; i < p.suites.size(); ++i) {
    const workspace::listed_suite& suite = p.suites[i];
    if (suite.declared->is_adopted()) continue;
    const fs::path path = tree.own_dir() / "fallback" / (suite.declared->name + ".cmake");
    // ctest takes it only if it is newer than the suite's script.
    const fs::path script = tree.own_dir() / "suites" / (suite.declared->name + ".cmake");
    std::error_code none, no_script;
    const auto written_at = fs::last_write_time(path, none);
    const auto script_at = fs::last_write_time(script, no_script);
    bool fresh = !none && (no_script || written_at > script_at);
    for (const auto& program : suite.programs) fresh = fresh && program.from_cache;
    // Which batches there are is also decided by measurements and by GRANULARITY auto.
    if ((fresh && suite.declared->granularity == "case") || !suite.whole()) continue;
    const std::string code = fallback_as_cmake(suite, entries[i], system::own_executable().string());
    if (const auto known = system::read_file(path); fresh && known && *known == code) continue;
    if (auto written = system::write_file_atomically(path, code); !written) told.detail(written.error());
  }
}

}  // namespace morph::planning
