// Each operator proposes for its annotated source what the notes there say, line by line, and nothing else.
//
// `//: text ;; text` behind a line has what stands in place of something on that line. The texts of a line that lead to
// nothing are not written down: it has no note.
#include "coverage/source/mutants/operators.hpp"

#include <clang/AST/ASTContext.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "coverage/mutation/operator_table.hpp"
#include "coverage/source/clang/flags.hpp"
#include "coverage/source/clang/parse.hpp"
#include "coverage/source/mutants/reader.hpp"

namespace morph::source {
namespace {

using notes = std::map<std::size_t, std::set<std::string>>;  // by line

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

unit_findings read_source(const std::string& path, const std::vector<std::string>& names, bool extreme,
                          std::vector<parse_error>* errors = nullptr, const char* standard = "-std=c++17") {
  unit_findings found;
  const auto result = parse({MORPH_CORPUS, path, {"c++", standard, path}}, {"/nowhere", {"/nowhere"}}, {},
                            [&](clang::ASTContext& context, const std::vector<parse_error>& before) {
                              found = read_unit(context, {MORPH_CORPUS, {}}, names, extreme, before);
                            });
  if (errors != nullptr) *errors = result.errors;
  return found;
}

notes expected_in(const std::string& text) {
  notes expected;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string here = text.substr(at, end - at);
    at = end + 1;
    const auto note = here.find("//: ");
    if (note == std::string::npos) continue;
    std::string rest = here.substr(note + 4) + " ;; ";
    for (std::size_t cut; (cut = rest.find(" ;; ")) != std::string::npos; rest.erase(0, cut + 4))
      if (cut > 0) expected[line].insert(rest.substr(0, cut));
  }
  return expected;
}

class operators_propose : public testing::TestWithParam<std::string> {};

TEST_P(operators_propose, what_the_notes_say) {
  const std::string name = GetParam();
  const std::string path = std::string(MORPH_CORPUS) + "/" + name + ".cpp";
  const std::string text = read(path);
  std::vector<parse_error> errors;
  const unit_findings found = read_source(path, {name}, name == "xt", &errors);
  for (const parse_error& error : errors) ADD_FAILURE() << error.line << ": " << error.text;
  notes proposed;
  for (const auto& [file, places] : found.files)
    for (const mutation::place& p : places.places)
      for (const mutation::alternative& a : p.alternatives) {
        EXPECT_EQ(a.op, name);
        const auto line = static_cast<std::size_t>(std::count(text.begin(), text.begin() + p.begin, '\n')) + 1;
        proposed[line].insert(a.text.empty() ? "deleted" : a.text);
      }
  const notes expected = expected_in(text);
  EXPECT_FALSE(expected.empty());
  for (const auto& [line, texts] : expected) EXPECT_EQ(proposed[line], texts) << name << ".cpp:" << line;
  for (const auto& [line, texts] : proposed)
    EXPECT_TRUE(expected.contains(line)) << name << ".cpp:" << line << ": " << testing::PrintToString(texts);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const mutation::operator_fact& each : mutation::operator_facts()) all.emplace_back(each.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(all, operators_propose, testing::ValuesIn(names()), [](const auto& of) { return of.param; });

TEST(Operators, AreTheOnesOfTheTable) {
  std::set<std::string_view> known{"xt"};
  for (const mutation_operator& each : operators()) known.insert(each.name);
  std::set<std::string_view> told;
  for (const mutation::operator_fact& each : mutation::operator_facts()) told.insert(each.name);
  EXPECT_EQ(known, told);
}

TEST(Reader, ConvertsBothSidesOfAConditionThatIsNotWrittenAsABool) {
  const unit_findings found = read_source(std::string(MORPH_CORPUS) + "/neg.cpp", {"neg"}, false);
  std::map<std::string, std::string> types;
  for (const auto& [file, places] : found.files)
    for (const mutation::place& p : places.places) types[p.alternatives.front().text] = p.type;
  EXPECT_EQ(types.at("!(n > 3)"), "");
  EXPECT_EQ(types.at("!(m.is_set())"), "");
  EXPECT_EQ(types.at("!(p)"), "bool");
  EXPECT_EQ(types.at("!(m)"), "bool");
  EXPECT_EQ(types.at("!(m + 1)"), "bool");
}

TEST(Reader, KnowsWhichExpressionsHaveNoEffect) {
  const std::string text = read(std::string(MORPH_CORPUS) + "/pure.cc");
  const unit_findings found = read_source(std::string(MORPH_CORPUS) + "/pure.cc", {"ror"}, false);
  ASSERT_EQ(found.files.size(), 1U);
  std::size_t seen = 0;
  for (const mutation::place& p : found.files.begin()->second.places) {
    const auto end = text.find('\n', p.begin);
    const bool is_pure = text.substr(p.begin, end - p.begin).find("// pure") != std::string::npos;
    for (const mutation::alternative& a : p.alternatives) EXPECT_EQ(a.pure, is_pure) << a.text;
    EXPECT_EQ(p.original.empty(), !is_pure);
    ++seen;
  }
  EXPECT_EQ(seen, 10U);
}

TEST(Reader, ComparesOfTwoSidesOnlyTheOneThatIsEvaluatedInAnyCase) {
  const unit_findings found = read_source(std::string(MORPH_CORPUS) + "/lcr.cpp", {"lcr"}, false);
  ASSERT_EQ(found.files.size(), 1U);
  std::set<std::string> compared;
  for (const mutation::place& p : found.files.begin()->second.places)
    for (const mutation::alternative& a : p.alternatives)
      if (a.pure) compared.insert(a.text);
  EXPECT_EQ(compared, (std::set<std::string>{"static_cast<bool>(p)", "static_cast<bool>(a)"}));
}

TEST(Reader, LeavesConstantsAlone) {
  const unit_findings found = read_source(std::string(MORPH_CORPUS) + "/contexts.cc", names(), true);
  notes proposed;
  const std::string text = read(std::string(MORPH_CORPUS) + "/contexts.cc");
  for (const auto& [file, places] : found.files)
    for (const mutation::place& p : places.places)
      ADD_FAILURE() << "line " << std::count(text.begin(), text.begin() + p.begin, '\n') + 1 << ": "
                    << p.alternatives.front().op << " " << p.alternatives.front().text;
}

TEST(Reader, TellsWhichVariablesHaveInitialValuesAlone) {
  const std::string path = std::string(MORPH_CORPUS) + "/initial_values.cc", text = read(path);
  std::vector<parse_error> errors;
  const unit_findings found = read_source(path, {"crp"}, false, &errors);
  for (const parse_error& error : errors) ADD_FAILURE() << error.line << ": " << error.text;
  ASSERT_EQ(found.files.size(), 1U);
  std::string lines, expected;
  for (const auto& value : found.files.begin()->second.initial_values) {
    const auto end = text.find('\n', value.begin);
    lines += text.substr(value.begin, end - value.begin) + "\n";
    EXPECT_EQ(text.substr(value.begin, value.end - value.begin).find(';'), std::string::npos);
    EXPECT_NE(text.substr(value.begin, value.end - value.begin).find(value.name), std::string::npos);
  }
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    if (const std::string line = text.substr(at, end - at); line.ends_with("// a value")) expected += line + "\n";
  EXPECT_EQ(lines, expected);
}

TEST(Reader, TellsWhatCompilersAloneEvaluate) {
  const std::string path = std::string(MORPH_CORPUS) + "/compile_time.cc", text = read(path);
  std::vector<parse_error> errors;
  const unit_findings found = read_source(path, {"aor", "ror"}, false, &errors, "-std=c++20");
  for (const parse_error& error : errors) ADD_FAILURE() << error.line << ": " << error.text;
  ASSERT_EQ(found.files.size(), 1U);
  const auto lines_with = [&](const char* note) {
    std::set<std::size_t> lines;
    for (auto at = text.find(note); at != std::string::npos; at = text.find(note, at + 1))
      lines.insert(
          static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1);
    return lines;
  };
  const auto lines_of = [&](const std::vector<mutation::place>& places) {
    std::set<std::size_t> lines;
    for (const mutation::place& p : places)
      lines.insert(static_cast<std::size_t>(std::count(text.begin(), text.begin() + p.begin, '\n')) + 1);
    return lines;
  };
  const mutation::file_places& file = found.files.begin()->second;
  EXPECT_EQ(lines_of(file.compile_time), lines_with("// compile time"));
  EXPECT_EQ(lines_of(file.places), lines_with("// runs"));
  std::set<std::string> constexprs;
  for (const mutation::function_extent& f : file.functions)
    if (f.is_constexpr) constexprs.insert(f.name);
  EXPECT_EQ(constexprs, (std::set<std::string>{"thrice(int)"}));
}

TEST(Reader, LeavesOutWhatLogsAndAssertsAndIsSwitchedOff) {
  const unit_findings found = read_source(std::string(MORPH_CORPUS) + "/arid.cc", {"aor", "sdl", "vcr", "xt"}, true);
  const std::string text = read(std::string(MORPH_CORPUS) + "/arid.cc");
  ASSERT_EQ(found.files.size(), 1U);
  std::set<std::size_t> kept, proposed;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const auto end = std::min(text.find('\n', at), text.size());
    if (text.substr(at, end - at).find("// kept") != std::string::npos) kept.insert(line);
    at = end + 1;
  }
  for (const mutation::place& p : found.files.begin()->second.places)
    proposed.insert(static_cast<std::size_t>(std::count(text.begin(), text.begin() + p.begin, '\n')) + 1);
  EXPECT_EQ(proposed, kept);
  EXPECT_GT(found.left_out.at("logging or assertion"), 8U);
  EXPECT_GT(found.left_out.at("switched off by a comment"), 2U);
}

class test_code_beside_production : public testing::TestWithParam<const char*> {};

TEST_P(test_code_beside_production, is_left_out) {
  const std::string path = std::string(MORPH_CORPUS) + "/" + GetParam() + "_code.cc", text = read(path);
  std::vector<parse_error> errors;
  const unit_findings found = read_source(path, {"aor", "crp", "sdl", "vcr", "xt"}, true, &errors);
  if (!errors.empty() && errors.front().text.ends_with("file not found")) GTEST_SKIP() << errors.front().text;
  for (const parse_error& error : errors) ADD_FAILURE() << error.line << ": " << error.text;
  ASSERT_EQ(found.files.size(), 1U);
  std::set<std::size_t> kept, proposed;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const auto end = std::min(text.find('\n', at), text.size());
    if (text.substr(at, end - at).ends_with("// kept")) kept.insert(line);
    at = end + 1;
  }
  for (const mutation::place& p : found.files.begin()->second.places)
    proposed.insert(static_cast<std::size_t>(std::count(text.begin(), text.begin() + p.begin, '\n')) + 1);
  EXPECT_EQ(proposed, kept);
  EXPECT_GT(found.left_out.at("test code"), 2U);
}

