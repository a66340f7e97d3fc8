// One run of the tests that hold relations: whether both calls were made in front of the assertion.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/scout/find.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::scout {

/// What was noted, in the order of the run: a byte in front of which a statement stands, or where a test begins.
struct noted {
  std::size_t at = 0;
  bool begins = false;
};

/// Why the assertion does not relate both calls, by the notes of its test's runs; empty if one of them shows it, "?" if
/// its test did not run.
std::string why_refuted(const relation& of, const std::pair<std::size_t, std::size_t>& body,
                        const std::vector<noted>& notes);

/// Compiles a copy of each source that notes which statements it reaches, links it in place of the source's object, and
/// runs the tests in the folder of their program. Relations that did not happen move to found::refuted;
/// `relation::unseen` says of others why nothing is known.
result<void> observe(const build::build_tree& tree, found& of, system::observer& told);

}  // namespace morph::scout
