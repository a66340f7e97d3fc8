// Literals that sequences name by number, and the pools that arguments of one role share.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "optimizer/matrix/random.hpp"

namespace morph::generate {

/// One value. `kind` as morph_message_literals has it.
struct literal {
  char kind = 'i';
  std::int64_t number = 0;
  double real = 0;
  std::string text{};
  std::vector<std::uint32_t> elements{};

  auto key() const { return std::tie(kind, number, real, text, elements); }
  friend bool operator<(const literal& a, const literal& b) { return a.key() < b.key(); }
};

/// What a literal may be: of one type, or of one parameter.
struct role {
  char kind = 'i';
  std::int64_t least = 0, most = 0;       // of 'i'
  std::vector<std::int64_t> values{};     // of 'i': no other (enumerators)
  std::vector<std::uint32_t> elements{};  // of 'l': the role of each element, or one role for all
  bool is_tuple = false;                  // of 'l': as many elements as roles
  bool is_single_precision = false;       // of 'd'
  std::string name{};                     // of parameters that a user gives values for; else empty
  std::vector<std::uint32_t> pool{};      // numbers of literals
  std::vector<std::uint32_t> given{};     // those that a user gives: drawn as often as all others

  auto type() const { return std::tie(kind, least, most, values, elements, is_tuple, is_single_precision, name); }
};

/// All literals of a search. Grows only: what a sequence names stays what it is.
class literal_table {
 public:
  std::uint32_t add(literal of);
  const literal& operator[](std::uint32_t number) const { return all_[number]; }
  std::size_t size() const { return all_.size(); }

  /// Roles of one type are one.
  std::uint32_t add_role(role of);
  role& role_at(std::uint32_t number) { return roles_[number]; }
  const role& role_at(std::uint32_t number) const { return roles_[number]; }
  std::size_t roles() const { return roles_.size(); }

  /// Into the pools of all roles that it fits: an operand of a comparison, a literal of the sources.
  void offer(const literal& seen);
  /// Into those of the roles with this name, else of all that it fits, as a value that a user gives. Whether there is
  /// any.
  bool offer_named(const std::string& name, const literal& seen);
  /// Into the dictionary that texts are varied with. What is offered as a literal is there, too.
  void offer_tokens(std::string_view text);

  std::uint32_t draw(std::uint32_t role, optimizer::random_source& random);
  /// Something near.
  std::uint32_t vary(std::uint32_t number, std::uint32_t role, optimizer::random_source& random);

 private:
  literal fresh(const role& of, optimizer::random_source& random);
  void fill(role& of);
  void put(const literal& seen, std::vector<std::uint32_t>& into, const role& of);
  std::string near(const std::string& text, const role& of, optimizer::random_source& random) const;

  std::vector<literal> all_;
  std::map<literal, std::uint32_t> numbers_;
  std::vector<role> roles_;
  std::vector<std::string> tokens_;
};

}  // namespace morph::generate
