// What the rows of the table of frameworks are made of.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/frameworks/batch_runner.hpp"
#include "plugin/frameworks/framework.hpp"

namespace morph::frameworks {

/// What `program --list-it` did wrong, without its name.
tl::unexpected<std::string> bad_listing(const std::vector<std::string>& with, const std::string& what);

/// As gtest_discover_tests() does, first without EXTRA_ARGS; some programs do nothing without them.
listing_end list_with(const listing_program& program, std::vector<std::string> list);

/// Empty if the program has not written it.
std::string report_of(const listing_program& program);

result<std::vector<listed_case>> list_gtest(const listing_program& program);
std::vector<std::string> choose_gtest(std::span<const std::string> names);
std::unique_ptr<framework_runner> make_gtest_runner();

result<std::vector<listed_case>> list_catch2(const listing_program& program);
std::vector<std::string> choose_catch2(std::span<const std::string> names);
std::unique_ptr<framework_runner> make_catch2_runner();

result<std::vector<listed_case>> list_doctest(const listing_program& program);
std::vector<std::string> choose_doctest(std::span<const std::string> names);
std::unique_ptr<framework_runner> make_doctest_runner();

/// Morph's own specs.
result<std::vector<listed_case>> list_spec(const listing_program& program);
std::vector<std::string> choose_spec(std::span<const std::string> names);
std::unique_ptr<framework_runner> make_spec_runner();

}  // namespace morph::frameworks
