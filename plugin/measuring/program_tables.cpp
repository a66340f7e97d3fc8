// Translating a program's model.
#include "plugin/measuring/program_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "plugin/build/runtime_sources.hpp"
#include "plugin/measuring/notes.hpp"
#include "plugin/measuring/test_inputs.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;
using optimizer::requirement_kind;

constexpr store::element nothing = 0;

store::element unshown_of(store::element line) {
  return store::make_element(requirement_kind::unshown, store::owner_of(line), store::number_of(line));
}

/// Lines of a row that gcov's rule shows as executed in another.
std::vector<store::element> shown_elsewhere(std::span<const store::element> unshown,
                                            std::span<const store::element> other) {
  std::vector<store::element> shown;
  for (const store::element x : unshown)
    if (const auto line = store::make_element(requirement_kind::line, store::owner_of(x), store::number_of(x));
        std::binary_search(other.begin(), other.end(), line) && !std::binary_search(other.begin(), other.end(), x))
      shown.push_back(x);
  return shown;
}

/// The last kind there is.
std::span<const store::element> unshown_in(std::span<const store::element> elements) {
  return {std::ranges::lower_bound(elements, store::make_element(requirement_kind::unshown, 0, 0)), elements.end()};
}

}  // namespace

std::string name_of_read(const session& m, const std::string& path) {
  if (build::is_of_system(path) && !path.starts_with(m.repository.root().string() + "/")) return {};
  std::string name = m.repository.target_name(path);
  if (git::is_outside(name))
    return m.outside.counts((m.repository.root() / name).lexically_normal().string()) ? name : std::string();
  const bool is_product = m.kinds.in_build_tree(name) && !m.repository.tracks(name);
  return is_product ? std::string() : name;
}

std::string name_of_source(const session& m, const std::string& path) {
  std::string name = name_of_read(m, path);
  const bool is_others = git::is_outside(name) && (m.outside.is_others(path, name) || m.kinds.in_build_tree(name));
  return is_others ? std::string() : name;
}

store::measured_unit describe_unit(const session& m, const std::string& object, const std::vector<std::string>& files) {
  store::measured_unit unit;
  unit.object = object;
  for (const std::string& path : files) {
    const std::string target = name_of_read(m, path);
    if (target.empty()) continue;
    unit.dependencies.push_back(m.writer.file(target));
    if (const std::string link = m.repository.relative(path); link != target && !link.empty())
      unit.dependencies.push_back(m.writer.file(link));
  }
  std::sort(unit.dependencies.begin(), unit.dependencies.end());
  unit.dependencies.erase(std::unique(unit.dependencies.begin(), unit.dependencies.end()), unit.dependencies.end());
  const std::string source = name_of_read(m, files.front());
  // A generated source never changes in git, but what it includes does.
  unit.source = m.writer.file(source.empty() ? files.front() : source);
  return unit;
}

std::string object_of(const session& m, const std::string& note_path) {
  std::error_code error;  // GCC writes real paths, CMake those that it was given
  const fs::path real_tree = fs::weakly_canonical(m.twin.binary_dir, error);
  const fs::path real_note = fs::weakly_canonical(note_path, error);
  return real_note.lexically_relative(real_tree).replace_extension(".o").string();
}

std::optional<store::measured_unit> describe_object_of(const session& m, const std::string& note_path) {
  const std::string object = object_of(m, note_path);
  const auto known = m.dependencies.find(object);
  if (known == m.dependencies.end() || known->second.empty()) return std::nullopt;
  return describe_unit(m, object, known->second);
}

void program_tables::add(const gcov::module_record& module) {
  const std::string notes = notes_of(*m_, module.gcda_path, module.stamp);
  static const std::vector<std::string> nothing;
  const auto read = m_->dependencies.find(object_of(*m_, notes));
  const auto added =
      model_.add(module, places_of_unit(*m_, read == m_->dependencies.end() ? nothing : read->second), notes);
  if (added) {
    const bool is_own = read != m_->dependencies.end() && !read->second.empty() &&
                        build::is_runtime_source(m_->twin, read->second.front());
    has_notes_ = has_notes_ || !is_own;
    return;
  }
  if (unread_.empty())
    unread_ = fmt::format("{}. Remove '{}' and measure again", added.error(), m_->twin.binary_dir.string());
  if (m_->unread.insert(module.gcda_path).second)
    m_->told.warn(
        fmt::format("suite '{}': {}. Remove '{}' and run `morph measure --fresh`; until then, tests that run this code "
                    "always run",
                    suite_, added.error(), m_->twin.binary_dir.string()));
  for (const auto& function : module.functions)
    unread_ids_.emplace_back(function.first_id, function.first_id + function.counters);
  if (auto unit = describe_object_of(*m_, notes)) {
    unit->blind = true;
    m_->writer.unit(*unit);
  }
}

