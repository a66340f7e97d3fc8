// Calls: those of the project are invocations, those of tests are read through, and those of others are operators.
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <array>

#include "coverage/source/describe/places.hpp"
#include "coverage/source/scout/reader.hpp"

namespace morph::source::scouting {
namespace {

constexpr std::size_t most_depth = 2;
constexpr std::size_t most_calls = 5000;  // of a path

/// Beside it stands a method of the same name and parameters for constant objects: it looks on as that does.
bool has_constant_twin(const clang::CXXMethodDecl& of) {
  for (const clang::NamedDecl* const each : of.getParent()->lookup(of.getDeclName())) {
    const clang::FunctionDecl* const other = each->getAsFunction();
    const auto* const method = other != nullptr ? clang::dyn_cast<clang::CXXMethodDecl>(other) : nullptr;
    if (method == nullptr || method == &of || !method->isConst() || method->getNumParams() != of.getNumParams())
      continue;
    return true;
  }
  return false;
}

bool looks_on(const clang::CXXMethodDecl& of) {
  return of.isConst() || has_constant_twin(of);
}

/// Of a call or a conversion: nothing else names it.
bool is_temporary(const clang::Expr& of) {
  return of.IgnoreParenImpCasts()->isPRValue() || clang::isa<clang::MaterializeTemporaryExpr>(of.IgnoreParenImpCasts());
}

bool is_expectation(const clang::FunctionDecl& callee) {
  return callee.getIdentifier() != nullptr && callee.getName().starts_with("gmock_");
}

/// The function that a variable leads to from its declaration on.
const clang::FunctionDecl* pointed_to(const clang::Expr& callee) {
  const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(callee.IgnoreParenImpCasts());
  const auto* const variable = name != nullptr ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable == nullptr || variable->getAnyInitializer() == nullptr) return nullptr;
  const clang::Expr* first = variable->getAnyInitializer()->IgnoreParenImpCasts();
  if (const auto* const address = clang::dyn_cast<clang::UnaryOperator>(first)) first = address->getSubExpr();
  const auto* const function = clang::dyn_cast<clang::DeclRefExpr>(first->IgnoreParenImpCasts());
  return function != nullptr ? clang::dyn_cast<clang::FunctionDecl>(function->getDecl()) : nullptr;
}

}  // namespace

/// `T&&`, or `T&&...`, of a template.
bool is_handed_on(clang::QualType parameter) {
  if (const auto* const pack = parameter->getAs<clang::PackExpansionType>()) parameter = pack->getPattern();
  return parameter->isRValueReferenceType();
}

bool may_write(clang::QualType parameter) {
  if (!parameter->isReferenceType() && !parameter->isPointerType()) return false;
  const clang::QualType to = parameter->getPointeeType();
  return !to.isConstQualified() && !parameter->isRValueReferenceType() && !to->isFunctionType();
}

std::optional<term_number> reader::inlined(const clang::FunctionDecl& callee,
                                           llvm::ArrayRef<const clang::Expr*> arguments, const clang::CallExpr* call) {
  const clang::FunctionDecl* definition = nullptr;
  if (!callee.hasBody(definition) || inside_.size() > most_depth || callee.isVariadic()) return std::nullopt;
  if (std::ranges::find(inside_, definition, &frame::function) != inside_.end()) return std::nullopt;
  for (unsigned i = 0; i < definition->getNumParams() && i < arguments.size(); ++i) {
    const clang::ParmVarDecl* const parameter = definition->getParamDecl(i);
    now_.same.erase(parameter);
    const bool leads_on = parameter->getType()->isReferenceType() || parameter->getType()->isPointerType();
    const auto where = leads_on ? place_of(arguments[i]) : std::nullopt;
    const term_number value = read(arguments[i]);
    if (where && where->variable != parameter)
      now_.same[parameter] = *where;
    else
      put({parameter, ""}, value);  // a literal stays one
  }
  inside_.push_back({definition, call, arguments.vec()});
  helpers_.insert(definition);
  const auto outer_asking = std::exchange(asking_, std::exchange(asked_, std::nullopt));
  const term_number outer = std::exchange(returned_, terms_.constant(""));
  const bool outer_returns = std::exchange(returns_, false);
  const bool outer_ended = std::exchange(now_.ended, false);
  run(definition->getBody());
  inside_.pop_back();
  asking_ = outer_asking;
  now_.ended = outer_ended;
  returns_ = outer_returns;
  return std::exchange(returned_, outer);
}

