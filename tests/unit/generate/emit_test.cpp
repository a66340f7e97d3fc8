// Tests as they are written.
#include "plugin/generate/emit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "handmade.hpp"

namespace morph::generate {
namespace {

using namespace handmade;
using form = parameter::kind;
using gives = returned::kind;

std::string text_of(const parameter& as, literal of) {
  literal_table literals;
  return literal_text(as, literals.add(std::move(of)), literals);
}
std::string text_of(const parameter& as, std::int64_t of) {
  return text_of(as, literal{.kind = 'i', .number = of});
}
parameter real(std::uint32_t bytes) {
  parameter made = number(bytes == 4 ? "float" : "double", bytes);
  made.is_real = true;
  return made;
}
std::string text_of_real(double of, std::uint32_t bytes = 8) {
  return text_of(real(bytes), literal{.kind = 'd', .real = of});
}

TEST(LiteralTexts, OfNumbersHaveTheirTypes) {
  EXPECT_EQ(text_of(number(), -7), "-7");
  EXPECT_EQ(text_of(number("unsigned", 4, true), 7), "7U");
  EXPECT_EQ(text_of(number("long", 8), 7), "7L");
  EXPECT_EQ(text_of(number("long long", 8), 7), "7LL");
  EXPECT_EQ(text_of(number("unsigned long", 8, true), 7), "7UL");
  EXPECT_EQ(text_of(number("unsigned long long", 8, true), -1), "18446744073709551615ULL");
  EXPECT_EQ(text_of(number("short", 2), -7), "static_cast<short>(-7)");
  EXPECT_EQ(text_of(number("std::uint8_t", 1, true), 7), "static_cast<std::uint8_t>(7)");
}

TEST(LiteralTexts, OfTheSmallestNumbersAreOneExpression) {
  EXPECT_EQ(text_of(number(), std::numeric_limits<std::int32_t>::min()), "(-2147483647 - 1)");
  EXPECT_EQ(text_of(number("long", 8), std::numeric_limits<std::int64_t>::min()), "(-9223372036854775807L - 1)");
}

TEST(LiteralTexts, OfTruthAreWords) {
  parameter as = number("bool", 1);
  as.is_bool = true;
  EXPECT_EQ(text_of(as, 0), "false");
  EXPECT_EQ(text_of(as, 1), "true");
}

TEST(LiteralTexts, OfCharactersAreCharactersIfTheyArePlain) {
  parameter as = number("char", 1);
  as.is_character = true;
  EXPECT_EQ(text_of(as, 'x'), "'x'");
  EXPECT_EQ(text_of(as, '\''), "static_cast<char>(39)");
  EXPECT_EQ(text_of(as, '\\'), "static_cast<char>(92)");
  EXPECT_EQ(text_of(as, 0), "static_cast<char>(0)");
  EXPECT_EQ(text_of(as, -1), "static_cast<char>(-1)");
}

TEST(LiteralTexts, OfRealsAreReal) {
  EXPECT_EQ(text_of_real(3), "3.0");
  EXPECT_EQ(text_of_real(0.1), "0.1");
  EXPECT_EQ(text_of_real(1e300), "1e+300");
  EXPECT_EQ(text_of_real(static_cast<double>(0.1F), 4), "0.1F");
  EXPECT_EQ(text_of_real(2, 4), "2.0F");
}

TEST(LiteralTexts, OfRealsThatAreNoneAreWritten) {
  EXPECT_EQ(text_of_real(std::numeric_limits<double>::infinity()), "HUGE_VAL");
  EXPECT_EQ(text_of_real(-std::numeric_limits<double>::infinity()), "-HUGE_VAL");
  EXPECT_EQ(text_of_real(std::nan("")), "std::nan(\"\")");
  EXPECT_EQ(text_of_real(std::nan(""), 4), "std::nanf(\"\")");
}

TEST(LiteralTexts, OfEnumeratorsAreTheirNames) {
  parameter as = parameter_of(form::enumeration, "n::colour");
  as.enumerators = {{0, "n::colour::red"}, {5, ""}};
  EXPECT_EQ(text_of(as, 0), "n::colour::red");
  EXPECT_EQ(text_of(as, 5), "static_cast<n::colour>(5)");
  EXPECT_EQ(text_of(as, 6), "static_cast<n::colour>(6)");
}

TEST(LiteralTexts, OfTextsHaveTheTypeOfTheirParameter) {
  const literal text{.kind = 's', .text = "a"};
  EXPECT_EQ(text_of(parameter_of(form::text, "std::string"), text), "std::string(\"a\")");
  EXPECT_EQ(text_of(parameter_of(form::view, "std::string_view"), text), "std::string_view(\"a\")");
  EXPECT_EQ(text_of(parameter_of(form::c_text, "char"), text), "\"a\"");
  EXPECT_EQ(text_of(parameter_of(form::array, "char"), text), "\"a\"");
}

TEST(LiteralTexts, WithAnEmbeddedZeroKeepWhatTheirParameterCanHave) {
  const literal text{.kind = 's', .text = std::string("a\0b", 3)};
  EXPECT_EQ(text_of(parameter_of(form::text, "std::string"), text), "std::string(\"a\\x00\"\"b\", 3)");
  EXPECT_EQ(text_of(parameter_of(form::view, "std::string_view"), text), "std::string_view(\"a\\x00\"\"b\", 3)");
  EXPECT_EQ(text_of(parameter_of(form::c_text, "char"), text), "\"a\"");
  EXPECT_EQ(text_of(parameter_of(form::array, "char"), text), "\"a\\x00\"\"b\"");
}

TEST(LiteralTexts, OfListsHaveTheirElements) {
  literal_table literals;
  const std::uint32_t one = literals.add({.kind = 'i', .number = 1}), text = literals.add({.kind = 's', .text = "k"});
  parameter list = parameter_of(form::list, "std::vector<int>");
  list.elements = {number()};
  EXPECT_EQ(literal_text(list, literals.add({.kind = 'l', .elements = {one, one}}), literals),
            "std::vector<int>{1, 1}");
  EXPECT_EQ(literal_text(list, literals.add({.kind = 'l'}), literals), "std::vector<int>{}");
  parameter map = parameter_of(form::list, "map");
  map.is_map = true;
  map.elements = {parameter_of(form::text, "std::string"), number()};
  const std::uint32_t pair = literals.add({.kind = 'l', .elements = {text, one}});
  EXPECT_EQ(literal_text(map, literals.add({.kind = 'l', .elements = {pair}}), literals),
            "map{{std::string(\"k\"), 1}}");
}

TEST(QuotedTexts, EscapeWhatLiteralsCannotHold) {
  EXPECT_EQ(quoted("a\"b\\c\n\t"), R"("a\"b\\c\n\t")");
  EXPECT_EQ(quoted("\r\x7F\xC3"), R"("\x0d\x7f\xc3")");
}

TEST(QuotedTexts, SeparateEscapesFromDigitsBehindThem) {
  EXPECT_EQ(quoted("\x01"
                   "f"),
            R"("\x01""f")");
  EXPECT_EQ(quoted("\x01"
                   "g"),
            R"("\x01g")");
  EXPECT_EQ(quoted("\x01\x02"
                   "1"),
            R"("\x01\x02""1")");
}

TEST(QuotedTexts, HaveNoTrigraphs) {
  EXPECT_EQ(quoted("a?b"), "\"a?b\"");
  EXPECT_EQ(quoted("?\?/?\?"), "\"?\\?/?\\?\"");
}

/// Of classes widget (0) and gadget (1, cannot be destroyed): what a test consists of, and the text of its statements.
class TestTexts : public testing::Test {
 protected:
  TestTexts() { in_.classes = {class_of("n::widget", {0}), class_of("gadget", {1})}; }

