// Mistakes in specs that do not compile: the compiler says a sentence of ours.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/unit/temporary_folder.hpp"

namespace {

constexpr const char* preamble = R"code(
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "morph/generate.hpp"
#include "morph/spec.hpp"
using numbers = morph::spec<int, int>;
struct other {
  int value = 0;
};
class secret {
 public:
  explicit secret(std::string text) : text_(text) {}
 private:
  std::string text_;
};
class without_default {
 public:
  explicit without_default(int value) : value_(value) {}
 private:
  int value_;
};
)code";

/// What the compiler writes; nothing if it compiles.
std::string compiled(const std::vector<std::string>& bodies) {
  const morph::test_support::temporary_folder folder;
  std::string source = preamble;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    source += "void spec_" + std::to_string(i) + "(numbers& s) {\n  (void)s;\n" + bodies[i] + "\n}\n";
  folder.write("spec.cpp", source);
  const std::string command = MORPH_CXX_COMPILER " -std=c++20 -fsyntax-only -Wall -Wextra -I" MORPH_SOURCE_DIR
                                                 "/plugin/include " +
                              (folder / "spec.cpp").string() + " 2>&1";
  std::FILE* const output = popen(command.c_str(), "r");
  if (output == nullptr) return "the compiler cannot be run";
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t size = 0; (size = std::fread(buffer.data(), 1, buffer.size(), output)) > 0;)
    text.append(buffer.data(), size);
  pclose(output);
  return text;
}

struct mistake {
  std::string body, sentence;
};

