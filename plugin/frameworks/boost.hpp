// Boost.Test: its programs' lists of cases, its filters, and what it tells in batches.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/frameworks/batch_runner.hpp"
#include "plugin/frameworks/framework.hpp"

namespace morph::frameworks {

result<std::vector<listed_case>> list_boost(const listing_program& program);

/// Out of `--list_content=DOT`: the cases that are enabled, by the names of their suites and their own with slashes
/// between them. An error if there is no list in the text.
result<std::vector<listed_case>> parse_boost_dot(std::string_view text);

/// For `--run_test`. What its filters take for their own (`:`, `,`, wildcards and marks, where a name was given after
/// Boost.Test has cleaned it) is left to a `*` at an end of that suite's or case's name.
std::string boost_pattern(std::string_view case_name);

std::vector<std::string> choose_boost(std::span<const std::string> names);

std::unique_ptr<framework_runner> make_boost_runner();

/// `suite.inner.case`, as `--logger=JUNIT` joins `classname` and `name`.
std::string boost_name_in_junit(std::string_view case_name);

}  // namespace morph::frameworks
