// Filters a pool by the rows that its cases have in the store.
#include "plugin/pools/filter.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "plugin/pools/passing_files.hpp"
#include "plugin/pools/pool_file.hpp"
#include "plugin/pools/words.hpp"
#include "plugin/system/files.hpp"

namespace morph::pools {
namespace {

std::optional<std::uint32_t> number_of_cases(const std::string& text) {
  std::uint32_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_whole && number > 0 ? std::optional(number) : std::nullopt;
}

}  // namespace

result<std::optional<filter_request>> read_filter(const std::vector<std::string>& words) {
  filter_request asked;
  bool minimizes = false, selects = false, removes = false;
  std::string wrong;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string name = words[i], value;
    const std::size_t equals = name.find('=');
    const bool has_value = equals != std::string::npos;
    if (has_value) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (i + 1 < words.size()) {
      value = words[i + 1];
    }
    const bool is_ours = name == "--most" || (name == "--by" && (value == "minimize" || value == "select"));
    if (name == "--remove") removes = true;
    if (!is_ours) {
      asked.words.push_back(words[i]);
      continue;
    }
    if (!has_value) ++i;
    if (value == "minimize") minimizes = true;
    if (value == "select") selects = true;
    if (name != "--most") continue;
    asked.most = number_of_cases(value);
    if (!asked.most) {
      wrong = fmt::format("--most needs a number of cases from 1 on, not '{}'", value);
      asked.most = 0;
    }
  }
  if (!minimizes && !selects) return std::nullopt;
  if (minimizes && selects) wrong = "--by minimize and --by select are two ways; name one";
  if (selects && !asked.most) wrong = "--by select needs --most N, how many cases";
  if (minimizes && asked.most) wrong = "--most is for --by select; --by minimize keeps as many as it takes";
  if (removes) wrong = "--by minimize and --by select say what stays; leave out --remove";
  if (!wrong.empty()) return tl::unexpected(wrong);
  return asked;
}

contract::outcome<filtered_pool> filter_by_rows(const build::build_tree& tree, const build::suite& suite,
                                                const filter_request& asked) {
  const std::set<std::string> ids = ids_in_pool(value_of(asked.words, "--pool"));
  const suite_rows rows = rows_of(tree, suite, ids);
  if (!rows.missing.empty() || rows.of_cases.empty())
    return contract::not_done(
        contract::environment,
        fmt::format("no case of the pool was measured by itself{}; declare the suite with ENVIRONMENT "
                    "MORPH_SPEC_CASES=1 and run `morph measure`",
                    rows.missing.empty() ? "" : fmt::format(" ({})", rows.missing)));
  // With `--most` lines and branches alone count: what is left over is told in their number.
  case_wishes wishes;
  if (pool_kills kills = kills_of(tree, suite, ids); !asked.most && kills.missing.empty())
    wishes.serves = std::move(kills.by_case);
  filtered_pool made;
  made.found = reduce_cases(rows, asked.most, wishes);
  made.keeps_kills = !wishes.serves.empty();
  made.is_limited = asked.most.has_value();
  made.measured = rows.of_cases.size();
  std::string stay;
  for (const std::string& id : made.found.ids) stay += id + '\n';
  for (const std::string& id : ids)
    if (rows.of_cases.count(id) == 0) {
      stay += id + '\n';
      ++made.unmeasured;
    }
  const scratch_file file(tree, "filter");
  if (const auto written = system::write_file_atomically(file.path(), stay); !written)
    return contract::not_done(contract::environment, written.error());
  std::vector<std::string> words{suite.programs.front().executable.string()};
  words.insert(words.end(), asked.words.begin(), asked.words.end());
  words.insert(words.end(), {"--ids", file.path()});
  made.program = system::run({.arguments = words});
  return made;
}

std::string as_text(const filtered_pool& of) {
  const reduced_cases& found = of.found;
  std::string text = fmt::format("{} of {} measured cases cover {} of {} lines and branches{}{}\n", found.ids.size(),
                                 of.measured, found.covered, found.all, of.keeps_kills ? " and kill what all kill" : "",
                                 found.is_proven ? (of.is_limited ? "; no others cover more" : "; no fewer do")
                                 : of.is_limited ? fmt::format("; none can cover more than {}", found.bound)
                                                 : fmt::format("; no fewer than {} can", found.bound));
  if (of.unmeasured > 0) text += fmt::format("{} that were not measured stay\n", of.unmeasured);
  return text;
}

}  // namespace morph::pools