INSTANTIATE_TEST_SUITE_P(of, test_code_beside_production, testing::Values("catch", "doctest", "gtest"),
                         [](const auto& which) { return std::string(which.param); });

TEST(Files, OfFrameworksAreToldByTheirNames) {
  for (const char* path : {"/usr/include/gtest/gtest.h", "/usr/include/gtest/internal/gtest-port.h", "doctest.h",
                           "third_party/catch.hpp", "/opt/x/include/catch2/matchers/internal/a.hpp"})
    EXPECT_TRUE(is_framework_file(path)) << path;
  for (const char* path : {"src/area.cpp", "/home/doctest/src/area.h", "/usr/include/c++/12/vector", "gtest_area.cpp"})
    EXPECT_FALSE(is_framework_file(path)) << path;
}

TEST(Reader, KnowsWhichBodiesCanStandTwice) {
  const std::string path = std::string(MORPH_CORPUS) + "/twice.cc", text = read(path);
  std::vector<parse_error> errors;
  const unit_findings found = read_source(path, names(), true, &errors, "-std=c++20");
  for (const parse_error& error : errors) ADD_FAILURE() << error.line << ": " << error.text;
  ASSERT_EQ(found.files.size(), 1U);
  std::size_t seen = 0;
  for (const mutation::function_extent& f : found.files.begin()->second.functions) {
    const auto brace = text.find('{', f.begin);
    const bool can = text.substr(brace, text.find('\n', brace) - brace).ends_with("// twice");
    EXPECT_EQ(f.body != 0, can) << f.name;
    if (can) {
      EXPECT_EQ(text.substr(f.body, 1) + text.substr(f.end - 1, 1), "{}") << f.name;
      ++seen;
    }
  }
  std::size_t noted = 0;
  for (std::size_t at = 0; (at = text.find("// twice", at)) != std::string::npos; ++at) ++noted;
  EXPECT_EQ(seen, noted);
}

