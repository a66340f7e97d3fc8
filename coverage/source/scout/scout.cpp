// Finds the tests of a source, and writes their relations as JSON.
#include "coverage/source/scout/scout.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string_view>
#include <tuple>

#include "coverage/source/clang/walk.hpp"
#include "coverage/source/describe/places.hpp"
#include "coverage/source/scout/codify.hpp"
#include "coverage/source/scout/reader.hpp"
#include "coverage/source/scout/stops.hpp"
#include "coverage/source/scout/used.hpp"

namespace morph::source {
namespace {

using nlohmann::json;

/// The function that a macro of a framework has made of a test's body.
bool is_body_of_test(const clang::FunctionDecl& of) {
  if (!of.isThisDeclarationADefinition() || !of.hasBody() || of.isDependentContext()) return false;
  const std::string name = of.getNameAsString();
  if (const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&of)) {
    const std::string owner = method->getParent()->getNameAsString();
    return (name == "TestBody" && of.getNumParams() == 0) || (name == "test" && owner.starts_with("C_A_T_C_H")) ||
           (name == "test" && owner.starts_with("CATCH2_INTERNAL")) ||
           (name == "f" && owner.find("DOCTEST_ANON") != std::string::npos);
  }
  return name.starts_with("C_A_T_C_H_T_E_S_T_") || name.starts_with("CATCH2_INTERNAL_TEST_") ||
         name.starts_with("CATCH2_INTERNAL_TEMPLATE_TEST_") || name.find("DOCTEST_ANON_") != std::string::npos;
}

/// By its name in Morph's table.
const char* framework_of(const clang::FunctionDecl& test) {
  const std::string name = test.getQualifiedNameAsString();
  return name.find("DOCTEST_ANON") != std::string::npos ? "doctest"
         : test.getNameAsString() == "TestBody"         ? "gtest"
                                                        : "catch2";
}

class test_finder {
 public:
  /// Of the unit's own file, and of headers that are of tests: typed tests of several sources stand in these.
  test_finder(clang::ASTContext& context, const scouting::ownership& owns) {
    for (clang::Decl* const each : context.getTranslationUnitDecl()->decls())
      if (owns.of_file(each->getLocation()) == scouting::ownership::owner::tests)
        walk(each, {.declaration = [this](clang::Decl& one) { return note(one), true; }});
  }
  std::vector<const clang::FunctionDecl*> found;

 private:
  void note(clang::Decl& one) {
    if (const auto* const function = clang::dyn_cast<clang::FunctionDecl>(&one);
        function != nullptr && is_body_of_test(*function))
      add(*function);
    // Of a template the first instance stands for all.
    if (auto* const of_types = clang::dyn_cast<clang::FunctionTemplateDecl>(&one))
      for (const clang::FunctionDecl* const each : of_types->specializations())
        if (is_body_of_test(*each)) return add(*each);
    if (auto* const of_types = clang::dyn_cast<clang::ClassTemplateDecl>(&one))
      for (const clang::ClassTemplateSpecializationDecl* const instance : of_types->specializations())
        for (const clang::CXXMethodDecl* const method : instance->methods()) {
          const clang::FunctionDecl* body = nullptr;
          if (method->getNameAsString() == "TestBody" && method->hasBody(body) && !body->isDependentContext())
            return add(*body);
        }
  }
  /// A template that is declared before it is defined is visited twice.
  void add(const clang::FunctionDecl& test) {
    if (std::ranges::find(found, &test) == found.end()) found.push_back(&test);
  }
};

const char* word_of(scouting::transformation of) {
  switch (of) {
    case scouting::transformation::identity:
      return "identity";
    case scouting::transformation::state:
      return "state";
    case scouting::transformation::computed:
      return "computed";
    case scouting::transformation::none:
      break;
  }
  return "none";
}

class relation_writer {
 public:
  relation_writer(clang::ASTContext& context, const file_choice& chosen, json& to)
      : context_(context), sources_(context.getSourceManager()), owns_(context, chosen), stops_(context), to_(to) {}

