// The files of a project that hold program mutants, and the numbers of their nodes.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coverage/mutation/schemata.hpp"

namespace morph::mutation {

struct mutated_file {
  std::string path;                       // from the root of the project
  std::string source;                     // the original
  file_places places;                     // settled
  std::vector<alternative_id> dropped{};  // sorted
  std::uint32_t first_node = 0;

  rewritten_source rewritten() const { return rewrite(source, places, dropped, first_node); }
  std::uint32_t node_of(std::uint32_t place) const { return first_node + place; }
  /// That is set with the place's, so that the function around it runs as it was rewritten.
  std::uint32_t switch_of(std::uint32_t place) const;
  bool is_live(std::uint32_t place, std::uint32_t number) const;
  /// That are not left out.
  std::size_t mutants() const;
};

/// Nodes of one file: it keeps them while it fits, so that an edit of another one changes nothing in it.
struct node_block {
  std::uint32_t first = 0;
  std::uint32_t room = 0;

  bool operator==(const node_block&) const = default;
};

/// Gives each file its nodes. Blocks of files that are gone are free again. Returns how many nodes there are, free ones
/// among them.
std::uint32_t assign_nodes(std::vector<mutated_file>& files, std::map<std::string, node_block>& blocks);

/// Leaves out what a compiler rejected at a byte of the rewritten text: the alternative there, or else all alternatives
/// of the place. False if nothing of ours is there, or it is left out already.
bool drop_at(mutated_file& file, const rewritten_source& text, std::uint32_t offset);

/// A byte of a rewritten text.
struct rewritten_byte {
  mutated_file* file;
  const rewritten_source* text;
  std::uint32_t offset;
};

/// Leaves out what a compiler rejected, `at` being where it says that the error is, and behind that what led there, the
/// nearest first: points of instantiation. Original text is at fault only if nothing else of ours is there: the call in
/// an alternative instantiates a function with other types, and the error is in that. False as for drop_at().
bool drop_cause(std::span<const rewritten_byte> at);

/// Bytes [first, second) of the statement around a byte of the original, as far as tokens tell where it ends; of all
/// that a line has a part in.
std::pair<std::uint32_t, std::uint32_t> statement_at(const mutated_file& file, std::uint32_t offset);
std::pair<std::uint32_t, std::uint32_t> statements_at_line(const mutated_file& file, std::uint32_t line);
std::pair<std::uint32_t, std::uint32_t> statement_around(std::string_view source, std::uint32_t offset);
/// Of the arguments of the call whose name, or one of whose parentheses, is at a byte; none if there is no call.
std::pair<std::uint32_t, std::uint32_t> arguments_at(std::string_view source, std::uint32_t offset);

// What follows returns how many alternatives were not left out before.

/// Leaves out what is in some bytes of the original.
std::size_t drop_between(mutated_file& file, std::pair<std::uint32_t, std::uint32_t> bytes);

/// Leaves out all that is in the innermost function around a line, or in those of one line.
std::size_t drop_functions(mutated_file& file, std::uint32_t line);

/// Leaves out all that is in the functions that a compiler or linker calls so: "int a::f(int) [with T = int]".
std::size_t drop_functions(mutated_file& file, std::string_view said);

std::size_t drop_all(mutated_file& file);

/// Leaves out the alternatives that name what their original does not. Returns where each of them begins.
std::vector<std::uint32_t> drop_naming(mutated_file& file, std::string_view name);

}  // namespace morph::mutation
