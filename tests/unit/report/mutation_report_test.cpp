// Results of mutation runs, made by hand: their figures, their JSON there and back, every form of their report.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "plugin/frameworks/junit.hpp"
#include "plugin/report/mutation_forms.hpp"
#include "plugin/report/mutation_json.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::report {
namespace {

using nlohmann::json;
using state = mutant_state;

/// Of the first occurrence of a text.
mutant_result mutant_of(const mutated_source& file, const std::string& original, const std::string& op,
                        const std::string& replacement, state how) {
  mutant_result m;
  m.begin = static_cast<std::uint32_t>(file.text.find(original));
  m.end = m.begin + static_cast<std::uint32_t>(original.size());
  m.op = op;
  m.replacement = replacement;
  m.node = 40 + static_cast<std::uint32_t>(file.mutants.size());
  m.function_node = m.node + 8;
  m.alternative = 1;
  m.state = how;
  return m;
}

/// One mutant of each state.
mutation_result example_result() {
  mutated_source price{"src/price.cpp",
                       "int price(int a) {\n"
                       "  if (a > 9) {\n"
                       "    a = f(a,\n"
                       "          2);\n"
                       "  }\n"
                       "  return a;\n"
                       "}\n"};
  const auto add = [&](mutant_result m, std::uint32_t covering, std::uint32_t infected, std::uint32_t ran,
                       const std::vector<std::string>& killers, const std::string& reason = {}) {
    m.covering = covering;
    m.infected = infected;
    m.ran = ran;
    m.killers = killers;
    m.cpu_us = 1500 * ran;
    m.reason = reason;
    price.mutants.push_back(m);
  };
  mutant_result body = mutant_of(price, "{", "xt", "return 0;", state::killed);
  body.kind = mutant_kind::body;
  add(body, 2, 2, 1, {"Price.Few", "Price.Many"});
  add(mutant_of(price, "a > 9", "ror", "a >= 9", state::survived), 2, 0, 0, {});
  mutant_result deleted = mutant_of(price, "a = f(a,\n          2);", "sdl", "", state::survived);
  deleted.kind = mutant_kind::statement;
  add(deleted, 1, 0, 1, {});
  price.mutants.back().unobserved = 1;
  add(mutant_of(price, "9", "crp", "0", state::crashed), 2, 1, 1, {"Price.Many"}, "signal 11");
  add(mutant_of(price, "a > 9", "neg", "!(a > 9)", state::timed_out), 2, 2, 2, {"Price.Few"});
  price.mutants.back().is_recalled = true;
  add(mutant_of(price, "2", "crp", "3", state::not_covered), 0, 0, 0, {});
  add(mutant_of(price, "a > 9", "ror", "a != 9", state::equivalent), 2, 0, 0, {}, "same object code");
  add(mutant_of(price, "return a", "ret", "return 0", state::not_judged), 2, 2, 0, {}, "out of budget");
  price.functions = {{1, "price(int)", tested::pseudo_tested, 0, static_cast<std::uint32_t>(price.text.size())}};
  place_mutants(price);

  mutation_result result;
  result.files = {price, {"src/rest.hpp", "", {}, {}}};
  result.operators = {{"ror", "another comparison"}, {"xt", "no body"}};
  result.tests = {{"Price.Few", {}, "prices"},
                  {"Price.Many", {}, "prices", "prices/price_tests", "Many"},
                  {"Price.None", "fails without a mutant", "prices"}};
  result.left_out = {{"constant", 3}};
  result.compile_time_only = {{"src/price.cpp", 4}, {"src/rates.hpp", 2}};
  result.rejected_units = {{"src/odd.cpp", "no such type", 2}};
  result.not_run = {"suite 'old': adopted tests cannot judge mutants yet"};
  result.units = 4;
  result.units_read = 1;
  result.candidates = 12;
  result.not_compilable = 3;
  result.rejected_by_compiler = 1;
  result.seconds = 2.5;
  result.cpu_seconds = {{"build", 1.25}, {"judge", 0.5}};
  result.at = 86400;
  return result;
}

const std::string hostile_name = "src/a b,c:d%\"'</script>]]>\n\r\x1b[31m\xff.cpp";
const std::string hostile_text = "x(\"</script><script>alert(1)</script>]]>\", '\x01');\xe4\n";

/// Names, a source and replacements that mean something to each format, or nothing to any.
mutation_result hostile_result() {
  mutated_source file{hostile_name, hostile_text};
  mutant_result m =
      mutant_of(file, hostile_text.substr(0, 20), "ror", "::error::]]></script>\n,\"%0A\xff", state::survived);
  m.infected = m.covering = 1;
  file.mutants = {m};
  file.functions = {{1, "f<a, b>(\"%\")\n::error::", tested::pseudo_tested}};
  place_mutants(file);
  mutation_result result;
  result.files = {file};
  result.tests = {{"T/</script>\n\"\xff\",%"}};
  return result;
}

std::map<std::string, std::size_t> count(const json& rows, const char* key) {
  std::map<std::string, std::size_t> counts;
  for (const json& row : rows) ++counts[row.at(key).get<std::string>()];
  return counts;
}

bool is_utf8(const std::string& text) {
  return as_utf8(text) == text;
}

// ---- the value

TEST(MutationFigures, ASampleSaysHowFarItCanBeTrusted) {
  mutation_tally sample;
  EXPECT_EQ(interval_of(sample).low, 0);
  EXPECT_EQ(interval_of(sample).high, 1);
  for (int i = 0; i < 100; ++i) sample.add(i < 80 ? state::killed : i < 90 ? state::survived : state::not_covered);
  // Wilson's interval of 80 in 100.
  EXPECT_NEAR(interval_of(sample).low, 0.7112, 0.0001);
  EXPECT_NEAR(interval_of(sample).high, 0.8666, 0.0001);
  sample.add(state::not_judged);
  sample.add(state::equivalent);
  EXPECT_NEAR(interval_of(sample).low, 0.7112, 0.0001);
}

TEST(MutationResult, places_are_lines_and_columns_from_1) {
  const source_lines lines("ab\ncd\r\n\ne");
  EXPECT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines.line(2), "cd");
  EXPECT_EQ(lines.line(4), "e");
  EXPECT_EQ(lines.line(0), "");
  EXPECT_EQ(lines.line(5), "");
  EXPECT_EQ(lines.at(0), (text_place{1, 1}));
  EXPECT_EQ(lines.at(2), (text_place{1, 3}));
  EXPECT_EQ(lines.at(3), (text_place{2, 1}));
  EXPECT_EQ(lines.at(9), (text_place{4, 2}));
  EXPECT_EQ(source_lines("").at(0), (text_place{1, 1}));
}

