// From the outside to the inside: the largest expression of literals is taken.
#include "coverage/source/scout/constants.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "coverage/source/scout/reader.hpp"

namespace morph::source::scouting {
namespace {

const clang::ClassTemplateSpecializationDecl* standard_instance(clang::QualType type, const char* name) {
  const auto* const made =
      clang::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  return made != nullptr && made->isInStdNamespace() && made->getName() == name ? made : nullptr;
}

bool is_of_char(const clang::ClassTemplateSpecializationDecl& of) {
  return of.getTemplateArgs().get(0).getAsType()->isSpecificBuiltinType(clang::BuiltinType::Char_S);
}

std::optional<input_type> container_of(clang::QualType type, const clang::ASTContext& context) {
  for (const auto& [name, types] : {std::pair{"vector", 1U},
                                    {"list", 1U},
                                    {"deque", 1U},
                                    {"set", 1U},
                                    {"map", 2U},
                                    {"pair", 2U},
                                    {"optional", 1U}}) {
    const auto* const made = standard_instance(type, name);
    if (made == nullptr) continue;
    std::string whole = std::string("std::") + name + '<';
    for (unsigned i = 0; i < types; ++i) {
      const auto element = input_type_of(made->getTemplateArgs().get(i).getAsType(), context);
      if (!element || element->how != input_type::access::itself) return std::nullopt;
      whole += (i > 0 ? ", " : "") + element->name;
    }
    return input_type{whole + '>'};
  }
  return std::nullopt;
}

bool is_literal(const clang::Expr* of);

bool are_literals(llvm::ArrayRef<const clang::Expr*> of) {
  return std::ranges::all_of(
      of, [](const clang::Expr* each) { return clang::isa<clang::CXXDefaultArgExpr>(each) || is_literal(each); });
}

/// Of literals alone.
bool is_literal(const clang::Expr* of) {
  of = bare(of);
  if (clang::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CharacterLiteral, clang::CXXBoolLiteralExpr,
                 clang::StringLiteral>(of))
    return true;
  if (const auto* const unary = clang::dyn_cast<clang::UnaryOperator>(of))
    return unary->isArithmeticOp() && unary->getOpcode() != clang::UO_LNot && is_literal(unary->getSubExpr());
  if (const auto* const binary = clang::dyn_cast<clang::BinaryOperator>(of))
    return (binary->isAdditiveOp() || binary->isMultiplicativeOp() || binary->isShiftOp() || binary->isBitwiseOp()) &&
           is_literal(binary->getLHS()) && is_literal(binary->getRHS());
  if (const auto* const cast = clang::dyn_cast<clang::ExplicitCastExpr>(of)) return is_literal(cast->getSubExpr());
  if (const auto* const list = clang::dyn_cast<clang::CXXStdInitializerListExpr>(of))
    return is_literal(list->getSubExpr());
  if (const auto* const list = clang::dyn_cast<clang::InitListExpr>(of))
    return list->getNumInits() > 0 && are_literals(const_cast<clang::InitListExpr*>(list)->inits());
  if (const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(of)) {
    const bool is_written = made->getNumArgs() > 0 || clang::isa<clang::CXXTemporaryObjectExpr>(made);
    return is_written && made->getConstructor()->getParent()->isInStdNamespace() &&
           are_literals({made->getArgs(), made->getNumArgs()});
  }
  if (const auto* const call = clang::dyn_cast<clang::CallExpr>(of)) {
    const auto* const method = clang::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    return method != nullptr && method->getParent()->isInStdNamespace() &&
           method->getParent()->getName() == "numeric_limits";
  }
  return false;
}

class finder {
 public:
  finder(clang::ASTContext& context, const edited_text& text, const std::function<void(const found_constant&)>& found)
      : context_(context), text_(text), found_(found) {}

