// Finds the innermost place that is before several others.
#include "plugin/setup/insertion.hpp"

#include <algorithm>

namespace morph::setup {

namespace {

/// The line of a command, or of the comment that stands directly above it.
insertion_point line_above(const reading& project, place at) {
  const source_file& file = project.files[at.file];
  const auto start_of_line = [&](std::size_t offset) {
    const auto newline = offset == 0 ? std::string::npos : file.text.rfind('\n', offset - 1);
    return newline == std::string::npos ? 0 : newline + 1;
  };
  std::size_t offset = start_of_line(project.at(at).begin);
  const std::string indentation = file.text.substr(offset, project.at(at).begin - offset);
  while (offset > 0) {
    const std::size_t above = start_of_line(offset - 1);
    const auto first = file.text.find_first_not_of(" \t", above);
    if (first == std::string::npos || file.text[first] != '#') break;
    offset = above;
  }
  const auto line = 1 + std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  const bool blank = indentation.find_first_not_of(" \t") == std::string::npos;
  return {at.file, offset, static_cast<std::uint32_t>(line), blank ? indentation : ""};
}

/// By each way in which its file is read.
std::vector<std::vector<place>> chains_to(const reading& project, place at) {
  std::vector<std::vector<place>> chains{chain_to(project, at)};
  const std::vector<place> usual = chains.front();
  for (std::size_t step = 1; step < usual.size(); ++step)
    for (const place other : project.files[usual[step].file].other_parents)
      for (std::vector<place> chain : chains_to(project, other)) {
        chain.insert(chain.end(), usual.begin() + static_cast<std::ptrdiff_t>(step), usual.end());
        chains.push_back(std::move(chain));
      }
  return chains;
}

}  // namespace

std::vector<place> chain_to(const reading& project, place at) {
  std::vector<place> chain{at};
  while (chain.front().file != 0) {
    const source_file& file = project.files[chain.front().file];
    chain.insert(chain.begin(), place{file.parent, file.parent_at});
  }
  return chain;
}

insertion_point before_all(const reading& project, const std::vector<place>& places, reach how) {
  std::vector<std::vector<place>> chains;
  for (const place p : places)
    for (auto& chain : chains_to(project, p)) chains.push_back(std::move(chain));
  std::size_t depth = 0;  // of the common file
  const auto same_step = [&](std::size_t d) {
    return std::all_of(chains.begin(), chains.end(), [&](const auto& chain) {
      return d + 1 < chain.size() && chain[d].command == chains[0][d].command &&
             chain[d + 1].file == chains[0][d + 1].file;
    });
  };
  while (how == reach::innermost && same_step(depth)) ++depth;

  place first = chains[0][depth];
  std::vector<build::cmake_block> common = project.at(first).blocks;
  for (const auto& chain : chains) {
    const auto& blocks = project.at(chain[depth]).blocks;
    const auto end = std::mismatch(common.begin(), common.end(), blocks.begin(), blocks.end()).first;
    common.erase(end, common.end());
    if (chain[depth].command < first.command) first = chain[depth];
  }
  for (std::size_t i = 0; i < common.size(); ++i) {
    const bool repeats = project.at({first.file, common[i].opener}).name != "if";
    if (repeats || how == reach::top_level || (how == reach::top_file && common[i].branch != 0)) {
      common.resize(i);
      break;
    }
  }
  const auto& blocks = project.at(first).blocks;
  if (blocks.size() > common.size()) first.command = blocks[common.size()].opener;
  return line_above(project, first);
}

names conditions_around(const reading& project, const std::vector<place>& places) {
  if (places.empty()) return {};
  std::vector<build::cmake_block> common = project.at(chain_to(project, places[0])[0]).blocks;
  for (const place p : places)
    for (const auto& chain : chains_to(project, p)) {
      const auto& blocks = project.at(chain[0]).blocks;
      common.erase(std::mismatch(common.begin(), common.end(), blocks.begin(), blocks.end()).first, common.end());
    }
  names texts;
  for (const build::cmake_block& b : common) {
    const build::cmake_command& c = project.at({0, b.opener});
    if (c.name != "if" || b.branch != 0) break;
    texts.push_back(project.files[0].text.substr(c.begin, c.end - c.begin));
  }
  return texts;
}

}  // namespace morph::setup
