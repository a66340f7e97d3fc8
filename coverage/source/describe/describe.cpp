// Collects declarations of a name, and writes them as JSON.
#include "coverage/source/describe/describe.hpp"

#include <clang/Basic/SourceManager.h>

#include <nlohmann/json.hpp>
#include <set>

#include "coverage/source/clang/files.hpp"
#include "coverage/source/clang/walk.hpp"
#include "coverage/source/describe/types.hpp"

namespace morph::source {
namespace {

using nlohmann::json;

constexpr const char *asked_instance = "morph_asked::instance", *asked_input = "morph_asked::input";

bool is_called(const std::string& name, const std::string& wanted) {
  return name == wanted || name.ends_with("::" + wanted);
}

std::string folder_of(const std::string& file) {
  return file.substr(0, file.rfind('/') + 1);
}

struct declarations {
  std::vector<clang::FunctionDecl*> functions;  // that a user could call, in the order of their declarations
  const clang::VarDecl* instance = nullptr;
  const clang::TypedefNameDecl* input = nullptr;
};

bool could_be_called(const clang::FunctionDecl& function) {
  return !function.isImplicit() && !function.isOverloadedOperator() &&
         function.getParentFunctionOrMethod() == nullptr &&
         !clang::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl,
                     clang::CXXDeductionGuideDecl>(function) &&
         !function.isTemplateInstantiation();
}

declarations declarations_in(clang::TranslationUnitDecl& unit) {
  declarations found;
  std::set<const clang::FunctionDecl*> seen;
  walk(&unit, {.declaration = [&](clang::Decl& each) {
    if (auto* const function = clang::dyn_cast<clang::FunctionDecl>(&each)) {
      if (could_be_called(*function) && seen.insert(function->getCanonicalDecl()).second)
        found.functions.push_back(function);
    } else if (auto* const variable = clang::dyn_cast<clang::VarDecl>(&each)) {
      if (variable->getQualifiedNameAsString() == asked_instance) found.instance = variable;
    } else if (auto* const name = clang::dyn_cast<clang::TypedefNameDecl>(&each)) {
      if (name->getQualifiedNameAsString() == asked_input) found.input = name;
    }
    return true;
  }});
  return found;
}

/// The function whose address an initializer takes.
const clang::FunctionDecl* function_named_in(const clang::Expr& initializer) {
  const clang::FunctionDecl* found = nullptr;
  walk(&initializer, {.statement = [&](const clang::Stmt& each) {
    if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(&each))
      if (const auto* const function = clang::dyn_cast<clang::FunctionDecl>(name->getDecl())) found = function;
    return true;
  }});
  return found;
}

class describer {
 public:
  describer(clang::Sema& sema, const std::string& wanted, json& to)
      : context_(sema.getASTContext()), sources_(sema.getSourceManager()), wanted_(wanted), to_(to), types_(sema) {}

  void describe_all() {
    to_["header"] = header_ = included_first();
    const declarations all = declarations_in(*context_.getTranslationUnitDecl());
    for (const auto* const each : all.functions) add_hook(*each);
    std::set<std::string> names;
    const std::string folder = folder_of(header_);
    for (const auto* const each : all.functions) {
      const std::string name = each->getQualifiedNameAsString();
      const std::string file = file_of(*each);
      const bool is_system = sources_.isInSystemHeader(each->getLocation());
      if (file == header_ || ((!is_system || !folder.ends_with("/include/")) && file.starts_with(folder)))
        names.insert(name);
      if (all.instance == nullptr && is_called(name, wanted_)) to_["functions"].push_back(described(*each));
    }
    to_["names"] = names;
    if (all.instance != nullptr && all.instance->getInit() != nullptr)
      if (const auto* const named = function_named_in(*all.instance->getInit()))
        to_["functions"].push_back(described(*named));
    if (all.input != nullptr) to_["input"] = types_.use_of(all.input->getUnderlyingType());
    to_["types"] = types_.take();
  }

