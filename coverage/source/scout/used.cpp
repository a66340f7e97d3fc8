// From names in code to the declarations that stand in the same file.
#include "coverage/source/scout/used.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <set>

#include "coverage/source/clang/walk.hpp"
#include "coverage/source/scout/edited_text.hpp"

namespace morph::source::scouting {
namespace {

class collector {
 public:
  explicit collector(clang::ASTContext& context) : sources_(context.getSourceManager()) {}

  used_declarations made;

  void look_at(const clang::Stmt& code) { walk(&code, calls()); }

  /// What is named there.
  void use(const clang::Decl* of) {
    if (of == nullptr) return;
    if (const auto* const function = clang::dyn_cast<clang::FunctionDecl>(of)) {
      if (const auto* const pattern = function->getTemplateInstantiationPattern()) of = pattern;
    } else if (const auto* const record = clang::dyn_cast<clang::CXXRecordDecl>(of)) {
      if (const auto* const pattern = record->getTemplateInstantiationPattern()) of = pattern;
    }
    const clang::Decl* top = of;
    while (top->getDeclContext() != nullptr && !top->getDeclContext()->isFileContext()) {
      const auto* const around = clang::dyn_cast<clang::Decl>(top->getDeclContext());
      if (around == nullptr || clang::isa<clang::FunctionDecl>(around)) return;  // it is of the code itself
      top = around;
    }
    note_framework(*top);
    if (const auto* const function = clang::dyn_cast<clang::FunctionDecl>(top);
        function != nullptr && function->getDescribedFunctionTemplate() != nullptr)
      top = function->getDescribedFunctionTemplate();
    if (const auto* const record = clang::dyn_cast<clang::CXXRecordDecl>(top);
        record != nullptr && record->getDescribedClassTemplate() != nullptr)
      top = record->getDescribedClassTemplate();
    if (clang::isa<clang::NamespaceDecl, clang::TranslationUnitDecl>(top)) return;
    for (const clang::Decl* const each : top->redecls())
      if (sources_.getFileID(sources_.getExpansionLoc(each->getLocation())) == sources_.getMainFileID()) add(*each);
  }

 private:
  walk_calls calls() {
    return {.statement =
                [this](const clang::Stmt& each) {
                  if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(&each)) use(name->getDecl());
                  if (const auto* const member = clang::dyn_cast<clang::MemberExpr>(&each))
                    use(member->getMemberDecl());
                  if (const auto* const built = clang::dyn_cast<clang::CXXConstructExpr>(&each))
                    use(built->getConstructor());
                  if (const auto* const open = clang::dyn_cast<clang::OverloadExpr>(&each))
                    for (const clang::NamedDecl* const one : open->decls()) use(one->getUnderlyingDecl());
                  return true;
                },
            .declaration =
                [this](clang::Decl& each) {
                  if (const auto* const value = clang::dyn_cast<clang::ValueDecl>(&each)) use_type(value->getType());
                  return true;
                },
            .type =
                [this](clang::TypeLoc each) {
                  use_type(each.getType());
                  return true;
                },
            .implicit_code = true};
  }

  void use_type(clang::QualType type) {
    while (!type.isNull() && (type->isReferenceType() || type->isPointerType())) type = type->getPointeeType();
    if (type.isNull()) return;
    if (const auto* const name = type->getAs<clang::TypedefType>()) use(name->getDecl());
    if (const auto* const tag = type->getAsTagDecl()) use(tag);
    if (const auto* const instance = type->getAs<clang::TemplateSpecializationType>()) {
      use(instance->getTemplateName().getAsTemplateDecl());
      for (const clang::TemplateArgument& each : instance->template_arguments())
        if (each.getKind() == clang::TemplateArgument::Type) use_type(each.getAsType());
    }
  }

  void note_framework(const clang::Decl& of) {
    const auto* at = of.getDeclContext();
    for (; at != nullptr && !at->isTranslationUnit(); at = at->getParent())
      if (const auto* const scope = clang::dyn_cast<clang::NamespaceDecl>(at);
          scope != nullptr &&
          (scope->getName() == "testing" || scope->getName() == "Catch" || scope->getName() == "doctest"))
        made.has_framework = true;
  }

  void add(const clang::Decl& of) {
    if (!seen_.insert(&of).second) return;
    if (of.getBeginLoc().isMacroID() && !sources_.isMacroArgExpansion(of.getBeginLoc())) {
      const auto* const named = clang::dyn_cast<clang::NamedDecl>(&of);
      if (named != nullptr && named->getName().ends_with("_Test")) return;  // a friend of a fixture
      made.refused = "it uses '" + (named != nullptr ? named->getNameAsString() : std::string("a name")) +
                     "', which a macro declares";
      return;
    }
    made.of_source.push_back(&of);
    walk(const_cast<clang::Decl*>(&of), calls());
    if (const auto* const record = clang::dyn_cast<clang::CXXRecordDecl>(&of)) add_definitions(*record);
  }