  void look(const clang::Stmt* in, const std::string& name) {
    if (in == nullptr) return;
    if (clang::isa<clang::LambdaExpr, clang::UnaryExprOrTypeTraitExpr, clang::CXXDefaultArgExpr,
                   clang::CXXDefaultInitExpr, clang::CaseStmt>(in))
      return;
    if (const auto* const expression = clang::dyn_cast<clang::Expr>(in)) {
      if (take(*expression, name, {})) return;
      if (const auto* const full = clang::dyn_cast<clang::FullExpr>(in)) return look(full->getSubExpr(), name);
    }
    if (const auto* const declared = clang::dyn_cast<clang::DeclStmt>(in)) {
      for (const clang::Decl* const each : declared->decls())
        if (const auto* const variable = clang::dyn_cast<clang::VarDecl>(each);
            variable != nullptr && !take_brackets(*variable))
          look(variable->getInit(), variable->getNameAsString());
    } else if (const auto* const loop = clang::dyn_cast<clang::ForStmt>(in)) {
      look(loop->getBody(), "");
    } else if (const auto* const again = clang::dyn_cast<clang::WhileStmt>(in)) {
      look(again->getBody(), "");
    } else if (const auto* const range = clang::dyn_cast<clang::CXXForRangeStmt>(in)) {
      look(range->getBody(), "");
    } else if (const auto* const part = clang::dyn_cast<clang::ArraySubscriptExpr>(in)) {
      look(part->getBase(), name);
    } else if (const auto* const by_operator = clang::dyn_cast<clang::CXXOperatorCallExpr>(in);
               by_operator != nullptr && by_operator->getOperator() == clang::OO_Subscript) {
      look(by_operator->getArg(0), name);
      if (!by_operator->getArg(1)->getType()->isIntegralOrEnumerationType()) look(by_operator->getArg(1), "key");
    } else if (const auto* const binary = clang::dyn_cast<clang::BinaryOperator>(in)) {
      look(binary->getLHS(), name);
      const auto what = binary->getOpcode();
      const bool is_kept = binary->isShiftOp() || binary->isShiftAssignOp() || what == clang::BO_Div ||
                           what == clang::BO_Rem || what == clang::BO_DivAssign || what == clang::BO_RemAssign;
      if (!is_kept) look(binary->getRHS(), binary->isAssignmentOp() ? assigned_name(*binary->getLHS(), name) : name);
    } else if (const auto* const call = clang::dyn_cast<clang::CallExpr>(in)) {
      const bool is_member_operator = clang::isa<clang::CXXOperatorCallExpr>(call) &&
                                      clang::isa_and_nonnull<clang::CXXMethodDecl>(call->getCalleeDecl());
      if (const auto* const member = clang::dyn_cast<clang::CXXMemberCallExpr>(call))
        look(member->getImplicitObjectArgument(), "");
      look_at_arguments({call->getArgs(), call->getNumArgs()}, call->getDirectCallee(), is_member_operator ? 1 : 0);
    } else if (const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(in)) {
      const bool is_named = made->getNumArgs() == 1 && !name.empty();
      if (is_named)
        look(made->getArg(0), name);
      else
        look_at_arguments({made->getArgs(), made->getNumArgs()}, made->getConstructor(), 0);
    } else if (const auto* const created = clang::dyn_cast<clang::CXXNewExpr>(in)) {
      look(created->getInitializer(), name);
    } else {
      for (const clang::Stmt* const each : in->children()) look(each, name);
    }
  }

  /// `std::string text("abc")`
  bool take_brackets(const clang::VarDecl& of) {
    if (of.getInit() == nullptr || of.getInitStyle() == clang::VarDecl::CInit) return false;
    const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(bare(of.getInit()));
    const auto type = input_type_of(of.getType(), context_);
    if (made == nullptr || !type || made->getNumArgs() == 0 || !is_literal(made)) return false;
    const auto where = text_.range_of(made->getParenOrBraceRange());
    if (!where) return false;
    found_({*where, type->name + text_.original(*where), *type, of.getNameAsString(), std::nullopt, true});
    return true;
  }

 private:
  static std::string assigned_name(const clang::Expr& of, const std::string& otherwise) {
    const clang::Expr* const to = of.IgnoreParenImpCasts();
    if (const auto* const variable = clang::dyn_cast<clang::DeclRefExpr>(to))
      return variable->getDecl()->getNameAsString();
    if (const auto* const member = clang::dyn_cast<clang::MemberExpr>(to))
      return member->getMemberDecl()->getNameAsString();
    return otherwise;
  }

  void look_at_arguments(llvm::ArrayRef<const clang::Expr*> arguments, const clang::FunctionDecl* callee,
                         unsigned before) {
    for (unsigned i = 0; i < arguments.size(); ++i) {
      std::string name;
      if (callee != nullptr && i >= before && i - before < callee->getNumParams())
        name = callee->getParamDecl(i - before)->getNameAsString();
      const auto type = input_type_of(arguments[i]->getType(), context_);
      const bool is_pointer =
          (type && type->how == input_type::access::pointer) || arguments[i]->getType()->isVoidPointerType();
      const bool has_length = is_pointer && i + 1 < arguments.size() && arguments[i + 1]->getType()->isIntegerType() &&
                              !clang::isa<clang::CXXDefaultArgExpr>(arguments[i + 1]);
      if (!has_length) {
        look(arguments[i], name);
        continue;
      }
      take_with_length(*arguments[i], *arguments[i + 1], name);
      ++i;
    }
  }

