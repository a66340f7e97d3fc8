// Each kind of type: how it is spelled, its members and arguments.
#include "coverage/source/describe/types.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/QualTypeNames.h>
#include <clang/Basic/Version.h>
#include <clang/Sema/Initialization.h>
#if CLANG_VERSION_MAJOR >= 17
#include <clang/Sema/EnterExpressionEvaluationContext.h>
#else
#include <clang/Sema/Sema.h>
#endif

#include <algorithm>
#include <array>
#include <string_view>

#include "coverage/source/describe/nameable.hpp"

namespace morph::source {
namespace {

using nlohmann::json;

clang::PrintingPolicy policy_of(const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.FullyQualifiedName = true;
  policy.SuppressTagKeyword = true;
  policy.Bool = true;
  return policy;
}

constexpr std::string_view written_string = "std::basic_string<char, std::char_traits<char>, std::allocator<char>>";

/// What the compiler calls the elements of a va_list, which is an array or a structure.
bool is_argument_list(clang::QualType type) {
  const auto* const record = type->getAsRecordDecl();
  return record != nullptr && (record->getName() == "__va_list_tag" || record->getName() == "__va_list");
}

const char* kind_of(const clang::BuiltinType& type) {
  if (type.getKind() == clang::BuiltinType::Bool) return "bool";
  if (type.isCharType() && type.getKind() != clang::BuiltinType::SChar && type.getKind() != clang::BuiltinType::UChar)
    return "character";
  if (type.isWideCharType() || type.isChar8Type() || type.isChar16Type() || type.isChar32Type())
    return "wide_character";
  if (type.getKind() == clang::BuiltinType::Int128 || type.getKind() == clang::BuiltinType::UInt128) return "other";
  if (type.isInteger()) return "integer";
  if (type.getKind() == clang::BuiltinType::Float || type.getKind() == clang::BuiltinType::Double ||
      type.getKind() == clang::BuiltinType::LongDouble)
    return "floating";
  if (type.getKind() == clang::BuiltinType::NullPtr) return "null_pointer";
  return type.isVoidType() ? "void" : "other";
}

const char* access_of(clang::AccessSpecifier access) {
  return access == clang::AS_private ? "private" : access == clang::AS_protected ? "protected" : "public";
}

}  // namespace

type_table::type_table(clang::Sema& sema)
    : sema_(sema), context_(sema.getASTContext()), policy_(policy_of(sema.getASTContext())) {}

std::string type_table::spelled(clang::QualType type) const {
  if (type->isPointerType() && is_argument_list(type->getPointeeType())) return "va_list";
  std::string text = clang::TypeName::getFullyQualifiedName(
      are_its_aliases_public(type) ? type : type.getCanonicalType(), context_, policy_);
  for (std::size_t at = 0; (at = text.find(written_string, at)) != std::string::npos;)
    text.replace(at, written_string.size(), "std::string");
  return text;
}

std::string type_table::canonical(clang::QualType type) const {
  return type.getCanonicalType().getUnqualifiedType().getAsString(policy_);
}

json type_table::use_of(clang::QualType type) {
  const char* passed = "value";
  if (const auto* const reference = type->getAs<clang::ReferenceType>()) {
    const bool is_move = reference->isRValueReferenceType();
    type = reference->getPointeeType();
    passed = is_move ? "move" : type.isConstQualified() ? "const_reference" : "reference";
  } else if (const auto* const decayed = type->getAs<clang::DecayedType>();
             decayed != nullptr && !type->isFunctionPointerType()) {
    type = decayed->getDecayedType()->getPointeeType();
    passed = type.isConstQualified() ? "const_pointer" : "pointer";
  } else if (type->isPointerType() && !type->isFunctionPointerType()) {
    type = type->getPointeeType();
    passed = type.isConstQualified() ? "const_pointer" : "pointer";
  }
  return {{"type", add(type)}, {"spelled", spelled(type.getUnqualifiedType())}, {"passed", passed}};
}

json type_table::use_for_call(clang::QualType type) {
  const std::string written = spelled(type);
  clang::QualType pointer;  // that is passed by its address
  const char* passed = "pointer_to_pointer";
  bool constant = false;
  if (const auto* const reference = type->getAs<clang::ReferenceType>()) {
    const clang::QualType inner = reference->getPointeeType();
    if (inner->isPointerType() && !inner->isFunctionPointerType()) {
      if (inner.isConstQualified() || reference->isRValueReferenceType())
        type = inner.getUnqualifiedType();
      else
        pointer = inner, passed = "reference_to_pointer";
    }
  } else if (type->isPointerType() && type->getPointeeType()->isPointerType()) {
    pointer = type->getPointeeType();
    constant = pointer.isConstQualified();
  }
  json use;
  if (pointer.isNull() || pointer->getPointeeType()->isPointerType() || pointer->isFunctionPointerType()) {
    use = use_of(type);
  } else {
    const clang::QualType inner = pointer->getPointeeType();
    use = {{"type", add(inner)}, {"spelled", spelled(inner.getUnqualifiedType())}, {"passed", passed}};
    use["pointer"] = spelled(pointer.getUnqualifiedType());
    use["constant"] = constant;
  }
  use["written"] = written;
  return use;
}

clang::QualType type_table::type_of(const clang::CXXRecordDecl& record) const {
#if CLANG_VERSION_MAJOR >= 22
  return context_.getCanonicalTagType(&record);
#else
  return context_.getRecordType(&record);
#endif
}

std::string type_table::add(clang::QualType type) {
  std::string name = canonical(type);
  if (types_.contains(name)) return name;
  types_[name] = json::object();  // it may be a member of its members
  json made = described(type.getCanonicalType().getUnqualifiedType());
  if (!made.contains("spelled")) made["spelled"] = spelled(type.getUnqualifiedType());
  const auto* const tag = type->getAsTagDecl();
  if (tag != nullptr && !unnameable_part(*tag, policy_).empty()) made["hidden"] = true;
  if (const auto hooks = hooks_.find(name); hooks != hooks_.end()) made["hooks"] = hooks->second;
  types_[name] = std::move(made);
  return name;
}

json type_table::described(clang::QualType type) {
  json to{{"kind", "other"}};
  if (const auto* const builtin = type->getAs<clang::BuiltinType>()) {
    to["kind"] = kind_of(*builtin);
    if (builtin->isInteger()) to["signed"] = builtin->isSignedInteger();
    if (builtin->isInteger() || builtin->isFloatingPoint()) to["bits"] = context_.getTypeSize(type);
    return to;
  }
  if (const auto* const enumeration = type->getAs<clang::EnumType>()) {
    const clang::EnumDecl& decl = *enumeration->getDecl();
    to["kind"] = "enumeration";
    to["values"] = json::array();
    const clang::DeclContext* around = decl.getDeclContext();
    while (around->isTransparentContext()) around = around->getParent();  // extern "C"
    const auto* const record = clang::dyn_cast<clang::CXXRecordDecl>(around);
    const auto* const space = clang::dyn_cast<clang::NamespaceDecl>(around);
    const std::string scope = decl.isScoped()     ? spelled(type)
                              : record != nullptr ? spelled(type_of(*record))
                              : space != nullptr  ? space->getQualifiedNameAsString()
                                                  : std::string();
    for (const auto* const each : decl.enumerators()) {
      to["values"].push_back((scope.empty() ? "" : scope + "::") + each->getNameAsString());
      to["numbers"].push_back(each->getInitVal().getExtValue());
    }
    return to;
  }
  if (const auto* const array = context_.getAsConstantArrayType(type)) {
    to["kind"] = "c_array";
    to["size"] = array->getSize().getZExtValue();
    to["of"] = json::array({use_of(array->getElementType())});
    return to;
  }
  if (type->isFunctionPointerType() || type->isFunctionType()) {
    const clang::QualType inner = type->isFunctionType() ? type : type->getPointeeType();
    if (const auto* const function = inner->getAs<clang::FunctionProtoType>()) {
      to["kind"] = "function_pointer";
      add_function(*function, to);
      return to;
    }
  }
  if (type->isPointerType() || type->isReferenceType() || type->isMemberPointerType()) {
    to["kind"] = "raw_pointer";
    return to;
  }
  const clang::CXXRecordDecl* const record = type->getAsCXXRecordDecl();
  if (record == nullptr || is_argument_list(type)) return to;
  if (add_of_standard_library(*record, to)) return to;
  if (record->getName() == "_IO_FILE" || record->getName() == "__sFILE") {
    to["kind"] = "FILE";
    to["spelled"] = "FILE";
    return to;
  }
  to["kind"] = "record";
  add_record(*record, type, to);
  return to;
}

void type_table::add_function(const clang::FunctionProtoType& function, json& to) {
  to["result"] = use_of(function.getReturnType());
  to["arguments"] = json::array();
  for (const clang::QualType each : function.param_types()) {
    json one = use_of(each);
    one["written"] = spelled(each);
    to["arguments"].push_back(std::move(one));
  }
  to["result"]["written"] = spelled(function.getReturnType());
}

void type_table::add_record(const clang::CXXRecordDecl& record, clang::QualType type, json& to) {
  to["name"] = record.getNameAsString();
  to["namespace"] = "";
  for (const clang::DeclContext* at = record.getDeclContext(); at != nullptr; at = at->getParent())
    if (const auto* const space = clang::dyn_cast<clang::NamespaceDecl>(at)) {
      to["namespace"] = space->getQualifiedNameAsString();
      break;
    }
  const clang::SourceLocation nowhere = sema_.getASTContext().getTranslationUnitDecl()->getLocation();
  to["complete"] = sema_.isCompleteType(record.getLocation().isValid() ? record.getLocation() : nowhere, type);
  if (!to["complete"]) return;
  const clang::CXXRecordDecl& whole = *record.getDefinition();
  const clang::QualType constant = context_.getLValueReferenceType(type.withConst());
  to["union"] = whole.isUnion();
  to["abstract"] = whole.isAbstract();
  to["polymorphic"] = whole.isPolymorphic();
  to["bases"] = json::array();
  for (const auto& base : whole.bases()) to["bases"].push_back(spelled(base.getType()));
  to["aggregate"] = has_trait(clang::UTT_IsAggregate, {type});
  to["default"] = has_trait(clang::TT_IsConstructible, {type});
  to["copyable"] = has_trait(clang::TT_IsConstructible, {type, constant});
  to["assignable"] = has_trait(clang::BTT_IsAssignable,
                               {context_.getLValueReferenceType(type), context_.getRValueReferenceType(type)});
  to["bytes"] = !to["aggregate"] && has_trait(clang::UTT_IsTriviallyCopyable, {type}) &&
                has_trait(clang::UTT_HasUniqueObjectRepresentations, {type});
  to["equality"] = has_equality(type);
  to["fields"] = json::array();
  for (const auto* const field : whole.fields()) {
    json one = use_of(field->getType());
    one["name"] = field->getNameAsString();
    one["access"] = access_of(field->getAccess());
    one["bits"] = field->isBitField();
    one["constant"] = field->getType().isConstQualified();
    to["fields"].push_back(std::move(one));
  }
  to["constructors"] = json::array();
  for (const auto* const each : whole.ctors()) {
    if (each->getAccess() != clang::AS_public || each->isDeleted() || each->isCopyOrMoveConstructor() ||
        each->isImplicit() || each->isVariadic())
      continue;
    json parameters = json::array();
    for (const auto* const parameter : each->parameters()) {
      json one = use_of(parameter->getType());
      one["name"] = parameter->getNameAsString();
      one["has_default"] = parameter->hasDefaultArg();
      parameters.push_back(std::move(one));
    }
    to["constructors"].push_back(std::move(parameters));
  }
}

bool type_table::has_trait(clang::TypeTrait trait, std::initializer_list<clang::QualType> of) {
  llvm::SmallVector<clang::TypeSourceInfo*, 2> arguments;
  const clang::SourceLocation at = context_.getTranslationUnitDecl()->getLocation();
  for (const clang::QualType type : of) arguments.push_back(context_.getTrivialTypeSourceInfo(type, at));
  const clang::ExprResult asked = sema_.BuildTypeTrait(trait, at, arguments, at);
  if (asked.isInvalid()) return false;
  const auto* const answer = clang::dyn_cast<clang::TypeTraitExpr>(asked.get());
  if (answer == nullptr || answer->isValueDependent()) return false;
#if CLANG_VERSION_MAJOR >= 21
  return answer->getBoolValue();
#else
  return answer->getValue();
#endif
}

bool type_table::has_equality(clang::QualType type) {
  const clang::EnterExpressionEvaluationContext unevaluated(sema_,
                                                            clang::Sema::ExpressionEvaluationContext::Unevaluated);
  const clang::Sema::SFINAETrap trap(sema_, true);
  const clang::Sema::ContextRAII global(sema_, context_.getTranslationUnitDecl());
  clang::OpaqueValueExpr left({}, type.withConst(), clang::VK_LValue), right({}, type.withConst(), clang::VK_LValue);
  const clang::ExprResult made = sema_.BuildBinOp(nullptr, {}, clang::BO_EQ, &left, &right);
  return !made.isInvalid() && !trap.hasErrorOccurred();
}

}  // namespace morph::source
