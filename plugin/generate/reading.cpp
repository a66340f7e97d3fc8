// The job for `morph-source`.
#include "plugin/generate/reading.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "plugin/source_reader/morph_source.hpp"

namespace morph::generate {

using nlohmann::json;

result<std::vector<json>> read_units(const build::build_tree& tree, const std::vector<build::compile_unit>& units,
                                     const char* task) {
  const json job = source_reader::job_of(
      {task, source_reader::header_options(tree.compiler_path), tree.source_dir.string(), tree.binary_dir.string()},
      units);
  const std::filesystem::path folder = tree.own_dir() / "generate";
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  // Pairs are listed beside another run in this tree.
  const std::filesystem::path file = folder / fmt::format("job-{}.json", ::getpid());
  auto answers = source_reader::run_source_program(job, file);
  std::filesystem::remove(file, ignored);
  // Equal seeds give equal tests only if branches are numbered alike each time: units come in any order.
  if (answers)
    std::ranges::stable_sort(*answers, {},
                             [](const auto& each) { return each.at("unit").template get<std::size_t>(); });
  return answers;
}

}  // namespace morph::generate