/// `value` is given what each of the arguments had that the callee may write to, and says what it has then.
void reader::write_arguments(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments,
                             const std::function<term_number(term_number)>& value) {
  const clang::FunctionDecl* const pattern = callee.getTemplateInstantiationPattern();
  for (unsigned i = 0; i < arguments.size() && i < callee.getNumParams(); ++i) {
    if (!may_write(callee.getParamDecl(i)->getType())) continue;
    // What is handed on (`T&&` of a template) is not changed as such.
    const unsigned last = pattern != nullptr && pattern->getNumParams() > 0 ? pattern->getNumParams() - 1 : 0;
    if (pattern != nullptr && pattern->getNumParams() > 0 &&
        is_handed_on(pattern->getParamDecl(std::min(i, last))->getType()))
      continue;
    if (const auto where = place_of(arguments[i])) put(*where, value(at(*where).value_or(terms_.constant(""))));
  }
}

term_number reader::invoke(const clang::FunctionDecl& callee, const clang::Expr* receiver,
                           llvm::ArrayRef<const clang::Expr*> arguments, const clang::Expr& as_written) {
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&callee);
  // What an object was before it is assigned to does not matter.
  const bool is_assignment =
      method != nullptr && (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
  if (is_assignment && receiver != nullptr && arguments.size() == 1 && is_temporary(*arguments[0])) {
    const term_number value = read(arguments[0]);
    if (const auto where = place_of(receiver))
      put(*where, where->part.empty() ? named(value, *where->variable) : value);
    return value;
  }
  invocation made{.callee = &callee,
                  .site = &as_written,
                  .units = owns_.units_of(callee),
                  .has_receiver = receiver != nullptr && !is_assignment};
  if (made.has_receiver) made.inputs.push_back(read(receiver));
  for (const clang::Expr* const each : arguments) {
    const bool is_written = !clang::isa<clang::CXXDefaultArgExpr>(each);
    const term_number value = read(each);
    if (is_written) made.inputs.push_back(value);
  }
  const bool is_constructor = clang::isa<clang::CXXConstructorDecl>(callee);
  made.text = text_of(as_written);
  // Without an input it is a value. So is an object that is made of constants alone.
  const bool is_of_constants =
      std::ranges::all_of(made.inputs, [&](term_number each) { return terms_.is_constant(each); });
  if (made.inputs.empty() || (is_constructor && is_of_constants) || terms_.call_count() >= most_calls) {
    const std::vector<term_number> inputs = made.inputs;
    write_arguments(callee, arguments, [&](term_number) { return terms_.variable(made.text); });
    return terms_.made_of(inputs, made.text);
  }
  const bool is_method = method != nullptr && !method->isStatic() && !is_constructor;
  made.looks_on = is_method && looks_on(*method);
  const clang::SourceLocation at = sources_.getFileLoc(as_written.getExprLoc());
  made.line = sources_.getLineNumber(sources_.getFileID(at), sources_.getFileOffset(at));
  if (const auto entry = sources_.getFileEntryRefForID(sources_.getFileID(at))) made.file = one_name(entry->getName());
  const bool changes_receiver = is_method && !made.looks_on && receiver != nullptr;
  const call_number number = terms_.called(std::move(made));
  if (changes_receiver)
    if (const auto where = place_of(receiver)) put(*where, terms_.output(number));
  // A constructor keeps or reads what it is given.
  if (!is_constructor) write_arguments(callee, arguments, [&](term_number) { return terms_.output(number); });
  return terms_.output(number);
}

void reader::run_lambdas(llvm::ArrayRef<const clang::Expr*> arguments) {
  for (const clang::Expr* const each : arguments) {
    // Nothing else is read a second time: that would double with each call within a call.
    if (!clang::isa<clang::LambdaExpr, clang::DeclRefExpr>(bare(each))) continue;
    const clang::LambdaExpr* const lambda = terms_[read(each)].lambda;
    if (lambda == nullptr) continue;
    for (const clang::ParmVarDecl* const parameter : lambda->getCallOperator()->parameters())
      put({parameter, ""}, terms_.variable(parameter->getNameAsString()));
    inlined(*lambda->getCallOperator(), {});
  }
}

