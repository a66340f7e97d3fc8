// A mutation result as JSON (schema morph.mutation/1): what `morph mutate --json` prints, keeps and reads.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "plugin/report/mutation.hpp"

namespace morph::report {

/// One line. A source that is not UTF-8 is written as Latin-1, a character a byte, and says so ("encoding"): what is
/// read has the same bytes. In all other texts, bytes that are not UTF-8 become U+FFFD.
std::string mutation_as_json(const mutation_result& result);

nlohmann::json or_null(std::optional<double> share);

/// The error says what is wrong with the text, as in "there is no member 'files'".
tl::expected<mutation_result, std::string> read_mutation(std::string_view text);

}  // namespace morph::report
