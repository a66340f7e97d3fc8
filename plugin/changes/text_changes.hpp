// What changed texts do to code, told before it is built.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/impact.hpp"
#include "plugin/workspace/baseline.hpp"

namespace morph::changes {

struct text_changes {
  /// By path. Of sources of which compilers make what they made before: nothing. Of those of which some functions'
  /// bodies alone may differ: the functions of the evidence that may be called so, in whichever program.
  std::map<std::string, std::vector<selection::code_change>> explained;
  /// Not explained, since functions may be put into their callers (something is optimized): sources that no other
  /// one includes, and of which some bodies alone may differ. Who executed nothing compiled with one is not affected,
  /// unless its object is an own one of the program.
  std::set<std::string> confined;
};

/// Goes by the texts alone (build/text_difference). `facts`: what is known of the changes beside.
text_changes read_texts(const build::build_tree& tree, const git::repository& repo, const selection::file_kinds& kinds,
                        const workspace::found_baseline& baseline, const selection::change_facts& facts);

}  // namespace morph::changes
