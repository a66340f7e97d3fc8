// Expressions that are no calls: literals, variables, operators, conversions.
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>

#include "coverage/source/recipes/library.hpp"
#include "coverage/source/recipes/tracer.hpp"

namespace morph::source {
namespace {

using kind = known::kind;

known of_value(const clang::APValue& of) {
  if (of.isInt() && of.getInt().getSignificantBits() <= 64) return known::of_number(of.getInt().getExtValue());
  if (of.isFloat()) {
    llvm::APFloat real = of.getFloat();
    bool is_inexact = false;
    real.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &is_inexact);
    return known::of_real(real.convertToDouble());
  }
  return {};
}

std::optional<std::int64_t> computed(clang::BinaryOperatorKind by, std::int64_t a, std::int64_t b) {
  std::int64_t made = 0;
  switch (by) {
    case clang::BO_Add:
      return __builtin_add_overflow(a, b, &made) ? std::nullopt : std::optional(made);
    case clang::BO_Sub:
      return __builtin_sub_overflow(a, b, &made) ? std::nullopt : std::optional(made);
    case clang::BO_Mul:
      return __builtin_mul_overflow(a, b, &made) ? std::nullopt : std::optional(made);
    case clang::BO_Div:
      return b > 0 ? std::optional(a / b) : std::nullopt;
    case clang::BO_Rem:
      return b > 0 ? std::optional(a % b) : std::nullopt;
    case clang::BO_Or:
      return a | b;
    case clang::BO_And:
      return a & b;
    default:
      return std::nullopt;
  }
}

}  // namespace

/// Nothing of an object that was changed in a way that is not known.
known tracer::kept(known of) const {
  if (of.is(kind::result) && now_.lost.contains(of.call)) return {};
  return of;
}

/// By the compiler's own rules, of an expression without calls.
known tracer::folded(const clang::Expr& of) const {
  const clang::QualType type = of.getType();
  if (of.isValueDependent() || (!type->isArithmeticType() && !type->isEnumeralType())) return {};
  clang::Expr::EvalResult result;
  return of.EvaluateAsRValue(result, context_) && !result.HasSideEffects ? of_value(result.Val) : known();
}

known tracer::read(const clang::Expr* of) {
  if (of == nullptr) return {};
  of = of->IgnoreParens();
  if (const auto* const text = clang::dyn_cast<clang::StringLiteral>(of))
    return text->getCharByteWidth() == 1 ? known::of_text(text->getString().str()) : known();
  if (clang::isa<clang::IntegerLiteral, clang::CharacterLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr,
                 clang::UnaryExprOrTypeTraitExpr>(of))
    return folded(*of);
  if (clang::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(of)) return known::of_null();
  if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(of)) return read_reference(*name->getDecl());
  if (const auto* const member = clang::dyn_cast<clang::MemberExpr>(of)) return read_member(*member);
  if (const auto* const call = clang::dyn_cast<clang::CallExpr>(of)) return read_call(*call);
  if (const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(of)) return read_construction(*made);
  if (const auto* const cast = clang::dyn_cast<clang::CastExpr>(of)) return read_cast(*cast);
  if (const auto* const unary = clang::dyn_cast<clang::UnaryOperator>(of)) return read_unary(*unary);
  if (const auto* const binary = clang::dyn_cast<clang::BinaryOperator>(of)) return read_binary(*binary);
  if (const auto* const full = clang::dyn_cast<clang::FullExpr>(of)) return read(full->getSubExpr());
  if (const auto* const kept = clang::dyn_cast<clang::MaterializeTemporaryExpr>(of)) return read(kept->getSubExpr());
  if (const auto* const bound = clang::dyn_cast<clang::CXXBindTemporaryExpr>(of)) return read(bound->getSubExpr());
  if (const auto* const list = clang::dyn_cast<clang::CXXStdInitializerListExpr>(of)) return read(list->getSubExpr());
  if (const auto* const first = clang::dyn_cast<clang::CXXDefaultInitExpr>(of)) return read(first->getExpr());
  if (const auto* const made = clang::dyn_cast<clang::CXXNewExpr>(of))
    return made->isArray() ? known() : read(made->getInitializer());
  if (const auto* const list = clang::dyn_cast<clang::InitListExpr>(of)) {
    if (list->getNumInits() == 1 && list->getType()->isScalarType()) return read(list->getInit(0));
    std::vector<known> elements;
    for (unsigned i = 0; i < list->getNumInits(); ++i) elements.push_back(read_argument(list->getInit(i)));
    return known::of_list(std::move(elements));
  }
  if (const auto* const gone = clang::dyn_cast<clang::CXXDeleteExpr>(of)) {
    if (const known object = read(gone->getArgument()); object.is(kind::result)) now_.lost.insert(object.call);
    return {};
  }
  if (const auto* const choice = clang::dyn_cast<clang::ConditionalOperator>(of)) {
    const known condition = read(choice->getCond());
    if (!condition.is(kind::number)) return {};
    return read(condition.number != 0 ? choice->getTrueExpr() : choice->getFalseExpr());
  }
  if (const auto* const element = clang::dyn_cast<clang::ArraySubscriptExpr>(of)) {
    const known table = read(element->getBase()), index = read(element->getIdx());
    const auto at = static_cast<std::size_t>(index.number);
    return index.is(kind::number) && at < table.elements.size() ? kept(table.elements[at]) : known();
  }
  if (const auto* const block = clang::dyn_cast<clang::StmtExpr>(of)) return run(block->getSubStmt()), known();
  return folded(*of);
}

