// GoogleTest's mangled names taken apart.
#include "coverage/object/read/test_factories.hpp"

#include <fmt/format.h>

#include "coverage/object/read/object_print.hpp"

namespace morph::object {
namespace {

/// Whether the class has the same name there as in the factory's: `S_` and its like mean what stands before them.
bool is_same_class(std::string_view factory, std::string_view of_class) {
  const std::string name = demangled(factory), body = demangled(fmt::format("_ZN{}8TestBodyEv", of_class));
  const std::size_t open = name.find('<'), close = name.rfind(">::CreateTest()");
  return open != std::string::npos && close != std::string::npos && open < close &&
         body == name.substr(open + 1, close - open - 1) + "::TestBody()";
}

}  // namespace

std::string class_made_by_factory(std::string_view symbol) {
  static constexpr std::string_view end = "E10CreateTestEv";
  for (const std::string_view start :
       {"_ZN7testing8internal15TestFactoryImplI", "_ZN7testing8internal24ParameterizedTestFactoryI"}) {
    if (!symbol.starts_with(start) || !symbol.ends_with(end)) continue;
    std::string_view of_class = symbol.substr(start.size(), symbol.size() - start.size() - end.size());
    if (of_class.starts_with('N') && of_class.ends_with('E')) of_class = of_class.substr(1, of_class.size() - 2);
    if (is_same_class(symbol, of_class)) return std::string(of_class);
  }
  return {};
}

std::string variable_of_factory(std::string_view table) {
  static constexpr std::string_view start = "_ZTVN7testing8internal15TestFactoryImplI", end = "EE";
  if (!table.starts_with(start) || !table.ends_with(end)) return {};
  const std::string_view made = table.substr(4, table.size() - 4 - 1);
  const std::string of_class = class_made_by_factory(fmt::format("_Z{}10CreateTestEv", made));
  return of_class.empty() ? std::string() : fmt::format("_ZN{}10test_info_E", of_class);
}

std::string instance_of_values(std::string_view symbol) {
  static constexpr std::string_view start = "gtest_";
  if (!symbol.starts_with("_ZL") && !symbol.starts_with("_ZN")) return {};
  for (std::size_t at = symbol.find(start); at != std::string_view::npos; at = symbol.find(start, at + 1)) {
    // What is before the digits of its length may end in digits, too.
    for (std::size_t digits = symbol.find_last_not_of("0123456789", at - 1) + 1; digits < at; ++digits) {
      std::size_t size = 0;
      for (const char digit : symbol.substr(digits, at - digits))
        size = size * 10 + static_cast<std::size_t>(digit - '0');
      const std::string_view name = symbol.substr(at, size);
      for (const std::string_view end : {"_EvalGenerator_", "_EvalGenerateName_"})
        if (name.size() == size && name.size() > start.size() + end.size() && name.ends_with(end))
          return std::string(name.substr(start.size(), name.size() - start.size() - end.size()));
    }
  }
  return {};
}

}  // namespace morph::object
