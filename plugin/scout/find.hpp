// Which tests of a project hold metamorphic relations.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/compile_commands.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/scout/relations.hpp"
#include "plugin/system/observer.hpp"

namespace morph::scout {

struct request {
  std::string named{};        // a source, or a test; empty: all
  bool only_changed = false;  // tests in which a line has changed: since `since`, else since HEAD left the main branch
  std::string since{};        // a revision
  bool across = false;        // relations of calls that have no unit in common, too
};

struct source_error {
  std::string file{};
  unsigned line = 0;
  std::string text{};
};

/// A source of tests.
struct test_source {
  build::compile_unit unit{};
  source_parts parts{};
  std::vector<test> tests{};
  std::map<std::size_t, std::size_t> without_braces{};  // of relation::stops: statements, and where they end
};

struct found {
  std::vector<test> tests{};                    // those that were asked for, in the order of files and lines
  std::vector<test_source> sources{};           // all by sources: tests in a header are of each that includes it
  std::vector<std::string> files{};             // sources that have tests
  std::size_t read = 0;                         // of these, that were not known from another time
  std::map<std::string, std::size_t> unread{};  // tests of frameworks that are not known, by their macros
  std::optional<std::vector<refuted_relation>> refuted{};  // of observe()
  std::vector<source_error> errors{};  // the first of each source that does not parse; what can be read of it is read
};

/// Reads all sources of tests of GoogleTest, Catch2 and doctest by their own compile commands. Answers are kept in the
/// build tree: a source is read again only if it, one of its headers or its command has changed.
contract::outcome<found> find_relations(const build::build_tree& tree, const request& asked, system::observer& told);

}  // namespace morph::scout