/// Of a library: what it gives, and what it writes to, is made of what it is given.
term_number reader::call_others(const clang::FunctionDecl& callee, const clang::Expr* receiver,
                                llvm::ArrayRef<const clang::Expr*> arguments, const clang::Expr& as_written) {
  std::vector<term_number> parts;
  if (receiver != nullptr) parts.push_back(read(receiver));
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&callee);
  const std::string name = callee.getNameAsString();
  const bool is_subscript = name == "operator[]" || name == "at";
  for (const clang::Expr* const each : arguments) {
    const term_number value = read(each);
    if (!is_subscript) parts.push_back(value);
  }
  const term_number gives = terms_.made_of(parts, text_of(as_written));
  const bool changes = method != nullptr && !method->isStatic() && !looks_on(*method) && receiver != nullptr;
  static const std::set<std::string> keep_values{"begin",      "end",     "data",   "get",          "operator*",
                                                 "operator->", "reserve", "rehash", "shrink_to_fit"};
  if (changes && !keep_values.contains(name))
    if (const auto where = place_of(receiver)) {
      const bool replaces = name == "operator=" || name == "assign" || name == "clear" || name == "reset";
      const std::vector<term_number> rest(parts.begin() + 1, parts.end());
      put(*where, named(replaces ? terms_.made_of(rest, text_of(as_written)) : gives, *where->variable));
    }
  run_lambdas(arguments);
  write_arguments(callee, arguments, [&](term_number) { return gives; });
  return gives;
}

term_number reader::read_construction(const clang::CXXConstructExpr& of, bool is_written) {
  const clang::CXXConstructorDecl& constructor = *of.getConstructor();
  const llvm::ArrayRef<const clang::Expr*> arguments(of.getArgs(), of.getNumArgs());
  if (constructor.isCopyOrMoveConstructor() && !arguments.empty()) {
    // One that is written is a call; the compiler's own is none.
    const bool copies_variable = is_written && arguments[0]->IgnoreImplicit()->isLValue() && !of.isElidable();
    if (!copies_variable || owns_.of(*constructor.getParent()) != ownership::owner::project) return read(arguments[0]);
    return invoke(constructor, nullptr, arguments, of);
  }
  if (owns_.of(*constructor.getParent()) == ownership::owner::project) {
    const clang::CXXConstructorDecl* const inherited = constructor.getInheritedConstructor().getConstructor();
    const bool is_implicit =
        !is_written && !clang::isa<clang::CXXTemporaryObjectExpr>(of) && !of.isListInitialization();
    if (is_implicit) return read_all(arguments, text_of(of));
    return invoke(inherited != nullptr ? *inherited : constructor, nullptr, arguments, of);
  }
  if (arguments.size() == 1) {
    const term_number inner = read(arguments[0]);
    return terms_[inner].lambda != nullptr ? inner : terms_.made_of({inner}, text_of(of));
  }
  return read_all(arguments, text_of(of));
}

/// The body of a lambda that a variable holds.
const clang::FunctionDecl* reader::lambda_called(const clang::CallExpr& of, const clang::FunctionDecl& callee) {
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&callee);
  if (method == nullptr || of.getNumArgs() == 0 || callee.getOverloadedOperator() != clang::OO_Call) return nullptr;
  if (method->getParent()->isLambda()) return &callee;
  const term_number held = read(of.getArg(0));
  const clang::LambdaExpr* const lambda = terms_[held].lambda;
  return lambda != nullptr ? lambda->getCallOperator() : nullptr;
}

/// std::make_unique and the like: the constructor that takes as many arguments.
std::optional<term_number> reader::read_made_owner(const clang::FunctionDecl& callee,
                                                   llvm::ArrayRef<const clang::Expr*> arguments,
                                                   const clang::Expr& as_written) {
  const auto* const types = callee.getTemplateSpecializationArgs();
  if (types == nullptr || types->size() == 0 || types->get(0).getKind() != clang::TemplateArgument::Type)
    return std::nullopt;
  const auto* const record = types->get(0).getAsType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || owns_.of(*record) != ownership::owner::project)
    return std::nullopt;
  for (const clang::CXXConstructorDecl* const each : record->getDefinition()->ctors())
    if (!each->isCopyOrMoveConstructor() && each->getNumParams() >= arguments.size() &&
        each->getMinRequiredArguments() <= arguments.size())
      return invoke(*each, nullptr, arguments, as_written);
  return std::nullopt;
}

