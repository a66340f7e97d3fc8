// Joins the notes of a program's units into tables, and turns rows of counters into sets over them.
#include "coverage/gcov/program_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>

#include "coverage/gcov/branches.hpp"
#include "coverage/gcov/clang_note.hpp"
#include "coverage/gcov/records.hpp"

namespace morph::gcov {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

std::uint64_t line_key(std::uint32_t file, std::uint32_t line) {
  return std::uint64_t{file} << 32 | line;
}

using status = tl::expected<void, std::string>;

std::string note_path_of(const std::string& gcda_path) {
  const std::string_view suffix = ".gcda";
  const auto stem = gcda_path.ends_with(suffix) ? gcda_path.size() - suffix.size() : gcda_path.size();
  return gcda_path.substr(0, stem) + ".gcno";
}

class index_set {
 public:
  explicit index_set(std::size_t size) : words_((size + 63) / 64) {}

  void insert(std::uint32_t index) { words_[index / 64] |= std::uint64_t{1} << (index % 64); }

  std::vector<std::uint32_t> sorted() const {
    std::size_t size = 0;
    for (const auto word : words_) size += static_cast<std::size_t>(std::popcount(word));
    std::vector<std::uint32_t> result;
    result.reserve(size);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (auto word = words_[i]; word != 0; word &= word - 1) {
        result.push_back(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))));
      }
    }
    return result;
  }

 private:
  std::vector<std::uint64_t> words_;
};

std::uint32_t masks_of(const note_function& function) {
  return static_cast<std::uint32_t>(2 * function.conditions.size());
}

std::uint32_t counters_of(const note_function& function) {
  return static_cast<std::uint32_t>(
      std::count_if(function.arcs.begin(), function.arcs.end(), [](const arc& a) { return !a.on_tree; }));
}

}  // namespace

initialization_role role_in_initialization(std::string_view symbol) {
  for (const std::string_view prefix : {"_GLOBAL__sub_I_", "_GLOBAL__sub_D_", "_GLOBAL__I_", "_GLOBAL__D_"}) {
    if (symbol.starts_with(prefix)) return initialization_role::caller;
  }
  if (symbol.starts_with("__cxx_global_var_init")) return initialization_role::variable;
  // GoogleTest's TEST_P registers itself in a function of its own, on its own line.
  if (symbol.starts_with("_ZN") && symbol.ends_with("_Test13AddToRegistryEv")) return initialization_role::caller;
  // Mangled as _Z41__static_initialization_and_destruction_0ii, clones have a suffix.
  const auto at = symbol.find("__static_initialization_and_destruction_0");
  const bool initializers = at != std::string_view::npos && (at == 0 || symbol.starts_with("_Z"));
  return initializers ? initialization_role::initializers : initialization_role::none;
}

