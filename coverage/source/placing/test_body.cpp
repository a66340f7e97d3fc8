// Names of the macros of GoogleTest, Catch2 and doctest.
#include "coverage/source/placing/test_body.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace morph::source {
namespace {

constexpr std::array<std::string_view, 13> plain{"TEST",
                                                 "TEST_F",
                                                 "GTEST_TEST",
                                                 "GTEST_TEST_F",
                                                 "TEST_CASE",
                                                 "TEST_CASE_METHOD",
                                                 "TEST_CASE_FIXTURE",
                                                 "SCENARIO",
                                                 "SCENARIO_METHOD",
                                                 "CATCH_TEST_CASE",
                                                 "CATCH_SCENARIO",
                                                 "DOCTEST_TEST_CASE",
                                                 "DOCTEST_TEST_CASE_FIXTURE"};

std::string macro_of(const clang::FunctionDecl& function) {
  const clang::SourceManager& sources = function.getASTContext().getSourceManager();
  const clang::SourceLocation at = function.getLocation();
  if (!at.isMacroID()) return {};
  return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(sources.getExpansionLoc(at)), sources,
                                     function.getASTContext().getLangOpts())
      .str();
}

}  // namespace

test_body test_body_of(const clang::FunctionDecl& function) {
  test_body made{macro_of(function), {}};
  if (made.macro.empty())
    made.why_not = "it stands in a function that several tests may call";
  else if (made.macro == "TEST_P")
    made.why_not = made.macro + " runs it with several parameters, and the value may be that of one of them";
  else if (function.isTemplated() || made.macro.find("TYPED") != std::string::npos ||
           made.macro.find("TEMPLATE") != std::string::npos)
    made.why_not = "the test is a template, and the value may be that of one of its types";
  else if (std::ranges::find(plain, made.macro) == plain.end())
    made.why_not = "'" + made.macro + "', which writes the test, is no macro of GoogleTest, Catch2 or doctest";
  return made;
}

}  // namespace morph::source
