// What is read of tests as recipes: of any framework, and of none.
#include "coverage/source/recipes/recipes.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "coverage/source/describe/callables.hpp"

namespace morph::source {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const char* const api = R"(
  #include <cstddef>
  #include <istream>
  #include <memory>
  #include <string>
  #include <vector>
  namespace ns {
  enum class mode { fast = 3, slow };
  struct node { node* next(); int value() const; };
  struct doc {
    doc();
    explicit doc(int depth, bool strict = true, const char* name = "plain");
    doc(const doc&);
    bool parse(const char* text, std::size_t length = 0);
    void load(std::istream& from);
    void name(const std::string& text);
    void scale(double by);
    void set(mode to);
    void list(const std::vector<int>& numbers);
    void clear(const char* perhaps);
    node* root();
    node& first();
    static doc* made();
    doc& operator<<(int number);
  };
  struct plain { int get() const; };
  void open(const char* name, doc** to);
  void use(doc& one);
  template <typename T> void put(doc& to, const T& value) { to.scale(static_cast<double>(value)); }
  }
)";

json read(const std::string& source, const std::string& header = api, json* callables = nullptr) {
  const auto& test = *testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder = fs::path(testing::TempDir()) / (std::string("morph_recipes_") + test.name());
  fs::create_directories(folder);
  std::ofstream(folder / "api.hpp") << header;
  std::ofstream(folder / "test.cpp") << "#include \"api.hpp\"\n" << source;
  std::vector<parse_error> errors;
  const std::string file = (folder / "test.cpp").string();
  const unit of{folder.string(), file, {"c++", "-std=c++17", file}};
  json made = recipes_of(of, {"/nowhere", {"/nowhere"}}, {}, {folder.string(), {}}, errors);
  if (callables != nullptr)
    *callables = callables_of(of, {"/nowhere", {"/nowhere"}}, {}, {folder.string(), {}}, errors);
  fs::remove_all(folder);
  for (const parse_error& each : errors) ADD_FAILURE() << each.line << ": " << each.text;
  return made;
}

std::string written(const json& argument) {
  if (argument.is_null()) return "?";
  if (argument.contains("call")) return "v" + std::to_string(argument["call"].get<int>());
  if (argument.contains("null")) return "null";
  if (!argument.contains("list")) return argument.begin().value().dump();
  std::string all;
  for (const json& each : argument["list"]) all += (all.empty() ? "" : ", ") + written(each);
  return '[' + all + ']';
}

/// "v1 ns::doc::parse(const char *, size_t): v0, "x" | 0": what stands behind the bar are defaults.
std::string written(const json& recipe, const json& callees) {
  std::string all;
  std::size_t number = 0;
  for (const json& each : recipe.at("calls")) {
    all += 'v' + std::to_string(number++) + ' ';
    all += callees.at(each.at("callee").get<std::size_t>()).at("signature").get<std::string>();
    for (std::size_t i = 0; i < each.at("arguments").size(); ++i)
      all += (i == each.at("written") ? " | " : i == 0 ? ": " : ", ") + written(each["arguments"][i]);
    all += each.at("throws") ? " throws\n" : "\n";
  }
  return all;
}

/// Of the only recipe, or of the one of a test.
std::string recipe_of(const json& read, const std::string& test = "") {
  std::string all;
  for (const json& each : read.at("recipes"))
    if (test.empty() || each.at("test") == test) all += written(each, read.at("callees"));
  return all;
}