  /// A pointer to a text and its length stay together.
  void take_with_length(const clang::Expr& pointer, const clang::Expr& length, const std::string& name) {
    const auto* const literal = clang::dyn_cast<clang::StringLiteral>(bare(&pointer));
    clang::Expr::EvalResult known;
    if (literal == nullptr || literal->getCharByteWidth() != 1 || length.isValueDependent() ||
        !length.EvaluateAsRValue(known, context_) || !known.Val.isInt() ||
        known.Val.getInt().getZExtValue() != literal->getLength() || !is_literal(&length))
      return;
    if (const auto where = text_.range_of(length.getSourceRange())) take(pointer, name, where);
  }

  /// A conversion that is not written is where its arguments are: it would begin with the variable's name.
  static clang::SourceRange written_range(const clang::Expr& of) {
    const clang::Expr* const inner = bare(&of);
    const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(inner);
    if (made == nullptr || clang::isa<clang::CXXTemporaryObjectExpr>(made) || made->getNumArgs() == 0 ||
        made->getParenOrBraceRange().isValid())
      return of.getSourceRange();
    const clang::Expr* last = made->getArg(0);
    for (const clang::Expr* const each : made->arguments())
      if (!clang::isa<clang::CXXDefaultArgExpr>(each)) last = each;
    return {made->getArg(0)->getBeginLoc(), last->getEndLoc()};
  }

  bool take(const clang::Expr& of, const std::string& name, std::optional<text_range> length) {
    const auto type = input_type_of(of.getType(), context_);
    if (!type || of.isValueDependent() || clang::isa<clang::InitListExpr>(bare(&of)) || !is_literal(&of)) return false;
    const auto* const text = clang::dyn_cast<clang::StringLiteral>(bare(&of));
    if (text != nullptr && text->getCharByteWidth() != 1) return false;
    const auto where = text_.range_of(written_range(of));
    if (!where) return false;
    // What a macro has made of its arguments is not where it seems to be.
    if (of.getBeginLoc().isMacroID() && !context_.getSourceManager().isMacroArgExpansion(of.getBeginLoc()) &&
        text_.original(*where).find('(') != std::string::npos)
      return false;
    found_(found_constant{*where, text_.original(*where), *type, name, length});
    return true;
  }

  clang::ASTContext& context_;
  const edited_text& text_;
  const std::function<void(const found_constant&)>& found_;
};

}  // namespace

std::optional<input_type> input_type_of(clang::QualType type, const clang::ASTContext& context) {
  if (type.isNull()) return std::nullopt;
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (const auto* const builtin = type->getAs<clang::BuiltinType>()) {
    using kind = clang::BuiltinType::Kind;
    const kind of = builtin->getKind();
    const bool is_wide = of == kind::WChar_S || of == kind::WChar_U || of == kind::Char8 || of == kind::Char16 ||
                         of == kind::Char32 || of == kind::Int128 || of == kind::UInt128 || of == kind::LongDouble ||
                         of == kind::Float128 || of == kind::Float16;
    if (is_wide || (!builtin->isInteger() && !builtin->isFloatingPoint())) return std::nullopt;
    return input_type{builtin->getName(context.getPrintingPolicy()).str()};
  }
  if (type->isPointerType()) {
    const clang::QualType to = type->getPointeeType();
    if (to.isConstQualified() && to->isSpecificBuiltinType(clang::BuiltinType::Char_S))
      return input_type{"std::string", input_type::access::pointer};
    return std::nullopt;
  }
  if (const auto* const text = standard_instance(type, "basic_string"); text != nullptr && is_of_char(*text))
    return input_type{"std::string"};
  if (const auto* const view = standard_instance(type, "basic_string_view"); view != nullptr && is_of_char(*view))
    return input_type{"std::string", input_type::access::view};
  return container_of(type, context);
}

std::string written(const input_type& type, const std::string& input) {
  switch (type.how) {
    case input_type::access::pointer:
      return input + ".c_str()";
    case input_type::access::view:
      return "std::string_view(" + input + ')';
    case input_type::access::itself:
      return input;
  }
  return input;
}

void find_constants(const clang::Stmt* in, clang::ASTContext& context, const edited_text& text,
                    const std::function<void(const found_constant&)>& found) {
  finder(context, text, found).look(in, "");
}

void find_constant_of(const clang::VarDecl& of, clang::ASTContext& context, const edited_text& text,
                      const std::function<void(const found_constant&)>& found) {
  finder look(context, text, found);
  if (!look.take_brackets(of)) look.look(of.getInit(), of.getNameAsString());
}

}  // namespace morph::source::scouting