  std::uint32_t add(modelled_callable of) {
    in_.callables.push_back(std::move(of));
    return static_cast<std::uint32_t>(in_.callables.size() - 1);
  }
  void calls(std::uint32_t callable, std::vector<argument> arguments = {}) {
    test_.calls.push_back({callable, std::move(arguments)});
  }
  argument literal_of(std::int64_t value) {
    return {morph_argument_literal, literals_.add({.kind = 'i', .number = value})};
  }
  static argument value(std::uint32_t call) { return {morph_argument_value, call}; }
  void observes(std::uint32_t call, std::string text, std::uint32_t place = 0) {
    test_.asserted.push_back({call, place, std::move(text)});
  }
  void throws(std::uint32_t call, std::string type) {
    test_.did.how = morph_outcome_threw;
    test_.did.call = call;
    test_.did.exception = std::move(type);
  }

  std::string statements(const std::string& framework = "gtest") {
    test_.name = "N";
    const std::string text = test_text(test_, in_, literals_, {framework, "S"});
    const std::size_t begin = text.find("{\n") + 2;
    return text.substr(begin, text.size() - begin - 2);
  }
  /// Of a call of a function with this result, of which this was observed.
  std::string expectation(const returned& of, const std::string& seen, const std::string& framework = "gtest") {
    test_ = {};
    in_.callables.clear();
    calls(add(function("f", {}, of)));
    observes(0, seen);
    return statements(framework);
  }

