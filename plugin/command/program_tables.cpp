// Translating a program's model.
#include "plugin/command/program_tables.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using optimizer::requirement_kind;

constexpr store::element nothing = 0;

}  // namespace

std::string in_repository(const measuring& m, const std::string& path) {
  std::string relative = m.repository.relative_target(path);
  const bool is_product = m.kinds.in_build_tree(relative) && !m.repository.tracks(relative);
  return is_product ? std::string() : relative;
}

store::measured_unit describe_unit(const measuring& m, const std::string& object,
                                   const std::vector<std::string>& files) {
  store::measured_unit unit;
  unit.object = object;
  for (const std::string& path : files) {
    const std::string target = in_repository(m, path);
    if (target.empty()) continue;
    unit.dependencies.push_back(m.writer.file(target));
    if (const std::string link = m.repository.relative(path); link != target && !link.empty())
      unit.dependencies.push_back(m.writer.file(link));
  }
  std::sort(unit.dependencies.begin(), unit.dependencies.end());
  unit.dependencies.erase(std::unique(unit.dependencies.begin(), unit.dependencies.end()), unit.dependencies.end());
  const std::string source = in_repository(m, files.front());
  // A generated source never changes in git, but what it includes does.
  unit.source = m.writer.file(source.empty() ? files.front() : source);
  return unit;
}

void program_tables::translate() {
  if (!units_.empty()) return;
  constexpr std::uint32_t outside = ~std::uint32_t{0};
  std::vector<std::uint32_t> files;
  for (const std::string& path : model_.files()) {
    const std::string relative = in_repository(*m_, path);
    files.push_back(relative.empty() ? outside : m_->writer.file(relative));
    is_foreign_.push_back(relative.empty());
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> executable;
  for (const auto& line : model_.lines()) {
    const std::uint32_t file = files[line.file];
    lines_.push_back(file == outside ? nothing : store::make_element(requirement_kind::line, file, line.line));
    if (file != outside) executable[file].push_back(line.line);
  }
  for (auto& [file, lines] : executable) {
    std::sort(lines.begin(), lines.end());
    m_->writer.set_executable_lines(file, lines);
  }
  for (const auto& f : model_.functions()) {
    const std::uint32_t file = files[f.file];
    functions_.push_back(file == outside ? nothing
                                         : store::make_element(requirement_kind::function, 0,
                                                               m_->writer.function({f.symbol, file, f.start_line,
                                                                                    f.end_line, f.artificial})));
  }
  static_assert(gcov::branch_outcomes <= store::branches_of_line);
  for (const auto& b : model_.branches()) {
    const std::uint32_t file = files[b.file];
    const bool kept = file != outside && b.line < store::lines_with_branches;
    branches_.push_back(
        kept ? store::make_element(requirement_kind::branch, file, store::branches_of_line * b.line + b.number)
             : nothing);
  }
  for (const auto& unit : model_.units()) units_.push_back(translate_unit(unit.note_path));
}

store::element program_tables::translate_unit(const std::string& note_path) {
  std::error_code error;  // GCC writes real paths, CMake those that it was given
  const fs::path real_tree = fs::weakly_canonical(m_->twin.binary_dir, error);
  const fs::path real_note = fs::weakly_canonical(note_path, error);
  const std::string object = real_note.lexically_relative(real_tree).replace_extension(".o").string();
  const auto known = m_->dependencies.find(object);
  if (known == m_->dependencies.end() || known->second.empty()) {
    if (unknown_unit_.empty())
      spdlog::warn("suite '{}': the build has no record of what '{}' was compiled from; the suite's tests always run",
                   suite_, object);
    unknown_unit_ = object;
    return nothing;
  }
  return store::make_element(requirement_kind::unit, 0, m_->writer.unit(describe_unit(*m_, object, known->second)));
}

std::vector<store::element> program_tables::elements_of(const gcov::executed& executed) const {
  std::vector<store::element> elements;
  const auto add = [&](const std::vector<std::uint32_t>& indices, const std::vector<store::element>& table) {
    for (std::uint32_t i : indices)
      if (table[i] != nothing) elements.push_back(table[i]);
  };
  add(executed.lines, lines_);
  add(executed.functions, functions_);
  add(executed.units, units_);
  add(executed.branches, branches_);
  std::sort(elements.begin(), elements.end());
  return elements;
}

std::vector<store::element> program_tables::executed(std::span<const gcov::counter> counters) const {
  return elements_of(model_.convert(counters));
}

std::vector<store::element> program_tables::started(std::span<const gcov::counter> counters,
                                                    const source_places& registrations) const {
  // A line of a system header can be a block of the user's own initializers (iostream's in every unit that includes
  // it).
  return elements_of(model_.convert(counters, [&](std::uint32_t file, std::uint32_t line) {
    return is_foreign_[file] || registrations.count({model_.files()[file], line}) != 0;
  }));
}

std::uint32_t program_tables::incomplete() const {
  return unknown_unit_.empty() ? 0U : morph_stream::unknown_unit;
}

}  // namespace morph::command
