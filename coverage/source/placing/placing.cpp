// Looks for expressions by their place and text, and asks what stands around them.
#include "coverage/source/placing/placing.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMapContext.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "coverage/source/clang/walk.hpp"
#include "coverage/source/placing/main_text.hpp"
#include "coverage/source/placing/test_body.hpp"

namespace morph::source {
namespace {

bool is_loop(const clang::Stmt& of) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(of);
}

/// Its value is that of a name: reading it again changes nothing.
bool is_name(const clang::Expr* of) {
  of = of->IgnoreParenImpCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(of))
    return llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
           (llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()) || is_name(member->getBase()));
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(of);
  return name != nullptr && llvm::isa<clang::VarDecl>(name->getDecl());
}

bool is_literal(const clang::Expr* of) {
  of = of->IgnoreParenImpCasts();
  return llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CharacterLiteral, clang::StringLiteral,
                   clang::CXXBoolLiteralExpr, clang::CXXNullPtrLiteralExpr>(of);
}

/// A constant method of a name, with names and literals.
bool can_be_repeated(const clang::Expr* of) {
  if (is_name(of)) return true;
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(of->IgnoreImplicit());
  if (call == nullptr || call->getMethodDecl() == nullptr || !call->getMethodDecl()->isConst()) return false;
  return is_name(call->getImplicitObjectArgument()) &&
         std::ranges::all_of(call->arguments(), [](const clang::Expr* each) {
           return each->isDefaultArgument() || is_name(each) || is_literal(each);
         });
}

bool is_evaluated_at_times(const clang::Stmt& parent, const clang::Stmt& child) {
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(&parent))
    return both->isLogicalOp() && both->getRHS() == &child;
  const auto* either = llvm::dyn_cast<clang::AbstractConditionalOperator>(&parent);
  return either != nullptr && either->getCond() != &child;
}

class placer {
 public:
  explicit placer(clang::ASTContext& context)
      : context_(context), sources_(context.getSourceManager()), text_(context) {}

