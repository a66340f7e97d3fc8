// Finds the tests of a source, and writes their traces as JSON.
#include "coverage/source/recipes/recipes.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Sema/Sema.h>
#include <llvm/Support/ConvertUTF.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "coverage/source/clang/walk.hpp"
#include "coverage/source/describe/places.hpp"
#include "coverage/source/describe/signature.hpp"
#include "coverage/source/describe/types.hpp"
#include "coverage/source/recipes/tracer.hpp"

namespace morph::source {
namespace {

using nlohmann::json;

bool is_utf8(const std::string& text) {
  const auto* begin = reinterpret_cast<const llvm::UTF8*>(text.data());
  return llvm::isLegalUTF8String(&begin, begin + text.size()) != 0;
}

std::string hexadecimal(const std::string& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string made;
  for (const char each : bytes) {
    made += digits[static_cast<unsigned char>(each) >> 4];
    made += digits[static_cast<unsigned char>(each) & 15];
  }
  return made;
}

json to_json(const known& of) {
  switch (of.how) {
    case known::kind::number:
      return {{"number", of.number}};
    case known::kind::real:
      return std::isfinite(of.real) ? json{{"real", of.real}} : json();
    case known::kind::text:
      return is_utf8(of.text) ? json{{"text", of.text}} : json{{"hex", hexadecimal(of.text)}};
    case known::kind::null:
      return {{"null", true}};
    case known::kind::result:
      return {{"call", of.call}};
    case known::kind::list: {
      json elements = json::array();
      for (const known& each : of.elements) elements.push_back(to_json(each));
      return {{"list", std::move(elements)}};
    }
    case known::kind::nothing:
      break;
  }
  return nullptr;
}

/// "Suite.Name" of GoogleTest's class; else the name of the function.
std::string test_name(const clang::FunctionDecl& test) {
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&test);
  if (method == nullptr || test.getNameAsString() != "TestBody") return test.getQualifiedNameAsString();
  std::string name = method->getParent()->getNameAsString();
  if (name.ends_with("_Test")) name.resize(name.size() - 5);
  if (const auto at = name.find('_'); at != std::string::npos) name[at] = '.';
  return name;
}

class recipe_reader {
 public:
  recipe_reader(clang::Sema& sema, const file_choice& chosen, json& to)
      : context_(sema.getASTContext()), sources_(context_.getSourceManager()), chosen_(chosen), to_(to), types_(sema) {}

  void read() {
    to_["includes"] = included_by_main(sources_, chosen_);
    std::vector<const clang::FunctionDecl*> tests;
    const auto note = [&](clang::Decl& each) {
      if (const auto* const function = clang::dyn_cast<clang::FunctionDecl>(&each); function && is_test(*function))
        tests.push_back(function);
      return true;
    };
    for (clang::Decl* const each : context_.getTranslationUnitDecl()->decls()) {
      if (!sources_.isInMainFile(sources_.getExpansionLoc(each->getLocation()))) {
        add_texts_of_tables(each);
        continue;
      }
      walk(each, {.declaration = note});
      add_texts(each);
    }
    for (const clang::FunctionDecl* const each : tests) {
      tracer(context_, chosen_, [&](const trace& found) { add(*each, found); }).run(*each);
    }
  }

 private:
  bool is_test(const clang::FunctionDecl& of) const {
    if (!of.isThisDeclarationADefinition() || !of.hasBody() || of.isDependentContext() || of.isImplicit()) return false;
    if (of.getDescribedFunctionTemplate() != nullptr || of.isOverloadedOperator()) return false;
    if (clang::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(of)) return false;
    if (!of.isMain() && of.getNumParams() > 0) return false;
    const std::string name = of.getNameAsString();
    return name != "SetUp" && name != "TearDown";
  }

