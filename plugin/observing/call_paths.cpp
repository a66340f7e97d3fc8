// nm lists symbols, demangled; a return address belongs to the last one in front of it.
#include "plugin/observing/call_paths.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "plugin/system/process.hpp"

namespace morph::observing {
namespace {

/// A body that was made a lambda is the function's.
std::string without_lambda(std::string name) {
  for (const std::string_view mark : {"::{lambda(", "::$_", "::'lambda"})
    if (const auto at = name.find(mark); at != std::string::npos) name.resize(at);
  return name;
}

bool is_ours(std::string_view name) {
  return name.find("morph_observe::") != std::string_view::npos;
}

bool is_test_body(std::string_view name) {
  constexpr std::array<std::string_view, 4> marks{"::TestBody()", "C_A_T_C_H_T_E_S_T_", "CATCH2_INTERNAL_TEST_",
                                                  "DOCTEST_ANON_FUNC_"};
  return std::ranges::any_of(marks, [&](std::string_view mark) { return name.find(mark) != std::string_view::npos; });
}

}  // namespace

const call_paths::symbols& call_paths::symbols_of(const std::string& file) {
  const auto [known, is_new] = known_.try_emplace(file);
  if (!is_new) return known->second;
  system::command c;
  c.arguments = {"nm", "-C", "--defined-only", file};
  c.capture_at_end = true;
  const auto end = system::run(c);
  const std::string_view all = end.out;
  for (std::size_t at = 0; at < all.size();) {
    const auto stop = std::min(all.find('\n', at), all.size());
    const std::string_view line = all.substr(at, stop - at);
    at = stop + 1;
    std::uint64_t address = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), address, 16);
    if (error != std::errc() || rest + 3 > line.data() + line.size()) continue;
    if (std::string_view("TtWwiu").find(rest[1]) == std::string_view::npos) continue;
    known->second.functions.try_emplace(address, std::string(rest + 3, line.data() + line.size()));
  }
  return known->second;
}

std::string call_paths::function_at(const observation::test_record& record, std::uint64_t address) {
  const observation::loaded_module* in = nullptr;
  for (const observation::loaded_module& each : record.modules)
    if (each.base < address && (in == nullptr || each.base > in->base)) in = &each;
  if (in == nullptr) return {};
  const symbols& of = symbols_of(in->file.empty() ? program_ : in->file);
  const auto next = of.functions.lower_bound(address - in->base);
  return next == of.functions.begin() ? std::string() : std::prev(next)->second;
}

void call_paths::name(observation::test_record& record) {
  for (std::size_t i = 1; i < record.addresses.size(); ++i) {
    const auto [known, is_new] = paths_.try_emplace(record.addresses[i]);
    if (is_new) {
      std::vector<std::string>& path = known->second;
      for (const std::uint64_t address : record.addresses[i]) {
        std::string function = function_at(record, address);
        if (is_ours(function)) continue;
        function = without_lambda(std::move(function));
        if (function.empty() || (!path.empty() && path.back() == function)) continue;
        path.push_back(std::move(function));
        if (is_test_body(path.back())) break;
      }
      std::ranges::reverse(path);
    }
    record.paths[i] = known->second;
  }
}

}  // namespace morph::observing