TEST(MutationResult, columns_of_editors_are_utf16_code_units) {
  const std::string text = "\n\xc3\xa4\xf0\x9f\x99\x82\xff\xffx";  // 2 + 4 + 1 + 1 bytes before the x
  const source_lines lines(text);
  EXPECT_EQ(in_utf16(lines, {2, 1}), (text_place{2, 1}));
  EXPECT_EQ(in_utf16(lines, {2, 3}), (text_place{2, 2}));
  EXPECT_EQ(in_utf16(lines, {2, 7}), (text_place{2, 4}));
  EXPECT_EQ(in_utf16(lines, {2, 9}), (text_place{2, 6}));
}

TEST(MutationResult, what_is_equivalent_or_was_not_judged_counts_for_no_score) {
  const mutation_figures figures = figures_of(example_result());
  EXPECT_EQ(figures.all.all(), 7U);
  EXPECT_EQ(figures.all.covered(), 5U);
  EXPECT_EQ(figures.all.killed(), 3U);
  EXPECT_EQ(figures.all.score(), 3.0 / 6);
  EXPECT_EQ(figures.all.score_of_covered(), 3.0 / 5);
  EXPECT_EQ(figures.by_operator.at("ret").all(), 0U);
  EXPECT_EQ(figures.by_operator.at("ret").score(), std::nullopt);
  EXPECT_EQ(figures.by_file.at("src/rest.hpp").all(), 0U);
  EXPECT_EQ(figures.recalled, 1U);
}

/// Of one file, with a mutant in each of these states.
mutation_result result_of(const std::vector<mutant_state>& states) {
  mutation_result result;
  result.files = {{"a.cpp", "a + b\n"}};
  for (const mutant_state each : states) {
    mutant_result m;
    m.end = 5;
    m.op = "aor";
    m.state = each;
    result.files[0].mutants.push_back(m);
  }
  place_mutants(result.files[0]);
  return result;
}