  std::vector<placed_expression> all(const std::vector<asked_expression>& asked) {
    std::vector<placed_expression> made(asked.size());
    for (placed_expression& each : made)
      each.why_not = "no expression of a test stands there; a macro may have written it";
    const auto look_at = [&](clang::Decl& of) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&of);
      if (function == nullptr || !function->isThisDeclarationADefinition() || function->getBody() == nullptr ||
          function->isTemplateInstantiation())
        return true;
      walk(function->getBody(), {.statement = [&](const clang::Stmt& each) {
             if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(&each))
               lambdas_[lambda->getLambdaClass()->getCanonicalDecl()] = lambda;
             if (const auto* expression = llvm::dyn_cast<clang::Expr>(&each))
               for (std::size_t i = 0; i < asked.size(); ++i)
                 if (is_open_[i] && is_asked(*expression, asked[i])) {
                   is_open_[i] = false;
                   made[i] = placed(*expression, *function);
                 }
             return true;
           }});
      return true;
    };
    is_open_.assign(asked.size(), true);
    for (clang::Decl* each : context_.getTranslationUnitDecl()->decls())
      if (sources_.isInMainFile(sources_.getExpansionLoc(each->getLocation()))) walk(each, {.declaration = look_at});
    return made;
  }

 private:
  bool is_asked(const clang::Expr& of, const asked_expression& asked) const {
    if (!text_.is_written(of.getBeginLoc()) || !text_.is_written(of.getEndLoc())) return false;
    if (!text_.begins_at(of.getBeginLoc(), asked.line, asked.column)) return false;
    const auto at = text_.written(of.getSourceRange());
    return at && without_blanks(text_.text(*at)) == without_blanks(asked.text);
  }

  /// The next statement around it, through what is declared in between: a variable that it initializes, a lambda.
  const clang::Stmt* parent_of(const clang::Stmt& of, const clang::VarDecl** variable) const {
    auto above = context_.getParents(of);
    while (!above.empty()) {
      const clang::DynTypedNode node = above[0];
      if (const auto* parent = node.get<clang::Stmt>()) return parent;
      if (const auto* declared = node.get<clang::VarDecl>(); declared != nullptr && *variable == nullptr)
        *variable = declared;
      // Of the body of a lambda, Clang knows its function alone.
      if (const auto* method = node.get<clang::CXXMethodDecl>())
        if (const auto lambda = lambdas_.find(method->getParent()->getCanonicalDecl()); lambda != lambdas_.end())
          return lambda->second;
      above = context_.getParents(node);
    }
    return nullptr;
  }

  placed_expression placed(const clang::Expr& of, const clang::FunctionDecl& function) {
    placed_expression made;
    const test_body body = test_body_of(function);
    made.macro = body.macro;
    made.why_not = body.why_not;
    if (!made.why_not.empty()) return made;
    add_type(*of.IgnoreImplicit(), made);
    bool is_conditional = false;
    const clang::VarDecl* variable = nullptr;  // that it is the initial value of
    const clang::Stmt* whole = &of;
    while (true) {
      const clang::VarDecl* declared = nullptr;
      const clang::Stmt* parent = parent_of(*whole, &declared);
      if (parent == nullptr) return made.why_not = "what stands around it is not known", made;
      if (declared != nullptr && declared->getInit() != nullptr &&
          declared->getInit()->IgnoreImplicit() == of.IgnoreImplicit())
        variable = declared;
      const bool is_of_macro = !text_.is_written(parent->getBeginLoc());
      if (!is_of_macro && llvm::isa<clang::LambdaExpr>(parent)) return made.why_not = "it stands in a lambda", made;
      if (!is_of_macro && is_loop(*parent))
        return made.why_not = "it stands in a loop, and its value may be that of one pass", made;
      if (!is_of_macro && llvm::isa<clang::SwitchCase>(parent)) return made.why_not = "it stands behind a label", made;
      if (!is_of_macro && is_branch(*parent, *whole))
        return made.why_not = "it stands in a branch without braces", made;
      is_conditional = is_conditional || (!is_of_macro && is_evaluated_at_times(*parent, *whole));
      if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(parent);
          block != nullptr && !block->getLBracLoc().isMacroID()) {
        if (const auto around = outer_loop(*block, function)) return made.why_not = *around, made;
        break;
      }
      whole = parent;
    }
    const auto bytes = text_.statement(*whole), own = text_.written(of.getSourceRange());
    if (!bytes || !own || bytes->begin > own->begin || own->end > bytes->end)
      return made.why_not = "a macro writes a part of its statement", made;
    made.begin = bytes->begin;
    made.end = bytes->end;
    made.from = own->begin;
    made.to = own->end;
    decide(of, *whole, function, variable, is_conditional, made);
    return made;
  }

  static bool is_branch(const clang::Stmt& parent, const clang::Stmt& child) {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&parent))
      return branch->getThen() == &child || branch->getElse() == &child;
    const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&parent);
    return choice != nullptr && choice->getBody() == &child;
  }

  /// What of a block's surroundings, up to the body of the test, makes a value one of several.
  std::optional<std::string> outer_loop(const clang::CompoundStmt& block, const clang::FunctionDecl& function) const {
    for (const clang::Stmt* at = &block; at != function.getBody();) {
      const clang::VarDecl* ignored = nullptr;
      const clang::Stmt* parent = parent_of(*at, &ignored);
      if (parent == nullptr) return std::nullopt;
      if (!text_.is_written(parent->getBeginLoc())) {
        at = parent;
        continue;
      }
      if (llvm::isa<clang::LambdaExpr>(parent)) return "it stands in a lambda";
      if (is_loop(*parent)) return "it stands in a loop, and its value may be that of one pass";
      at = parent;
    }
    return std::nullopt;
  }

  void decide(const clang::Expr& of, const clang::Stmt& whole, const clang::FunctionDecl& function,
              const clang::VarDecl* variable, bool is_conditional, placed_expression& to) const {
    const std::string own = text_.text({to.from, to.to});
    if (variable != nullptr && llvm::isa<clang::DeclStmt>(whole) && is_same_type(*variable, of)) {
      to.how = placing::after;
      to.expression = variable->getNameAsString();
    } else if (const auto* left = assigned(whole, of)) {
      const auto at = text_.written(left->getSourceRange());
      to.how = at ? placing::after : placing::none;
      if (at) to.expression = text_.text(*at);
    } else if (is_conditional) {
      to.why_not = "it is evaluated only if what stands before it says so";
    } else if (can_be_repeated(&of)) {
      to.how = placing::before;
      to.expression = own;
    } else if (has_other_calls(of, whole)) {
      to.why_not = "its statement makes other calls, which must not change their order";
    } else if (!llvm::isa<clang::Expr, clang::DeclStmt>(whole) && !whole.getBeginLoc().isMacroID()) {
      to.why_not = "its statement is no expression and no declaration";
    } else {
      to.how = placing::hoist;
      to.is_whole_statement =
          llvm::isa<clang::Expr>(whole) && without_blanks(text_.text({to.begin, to.end})) == without_blanks(own) + ';';
      to.expression = free_name(of, function);
    }
  }

  bool is_same_type(const clang::VarDecl& variable, const clang::Expr& of) const {
    return context_.hasSameUnqualifiedType(variable.getType().getNonReferenceType(),
                                           of.IgnoreImplicit()->getType().getNonReferenceType());
  }

  /// Of `name = expression;`: the name.
  const clang::Expr* assigned(const clang::Stmt& whole, const clang::Expr& of) const {
    const auto* expression = llvm::dyn_cast<clang::Expr>(&whole);
    if (expression == nullptr) return nullptr;
    const clang::Expr *left = nullptr, *right = nullptr;
    const clang::Expr* inner = expression->IgnoreImplicit();
    if (const auto* plain = llvm::dyn_cast<clang::BinaryOperator>(inner);
        plain != nullptr && plain->getOpcode() == clang::BO_Assign)
      left = plain->getLHS(), right = plain->getRHS();
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(inner);
    if (call != nullptr && call->getOperator() == clang::OO_Equal) left = call->getArg(0), right = call->getArg(1);
    if (left == nullptr || right->IgnoreImplicit() != of.IgnoreImplicit() || !is_name(left) ||
        !context_.hasSameUnqualifiedType(left->getType(), of.IgnoreImplicit()->getType().getNonReferenceType()))
      return nullptr;
    return left;
  }

  /// Calls that are written in the statement, neither in the expression nor around it.
  bool has_other_calls(const clang::Expr& of, const clang::Stmt& whole) const {
    const auto own = text_.written(of.getSourceRange());
    bool found = false;
    walk(&whole, {.statement = [&](const clang::Stmt& each) {
      if (!llvm::isa<clang::CallExpr>(each) || !own) return !found;
      if (!text_.is_written(each.getBeginLoc()) || !text_.is_written(each.getEndLoc())) return !found;
      const auto at = text_.written(each.getSourceRange());
      if (!at) return !found;
      const bool is_within = own->begin <= at->begin && at->end <= own->end;
      const bool is_around = at->begin <= own->begin && own->end <= at->end;
      found = found || (!is_within && !is_around);
      return !found;
    }});
    return found;
  }

  std::string free_name(const clang::Expr& of, const clang::FunctionDecl& function) const {
    std::string name = "value";
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(of.IgnoreImplicit()))
      if (const auto* callee = call->getDirectCallee(); callee != nullptr && callee->getDeclName().isIdentifier())
        name = callee->getName().str();
    name += "_result";
    const auto body = text_.written(function.getBody()->getSourceRange());
    const std::string all = body ? text_.text(*body) : std::string();
    std::string free = name;
    for (int i = 2; all.find(free) != std::string::npos; ++i) free = name + std::to_string(i);
    return free;
  }

  static void add_type(const clang::Expr& of, placed_expression& to) {
    const clang::QualType type = of.getType().getNonReferenceType().getCanonicalType();
    to.is_boolean = type->isBooleanType();
    to.is_real = type->isRealFloatingType();
    to.is_single = type->isSpecificBuiltinType(clang::BuiltinType::Float);
    to.is_unsigned = type->isUnsignedIntegerType() && !to.is_boolean;
    to.is_pointer = type->isPointerType() || type->isNullPtrType();
    to.is_text = type->isPointerType() && type->getPointeeType()->isCharType();
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  main_text text_;
  std::vector<bool> is_open_;
  std::map<const clang::Decl*, const clang::LambdaExpr*> lambdas_;  // by their classes
};

}  // namespace

std::vector<placed_expression> place_assertions(clang::ASTContext& context,
                                                const std::vector<asked_expression>& asked) {
  return placer(context).all(asked);
}

nlohmann::json to_json(const std::vector<placed_expression>& all) {
  static constexpr const char* const names[] = {"none", "before", "after", "hoist"};
  nlohmann::json list = nlohmann::json::array();
  for (const placed_expression& each : all)
    list.push_back({{"how", names[static_cast<std::size_t>(each.how)]},
                    {"why_not", each.why_not},
                    {"macro", each.macro},
                    {"expression", each.expression},
                    {"begin", each.begin},
                    {"end", each.end},
                    {"from", each.from},
                    {"to", each.to},
                    {"whole_statement", each.is_whole_statement},
                    {"boolean", each.is_boolean},
                    {"real", each.is_real},
                    {"single", each.is_single},
                    {"unsigned", each.is_unsigned},
                    {"pointer", each.is_pointer},
                    {"text", each.is_text}});
  return list;
}

}  // namespace morph::source