TEST(Recipes, ATestIsALineOfCallsWithTheirObjects) {
  EXPECT_EQ(recipe_of(read(R"(
    void test() {
      ns::doc d(2);
      ns::node* const n = d.root();
      n->next()->value();
      use(d);
    })")),
            "v0 ns::doc::doc(int, bool, const char *): 2 | 1, \"plain\"\n"
            "v1 ns::doc::root(): v0\n"
            "v2 ns::node::next(): v1\n"
            "v3 ns::node::value() const: v2\n"
            "v4 ns::use(ns::doc &): v0\n");
}

TEST(Recipes, LiteralsOfEachKindAreKnown) {
  EXPECT_EQ(recipe_of(read(R"(
    const char* const everywhere = "global";
    void test() {
      ns::doc d;
      d.parse(R"x(<a "b">)x", sizeof(int) + 1);
      d.parse(everywhere);
      d.name("a" "b");
      d.name(std::string("x") + "y" + 'z');
      d.name(std::string(3, '-'));
      d.scale(-1.5);
      d.scale(2);
      d.set(ns::mode::slow);
      d.list({1, 2 + 3});
      d.clear(nullptr);
      d << -7;
    })")),
            "v0 ns::doc::doc()\n"
            "v1 ns::doc::parse(const char *, std::size_t): v0, \"<a \\\"b\\\">\", 5\n"
            "v2 ns::doc::parse(const char *, std::size_t): v0, \"global\" | 0\n"
            "v3 ns::doc::name(const std::string &): v0, \"ab\"\n"
            "v4 ns::doc::name(const std::string &): v0, \"xyz\"\n"
            "v5 ns::doc::name(const std::string &): v0, \"---\"\n"
            "v6 ns::doc::scale(double): v0, -1.5\n"
            "v7 ns::doc::scale(double): v0, 2.0\n"
            "v8 ns::doc::set(ns::mode): v0, 4\n"
            "v9 ns::doc::list(const std::vector<int> &): v0, [1, 5]\n"
            "v10 ns::doc::clear(const char *): v0, null\n"
            "v11 ns::doc::operator<<(int): v0, -7\n");
}

TEST(Recipes, AnElementHasTheValueThatItHasAtTheCall) {
  EXPECT_EQ(recipe_of(read(R"(
    int unknown();
    void test() {
      ns::doc d;
      std::vector<int> v{1, 2};
      v[0] = 9;
      v[1] += 5;
      d.list(v);
      v[unknown()] = 3;
      d.list(v);
      int table[2] = {1, 2};
      table[1] = 4;
      d << table[1];
      char text[] = "abc";
      text[0] = 'x';
      d.clear(text);
      std::vector<int> others{1, 2};
      others.at(0) = 9;
      d.list(others);
    })")),
            "v0 ns::doc::doc()\n"
            "v1 ns::doc::list(const std::vector<int> &): v0, [9, 7]\n"
            "v2 ns::doc::list(const std::vector<int> &): v0, ?\n"
            "v3 ns::doc::operator<<(int): v0, 4\n"
            "v4 ns::doc::clear(const char *): v0, ?\n"
            "v5 ns::doc::list(const std::vector<int> &): v0, ?\n");
}

TEST(Recipes, AContainerMayBeMadeByItsCount) {
  EXPECT_EQ(recipe_of(read(R"(
    int unknown();
    void test() {
      ns::doc d;
      d.list(std::vector<int>(3, 7));
      d.list(std::vector<int>{3, 7});
      d.list(std::vector<int>(2));
      d.list(std::vector<int>(unknown(), 7));
      const int table[] = {1, 2, 3};
      d.list(std::vector<int>(table, table + 2));
    })")),
            "v0 ns::doc::doc()\n"
            "v1 ns::doc::list(const std::vector<int> &): v0, [7, 7, 7]\n"
            "v2 ns::doc::list(const std::vector<int> &): v0, [3, 7]\n"
            "v3 ns::doc::list(const std::vector<int> &): v0, [0, 0]\n"
            "v4 ns::doc::list(const std::vector<int> &): v0, ?\n"
            "v5 ns::doc::list(const std::vector<int> &): v0, ?\n");
}

TEST(Recipes, LoopsWithinLoopsAreReadForSomeElements) {
  const json made = read(R"(
    void test() {
      for (int a : {1, 2, 3, 4, 5, 6, 7, 8})
        for (int b : {10, 20, 30, 40, 50, 60, 70, 80})
          for (int c : {100, 200, 300, 400, 500, 600, 700, 800}) {
            ns::doc d;
            d << a << b << c;
          }
    })");
  EXPECT_GT(made.at("recipes").size(), 20U);
  EXPECT_LE(made.at("recipes").size(), 65U);
}

TEST(Recipes, TextsOfTheSourceAndOfTablesInHeadersAreListed) {
  const json made = read(R"x(
    #define CHECK(x) if (!(x)) fail(#x, __FILE__)
    void fail(const char*, const char*);
    static const char* const here = "k: [v]";
    void test() { CHECK(here[0] == 'k'); fail("two\nlines", R"(raw)"); fail("two\nlines", ""); }
    )x",
                         std::string(api) +
                             "static const char* const shared = \"- a\";\n"
                             "inline const char* message() { return \"not this\"; }\n");
  std::set<std::string> texts;
  for (const json& each : made.at("texts")) texts.insert(each.at("text").get<std::string>());
  EXPECT_EQ(texts, (std::set<std::string>{"k: [v]", "two\nlines", "raw", "- a"}));
}

TEST(Recipes, AVariableHasTheValueThatItHasAtTheCall) {
  EXPECT_EQ(recipe_of(read(R"(
    #include <sstream>
    int unknown();
    void test() {
      ns::doc d;
      std::string text = "a";
      d.name(text);
      text += "b";
      d.name(text);
      int n = 1;
      n += 2;
      ++n;
      d << n;
      n = unknown();
      d << n;
      std::stringstream in;
      in << "x=" << 5;
      d.load(in);
      d.load(in);
    })")),
            "v0 ns::doc::doc()\n"
            "v1 ns::doc::name(const std::string &): v0, \"a\"\n"
            "v2 ns::doc::name(const std::string &): v0, \"ab\"\n"
            "v3 ns::doc::operator<<(int): v0, 4\n"
            "v4 ns::doc::operator<<(int): v0, ?\n"
            "v5 ns::doc::load(std::istream &): v0, \"x=5\"\n"
            "v6 ns::doc::load(std::istream &): v0, ?\n");
}

TEST(Recipes, ABytesThatAreNoUtf8AreWrittenAsDigits) {
  EXPECT_EQ(recipe_of(read("void test() { ns::doc d; d.parse(\"\\xff\\xfe\"); }")),
            "v0 ns::doc::doc()\nv1 ns::doc::parse(const char *, std::size_t): v0, \"fffe\" | 0\n");
}

TEST(Recipes, OwnersAndPlacesForObjectsAreTheObjectsThemselves) {
  EXPECT_EQ(recipe_of(read(R"(
    void test() {
      std::unique_ptr<ns::doc> one(new ns::doc);
      one->parse("a");
      auto other = std::make_unique<ns::doc>(*one);
      auto plain = std::make_unique<ns::plain>();
      plain->get();
      ns::doc* place = nullptr;
      ns::open("b", &place);
      place->root();
    })")),
            "v0 ns::doc::doc()\n"
            "v1 ns::doc::parse(const char *, std::size_t): v0, \"a\" | 0\n"
            "v2 ns::plain::plain()\n"
            "v3 ns::plain::get() const: v2\n"
            "v4 ns::open(const char *, ns::doc **): \"b\", ?\n"
            "v5 ns::doc::root(): v4\n");
}

TEST(Recipes, HelpersOfTheSourceAreReadTwoDeep) {
  EXPECT_EQ(recipe_of(read(R"(
    static void third(ns::doc& d) { d << 3; }
    static void second(ns::doc& d, const char* text) { d.parse(text); third(d); }
    static ns::doc first(const char* text) { ns::doc d; second(d, text); return d; }
    void test() { ns::doc d = first("deep"); d << 1; }
    )"),
                      "test"),
            "v0 ns::doc::doc()\n"
            "v1 ns::doc::parse(const char *, std::size_t): v0, \"deep\" | 0\n"
            "v2 ns::doc::operator<<(int): ?, 1\n");
}

TEST(Recipes, WhatAnUnknownFunctionMayHaveChangedIsLost) {
  EXPECT_EQ(recipe_of(read(R"(
    void elsewhere(ns::doc& d);
    void reads(const ns::doc& d);
    void test() {
      ns::doc d, e;
      reads(d);
      elsewhere(e);
      d << 1;
      e << 2;
    })")),
            "v0 ns::doc::doc()\nv1 ns::doc::doc()\nv2 ns::doc::operator<<(int): v0, 1\n"
            "v3 ns::doc::operator<<(int): ?, 2\n");
}

TEST(Recipes, BranchesAreNotFollowedAndLoopsRunOnce) {
  EXPECT_EQ(recipe_of(read(R"(
    bool unknown();
    void test(){
      ns::doc d;
      if (d.parse("condition")) d << 100;
      if (unknown()) d << 101; else d << 102;
      if (1 + 1 == 3) d << 103;
      for (int i = 5; i < 9; ++i) d << i;
      while (d.parse("while")) { d << 6; break; }
      unknown() ? d << 104 : d << 105;
      d.parse("a") && d.parse("b");
      d << 7;
      return;
      d << 106;
    })")),
            "v0 ns::doc::doc()\n"
            "v1 ns::doc::parse(const char *, std::size_t): v0, \"condition\" | 0\n"
            "v2 ns::doc::operator<<(int): v0, 5\n"
            "v3 ns::doc::parse(const char *, std::size_t): v0, \"while\" | 0\n"
            "v4 ns::doc::operator<<(int): v0, 6\n"
            "v5 ns::doc::parse(const char *, std::size_t): v0, \"a\" | 0\n"
            "v6 ns::doc::operator<<(int): v0, 7\n");
}

TEST(Recipes, ALoopOverATableIsReadForEachElement) {
  EXPECT_EQ(recipe_of(read(R"(
    void test() {
      struct row { const char* text; int number; };
      const row table[] = {{"a", 1}, {"b", 2}};
      for (const auto& each : table) { ns::doc d; d.parse(each.text, each.number); }
    })")),
            "v0 ns::doc::doc()\nv1 ns::doc::parse(const char *, std::size_t): v0, \"b\", 2\n"
            "v0 ns::doc::doc()\nv1 ns::doc::parse(const char *, std::size_t): v0, \"a\", 1\n");
}

TEST(Recipes, AFixtureIsMadeAndSetUpBeforeATestOfGoogleTest) {
  const json all = read(R"(
    #include <gtest/gtest.h>
    class parsing : public testing::Test {
     protected:
      parsing() { first_.parse("constructor"); }
      void SetUp() override { parse("set up"); }
      bool parse(const char* text) { return first_.parse(text); }
      ns::doc first_;
      std::string text_ = "member";
    };
    TEST_F(parsing, works) {
      EXPECT_TRUE(parse("test"));
      first_.name(text_);
      ASSERT_EQ(first_.root(), nullptr);
      EXPECT_THROW(first_.scale(0), int);
      EXPECT_NO_THROW(first_.scale(1));
    }
    TEST(plain, test) { ns::doc d; EXPECT_STREQ("x", d.parse("y") ? "a" : "b"); })");
  EXPECT_EQ(recipe_of(all, "parsing.works"),
            "v0 ns::doc::doc()\n"
            "v1 ns::doc::parse(const char *, std::size_t): v0, \"constructor\" | 0\n"
            "v2 ns::doc::parse(const char *, std::size_t): v0, \"set up\" | 0\n"
            "v3 ns::doc::parse(const char *, std::size_t): v0, \"test\" | 0\n"
            "v4 ns::doc::name(const std::string &): v0, \"member\"\n"
            "v5 ns::doc::root(): v0\n"
            "v6 ns::doc::scale(double): v0, 0.0 throws\n"
            "v7 ns::doc::scale(double): v0, 1.0\n");
  EXPECT_EQ(recipe_of(all, "plain.test"),
            "v0 ns::doc::doc()\nv1 ns::doc::parse(const char *, std::size_t): v0, \"y\" | 0\n");
}

TEST(Recipes, SectionsAreReadApart) {
  const char* const sections = R"(
      ns::doc d;
      SECTION("one") { REQUIRE(d.parse("one")); }
      SECTION("two") {
        CHECK_THROWS(d.parse("two"));
        SECTION("inner") { d << 3; }
      })";
  const char* const expected =
      "v0 ns::doc::doc()\nv1 ns::doc::parse(const char *, std::size_t): v0, \"one\" | 0\n"
      "v0 ns::doc::doc()\nv1 ns::doc::parse(const char *, std::size_t): v0, \"two\" | 0 throws\n"
      "v2 ns::doc::operator<<(int): v0, 3\n"
      "v0 ns::doc::doc()\nv1 ns::doc::parse(const char *, std::size_t): v0, \"two\" | 0 throws\n"
      "v0 ns::doc::doc()\n";
  EXPECT_EQ(recipe_of(read(std::string("#include <catch2/catch.hpp>\nTEST_CASE(\"t\") {") + sections + "}")), expected);
  EXPECT_EQ(recipe_of(read(std::string("#include <doctest/doctest.h>\n#define SECTION SUBCASE\nTEST_CASE(\"t\") {") +
                           sections + "}")),
            expected);
}

TEST(Recipes, CalleesAreIdentifiedAsCallablesAre) {
  const char* const header = R"(
    #include <string>
    namespace ns {
    using text = std::string;
    struct base { void inherited(const text& of, unsigned long n); };
    template <typename T> struct box : base { box(const T& value); T get() const; explicit operator bool() const; };
    struct implicit { friend bool operator==(const implicit&, const implicit&); };
    template <typename T> T twice(T of) { return of + of; }
    void use(box<int>& of);
    }
  )";
  json callables;
  const json all = read(R"(
    void test() {
      ns::box<int> b(1);
      b.inherited("x", 1);
      b.get();
      if (static_cast<bool>(b)) {}
      ns::implicit a, c;
      a == c;
      ns::twice(2.0);
      ns::use(b);
    })",
                        header, &callables);
  std::set<std::string> offered;
  const auto key = [](const json& of) {
    return of.at("signature").get<std::string>() + " at " + of.at("file").get<std::string>() + ":" +
           std::to_string(of.at("line").get<int>());
  };
  for (const json& each : callables.at("callables")) offered.insert(key(each));
  EXPECT_EQ(all.at("callees").size(), 8U);
  for (const json& each : all.at("callees")) EXPECT_TRUE(offered.contains(key(each))) << key(each);
}

TEST(Recipes, SaysWhatACalleeMayChange) {
  const json all = read("void test() { ns::doc d; ns::use(d); d.parse(\"\"); ns::doc e(d); d.first().value(); }");
  std::map<std::string, json> changes;
  for (const json& each : all.at("callees")) changes[each.at("signature")] = each.at("changes");
  EXPECT_EQ(changes["ns::use(ns::doc &)"], json({0}));
  EXPECT_EQ(changes["ns::doc::parse(const char *, std::size_t)"], json({0}));
  EXPECT_EQ(changes["ns::doc::doc(const ns::doc &)"], json::array());
  EXPECT_EQ(changes["ns::node::value() const"], json::array());
}

TEST(Recipes, SaysHowAnInstanceOfATemplateIsMade) {
  const json all = read(R"(
    struct local {};
    void test() {
      ns::doc d;
      ns::put(d, 2);
      ns::box b;
      b.as<std::string>(1);
      b[2.5];
      b.as<local>(1);
      b.to("array");
    })",
                        std::string(api) + R"(
    namespace ns {
    struct box {
      template <typename T> T as(int from) const;
      template <typename T> box& operator[](const T& key);
      template <typename T> void to(const T& value);
    };
    })");
  std::map<std::string, std::string> uses;
  for (const json& each : all.at("callees")) uses[each.at("signature")] = each.at("use");
  EXPECT_EQ(uses["ns::doc::doc()"], "");
  EXPECT_EQ(uses["ns::put<int>(ns::doc &, const int &)"],
            "static_cast<void (*)(ns::doc &, const int &)>(&ns::put<int>)");
  EXPECT_EQ(uses["ns::box::as<std::string>(int) const"],
            "static_cast<std::string (ns::box::*)(int) const>(&ns::box::as<std::string>)");
  EXPECT_EQ(uses["ns::box::operator[](const double &)"],
            "static_cast<ns::box & (ns::box::*)(const double &)>(&ns::box::operator[])");
  EXPECT_EQ(uses["ns::box::as<local>(int) const"], "");
  EXPECT_EQ(uses["ns::box::to<char[6]>(const char (&)[6])"], "");
  ASSERT_EQ(all.at("includes").size(), 1U);
  EXPECT_TRUE(all.at("includes")[0].get<std::string>().ends_with("/api.hpp"));
}

TEST(Recipes, ASourceWithErrorsHasNone) {
  std::vector<parse_error> errors;
  const json made = recipes_of({"/", "/nowhere/test.cpp", {"c++", "/nowhere/test.cpp"}}, {"/nowhere", {"/nowhere"}}, {},
                               {"/", {}}, errors);
  EXPECT_FALSE(errors.empty());
  EXPECT_EQ(made.at("recipes"), json::array());
}

}  // namespace
}  // namespace morph::source