tl::expected<void, std::string> program_tables::check() const {
  if (!unread_.empty() && !has_notes_) return tl::unexpected(unread_);
  return {};
}

void program_tables::translate() {
  for (std::size_t i = files_.size(); i < model_.files().size(); ++i) {
    const std::string relative = name_of_source(*m_, model_.files()[i]);
    files_.push_back(relative.empty() ? outside : m_->writer.file(relative));
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> executable;
  for (std::size_t i = lines_.size(); i < model_.lines().size(); ++i) {
    const auto& line = model_.lines()[i];
    const std::uint32_t file = files_[line.file];
    lines_.push_back(file == outside ? nothing : store::make_element(requirement_kind::line, file, line.line));
    if (file != outside) executable[file].push_back(line.line);
  }
  for (auto& [file, lines] : executable) {
    std::sort(lines.begin(), lines.end());
    m_->writer.set_executable_lines(file, lines);
  }
  for (std::size_t i = functions_.size(); i < model_.functions().size(); ++i) {
    const auto& f = model_.functions()[i];
    const std::uint32_t file = files_[f.file];
    functions_.push_back(file == outside ? nothing
                                         : store::make_element(requirement_kind::function, 0,
                                                               m_->writer.function({f.symbol, file, f.start_line,
                                                                                    f.end_line, f.artificial})));
  }
  translate_outcomes(model_.branches(), requirement_kind::branch, branches_);
  translate_outcomes(model_.conditions(), requirement_kind::condition, conditions_);
  translate_decisions();
  for (std::size_t i = units_.size(); i < model_.units().size(); ++i)
    units_.push_back(translate_unit(model_.units()[i].note_path));
  order_elements();
}

void program_tables::translate_outcomes(std::span<const gcov::branch_outcome> outcomes, requirement_kind kind,
                                        std::vector<store::element>& table) {
  static_assert(gcov::branch_outcomes <= store::branches_of_line);
  std::map<std::uint32_t, std::vector<std::uint32_t>> there_are;  // by file
  for (const auto& o : outcomes.subspan(table.size())) {
    const std::uint32_t file = files_[o.file];
    const bool kept = file != outside && o.line < store::lines_with_branches;
    const std::uint32_t number = store::branches_of_line * o.line + o.number;
    table.push_back(kept ? store::make_element(kind, file, number) : nothing);
    if (kept) there_are[file].push_back(number);
  }
  for (auto& [file, numbers] : there_are) {
    std::sort(numbers.begin(), numbers.end());
    if (kind == requirement_kind::branch)
      m_->writer.set_branches(file, numbers);
    else
      m_->writer.set_conditions(file, numbers);
  }
}

void program_tables::translate_decisions() {
  if (model_.decisions().size() == translated_decisions_) return;
  translated_decisions_ = model_.decisions().size();
  std::map<std::uint32_t, std::vector<store::packed_way>> of_file;
  for (const gcov::decision_way& each : model_.decisions()) {
    const auto packed = store::pack({each.function_line, each.line, each.decision, each.rank, each.is_counted,
                                     each.number, each.is_last, each.by_clang});
    if (packed && files_[each.file] != outside) of_file[files_[each.file]].push_back(*packed);
  }
  for (auto& [file, ways] : of_file) {
    std::ranges::sort(ways);
    m_->writer.set_decisions(file, ways);
  }
}

store::element program_tables::translate_unit(const std::string& note_path) {
  if (const auto known = describe_object_of(*m_, note_path))
    return store::make_element(requirement_kind::unit, 0, m_->writer.unit(*known));
  if (unknown_unit_.empty())
    m_->told.warn(
        fmt::format("suite '{}': the build has no record of what '{}' was compiled from; the suite's tests always run",
                    suite_, note_path));
  unknown_unit_ = note_path;
  return nothing;
}

void program_tables::order_elements() {
  const std::array tables{&lines_, &functions_, &units_, &branches_, &conditions_};
  all_.clear();
  for (const auto* table : tables) all_.insert(all_.end(), table->begin(), table->end());
  std::sort(all_.begin(), all_.end());
  all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    places_[i].clear();
    for (const store::element x : *tables[i])
      places_[i].push_back(static_cast<std::uint32_t>(std::lower_bound(all_.begin(), all_.end(), x) - all_.begin()));
  }
}