TEST(Reader, LeavesOutFunctionsThatClangRejects) {
  std::vector<parse_error> errors;
  const unit_findings found = read_source(std::string(MORPH_CORPUS) + "/broken.cc", names(), true, &errors);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors.front().line, 7U);
  ASSERT_EQ(found.files.size(), 1U);
  const mutation::file_places& places = found.files.begin()->second;
  const std::string text = read(std::string(MORPH_CORPUS) + "/broken.cc");
  const auto broken = text.find("int broken");
  const auto after = text.find("int after");
  bool before_it = false, behind_it = false;
  for (const mutation::place& p : places.places) {
    EXPECT_FALSE(p.begin > broken && p.begin < after) << text.substr(p.begin, p.end - p.begin);
    before_it = before_it || p.begin < broken;
    behind_it = behind_it || p.begin > after;
  }
  EXPECT_TRUE(before_it && behind_it);
}

TEST(Flags, KeepWhatDecidesHowASourceIsRead) {
  EXPECT_EQ(parse_options({"g++",
                           "-DA=1",
                           "-I",
                           "inc",
                           "-isystem",
                           "/opt/x",
                           "-O2",
                           "-Wall",
                           "-fconserve-stack",
                           "-std=gnu++20",
                           "-fno-exceptions",
                           "-o",
                           "a.o",
                           "-c",
                           "a.cpp",
                           "-include",
                           "pch.h",
                           "-march=native",
                           "-MD",
                           "-MF",
                           "a.d"}),
            (std::vector<std::string>{"-DA=1", "-I", "inc", "-isystem", "/opt/x", "-std=gnu++20", "-fno-exceptions",
                                      "-include", "pch.h", "-march=native"}));
}

TEST(Flags, KeepWhatCodeMayAssume) {
  EXPECT_EQ(parse_options({"g++", "-fno-strict-aliasing", "-fno-builtin-strlen", "-fsanitize=address",
                           "-fsanitize=thread,undefined,bounds-strict,null", "-fno-sanitize=shift", "-fwrapv",
                           "-fsanitize-recover=all", "-Ofast", "-fno-finite-math-only"}),
            (std::vector<std::string>{"-ffast-math", "-fno-strict-aliasing", "-fno-builtin-strlen",
                                      "-fsanitize=undefined,null", "-fno-sanitize=shift", "-fwrapv",
                                      "-fno-finite-math-only"}));
  EXPECT_EQ(parse_options({"g++", "-Ofast", "-O2"}), std::vector<std::string>());
}

}  // namespace
}  // namespace morph::source
