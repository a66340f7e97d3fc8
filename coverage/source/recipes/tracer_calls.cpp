// Calls and constructions: what is recorded, what is read through, and what is lost by calls that are not known.
#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "coverage/source/recipes/library.hpp"
#include "coverage/source/recipes/tracer.hpp"

namespace morph::source {
namespace {

using kind = known::kind;

constexpr std::size_t most_calls = 2000;  // of a trace
constexpr std::size_t most_depth = 2;

/// What a callee may write through: a reference or pointer to what is not constant.
bool may_change(clang::QualType parameter) {
  if (!parameter->isReferenceType() && !parameter->isPointerType()) return false;
  return !parameter->getPointeeType().isConstQualified() && !parameter->isRValueReferenceType();
}

/// `T**` or `T*&`: a callee may put an object there.
bool is_place_for_object(clang::QualType parameter) {
  if (!may_change(parameter)) return false;
  const clang::QualType pointer = parameter->getPointeeType();
  return pointer->isPointerType() && pointer->getPointeeType()->isRecordType();
}

const clang::CXXRecordDecl* class_of(const clang::Expr& of) {
  const clang::QualType type = of.getType()->isPointerType() ? of.getType()->getPointeeType() : of.getType();
  return type.getNonReferenceType()->getAsCXXRecordDecl();
}

/// What GoogleMock's macros declare: an expectation is no call of the project's.
bool is_expectation(const clang::FunctionDecl& callee) {
  return callee.getIdentifier() != nullptr && callee.getName().starts_with("gmock_");
}

/// A copy that a call or a declaration makes of its argument.
const clang::Expr* copied(const clang::Expr* of) {
  of = of->IgnoreParenImpCasts();
  if (const auto* const full = clang::dyn_cast<clang::FullExpr>(of)) return copied(full->getSubExpr());
  if (const auto* const bound = clang::dyn_cast<clang::CXXBindTemporaryExpr>(of)) return copied(bound->getSubExpr());
  const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(of);
  if (made == nullptr || made->getNumArgs() == 0 || !made->getConstructor()->isCopyOrMoveConstructor()) return nullptr;
  return made->getArg(0);
}

}  // namespace

std::vector<std::size_t> changed_by(const clang::FunctionDecl& callee) {
  std::vector<std::size_t> made;
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&callee);
  const bool has_receiver = method != nullptr && !method->isStatic() && !clang::isa<clang::CXXConstructorDecl>(*method);
  if (has_receiver && !method->isConst()) made.push_back(0);
  for (unsigned i = 0; i < callee.getNumParams(); ++i)
    if (may_change(callee.getParamDecl(i)->getType())) made.push_back(i + (has_receiver ? 1 : 0));
  return made;
}

bool tracer::is_expected_to_throw(clang::SourceLocation at) const {
  for (; at.isMacroID(); at = sources_.getImmediateMacroCallerLoc(at)) {
    const llvm::StringRef name = clang::Lexer::getImmediateMacroName(at, sources_, context_.getLangOpts());
    if (name.contains("THROW") && !name.contains("NOTHROW") && !name.contains("NO_THROW")) return true;
  }
  return false;
}

known tracer::recorded(traced_call call, clang::SourceLocation at) {
  if (now_.calls.size() >= most_calls) return {};
  call.throws = is_expected_to_throw(at);
  call.line = sources_.getExpansionLineNumber(at);
  now_.calls.push_back(std::move(call));
  return known::of_result(now_.calls.size() - 1);
}

std::optional<place_in_header> tracer::place_of_callee(const clang::FunctionDecl& callee) {
  if (is_expectation(callee)) return std::nullopt;
  const clang::FunctionTemplateDecl* const pattern = callee.getPrimaryTemplate();
  if (pattern != nullptr && callee.getTemplateSpecializationKind() != clang::TSK_ExplicitSpecialization)
    return places_.of(*pattern);
  return places_.of(*callee.getCanonicalDecl());
}

