// What is known of a value while a test is read, without running it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace morph::source {

struct known {
  enum class kind : std::uint8_t {
    nothing,  // it is not known, or nothing that a call could be written with
    number,   // of any integral type, of an enumeration, of bool
    real,
    text,    // what a std::string, a stream that is read, or a const char* has
    null,    // a null pointer
    result,  // what a call before it gave, or a reference or pointer to that
    list,    // elements of a container, an array or an aggregate
  } how = kind::nothing;
  std::int64_t number = 0;
  double real = 0;
  std::string text{};
  std::size_t call = 0;
  std::vector<known> elements{};

  bool is(kind one) const { return how == one; }

  static known of_number(std::int64_t value) { return {.how = kind::number, .number = value}; }
  static known of_real(double value) { return {.how = kind::real, .real = value}; }
  static known of_text(std::string value) { return {.how = kind::text, .text = std::move(value)}; }
  static known of_null() { return {.how = kind::null}; }
  static known of_result(std::size_t call) { return {.how = kind::result, .call = call}; }
  static known of_list(std::vector<known> of) { return {.how = kind::list, .elements = std::move(of)}; }
};

}  // namespace morph::source
