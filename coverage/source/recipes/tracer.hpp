// Reads the code of a test as a straight line of calls, without running it.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "coverage/source/describe/places.hpp"
#include "coverage/source/recipes/known.hpp"

namespace morph::source {

/// A call of what a header of the choice declares.
struct traced_call {
  const clang::FunctionDecl* callee = nullptr;     // null: the default constructor that the class does not declare
  const clang::CXXRecordDecl* of_class = nullptr;  // null of free functions
  place_in_header place{};
  std::vector<known> arguments{};  // the receiver first
  std::size_t written = 0;         // how many of them; the others are defaults
  bool throws = false;             // the test expects it to
  unsigned line = 0;
};

using trace = std::vector<traced_call>;

/// Which of its arguments a callee may write to, the receiver first.
std::vector<std::size_t> changed_by(const clang::FunctionDecl& callee);

/// GoogleTest's condition around a statement that it runs in any case.
bool is_always_true(const clang::Expr& of);
/// Of the fixture or the nearest of its bases; null if none has one.
const clang::CXXMethodDecl* set_up_of(const clang::CXXRecordDecl& fixture);

/// Straight-line reading of one test: declarations, assignments and calls in the order of the source. Of loops the body
/// once, with the first value; of conditions neither branch but those of assertions; of helpers that the source defines
/// the body, two deep. A section is read apart, with what stands before it. Linear in the size of what is read.
class tracer {
 public:
  /// `take` is given each trace with its last statement.
  tracer(clang::ASTContext& context, const file_choice& chosen, std::function<void(const trace&)> take)
      : context_(context), sources_(context.getSourceManager()), places_(context, chosen), take_(std::move(take)) {}

  /// A function without parameters; of a method, the object is made first, and a fixture set up.
  void run(const clang::FunctionDecl& test);

 private:
  /// What is copied where the reading forks.
  struct state {
    trace calls{};
    std::map<const clang::ValueDecl*, known> values{};
    std::map<const clang::ValueDecl*, const clang::ValueDecl*> same{};  // references to variables
    std::set<std::size_t> lost{};  // calls whose object was changed in a way that is not known
  };
  enum class flow : std::uint8_t { on, leaves_loop, returns };

  // Statements.
  flow run(const clang::Stmt* of);
  flow run_if(const clang::IfStmt& of);
  flow run_body_once(const clang::Stmt* body);
  flow run_range(const clang::CXXForRangeStmt& of);
  void declare(const clang::VarDecl& of);
  void fork(const std::function<void()>& reading);
  void set_up(const clang::CXXRecordDecl& fixture);
  bool is_own(const clang::Decl& of) const;  // written in the main file

  // Expressions.
  known read(const clang::Expr* of);
  known read_reference(const clang::ValueDecl& of);
  known read_member(const clang::MemberExpr& of);
  known read_unary(const clang::UnaryOperator& of);
  known read_binary(const clang::BinaryOperator& of);
  known read_cast(const clang::CastExpr& of);
  known read_construction(const clang::CXXConstructExpr& of);
  known read_call(const clang::CallExpr& of);
  known read_operator(const clang::CXXOperatorCallExpr& of, const clang::FunctionDecl& callee);
  known folded(const clang::Expr& of) const;
  std::optional<std::int64_t> as_number(const clang::Expr* of);
  std::optional<known> read_library(const clang::FunctionDecl& callee, const clang::Expr* receiver,
                                    llvm::ArrayRef<const clang::Expr*> arguments);
  known read_made_owner(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments);
  known read_argument(const clang::Expr* of);
  known default_of(clang::QualType type, clang::SourceLocation at);
  known call_of(const clang::FunctionDecl& callee, const clang::CXXRecordDecl* of_class, std::optional<known> receiver,
                llvm::ArrayRef<const clang::Expr*> arguments, clang::SourceLocation at);
  known inlined(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments);
  bool can_be_inlined(const clang::FunctionDecl& callee, bool is_of_fixture) const;
  void note_changes(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments,
                    const std::vector<known>& values, std::optional<std::size_t> call);
  known kept(known of) const;
  known recorded(traced_call call, clang::SourceLocation at);
  std::optional<place_in_header> place_of_callee(const clang::FunctionDecl& callee);
  const clang::ValueDecl* variable_of(const clang::Expr* of) const;
  const clang::ValueDecl* itself(const clang::ValueDecl* of) const;
  void assign(const clang::Expr* to, known value);
  const clang::ValueDecl* whole_of(const clang::Expr* of) const;
  void forget_whole(const clang::Expr* of);
  void assign_element(const clang::Expr* to, known value);
  bool is_expected_to_throw(clang::SourceLocation at) const;

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  header_places places_;
  std::function<void(const trace&)> take_;
  state now_;
  known returned_;
  std::vector<const clang::FunctionDecl*> inside_;  // helpers that are read
  std::size_t elements_ = 0;                        // of tables that loops go over, read apart
};

}  // namespace morph::source
