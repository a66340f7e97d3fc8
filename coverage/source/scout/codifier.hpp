// What codify() works with: the functions that lead to an assertion, and what becomes of their code.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coverage/source/scout/codify.hpp"
#include "coverage/source/scout/constants.hpp"
#include "coverage/source/scout/edited_text.hpp"
#include "coverage/source/scout/slice.hpp"

namespace morph::source::scouting {

/// A function, from the test or a helper to the one that has the assertion.
struct level {
  const clang::FunctionDecl* function = nullptr;
  const clang::CallExpr* call = nullptr;  // of it, in the level before
  std::vector<const clang::Expr*> arguments{};
  clang::FileID file{};
  slice kept{};
};

bool has_word(const std::string& text, const std::string& word);
/// Such values stand for nothing in particular: equal ones need not be one input.
bool is_trivial(const std::string& text);

class codifier {
 public:
  /// Of the last `count` functions that lead to the assertion.
  codifier(const found_relation& of, const std::vector<frame>& frames, std::size_t count, const reader& reading,
           const section_path& path, clang::ASTContext& context);
  codified make();

 private:
  struct code_part {
    const clang::Stmt* of = nullptr;
    std::size_t level = 0;
    bool has_inputs = true;    // constants in it may be inputs
    bool is_asserted = false;  // these, only where they are inputs elsewhere
  };
  codified refuse(std::string why);

  // ---- where it stands
  /// A test's class is made by a macro, and derived from what the user wrote.
  bool find_fixture(const clang::FunctionDecl& function);
  static bool is_of_gtest(const clang::CXXRecordDecl& of);
  std::string name_of(clang::QualType type) const;
  /// Names of a template's parameters, and of what a typed test has for them.
  void bind_types(const clang::FunctionDecl& function);
  bool is_said(const std::string& word) const;

  // ---- what is kept
  void collect_code(std::vector<piece>& of);
  void add_side(const clang::Expr* of, bool is_asserted = false);
  const written_assertion& assertion_of(const piece& of) const;
  std::string macro_of(const written_assertion& of) const;
  /// What is true in the test, of values that the relation is about.
  bool is_guard(const piece& of) const;
  /// Null, true or false.
  static bool is_known(const clang::Expr* of);
  /// Such a condition is about the test's own input.
  bool compares_with_value(const clang::Expr& condition) const;
  bool is_condition(const written_assertion& of) const;

  // ---- inputs
  std::string add_input(std::string name, const input_type& type, std::vector<std::string> examples);
  void declare(const clang::VarDecl& variable, const input_type& type, const std::string& input,
               std::vector<std::string>& to) const;
  /// Of the outermost function; those of the others have what they are called with.
  bool lift_parameters();
  /// A round is as good as all others: what the loop gives it is an input.
  void lift_loops(const std::vector<piece>& in);
  /// Elements of a written list; of a counter where it begins, and where it ends if that is known.
  std::vector<std::string> rounds_of(const clang::Stmt& loop) const;
  /// GetParam() of TEST_P.
  bool lift_test_parameter();
  /// A constant, or a variable that is declared with one.
  std::vector<std::string> examples_of(const clang::Expr& of) const;
  /// Constants up to the first call are inputs; later ones only where they are the same as one before.
  void lift_constants();
  /// What the second call is given beside the first one, literal for literal, if nothing else connects them.
  void pair_constants(const std::vector<std::pair<found_constant, std::string>>& lifted,
                      const std::vector<found_constant>& later);
  /// `f("hello world")` beside `g(f("hello "), "world")`: then the two texts are the inputs.
  bool join_texts(const found_constant& whole, const std::vector<const found_constant*>& parts);
  void refuse_zeros(const std::string& input, const std::set<input_type::access>& how);
  void put(const found_constant& in_place_of, const std::string& input);
  /// The level, and the place in its file.
  std::pair<std::size_t, unsigned> end_of(call_number call) const;

  // ---- text
  void line(int depth, const std::string& text);
  std::string text_of(const clang::Stmt& of);
  /// Of an assertion: written in its own brackets, and not by the macro.
  std::string side(const clang::Expr& of);
  /// Of a macro's call.
  static text_range first_argument(const text_range& call, const std::string& text);
  /// EXPECT_NO_THROW(...), CHECK_THROWS_AS(..., ...): what they run.
  std::string expected_statement(const clang::Stmt& of);
  std::string statement(const clang::Stmt& of);
  void emit(const std::vector<piece>& pieces, int depth, bool in_loop);
  void emit_lifted(const piece& of, int depth, bool in_loop);
  void emit_controlled(const piece& of, int depth, bool in_loop);
  static bool has_target(const piece& of);
  /// The helper's parameters with what it is called with, and its code.
  void emit_call(int depth, bool in_loop);
  /// On what the relation needs.
  bool has_effect(const clang::Expr& of) const;
  void emit_assertion(const written_assertion& of, int depth);
  void emit_target(int depth, bool in_loop);

  const found_relation& of_;
  const reader& reading_;
  const section_path& path_;
  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  edited_text text_;
  codified made_{};
  std::vector<level> levels_{};
  std::size_t now_ = 0;  // the level that is worked on
  written_assertion target_{};
  clang::SourceLocation now_asserted_{};
  std::vector<code_part> code_{};            // all that is kept
  std::vector<const clang::Decl*> types_{};  // that it needs by name
  std::set<std::string> bound_{};
  std::vector<std::string> prologue_{};
  std::map<const clang::Stmt*, std::string> lifted_{};
  bool is_in_loop_ = false;
};

}  // namespace morph::source::scouting