term_number reader::read_call(const clang::CallExpr& of) {
  const clang::FunctionDecl* const callee = of.getDirectCallee();
  const llvm::ArrayRef<const clang::Expr*> all(of.getArgs(), of.getNumArgs());
  if (callee == nullptr) {
    const clang::FunctionDecl* const pointed = pointed_to(*of.getCallee());
    if (pointed != nullptr && owns_.of(*pointed) == ownership::owner::project)
      return invoke(*pointed, nullptr, all, of);
    return read_all(all, text_of(of));
  }
  // Catch2 2.13 writes its expressions a second time, in a call that does not evaluate them.
  if (callee->getBuiltinID() != 0 && callee->getNameAsString() == "__builtin_constant_p") return terms_.constant("");
  if (read_assertion(of, *callee)) return terms_.constant("");
  if (is_expectation(*callee)) return terms_.constant("");
  if (clang::isa<clang::UserDefinedLiteral>(of)) return terms_.constant(text_of(of));
  const auto* const member = clang::dyn_cast<clang::CXXMemberCallExpr>(&of);
  const auto* const by_operator = clang::dyn_cast<clang::CXXOperatorCallExpr>(&of);
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(callee);
  const bool is_method_operator = by_operator != nullptr && method != nullptr && !method->isStatic();
  const clang::Expr* receiver = member != nullptr ? member->getImplicitObjectArgument() : nullptr;
  llvm::ArrayRef<const clang::Expr*> arguments = all;
  if (is_method_operator) {
    receiver = all[0];
    arguments = all.drop_front();
  }
  if (is_method_operator)
    if (const clang::FunctionDecl* const body = lambda_called(of, *callee))
      if (const auto made = inlined(*body, arguments)) return *made;
  const auto owner = owns_.of(*callee);
  if (owner == ownership::owner::project) return invoke(*callee, receiver, arguments, of);
  const bool is_of_fixture = receiver != nullptr && clang::isa<clang::CXXThisExpr>(receiver->IgnoreParenImpCasts());
  if (owner == ownership::owner::tests &&
      (method == nullptr || method->isStatic() || is_of_fixture || receiver == nullptr))
    if (const auto made = inlined(*callee, arguments, &of)) return *made;
  // A helper that is too deep, or virtual: what it does is not known.
  if (owner == ownership::owner::tests && !callee->isImplicit() && (method == nullptr || is_of_fixture)) {
    read_all(arguments, "");
    write_arguments(*callee, arguments, [&](term_number) { return terms_.variable(text_of(of)); });
    return terms_.variable(text_of(of));
  }
  const std::string name = callee->getNameAsString();
  // The parameter of a test is the same wherever it is asked for.
  if (name == "GetParam" && arguments.empty()) {
    const location where{callee->getCanonicalDecl(), ""};
    if (!at(where)) put(where, terms_.variable("GetParam()"));
    return *at(where);
  }
  if (callee->isInStdNamespace() &&
      (name == "move" || name == "forward" || name == "ref" || name == "cref" || name == "addressof") &&
      arguments.size() == 1)
    return read(arguments[0]);
  // A member that the compiler writes: `a = b` of a class of the project.
  if (method != nullptr && owns_.of(*method->getParent()) == ownership::owner::project && receiver != nullptr &&
      !method->getParent()->isLambda() && method->isImplicit())
    return invoke(*callee, receiver, arguments, of);
  if (callee->isInStdNamespace() && name == "get" && arguments.size() == 1)
    if (const auto* const types = callee->getTemplateSpecializationArgs();
        types != nullptr && types->size() > 0 && types->get(0).getKind() == clang::TemplateArgument::Integral)
      return terms_.field(read(arguments[0]), std::to_string(types->get(0).getAsIntegral().getZExtValue()),
                          text_of(of));
  if (callee->isInStdNamespace() && (name == "make_shared" || name == "make_unique"))
    if (const auto made = read_made_owner(*callee, arguments, of)) return *made;
  return call_others(*callee, is_of_fixture ? nullptr : receiver, arguments, of);
}

}  // namespace morph::source::scouting