/// An argument by value is what is copied, where the copy is the compiler's own doing.
known tracer::read_argument(const clang::Expr* of) {
  if (const clang::Expr* const from = copied(of); from != nullptr && from->IgnoreParenImpCasts()->isPRValue())
    return read(from);
  return read(of);
}

known tracer::default_of(clang::QualType type, clang::SourceLocation at) {
  const auto* const record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) return {};
  if (const library_class of = library_class_of(*record); of != library_class::none) return constructed(of, {});
  const auto place = places_.of(*record);
  if (!place || record->isAbstract()) return {};
  for (const auto* const each : record->getDefinition()->ctors())
    if (each->isDefaultConstructor() && !each->isImplicit() && !each->isDeleted())
      return recorded({each, record, place_of_callee(*each).value_or(*place), {}, 0}, at);
  if (record->hasUserDeclaredConstructor()) return {};
  return recorded({nullptr, record, *place, {}, 0}, at);
}

known tracer::read_construction(const clang::CXXConstructExpr& of) {
  const clang::CXXConstructorDecl& constructor = *of.getConstructor();
  const clang::CXXRecordDecl& record = *constructor.getParent();
  const llvm::ArrayRef<const clang::Expr*> arguments(of.getArgs(), of.getNumArgs());
  if (const library_class library = library_class_of(record); library != library_class::none) {
    std::vector<known> values;
    for (const clang::Expr* const each : arguments)
      if (!clang::isa<clang::CXXDefaultArgExpr>(each)) values.push_back(read_argument(each));
    if (const auto made = counted(constructor, values)) return *made;
    return constructed(library, values);
  }
  if (constructor.isCopyOrMoveConstructor() && of.getNumArgs() >= 1) {
    // What is moved from is not used again.
    if (of.isElidable() || of.getArg(0)->isPRValue() || of.getArg(0)->isXValue()) return read(of.getArg(0));
    if (constructor.isImplicit()) return read(of.getArg(0)), known();
  }
  if (!places_.of(record)) {
    note_changes(constructor, arguments, {}, std::nullopt);
    return {};
  }
  if (constructor.isImplicit() && constructor.isDefaultConstructor()) return default_of(of.getType(), of.getExprLoc());
  const clang::CXXConstructorDecl* const inherited = constructor.getInheritedConstructor().getConstructor();
  return call_of(inherited != nullptr ? *inherited : constructor, &record, std::nullopt, arguments, of.getExprLoc());
}

known tracer::call_of(const clang::FunctionDecl& callee, const clang::CXXRecordDecl* of_class,
                      std::optional<known> receiver, llvm::ArrayRef<const clang::Expr*> arguments,
                      clang::SourceLocation at) {
  // An inherited constructor may stand in the standard library.
  auto place = place_of_callee(callee);
  if (!place && of_class != nullptr) place = places_.of(*of_class);
  if (!place) return {};
  traced_call made{.callee = &callee, .of_class = of_class};
  if (receiver) made.arguments.push_back(*receiver);
  bool is_written = true;
  for (const clang::Expr* const each : arguments) {
    const auto* const given = clang::dyn_cast<clang::CXXDefaultArgExpr>(each);
    if (given != nullptr && is_written) {
      made.written = made.arguments.size();
      is_written = false;
    }
    const clang::Expr* const from = copied(each);
    made.arguments.push_back(given != nullptr ? read(given->getExpr()) : read(from != nullptr ? from : each));
  }
  if (is_written) made.written = made.arguments.size();
  // An object may have been lost by what a later argument does.
  for (known& each : made.arguments) each = kept(std::move(each));
  made.place = *place;
  const std::vector<known> values(made.arguments.begin() + (receiver ? 1 : 0), made.arguments.end());
  known gives = recorded(std::move(made), at);
  if (gives.is(kind::result)) note_changes(callee, arguments, values, gives.call);
  return gives;
}