const clang::ValueDecl* tracer::itself(const clang::ValueDecl* of) const {
  for (auto at = now_.same.find(of); at != now_.same.end(); at = now_.same.find(of)) of = at->second;
  return of;
}

/// The variable that an expression is, points to, or hands on: `x`, `&x`, `x << 1`, `this->x`.
const clang::ValueDecl* tracer::variable_of(const clang::Expr* of) const {
  of = of->IgnoreParenImpCasts();
  if (const auto* const kept = clang::dyn_cast<clang::MaterializeTemporaryExpr>(of))
    return variable_of(kept->getSubExpr());
  if (const auto* const full = clang::dyn_cast<clang::FullExpr>(of)) return variable_of(full->getSubExpr());
  if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(of))
    return clang::isa<clang::VarDecl>(name->getDecl()) ? itself(name->getDecl()) : nullptr;
  if (const auto* const member = clang::dyn_cast<clang::MemberExpr>(of)) {
    const bool is_own = clang::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
    return is_own && clang::isa<clang::FieldDecl>(member->getMemberDecl()) ? member->getMemberDecl() : nullptr;
  }
  if (const auto* const unary = clang::dyn_cast<clang::UnaryOperator>(of)) {
    const bool leads_on = unary->getOpcode() == clang::UO_AddrOf || unary->getOpcode() == clang::UO_Deref;
    return leads_on ? variable_of(unary->getSubExpr()) : nullptr;
  }
  if (const auto* const call = clang::dyn_cast<clang::CXXOperatorCallExpr>(of)) {
    const bool hands_on = call->getOperator() == clang::OO_LessLess || call->isAssignmentOp();
    return hands_on && call->getNumArgs() == 2 ? variable_of(call->getArg(0)) : nullptr;
  }
  return nullptr;
}

/// Of a variable, a member of the fixture, an enumerator. What is not local begins with what its declaration says.
known tracer::read_reference(const clang::ValueDecl& of) {
  if (const auto* const one = clang::dyn_cast<clang::EnumConstantDecl>(&of))
    return one->getInitVal().getSignificantBits() <= 64 ? known::of_number(one->getInitVal().getExtValue()) : known();
  const clang::ValueDecl* const variable = itself(&of);
  if (const auto at = now_.values.find(variable); at != now_.values.end()) return kept(at->second);
  const auto* const global = clang::dyn_cast<clang::VarDecl>(variable);
  const clang::Expr* first = nullptr;
  if (global != nullptr) {
    if (!global->hasGlobalStorage()) return {};
    first = global->getAnyInitializer();
  } else if (const auto* const field = clang::dyn_cast<clang::FieldDecl>(variable)) {
    first = field->getInClassInitializer();
  } else {
    return {};
  }
  now_.values[variable] = {};  // it may name itself
  known value = first != nullptr ? read_argument(first) : default_of(variable->getType(), variable->getLocation());
  return now_.values[variable] = std::move(value);
}