status program_model::add(const module_record& module, const place_finder& places_of, std::string note_path) {
  if (note_path.empty()) note_path = note_path_of(module.gcda_path);
  const auto bytes = read_(note_path);
  if (!bytes)
    return tl::unexpected(fmt::format("{}; '{}' belongs to it: rebuild the twin", bytes.error(), module.gcda_path));
  auto parsed = parse_note(*bytes, note_path);
  if (!parsed) return tl::unexpected(parsed.error());
  if (parsed->clang)
    if (auto corrected = correct_clang_note(*parsed, note_path, read_); !corrected)
      return tl::unexpected(corrected.error());
  if (places_of) move_lines(*parsed, places_of);
  const note& notes = *parsed;

  const auto disagree = [&](std::string_view what, std::uint32_t in_notes, std::uint32_t in_program) {
    return tl::unexpected(fmt::format(
        "the notes '{}' do not belong to the program that writes '{}': {} is {} in the notes and {} in the program; "
        "rebuild the twin",
        note_path, module.gcda_path, what, in_notes, in_program));
  };
  if (gcc_major(module.gcc_version) != notes.gcc) {
    return disagree("the version of gcc", static_cast<std::uint32_t>(notes.gcc),
                    static_cast<std::uint32_t>(gcc_major(module.gcc_version)));
  }
  if (module.stamp != notes.stamp) return disagree("the stamp", notes.stamp, module.stamp);
  // GCC 12 writes a checksum into the program only and leaves that of the notes 0.
  if (notes.checksum != 0 && module.checksum != notes.checksum) {
    return disagree("the checksum", notes.checksum, module.checksum);
  }

  // An ident is a hash of the name, so two functions may have the same.
  std::unordered_multimap<std::uint32_t, const note_function*> by_ident;
  for (const auto& function : notes.functions) by_ident.emplace(function.ident, &function);
  std::vector<std::pair<const note_function*, const module_function*>> measured;
  for (const auto& function : module.functions) {
    if (function.counters == 0) continue;
    const auto [first, last] = by_ident.equal_range(function.ident);
    if (first == last) {
      return tl::unexpected(
          fmt::format("the notes '{}' lack a function (ident {}) of the program that writes '{}'; rebuild the twin",
                      note_path, function.ident, module.gcda_path));
    }
    const auto exact = std::find_if(first, last, [&](const auto& candidate) {
      return candidate.second->lineno_checksum == function.lineno_checksum &&
             candidate.second->cfg_checksum == function.cfg_checksum;
    });
    const note_function& noted = *(exact == last ? first : exact)->second;
    const auto of = [&](std::string_view what) { return fmt::format("{} of '{}'", what, noted.symbol); };
    if (noted.lineno_checksum != function.lineno_checksum) {
      return disagree(of("the line checksum"), noted.lineno_checksum, function.lineno_checksum);
    }
    if (noted.cfg_checksum != function.cfg_checksum) {
      return disagree(of("the flow checksum"), noted.cfg_checksum, function.cfg_checksum);
    }
    if (const auto counters = counters_of(noted); counters != function.counters) {
      return disagree(of("the number of counters"), counters, function.counters);
    }
    if (const auto masks = masks_of(noted); masks != function.masks) {
      return disagree(of("the number of masks of conditions"), masks, function.masks);
    }
    measured.emplace_back(&noted, &function);
  }

  std::vector<id_range> added;
  added.reserve(measured.size());
  for (std::uint32_t i = 0; i < measured.size(); ++i) {
    const auto& function = *measured[i].second;
    const auto number = static_cast<std::uint32_t>(instances_.size() + i);
    added.push_back({function.first_id, function.counters, number, false});
    if (function.masks > 0) added.push_back({function.first_mask_id, function.masks, number, true});
  }
  const auto earlier = [](const id_range& a, const id_range& b) { return a.first < b.first; };
  std::sort(added.begin(), added.end(), earlier);
  std::vector<id_range> ranges;
  ranges.reserve(ranges_.size() + added.size());
  std::merge(ranges_.begin(), ranges_.end(), added.begin(), added.end(), std::back_inserter(ranges), earlier);
  const auto overlap = std::adjacent_find(
      ranges.begin(), ranges.end(), [](const id_range& a, const id_range& b) { return b.first - a.first < a.count; });
  if (overlap != ranges.end()) {
    return tl::unexpected(fmt::format("two functions share the counter {}, one of them of '{}': rebuild the twin",
                                      std::next(overlap)->first, module.gcda_path));
  }
  ranges_ = std::move(ranges);

  std::vector<std::uint32_t> file_ids(notes.files.size(), none);
  const auto use_file = [&](std::uint32_t file) {
    if (file_ids[file] == none) file_ids[file] = file_id(resolved_path(notes.cwd, notes.files[file]));
  };
  const std::uint32_t unit = unit_id(note_path);
  for (const auto& [function, counted] : measured) {
    use_file(function->file);
    for (const auto& place : function->locations) use_file(place.file);
    add_instance(*function, notes.clang, file_ids, unit);
  }
  std::vector<const note_function*> functions;
  for (const auto& [function, counted] : measured) functions.push_back(function);
  find_weak_mentions(notes, functions);
  return {};
}

const flow& program_model::instance::counts() const {
  if (!planned) planned.emplace(blocks, arcs, conserved);
  return *planned;
}

