// Names that test frameworks number: which test a number belongs to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace morph::object {

/// What a function that registers tests refers to, in the order of its code.
struct registering_reference {
  std::string_view symbol;  // empty: not to a name
  std::string_view text;    // of a string
};

/// Whether all registrations of a source may hold it: the source's name, and nothing.
bool is_ambient(std::string_view text, std::string_view file);

/// Catch2 and doctest number the functions of tests by `__COUNTER__`: each new test, section or message renames those
/// behind it. Here their names get the title under which the test is registered, in the place of the number. A number
/// that belongs to no title gets a name that no other set of tests has: what it names then pairs with nothing.
class test_numbers {
 public:
  static bool is_numbered(std::string_view symbol);
  /// Whether `function` may tell what numbers belong to.
  static bool registers(std::string_view function);

  /// `file`: the name of the source, which registrations hold beside titles. In the order of the functions.
  void add(std::string_view function, const std::vector<registering_reference>& references, std::string_view file);
  void add_symbol(std::string_view symbol);
  /// After all of them.
  void close();

  std::string renamed(std::string_view symbol) const;

 private:
  struct title {
    std::string text;
    std::vector<std::uint32_t> numbers;
  };
  void add_title(std::string text, std::vector<std::uint32_t> numbers);

  std::vector<title> titles_;
  std::map<std::uint32_t, std::size_t> title_of_;  // number -> index
  std::map<std::uint32_t, bool> numbers_;          // of all symbols -> whether it belongs to the number before it
};

}  // namespace morph::object
