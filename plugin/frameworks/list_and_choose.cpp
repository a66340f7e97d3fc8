// How the programs of GoogleTest, Catch2 and doctest are asked for their cases and told which to run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plugin/frameworks/rows.hpp"
#include "plugin/system/files.hpp"

namespace morph::frameworks {
namespace {

using arguments = std::vector<std::string>;

bool ended_by_itself(const system::process_end& end) {
  return end.how == system::process_end::kind::exited;
}

arguments joined(const char* option, std::string (*pattern)(std::string_view), std::span<const std::string> names) {
  std::string list = option;
  for (std::size_t i = 0; i < names.size(); ++i) list += (i == 0 ? "" : ",") + pattern(names[i]);
  return {list};
}

}  // namespace

tl::unexpected<std::string> bad_listing(const arguments& with, const std::string& what) {
  return tl::unexpected(fmt::format("{}': {}", with.front(), what));
}

listing_end list_with(const listing_program& program, arguments list) {
  listing_end end = program.run(list);
  if (!ended_by_itself(end) || end.succeeded() || program.extra_args.empty()) return end;
  list.insert(list.end(), program.extra_args.begin(), program.extra_args.end());
  return program.run(list);
}

std::string report_of(const listing_program& program) {
  const auto text = system::read_file(program.report);
  return text ? *text : std::string();
}

// ---- GoogleTest

result<std::vector<listed_case>> list_gtest(const listing_program& program) {
  const arguments list{"--gtest_list_tests", "--gtest_output=json:" + program.report.string()};
  const listing_end end = list_with(program, list);
  if (!end.succeeded()) return bad_listing(list, end.described);
  const std::string as_json = report_of(program);
  auto cases = read_gtest_listing(end.out, as_json, gtest_naming_of(program.cmake_version));
  if (!cases)
    return bad_listing(list,
                       "its list of tests is mixed with other output; keep the program from printing before it lists");
  if (as_json.empty() &&
      cases->empty())  // its own main() does not hand over: what it does would be lost without a word
    return bad_listing(
        list, "lists no case and is not answered by GoogleTest; if the program is one test, say FRAMEWORK none");
  return std::move(*cases);
}

std::vector<std::string> choose_gtest(std::span<const std::string> names) {
  return {fmt::format("--gtest_filter={}", fmt::join(names, ":")), "--gtest_also_run_disabled_tests"};
}

// ---- Catch2

result<std::vector<listed_case>> list_catch2(const listing_program& program) {
  const arguments as_xml{"--list-tests", "--reporter", "xml", "--out", program.report.string()};
  listing_end end = program.run(as_xml);
  if (!ended_by_itself(end)) return bad_listing(as_xml, end.described);
  if (auto cases = parse_catch2_xml(report_of(program)); cases && end.succeeded()) {
    if (may_lack_bytes(*cases)) restore_bytes(*cases, program.run({"--list-tests", "--verbosity", "quiet"}).out);
    return cases;
  }
  // Version 2 takes these arguments for a listing of another form; its exit status is the number of cases.
  const arguments as_names{"--list-test-names-only", "--verbosity", "high"};
  end = program.run(as_names);
  if (!ended_by_itself(end)) return bad_listing(as_names, end.described);
  std::string other_text;
  if (has_other_text(end.out)) {
    arguments nothing = as_names;
    nothing.emplace_back("a test that is not there");
    other_text = program.run(nothing).out;
  }
  auto cases = parse_catch2_names(end.out, other_text);
  if (!cases && !end.succeeded()) return bad_listing(as_xml, fmt::format("exit status {}, no list of tests", end.code));
  if (!cases) return bad_listing(as_xml, cases.error());
  return cases;
}

std::vector<std::string> choose_catch2(std::span<const std::string> names) {
  return joined("", catch2_pattern, names);
}

// ---- doctest

result<std::vector<listed_case>> list_doctest(const listing_program& program) {
  const arguments list{"--list-test-cases", "--reporters=xml", "--out=" + program.report.string()};
  const listing_end end = list_with(program, list);
  if (!end.succeeded()) return bad_listing(list, end.described);
  auto cases = parse_doctest_xml(report_of(program));
  if (!cases) cases = parse_doctest_xml(end.out);  // a main() that takes some of the options only
  if (!cases) return bad_listing(list, cases.error());
  if (may_lack_bytes(*cases)) restore_bytes(*cases, program.run({"--list-test-cases", "--no-colors"}).out);
  return cases;
}

/// A filter with an empty name is none: a case without a name is what is left when all that have one are excluded.
std::vector<std::string> choose_doctest(std::span<const std::string> names) {
  for (const std::string& name : names)
    if (name == doctest_unnamed) return names.size() == 1 ? arguments{"--test-case-exclude=?*"} : arguments{};
  return joined("--test-case=", doctest_pattern, names);
}

}  // namespace morph::frameworks