known tracer::read_member(const clang::MemberExpr& of) {
  const clang::ValueDecl* const member = of.getMemberDecl();
  if (clang::isa<clang::VarDecl, clang::EnumConstantDecl>(member)) return read_reference(*member);
  const auto* const field = clang::dyn_cast<clang::FieldDecl>(member);
  if (field == nullptr) return {};
  if (clang::isa<clang::CXXThisExpr>(of.getBase()->IgnoreParenImpCasts())) return read_reference(*field);
  const known base = read(of.getBase());
  return base.is(kind::list) && field->getFieldIndex() < base.elements.size()
             ? kept(base.elements[field->getFieldIndex()])
             : known();
}

known tracer::read_unary(const clang::UnaryOperator& of) {
  const known inner = read(of.getSubExpr());
  switch (of.getOpcode()) {
    case clang::UO_AddrOf:
    case clang::UO_Deref:
      return inner.is(kind::result) || inner.is(kind::list) ? inner : known();
    case clang::UO_Extension:
    case clang::UO_Plus:
      return inner;
    case clang::UO_Minus:
      if (inner.is(kind::real)) return known::of_real(-inner.real);
      return inner.is(kind::number)
                 ? known::of_number(static_cast<std::int64_t>(-static_cast<std::uint64_t>(inner.number)))
                 : known();
    case clang::UO_LNot:
      return inner.is(kind::number) ? known::of_number(inner.number == 0 ? 1 : 0) : known();
    case clang::UO_PreInc:
    case clang::UO_PostInc:
    case clang::UO_PreDec:
    case clang::UO_PostDec: {
      const auto next = inner.is(kind::number) ? computed(clang::BO_Add, inner.number, of.isIncrementOp() ? 1 : -1)
                                               : std::optional<std::int64_t>();
      const known after = next ? known::of_number(*next) : known();
      assign(of.getSubExpr(), after);
      return of.isPrefix() ? after : inner;
    }
    default:
      return folded(of);
  }
}

void tracer::assign(const clang::Expr* to, known value) {
  if (const clang::ValueDecl* const variable = variable_of(to))
    now_.values[variable] = std::move(value);
  else
    assign_element(to, std::move(value));
}

/// What `v[0].x`, `v.at(0)` or `v.x` is a part of.
const clang::ValueDecl* tracer::whole_of(const clang::Expr* of) const {
  while (of != nullptr) {
    of = of->IgnoreParenImpCasts();
    if (const clang::ValueDecl* const variable = variable_of(of)) return variable;
    if (const auto* const field = clang::dyn_cast<clang::MemberExpr>(of))
      of = field->getBase();
    else if (const auto* const element = clang::dyn_cast<clang::ArraySubscriptExpr>(of))
      of = element->getBase();
    else if (const auto* const subscript = clang::dyn_cast<clang::CXXOperatorCallExpr>(of))
      of = subscript->getNumArgs() > 0 ? subscript->getArg(0) : nullptr;
    else if (const auto* const called = clang::dyn_cast<clang::CXXMemberCallExpr>(of))
      of = called->getImplicitObjectArgument();
    else
      return nullptr;
  }
  return nullptr;
}

/// What a part was assigned to is not known any more, unless it is an object that calls have made.
void tracer::forget_whole(const clang::Expr* of) {
  const clang::ValueDecl* const whole = whole_of(of);
  if (whole != nullptr && !read_reference(*whole).is(kind::result)) now_.values[whole] = {};
}

