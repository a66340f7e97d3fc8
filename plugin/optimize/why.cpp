// Who else covers what a test covers, as JSON and text.
#include "plugin/optimize/why.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "optimizer/cover/state.hpp"
#include "plugin/contract/formats.hpp"

namespace morph::optimize {
namespace {

using nlohmann::json;

/// Kept tests that together cover what a test covers, the one that covers most of what is left first, with that much.
json who_covers(const optimize_instance& in, const optimizer::cover_problem& problem, const optimizer::test_set& kept,
                std::uint32_t test) {
  const optimizer::cover_matrix& matrix = *problem.matrix;
  const auto classes = matrix.classes_of(test);
  std::vector<std::uint32_t> open(classes.begin(), classes.end());
  json list = json::array();
  while (!open.empty()) {
    std::vector<std::int64_t> gains(matrix.test_count());
    for (const std::uint32_t c : open)
      for (const std::uint32_t t : matrix.tests_of(c))
        if (t != test && optimizer::has(kept, t)) gains[t] += problem.weight[c];
    const auto best = std::max_element(gains.begin(), gains.end());
    if (*best == 0) break;
    const auto chosen = static_cast<std::uint32_t>(best - gains.begin());
    list.push_back({{"name", in.file.tests[chosen]}, {"covers", *best}});
    std::erase_if(open, [&](std::uint32_t c) {
      const auto who = matrix.tests_of(c);
      return std::binary_search(who.begin(), who.end(), chosen);
    });
  }
  return list;
}

void add_places(std::string& text, const json& places) {
  for (const auto& [kind, of_kind] : places.items()) {
    if (of_kind.is_number()) {
      text += fmt::format("  {} {}\n", of_kind.get<std::int64_t>(), kind);
    } else if (of_kind.is_object()) {
      for (const auto& [file, numbers] : of_kind.items())
        text += fmt::format("  {}: {} {}\n", file, kind, numbers.get<std::string>());
    } else {
      for (const json& name : of_kind) text += fmt::format("  {}: {}\n", kind, name.get<std::string>());
    }
  }
}

}  // namespace

result<std::uint32_t> find_test(const optimize_instance& in, const std::string& name) {
  const auto& tests = in.file.tests;
  if (const auto at = std::find(tests.begin(), tests.end(), name); at != tests.end())
    return static_cast<std::uint32_t>(at - tests.begin());
  if (std::find(in.doubtful.begin(), in.doubtful.end(), name) != in.doubtful.end())
    return tl::unexpected(fmt::format("'{}' runs in any case, since its evidence is incomplete", name));
  std::vector<std::string> like;
  for (const std::string& test : tests)
    if (test.find(name) != std::string::npos && like.size() < 5) like.push_back(test);
  return tl::unexpected(fmt::format("there is no test '{}'{}", name,
                                    like.empty() ? std::string("; `morph optimize --json` names all")
                                                 : fmt::format("; there are: {}", fmt::join(like, ", "))));
}

json why_as_json(const optimize_instance& in, const optimizer::cover_problem& problem,
                 const std::vector<optimizer::test_role>& roles, const optimizer::test_set& kept, std::uint32_t test) {
  const std::vector<bool> all(roles.size(), true);
  std::vector<bool> of_kept(roles.size());
  for (std::uint32_t t = 0; t < roles.size(); ++t) of_kept[t] = optimizer::has(kept, t);
  return {{"schema", contract::optimize_why_schema},
          {"name", in.file.tests[test]},
          {"kept", static_cast<bool>(of_kept[test])},
          {"covers", roles[test].covers},
          {"same_as", roles[test].same_as ? json(in.file.tests[*roles[test].same_as]) : json(nullptr)},
          {"alone", covered_alone(in, test, all)},
          {"alone_among_kept", covered_alone(in, test, of_kept)},
          {"covered_by", who_covers(in, problem, kept, test)}};
}

std::string why_as_text(const json& why) {
  const std::string name = why.at("name");
  const bool kept = why.at("kept");
  const json &alone = why.at("alone"), &among_kept = why.at("alone_among_kept");
  std::string text = fmt::format("{} is {}\n", name, kept ? "kept" : "left out");
  if (!alone.empty()) {
    text += "no other test covers:\n";
    add_places(text, alone);
  }
  if (among_kept != alone) {
    text += fmt::format("{} test that is kept covers:\n", kept ? "no other" : "no");
    add_places(text, among_kept);
  }
  if (!why.at("same_as").is_null())
    text += fmt::format("it covers exactly what {} does\n", std::string(why["same_as"]));
  if (why.at("covers") == 0) return text + "it covers nothing that counts\n";
  if (why.at("covered_by").empty()) return text;
  text += fmt::format("of the {} that it covers, other tests that are kept cover, one after the other:\n",
                      why.at("covers").get<std::int64_t>());
  for (const json& other : why["covered_by"])
    text += fmt::format(" {:9}  {}\n", other.at("covers").get<std::int64_t>(), other.at("name").get<std::string>());
  return text;
}

}  // namespace morph::optimize
