// arg: an argument in place of the call's result; crr: a constant in place of it; swa: neighbouring arguments in each
// other's place; swm: a function of the standard library's with an opposite.
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <array>

#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {
namespace {

/// A call by name whose result is used.
const clang::CallExpr* used_call(const clang::Expr& node, site& at) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
  if (call == nullptr || llvm::isa<clang::CXXOperatorCallExpr, clang::UserDefinedLiteral>(call)) return nullptr;
  if (call->isTypeDependent() || call->getType()->isVoidType() || call->isGLValue()) return nullptr;
  const auto* parent = at.parent();
  const bool stands_alone = parent == nullptr || !llvm::isa<clang::Expr, clang::DeclStmt, clang::ReturnStmt>(parent);
  return stands_alone && llvm::isa_and_nonnull<clang::CompoundStmt>(parent) ? nullptr : call;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 34> opposites{{
    {"all_of", "any_of"},
    {"any_of", "all_of"},
    {"back", "front"},
    {"begin", "end"},
    {"cbegin", "cend"},
    {"ceil", "floor"},
    {"cend", "cbegin"},
    {"cos", "sin"},
    {"crbegin", "crend"},
    {"crend", "crbegin"},
    {"emplace_back", "emplace_front"},
    {"emplace_front", "emplace_back"},
    {"end", "begin"},
    {"fetch_add", "fetch_sub"},
    {"fetch_sub", "fetch_add"},
    {"find", "rfind"},
    {"find_first_not_of", "find_last_not_of"},
    {"find_first_of", "find_last_of"},
    {"find_last_not_of", "find_first_not_of"},
    {"find_last_of", "find_first_of"},
    {"floor", "ceil"},
    {"front", "back"},
    {"lower_bound", "upper_bound"},
    {"max", "min"},
    {"min", "max"},
    {"pop_back", "pop_front"},
    {"pop_front", "pop_back"},
    {"push_back", "push_front"},
    {"push_front", "push_back"},
    {"rbegin", "rend"},
    {"rend", "rbegin"},
    {"sin", "cos"},
    {"tolower", "toupper"},
    {"toupper", "tolower"},
}};

std::string_view opposite(std::string_view name) {
  if (name == "upper_bound") return "lower_bound";
  for (const auto& [from, to] : opposites)
    if (from == name) return to;
  return {};
}

bool is_of_standard_library(const clang::FunctionDecl& function) {
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function))
    return method->getParent()->isInStdNamespace();
  if (function.isInStdNamespace()) return true;
  return function.getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         function.getASTContext().getSourceManager().isInSystemHeader(function.getLocation());
}

}  // namespace

void call_result(const clang::Expr& node, site& at) {
  const clang::CallExpr* const call = used_call(node, at);
  if (call == nullptr || !call->getType()->isScalarType() || call->getType()->isMemberPointerType()) return;
  // What is returned as it is, is ret's.
  if (const auto* parent = at.parent(); parent != nullptr && llvm::isa<clang::ReturnStmt>(parent)) return;
  // A conversion is no call in the text: an object stands there.
  if (llvm::isa_and_nonnull<clang::CXXConversionDecl>(call->getCalleeDecl())) return;
  const auto where = at.range(*call);
  const auto others = constants_of(call->getType(), at);
  if (where && !others.empty()) at.propose(*where, "crr", others.front());
}

void argument_propagation(const clang::Expr& node, site& at) {
  const clang::CallExpr* const call = used_call(node, at);
  if (call == nullptr) return;
  const auto where = at.range(*call);
  if (!where) return;
  for (const clang::Expr* argument : call->arguments()) {
    const clang::Expr* const given = argument->IgnoreImplicit();
    if (!at.context.hasSameUnqualifiedType(given->getType(), call->getType()) ||
        llvm::isa<clang::CXXDefaultArgExpr>(given))
      continue;
    const auto range = at.range(*given);
    if (!range || !where->contains(*range)) continue;
    if (const auto text = at.text(*range)) at.propose(*where, "arg", *text);
  }
}

void argument_swap(const clang::Expr& node, site& at) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
  if (call == nullptr || llvm::isa<clang::CXXOperatorCallExpr, clang::UserDefinedLiteral>(call)) return;
  const auto where = at.range(*call);
  if (!where || call->getNumArgs() < 2 || (call->isGLValue() && call->isTypeDependent())) return;
  for (unsigned i = 0; i + 1 < call->getNumArgs(); ++i) {
    const clang::Expr* const first = call->getArg(i)->IgnoreImplicit();
    const clang::Expr* const second = call->getArg(i + 1)->IgnoreImplicit();
    if (llvm::isa<clang::CXXDefaultArgExpr>(second)) break;
    if (first->isTypeDependent() || second->isTypeDependent() ||
        !at.context.hasSameUnqualifiedType(first->getType(), second->getType()))
      continue;
    // A literal 0 that is a null pointer is an int by itself.
    if (call->getArg(i)->getType()->isPointerType() != call->getArg(i + 1)->getType()->isPointerType()) continue;
    const auto a = at.range(*first), b = at.range(*second);
    if (!a || !b || !where->contains(*a) || !where->contains(*b) || a->end > b->begin) continue;
    const auto x = at.text(*a), y = at.text(*b);
    if (!x || !y || *x == *y) continue;
    const auto head = at.text({where->file, where->begin, a->begin}), middle = at.text({where->file, a->end, b->begin}),
               tail = at.text({where->file, b->end, where->end});
    if (head && middle && tail) at.propose(*where, "swa", *head + *y + *middle + *x + *tail);
  }
}

void opposite_function(const clang::Expr& node, site& at) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
  const clang::FunctionDecl* const callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee == nullptr || llvm::isa<clang::CXXOperatorCallExpr>(call) || !callee->getIdentifier() ||
      !is_of_standard_library(*callee))
    return;
  const auto where = at.range(*call);
  if (!where) return;
  const llvm::StringRef name = callee->getName();
  if (name == "empty" && call->getType()->isBooleanType()) {
    if (const auto text = at.text(*where)) at.propose(*where, "swm", "!" + *text);
    return;
  }
  const std::string_view other = opposite({name.data(), name.size()});
  if (other.empty()) return;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
      method != nullptr && !method->getParent()->hasMemberName(&at.context.Idents.get({other.data(), other.size()})))
    return;
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreImplicit());
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreImplicit());
  const auto spelled = reference != nullptr ? reference->getLocation()
                       : member != nullptr  ? member->getMemberLoc()
                                            : clang::SourceLocation();
  if (spelled.isInvalid()) return;
  const auto word = at.range({spelled, spelled});
  if (!word || !where->contains(*word) || at.original(*word) != std::string_view(name.data(), name.size())) return;
  const auto head = at.text({where->file, where->begin, word->begin}),
             tail = at.text({where->file, word->end, where->end});
  if (head && tail) at.propose(*where, "swm", *head + std::string(other) + *tail);
}

}  // namespace morph::source
