// Uniting the parts of a mutation run, and what a union lacks.
#include "plugin/report/mutation_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

#include "plugin/git/repository.hpp"

namespace morph::report {
namespace {

constexpr std::uint32_t most_shards = 1U << 16;  // that are told one by one
constexpr std::size_t most_named = 3;            // differences of a kind

struct kind_words {
  std::string_view kind, title;
  bool is_of_files;  // their values are digests
};
constexpr std::array kinds{kind_words{"version", "another version of Morph", false},
                           kind_words{"sources", "other sources", true},
                           kind_words{"tests", "other tests", true},
                           kind_words{"data", "other files that tests may read", true},
                           kind_words{"build files", "other build files", true},
                           kind_words{"configuration", "another configuration", false},
                           kind_words{"options", "other compile options", true},
                           kind_words{"suites", "suites that run otherwise", true},
                           kind_words{"operators", "other operators", true},
                           kind_words{"limits", "other limits", false},
                           kind_words{"scope", "other mutants", true}};

std::string name_of(const judged_part& part) {
  return part.of == 1 ? std::string("the run") : fmt::format("shard {} of {}", part.shard, part.of);
}

/// Of all shards, by the least number of parts that holds each of them; nothing if those are too many to be told.
struct shard_cover {
  std::uint32_t of = 1;
  std::set<std::uint32_t> finished;

  bool holds(const judged_part& part) const {
    for (std::uint32_t s = part.shard; s <= of; s += part.of)
      if (!finished.contains(s)) return false;
    return true;
  }
};

shard_cover cover_of(const std::vector<judged_part>& parts) {
  shard_cover cover;
  std::uint64_t of = 1;
  for (const judged_part& part : parts)
    of = std::min<std::uint64_t>(std::lcm(of, std::uint64_t{part.of}), most_shards + 1);
  if (of > most_shards) return cover;
  cover.of = static_cast<std::uint32_t>(of);
  for (const judged_part& part : parts)
    if (part.ended == run_end::finished)
      for (std::uint32_t s = part.shard; s <= cover.of; s += part.of) cover.finished.insert(s);
  return cover;
}

void add_missing_parts(std::vector<std::string>& missing, const std::vector<judged_part>& parts) {
  const shard_cover cover = cover_of(parts);
  std::set<std::uint32_t> begun = cover.finished;
  for (const judged_part& part : parts) {
    for (std::uint32_t s = part.shard; s <= cover.of; s += part.of) begun.insert(s);
    if (part.ended != run_end::finished && !cover.holds(part))
      missing.push_back(fmt::format("{} {}", name_of(part),
                                    part.ended == run_end::budget ? "ended at its budget" : "was interrupted"));
  }
  std::vector<std::uint32_t> absent;
  for (std::uint32_t s = 1; s <= cover.of; ++s)
    if (!begun.contains(s)) absent.push_back(s);
  if (absent.size() == 1) missing.push_back(fmt::format("shard {} of {} is missing", absent.front(), cover.of));
  if (absent.size() > 1)
    missing.push_back(fmt::format("shards {} of {} are missing", fmt::join(absent, ", "), cover.of));
}

std::string difference_in(const kind_words& kind, const std::map<std::string, std::string>& one,
                          const std::map<std::string, std::string>& other) {
  std::set<std::string> names;
  for (const auto* facts : {&one, &other})
    for (const auto& [name, value] : *facts) names.insert(name);
  std::vector<std::string> differing;
  for (const std::string& name : names) {
    const auto a = one.find(name), b = other.find(name);
    if (a == one.end() || b == other.end())
      differing.push_back(fmt::format("'{}' is in one of them alone", on_one_line(name)));
    else if (a->second != b->second && kind.is_of_files)
      differing.push_back(fmt::format("'{}' was not the same", on_one_line(name)));
    else if (a->second != b->second)
      differing.push_back(fmt::format("{} was '{}' and '{}'", on_one_line(name),
                                      on_one_line(std::min(a->second, b->second)),
                                      on_one_line(std::max(a->second, b->second))));
  }
  if (differing.empty()) return {};
  const std::size_t more = differing.size() - std::min(differing.size(), most_named);
  differing.resize(differing.size() - more);
  return fmt::format("{}: {}{}", kind.title, fmt::join(differing, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace

std::vector<std::string> missing_of(const mutation_result& result) {
  std::vector<std::string> missing;
  if (result.run)
    add_missing_parts(missing, result.run->parts);
  else
    missing.emplace_back("an older Morph has made it, so that it cannot be proven whole");
  if (!result.is_whole) missing.emplace_back("a test program could not judge");
  std::size_t left = 0;
  for (const mutated_source& file : result.files)
    left += static_cast<std::size_t>(std::ranges::count(file.mutants, mutant_state::not_judged, &mutant_result::state));
  if (left == 1) missing.emplace_back("1 mutant is not judged");
  if (left > 1) missing.push_back(fmt::format("{} mutants are not judged", left));
  return missing;
}

run_record unite(const run_record& one, const run_record& other) {
  run_record both = one;
  if (one.commit != other.commit) both.commit.clear();
  both.parts.insert(both.parts.end(), other.parts.begin(), other.parts.end());
  std::ranges::sort(both.parts);  // of a shard, the run that finished comes first
  const auto twice = std::ranges::unique(both.parts, {}, [](const judged_part& p) { return std::pair(p.shard, p.of); });
  both.parts.erase(twice.begin(), twice.end());
  return both;
}

std::string difference_of(const run_facts& one, const run_facts& other) {
  static const std::map<std::string, std::string> none;
  const auto in = [](const run_facts& facts, std::string_view kind) -> const std::map<std::string, std::string>& {
    const auto found = facts.find(std::string(kind));
    return found == facts.end() ? none : found->second;
  };
  for (const kind_words& kind : kinds)
    if (std::string what = difference_in(kind, in(one, kind.kind), in(other, kind.kind)); !what.empty()) return what;
  return one == other ? std::string() : std::string("facts of a newer Morph");
}

std::string digest_of(const run_facts& facts) {
  std::string all;
  for (const auto& [kind, named] : facts)
    for (const auto& [name, value] : named) all += fmt::format("{}\n{}\n{}\n", kind, name, value);
  return git::blob_hash(all);
}

}  // namespace morph::report