TEST(SpecCompileErrors, WhatIsRightCompiles) {
  EXPECT_EQ(compiled({R"code(
    s.execute([](int in) { return in; });
    s.execute("another", [](const int& in) { return in + 0L > 5 ? 1 : 0; });
    s.seeds("literal", {1, {2, 3}});
    s.seeds("drawn", morph::draw(5, morph::integers(1, 9)));
    s.seeds("range", std::vector<short>{1});
    auto one = s.datamorph("one", [](int x) { return x; });
    auto maybe = s.datamorph("maybe", [](auto x) { return std::optional<int>(x); });
    auto many = s.datamorph("many", [](int x) { return std::vector<int>{x}; });
    auto two = s.datamorph("two", [](auto x, auto y) { return x + y; }).symmetric().filter([](int) { return true; });
    auto three = s.datamorph<3>("three", [](auto... x) { return (x + ...); });
    auto fed = s.datamorph("fed", [](const morph::test_case<int, int>& c) { return c.output; });
    s.relation("of one", one, [](auto& m, auto& o) { return m.output == o.output; }).expect("the same");
    s.relation("of some", {one, maybe, many, fed}, [](auto&, auto&) {}).failures_too();
    s.relation("guarded", two, [](auto&, auto&, auto&) { return true; }, [](auto&, auto&, auto&) { return true; });
    s.relation("of three", three, [](auto& m, auto&, auto&, auto&) { return morph::verdict(m.input); });
    s.relation("of all", morph::all_cases, [](auto& c) { return c.has_output(); });
    s.statistical_relation("samples", one, 30, [](auto& m, auto& o) { return m.size() == o.size(); });
  )code"}),
            "");
}

TEST(SpecCompileErrors, WhatIsWrongIsToldInASentence) {
  const std::vector<mistake> mistakes = {
      {R"(s.execute([](std::string in) { return in.size() == 0 ? 1 : 0; });)",
       "morph: an executer takes the input type of its spec"},
      {R"(s.execute([](int) { return std::string(); });)", "morph: an executer gives the output type of its spec"},
      {R"(s.operation("o", [](int) { return std::string(); });)",
       "morph: an operation takes the input type of its spec and gives its output type"},
      {R"(s.datamorph("d", [](std::string x) { return x; });)",
       "morph: a datamorphism takes 1 to 6 inputs of its spec's input type, or as many cases"},
      {R"(s.datamorph("d", [](int) { return std::string(); });)",
       "morph: a datamorphism gives an input of its spec's input type, a std::optional of one, or a range of them"},
      {R"(s.datamorph("d", [](int x) { return x; }).symmetric();)",
       "morph: only a datamorphism of several arguments can be symmetric"},
      {R"(s.datamorph("d", [](int x) { return x; }).filter([](std::string) { return true; });)",
       "morph: the filter of a datamorphism takes the mutant's input, or that and the inputs of its origins, and gives "
       "bool"},
      {R"(auto d = s.datamorph("d", [](int x, int y) { return x + y; });
          s.relation("r", d, [](const numbers::test_case&, const numbers::test_case&) { return true; });)",
       "morph: a relation takes the mutant and then as many origins as its datamorphism takes arguments (relations on "
       "seeds, mutants or all_cases take the case alone)"},
      {R"(morph::spec<other, int> o("o"); auto d = o.datamorph("d", [](other x) { return x; });
          s.relation("r", d, [](auto&, auto&) { return true; });)",
       "morph: a relation is about a datamorphism of its own spec"},
      {R"(s.relation("r", morph::seeds, [](auto&) { return std::string(); });)",
       "morph: a relation gives bool, morph::verdict, or nothing (where the host framework's assertions decide)"},
      {R"(s.relation("r", morph::seeds, [](auto&) { return std::string(); }, [](auto&) { return true; });)",
       "morph: the guard of a relation takes what the relation takes, the mutant and each origin of its datamorphism, "
       "and gives bool"},
      {R"(morph::spec<int, without_default> w("w");
          w.relation("r", morph::seeds, [](auto&) { return true; }).failures_too();)",
       "morph: a relation on failed runs needs an output type with a default, which stands for what the runs did not "
       "give"},
      {R"(s.seeds("s", std::vector<std::string>{"x"});)",
       "morph: seeds are a list of inputs, a range of them, draw(count, generator), what reads a file, or a function "
       "that gives a range of inputs"},
      {R"(s.seeds("s", 5);)", "morph: seeds are a list of inputs"},
      {R"(morph::spec<std::vector<int>, int> v("v"); v.seeds("s", std::vector<int>{1, 2});)",
       "morph: seeds are a list of inputs"},
      {R"(s.case_metric("m", [](std::string) { return 1; });)",
       "morph: a metric or filter of cases takes the case, or the case and its pool, and gives a number or bool"},
      {R"(s.set_filter("f", [](auto&) { return true; });)",
       "morph: a test-set filter takes the pool and gives the positions of the cases that stay"},
      {R"(auto one = s.datamorph("one", [](int x) { return x; });
          auto two = s.datamorph("two", [](int x, int y) { return x + y; });
          s.relation("r", {one, two}, [](auto&, auto&) { return true; });)",
       "morph: the datamorphisms of one relation are its own spec's, and take the same number of arguments; declare a "
       "relation for each number"},
      {R"(auto d = s.datamorph("d", [](int x) { return x; });
          s.statistical_relation("r", d, 30, [](const std::vector<int>&) { return true; });)",
       "morph: a statistical relation takes the outputs on the mutant and then those on each origin of its "
       "datamorphism, each a const std::vector<Out>&, and gives bool or morph::verdict"},
      {R"(s.same_class([](int) {});)",
       "morph: same_class() takes two outputs and gives bool, or takes one and gives what tells classes apart"},
      {R"(s.distance_by([](int) { return 1.0; });)", "morph: a distance takes two inputs and gives a number"},
      {R"(s.valid([](int) { return std::string(); });)", "morph: valid() takes an input and gives bool"},
      {R"(morph::spec<int, secret> b("b"); b.executers_agree();)",
       "morph: executers whose outputs are to agree need an output type with == or a text"},
      {R"(struct wide { int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q; };
          wide w{}; (void)morph::to_text(w);)",
       "morph: aggregates are taken apart up to 16 members; give this type morph_save() and morph_load()"},
      {R"(morph::spec<std::unique_ptr<int>, int> u("u");)",
       "morph: the input type of a spec has to be copyable; take std::shared_ptr<const T> for one that is not"},
      {R"(morph::spec<secret, int> t("t");)",
       "morph: the input type of a spec has to have a text, by which cases are told apart and shown; write `auto "
       "morph_save(const In&)` and `void morph_load(In&, const Saved&)` in its namespace"},
  };
  std::vector<std::string> bodies;
  for (const mistake& each : mistakes) bodies.push_back(each.body);
  const std::string text = compiled(bodies);
  for (const mistake& each : mistakes)
    EXPECT_NE(text.find(each.sentence), text.npos) << each.body << "\ndoes not tell: " << each.sentence;
  if (HasFailure()) std::fputs(text.c_str(), stdout);
}

}  // namespace