 private:
  std::string included_first() const {
    for (unsigned i = 0; i < sources_.local_sloc_entry_size(); ++i) {
      const auto& entry = sources_.getLocalSLocEntry(i);
      if (!entry.isFile()) continue;
      const clang::SourceLocation from = entry.getFile().getIncludeLoc();
      if (from.isInvalid() || !sources_.isWrittenInMainFile(from)) continue;
      if (const auto file = entry.getFile().getContentCache().OrigEntry) return one_name(file->getName());
    }
    return {};
  }

  std::string file_of(const clang::Decl& of) const {
    const auto at = sources_.getFileID(sources_.getFileLoc(of.getLocation()));
    const auto file = sources_.getFileEntryRefForID(at);
    return file ? one_name(file->getName()) : std::string();
  }

  /// morph_save(const T&), to_json(json&, const T&)
  void add_hook(const clang::FunctionDecl& function) {
    if (function.getIdentifier() == nullptr) return;
    const llvm::StringRef name = function.getName();
    const unsigned at = name == "morph_save" ? 0 : 1;
    if ((name != "morph_save" && name != "to_json") || function.getNumParams() != at + 1) return;
    types_.add_hook(function.getParamDecl(at)->getType().getNonReferenceType(), at == 0 ? "morph_save" : "to_json");
  }

  json described(const clang::FunctionDecl& function) {
    json one{{"name", function.getQualifiedNameAsString()},
             {"file", file_of(function)},
             {"line", sources_.getLineNumber(sources_.getFileID(sources_.getFileLoc(function.getLocation())),
                                             sources_.getFileOffset(sources_.getFileLoc(function.getLocation())))},
             {"parameters", json::array()},
             {"template", function.getDescribedFunctionTemplate() != nullptr || function.isDependentContext()},
             {"deleted", function.isDeleted()},
             {"variadic", function.isVariadic()},
             {"c", function.isExternC()},
             {"access", access_of(function)},
             {"noexcept", false},
             {"defined_in", ""}};
    if (const clang::FunctionDecl* definition = nullptr; function.isDefined(definition))
      one["defined_in"] = file_of(*definition);
    std::string signature = one["name"].get<std::string>() + '(';
    for (const auto* const parameter : function.parameters()) {
      const bool first = one["parameters"].empty();
      signature += (first ? "" : ", ") + types_.spelled(parameter->getType());
      json use = one["template"] ? json::object() : types_.use_of(parameter->getType());
      use["name"] = parameter->getNameAsString();
      use["has_default"] = parameter->hasDefaultArg();
      one["parameters"].push_back(std::move(use));
    }
    one["signature"] = signature + ')';
    if (!one["template"]) one["result"] = types_.use_of(function.getReturnType());
    if (const auto* const type = function.getType()->getAs<clang::FunctionProtoType>())
      one["noexcept"] = !clang::isUnresolvedExceptionSpec(type->getExceptionSpecType()) && type->isNothrow();
    if (const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&function)) {
      one["static"] = method->isStatic();
      one["constant"] = method->isConst();
      if (method->isConst()) one["signature"] = signature + ") const";
      if (!one["template"]) one["class"] = types_.use_of(types_.type_of(*method->getParent()));
    }
    return one;
  }

  static const char* access_of(const clang::FunctionDecl& of) {
    return of.getAccess() == clang::AS_private     ? "private"
           : of.getAccess() == clang::AS_protected ? "protected"
                                                   : "public";
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const std::string& wanted_;
  json& to_;
  type_table types_;
  std::string header_;
};

}  // namespace

json describe(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
              const std::string& wanted, std::vector<parse_error>& errors) {
  json made{{"header", ""},
            {"functions", json::array()},
            {"names", json::array()},
            {"types", json::object()},
            {"input", nullptr}};
  analyze(
      of, tree, options, [&](clang::Sema& sema) { describer(sema, wanted, made).describe_all(); }, errors);
  return made;
}

}  // namespace morph::source
