// Reading by nlohmann::json, then checking; writing test by test.
#include "plugin/optimize/instance_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <set>
#include <span>
#include <vector>

#include "plugin/contract/formats.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::optimize {
namespace {

using nlohmann::json;
using optimizer::instance_file;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

struct wrong {
  std::string what;
};

/// As errors quote it.
std::string shown(const json& value) {
  if (value.is_structured()) return fmt::format("an {}", value.type_name());
  std::string text = value.is_string() ? fmt::format("'{}'", value.get_ref<const std::string&>()) : value.dump();
  if (text.size() > 80) text = text.substr(0, 80) + "...";
  return text;
}

/// Sees what a parser sees, which keeps the last of several members of one name, and throws `wrong` at the second one.
class repetition_check : public json::json_sax_t {
 public:
  bool null() override { return begin_value(); }
  bool boolean(bool) override { return begin_value(); }
  bool number_integer(json::number_integer_t) override { return begin_value(); }
  bool number_unsigned(json::number_unsigned_t) override { return begin_value(); }
  bool number_float(json::number_float_t, const json::string_t&) override { return begin_value(); }
  bool string(json::string_t&) override { return begin_value(); }
  bool binary(json::binary_t&) override { return begin_value(); }
  bool start_object(std::size_t) override { return begin_level(false); }
  bool start_array(std::size_t) override { return begin_level(true); }
  bool end_object() override { return end_level(); }
  bool end_array() override { return end_level(); }
  bool key(json::string_t& name) override {
    if (!levels_.back().members.insert(name).second)
      throw wrong{fmt::format("{}the member {} is there twice", place(), shown(name))};
    levels_.back().member = name;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  struct level {
    bool is_array = false;
    std::size_t values = 0;
    std::string member{};
    std::set<std::string> members{};
  };

  bool begin_value() {
    if (!levels_.empty()) ++levels_.back().values;
    return true;
  }
  bool begin_level(bool is_array) {
    begin_value();
    levels_.push_back({is_array});
    return true;
  }
  bool end_level() {
    levels_.pop_back();
    return true;
  }

  /// Of the object that is read: "tests[3].covers: "
  std::string place() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < levels_.size() && text.size() < 80; ++i)
      text += levels_[i].is_array ? fmt::format("[{}]", levels_[i].values - 1)
                                  : fmt::format("{}{}", text.empty() ? "" : ".", levels_[i].member);
    return text.empty() ? text : text + ": ";
  }

  std::vector<level> levels_;
};

/// Twice over the text: the parser's own callback takes time by the square of an array's length.
json parse(std::string_view text) {
  repetition_check check;
  json::sax_parse(text.begin(), text.end(), &check);
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::exception& error) {
    const std::string_view what = error.what();  // "[json.exception.parse_error.101] parse error at ..."
    throw wrong{std::string(what.substr(std::min(what.find("] ") + 2, what.size())))};
  }
}

/// What is wanted of an object; `where` ends in a colon, or is empty.
const json& member(const json& object, const char* name, std::string_view where = {}) {
  const auto found = object.find(name);
  if (found == object.end()) throw wrong{fmt::format("{}there is no member '{}'", where, name)};
  return *found;
}

const json& array_in(const json& object, const char* name) {
  const json& found = member(object, name);
  if (!found.is_array()) throw wrong{fmt::format("'{}' is {} and no array", name, shown(found))};
  return found;
}

void expect_members(const json& object, const std::string& where, std::span<const char* const> known) {
  if (!object.is_object()) throw wrong{fmt::format("{}{} is no object", where, shown(object))};
  for (const auto& [name, value] : object.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw wrong{fmt::format("{}the member {} is unknown; there are: {}", where, shown(name), fmt::join(known, ", "))};
}

std::string name_in(const json& object, const std::string& where) {
  const json& name = member(object, "name", where);
  if (!name.is_string() || name.get_ref<const std::string&>().empty())
    throw wrong{fmt::format("{}the name is {}; it has to be a string that is not empty", where, shown(name))};
  return name;
}

bool is_whole(const json& value, std::int64_t most) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
}

std::int64_t number_in(const json& object, const char* name, std::int64_t most, const std::string& where) {
  const json& value = member(object, name, where);
  if (!is_whole(value, most))
    throw wrong{fmt::format("{}'{}' is {}; it has to be a whole number from 0 to {}", where, name, shown(value), most)};
  return value;
}

class reader {
 public:
  instance_file read(const json& root) {
    if (const json& schema = member(root, "schema"); schema != contract::instance_schema)
      throw wrong{fmt::format("the schema is {}; this morph reads '{}'", shown(schema), contract::instance_schema)};
    expect_members(root, "", std::array{"schema", "groups", "tests"});
    const json& groups = array_in(root, "groups");
    const json& tests = array_in(root, "tests");
    for (std::size_t i = 0; i < groups.size(); ++i) take_group(groups[i], fmt::format("groups[{}]", i));
    optimizer::matrix_builder builder(groups_);
    for (std::size_t i = 0; i < tests.size(); ++i) take_test(tests[i], fmt::format("tests[{}]", i), builder);
    made_.matrix = std::move(builder).finish();
    return std::move(made_);
  }