TEST(MutationResult, without_a_judged_mutant_has_no_score_and_says_why) {
  EXPECT_NE(why_no_score({}).find("no production code was found to mutate"), std::string::npos);
  const auto starts_with = [](const mutation_result& result, const std::string& why) {
    EXPECT_EQ(figures_of(result).all.score(), std::nullopt);
    EXPECT_EQ(why_no_score(result).substr(0, why.size()), why);
  };
  starts_with(result_of({mutant_state::not_judged, mutant_state::equivalent}), "1 mutant is not judged; ");
  starts_with(result_of({mutant_state::equivalent}), "the only mutant means the same as the original; ");
  mutation_result none;
  none.not_compilable = 3;
  starts_with(none, "none of 3 mutants compiles; ");
  none.scope = {"--only doc/", "--diff"};
  starts_with(none, "no mutant is left by --only doc/ --diff; ");
}

TEST(MutationResult, of_mutants_that_no_test_reaches_is_a_score_of_zero) {
  const mutation_result result = result_of({mutant_state::not_covered});
  EXPECT_EQ(why_no_score(result), "");
  EXPECT_EQ(figures_of(result).all.score(), 0.0);
  EXPECT_EQ(figures_of(result).all.score_of_covered(), std::nullopt);
  EXPECT_NE(mutation_as_text(result, {}).find("mutation score 0.0 %, tests reach none; "), std::string::npos);
}

TEST(MutationResult, without_a_score_has_none_in_any_form) {
  const mutation_result result = result_of({mutant_state::equivalent});
  EXPECT_NE(mutation_as_text(result, {}).find("mutation score none: the only mutant means the same"),
            std::string::npos);
  const json root = json::parse(mutation_as_json(result));
  EXPECT_EQ(root.at("score"), nullptr);
  EXPECT_EQ(root.at("score_of_covered"), nullptr);
  EXPECT_EQ(root.at("by_file")[0].at("score"), nullptr);
  const std::string page = mutation_as_page(result, "1");
  EXPECT_NE(page.find("no mutation score: the only mutant means the same"), std::string::npos);
  EXPECT_TRUE(read_mutation(mutation_as_json(result)));
}

TEST(MutationResult, a_function_is_tested_as_far_as_its_bodies_are_killed) {
  const auto of = [](std::initializer_list<state> states) {
    mutation_tally tally;
    for (const state s : states) tally.add(s);
    return tested_by(tally);
  };
  EXPECT_EQ(of({state::killed, state::crashed}), tested::tested);
  EXPECT_EQ(of({state::killed, state::survived}), tested::partly_tested);
  EXPECT_EQ(of({state::survived, state::not_covered}), tested::pseudo_tested);
  EXPECT_EQ(of({state::not_covered}), tested::not_covered);
  EXPECT_EQ(of({state::killed, state::equivalent, state::not_judged}), tested::tested);
  EXPECT_EQ(of({state::equivalent, state::not_judged}), std::nullopt);
}

TEST(MutationResult, a_mutant_changes_lines) {
  const mutation_result result = example_result();
  const mutated_source& file = result.files[0];
  const source_lines lines(file.text);
  EXPECT_EQ(change_of(file, lines, file.mutants[0]),
            (changed_line{"int price(int a) {", "int price(int a) { return 0;", false}));
  EXPECT_EQ(change_of(file, lines, file.mutants[1]), (changed_line{"  if (a > 9) {", "  if (a >= 9) {", false}));
  EXPECT_EQ(change_of(file, lines, file.mutants[2]), (changed_line{"    a = f(a,", "    ", true}));
  mutated_source windows{"w", "a\r\nb;\r\nc"};
  windows.mutants = {mutant_of(windows, "b", "crp", "d", state::survived)};
  place_mutants(windows);
  EXPECT_EQ(change_of(windows, source_lines(windows.text), windows.mutants[0]), (changed_line{"b;", "d;", false}));
}

TEST(MutationResult, a_survivor_says_what_was_seen_of_its_value) {
  mutant_result m;
  m.state = state::survived;
  m.covering = 3;
  const auto said = [&](std::uint32_t infected, std::uint32_t unobserved) {
    m.infected = infected;
    m.unobserved = unobserved;
    return why(m);
  };
  EXPECT_EQ(said(0, 0), "3 tests reach it, its value differs in none");
  EXPECT_EQ(said(2, 0), "3 tests reach it, its value differs in 2, and nobody looks");
  EXPECT_EQ(said(2, 1), "3 tests reach it, its value differs in 2, and nobody looks");
  EXPECT_EQ(said(0, 3), "3 tests reach it; whether it makes a difference there is not known");
  EXPECT_EQ(said(0, 1), "3 tests reach it; whether it makes a difference in 1 of them is not known");
}