void program_model::add_instance(const note_function& from, bool clang, std::span<const std::uint32_t> file_ids,
                                 std::uint32_t unit) {
  instance made{function_id(from, file_ids[from.file], unit),
                unit,
                from.blocks,
                role_in_initialization(from.symbol),
                clang ? conservation::before_calls : conservation::everywhere,
                from.arcs,
                {},
                {},
                {},
                {}};
  // The guards of the initializers branch, and their end goes to the exit; what does neither, or calls, initializes.
  std::vector<std::uint8_t> calls(from.blocks, 0), leaves(from.blocks, 0), successors(from.blocks, 0);
  for (const auto& a : from.arcs) {
    if (a.fake) {
      calls[a.source] = 1;
    } else {
      leaves[a.source] |= a.destination == exit_block ? 1 : 0;
      if (successors[a.source] < 2) ++successors[a.source];
    }
  }
  // GCC 13 and later test no priority: what stands in that line may be the initializer itself.
  const bool tests_priority = from.symbol.find("_initialization_and_destruction_0v") == std::string_view::npos;
  const auto is_scaffolding = [&](const location& place, std::uint32_t line) {
    if (made.role == initialization_role::none || made.role == initialization_role::variable) return false;
    if (made.role == initialization_role::initializers && !tests_priority) return false;
    if (place.file != from.file || line != from.start_line) return false;
    const bool guards = successors[place.block] > 1 || leaves[place.block] != 0;
    return made.role == initialization_role::caller || (guards && calls[place.block] == 0);
  };

  made.lines.reserve(from.lines.size());
  std::uint32_t block = none, last_line = 0;
  for (const auto& place : from.locations) {
    if (place.block != block) last_line = 0;
    block = place.block;
    const auto add_line = [&](std::uint32_t line) {
      if (!is_scaffolding(place, line)) made.lines.push_back({block, line_id(file_ids[place.file], line)});
    };
    for (const auto line : std::span(from.lines).subspan(place.first, place.count)) add_line(last_line = line);
    if (place.count == 0 && last_line != 0) add_line(last_line);
  }
  const bool is_written = !from.artificial && made.role == initialization_role::none;
  if (is_written) add_outcomes(from, clang, file_ids, made);
  if (is_written && clang) {
    const std::uint32_t file = file_ids[from.file];
    const auto [found, inserted] =
        body_ids_.try_emplace(line_key(file, from.start_line), static_cast<std::uint32_t>(bodies_.size()));
    if (inserted) bodies_.emplace_back();
    made.body = found->second;
    std::set<std::uint32_t> own;
    for (const auto& [at, line] : made.lines)
      if (lines_[line].file == file) own.insert(line);
    made.own_lines = own.size();
    bodies_[made.body].insert(own.begin(), own.end());
  }
  instances_.push_back(std::move(made));
}

namespace {

using line_decisions = std::map<std::uint32_t, std::vector<std::vector<decision_way>>>;

// Clang puts a block between some of two that follow each other; it stands behind the first of them.
std::uint32_t leads_to(const note_function& of, bool clang, const arc& way) {
  if (!clang || !way.on_tree) return way.destination;
  const auto further = std::ranges::find(of.arcs, way.destination, &arc::source);
  return further == of.arcs.end() ? way.destination : further->destination;
}

void add_decision(const note_function& from, bool clang,
                  std::vector<std::pair<std::uint32_t, std::uint32_t>> ways,  // arc, number
                  decision_way made, line_decisions& to) {
  const auto place_of = [&](const auto& way) {
    return clang ? std::pair(leads_to(from, clang, from.arcs[way.first]), from.arcs[way.first].destination)
                 : std::pair(way.first, 0U);
  };
  std::ranges::sort(ways, {}, place_of);
  auto& of_line = to[made.line];
  made.decision = static_cast<std::uint32_t>(of_line.size());
  of_line.emplace_back();
  for (const auto& [arc, number] : ways) {
    made.rank = static_cast<std::uint32_t>(of_line.back().size());
    made.is_counted = !clang || !from.arcs[arc].on_tree;
    made.number = number;
    of_line.back().push_back(made);
  }
}

}  // namespace