  model in_;
  literal_table literals_;
  test_case test_;
};

TEST_F(TestTexts, HaveTheHeadOfTheirFramework) {
  test_.name = "Name";
  test_.purpose = "why";
  EXPECT_EQ(test_text(test_, in_, literals_, {"gtest", "Suite"}), "// why\nTEST(Suite, Name) {\n}\n");
  EXPECT_EQ(test_text(test_, in_, literals_, {"catch2", "Suite"}), "// why\nTEST_CASE(\"Suite Name\") {\n}\n");
}

TEST_F(TestTexts, OfAFileIncludeTheirFrameworkAndHeaders) {
  for (const auto& [framework, header] : {std::pair("gtest", "<gtest/gtest.h>"), {"doctest", "<doctest/doctest.h>"}})
    EXPECT_EQ(source_text({}, in_, literals_, {"\"a.hpp\""}, {framework, "S", header})
                  .find(std::string("#include \"a.hpp\"\n#include ") + header + "\n"),
              std::string("// Found by `morph generate`; asserts what the code did then.\n").size());
}

TEST_F(TestTexts, MakeObjectsAndCallTheirMethods) {
  calls(add(constructor(0, "n::widget", {number()})), {literal_of(4)});
  calls(add(method(0, "size", {}, returns(gives::number))), {value(0)});
  observes(1, "i4");
  EXPECT_EQ(statements(), "  n::widget widget(4);\n  EXPECT_EQ(widget.size(), 4);\n");
  EXPECT_EQ(statements("catch2"), "  n::widget widget(4);\n  CHECK(widget.size() == 4);\n");
}

TEST_F(TestTexts, CallAConstantMethodThroughAConstantObjectIfThereIsOneThatChanges) {
  modelled_callable reads = method(0, "at", {}, returns(gives::number));
  reads.is_constant = true;
  add(method(0, "at", {}, returns(gives::number)));
  calls(add(constructor(0, "n::widget")));
  calls(add(reads), {value(0)});
  EXPECT_EQ(statements(), "  n::widget widget;\n  static_cast<const n::widget&>(widget).at();\n");
}

TEST_F(TestTexts, KeepTheNameOfAnObjectThatACallGivesBack) {
  modelled_callable self = method(0, "self", {}, returns(gives::reference));
  calls(add(constructor(0, "n::widget")));
  calls(add(self), {value(0)});
  calls(2, {value(1)});
  add(method(0, "size", {}, returns(gives::number)));
  test_.known[1] = 0;
  EXPECT_EQ(statements(), "  n::widget widget;\n  widget.self();\n  widget.size();\n");
}

TEST_F(TestTexts, MakeObjectsThatCannotBeDestroyedAsPointers) {
  in_.classes[1].is_destructible = false;
  calls(add(constructor(1, "gadget")));
  calls(add(method(1, "go", {})), {value(0)});
  calls(add(function("use", {object_of(1, "gadget")})), {value(0)});
  const std::string text = statements();
  EXPECT_NE(text.find(" = new gadget();\n"), std::string::npos);
  EXPECT_NE(text.find("->go();\n  use(*"), std::string::npos);
}

TEST_F(TestTexts, NumberObjectsOfOneClass) {
  const std::uint32_t make = add(constructor(0, "n::widget"));
  calls(make);
  calls(make);
  calls(add(function("join", {object_of(0, "n::widget", true), object_of(0, "n::widget")})), {value(0), value(1)});
  EXPECT_EQ(statements(), "  n::widget widget;\n  n::widget widget2;\n  join(std::move(widget), widget2);\n");
}

TEST_F(TestTexts, NameVariablesApartFromParameters) {
  const std::uint32_t make = add(constructor(0, "n::widget"));
  calls(add(function("f", {parameter_of(form::cell, "int", "widget2")})), {{morph_argument_nothing, 0}});
  calls(make);
  calls(make);
  EXPECT_EQ(statements(), "  int widget2{};\n  f(widget2);\n  n::widget widget;\n  n::widget widget3;\n");
}

TEST_F(TestTexts, NameVariablesApartFromClassesAndFunctions) {
  const std::uint32_t make = add(constructor(1, "gadget"));
  calls(make);
  calls(make);
  calls(add(function("count", {parameter_of(form::cell, "int", "count")})), {{morph_argument_nothing, 0}});
  EXPECT_EQ(statements(), "  gadget gadget2;\n  gadget gadget3;\n  int count2{};\n  count(count2);\n");
}

TEST_F(TestTexts, NameNoVariableByAKeyword) {
  for (const char* const name : {"n::Return", "n::For", "n::Static", "n::IfDo"}) {
    in_.classes[0].name = name;
    in_.callables.clear();
    test_ = {};
    calls(add(constructor(0, name)));
    EXPECT_EQ(statements(), std::string("  ") + name + " value;\n");
  }
}

TEST_F(TestTexts, ExpectTheExceptionOfTheLastCall) {
  calls(add(function("f", {number()}, returns(gives::number))), {literal_of(0)});
  throws(0, "std::out_of_range");
  EXPECT_EQ(statements(), "  EXPECT_THROW(f(0), std::out_of_range);\n");
  EXPECT_EQ(statements("doctest"), "  CHECK_THROWS_AS(f(0), std::out_of_range);\n");
}

TEST_F(TestTexts, ExpectAnyExceptionIfItsTypeHasNoName) {
  calls(add(constructor(0, "n::widget")));
  throws(0, "(anonymous namespace)::error");
  EXPECT_EQ(statements(), "  EXPECT_ANY_THROW(n::widget());\n");
  EXPECT_EQ(statements("catch2"), "  CHECK_THROWS(n::widget());\n");
}

TEST_F(TestTexts, ExpectTruth) {
  returned truth = returns(gives::number, "bool");
  truth.is_bool = true;
  EXPECT_EQ(expectation(truth, "b1"), "  EXPECT_TRUE(f());\n");
  EXPECT_EQ(expectation(truth, "b0"), "  EXPECT_FALSE(f());\n");
  EXPECT_EQ(expectation(truth, "b0", "catch2"), "  CHECK_FALSE(f());\n");
}

TEST_F(TestTexts, ExpectNumbers) {
  EXPECT_EQ(expectation(returns(gives::number), "i-3"), "  EXPECT_EQ(f(), -3);\n");
  EXPECT_EQ(expectation(returns(gives::number, "unsigned"), "u3"), "  EXPECT_EQ(f(), 3U);\n");
  returned wide = returns(gives::number, "unsigned long");
  wide.bytes = 8;
  EXPECT_EQ(expectation(wide, "u18446744073709551615"), "  EXPECT_EQ(f(), 18446744073709551615UL);\n");
}

TEST_F(TestTexts, ExpectReals) {
  returned real = returns(gives::number, "double");
  real.bytes = 8;
  EXPECT_EQ(expectation(real, "d0.5"), "  EXPECT_DOUBLE_EQ(f(), 0.5);\n");
  EXPECT_EQ(expectation(real, "dnan"), "  EXPECT_TRUE(std::isnan(f()));\n");
  EXPECT_EQ(expectation(real, "dinf"), "  EXPECT_DOUBLE_EQ(f(), HUGE_VAL);\n");
  real.bytes = 4;
  EXPECT_EQ(expectation(real, "d0.5"), "  EXPECT_FLOAT_EQ(f(), 0.5F);\n");
  EXPECT_EQ(expectation(real, "d0.5", "doctest"), "  CHECK(f() == 0.5F);\n");
}

TEST_F(TestTexts, ExpectTexts) {
  EXPECT_EQ(expectation(returns(gives::text), "sa b"), "  EXPECT_EQ(f(), \"a b\");\n");
  EXPECT_EQ(expectation(returns(gives::c_text), "sa"), "  EXPECT_STREQ(f(), \"a\");\n");
  EXPECT_EQ(expectation(returns(gives::c_text), "sa", "catch2"), "  CHECK(std::string(f()) == \"a\");\n");
  EXPECT_EQ(expectation(returns(gives::c_text), "n"), "  EXPECT_EQ(f(), nullptr);\n");
}

TEST_F(TestTexts, ExpectEnumerators) {
  returned colour = returns(gives::enumeration, "n::colour");
  colour.enumerators = {{5, "n::green"}};
  EXPECT_EQ(expectation(colour, "e5"), "  EXPECT_EQ(f(), n::green);\n");
  EXPECT_EQ(expectation(colour, "e6"), "  EXPECT_EQ(f(), static_cast<n::colour>(6));\n");
}

TEST_F(TestTexts, ExpectPointers) {
  EXPECT_EQ(expectation(returns(gives::pointer, "n::widget"), "n"), "  EXPECT_EQ(f(), nullptr);\n");
  EXPECT_EQ(expectation(returns(gives::pointer, "n::widget"), "p"), "  EXPECT_NE(f(), nullptr);\n");
  EXPECT_EQ(expectation(returns(gives::pointer, "n::widget"), "p", "catch2"), "  CHECK(f() != nullptr);\n");
}

TEST_F(TestTexts, ExpectWhatVariablesWereGiven) {
  parameter cell = parameter_of(form::cell, "int", "sum");
  cell.by_pointer = true;
  calls(add(function("f", {cell})), {{morph_argument_nothing, 0}});
  observes(0, "i7", 1);
  EXPECT_EQ(statements(), "  int sum{};\n  f(&sum);\n  EXPECT_EQ(sum, 7);\n");
}

TEST_F(TestTexts, ExpectWhatStreamsWereGiven) {
  calls(add(function("f", {parameter_of(form::out, "std::ostringstream", "os")})), {{morph_argument_nothing, 0}});
  observes(0, "sx", 1);
  EXPECT_EQ(statements(), "  std::ostringstream os;\n  f(os);\n  EXPECT_EQ(os.str(), \"x\");\n");
}

TEST_F(TestTexts, ProtectCommasFromThePreprocessor) {
  calls(add(function("f<int, 3>", {}, returns(gives::number))));
  observes(0, "i1");
  EXPECT_EQ(statements(), "  EXPECT_EQ((f<int, 3>()), 1);\n");
}

TEST_F(TestTexts, CompareOperatorsAsAWhole) {
  modelled_callable both = function("operator&", {object_of(0, "n::widget"), number()}, returns(gives::number));
  both.token = "&";
  calls(add(constructor(0, "n::widget")));
  calls(add(both), {value(0), literal_of(3)});
  observes(1, "i1");
  EXPECT_EQ(statements("catch2"), "  n::widget widget;\n  CHECK((widget & 3) == 1);\n");
}

TEST_F(TestTexts, PassNullPointers) {
  parameter perhaps = object_of(0, "n::widget");
  perhaps.how = form::pointer;
  calls(add(function("f", {perhaps})), {{morph_argument_nothing, 0}});
  EXPECT_EQ(statements(), "  f(nullptr);\n");
}

TEST_F(TestTexts, PassAnArrayWithItsLength) {
  const argument text{morph_argument_literal, literals_.add({.kind = 's', .text = "abc"})};
  calls(add(function("f", {parameter_of(form::array, "char"), parameter_of(form::length, "size_t")})),
        {text, {morph_argument_nothing, 0}});
  EXPECT_EQ(statements(), "  f(\"abc\", 3);\n");
}

TEST_F(TestTexts, UseTheObjectThatACallGave) {
  calls(add(function("make", {}, returns(gives::pointer, "n::widget"))));
  calls(add(method(0, "go", {})), {value(0)});
  EXPECT_EQ(statements(), "  auto* widget = make();\n  widget->go();\n");
}

TEST_F(TestTexts, UseTheFirstNameOfAKnownObject) {
  calls(add(constructor(0, "n::widget")));
  calls(add(method(0, "self", {}, returns(gives::reference, "n::widget"))), {value(0)});
  calls(add(method(0, "go", {})), {value(1)});
  test_.known[1] = 0;
  EXPECT_EQ(statements(), "  n::widget widget;\n  widget.self();\n  widget.go();\n");
}

}  // namespace
}  // namespace morph::generate
