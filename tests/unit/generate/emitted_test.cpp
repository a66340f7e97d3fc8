// Tests as they are written, given to the real compiler and run: they compile as C++11, pass, and lose nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "handmade.hpp"
#include "plugin/generate/emit.hpp"
#include "plugin/system/process.hpp"

namespace morph::generate {
namespace {

using namespace handmade;
using form = parameter::kind;
using gives = returned::kind;
namespace fs = std::filesystem;

constexpr const char* toys = R"(#pragma once
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>
namespace n {
struct shape { virtual ~shape() {} virtual int sides() const = 0; virtual bool is_round() = 0; };
struct point { int x; std::string name; };
struct box { explicit box(int n) : size(n) {} int take() && { return size; } int size; };
inline int sides_of(std::unique_ptr<shape> s) { return 10 * s->sides() + s->sides(); }
inline int shared(const std::shared_ptr<shape>& s) { return s->is_round() ? 1 : 2; }
inline int x_of(const point& p) { return p.x + static_cast<int>(p.name.size()); }
inline int sum(const int* values, int count) { int all = 0; for (int i = 0; i < count; ++i) all += values[i]; return all; }
inline int letters(const char* const* names, int count) { int all = 0; for (int i = 0; i < count; ++i) all += static_cast<int>(std::strlen(names[i])); return all; }
inline int letters_of(char** names, int count) { return letters(names, count); }
inline int at(const int* value) { return *value; }
inline int first_of(std::FILE* from) { return std::fgetc(from); }
inline int words(int argc, const char* const* argv) { return argc * 100 + static_cast<int>(std::strlen(argv[1])); }
inline int bytes(const unsigned char* all, std::size_t size) { return size > 0 ? all[size - 1] : 0; }
inline int apply(const std::function<int(int)>& f) { return f(1) + 1; }
inline int apply_name(const char* (*f)()) { return f()[0]; }
inline box* new_box(int n) { return new box(n); }
inline std::unique_ptr<box> make_box(int n) { return std::unique_ptr<box>(new box(n)); }
inline bool open_box(int n, box** to) { *to = new box(n); return n > 0; }
inline int shout(char* text) { text[0] = '!'; return static_cast<int>(std::strlen(text)); }
inline int all(std::initializer_list<point> of) { return static_cast<int>(of.size()); }
struct handle;
inline handle* handle_create(int n) { return reinterpret_cast<handle*>(new int(n)); }
inline int handle_value(const handle* of) { return *reinterpret_cast<const int*>(of); }
inline void handle_destroy(handle* of) { delete reinterpret_cast<int*>(of); }
inline int choose(const char* text) { return text == nullptr ? 1 : 2; }
inline int choose(std::nullptr_t) = delete;
}  // namespace n
)";

/// As much of a framework as the tests use; the program's exit status is how many expectations do not hold.
constexpr const char* framework = R"(#pragma once
#include <cstdio>
#include <cstdlib>
static int failures = 0;
struct reporter { ~reporter() { if (failures > 0) std::_Exit(failures); } } static last;
#define TEST(suite, name) \
  static void test_##name(); \
  static const bool has_##name = (test_##name(), true); \
  static void test_##name()
#define EXPECT_EQ(a, b) (((a) == (b)) ? void() : void((std::printf("%s is not %s\n", #a, #b), ++failures)))
#define EXPECT_NE(a, b) (((a) != (b)) ? void() : void((std::printf("%s is %s\n", #a, #b), ++failures)))
#define EXPECT_TRUE(a) EXPECT_EQ(a, true)
)";

class EmittedTests : public testing::Test {
 protected:
  EmittedTests() {
    in_.classes = {class_of("n::shape", {0}), class_of("n::point", {1}), class_of("n::box", {2}),
                   class_of("n::handle", {3})};
    in_.classes[0].is_abstract = true;
    in_.stubs = {{"ShapeStub",
                  "n::shape",
                  {{"int sides() const override", "sides_answers", "int", "0", ""},
                   {"bool is_round() override", "is_round_answers", "bool", "false", ""}}}};
  }

  std::uint32_t add(modelled_callable of) {
    in_.callables.push_back(std::move(of));
    return static_cast<std::uint32_t>(in_.callables.size() - 1);
  }
  std::uint32_t add_stub() {
    parameter sides = parameter_of(form::answers, "std::vector<int>", "sides_answers");
    sides.elements = {number()};
    parameter round = parameter_of(form::answers, "std::vector<bool>", "is_round_answers");
    round.elements = {number("bool", 1)};
    round.elements[0].is_bool = true;
    modelled_callable made = constructor(0, "ShapeStub", {sides, round});
    made.how = modelled_callable::kind::stub;
    return add(made);
  }

