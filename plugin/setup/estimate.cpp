// Sizes and times of builds.
#include "plugin/setup/estimate.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace morph::setup {
namespace {

namespace fs = std::filesystem;

/// The text up to the separator, which is taken off too.
std::string_view cut(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return part;
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> parse_ninja_log(std::string_view text, const std::function<bool(std::string_view)>& counts) {
  constexpr std::array<std::string_view, 3> known{"# ninja log v5", "# ninja log v6", "# ninja log v7"};
  const std::string_view first = cut(text, '\n');
  if (std::find(known.begin(), known.end(), first) == known.end()) return std::nullopt;
  std::map<std::string_view, double> seconds;
  while (!text.empty()) {
    std::string_view line = cut(text, '\n');
    const auto start = number<std::int64_t>(cut(line, '\t'));
    const auto end = number<std::int64_t>(cut(line, '\t'));
    cut(line, '\t');  // when it was changed
    const std::string_view output = cut(line, '\t');
    if (start && end && *end >= *start && counts(output)) seconds[output] = static_cast<double>(*end - *start) / 1000;
  }
  double sum = 0;
  for (const auto& [output, taken] : seconds) sum += taken;
  return sum;
}

std::optional<double> parse_cost_data(std::string_view text) {
  std::optional<double> sum;
  while (!text.empty()) {
    const std::string_view line = cut(text, '\n');
    if (line == "---") break;  // the names of failed tests follow
    // name runs seconds; a name may have blanks. Without a run the cost is not a time.
    const auto last = line.rfind(' ');
    const auto before = last == 0 || last == std::string_view::npos ? last : line.rfind(' ', last - 1);
    if (before == std::string_view::npos) continue;
    const auto runs = number<unsigned>(line.substr(before + 1, last - before - 1));
    const auto seconds = number<double>(line.substr(last + 1));
    if (runs && *runs > 0 && seconds && *seconds >= 0 && *seconds < 100'000) sum = sum.value_or(0) + *seconds;
  }
  return sum;
}

bool is_object(std::string_view path) {
  return path.ends_with(".o") || path.ends_with(".obj");
}

std::uintmax_t products_size(const fs::path& folder, const std::function<bool(const std::string&)>& without) {
  std::uintmax_t sum = 0;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_symlink(ignored)) continue;
    const std::string name = entry->path().filename().string();
    if (entry->is_directory(ignored)) {
      if (without(name)) entry.disable_recursion_pending();
      continue;
    }
    const fs::path extension = entry->path().extension();
    const bool program = (entry->status(ignored).permissions() & fs::perms::owner_exec) != fs::perms::none;
    if (is_object(name) || extension == ".a" || extension == ".gcno" || extension == ".gch" || program)
      sum += entry->file_size(ignored);
  }
  return sum;
}

std::string bytes_text(std::uintmax_t bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return value < 10 && unit > 0 ? fmt::format("{:.1f} {}", value, units[unit])
                                : fmt::format("{:.0f} {}", value, units[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  return whole < 7200 ? fmt::format("{} min {} s", whole / 60, whole % 60)
                      : fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace morph::setup
