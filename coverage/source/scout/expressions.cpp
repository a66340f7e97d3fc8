// Expressions that call nothing: literals, variables and their parts, operators.
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "coverage/source/scout/reader.hpp"

namespace morph::source::scouting {
namespace {

/// The result is a part of the object: `v.at(0)`, `*i`, `m.find(k)`, `p.get()`.
bool leads_into(const clang::FunctionDecl& callee) {
  const clang::QualType type = callee.getReturnType();
  if (type->isReferenceType() || type->isPointerType()) return true;
  const auto* const record = type->getAsCXXRecordDecl();
  return record != nullptr && record->getNameAsString().find("iterator") != std::string::npos;
}

}  // namespace

const clang::Expr* bare(const clang::Expr* of) {
  while (true) {
    of = of->IgnoreParenImpCasts();
    if (const auto* const full = clang::dyn_cast<clang::FullExpr>(of))
      of = full->getSubExpr();
    else if (const auto* const kept = clang::dyn_cast<clang::MaterializeTemporaryExpr>(of))
      of = kept->getSubExpr();
    else if (const auto* const bound = clang::dyn_cast<clang::CXXBindTemporaryExpr>(of))
      of = bound->getSubExpr();
    else if (const auto* const by_default = clang::dyn_cast<clang::CXXDefaultArgExpr>(of))
      of = by_default->getExpr();
    else
      return of;
  }
}

std::string class_name(clang::QualType type) {
  const auto* const record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr ? record->getQualifiedNameAsString() : std::string();
}

std::string reader::text_of(clang::SourceRange range) const {
  clang::SourceLocation begin = range.getBegin(), end = range.getEnd();
  if (begin.isMacroID()) {
    // An argument of a macro is where it is written; else the macro itself.
    begin = sources_.isMacroArgExpansion(begin) ? sources_.getSpellingLoc(begin) : sources_.getExpansionLoc(begin);
    end = sources_.isMacroArgExpansion(end) ? sources_.getSpellingLoc(end) : sources_.getExpansionRange(end).getEnd();
  }
  bool is_invalid = false;
  const llvm::StringRef text = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(begin, end), sources_,
                                                           context_.getLangOpts(), &is_invalid);
  return is_invalid ? std::string() : text.str();
}

std::string reader::text_of(const clang::Expr& of) const {
  return text_of(of.getSourceRange());
}

std::optional<std::int64_t> reader::folded(const clang::Expr& of) const {
  const clang::QualType type = of.getType();
  if (of.isValueDependent() || !type->isIntegralOrEnumerationType()) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!of.EvaluateAsRValue(result, context_) || result.HasSideEffects || !result.Val.isInt()) return std::nullopt;
  return result.Val.getInt().isRepresentableByInt64() ? std::optional(result.Val.getInt().getExtValue()) : std::nullopt;
}

term_number reader::named(term_number value, const clang::ValueDecl& variable) {
  if (!terms_.is_constant(value) || terms_[value].lambda != nullptr) return value;
  return terms_.variable(variable.getNameAsString(), terms_[value].number);
}

term_number reader::read_all(llvm::ArrayRef<const clang::Expr*> of, std::string text) {
  std::vector<term_number> parts;
  for (const clang::Expr* const each : of) parts.push_back(read(each));
  return terms_.made_of(std::move(parts), std::move(text));
}

