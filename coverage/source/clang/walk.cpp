// Walks over syntax trees.
#include "coverage/source/clang/walk.hpp"

#include <clang/AST/RecursiveASTVisitor.h>

#include <utility>

namespace morph::source {
namespace {

class walker : public clang::RecursiveASTVisitor<walker> {
 public:
  explicit walker(walk_calls calls) : calls_(std::move(calls)) {}

  bool shouldVisitImplicitCode() const { return calls_.implicit_code; }
  bool VisitStmt(clang::Stmt* of) { return !calls_.statement || calls_.statement(*of); }
  bool VisitDecl(clang::Decl* of) { return !calls_.declaration || calls_.declaration(*of); }
  bool VisitTypeLoc(clang::TypeLoc of) { return !calls_.type || calls_.type(of); }

 private:
  walk_calls calls_;
};

}  // namespace

void walk(const clang::Stmt* from, walk_calls calls) {
  walker(std::move(calls)).TraverseStmt(const_cast<clang::Stmt*>(from));
}

void walk(clang::Decl* from, walk_calls calls) {
  walker(std::move(calls)).TraverseDecl(from);
}

}  // namespace morph::source
