// Reads the code of a test without running it: what each variable holds where an assertion looks at it.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coverage/source/scout/ownership.hpp"
#include "coverage/source/scout/terms.hpp"

namespace morph::source::scouting {

/// Without what compilers and parsers put around an expression.
const clang::Expr* bare(const clang::Expr* of);
/// With its namespaces; empty of what is no class.
std::string class_name(clang::QualType type);
/// What a callee may write through: a reference or pointer to what is not constant.
bool may_write(clang::QualType parameter);
/// `T&&`, or `T&&...`, of a template.
bool is_handed_on(clang::QualType parameter);

enum class assertion_kind : std::uint8_t { boolean, comparison };

/// As a test writes it: two sides, or a condition on the left.
struct written_assertion {
  const clang::Expr* left = nullptr;
  const clang::Expr* right = nullptr;
  const clang::Expr* tolerance = nullptr;
  std::string by{};            // `==`, "near", "matches"; of a condition nothing
  std::string function{};      // of the framework
  bool is_negated = false;     // the condition has to be false
  clang::SourceLocation at{};  // where its macro begins
};

/// A function that is read: a test, or a helper of it with what it is given.
struct frame {
  const clang::FunctionDecl* function = nullptr;
  const clang::CallExpr* call = nullptr;  // null: of a test, and of what a framework calls
  std::vector<const clang::Expr*> arguments{};
};

struct found_relation {
  relation between{};
  assertion_kind how = assertion_kind::comparison;
  std::string by{};  // `==`, `<`, or the function that compares
  std::string file{};
  unsigned line = 0;
  std::string text{};           // the assertion as it is written
  clang::SourceLocation at{};   // where its macro begins
  std::vector<frame> frames{};  // the test first
};

/// A section of Catch2 or doctest, by the statement that enters it. A path leads from a test to one of its leaves.
using section_path = std::set<const clang::IfStmt*>;
std::vector<section_path> section_paths(const clang::Stmt* body);

/// Follows a test along one path of its sections: statements in the order of the source, both branches of a condition
/// that is not known, a loop twice, helpers and lambdas two deep. Linear in the size of what is read.
class reader {
 public:
  reader(clang::ASTContext& context, const ownership& owns)
      : context_(context), sources_(context.getSourceManager()), owns_(owns) {}

  void run(const clang::FunctionDecl& test, const section_path& path);

  const term_table& terms() const { return terms_; }
  const std::vector<found_relation>& relations() const { return relations_; }
  /// Functions of the tests that were read, too.
  const std::set<const clang::FunctionDecl*>& helpers() const { return helpers_; }
  /// Of all that was read, by where their macros begin.
  const std::map<clang::SourceLocation, written_assertion>& assertions() const { return assertions_; }

 private:
  /// A variable, and a field or an element of it: `a`, `a.x`, `a[1]`. The variable is the test's own.
  struct location {
    const clang::ValueDecl* variable = nullptr;
    std::string part{};
    auto operator<=>(const location&) const = default;
  };
  struct state {
    std::map<location, term_number> values{};
    std::map<const clang::ValueDecl*, location> same{};  // references and pointers to what a test has
    bool ended = false;                                  // a return or a jump out
  };

  // Statements.
  void run(const clang::Stmt* of);
  void run_if(const clang::IfStmt& of);
  void run_loop(const clang::Stmt* condition, const clang::Stmt* step, const clang::Stmt* body);
  void run_range(const clang::CXXForRangeStmt& of);
  void run_try(const clang::CXXTryStmt& of);
  void run_both(const clang::Stmt* one, const clang::Stmt* other);
  void merge(state&& other);
  void declare(const clang::VarDecl& of);
  void declare_parts(const clang::DecompositionDecl& of);
  void set_up(const clang::CXXRecordDecl& fixture);

  // Values.
  term_number read(const clang::Expr* of);
  term_number read_all(llvm::ArrayRef<const clang::Expr*> of, std::string text);
  term_number read_variable(const clang::ValueDecl& of, const std::string& text);
  term_number read_member(const clang::MemberExpr& of);
  term_number read_unary(const clang::UnaryOperator& of);
  term_number read_binary(const clang::BinaryOperator& of);
  term_number read_list(const clang::InitListExpr& of);
  std::optional<std::int64_t> folded(const clang::Expr& of) const;
  std::optional<std::int64_t> number_of(term_number of) const { return terms_[of].number; }
  /// As a variable has it: a constant that has a name is an input like others.
  term_number named(term_number value, const clang::ValueDecl& variable);

  // Places.
  std::optional<location> place_of(const clang::Expr* of);
  location resolved(location of) const;
  std::optional<term_number> at(const location& of) const;
  void put(const location& to, term_number value);

  // Calls.
  term_number read_call(const clang::CallExpr& of);
  term_number read_construction(const clang::CXXConstructExpr& of, bool is_written);
  term_number invoke(const clang::FunctionDecl& callee, const clang::Expr* receiver,
                     llvm::ArrayRef<const clang::Expr*> arguments, const clang::Expr& as_written);
  term_number call_others(const clang::FunctionDecl& callee, const clang::Expr* receiver,
                          llvm::ArrayRef<const clang::Expr*> arguments, const clang::Expr& as_written);
  std::optional<term_number> read_made_owner(const clang::FunctionDecl& callee,
                                             llvm::ArrayRef<const clang::Expr*> arguments,
                                             const clang::Expr& as_written);
  std::optional<term_number> inlined(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments,
                                     const clang::CallExpr* call = nullptr);
  void write_arguments(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments,
                       const std::function<term_number(term_number)>& value);
  /// An algorithm, a thread or the like may call what it is given.
  void run_lambdas(llvm::ArrayRef<const clang::Expr*> arguments);
  const clang::FunctionDecl* lambda_called(const clang::CallExpr& of, const clang::FunctionDecl& callee);

  // Assertions.
  bool read_assertion(const clang::CallExpr& of, const clang::FunctionDecl& callee);
  void note(written_assertion one, clang::SourceLocation at);
  void compare(term_number left, term_number right, assertion_kind how, std::string by, clang::SourceLocation at);
  /// `==`, a function of both, or such a thing below `&&`, `||` and `!`.
  void read_condition(const clang::Expr* of, clang::SourceLocation at);
  void read_operands(const clang::CallExpr& of, clang::SourceLocation at);
  void read_result(const clang::VarDecl& of);

  std::string text_of(const clang::Expr& of) const;
  std::string text_of(clang::SourceRange range) const;

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const ownership& owns_;
  section_path path_{};
  state now_{};
  term_table terms_{};
  std::vector<found_relation> relations_{};
  term_number returned_ = 0;
  bool returns_ = false;
  std::map<clang::SourceLocation, written_assertion> assertions_{};
  std::vector<frame> inside_{};  // the test, helpers and lambdas that are read
  std::set<const clang::FunctionDecl*> helpers_{};
  /// A helper that is asked by an assertion returns its condition.
  std::optional<clang::SourceLocation> asked_{}, asking_{};
};

}  // namespace morph::source::scouting