/// Of arguments that the callee may write to: objects are lost if it is not one that is recorded (`call`), and what is
/// no object is not known any more. `values`: of the arguments, empty if they were not read.
void tracer::note_changes(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments,
                          const std::vector<known>& values, std::optional<std::size_t> call) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const known value = i < values.size() ? values[i] : read(arguments[i]);
    if (i >= callee.getNumParams()) continue;
    const clang::QualType parameter = callee.getParamDecl(static_cast<unsigned>(i))->getType();
    if (!may_change(parameter)) continue;
    if (value.is(kind::result) && !call) now_.lost.insert(value.call);
    const clang::ValueDecl* const variable = variable_of(arguments[i]);
    if (variable == nullptr) continue;
    if (call && is_place_for_object(parameter))
      now_.values[variable] = known::of_result(*call);
    else if (!value.is(kind::result))
      now_.values[variable] = {};
  }
}

bool tracer::can_be_inlined(const clang::FunctionDecl& callee, bool is_of_fixture) const {
  const clang::FunctionDecl* definition = nullptr;
  if (!callee.hasBody(definition) || inside_.size() >= most_depth || callee.isVariadic()) return false;
  if (std::ranges::find(inside_, definition) != inside_.end()) return false;
  if (sources_.isInSystemHeader(definition->getLocation())) return false;
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&callee);
  if (method != nullptr && !method->isStatic()) return is_of_fixture;
  return is_own(*definition);
}

known tracer::inlined(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments) {
  const clang::FunctionDecl* definition = nullptr;
  callee.hasBody(definition);
  for (unsigned i = 0; i < definition->getNumParams() && i < arguments.size(); ++i) {
    const clang::ParmVarDecl* const parameter = definition->getParamDecl(i);
    const clang::Expr* const given = arguments[i];
    const auto* const by_default = clang::dyn_cast<clang::CXXDefaultArgExpr>(given);
    now_.same.erase(parameter);
    const clang::ValueDecl* const variable =
        by_default == nullptr && parameter->getType()->isReferenceType() ? variable_of(given) : nullptr;
    if (variable != nullptr && variable != parameter)
      now_.same[parameter] = variable;
    else
      now_.values[parameter] = read_argument(by_default != nullptr ? by_default->getExpr() : given);
  }
  inside_.push_back(definition);
  returned_ = {};
  run(definition->getBody());
  inside_.pop_back();
  return kept(std::exchange(returned_, known()));
}

/// std::make_unique and the like: the constructor with as many parameters.
known tracer::read_made_owner(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments) {
  const auto* const types = callee.getTemplateSpecializationArgs();
  if (types == nullptr || types->size() == 0 || types->get(0).getKind() != clang::TemplateArgument::Type) return {};
  const auto* const record = types->get(0).getAsType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || !places_.of(*record)) return {};
  if (arguments.empty()) return default_of(types->get(0).getAsType(), callee.getLocation());
  const clang::CXXConstructorDecl* only = nullptr;
  for (const auto* const each : record->getDefinition()->ctors()) {
    if (each->isImplicit() || each->isCopyOrMoveConstructor() || each->getNumParams() != arguments.size()) continue;
    if (only != nullptr) return {};
    only = each;
  }
  return only != nullptr && place_of_callee(*only)
             ? call_of(*only, record, std::nullopt, arguments, arguments[0]->getExprLoc())
             : known();
}

std::optional<known> tracer::read_library(const clang::FunctionDecl& callee, const clang::Expr* receiver,
                                          llvm::ArrayRef<const clang::Expr*> arguments) {
  const std::string name = callee.getNameAsString();
  if (is_handed_on(callee) && arguments.size() == 1) return read(arguments[0]);
  if (callee.isInStdNamespace() && (name == "make_unique" || name == "make_shared"))
    return read_made_owner(callee, arguments);
  if (name == "strlen" && arguments.size() == 1) {
    const known text = read(arguments[0]);
    return text.is(kind::text) ? known::of_number(static_cast<std::int64_t>(text.text.size())) : known();
  }
  if (receiver == nullptr || class_of(*receiver) == nullptr) return std::nullopt;
  // A stream hands itself on as its base.
  const clang::ValueDecl* const variable = variable_of(receiver);
  const auto* const declared =
      variable != nullptr ? variable->getType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
  const library_class of = library_class_of(declared != nullptr ? *declared : *class_of(*receiver));
  if (of == library_class::none) return std::nullopt;
  known object = read(receiver);
  std::vector<known> values;
  for (const clang::Expr* const each : arguments)
    if (!clang::isa<clang::CXXDefaultArgExpr>(each)) values.push_back(read_argument(each));
  auto made = called(of, name, object, values);
  if (!made) {
    const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&callee);
    const bool changes = method != nullptr ? !method->isConst() : may_change(callee.getParamDecl(0)->getType());
    if (!changes) return known();
    object = {};
  }
  if (variable != nullptr) now_.values[variable] = object;
  return made.value_or(known());
}