/// `v[0] = value`, of a container or an array. Where the element is not known, the whole is not known any more.
void tracer::assign_element(const clang::Expr* to, known value) {
  to = to->IgnoreParenImpCasts();
  const clang::Expr *table = nullptr, *index = nullptr;
  if (const auto* const call = clang::dyn_cast<clang::CXXOperatorCallExpr>(to)) {
    if (call->getOperator() != clang::OO_Subscript || call->getNumArgs() != 2) return forget_whole(to);
    table = call->getArg(0);
    index = call->getArg(1);
  } else if (const auto* const element = clang::dyn_cast<clang::ArraySubscriptExpr>(to)) {
    table = element->getBase();
    index = element->getIdx();
  }
  const clang::ValueDecl* const variable = table != nullptr ? variable_of(table) : nullptr;
  if (variable == nullptr) return forget_whole(to);
  known list = read_reference(*variable);
  if (!list.is(kind::list)) return forget_whole(to);
  const bool is_plain = !index->IgnoreUnlessSpelledInSource()->HasSideEffects(context_);
  const known at = is_plain ? read(index) : known();
  const auto* const record = variable->getType().getNonReferenceType()->getAsCXXRecordDecl();
  const bool has_keys = record != nullptr && is_map(*record);
  const bool is_set = !has_keys && set_element(list, at, std::move(value));
  now_.values[variable] = is_set ? std::move(list) : known();
}

known tracer::read_binary(const clang::BinaryOperator& of) {
  if (of.getOpcode() == clang::BO_Assign) {
    if (variable_of(of.getLHS()) == nullptr) read(of.getLHS());
    const known value = read_argument(of.getRHS());
    assign(of.getLHS(), value);
    return value;
  }
  const known left = read(of.getLHS());
  if (of.isLogicalOp()) {
    if (!left.is(kind::number)) return {};
    const bool decides = (left.number != 0) == (of.getOpcode() == clang::BO_LOr);
    return decides ? left : read(of.getRHS());
  }
  const known right = read(of.getRHS());
  if (of.getOpcode() == clang::BO_Comma) return right;
  const bool is_compound = of.isCompoundAssignmentOp();
  known made;
  if (left.is(kind::number) && right.is(kind::number)) {
    const auto by = is_compound ? clang::BinaryOperator::getOpForCompoundAssignment(of.getOpcode()) : of.getOpcode();
    if (const auto value = computed(by, left.number, right.number)) made = known::of_number(*value);
  }
  if (is_compound) {
    assign(of.getLHS(), made);
    return made;
  }
  return made.is(kind::nothing) ? folded(of) : made;
}

known tracer::read_cast(const clang::CastExpr& of) {
  if (of.getCastKind() == clang::CK_NullToPointer) return read(of.getSubExpr()), known::of_null();
  known inner = read(of.getSubExpr());
  const clang::QualType type = of.getType();
  switch (of.getCastKind()) {
    case clang::CK_IntegralToFloating:
      return inner.is(kind::number) ? known::of_real(static_cast<double>(inner.number)) : known();
    case clang::CK_FloatingToIntegral:
      return folded(of);
    case clang::CK_IntegralToBoolean:
      return inner.is(kind::number) ? known::of_number(inner.number != 0 ? 1 : 0) : known();
    case clang::CK_IntegralCast: {
      if (!inner.is(kind::number)) return {};
      const auto bits = static_cast<unsigned>(context_.getIntWidth(type));
      if (bits >= 64) return inner;
      const auto low = static_cast<std::uint64_t>(inner.number) << (64 - bits);
      return known::of_number(type->isUnsignedIntegerOrEnumerationType()
                                  ? static_cast<std::int64_t>(low >> (64 - bits))
                                  : static_cast<std::int64_t>(low) >> (64 - bits));
    }
    case clang::CK_PointerToBoolean:
    case clang::CK_FloatingToBoolean:
    case clang::CK_PointerToIntegral:
      return {};
    default:
      return inner;
  }
}

}  // namespace morph::source
