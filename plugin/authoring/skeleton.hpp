// From a described function to the parts of a spec: what its input and output are, and how the one becomes the other.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "plugin/authoring/types.hpp"
#include "plugin/source_reader/constants.hpp"

namespace morph::authoring {

struct spec_skeleton {
  std::string name;
  std::string function;            // its signature
  nlohmann::json fields;           // the members of the input; one without a name: it is the whole input; "from":
                                   // which argument it is (from_tests.hpp)
  std::string given_input;         // a type of the user's that has these members; else one is written
  nlohmann::json output;           // its members, likewise
  std::vector<std::string> call;   // statements that make the output of `in`
  std::vector<std::string> notes;  // what its reader should know
  std::vector<source_reader::constant> constants;      // that the function compares with
  std::vector<std::vector<std::string>> from_tests{};  // values of the fields that the project's tests give
  bool may_throw = true;
};

/// `input` is the type that the user asked for, or null. The error says what cannot be an input or an output and what
/// to do about it.
tl::expected<spec_skeleton, std::string> make_skeleton(const std::string& name, const nlohmann::json& function,
                                                       described_types& types, const nlohmann::json& input);

struct spec_place {
  std::string include;     // as it stands in <> or ""
  bool is_system = false;  // <>
  bool is_c = false;       // a header of C that does not say so to C++
};

/// The spec as text. Placeholders of the template are @name@, @function@, @includes@, @types@, @input@, @output@,
/// @call@,
/// @options@, @seeds@, @datamorphisms@ and @relations@. An error names the line with another one.
tl::expected<std::string, std::string> render(const spec_skeleton& skeleton, const described_types& types,
                                              const spec_place& place, const std::string& spec_template,
                                              std::size_t& datamorphisms);

}  // namespace morph::authoring
