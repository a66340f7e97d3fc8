// What the values of a test are made of: constants, variables, and what the project's own functions gave.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace morph::source::scouting {

using term_number = std::uint32_t;
using call_number = std::uint32_t;

struct term {
  enum class kind : std::uint8_t {
    constant,  // a literal, an enumerator, an object made of such: it relates nothing
    variable,  // what a test has given a name: a parameter, a row of a table, a variable that holds a constant
    output,    // what a call of the project gave, or left in its receiver or in an argument
    made_of,   // of its parts, by operators and by functions that are not the project's
  } how = kind::constant;
  std::string text{};                    // of a constant as it is written, of a variable its name
  std::optional<std::int64_t> number{};  // of a constant, or of a variable that holds one
  const clang::LambdaExpr* lambda = nullptr;
  call_number call = 0;
  std::vector<term_number> parts{};
  std::optional<term_number> part_of{};  // of a field of a variable, or of a row of a table
};

/// A call of a function that the project declares outside of its tests.
struct invocation {
  const clang::FunctionDecl* callee = nullptr;
  const clang::Expr* site = nullptr;  // one expression is several calls where a loop or a helper is read more than once
  std::set<std::string>
      units{};  // classes that it is a member of, takes or returns; of a free function its header, too
  std::vector<term_number> inputs{};  // the receiver first
  bool has_receiver = false;
  bool looks_on = false;  // a constant method: what it gives still stands for its receiver
  std::string text{};     // as it is written
  std::string file{};
  unsigned line = 0;
};

/// Two calls that an assertion compares: an input or output of the first with an output of the second.
struct relation {
  call_number first = 0, second = 0;
  term_number with_first = 0, with_second = 0;
  /// What is compared with the second call's output is a literal that the first was given (MR-Scout, figure 2).
  bool is_echo = false;
  bool is_across = false;  // they have no unit in common: what one writes, the other reads
};

/// How the second call's inputs come out of the first call (MR-Scout, section 3.1).
enum class transformation : std::uint8_t {
  none,      // they have nothing in common
  identity,  // both are given the same
  state,     // the second works on the object that the first was called on
  computed,  // from an output of the first, or by operators and other calls from its inputs
};

/// The terms of a test. They are made once and never change: equal numbers are equal values.
class term_table {
 public:
  const term& operator[](term_number of) const { return terms_[of]; }
  const invocation& call(call_number of) const { return calls_[of]; }
  std::size_t call_count() const { return calls_.size(); }

  term_number constant(std::string text, std::optional<std::int64_t> number = {});
  term_number variable(std::string name, std::optional<std::int64_t> holds = {});
  term_number lambda(const clang::LambdaExpr& of);
  /// A constant if all parts are.
  term_number made_of(std::vector<term_number> parts, std::string text, std::optional<std::int64_t> number = {});
  /// A field: that of outputs stands for these; that of variables is a variable of its own, the same for equal ones.
  term_number field(term_number of, const std::string& name, std::string text);
  call_number called(invocation made);
  /// Of the result. What is left in a receiver or an argument is another value.
  term_number output(call_number of);

  bool is_constant(term_number of) const { return terms_[of].how == term::kind::constant; }

  /// Variables and outputs that a value stands for: through operators, functions of others, and methods that look on.
  /// The outermost first.
  std::vector<term_number> elements(term_number of) const;
  /// Those that a call is given.
  std::set<term_number> inputs(call_number of) const;
  /// Whether an output of `from` is, on any way, an input of `to`.
  bool flows(call_number from, call_number to) const;

  /// By MR-Scout's second property (section 2): of both sides of an assertion. Nothing if they have no relation.
  std::optional<relation> relation_of(term_number left, term_number right) const;
  transformation between(call_number first, call_number second) const;
  /// Both work on what comes, on any way, from one variable or call, or the later on what the earlier gave.
  bool have_one_origin(call_number a, call_number b) const;

 private:
  void add_elements(term_number of, std::vector<term_number>& to, std::set<term_number>& seen,
                    bool through_methods = true) const;
  /// Of what leads to a call on any way: its inputs, those of the calls that gave them, and so on.
  bool any_origin(call_number of, const std::function<bool(term_number)>& is_meant) const;
  bool are_of_one_value(term_number a, term_number b) const;
  std::optional<relation> related(term_number one, term_number later) const;
  /// `one` is an input of a call of another unit, and what that gave leads to the call that gave `later`.
  std::optional<relation> related_across(term_number one, term_number later) const;
  std::optional<relation> echo_of(term_number literal, term_number later) const;
  void add_constants(term_number of, std::set<std::string>& to) const;
  bool share_unit(call_number a, call_number b) const;
  bool is_given(call_number call, term_number value) const;

  std::vector<term> terms_;
  std::vector<invocation> calls_;
  std::map<std::pair<std::vector<term_number>, std::string>, term_number> fields_;
};

}  // namespace morph::source::scouting