  /// Of members, that stand behind the class.
  void add_definitions(const clang::CXXRecordDecl& of) {
    for (const clang::Decl* const member : of.decls())
      for (const clang::Decl* const each : member->redecls())
        if (each->getLexicalDeclContext()->isFileContext() &&
            sources_.getFileID(sources_.getExpansionLoc(each->getLocation())) == sources_.getMainFileID())
          add(*each);
  }

  const clang::SourceManager& sources_;
  std::set<const clang::Decl*> seen_{};
};

}  // namespace

used_declarations used_by(const std::vector<const clang::Stmt*>& code, const std::vector<const clang::Decl*>& further,
                          clang::ASTContext& context) {
  collector found(context);
  for (const clang::Stmt* const each : code) found.look_at(*each);
  for (const clang::Decl* const each : further) found.use(each);
  const clang::SourceManager& sources = context.getSourceManager();
  std::ranges::sort(found.made.of_source, [&](const auto* a, const auto* b) {
    return sources.isBeforeInTranslationUnit(a->getBeginLoc(), b->getBeginLoc());
  });
  return std::move(found.made);
}

namespace {

using nlohmann::json;

/// Lines of the main file that include another.
std::set<unsigned> include_lines(const clang::SourceManager& sources) {
  std::set<unsigned> made;
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile()) continue;
    const clang::SourceLocation from = entry.getFile().getIncludeLoc();
    if (from.isValid() && sources.getFileID(from) == sources.getMainFileID())
      made.insert(sources.getSpellingLineNumber(from));
  }
  return made;
}

/// `#define NAME ...` with its further lines.
json macros_of(llvm::StringRef text) {
  json made = json::array();
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    std::string whole = line.str();
    while (whole.ends_with('\\') && !rest.empty()) {
      std::tie(line, rest) = rest.split('\n');
      whole += '\n' + line.str();
    }
    text = rest;
    llvm::StringRef directive = llvm::StringRef(whole).ltrim();
    if (!directive.consume_front("#")) continue;
    directive = directive.ltrim();
    if (!directive.consume_front("define")) continue;
    const std::string name =
        directive.ltrim()
            .take_while([](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; })
            .str();
    if (!name.empty()) made.push_back({{"name", name}, {"text", whole}});
  }
  return made;
}

}  // namespace

json parts_of_source(clang::ASTContext& context, const std::vector<const clang::Decl*>& used) {
  const clang::SourceManager& sources = context.getSourceManager();
  const edited_text text(sources, context.getLangOpts());
  const llvm::StringRef whole = sources.getBufferData(sources.getMainFileID());
  json made{{"includes", json::array()},
            {"usings", json::array()},
            {"declarations", json::array()},
            {"macros", macros_of(whole)}};
  llvm::SmallVector<llvm::StringRef> lines;
  whole.split(lines, '\n');
  // A directive may end where the next line begins.
  for (const unsigned each : include_lines(sources))
    for (const unsigned number : {each, each - 1})
      if (number >= 1 && number <= lines.size() && lines[number - 1].ltrim().starts_with("#")) {
        made["includes"].push_back(lines[number - 1].trim().str());
        break;
      }
  const auto add = [&](const clang::Decl& of, json& to) {
    const auto where = text.range_of(of.getSourceRange());
    if (!where) return;
    std::string written = text.original(*where);
    if (!written.ends_with('}') || !clang::isa<clang::FunctionDecl, clang::FunctionTemplateDecl>(of)) written += ';';
    to.push_back(
        {{"text", written}, {"scopes", scopes_of(of)}, {"line", sources.getExpansionLineNumber(of.getBeginLoc())}});
  };
  std::vector<const clang::DeclContext*> open{context.getTranslationUnitDecl()};
  while (!open.empty()) {
    const clang::DeclContext* const at = open.back();
    open.pop_back();
    for (const clang::Decl* const each : at->decls()) {
      if (sources.getFileID(sources.getExpansionLoc(each->getLocation())) != sources.getMainFileID()) continue;
      if (const auto* const scope = clang::dyn_cast<clang::NamespaceDecl>(each)) open.push_back(scope);
      const bool is_using = clang::isa<clang::UsingDecl, clang::NamespaceAliasDecl>(each) ||
                            (clang::isa<clang::UsingDirectiveDecl>(each) && !each->isImplicit());
      if (is_using && !each->getBeginLoc().isMacroID()) add(*each, made["usings"]);
    }
  }
  for (const clang::Decl* const each : used) add(*each, made["declarations"]);
  return made;
}

std::vector<std::string> scopes_of(const clang::Decl& of) {
  std::vector<std::string> made;
  for (const auto* at = of.getLexicalDeclContext(); at != nullptr; at = at->getLexicalParent())
    if (const auto* const scope = clang::dyn_cast<clang::NamespaceDecl>(at))
      made.push_back(scope->isAnonymousNamespace() ? "" : scope->getNameAsString());
  std::ranges::reverse(made);
  return made;
}

}  // namespace morph::source::scouting
