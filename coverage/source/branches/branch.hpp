// Branches of C++ as data: conditions, their bytes, and what decides whether they are reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace morph::source {

struct byte_range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  auto operator<=>(const byte_range&) const = default;
};

/// An outcome of a site: 1 and 0 for true and false, entered and ended; the index of a `case`, their number for none.
struct branch {
  std::size_t site = 0;  // in its function
  std::size_t outcome = 0;

  auto operator<=>(const branch&) const = default;
};

enum class site_kind {
  compare,   // of two numbers or enumerators
  text,      // == or != of strings
  truth,     // can be wrapped as f(id, static_cast<bool>(...))
  choice,    // `switch`
  loop,      // over a range: what enters its body can be seen
  declared,  // `if (T x = ...)`: what enters its blocks can be seen
  unseen     // cannot be rewritten
};

enum class operand_kind { number, string, view, pointer };

/// What compilers make code of that decides a site.
enum class code_kind {
  unknown,  // other decisions than the site's, or none
  condition,
  either,  // of `?:`
  loop,
  last,  // of `do`
  range,
  choice,
  value  // of `&&` or `||`, whose last operand is no site
};

/// Whether GCC decides the opposite of the condition of `?:`, since it likes the simpler arm to come last.
enum class turned { unknown, no, yes };

/// Whether a condition of several parts is computed as a value before the statement decides by that.
enum class value_first { no, perhaps, by_calls, by_temporaries };

struct site_code {
  code_kind kind = code_kind::unknown;
  std::size_t statement = 0;        // whose part it is, by number in the function
  std::optional<bool> goes_on{};    // the outcome after which the next part is evaluated; none after the last
  bool is_negated = false;          // the site lies under `!`
  bool cleans_up = false;           // a loop that may have to destroy something when it ends
  std::uint32_t last_line = 0;      // of the part
  turned around = turned::unknown;  // either
  value_first value = value_first::no;
  std::vector<std::vector<std::size_t>> labels{};  // choice: outcomes by statement, in the order of the source
};

struct branch_site {
  site_kind kind = site_kind::unseen;
  byte_range range{};
  std::uint32_t line = 0;
  std::string text{};
  std::string why{};  // unseen

  std::string op{};  // compare, text
  byte_range left{}, right{}, op_range{};
  operand_kind left_kind = operand_kind::number, right_kind = operand_kind::number;

  std::vector<std::pair<std::string, std::string>> cases{};  // value, label
  bool has_default = false;

  std::uint32_t body = 0;                 // loop: behind its brace
  std::uint32_t then = 0, otherwise = 0;  // declared: behind the braces; 0: there is none
  std::vector<std::size_t> never{};       // outcomes that the compiler knows not to occur
  std::vector<branch> under{};            // on which it is directly control dependent
  site_code code{};
};

struct branch_call {
  std::uint32_t begin = 0, line = 0;
  std::string callee{}, callee_class{}, callee_file{};
  std::string receiver{};   // the class of the expression that it is called on
  bool is_virtual = false;  // a derived class may have its own
  bool is_always = false;   // made whenever the function is entered
  std::vector<branch> under{}, follows{};
};

/// A class with what derived classes need: functions and bases are named as calls name them, of templates the pattern.
struct branch_class {
  std::string name;
  std::vector<std::string> bases;
  std::vector<std::pair<std::string, std::string>> overrides;  // its function, the one of a base
};

struct function_branches {
  std::string name;
  std::string in_class;
  std::uint32_t line = 0, end_line = 0;
  byte_range range;
  std::uint32_t body = 0;  // behind its brace; 0: no statement can be inserted
  bool is_constexpr = false, is_template = false;
  bool is_rejected = false;  // Clang finds errors within
  std::vector<branch_site> sites;
  std::vector<branch_call> calls;
  std::vector<branch> entry;                                      // that can follow when it is entered
  std::vector<std::pair<std::uint32_t, std::uint32_t>> operands;  // last ones of values of && and ||: byte, line
  std::vector<std::uint32_t> hidden;                              // lines where code may decide what no site says
};

}  // namespace morph::source