  void write() {
    for (const clang::FunctionDecl* const test : test_finder(context_, owns_).found)
      for (const scouting::section_path& path : scouting::section_paths(test->getBody())) add(*test, path);
    to_["without_braces"] = json::array();
    for (const auto& [begin, close] : stops_.without_braces()) to_["without_braces"].push_back({begin, close});
    to_["source"] = scouting::parts_of_source(context_, used_);
  }

 private:
  void add(const clang::FunctionDecl& test, const scouting::section_path& path) {
    scouting::reader reading(context_, owns_);
    reading.run(test, path);
    const clang::SourceLocation at = sources_.getExpansionLoc(test.getLocation());
    json made{{"name", name_of(test)},
              {"file", place_of(test).file},
              {"line", sources_.getExpansionLineNumber(at)},
              {"relations", json::array()}};
    if (const auto entry = sources_.getFileEntryRefForID(sources_.getFileID(at)))
      made["file"] = one_name(entry->getName());
    made["framework"] = framework_of(test);
    if (const auto body = stops_.body_of(test)) made["body"] = *body;
    made["end_line"] = sources_.getExpansionLineNumber(test.getBodyRBrace());
    add_helpers(reading, made);
    std::map<unsigned, std::string> sections;
    for (const clang::IfStmt* const each : path)
      sections[sources_.getExpansionLineNumber(each->getBeginLoc())] = quoted(each->getBeginLoc());
    made["sections"] = json::array();
    for (const auto& [line, name] : sections) made["sections"].push_back({{"line", line}, {"name", name}});
    std::set<std::string> seen;
    for (const scouting::found_relation& each : reading.relations()) {
      json one = relation(each, reading.terms());
      if (!seen.insert(one.dump()).second) continue;
      add_stops(each, reading.terms(), one);
      add_function(each, reading, path, one);
      made["relations"].push_back(std::move(one));
    }
    to_["tests"].push_back(std::move(made));
  }

  void add_helpers(const scouting::reader& reading, json& to) const {
    std::set<std::tuple<std::string, unsigned, unsigned>> all;
    for (const clang::FunctionDecl* const each : reading.helpers()) {
      const clang::SourceLocation begin = sources_.getExpansionLoc(each->getBeginLoc());
      if (const auto entry = sources_.getFileEntryRefForID(sources_.getFileID(begin)))
        all.insert({one_name(entry->getName()), sources_.getExpansionLineNumber(begin),
                    sources_.getExpansionLineNumber(each->getEndLoc())});
    }
    to["helpers"] = all;
  }

  /// Of the first call, the second one and the assertion, if all are known.
  void add_stops(const scouting::found_relation& of, const scouting::term_table& terms, json& to) {
    json stops = json::array();
    for (const auto number : {of.between.first, of.between.second})
      if (const clang::Expr* const site = terms.call(number).site)
        if (const auto stop = stops_.in_front_of(site->getSourceRange())) stops.push_back(*stop);
    if (const auto stop = stops_.in_front_of(of.at)) stops.push_back(*stop);
    if (stops.size() == 3) to["stops"] = std::move(stops);
  }

  /// Under "function", or under "no_function" why there is none.
  void add_function(const scouting::found_relation& of, const scouting::reader& reading,
                    const scouting::section_path& path, json& to) {
    if (of.between.is_echo) return;
    scouting::codified made = scouting::codify(of, reading, path, context_);
    if (made.refused.empty() && !made.shares_constants && made.pairs.empty() && made.inferred.empty() &&
        !reading.terms().have_one_origin(of.between.first, of.between.second))
      made.refused = "the second call's input is written beside the first call's";
    if (!made.refused.empty()) {
      to["no_function"] = made.refused;
      return;
    }
    json inputs = json::array(), uses = json::array(), pairs = json::array();
    for (const scouting::codified_pair& each : made.pairs)
      pairs.push_back({{"name", each.name},
                       {"input", each.input},
                       {"type", each.type},
                       {"source", each.source},
                       {"follow_up", each.follow_up}});
    for (scouting::codified_input& each : made.inputs)
      inputs.push_back({{"name", each.name}, {"type", each.type}, {"examples", std::move(each.examples)}});
    for (const clang::Decl* const each : made.uses) {
      const auto known = std::ranges::find(used_, each);
      uses.push_back(known - used_.begin());
      if (known == used_.end()) used_.push_back(each);
    }
    to["function"] = {{"inputs", std::move(inputs)},
                      {"given", made.given},
                      {"lines", made.lines},
                      {"scopes", made.scopes},
                      {"fixture", made.fixture},
                      {"is_fixture_of_gtest", made.is_fixture_of_gtest},
                      {"has_framework", made.has_framework},
                      {"pairs", std::move(pairs)},
                      {"inferred", made.inferred},
                      {"uses", std::move(uses)}};
  }