  argument literal_of(std::int64_t value) {
    return {morph_argument_literal, literals_.add({.kind = 'i', .number = value})};
  }
  argument literal_of(const char* text) { return {morph_argument_literal, literals_.add({.kind = 's', .text = text})}; }
  argument list_of(const std::vector<argument>& elements) {
    literal made{.kind = 'l'};
    for (const argument& each : elements) made.elements.push_back(each.number);
    return {morph_argument_literal, literals_.add(std::move(made))};
  }
  static argument value(std::uint32_t call) { return {morph_argument_value, call}; }

  /// A test of these calls, the last of which gives what is `seen`.
  void test(sequence calls, const std::string& seen, std::uint32_t place = 0) {
    test_case made;
    made.name = "T" + std::to_string(tests_.size());
    const auto last = static_cast<std::uint32_t>(calls.size() - 1);
    made.calls = std::move(calls);
    if (!seen.empty()) made.asserted = {{last, place, seen}};
    tests_.push_back(std::move(made));
  }

  std::string source() const {
    return source_text(tests_, in_, literals_, {"\"toys.hpp\""}, {"gtest", "S", "\"framework.hpp\""});
  }

  /// What the compiler or the program says; empty if all is well.
  std::string verdict() const {
    const auto& name = testing::UnitTest::GetInstance()->current_test_info()->name();
    const fs::path folder = fs::path(testing::TempDir()) / (std::string("morph_emitted_") + name);
    fs::create_directories(folder);
    std::ofstream(folder / "toys.hpp") << toys;
    std::ofstream(folder / "framework.hpp") << framework;
    std::ofstream(folder / "tests.cpp") << source() << "int main() { return failures; }\n";
    const auto ran = [&](std::vector<std::string> words) {
      system::command c{.arguments = std::move(words), .directory = folder.string()};
      c.environment = {{"ASAN_OPTIONS", "detect_leaks=1"}};
      c.capture_at_end = true;
      const auto end = system::run(c);
      return end.succeeded() ? std::string() : end.out + end.err + " (not zero)";
    };
    std::string said = ran({MORPH_CXX_COMPILER, "-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsanitize=address",
                            "tests.cpp", "-o", "tests"});
    if (said.empty()) said = ran({(folder / "tests").string()});
    fs::remove_all(folder);
    return said;
  }

  model in_;
  literal_table literals_;
  std::vector<test_case> tests_;
};

TEST_F(EmittedTests, UseStubsAndOwners) {
  const std::uint32_t stub = add_stub();
  parameter unique = parameter_of(form::owner, "std::unique_ptr<n::shape>"), shared = unique;
  shared.type = "std::shared_ptr<n::shape>";
  shared.is_shared = true;
  const std::uint32_t take = add(function("n::sides_of", {unique}, returns(gives::number)));
  const std::uint32_t share = add(function("n::shared", {shared}, returns(gives::number)));
  const argument none = list_of({}), sides = list_of({literal_of(3), literal_of(4)}), round = list_of({literal_of(1)});
  test({{stub, {sides, none}}, {take, {value(0)}}}, "i34");
  test({{stub, {none, none}}, {take, {value(0)}}}, "i0");
  test({{stub, {none, round}}, {share, {value(0)}}, {share, {value(0)}}}, "i1");
  EXPECT_EQ(verdict(), "") << source();
}

TEST_F(EmittedTests, HaveOnlyTheStubsAndAnswersThatTheyUse) {
  const std::uint32_t stub = add_stub();
  test({{stub, {list_of({}), list_of({})}}}, "");
  EXPECT_EQ(source().find("answers"), std::string::npos) << source();
  EXPECT_NE(source().find("  int sides() const override { return 0; }\n"), std::string::npos) << source();
  tests_.clear();
  EXPECT_EQ(source().find("Stub"), std::string::npos);
}

TEST_F(EmittedTests, MakeAggregatesAndWriteFields) {
  parameter text = parameter_of(form::text, "std::string");
  modelled_callable point = constructor(1, "n::point", {number(), text});
  point.how = modelled_callable::kind::aggregate;
  modelled_callable plain = constructor(1, "n::point");
  plain.is_zeroing = true;
  modelled_callable write = method(1, "x", {number()});
  write.how = modelled_callable::kind::member;
  parameter single = parameter_of(form::single, "std::initializer_list<n::point>");
  single.class_number = 1;
  const std::uint32_t made = add(point), empty = add(plain), written = add(write);
  const std::uint32_t x = add(function("n::x_of", {object_of(1, "n::point")}, returns(gives::number)));
  const std::uint32_t all = add(function("n::all", {single}, returns(gives::number)));
  test({{made, {literal_of(1), literal_of("ab")}}, {x, {value(0)}}}, "i3");
  test({{empty, {}}, {x, {value(0)}}}, "i0");
  test({{empty, {}}, {written, {value(0), literal_of(7)}}, {x, {value(0)}}}, "i7");
  test({{empty, {}}, {all, {value(0)}}}, "i1");
  EXPECT_EQ(verdict(), "") << source();
}