term_number reader::read(const clang::Expr* of) {
  if (of == nullptr) return terms_.constant("");
  of = bare(of);
  if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(of))
    return read_variable(*name->getDecl(), text_of(*of));
  if (const auto* const member = clang::dyn_cast<clang::MemberExpr>(of)) return read_member(*member);
  if (const auto* const call = clang::dyn_cast<clang::CallExpr>(of)) return read_call(*call);
  if (const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(of)) return read_construction(*made, false);
  if (const auto* const unary = clang::dyn_cast<clang::UnaryOperator>(of)) return read_unary(*unary);
  if (const auto* const binary = clang::dyn_cast<clang::BinaryOperator>(of)) return read_binary(*binary);
  if (const auto* const rewritten = clang::dyn_cast<clang::CXXRewrittenBinaryOperator>(of)) {
    const auto parts = rewritten->getDecomposedForm();
    return read_all({parts.LHS, parts.RHS}, text_of(*of));
  }
  if (const auto* const lambda = clang::dyn_cast<clang::LambdaExpr>(of)) return terms_.lambda(*lambda);
  if (const auto* const list = clang::dyn_cast<clang::InitListExpr>(of)) return read_list(*list);
  if (const auto* const list = clang::dyn_cast<clang::CXXStdInitializerListExpr>(of)) return read(list->getSubExpr());
  if (const auto* const cast = clang::dyn_cast<clang::ExplicitCastExpr>(of)) {
    if (const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(bare(cast->getSubExpr())))
      return read_construction(*made, true);
    const term_number inner = read(cast->getSubExpr());
    return terms_[inner].number ? inner : terms_.made_of({inner}, text_of(*of), folded(*of));
  }
  if (const auto* const choice = clang::dyn_cast<clang::ConditionalOperator>(of)) {
    const auto known = number_of(read(choice->getCond()));
    if (known) return read(*known != 0 ? choice->getTrueExpr() : choice->getFalseExpr());
    return read_all({choice->getTrueExpr(), choice->getFalseExpr()}, text_of(*of));
  }
  if (const auto* const element = clang::dyn_cast<clang::ArraySubscriptExpr>(of)) {
    read(element->getIdx());
    if (const auto where = place_of(of))
      if (const auto value = at(*where)) return *value;
    return terms_.made_of({read(element->getBase())}, text_of(*of));
  }
  if (const auto* const made = clang::dyn_cast<clang::CXXNewExpr>(of))
    return made->getInitializer() != nullptr ? read(made->getInitializer()) : terms_.constant(text_of(*of));
  if (const auto* const gone = clang::dyn_cast<clang::CXXDeleteExpr>(of)) return read(gone->getArgument());
  if (const auto* const block = clang::dyn_cast<clang::StmtExpr>(of)) {
    run(block->getSubStmt());
    return terms_.constant("");
  }
  if (const auto* const many = clang::dyn_cast<clang::ParenListExpr>(of)) {
    std::vector<const clang::Expr*> all;
    for (unsigned i = 0; i < many->getNumExprs(); ++i) all.push_back(many->getExpr(i));
    return read_all(all, text_of(*of));
  }
  if (const auto* const text = clang::dyn_cast<clang::StringLiteral>(of)) return terms_.constant(text_of(*text));
  if (const auto* const first = clang::dyn_cast<clang::CXXDefaultInitExpr>(of)) return read(first->getExpr());
  return terms_.constant(text_of(*of), folded(*of));
}

term_number reader::read_list(const clang::InitListExpr& of) {
  std::vector<const clang::Expr*> all;
  for (unsigned i = 0; i < of.getNumInits(); ++i) all.push_back(of.getInit(i));
  return read_all(all, text_of(of));
}

reader::location reader::resolved(location of) const {
  for (int depth = 0; depth < 16; ++depth) {
    const auto same = now_.same.find(of.variable);
    if (same == now_.same.end()) break;
    of = {same->second.variable, same->second.part + of.part};
  }
  return of;
}

/// The value of a part, or that of the whole that it is a part of.
std::optional<term_number> reader::at(const location& of) const {
  if (const auto found = now_.values.find(of); found != now_.values.end()) return found->second;
  return std::nullopt;
}

/// A new value of a whole is a new value of all its parts. One of a part leaves the others as they are.
void reader::put(const location& to, term_number value) {
  for (auto part = now_.values.lower_bound(to);
       part != now_.values.end() && part->first.variable == to.variable && part->first.part.starts_with(to.part);)
    part = now_.values.erase(part);
  now_.values[to] = value;
}

/// What an expression changes if it is assigned to: `x`, `*p`, `a.b`, `a[1]`, `v.at(i)`, `out << 1`.
std::optional<reader::location> reader::place_of(const clang::Expr* of) {
  of = bare(of);
  if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(of)) {
    if (!clang::isa<clang::VarDecl, clang::BindingDecl>(name->getDecl())) return std::nullopt;
    return resolved({name->getDecl(), ""});
  }
  if (const auto* const member = clang::dyn_cast<clang::MemberExpr>(of)) {
    if (clang::isa<clang::VarDecl>(member->getMemberDecl())) return resolved({member->getMemberDecl(), ""});
    if (!clang::isa<clang::FieldDecl>(member->getMemberDecl())) return std::nullopt;
    if (clang::isa<clang::CXXThisExpr>(bare(member->getBase()))) return resolved({member->getMemberDecl(), ""});
    auto base = place_of(member->getBase());
    if (base) base->part += '.' + member->getMemberDecl()->getNameAsString();
    return base;
  }
  if (const auto* const unary = clang::dyn_cast<clang::UnaryOperator>(of)) {
    const auto by = unary->getOpcode();
    const bool leads_on =
        by == clang::UO_AddrOf || by == clang::UO_Deref || by == clang::UO_PreInc || by == clang::UO_PreDec;
    return leads_on ? place_of(unary->getSubExpr()) : std::nullopt;
  }
  if (const auto* const element = clang::dyn_cast<clang::ArraySubscriptExpr>(of)) {
    auto base = place_of(element->getBase());
    if (!base) return std::nullopt;
    if (const auto number = folded(*element->getIdx())) base->part += '[' + std::to_string(*number) + ']';
    return base;
  }
  if (const auto* const cast = clang::dyn_cast<clang::ExplicitCastExpr>(of)) return place_of(cast->getSubExpr());
  if (const auto* const binary = clang::dyn_cast<clang::BinaryOperator>(of))
    return binary->isAssignmentOp() ? place_of(binary->getLHS()) : std::nullopt;
  if (const auto* const call = clang::dyn_cast<clang::CallExpr>(of)) {
    const clang::FunctionDecl* const callee = call->getDirectCallee();
    if (callee == nullptr || !leads_into(*callee)) return std::nullopt;
    const auto* const method = clang::dyn_cast<clang::CXXMemberCallExpr>(call);
    if (method != nullptr) return place_of(method->getImplicitObjectArgument());
    const bool is_operator = clang::isa<clang::CXXOperatorCallExpr>(call);
    const bool hands_on = callee->isInStdNamespace() && callee->getNumParams() == 1;
    return (is_operator || hands_on) && call->getNumArgs() > 0 ? place_of(call->getArg(0)) : std::nullopt;
  }
  return std::nullopt;
}

