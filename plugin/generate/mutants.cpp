// Schemata in a mirror of their own, compiled by the rules of the program of calls.
#include "plugin/generate/mutants.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/build/mirror.hpp"
#include "plugin/mutating/rejected.hpp"
#include "plugin/mutating/request.hpp"
#include "plugin/mutating/sources.hpp"
#include "plugin/source_reader/morph_source.hpp"

namespace morph::generate {
namespace {

namespace fs = std::filesystem;

std::uint32_t line_at(const std::string& source, std::uint32_t offset) {
  return static_cast<std::uint32_t>(1 + std::count(source.begin(), source.begin() + offset, '\n'));
}

/// On one line, so short that a comment can hold it.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 40;
  std::string made;
  for (const char c : text) {
    const bool is_blank = c == '\n' || c == '\t' || c == ' ' || c == '\r';
    if (!is_blank)
      made += c;
    else if (!made.empty() && made.back() != ' ')
      made += ' ';
  }
  if (made.size() <= most) return made;
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(made[end]) & 0xC0U) == 0x80U) --end;  // within a character
  return made.substr(0, end) + "...";
}

class mutant_builder {
 public:
  mutant_builder(const build::build_tree& tree, subject& of, const call_program& plain,
                 const std::vector<mutant_text>& wanted, system::observer& told)
      : tree_(tree),
        of_(of),
        plain_(plain),
        wanted_(wanted),
        told_(told),
        folder_(tree.own_dir() / "generate" / "mutants") {}

  result<mutant_program> build() {
    if (auto read = read_mutants(); !read) return tl::unexpected(read.error());
    if (all_mutants() == 0)
      return tl::unexpected(std::string(wanted_.empty() ? "its functions have no place that can be mutated"
                                                        : "its functions have none of these mutants"));
    mutating::rejections rejected(request_, commands_, tree_.binary_dir);
    const program_kind kind{.folder = folder_,
                            .options = options_,
                            .nodes = sources_.nodes,
                            .texts = [&] { return texts(); },
                            .drop = [&](const std::string& log) { return !rejected.drop(sources_, log).empty(); }};
    auto built = build_program(tree_, of_, kind, plain_.dropped, told_);
    if (!built) return tl::unexpected(built.error());
    return mutant_program{built->executable, listed()};
  }

 private:
  result<void> read_mutants() {
    const fs::path mirror = mirror_of(folder_, tree_);
    if (auto made = build::update_mirror(tree_.source_dir, mirror, {tree_.binary_dir}, {}); !made)
      return tl::unexpected(made.error());
    if (auto linked = build::link_neighbours(tree_.source_dir, mirror); !linked) return linked;
    auto operators = mutating::operators_named({});
    if (!operators) return tl::unexpected(operators.error());
    for (std::size_t i = 0; i < of_.sources.size(); ++i) {
      build::compile_unit unit = in_mirror(of_.sources[i], tree_, mirror);
      unit.arguments.insert(unit.arguments.end(), options_.begin(), options_.end());
      unit.object = (folder_ / fmt::format("unit{}.o", i)).string();
      commands_.push_back(std::move(unit));
    }
    const std::set<std::string> files = of_.goals.files();
    request_ = {.source = tree_.source_dir,
                .mirror = mirror,
                .state = folder_,
                .units = commands_,
                .production = commands_.size(),
                .except = {},
                .only = {files.begin(), files.end()},
                .operators = *operators,
                .extreme = true,
                .compiler = tree_.compiler_path};
    auto sources = mutating::read_sources(request_, told_);
    if (!sources) return tl::unexpected(sources.error());
    sources_ = std::move(*sources);
    for (mutation::mutated_file& file : sources_.files) leave_out_others(file);
    return {};
  }

  /// What is no function of the unit stays as it is.
  void leave_out_others(mutation::mutated_file& file) const {
    std::set<mutation::alternative_id> dropped(file.dropped.begin(), file.dropped.end());
    for (std::uint32_t i = 0; i < file.places.places.size(); ++i) {
      const mutation::place& place = file.places.places[i];
      const std::uint32_t line = line_at(file.source, place.begin);
      const bool is_wanted = std::ranges::any_of(of_.goals.functions, [&](const tested_function& each) {
        return each.is_wanted && each.file == file.path && each.line <= line && line <= each.end_line;
      });
      for (std::uint32_t number = 0; number < place.alternatives.size(); ++number)
        if (!is_wanted || (!wanted_.empty() && !wanted(file, place, place.alternatives[number])))
          dropped.insert({i, number});
    }
    file.dropped.assign(dropped.begin(), dropped.end());
  }

  std::optional<std::size_t> wanted(const mutation::mutated_file& file, const mutation::place& place,
                                    const mutation::alternative& with) const {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const mutant_text& each = wanted_[i];
      if (each.begin == place.begin && each.end == place.end && each.op == with.op && each.replacement == with.text &&
          each.file == file.path)
        return i;
    }
    return std::nullopt;
  }

  std::size_t all_mutants() const {
    std::size_t all = 0;
    for (const mutation::mutated_file& file : sources_.files) all += file.mutants();
    return all;
  }

  result<std::map<std::string, std::optional<std::string>>> texts() const {
    std::map<std::string, std::optional<std::string>> made;
    for (const mutation::mutated_file& file : sources_.files) made[file.path] = file.rewritten().text;
    return made;
  }

  std::vector<unit_mutant> listed() const {
    std::vector<unit_mutant> made;
    for (const mutation::mutated_file& file : sources_.files)
      for (std::uint32_t i = 0; i < file.places.places.size(); ++i) {
        const mutation::place& place = file.places.places[i];
        for (std::uint32_t number = 0; number < place.alternatives.size(); ++number) {
          if (!file.is_live(i, number)) continue;
          const mutation::alternative& with = place.alternatives[number];
          const bool is_body = place.kind == mutation::place_kind::body;
          made.push_back(
              {.file = file.path,
               .line = line_at(file.source, place.begin),
               .op = with.op,
               .original = is_body ? "" : shortened(file.source.substr(place.begin, place.end - place.begin)),
               .text = shortened(with.text),
               .on = {file.node_of(i), file.switch_of(i), number + 1, 0},
               .is_compared = mutation::is_compared(place, number),
               .wanted = wanted(file, place, with)});
        }
      }
    return made;
  }

  const build::build_tree& tree_;
  subject& of_;
  const call_program& plain_;
  const std::vector<mutant_text>& wanted_;
  system::observer& told_;
  fs::path folder_;
  // Columns of messages are bytes then.
  std::vector<std::string> options_{"-include", (runtime_folder().parent_path() / "morph_mutants.h").string(),
                                    "-ftabstop=1"};
  std::vector<build::compile_unit> commands_;
  source_reader::source_request request_;
  mutating::mutated_sources sources_;
};

}  // namespace

result<mutant_program> build_mutants(const build::build_tree& tree, subject& of, const call_program& plain,
                                     const std::vector<mutant_text>& wanted, system::observer& told) {
  return mutant_builder(tree, of, plain, wanted, told).build();
}

}  // namespace morph::generate
