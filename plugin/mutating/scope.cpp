// Changed lines, shares by digest, and the drawing of a sample.
#include "plugin/mutating/scope.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "plugin/git/repository.hpp"
#include "plugin/selection/file_kind.hpp"

namespace morph::mutating {
namespace {

std::uint32_t line_at(const std::string& text, std::uint32_t offset) {
  return static_cast<std::uint32_t>(
             std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n')) +
         1;
}

}  // namespace

result<changed_lines> lines_changed_since(const build::build_tree& tree, const std::string& revision) {
  const auto repo = git::repository::open(tree.source_dir);
  if (!repo) return tl::unexpected(repo.error());
  std::string from = revision;
  if (from.empty()) {
    const auto branch = repo->branch_point();
    if (!branch)
      return tl::unexpected(std::string(
          "there is no branch main or master, here or at 'origin', that HEAD has left; name a revision with --since"));
    from = *branch;
  }
  const auto start = repo->nearest(from, [](const std::string&) { return true; });
  if (!start) return tl::unexpected(start.error());
  const selection::file_kinds kinds(repo->root(), tree.ignore);
  const auto changes =
      repo->changes_since((*start)->tree, {}, [&](const std::string& path) { return kinds.counts_untracked(path); });
  if (!changes) return tl::unexpected(changes.error());
  const std::string top = repo->relative(tree.source_dir);
  const std::string root = top.empty() || top == "." ? "" : top + "/";
  changed_lines changed;
  for (const git::file_change& change : *changes) {
    if (change.how == git::file_change::kind::deleted || !change.path.starts_with(root)) continue;
    std::vector<line_run>& runs = changed[change.path.substr(root.size())];
    if (change.how == git::file_change::kind::added || change.binary) runs.push_back({0, UINT32_MAX});
    for (const git::hunk& h : change.hunks)
      runs.push_back(h.new_count == 0 ? line_run{h.new_start, h.new_start + 1}
                                      : line_run{h.new_start, h.new_start + h.new_count - 1});
  }
  return changed;
}

bool is_changed(const mutation::mutated_file& file, const mutation::place& place, const changed_lines& changed) {
  const auto runs = changed.find(file.path);
  if (runs == changed.end()) return false;
  line_run here{line_at(file.source, place.begin), line_at(file.source, place.end)};
  for (const auto& f : file.places.functions)
    if (f.begin <= place.begin && place.end <= f.end) {
      here = {line_at(file.source, f.begin), f.end_line};  // the outermost: its name in verdicts
      break;
    }
  return std::ranges::any_of(runs->second,
                             [&](const line_run& run) { return run.first <= here.last && here.first <= run.last; });
}

std::optional<shard> parse_shard(const std::string& text) {
  shard part;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, part.number);
  if (number.ec != std::errc() || number.ptr == end || *number.ptr != '/') return std::nullopt;
  const auto of = std::from_chars(number.ptr + 1, end, part.of);
  if (of.ec != std::errc() || of.ptr != end || part.number == 0 || part.number > part.of) return std::nullopt;
  return part;
}

bool is_in(const shard& part, const std::string& mutant) {
  std::uint64_t digest = 0;
  std::from_chars(mutant.data(), mutant.data() + mutant.size(), digest, 16);
  return digest % part.of == part.number - 1;
}

std::vector<std::size_t> draw_sample(const std::vector<std::string>& names, std::size_t count) {
  std::vector<std::size_t> drawn(names.size());
  for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] = i;
  std::ranges::sort(drawn, {}, [&](std::size_t i) { return std::pair(std::string_view(names[i]), i); });
  drawn.resize(std::min(count, drawn.size()));
  std::ranges::sort(drawn);
  return drawn;
}

unsigned jobs_for(const build::suite& suite, unsigned jobs) {
  static const std::set<std::string> false_values{"", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"};
  const bool is_alone = std::ranges::any_of(suite.properties, [](const auto& property) {
    std::string value = property.second;
    std::ranges::transform(value, value.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return property.first == "RESOURCE_LOCK" || (property.first == "RUN_SERIAL" && !false_values.contains(value));
  });
  return is_alone ? 1 : jobs;
}

}  // namespace morph::mutating
