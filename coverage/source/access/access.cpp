// A walk over definitions: names, headers, and the fields that bodies mention.
#include "coverage/source/access/access.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ASTLambda.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "coverage/source/branches/function_names.hpp"
#include "coverage/source/clang/walk.hpp"
#include "coverage/source/describe/nameable.hpp"
#include "coverage/source/describe/places.hpp"

namespace morph::source {
namespace {

/// A test can write it as a literal.
bool is_plain(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (type->isArithmeticType() || type->isEnumeralType() || type->isDependentType()) return true;
  if (type->isPointerType()) return type->getPointeeType()->isAnyCharacterType();
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr) return false;
  const std::string name = record->getQualifiedNameAsString();
  return name == "std::basic_string" || name == "std::__cxx11::basic_string" || name == "std::basic_string_view";
}

const char* access_of(const clang::FunctionDecl& function) {
  switch (function.getAccess()) {
    case clang::AS_private:
      return "is private";
    case clang::AS_protected:
      return "is protected: only a class that derives from its class can call it";
    default:
      return "";
  }
}

std::string why_not(const clang::FunctionDecl& function, bool is_in_a_header) {
  if (function.isMain()) return "is main()";
  if (const std::string hidden = access_of(function); !hidden.empty()) return hidden;
  if (function.isInAnonymousNamespace()) return "lies in an anonymous namespace";
  if (!is_in_a_header && !function.isExternallyVisible()) return "is static: only its own source can call it";
  if (!is_public(function)) return "belongs to a class that no test can name";
  if (!is_in_a_header) return "is declared in no header";
  return {};
}

/// The field of its own object that an expression names.
const clang::FieldDecl* own_field(const clang::Stmt* of) {
  const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(of);
  if (expression == nullptr) return nullptr;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression->IgnoreParenImpCasts());
  if (member == nullptr || !llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())) return nullptr;
  return llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
}

const clang::Stmt* only_statement(const clang::FunctionDecl& function) {
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
  return body != nullptr && body->size() == 1 ? body->body_front() : nullptr;
}

/// What an expression is without the copy that a result is.
const clang::Expr* copied(const clang::Expr* of) {
  while (of != nullptr) {
    of = of->IgnoreParenImpCasts();
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(of);
    if (made == nullptr || made->getNumArgs() != 1 || !made->getConstructor()->isCopyOrMoveConstructor()) return of;
    of = made->getArg(0);
  }
  return of;
}

void add_fields(const clang::FunctionDecl& function, function_access& to) {
  std::set<std::string> known;
  bool calls = false;
  walk(function.getBody(), {.statement = [&](const clang::Stmt& each) {
         calls = calls || llvm::isa<clang::CallExpr>(each);
         if (const auto* field = own_field(&each)) {
           const std::string name = field->getQualifiedNameAsString();
           if (known.insert(name).second) to.reads.push_back(name);
         }
         return true;
       }});
  const auto* last = llvm::dyn_cast_or_null<clang::ReturnStmt>(only_statement(function));
  to.is_getter = last != nullptr && !calls;
  if (last == nullptr || last->getRetValue() == nullptr) return;
  if (const auto* field = own_field(copied(last->getRetValue()->IgnoreImplicit())))
    to.gives = field->getQualifiedNameAsString();
}

class reader {
 public:
  reader(clang::ASTContext& context, const file_choice& chosen)
      : context_(context), chosen_(chosen), headers_(context, chosen) {}

  std::vector<function_access> all() {
    const clang::SourceManager& sources = context_.getSourceManager();
    for (clang::Decl* each : context_.getTranslationUnitDecl()->decls()) {
      if (each->getLocation().isValid() && sources.isInSystemHeader(each->getLocation())) continue;
      walk(each, {.declaration = [this](clang::Decl& of) { return look_at(of), true; }});
    }
    return std::move(found_);
  }

 private:
  void look_at(const clang::Decl& of) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&of);
    if (function == nullptr || !function->isThisDeclarationADefinition() || function->isImplicit() ||
        function->isDeleted() || isLambdaCallOperator(function) || function->isTemplateInstantiation())
      return;
    const clang::SourceManager& sources = context_.getSourceManager();
    const auto entry =
        sources.getFileEntryRefForID(sources.getFileID(sources.getExpansionLoc(function->getLocation())));
    if (!entry || !chosen_.contains(one_name(entry->getName()))) return;
    found_.push_back(described(*function));
  }

  function_access described(const clang::FunctionDecl& function) {
    function_access made{.name = name_with_const(function)};
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    if (method != nullptr) made.in_class = method->getParent()->getQualifiedNameAsString();
    if (const auto place = headers_.of(function)) made.header = place->file;
    made.why_not = why_not(function, !made.header.empty());
    made.result = function.getReturnType().getCanonicalType().getAsString(context_.getPrintingPolicy());
    made.parameters = function.getNumParams();
    for (const clang::ParmVarDecl* each : function.parameters())
      if (!is_plain(each->getType())) ++made.objects;
    made.is_constant = method != nullptr && method->isConst();
    if (made.is_constant && made.parameters == 0 && function.getBody() != nullptr) add_fields(function, made);
    return made;
  }

  clang::ASTContext& context_;
  const file_choice& chosen_;
  header_places headers_;
  std::vector<function_access> found_;
};

}  // namespace

std::vector<function_access> read_access(clang::ASTContext& context, const file_choice& chosen) {
  return reader(context, chosen).all();
}

nlohmann::json to_json(const std::vector<function_access>& all) {
  nlohmann::json list = nlohmann::json::array();
  for (const function_access& each : all)
    list.push_back({{"name", each.name},
                    {"class", each.in_class},
                    {"header", each.header},
                    {"why_not", each.why_not},
                    {"result", each.result},
                    {"parameters", each.parameters},
                    {"objects", each.objects},
                    {"constant", each.is_constant},
                    {"getter", each.is_getter},
                    {"reads", each.reads},
                    {"gives", each.gives}});
  return list;
}

}  // namespace morph::source
