// What a build tree's own records say of sizes and times: what measuring will need.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace morph::setup {

/// Seconds that the steps took whose output `counts`, one after the other, out of a .ninja_log (versions 5 to 7). The
/// last entry of an output is the one that holds. Nothing if it is another format.
std::optional<double> parse_ninja_log(std::string_view text, const std::function<bool(std::string_view)>& counts);

/// Seconds of all tests out of ctest's CTestCostData.txt; nothing if it has none.
std::optional<double> parse_cost_data(std::string_view text);

/// Bytes of the objects, libraries and programs below a folder, what lies in its folders named `without` excepted.
std::uintmax_t products_size(const std::filesystem::path& folder,
                             const std::function<bool(const std::string&)>& without);

/// Compiled objects.
bool is_object(std::string_view path);

/// "3.2 GB"
std::string bytes_text(std::uintmax_t bytes);
/// "2 min 5 s"
std::string seconds_text(double seconds);

}  // namespace morph::setup