known tracer::read_operator(const clang::CXXOperatorCallExpr& of, const clang::FunctionDecl& callee) {
  const llvm::ArrayRef<const clang::Expr*> all(of.getArgs(), of.getNumArgs());
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&callee);
  if (const auto made = read_library(callee, all[0], all.drop_front())) return *made;
  // An assignment of a temporary object that the class does not declare.
  if (method != nullptr && of.getOperator() == clang::OO_Equal && of.getNumArgs() == 2 &&
      (method->isImplicit() || method->isMoveAssignmentOperator())) {
    const bool is_temporary = all[1]->IgnoreParenImpCasts()->isPRValue() || all[1]->isXValue();
    const known value = read(all[1]);
    assign(all[0], is_temporary ? value : known());
    return value;
  }
  if (!place_of_callee(callee)) {
    if (can_be_inlined(callee, false)) return inlined(callee, all);
    if (method != nullptr) read(all[0]);
    note_changes(callee, method != nullptr ? all.drop_front() : all, {}, std::nullopt);
    return {};
  }
  if (method == nullptr || method->isStatic()) return call_of(callee, nullptr, std::nullopt, all, of.getExprLoc());
  return call_of(callee, method->getParent(), read(all[0]), all.drop_front(), of.getExprLoc());
}

known tracer::read_call(const clang::CallExpr& of) {
  const clang::FunctionDecl* const callee = of.getDirectCallee();
  if (callee == nullptr) {
    for (const clang::Expr* const each : of.arguments()) read(each);
    return {};
  }
  // Catch2 2.13 writes its expressions a second time, in a call that does not evaluate them.
  if (callee->getBuiltinID() != 0 && callee->getNameAsString() == "__builtin_constant_p") return {};
  if (clang::isa<clang::UserDefinedLiteral>(of)) return of.getNumArgs() > 0 ? read(of.getArg(0)) : known();
  if (const auto* const by_operator = clang::dyn_cast<clang::CXXOperatorCallExpr>(&of))
    return read_operator(*by_operator, *callee);
  const llvm::ArrayRef<const clang::Expr*> arguments(of.getArgs(), of.getNumArgs());
  const auto* const member = clang::dyn_cast<clang::CXXMemberCallExpr>(&of);
  const clang::Expr* const receiver = member != nullptr ? member->getImplicitObjectArgument() : nullptr;
  if (const auto made = read_library(*callee, receiver, arguments)) return *made;
  const bool is_of_fixture = receiver != nullptr && clang::isa<clang::CXXThisExpr>(receiver->IgnoreParenImpCasts());
  const auto place = place_of_callee(*callee);
  if ((!place || is_of_fixture) && can_be_inlined(*callee, is_of_fixture)) return inlined(*callee, arguments);
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(callee);
  if (!place || is_of_fixture) {
    if (receiver != nullptr) {
      const known object = read(receiver);
      if (object.is(kind::result) && method != nullptr && !method->isConst()) now_.lost.insert(object.call);
    }
    note_changes(*callee, arguments, {}, std::nullopt);
    return {};
  }
  return call_of(*callee, method != nullptr ? method->getParent() : nullptr,
                 receiver != nullptr ? std::optional(read(receiver)) : std::nullopt, arguments, of.getExprLoc());
}

}  // namespace morph::source
