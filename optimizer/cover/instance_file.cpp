// Reading and writing instances line by line.
#include "optimizer/cover/instance_file.hpp"

#include <algorithm>
#include <charconv>
#include <istream>
#include <limits>
#include <numeric>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string_view>

namespace morph::optimizer {
namespace {

constexpr std::string_view first_line = "morph-instance 1";

struct wrong {
  std::string what;
};

std::string_view next_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t\r", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

std::int64_t number_in(std::string_view word, const std::string& of_what) {
  std::int64_t number = 0;
  const auto [behind, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc::result_out_of_range)
    throw wrong{of_what + " '" + std::string(word) + "' is too large a number"};
  if (error != std::errc() || behind != word.data() + word.size() || number < 0)
    throw wrong{of_what + " '" + std::string(word) + "' is no whole number from 0 on"};
  return number;
}

std::string too_many_requirements() {
  return "there are more than " + std::to_string(most_requirements) + " requirements";
}

/// Other lines begin with these words.
bool has_another_meaning(const std::string& group) {
  return group == "group" || group == "test" || group.starts_with('#');
}

/// Of the names: why a line cannot hold one; empty if all can be written.
std::string misfit_in(const instance_file& instance) {
  for (const requirement_group& g : instance.matrix.groups)
    if (g.name.empty() || g.name.find_first_of(" \t\r\n") != std::string::npos || has_another_meaning(g.name))
      return "a group named '" + g.name + "' cannot be written as a text";
  for (const std::string& name : instance.tests)
    if (name.find_first_not_of(" \t") != 0 || name.find_last_not_of(" \t\r") + 1 != name.size() ||
        name.find('\n') != std::string::npos)
      return "a test named '" + name +
             "' cannot be written as a text: it is empty, has blanks at an end or several lines";
  return {};
}

class reader {
 public:
  void take(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = next_word(rest);
    if (word.empty() || word.front() == '#') return;
    if (!begun_) {
      if (line.substr(0, line.find_last_not_of(" \t\r") + 1) != first_line)
        throw wrong{"the first line is not '" + std::string(first_line) + "'"};
      begun_ = true;
    } else if (word == "group") {
      take_group(rest);
    } else if (word == "test") {
      take_test(rest);
    } else {
      take_covered(word, rest);
    }
  }

  instance_file finish() {
    if (!begun_) throw wrong{"the first line is not '" + std::string(first_line) + "'"};
    end_test();
    if (!builder_) builder_.emplace(groups_);
    made_.matrix = std::move(*builder_).finish();
    return std::move(made_);
  }

 private:
  void take_group(std::string_view rest) {
    if (builder_) throw wrong{"a group has to come before the first test"};
    const std::string name(next_word(rest));
    if (name.empty()) throw wrong{"a group has a name and a number of requirements"};
    if (find(name) != groups_.size() || has_another_meaning(name))
      throw wrong{"a group cannot be named '" + name + "', which has another meaning here"};
    const std::int64_t size = number_in(next_word(rest), "the number of requirements");
    const std::string_view weight = next_word(rest);
    firsts_.push_back(static_cast<std::uint32_t>(requirements_));
    if (size > most_requirements - requirements_) throw wrong{too_many_requirements()};
    requirements_ += size;
    groups_.push_back({name, static_cast<std::uint32_t>(size)});
    made_.group_weights.push_back(weight.empty() ? 1 : number_in(weight, "the weight"));
    expect_end(rest);
  }

  void take_test(std::string_view rest) {
    end_test();
    if (!builder_) builder_.emplace(groups_);
    cost_us_ = number_in(next_word(rest), "the cost");
    const std::size_t begin = rest.find_first_not_of(" \t"), end = rest.find_last_not_of(" \t\r");
    if (begin == std::string_view::npos) throw wrong{"a test has a cost and a name"};
    made_.tests.emplace_back(rest.substr(begin, end + 1 - begin));
    in_test_ = true;
  }