TEST(MutationResult, what_is_shown_on_a_line_stays_on_it) {
  EXPECT_EQ(on_one_line("  a\n\t b\r\n"), "a b");
  EXPECT_EQ(on_one_line("\x1b[31m\x7f\xff"), "\xef\xbf\xbd[31m?\xef\xbf\xbd");
  EXPECT_EQ(as_utf8("\x01\xc3\xa4\xe4\n"), "\x01\xc3\xa4\xef\xbf\xbd\n");
}

// ---- JSON

TEST(MutationJson, gives_back_what_was_written) {
  const mutation_result result = example_result();
  const auto read = read_mutation(mutation_as_json(result));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, result);
}

TEST(MutationJson, keeps_the_bytes_of_a_source_that_is_not_utf8) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  mutation_result result;
  result.files = {{"all", all}, {"hostile", hostile_text}, {"plain", "\xc3\xa4\x01\n"}};
  const auto read = read_mutation(mutation_as_json(result));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, result);
  const json written = json::parse(mutation_as_json(result));
  EXPECT_EQ(written["files"][1]["encoding"], "latin-1");
  EXPECT_FALSE(written["files"][2].contains("encoding"));
}

TEST(MutationJson, replaces_what_is_not_utf8_in_names_and_is_the_same_from_then_on) {
  const std::string written = mutation_as_json(hostile_result());
  EXPECT_TRUE(is_utf8(written));
  const auto read = read_mutation(written);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->files[0].text, hostile_text);
  EXPECT_EQ(read->files[0].mutants[0].replacement, "::error::]]></script>\n,\"%0A\xef\xbf\xbd");
  EXPECT_EQ(mutation_as_json(*read), written);
}

TEST(MutationJson, of_a_part_is_of_that_part_when_it_is_read) {
  mutation_result part = example_result();
  part.scope = {"--only src/"};
  EXPECT_EQ(read_mutation(mutation_as_json(part))->scope, part.scope);
  json older = json::parse(mutation_as_json(part));
  older.erase("scope");
  EXPECT_TRUE(read_mutation(older.dump())->scope.empty());
}

TEST(MutationJson, has_every_member_that_scripts_know) {
  json root = json::parse(mutation_as_json(example_result()));
  EXPECT_EQ(root["schema"], "morph.mutation/1");
  EXPECT_EQ(root["tests"], 3);
  EXPECT_EQ(root["left_out_tests"], json::parse(R"([{"name": "Price.None", "why": "fails without a mutant"}])"));
  EXPECT_EQ(root["rejected_units"], json::parse(R"([{"unit": "src/odd.cpp", "errors": 2, "first": "no such type"}])"));
  EXPECT_EQ(root["compile_time_only"], json::parse(R"({"src/price.cpp": 4, "src/rates.hpp": 2})"));
  EXPECT_EQ(root["score"], 0.5);
  EXPECT_EQ(root["score_of_covered"], 0.6);
  EXPECT_EQ(root["killed"], 3);
  EXPECT_EQ(root["covered"], 5);
  EXPECT_EQ(root["cpu_seconds"]["judge"], 0.5);
  EXPECT_EQ(root["states"]["not judged"], 1);
  EXPECT_EQ(root["every_killer"], false);
  EXPECT_EQ(root["by_test"][1], json::parse(R"({"name": "Price.Many", "suite": "prices", "kills": 2, "alone": 1,
      "redundant": false, "left_out": "", "program": "prices/price_tests", "own_name": "Many", "in_build": ""})"));
  EXPECT_EQ(root["by_suite"], json::parse(R"([{"name": "prices", "kills": 3, "alone": 3, "redundant": false,
      "score": 0.5}])"));
  EXPECT_EQ(root["by_file"][0], json::parse(R"({"name": "src/price.cpp", "mutants": 7, "covered": 5, "killed": 3,
      "score": 0.5, "score_of_covered": 0.6})"));
  EXPECT_EQ(root["by_operator"].size(), 6U);
  EXPECT_EQ(root["functions"], json::parse(R"json([{"file": "src/price.cpp", "line": 1, "begin": 0, "end": 79,
      "name": "price(int)", "tested": "pseudo-tested", "mutants": 7, "covered": 5, "killed": 3, "score": 0.5,
      "score_of_covered": 0.6}])json"));
  EXPECT_EQ(root["mutants"][2], json::parse(R"({"file": "src/price.cpp", "line": 3, "column": 5, "end_line": 4,
      "end_column": 14, "begin": 38, "end": 60, "kind": "statement", "operator": "sdl",
      "original": "a = f(a,\n          2);", "replacement": "", "node": 42, "function_node": 50, "alternative": 1, "state": "survived",
      "test": "", "killers": [], "covering": 1, "infected": 0, "unobserved": 1, "ran": 1, "cpu_us": 1500, "recalled": false,
      "reason": ""})"));
  EXPECT_EQ(root["mutants"][0]["test"], "Price.Few");
  EXPECT_EQ(root["mutants"][0]["killers"], json::parse(R"(["Price.Few", "Price.Many"])"));
}

