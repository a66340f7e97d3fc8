// Instances as JSON, beside the text that optimizer/cover/instance_file.hpp describes.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "optimizer/cover/instance_file.hpp"

namespace morph::optimize {

/// Whether the first character that is no blank is '{'.
bool is_json(std::string_view text);

/// {"schema": "morph.instance/1",
///  "groups": [{"name": "lines", "requirements": 2000}, {"name": "kills", "requirements": 40, "weight": 10}],
///  "tests": [{"name": "Area.OfSquare", "microseconds": 1250, "covers": {"lines": [0, 1, 5], "kills": [3]}}]}
///
/// Members come in any order; others, and what is there twice, are errors: a slip is no test that covers nothing. An
/// error says where: "tests[3] 'Area.OfSquare': ...". Memory: 16 bytes a pair.
tl::expected<optimizer::instance_file, std::string> read_instance_json(std::string_view text);

/// A line a test; requirements as optimizer::number_requirements() says. An error before anything is written.
tl::expected<void, std::string> write_instance_json(std::ostream& out, const optimizer::instance_file& instance);

}  // namespace morph::optimize