  void add(const clang::FunctionDecl& test, const trace& found) {
    if (found.empty()) return;
    json calls = json::array();
    for (const traced_call& each : found) {
      json arguments = json::array();
      for (const known& one : each.arguments) arguments.push_back(to_json(one));
      calls.push_back({{"callee", number_of(each)},
                       {"line", each.line},
                       {"throws", each.throws},
                       {"written", each.written},
                       {"arguments", std::move(arguments)}});
    }
    if (!seen_.insert(calls.dump(-1, ' ', false, json::error_handler_t::replace)).second) return;
    const place_in_header place = place_of(test);
    to_["recipes"].push_back(
        {{"file", place.file}, {"line", place.line}, {"test", test_name(test)}, {"calls", std::move(calls)}});
  }

  void add_texts(clang::Decl* within, bool of_main = true) {
    walk(within, {.statement = [&](const clang::Stmt& each) {
           if (const auto* const text = clang::dyn_cast<clang::StringLiteral>(&each)) add_text(*text, of_main);
           return true;
         }});
  }

  /// Of variables in headers: what tests share.
  void add_texts_of_tables(clang::Decl* within) {
    if (const auto* const space = clang::dyn_cast<clang::NamespaceDecl>(within)) {
      for (clang::Decl* const each : space->decls()) add_texts_of_tables(each);
    } else if (clang::isa<clang::VarDecl>(within) && chosen_.contains(place_of(*within).file)) {
      add_texts(within, false);
    }
  }

  /// Not of a name that a macro has made a text of, nor of a text in a macro of another file.
  void add_text(const clang::StringLiteral& of, bool of_main) {
    constexpr std::size_t most_bytes = 65536, most_texts = 2000;
    const clang::SourceLocation at = sources_.getSpellingLoc(of.getBeginLoc());
    if (of.getCharByteWidth() != 1 || of.getByteLength() == 0 || of.getByteLength() > most_bytes) return;
    if (at.isInvalid() || sources_.isWrittenInScratchSpace(at) || sources_.isInSystemHeader(at)) return;
    if (of_main && !sources_.isInMainFile(at)) return;
    if (const char first = *sources_.getCharacterData(at); first != '"' && first != 'R' && first != 'u') return;
    if (std::string text = of.getString().str(); to_["texts"].size() < most_texts && texts_.insert(text).second)
      to_["texts"].push_back(to_json(known::of_text(std::move(text))));
  }

  std::size_t number_of(const traced_call& of) {
    const auto [at, is_new] = numbers_.try_emplace({of.callee, of.of_class}, numbers_.size());
    if (!is_new) return at->second;
    const std::string signature =
        of.callee == nullptr ? signature_of_default_constructor(*of.of_class, types_)
                             : signature_of(*of.callee, name_of(*of.callee, of.of_class, types_).whole(), types_);
    to_["callees"].push_back(
        {{"signature", signature},
         {"file", of.place.file},
         {"line", of.place.line},
         {"constructor", of.callee != nullptr && clang::isa<clang::CXXConstructorDecl>(*of.callee)},
         {"changes", of.callee != nullptr ? changed_by(*of.callee) : std::vector<std::size_t>()},
         {"use", of.callee != nullptr ? use_of_instance(*of.callee, types_) : std::string()}});
    return at->second;
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const file_choice& chosen_;
  json& to_;
  type_table types_;
  std::map<std::pair<const clang::FunctionDecl*, const clang::CXXRecordDecl*>, std::size_t> numbers_;
  std::set<std::string> texts_;
  std::set<std::string> seen_;  // sections without calls of their own repeat what stands before them
};

}  // namespace

json recipes_of(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
                const file_choice& chosen, std::vector<parse_error>& errors) {
  json made{
      {"includes", json::array()}, {"callees", json::array()}, {"recipes", json::array()}, {"texts", json::array()}};
  analyze(
      of, tree, options, [&](clang::Sema& sema) { recipe_reader(sema, chosen, made).read(); }, errors);
  return made;
}

}  // namespace morph::source
