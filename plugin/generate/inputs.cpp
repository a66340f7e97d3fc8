// Reading tests, and the file of sequences.
#include "plugin/generate/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "plugin/generate/sequence_text.hpp"
#include "plugin/system/files.hpp"

namespace morph::generate {
namespace {

std::filesystem::path file_of_sequences(const build::build_tree& tree, const std::string& unit) {
  std::string name;
  for (const char c : unit) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' ? c : '_';
  return tree.own_dir() / "generate" / (name + ".sequences");
}

void resume(read_input& to, const std::filesystem::path& file, const api& offered, literal_table& literals,
            system::observer& told) {
  const auto text = system::read_file(file);
  if (!text) return told.warn(fmt::format("nothing to resume: {}", text.error()));
  auto read = parsed(*text, offered, literals);
  if (!read)
    return told.warn(fmt::format("'{}' is not used: {}; this run writes it anew", file.string(), read.error()));
  if (read->dropped > 0)
    told.warn(fmt::format("{} calls of the last run are not there any more, and were left out", read->dropped));
  to.resumed = read->all.size();
  // Its calls may be gone, and what they were given is of use.
  for (const sequence& each : read->all)
    for (const call& one : each)
      for (const argument& given : one.arguments)
        if (given.kind == morph_argument_literal) literals.offer(literal(literals[given.number]));
  to.known.first.insert(to.known.first.begin(), read->all.begin(), read->all.end());
}

}  // namespace

read_input read_inputs(const build::build_tree& tree, const subject& of, const api& offered, literal_table& literals,
                       const input_options& options, system::observer& told) {
  read_input made;
  made.known = inputs_of(of.tests, tree.source_dir.string(), of.offered, offered, literals, made.counts);
  std::vector<sequence>& first = made.known.first;
  std::ranges::stable_partition(first, [&](const sequence& each) {
    return std::ranges::any_of(each, [&](const call& one) { return offered.callables[one.callable].is_of_unit; });
  });
  const std::uint64_t most = options.most_sequences / 3;
  if (options.most_sequences > 0 && first.size() > most) first.resize(most);
  if (options.resumes) resume(made, file_of_sequences(tree, of.unit), offered, literals, told);
  return made;
}

result<void> keep_sequences(const build::build_tree& tree, const std::string& unit, const search_result& found,
                            const api& offered, const literal_table& literals) {
  std::vector<sequence> all;
  std::set<sequence> seen;
  for (const auto& [goal, one] : found.archive)
    if (seen.insert(one.calls).second) all.push_back(one.calls);
  return system::write_file_atomically(file_of_sequences(tree, unit), printed(all, offered, literals));
}

}  // namespace morph::generate
