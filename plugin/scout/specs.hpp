// Relations as specs: a source of specs for each source of tests.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/scout/find.hpp"

namespace morph::scout {

/// Where a spec's inputs come from. What is wider comes last.
inline constexpr const char* seed_lists[] = {"from the test", "like these", "any"};

/// In the first line of each source of specs.
inline constexpr const char* written_by_scout = "`morph scout` has written this.";

struct spec {
  std::string name{};  // of the spec, and the beginning of the names of what is written for it
  std::string test{};  // the first that holds the relation
  relation of{};       // has a function
  std::vector<std::vector<std::string>> examples{};  // inputs of the tests, one for each input of the function
  std::vector<std::string> fixed{};                  // names of inputs that are constants again
  std::vector<std::string> seeds{};                  // lists that are written, of `seed_lists`
};

/// The specs of one source of tests.
struct spec_source {
  std::string file{};  // of the tests, from the root of the project
  std::string stem{};  // of what is written: no other source has it
  const test_source* from = nullptr;
  std::vector<spec> specs{};
};

/// One for each assertion that a function can be made of, whatever tests lead to it.
std::vector<spec_source> specs_of(const found& of);

struct spec_text {
  std::string text{};
  struct lines {
    std::size_t first = 0, last = 0;
  };
  std::vector<lines> of_specs{};         // from 1; with what is written for each alone
  std::vector<lines> of_declarations{};  // of the source of tests, as `relation_function::uses` counts; 0: not written
};

/// `for_trial`: with further lists, in which one input varies (`list_of_input()`), and little patience.
spec_text text_of(const spec_source& of, bool for_trial = false);

/// The list in which this input alone varies.
std::string list_of_input(const function_input& input);

/// Without some of its inputs, which are what the first test has in their place; nothing if there is no such test.
std::optional<spec> narrowed(const spec& of, const std::set<std::string>& inputs);

/// Without its line ends.
std::string in_one_line(const std::string& text);

/// "crc32c_test.relations.spec.cpp", and the program that CMake makes of it.
std::string file_name_of(const spec_source& of);
std::string target_name_of(const spec_source& of);

}  // namespace morph::scout