std::vector<store::element> program_tables::elements_of(const gcov::executed& executed,
                                                        std::span<const gcov::counter> counters) const {
  std::vector<std::uint64_t> is_executed(all_.size() / 64 + 1);
  const std::array indices{&executed.lines, &executed.functions, &executed.units, &executed.branches,
                           &executed.conditions};
  std::size_t count = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    for (const std::uint32_t index : *indices[i]) {
      const std::uint32_t place = places_[i][index];
      is_executed[place / 64] |= std::uint64_t{1} << (place % 64);
    }
    count += indices[i]->size();
  }
  std::vector<store::element> elements;
  elements.reserve(count);
  for (std::size_t word = 0; word < is_executed.size(); ++word)
    for (std::uint64_t left = is_executed[word]; left != 0; left &= left - 1)
      if (const auto x = all_[word * 64 + static_cast<std::size_t>(std::countr_zero(left))]; x != nothing)
        elements.push_back(x);
  const auto first_unshown = static_cast<std::ptrdiff_t>(elements.size());
  for (const std::uint32_t line : model_.unshown(counters))
    if (lines_[line] != nothing && std::binary_search(executed.lines.begin(), executed.lines.end(), line))
      elements.push_back(unshown_of(lines_[line]));
  for (const std::uint32_t line : executed.supposed)
    if (lines_[line] != nothing) elements.push_back(unshown_of(lines_[line]));
  std::sort(elements.begin() + first_unshown, elements.end());
  elements.erase(std::unique(elements.begin() + first_unshown, elements.end()), elements.end());
  return elements;
}

std::vector<store::element> program_tables::executed(std::span<const gcov::counter> counters) const {
  return elements_of(model_.convert(counters), counters);
}

std::vector<store::element> program_tables::started(std::span<const gcov::counter> counters,
                                                    const source_places& registrations) const {
  // A line of a system header can be a block of the user's own initializers (iostream's in every unit that includes
  // it).
  const auto executed = model_.convert(counters, [&](std::uint32_t file, std::uint32_t line) {
    return files_[file] == outside || registrations.count({model_.files()[file], line}) != 0;
  });
  return elements_of(executed, counters);
}

std::uint32_t program_tables::incomplete() const {
  return unknown_unit_.empty() ? 0U : morph_stream::unknown_unit;
}

std::uint32_t program_tables::incomplete(std::span<const gcov::counter> counters) const {
  const bool runs_unread = std::any_of(unread_ids_.begin(), unread_ids_.end(), [&](const auto& ids) {
    const auto at = std::ranges::lower_bound(counters, ids.first, {}, &gcov::counter::id);
    return at != counters.end() && at->id < ids.second;
  });
  return incomplete() | (runs_unread ? morph_stream::unknown_unit : 0U);
}

void sort_set(std::vector<store::element>& elements) {
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
}

void add_executed(std::vector<store::element>& to, std::span<const store::element> more) {
  std::vector<store::element> shown = shown_elsewhere(unshown_in(to), more);
  for (const store::element x : shown_elsewhere(unshown_in(more), to)) shown.push_back(x);
  add_elements(to, more);
  std::erase_if(to, [&](store::element x) { return std::find(shown.begin(), shown.end(), x) != shown.end(); });
}

result<const program_tables*> known_programs::tables(const std::string& executable,
                                                     std::vector<gcov::module_record> modules,
                                                     std::vector<gcov::module_record> late) {
  known& k = programs_[executable];
  if (k.tables && k.modules == modules && k.late == late) return k.tables.get();
  auto tables = std::make_unique<program_tables>(m_, suite_);
  for (const auto& module : modules) tables->add(module);
  if (auto some = tables->check(); !some) return tl::unexpected(some.error());
  for (const auto& module : late) tables->add(module);
  tables->translate();
  k = {std::move(modules), std::move(late), std::move(tables)};
  return k.tables.get();
}

}  // namespace morph::measuring