TEST(MutationJson, cut_at_any_length_is_no_result) {
  const std::string whole = mutation_as_json(hostile_result());
  for (std::size_t length = 0; length + 1 < whole.size(); ++length)
    EXPECT_FALSE(read_mutation(std::string_view(whole).substr(0, length))) << length;
}

TEST(MutationJson, says_what_is_wrong) {
  const json whole = json::parse(mutation_as_json(example_result()));
  const auto error = [&](const char* pointer, const json& value) {
    json changed = whole;
    changed[json::json_pointer(pointer)] = value;
    const auto read = read_mutation(changed.dump());
    return read ? std::string() : read.error();
  };
  EXPECT_EQ(error("/schema", "morph.mutation/9"), "its schema is 'morph.mutation/9' and not 'morph.mutation/1'");
  EXPECT_EQ(error("/mutants/0/end", 5000), "bytes 17 to 5000 of 'src/price.cpp' are none: it has 79");
  EXPECT_EQ(error("/mutants/0/begin", 90), "bytes 90 to 18 of 'src/price.cpp' are none: it has 79");
  EXPECT_EQ(error("/mutants/0/state", "dead"), "'dead' is no state of a mutant");
  EXPECT_EQ(error("/mutants/0/kind", "dead"), "'dead' is no kind of place");
  EXPECT_EQ(error("/mutants/0/file", "none"), "there is no source of 'none'");
  EXPECT_EQ(error("/functions/0/tested", "well"), "'well' is no way to be tested");
  EXPECT_EQ(error("/files/1/path", "src/price.cpp"), "'src/price.cpp' is there twice");
  EXPECT_EQ(error("/files/0/encoding", "utf-7"), "the source of 'src/price.cpp' is not in latin-1");
  EXPECT_NE(error("/mutants", 5), "");
  EXPECT_NE(error("/mutants/0/killers", "Price.Few"), "");
  EXPECT_EQ(read_mutation("{}").error(), "key 'schema' not found");
  EXPECT_NE(read_mutation("[1]").error(), "");
}

// ---- text and tables

TEST(MutationText, has_tables_and_a_sum) {
  EXPECT_EQ(
      mutation_as_text(example_result()),
      "src/price.cpp:1: pseudo-tested: price(int)\n"
      "\n"
      "file                                              mutants  covered   killed        \n"
      "src/price.cpp                                           7        5        3   60.0%\n"
      "\n"
      "operator                                          mutants  covered   killed        \n"
      "crp                                                     2        1        1  100.0%\n"
      "neg                                                     1        1        1  100.0%\n"
      "ror                                                     2        1        0    0.0%\n"
      "sdl                                                     1        1        0    0.0%\n"
      "xt                                                      1        1        1  100.0%\n"
      "\n"
      "not read whole: src/odd.cpp (2 errors, first: no such type)\n"
      "test left out: Price.None fails without a mutant\n"
      "not run: suite 'old': adopted tests cannot judge mutants yet\n"
      "7 mutants: 1 killed, 1 crashed, 1 timed out, 2 survived, 1 not covered, 1 equivalent\n"
      "not judged, and counted nowhere else: 1\n"
      "compile-time only, and counted nowhere else: 6\n"
      "verdicts of an earlier run: 1\n"
      "mutation score 50.0 %, 60.0 % of those that tests reach; functions: 0 tested, 0 partly, 1 pseudo-tested, 0 "
      "not covered\n");
}

TEST(MutationText, shows_the_lines_of_survivors_when_asked) {
  const std::string text = mutation_as_text(example_result(), {.verbose = true});
  EXPECT_EQ(text.substr(0, text.find("src/price.cpp:1:")),
            "src/price.cpp:2:7: survived, its value never differs [ror] a > 9 -> a >= 9\n"
            "  - if (a > 9) {\n"
            "  + if (a >= 9) {\n"
            "src/price.cpp:3:5: survived [sdl] a = f(a, 2); -> \n"
            "  - a = f(a, ...\n"
            "  + \n");
}