TEST_F(EmittedTests, PassBytesWordsFilesAndFunctions) {
  parameter items = parameter_of(form::items, "int"), bytes = parameter_of(form::array, "unsigned char");
  items.elements = {number()};
  bytes.written = "const unsigned char*";
  parameter words = parameter_of(form::words, "char", "argv");
  words.is_constant = true;
  parameter callback = parameter_of(form::callback, "std::function<int(int)>"), name = callback;
  callback.written = "[](int) -> int {{ return {}; }}";
  callback.elements = {number()};
  name.written = "[]() -> const char* {{ return {}; }}";
  name.elements = {parameter_of(form::c_text, "const char*")};
  const returned whole = returns(gives::number);
  const parameter length = parameter_of(form::length, "int");
  const argument nothing{morph_argument_nothing, 0};
  test({{add(function("n::sum", {items, length}, whole)), {list_of({literal_of(2), literal_of(3)}), nothing}}}, "i5");
  test({{add(function("n::at", {items}, whole)), {list_of({})}}}, "i0");
  parameter texts = parameter_of(form::items, "char", "names");
  texts.elements = {parameter_of(form::c_text, "const char*")};
  test({{add(function("n::letters_of", {texts, length}, whole)),
         {list_of({literal_of("ab"), literal_of("c")}), nothing}}},
       "i3");
  texts.is_constant = true;
  test({{add(function("n::letters", {texts, length}, whole)), {list_of({literal_of("ab"), literal_of("")}), nothing}}},
       "i2");
  test({{add(function("n::bytes", {bytes, length}, whole)), {literal_of("ab"), nothing}}}, "i98");
  test({{add(function("n::first_of", {parameter_of(form::file, "FILE", "from")}, whole)), {literal_of("x")}}}, "i120");
  test({{add(function("n::words", {parameter_of(form::count, "int"), words}, whole)),
         {nothing, list_of({literal_of("abc")})}}},
       "i203");
  test({{add(function("n::apply", {callback}, whole)), {literal_of(4)}}}, "i5");
  test({{add(function("n::apply_name", {name}, whole)), {literal_of("a")}}}, "i97");
  test({{add(function("n::shout", {parameter_of(form::memory, "char", "text")}, whole)), {literal_of("abc")}}}, "i3");
  modelled_callable choose = function("n::choose", {parameter_of(form::c_text, "char")}, whole);
  choose.is_overloaded = true;
  test({{add(choose), {nothing}}}, "i1");
  EXPECT_EQ(verdict(), "") << source();
}

TEST_F(EmittedTests, DestroyWhatTheyOwn) {
  returned owned = returns(gives::pointer, "n::box", 2);
  owned.is_owned = true;
  parameter out = parameter_of(form::made, "n::box");
  out.class_number = 2;
  out.by_pointer = out.is_owned = true;
  modelled_callable take = method(2, "take", {}, returns(gives::number));
  take.is_for_temporary = true;
  const std::uint32_t make = add(function("n::new_box", {number()}, owned)), taken = add(take);
  const std::uint32_t hold =
      add(function("n::make_box", {number()}, returns(gives::holder, "std::unique_ptr<n::box>", 2)));
  returned truth = returns(gives::number, "bool");
  truth.is_bool = true;
  const std::uint32_t open = add(function("n::open_box", {number(), out}, truth));
  const argument nothing{morph_argument_nothing, 0};
  test({{make, {literal_of(1)}}}, "p");
  test({{make, {literal_of(2)}}, {taken, {value(0)}}}, "i2");
  test({{hold, {literal_of(3)}}, {taken, {value(0)}}}, "i3");
  test({{hold, {literal_of(3)}}}, "p");
  test({{open, {literal_of(4), nothing}}}, "p", 2);
  test({{open, {literal_of(4), nothing}}, {taken, {value(0)}}}, "i4");
  EXPECT_EQ(verdict(), "") << source();
}

TEST_F(EmittedTests, DestroyByTheFunctionThatTheProjectHasForIt) {
  returned made = returns(gives::pointer, "n::handle", 3);
  made.is_owned = true;
  made.destroyer = "n::handle_destroy";
  in_.classes[3].is_destructible = false;
  parameter pointer = parameter_of(form::pointer, "n::handle"), last = pointer;
  pointer.class_number = last.class_number = 3;
  last.how = form::last_use;
  const std::uint32_t create = add(function("n::handle_create", {number()}, made));
  const std::uint32_t value_of = add(function("n::handle_value", {pointer}, returns(gives::number)));
  const std::uint32_t destroy = add(function("n::handle_destroy", {last}));
  test({{create, {literal_of(6)}}, {value_of, {value(0)}}}, "i6");
  test({{create, {literal_of(6)}}, {destroy, {value(0)}}}, "");
  EXPECT_EQ(verdict(), "") << source();
}

}  // namespace
}  // namespace morph::generate
