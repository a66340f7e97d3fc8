// A problem as a text that anybody can write: what `morph optimize --instance` reads.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "optimizer/cover/problem.hpp"

namespace morph::optimizer {

/// Line by line, blank ones and those that begin with '#' left out:
///
///   morph-instance 1
///   group lines 2000          a kind of requirements, and how many there are
///   group kills 40 10         the same, each of which weighs 10
///   test 1250 Area.OfSquare   what it costs in microseconds, its name
///   lines 0-5 9 12            what it covers of a group
///   kills 3
///
/// Groups come before tests. What a test covers may take several lines.
struct instance_file {
  cover_matrix matrix;
  std::vector<std::int64_t> group_weights;
  std::vector<std::string> tests;
};

/// What is known of so many takes a gigabyte of memory; a file may not have more.
inline constexpr std::int64_t most_requirements = std::int64_t{1} << 26;

/// An error names the line: "line 4: ...".
tl::expected<instance_file, std::string> read_instance(std::istream& in);

/// As number_requirements() says. An error before anything is written: a name that a line cannot hold, or too many
/// requirements.
tl::expected<void, std::string> write_instance(std::ostream& out, const instance_file& instance);

/// The requirements of a group in a file: those of one class stand beside each other, those that nobody covers come
/// last. One that weighs n becomes n of them.
struct requirement_numbers {
  std::vector<std::int64_t> firsts;  // classes x groups: the first of cover_matrix::members
  std::vector<std::int64_t> sizes;   // by group
};
/// An error if they are more than a file may have.
tl::expected<requirement_numbers, std::string> number_requirements(const cover_matrix& matrix);

}  // namespace morph::optimizer