TEST(MutationText, tells_survivors_of_which_the_value_differs) {
  mutation_result result = example_result();
  result.files[0].mutants[1].infected = 1;
  EXPECT_EQ(
      mutation_as_text(result, {.verbose = true}).find("src/price.cpp:2:7: survived, its value differs in 1 test ["),
      0U);
}

TEST(MutationText, says_what_part_it_is_of) {
  mutation_result part = example_result();
  part.scope = {"--only src/\x1b[31m", "--diff"};
  EXPECT_NE(mutation_as_text(part).find("a part of all mutants: --only src/"), std::string::npos);
  EXPECT_NE(mutation_as_text(part).find("[31m --diff\n7 mutants: "), std::string::npos);
  EXPECT_EQ(mutation_as_text(part).find('\x1b'), std::string::npos);
}

TEST(MutationText, names_tests_that_do_something_else_than_in_the_ordinary_build) {
  mutation_result result = example_result();
  result.tests[0].in_build = "fails";
  result.tests[2].in_build = "passes";
  const std::string text = mutation_as_text(result);
  EXPECT_NE(text.find("\ntest differs: Price.Few: it fails in the ordinary build, and passes in the mutation twin\n"
                      "test differs: Price.None: it passes in the ordinary build, and fails in the mutation twin\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(read_mutation(mutation_as_json(result)), result);
  EXPECT_EQ(json::parse(mutation_as_json(result))["unlike_build"],
            json::parse(R"([{"name": "Price.Few", "in_build": "fails"},
                            {"name": "Price.None", "in_build": "passes"}])"));
}

TEST(MutationText, of_hostile_names_obeys_no_terminal) {
  const std::string text = mutation_as_text(hostile_result(), {.verbose = true});
  EXPECT_TRUE(is_utf8(text));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x01'), std::string::npos);
  EXPECT_EQ(text.find("\n::"), std::string::npos);
}

TEST(MutationCsv, has_a_line_a_mutant) {
  const std::string text = mutation_as_csv(example_result());
  EXPECT_EQ(text.substr(0, text.find("\nsrc/price.cpp,2,11,")),
            "file,line,column,end_line,end_column,operator,original,replacement,state,killers,covering,infected,"
            "unobserved,ran,"
            "cpu_us,recalled,reason\n"
            "src/price.cpp,1,18,1,19,xt,{,return 0;,killed,\"Price.Few\nPrice.Many\",2,2,0,1,1500,false,\n"
            "src/price.cpp,2,7,2,12,ror,a > 9,a >= 9,survived,,2,0,0,0,0,false,\n"
            "src/price.cpp,3,5,4,14,sdl,\"a = f(a,\n          2);\",,survived,,1,0,1,1,1500,false,");
  EXPECT_NE(text.find(",neg,a > 9,!(a > 9),timed out,Price.Few,2,2,0,2,3000,true,\n"), std::string::npos) << text;
  EXPECT_NE(text.find(",equivalent,,2,0,0,0,0,false,same object code\n"), std::string::npos) << text;
}

TEST(MutationCsv, quotes_hostile_fields) {
  const std::string text = mutation_as_csv(hostile_result());
  EXPECT_TRUE(is_utf8(text));
  EXPECT_NE(text.find("\n\"src/a b,c:d%\"\"'</script>]]>\n\r\x1b[31m\xef\xbf\xbd.cpp\",1,1,1,21,ror,\"x(\"\"</script>"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"::error::]]></script>\n,\"\"%0A\xef\xbf\xbd\",survived,"), std::string::npos) << text;
}

// ---- CI services

TEST(MutationGithub, marks_functions_before_survivors) {
  EXPECT_EQ(mutation_as_github(example_result(), "sub/"),
            "::warning file=sub/src/price.cpp,line=1,title=pseudo-tested::tests run price(int), and all of them pass "
            "when its body is gone\n"
            "::warning file=sub/src/price.cpp,line=2,endLine=2,col=7,endColumn=12,title=survived [ror]::'a >= 9' in "
            "place of 'a > 9', and no test fails: 2 tests reach it, its value differs in none\n"
            "::warning file=sub/src/price.cpp,line=3,endLine=4,col=5,title=survived [sdl]::'a = f(a, 2);' deleted, and "
            "no test fails: 1 test reaches it; whether it makes a difference there is not known\n");
}

TEST(MutationGithub, lets_nobody_else_give_commands) {
  const std::string text = mutation_as_github(hostile_result(), "");
  EXPECT_TRUE(is_utf8(text));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(text.find('\r'), std::string::npos);
  const std::string file =
      "::warning file=src/a b%2Cc%3Ad%25\"'</script>]]>%0A%0D\xef\xbf\xbd[31m\xef\xbf\xbd.cpp,line=1,";
  EXPECT_EQ(text.substr(0, file.size()), file);
  EXPECT_NE(text.find("\n" + file +
                      "endLine=1,col=1,endColumn=21,title=survived [ror]::'::error::]]></script> "
                      ",\"%250A\xef\xbf\xbd' in place of"),
            std::string::npos)
      << text;
}

TEST(MutationSarif, has_a_result_a_finding) {
  const json root = json::parse(mutation_as_sarif(example_result(), "sub/", "1.2"));
  EXPECT_EQ(root["version"], "2.1.0");
  const json& run = root["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "Morph");
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2");
  EXPECT_EQ(count(run["tool"]["driver"]["rules"], "id"),
            (std::map<std::string, std::size_t>{{"pseudo-tested", 1}, {"ror", 1}, {"xt", 1}}));
  EXPECT_EQ(run["columnKind"], "utf16CodeUnits");
  const json& results = run["results"];
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0]["ruleId"], "pseudo-tested");
  EXPECT_EQ(results[0]["level"], "warning");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["region"], json::parse(R"({"startLine": 1})"));
  EXPECT_EQ(results[1]["ruleId"], "ror");
  EXPECT_EQ(results[1]["level"], "note");
  EXPECT_EQ(results[1]["message"]["text"],
            "'a >= 9' in place of 'a > 9', and no test fails: 2 tests reach it, its value differs in none");
  EXPECT_EQ(results[1]["locations"][0]["physicalLocation"],
            json::parse(R"({"artifactLocation": {"uri": "sub/src/price.cpp", "uriBaseId": "%SRCROOT%"},
                            "region": {"startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 12}})"));
  EXPECT_EQ(results[2]["level"], "warning");
}

TEST(MutationSarif, names_hostile_files_by_uris) {
  const std::string text = mutation_as_sarif(hostile_result(), "", "1");
  EXPECT_TRUE(is_utf8(text));
  const json root = json::parse(text);
  EXPECT_EQ(root["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "src/a%20b%2Cc%3Ad%25%22%27%3C/script%3E%5D%5D%3E%0A%0D%1B%5B31m%FF.cpp");
}

TEST(MutationJUnit, has_a_case_a_covered_mutant) {
  const morph::test_support::temporary_folder folder;
  folder.write("j.xml", mutation_as_junit(example_result()));
  const auto cases = frameworks::read_junit(folder / "j.xml");
  ASSERT_TRUE(cases) << cases.error();
  using verdict = frameworks::junit_case::verdict;
  ASSERT_EQ(cases->size(), 7U);  // one is not covered
  EXPECT_EQ((*cases)[0].how, verdict::passed);
  EXPECT_EQ((*cases)[0].seconds, 0.0015);
  EXPECT_EQ((*cases)[1].name, "2:7 [ror] a > 9 -> a >= 9");
  EXPECT_EQ((*cases)[1].classname, "src/price.cpp");
  EXPECT_EQ((*cases)[1].how, verdict::failed);
  EXPECT_EQ((*cases)[1].message,
            "'a >= 9' in place of 'a > 9', and no test fails: 2 tests reach it, its value differs in none");
  EXPECT_EQ((*cases)[1].output, "src/price.cpp:2:7\n-   if (a > 9) {\n+   if (a >= 9) {\n");
  EXPECT_EQ((*cases)[3].how, verdict::passed);
  EXPECT_EQ((*cases)[5].how, verdict::skipped);
  EXPECT_EQ((*cases)[5].message, "equivalent: same object code");
  EXPECT_EQ((*cases)[6].message, "not judged: out of budget");
}

TEST(MutationJUnit, is_xml_whatever_the_source_holds) {
  const morph::test_support::temporary_folder folder;
  folder.write("j.xml", mutation_as_junit(hostile_result()));
  const auto cases = frameworks::read_junit(folder / "j.xml");
  ASSERT_TRUE(cases) << cases.error();
  ASSERT_EQ(cases->size(), 1U);
  EXPECT_NE(
      (*cases)[0].output.find("- x(\"</script><script>alert(1)</script>]]>\", '\xef\xbf\xbd');\xef\xbf\xbd\n+ ::e"),
      std::string::npos)
      << (*cases)[0].output;
}

// ---- viewers

TEST(MutationElements, have_the_states_of_that_schema) {
  const json root = json::parse(mutation_as_elements(example_result(), "1.2"));
  EXPECT_EQ(root["schemaVersion"], "2");
  EXPECT_EQ(root["framework"], json::parse(R"({"name": "Morph", "version": "1.2"})"));
  EXPECT_EQ(root["testFiles"]["tests"]["tests"],
            json::parse(R"([{"id": "0", "name": "Price.Few"}, {"id": "1", "name": "Price.Many"}])"));
  const json& file = root["files"]["src/price.cpp"];
  EXPECT_EQ(file["source"], example_result().files[0].text);
  const json& mutants = file["mutants"];
  EXPECT_EQ(count(mutants, "status"),
            (std::map<std::string, std::size_t>{
                {"Killed", 2}, {"Survived", 2}, {"Timeout", 1}, {"NoCoverage", 1}, {"Ignored", 1}, {"Pending", 1}}));
  EXPECT_EQ(count(mutants, "id").size(), 8U);
  EXPECT_EQ(mutants[0]["killedBy"], json::parse(R"(["0", "1"])"));
  EXPECT_EQ(mutants[0]["replacement"], "{ return 0;");
  EXPECT_EQ(mutants[0]["duration"], 1.5);
  EXPECT_EQ(mutants[2]["location"],
            json::parse(R"({"start": {"line": 3, "column": 5}, "end": {"line": 4, "column": 14}})"));
  EXPECT_EQ(mutants[3]["statusReason"], "crashed in Price.Many: signal 11");
}

TEST(MutationElements, count_columns_as_their_viewer_does) {
  mutation_result result;
  mutated_source file{"a.cpp", "\"\xf0\x9f\x99\x82\xe4\" + b\n"};
  file.mutants = {mutant_of(file, "+", "aor", "-", state::survived)};
  place_mutants(file);
  result.files = {file};
  const json root = json::parse(mutation_as_elements(result, "1"));
  EXPECT_EQ(root["files"]["a.cpp"]["source"], "\"\xf0\x9f\x99\x82\xef\xbf\xbd\" + b\n");
  EXPECT_EQ(root["files"]["a.cpp"]["mutants"][0]["location"]["start"]["column"], 7);
  EXPECT_TRUE(json::accept(mutation_as_elements(hostile_result(), "1")));
}

/// What the page's script reads.
json data_in(const std::string& page) {
  const std::string mark = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin), nullptr, false);
}

json result_in(const std::string& page) {
  return data_in(page).at("documents").at(0).at("output");
}

TEST(MutationPage, holds_the_result_and_notes_on_it) {
  const json data = data_in(mutation_as_page(example_result(), "1.2"));
  EXPECT_EQ(data.at("screens"), (json{"mutants", "tests"}));
  EXPECT_EQ(data.at("documents").size(), 1U);
  EXPECT_EQ(data.at("documents")[0].at("arguments"), (json{"report", "mutation"}));
  json result = result_in(mutation_as_page(example_result(), "1.2"));
  EXPECT_EQ(result.at("notes").back(), "compile-time only, and counted nowhere else: 2 in src/rates.hpp");
  EXPECT_EQ(std::ranges::count(result.at("notes"), "test left out: Price.None: fails without a mutant"), 1);
  result.erase("notes");
  EXPECT_EQ(result, json::parse(mutation_as_json(example_result())));
}

TEST(MutationPage, is_not_ended_by_a_source) {
  const std::string page = mutation_as_page(hostile_result(), "1");
  EXPECT_TRUE(is_utf8(page));
  const json result = result_in(page);
  EXPECT_EQ(result.at("mutants").at(0).at("replacement"), "::error::]]></script>\n,\"%0A\xef\xbf\xbd");
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
}

TEST(MutationPage, needs_nothing_else) {
  const std::string page = mutation_as_page(example_result(), "1");
  for (const char* loads : {" src=", "@import", "url(", "XMLHttpRequest", "innerHTML"})
    EXPECT_EQ(page.find(loads), std::string::npos) << loads;
  EXPECT_NE(page.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
}

}  // namespace
}  // namespace morph::report