void program_model::add_outcomes(const note_function& from, bool clang, std::span<const std::uint32_t> file_ids,
                                 instance& made) {
  const auto branches = branches_of(from);
  std::unordered_map<std::uint32_t, std::uint32_t> numbered, numbered_terms;  // by line
  std::vector<std::uint32_t> condition_at(from.conditions.empty() ? 0 : from.blocks, none);
  for (std::uint32_t i = 0; i < from.conditions.size(); ++i) condition_at[from.conditions[i].block] = i;
  line_decisions decisions;
  std::uint32_t block = none, line = none;  // where the block has been found to end so far
  for (const auto& place : from.locations) {
    if (place.block != block) line = none;
    const auto before = line;
    block = place.block;
    const auto here = std::span(from.lines).subspan(place.first, place.count);
    if (!here.empty()) line = line_id(file_ids[place.file], *std::max_element(here.begin(), here.end()));
    if (line == before || (!clang && block + 1 == from.blocks)) continue;
    const auto at = lines_[line];
    const bool starts_here = place.file == from.file && at.line == from.start_line;
    const std::uint32_t first = starts_here ? 32 * from.start_column : 0;
    const auto [from_block, end] = std::ranges::equal_range(branches, block, {}, &branch::block);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ways;  // arc, number
    for (const auto& b : std::ranges::subrange(from_block, end)) {
      if (b.is_throw || !b.decides) continue;
      ways.emplace_back(b.arc, (first + numbered[line]++) % branch_outcomes);
      made.branches.push_back({b.arc, outcome_id({at.file, at.line, ways.back().second}, branches_, branch_ids_)});
    }
    if (!ways.empty() && place.file == from.file)
      add_decision(from, clang, ways, {at.file, from.start_line, at.line, 0, 0, true, 0, false, clang}, decisions);
    if (const auto i = condition_at.empty() ? none : condition_at[block]; i != none) {
      condition_place found{i, static_cast<std::uint32_t>(made.condition_outcomes.size()), 0};
      for (std::uint32_t n = 0; n < 2 * from.conditions[i].terms; ++n) {
        const auto number = (first + numbered_terms[line]++) % branch_outcomes;
        made.condition_outcomes.push_back(outcome_id({at.file, at.line, number}, conditions_, condition_ids_));
      }
      found.end = static_cast<std::uint32_t>(made.condition_outcomes.size());
      made.conditions.push_back(found);
    }
  }
  std::ranges::stable_sort(made.conditions, {}, &condition_place::condition);
  for (auto& [at, of_line] : decisions)
    for (auto& each : of_line)
      for (decision_way& way : each) {
        way.is_last = &each == &of_line.back();
        decisions_.insert(way);
      }
}

executed program_model::convert(std::span<const counter> counters) const {
  return convert(counters, [](std::uint32_t, std::uint32_t) { return false; });
}

