// Which statements of a function an assertion needs (Weiser, "Program Slicing", 1981; by statements, backwards).
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>

#include <map>
#include <set>
#include <vector>

#include "coverage/source/scout/reader.hpp"

namespace morph::source::scouting {

/// A statement, or one with statements in it. Sections that a path does not enter, and what stands behind the
/// assertion, are none.
struct piece {
  enum class kind : std::uint8_t {
    statement,
    assertion,   // another one than that which is meant
    block,       // { ... }, or a section
    controlled,  // if, for, while: `inside`, and `otherwise`
    lifted,      // a loop around the assertion of which one round is as good as all: its variable is an input
    target,      // the assertion that is meant
  } how = kind::statement;
  const clang::Stmt* of = nullptr;
  std::vector<piece> inside{}, otherwise{};
  bool is_needed = false;
};

struct slice {
  std::vector<piece> pieces{};
  std::set<const clang::ValueDecl*> needed{};  // variables, parameters, fields of a fixture
  bool needs_fixture = false;                  // members of the test's own class
  bool has_target = false;
  bool is_too_long = false;  // more than 2,000 statements: nothing is said of them
};

/// Of the function whose body has the assertion at `at`, along a path; or the call there of a helper that has it.
struct slice_target {
  clang::SourceLocation at{};
  const clang::CallExpr* call = nullptr;
};
slice slice_of(const clang::FunctionDecl& function, const slice_target& target, const section_path& path,
               const std::map<clang::SourceLocation, written_assertion>& assertions, clang::ASTContext& context);

/// What a loop gives a value in each round; null if it is no such loop.
const clang::VarDecl* variable_of_loop(const clang::Stmt& loop);

/// What a statement or expression reads, of the variables of functions.
std::set<const clang::ValueDecl*> read_by(const clang::Stmt& of);
/// What it writes; null stands for members of a fixture.
std::set<const clang::ValueDecl*> written_by(const clang::Stmt& of);

}  // namespace morph::source::scouting