  void take_covered(std::string_view word, std::string_view rest) {
    const std::size_t group = find(std::string(word));
    if (group == groups_.size())
      throw wrong{"'" + std::string(word) + "' is no group; a line begins with group, test or the name of one"};
    if (!in_test_) throw wrong{"what is covered stands behind a test"};
    const std::int64_t size = groups_[group].size;
    for (std::string_view range = next_word(rest); !range.empty(); range = next_word(rest)) {
      const std::size_t dash = range.find('-', 1);
      const std::int64_t first = number_in(range.substr(0, dash), "the requirement");
      const std::int64_t last =
          dash == std::string_view::npos ? first : number_in(range.substr(dash + 1), "the requirement");
      if (last < first) throw wrong{"'" + std::string(range) + "' ends before it begins"};
      if (last >= size)
        throw wrong{"'" + std::string(range) + "' is not all there: '" + groups_[group].name + "' has " +
                    std::to_string(size) + " requirements, from 0 on"};
      for (std::int64_t r = first; r <= last; ++r) covered_.push_back(firsts_[group] + static_cast<std::uint32_t>(r));
      if (covered_.size() > static_cast<std::size_t>(requirements_)) drop_repeated();
    }
  }

  void end_test() {
    if (!in_test_) return;
    drop_repeated();
    builder_->add_test(cost_us_, covered_);
    covered_.clear();
    in_test_ = false;
  }

  void drop_repeated() {
    std::sort(covered_.begin(), covered_.end());
    covered_.erase(std::unique(covered_.begin(), covered_.end()), covered_.end());
  }

  static void expect_end(std::string_view rest) {
    if (const std::string_view more = next_word(rest); !more.empty())
      throw wrong{"'" + std::string(more) + "' is one word too many"};
  }

  std::size_t find(const std::string& name) const {
    return static_cast<std::size_t>(
        std::find_if(groups_.begin(), groups_.end(), [&](const requirement_group& g) { return g.name == name; }) -
        groups_.begin());
  }

  instance_file made_;
  std::vector<requirement_group> groups_;
  std::vector<std::uint32_t> firsts_;
  std::int64_t requirements_ = 0;
  std::optional<matrix_builder> builder_;
  std::vector<std::uint32_t> covered_;
  std::int64_t cost_us_ = 0;
  bool begun_ = false;
  bool in_test_ = false;
};

}  // namespace

tl::expected<instance_file, std::string> read_instance(std::istream& in) {
  reader reading;
  std::size_t number = 0;
  try {
    for (std::string line; std::getline(in, line);) {
      ++number;
      reading.take(line);
    }
    if (in.bad()) return tl::unexpected("line " + std::to_string(number) + ": the rest cannot be read");
    return reading.finish();
  } catch (const wrong& error) {
    return tl::unexpected("line " + std::to_string(number) + ": " + error.what);
  }
}

tl::expected<requirement_numbers, std::string> number_requirements(const cover_matrix& matrix) {
  const std::size_t group_count = matrix.groups.size();
  requirement_numbers made{std::vector<std::int64_t>(matrix.members.size()), std::vector<std::int64_t>(group_count)};
  std::int64_t total = 0;
  const auto add = [&](std::size_t group, std::int64_t members) {
    if (members > most_requirements - total) return false;
    total += members;
    made.sizes[group] += members;
    return true;
  };
  for (std::size_t i = 0; i < made.firsts.size(); ++i) {
    made.firsts[i] = made.sizes[i % group_count];
    if (!add(i % group_count, matrix.members[i])) return tl::unexpected(too_many_requirements());
  }
  for (std::size_t g = 0; g < group_count; ++g)
    if (!add(g, matrix.uncovered[g])) return tl::unexpected(too_many_requirements());
  return made;
}

tl::expected<void, std::string> write_instance(std::ostream& out, const instance_file& instance) {
  const cover_matrix& matrix = instance.matrix;
  const std::size_t group_count = matrix.groups.size();
  if (std::string misfit = misfit_in(instance); !misfit.empty()) return tl::unexpected(std::move(misfit));
  const auto numbers = number_requirements(matrix);
  if (!numbers) return tl::unexpected(numbers.error());
  out << first_line << '\n';
  for (std::size_t g = 0; g < group_count; ++g) {
    out << "group " << matrix.groups[g].name << ' ' << numbers->sizes[g];
    if (instance.group_weights[g] != 1) out << ' ' << instance.group_weights[g];
    out << '\n';
  }
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test) {
    out << "test " << matrix.cost_us[test] << ' ' << instance.tests[test] << '\n';
    for (std::size_t g = 0; g < group_count; ++g) {
      std::string line;
      for (const std::uint32_t c : matrix.classes_of(test)) {
        const std::int64_t first = numbers->firsts[c * group_count + g], size = matrix.members[c * group_count + g];
        if (size == 0) continue;
        line += ' ' + std::to_string(first);
        if (size > 1) line += '-' + std::to_string(first + size - 1);
      }
      if (!line.empty()) out << matrix.groups[g].name << line << '\n';
    }
  }
  return {};
}

}  // namespace morph::optimizer