executed program_model::convert(std::span<const counter> counters, const line_filter& drop) const {
  index_set lines(lines_.size()), supposed(lines_.size()), functions(functions_.size()), units(units_.size()),
      branches(branches_.size()), conditions(conditions_.size());
  std::vector<std::int64_t> arc_counts;
  std::vector<std::uint8_t> blocks;
  // Bit t of the first mask of a condition: its term t decided while it was true; of the second: while it was false.
  const auto add_conditions = [&](const instance& of, std::uint32_t mask, std::uint64_t bits) {
    for (const auto& place : std::ranges::equal_range(of.conditions, mask / 2, {}, &condition_place::condition)) {
      for (auto left = bits; left != 0; left &= left - 1) {
        const auto outcome = place.first + 2 * static_cast<std::uint32_t>(std::countr_zero(left)) + mask % 2;
        if (outcome < place.end) conditions.insert(of.condition_outcomes[outcome]);
      }
    }
  };

  const auto add_left_out = [&](const instance& of) {
    if (of.body == none) return;
    const body& all = bodies_[of.body];
    if (all.size() == of.own_lines) return;
    for (const std::uint32_t line : all)
      if (std::ranges::find(of.lines, line, &block_line::line) == of.lines.end()) supposed.insert(line);
  };

  auto range = ranges_.begin();
  for (auto at = counters.begin(); at != counters.end();) {
    // The next one is near: its distance is found in steps that double.
    std::ptrdiff_t near = 1;
    while (near < ranges_.end() - range && range[near].first <= at->id) near *= 2;
    range =
        std::ranges::upper_bound(range, range + std::min(near, ranges_.end() - range), at->id, {}, &id_range::first);
    if (at->count == 0 || range == ranges_.begin() || at->id - std::prev(range)->first >= std::prev(range)->count) {
      ++at;
      continue;
    }
    --range;
    const instance& hit = instances_[range->instance];
    if (range->masks) {
      for (; at != counters.end() && at->id - range->first < range->count; ++at)
        add_conditions(hit, at->id - range->first, at->count);
      continue;
    }
    const auto first = at;
    while (at != counters.end() && at->id - range->first < range->count) ++at;
    const bool initializes = hit.role != initialization_role::none;
    if (!initializes && std::equal(first, at, hit.last.counts.begin(), hit.last.counts.end())) {
      for (const std::uint32_t line : hit.last.lines) lines.insert(line);
      for (const std::uint32_t branch : hit.last.branches) branches.insert(branch);
      add_left_out(hit);
      functions.insert(hit.function);
      units.insert(hit.unit);
      continue;
    }
    const flow& counts = hit.counts();
    arc_counts.assign(hit.arcs.size(), 0);
    for (auto c = first; c != at; ++c) {
      arc_counts[counts.counted()[c->id - range->first]] = static_cast<std::int64_t>(c->count);
    }
    counts.solve(arc_counts);
    blocks.assign(hit.blocks, 0);
    mark_executed_blocks(counts, hit.arcs, arc_counts, blocks);

    hit.last.counts.assign(first, at);
    hit.last.lines.clear();
    hit.last.branches.clear();
    bool contributes = !initializes;
    for (const auto& [block, line] : hit.lines) {
      if (blocks[block] == 0) continue;
      if (initializes && drop(lines_[line].file, lines_[line].line)) continue;
      lines.insert(line);
      hit.last.lines.push_back(line);
      contributes = true;
    }
    if (!contributes) continue;
    add_left_out(hit);
    functions.insert(hit.function);
    units.insert(hit.unit);
    for (const auto& [arc, branch] : hit.branches) {
      if (arc_counts[arc] == 0) continue;
      branches.insert(branch);
      hit.last.branches.push_back(branch);
    }
  }
  executed found{lines.sorted(), functions.sorted(), units.sorted(), branches.sorted(), conditions.sorted()};
  std::ranges::set_difference(supposed.sorted(), found.lines, std::back_inserter(found.supposed));
  for (const std::uint32_t line : found.supposed) lines.insert(line);
  if (!found.supposed.empty()) found.lines = lines.sorted();
  return found;
}

std::uint32_t program_model::file_id(const std::string& path) {
  const auto [found, inserted] = file_ids_.try_emplace(path, static_cast<std::uint32_t>(files_.size()));
  if (inserted) files_.push_back(path);
  return found->second;
}

std::uint32_t program_model::line_id(std::uint32_t file, std::uint32_t line) {
  const auto [found, inserted] = line_ids_.try_emplace(line_key(file, line), static_cast<std::uint32_t>(lines_.size()));
  if (inserted) lines_.push_back({file, line});
  return found->second;
}

std::uint32_t program_model::function_id(const note_function& from, std::uint32_t file, std::uint32_t unit) {
  const auto key = fmt::format("{} {} {}", file, from.start_line, from.symbol);
  const auto [found, inserted] = function_ids_.try_emplace(key, static_cast<std::uint32_t>(functions_.size()));
  if (inserted) functions_.push_back({from.symbol, file, from.start_line, from.end_line, from.artificial, unit});
  return found->second;
}

std::uint32_t program_model::outcome_id(const branch_outcome& outcome, std::vector<branch_outcome>& table,
                                        outcome_ids& ids) {
  const std::uint64_t line = line_id(outcome.file, outcome.line);
  const auto [found, inserted] =
      ids.try_emplace(line * branch_outcomes + outcome.number, static_cast<std::uint32_t>(table.size()));
  if (inserted) table.push_back(outcome);
  return found->second;
}

std::uint32_t program_model::unit_id(const std::string& note_path) {
  const auto [found, inserted] = unit_ids_.try_emplace(note_path, static_cast<std::uint32_t>(units_.size()));
  if (inserted) units_.push_back({note_path});
  return found->second;
}

}  // namespace morph::gcov