 private:
  void take_group(const json& group, std::string where) {
    expect_members(group, where + ": ", std::array{"name", "requirements", "weight"});
    const std::string name = name_in(group, where + ": ");
    where += fmt::format(" {}: ", shown(group["name"]));
    if (!numbers_.emplace(name, groups_.size()).second) throw wrong{where + "there is another group of this name"};
    const std::int64_t size = number_in(group, "requirements", optimizer::most_requirements, where);
    firsts_.push_back(static_cast<std::uint32_t>(requirements_));
    requirements_ += size;
    if (requirements_ > optimizer::most_requirements)
      throw wrong{fmt::format("{}there are more than {} requirements up to here", where, optimizer::most_requirements)};
    groups_.push_back({name, static_cast<std::uint32_t>(size)});
    made_.group_weights.push_back(group.contains("weight") ? number_in(group, "weight", optimizer::largest_sum, where)
                                                           : 1);
  }

  void take_test(const json& test, std::string where, optimizer::matrix_builder& builder) {
    expect_members(test, where + ": ", std::array{"name", "microseconds", "covers"});
    made_.tests.push_back(name_in(test, where + ": "));
    where += fmt::format(" {}: ", shown(test["name"]));
    const std::int64_t cost_us = number_in(test, "microseconds", optimizer::largest_sum, where);
    const json& covers = member(test, "covers", where);
    if (!covers.is_object()) throw wrong{fmt::format("{}'covers' is {} and no object", where, shown(covers))};
    std::vector<std::uint32_t> covered;
    for (const auto& [group, requirements] : covers.items()) take_covered(group, requirements, where, covered);
    builder.add_test(cost_us, covered);
  }

  void take_covered(const std::string& name, const json& requirements, const std::string& where,
                    std::vector<std::uint32_t>& covered) const {
    const auto group = numbers_.find(name);
    if (group == numbers_.end()) throw wrong{fmt::format("{}{} is no group", where, shown(name))};
    if (!requirements.is_array())
      throw wrong{fmt::format("{}{} is {} and no array", where, shown(name), shown(requirements))};
    const std::int64_t size = groups_[group->second].size;
    const std::uint32_t first = firsts_[group->second];
    const auto begin = static_cast<std::ptrdiff_t>(covered.size());
    for (const json& requirement : requirements) {
      if (!is_whole(requirement, size - 1) || size == 0)
        throw wrong{fmt::format("{}{} has {} requirements, from 0 on; {} is none of them", where, shown(name), size,
                                shown(requirement))};
      covered.push_back(first + requirement.get<std::uint32_t>());
    }
    std::sort(covered.begin() + begin, covered.end());
    if (const auto twice = std::adjacent_find(covered.begin() + begin, covered.end()); twice != covered.end())
      throw wrong{fmt::format("{}{} has requirement {} twice", where, shown(name), *twice - first)};
  }

  instance_file made_;
  std::vector<optimizer::requirement_group> groups_;
  std::vector<std::uint32_t> firsts_;           // by group
  std::map<std::string, std::size_t> numbers_;  // of groups
  std::int64_t requirements_ = 0;
};

std::string quoted(const std::string& text) {
  return json_text(json(text));
}

}  // namespace

bool is_json(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '{';
}

tl::expected<instance_file, std::string> read_instance_json(std::string_view text) {
  try {
    return reader().read(parse(text));
  } catch (const wrong& error) {
    return tl::unexpected(error.what);
  }
}

tl::expected<void, std::string> write_instance_json(std::ostream& out, const instance_file& instance) {
  const optimizer::cover_matrix& matrix = instance.matrix;
  const std::size_t group_count = matrix.groups.size();
  const auto numbers = optimizer::number_requirements(matrix);
  if (!numbers) return tl::unexpected(numbers.error());
  out << fmt::format("{{\"schema\": \"{}\",\n \"groups\": [", contract::instance_schema);
  for (std::size_t g = 0; g < group_count; ++g)
    out << fmt::format("{}\n  {{\"name\": {}, \"requirements\": {}, \"weight\": {}}}", g == 0 ? "" : ",",
                       quoted(matrix.groups[g].name), numbers->sizes[g], instance.group_weights[g]);
  out << "],\n \"tests\": [";
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test) {
    out << fmt::format("{}\n  {{\"name\": {}, \"microseconds\": {}, \"covers\": {{", test == 0 ? "" : ",",
                       quoted(instance.tests[test]), matrix.cost_us[test]);
    const char* before = "";
    for (std::size_t g = 0; g < group_count; ++g) {
      std::vector<std::int64_t> covered;
      for (const std::uint32_t c : matrix.classes_of(test)) {
        const auto begin = static_cast<std::ptrdiff_t>(covered.size());
        covered.resize(covered.size() + static_cast<std::size_t>(matrix.members[c * group_count + g]));
        std::iota(covered.begin() + begin, covered.end(), numbers->firsts[c * group_count + g]);
      }
      if (covered.empty()) continue;
      out << before << quoted(matrix.groups[g].name) << fmt::format(": [{}]", fmt::join(covered, ","));
      before = ", ";
    }
    out << "}}";
  }
  out << "]}\n";
  return {};
}

}  // namespace morph::optimize