term_number reader::read_variable(const clang::ValueDecl& of, const std::string& text) {
  if (const auto* const one = clang::dyn_cast<clang::EnumConstantDecl>(&of))
    return terms_.constant(text, one->getInitVal().isRepresentableByInt64()
                                     ? std::optional(one->getInitVal().getExtValue())
                                     : std::nullopt);
  if (!clang::isa<clang::VarDecl, clang::BindingDecl, clang::FieldDecl>(of)) return terms_.constant(text);
  const location where = resolved({&of, ""});
  if (const auto value = at(where)) return *value;
  // What is known of a whole.
  if (!where.part.empty())
    if (const auto whole = at({where.variable, ""})) return terms_.made_of({*whole}, text);
  const auto* const global = clang::dyn_cast<clang::VarDecl>(&of);
  const bool is_of_tests = owns_.of(of) == ownership::owner::tests;
  if (global != nullptr && global->hasGlobalStorage() && !is_of_tests)
    return terms_.constant(
        text, global->getAnyInitializer() != nullptr ? folded(*global->getAnyInitializer()) : std::nullopt);
  put(where, terms_.variable(of.getNameAsString()));  // it may name itself
  const clang::Expr* first = global != nullptr ? global->getAnyInitializer() : nullptr;
  if (const auto* const field = clang::dyn_cast<clang::FieldDecl>(&of)) first = field->getInClassInitializer();
  if (first != nullptr) put(where, named(read(first), of));
  return *at(where);
}

term_number reader::read_member(const clang::MemberExpr& of) {
  const clang::ValueDecl& member = *of.getMemberDecl();
  if (clang::isa<clang::VarDecl, clang::EnumConstantDecl>(member)) return read_variable(member, text_of(of));
  if (!clang::isa<clang::FieldDecl>(member)) return terms_.constant(text_of(of));
  if (clang::isa<clang::CXXThisExpr>(bare(of.getBase()))) return read_variable(member, text_of(of));
  if (const auto where = place_of(&of))
    if (const auto value = at(*where)) return *value;
  return terms_.field(read(of.getBase()), member.getNameAsString(), text_of(of));
}

term_number reader::read_unary(const clang::UnaryOperator& of) {
  const term_number inner = read(of.getSubExpr());
  if (of.isIncrementDecrementOp()) {
    if (const auto where = place_of(of.getSubExpr()))
      put(*where, terms_[inner].how == term::kind::variable ? terms_.variable(terms_[inner].text)
                                                            : terms_.made_of({inner}, text_of(of)));
    return inner;
  }
  if (of.getOpcode() == clang::UO_AddrOf || of.getOpcode() == clang::UO_Deref) return inner;
  if (of.getOpcode() == clang::UO_LNot && number_of(inner))
    return terms_.made_of({inner}, text_of(of), *number_of(inner) == 0 ? 1 : 0);
  return terms_.made_of({inner}, text_of(of), folded(of));
}

term_number reader::read_binary(const clang::BinaryOperator& of) {
  if (of.isAssignmentOp()) {
    const term_number right = read(of.getRHS());
    term_number value = right;
    if (of.isCompoundAssignmentOp()) value = terms_.made_of({read(of.getLHS()), right}, text_of(of));
    if (const auto where = place_of(of.getLHS()))
      put(*where, where->part.empty() ? named(value, *where->variable) : value);
    return value;
  }
  const term_number left = read(of.getLHS()), right = read(of.getRHS());
  if (of.getOpcode() == clang::BO_Comma) return right;
  const auto a = number_of(left), b = number_of(right);
  std::optional<std::int64_t> number = folded(of);
  if (a && b && !number) {
    switch (of.getOpcode()) {
      case clang::BO_EQ:
        number = *a == *b;
        break;
      case clang::BO_NE:
        number = *a != *b;
        break;
      case clang::BO_LT:
        number = *a < *b;
        break;
      case clang::BO_GT:
        number = *a > *b;
        break;
      case clang::BO_LE:
        number = *a <= *b;
        break;
      case clang::BO_GE:
        number = *a >= *b;
        break;
      case clang::BO_LAnd:
        number = *a != 0 && *b != 0;
        break;
      case clang::BO_LOr:
        number = *a != 0 || *b != 0;
        break;
      default:
        break;
    }
  }
  return terms_.made_of({left, right}, text_of(of), number);
}

}  // namespace morph::source::scouting