  static json relation(const scouting::found_relation& of, const scouting::term_table& terms) {
    json calls = json::array();
    for (const auto number : {of.between.first, of.between.second}) {
      const scouting::invocation& each = terms.call(number);
      json inputs = json::array();
      for (const auto input : each.inputs) inputs.push_back(terms[input].text);
      calls.push_back({{"text", each.text},
                       {"callee", each.callee->getQualifiedNameAsString()},
                       {"file", each.file},
                       {"line", each.line},
                       {"units", each.units},
                       {"inputs", std::move(inputs)}});
    }
    return {{"file", of.file},
            {"line", of.line},
            {"kind", of.how == scouting::assertion_kind::comparison ? "CompAssert" : "BoolAssert"},
            {"text", of.text},
            {"by", of.by},
            {"is_echo", of.between.is_echo},
            {"is_across", of.between.is_across},
            {"transformation", word_of(terms.between(of.between.first, of.between.second))},
            {"invocations", std::move(calls)},
            {"with", {terms[of.between.with_first].text, terms[of.between.with_second].text}}};
  }

  /// "Suite.Name" of GoogleTest; else the first text in the macro.
  std::string name_of(const clang::FunctionDecl& test) const {
    if (test.getNameAsString() == "TestBody") {
      const clang::CharSourceRange range = sources_.getExpansionRange(test.getLocation());
      const std::string call = clang::Lexer::getSourceText(range, sources_, context_.getLangOpts()).str();
      static const std::regex names(R"(\w+\s*\(\s*(\w+)\s*,\s*(\w+)\s*\))");
      if (std::smatch found; std::regex_match(call, found, names)) return found[1].str() + '.' + found[2].str();
      // The macro is written in another one: of its class, where the first `_` may be the suite's own.
      std::string name = clang::cast<clang::CXXMethodDecl>(test).getParent()->getNameAsString();
      if (name.ends_with("_Test")) name.resize(name.size() - 5);
      if (const auto at = name.find('_'); at != std::string::npos) name[at] = '.';
      return name;
    }
    const std::string name = quoted(test.getLocation());
    return name.empty() ? test.getNameAsString() : name;
  }

  /// The first text that a macro is given.
  std::string quoted(clang::SourceLocation macro) const {
    const clang::CharSourceRange range = sources_.getExpansionRange(macro);
    const std::string text = clang::Lexer::getSourceText(range, sources_, context_.getLangOpts()).str();
    const auto begin = text.find('"'), end = begin == std::string::npos ? begin : text.find('"', begin + 1);
    return end == std::string::npos ? std::string() : text.substr(begin + 1, end - begin - 1);
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  scouting::ownership owns_;
  scouting::stop_places stops_;
  std::vector<const clang::Decl*> used_{};
  json& to_;
};

}  // namespace

json scout(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
           const file_choice& chosen, std::vector<parse_error>& errors) {
  json made{{"tests", json::array()}};
  const auto result = parse(of, tree, options, [&](clang::ASTContext& context, const auto&) {
    relation_writer(context, chosen, made).write();
  });
  errors = result.errors;
  made["consists_of"] = result.files;
  return made;
}

}  // namespace morph::source
