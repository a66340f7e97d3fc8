// Functions that call what a model offers, as they are written.
#include "plugin/generate/thunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "handmade.hpp"

namespace morph::generate {
namespace {

using namespace handmade;
using form = parameter::kind;
using gives = returned::kind;

model model_with(std::vector<modelled_callable> callables) {
  model made;
  made.classes = {class_of("n::base", {0}), class_of("n::widget", {1, 0})};
  made.callables = std::move(callables);
  return made;
}

std::string line_at(const thunk_source& of, std::uint32_t number) {
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < number; ++i) begin = of.text.find('\n', begin) + 1;
  return of.text.substr(begin, of.text.find('\n', begin) - begin);
}

/// What the function of the only callable does.
std::string body_of(const modelled_callable& of) {
  const thunk_source made = thunks_of(model_with({of}), {}, {false}, 0);
  return line_at(made, made.first_line.at(0) + 2);
}
std::string argument_of(parameter of) {
  const std::string body = body_of(function("f", {std::move(of)}));
  return body.substr(2, body.size() - 4);
}

TEST(Thunks, KeepWhatConstructorsMake) {
  EXPECT_EQ(body_of(constructor(1, "n::widget", {number()})), "f.keep(1, new n::widget(f.number<int>(a[0])));");
}

TEST(Thunks, DoNotDestroyWhatCannotBeDestroyed) {
  model made = model_with({constructor(1, "n::widget")});
  made.classes[1].is_destructible = false;
  EXPECT_NE(thunks_of(made, {}, {false}, 0).text.find("f.refer(1, new n::widget());"), std::string::npos);
}

TEST(Thunks, CallMethodsForTheirReceivers) {
  EXPECT_EQ(body_of(method(1, "put", {number()})), "f.object<n::widget>(a[0], 1).put(f.number<int>(a[1]));");
  modelled_callable constant = method(1, "size", {}, result(gives::number));
  constant.is_constant = true;
  EXPECT_EQ(body_of(constant), "f.see(0, f.object<const n::widget>(a[0], 1).size());");
}

TEST(Thunks, SeeResults) {
  EXPECT_EQ(body_of(function("f", {}, result(gives::text))), "f.see(0, f());");
  returned view = result(gives::text);
  view.is_view = true;
  EXPECT_EQ(body_of(function("f", {}, view)), "f.see(0, std::string(f()));");
  EXPECT_EQ(body_of(function("f", {}, result(gives::object, "n::widget", 1))), "f.keep(1, new n::widget(f()));");
  EXPECT_EQ(body_of(function("f", {}, result(gives::reference, "n::widget", 1))), "f.borrow(1, &(f()));");
  EXPECT_EQ(body_of(function("f", {}, result(gives::pointer, "n::widget", 1))), "f.refer(1, f());");
  EXPECT_EQ(body_of(function("f", {}, result(gives::other))), "(void)(f());");
}

TEST(Thunks, MakeArgumentsOfLiterals) {
  EXPECT_EQ(argument_of(number("long", 8)), "f.number<long>(a[0])");
  EXPECT_EQ(argument_of(parameter_of(form::enumeration, "n::colour")), "f.enumerator<n::colour>(a[0])");
  EXPECT_EQ(argument_of(parameter_of(form::text, "std::string")), "f.text(a[0])");
  EXPECT_EQ(argument_of(parameter_of(form::view, "std::string_view")), "std::string_view(f.text(a[0]))");
  EXPECT_EQ(argument_of(parameter_of(form::c_text, "char")), "f.c_text(a[0])");
  EXPECT_EQ(argument_of(parameter_of(form::list, "std::vector<int>")), "f.filled<std::vector<int>>(a[0])");
}

TEST(Thunks, MoveObjectsAndTextsThatAreTaken) {
  EXPECT_EQ(argument_of(object(1, "n::widget", true)), "std::move(f.object<n::widget>(a[0], 1))");
  EXPECT_EQ(argument_of(object(1, "n::widget")), "f.object<n::widget>(a[0], 1)");
  parameter text = parameter_of(form::text, "std::string");
  text.by_move = true;
  EXPECT_EQ(argument_of(text), "std::string(f.text(a[0]))");
}

TEST(Thunks, PassTheSizeOfATextBehindIt) {
  EXPECT_EQ(body_of(function("f", {number(), parameter_of(form::array, "char"), parameter_of(form::length, "size_t")})),
            "f(f.number<int>(a[0]), f.c_text(a[1]), f.size_of_text(a[1]));");
}

TEST(Thunks, SeeVariablesThatWereWrittenTo) {
  parameter cell = parameter_of(form::cell, "int");
  cell.by_pointer = true;
  EXPECT_EQ(body_of(function("f", {cell})), "auto& c0 = f.cell<int>(); f(&c0); f.see(1, c0);");
  EXPECT_EQ(body_of(function("f", {parameter_of(form::out, "std::ostringstream")})),
            "auto& c0 = f.out<std::ostringstream>(); f(c0); f.see(1, c0.str());");
}

TEST(Thunks, GiveTheObjectsThatParametersAreGiven) {
  parameter made = parameter_of(form::made, "n::widget");
  made.class_number = 1;
  made.by_pointer = made.is_constant = true;
  EXPECT_EQ(body_of(function("f", {made})), "const n::widget* c0 = nullptr; f(&c0); f.refer(1, c0);");
}

TEST(Thunks, OfDroppedCallablesThrow) {
  const thunk_source made = thunks_of(model_with({function("f", {}), function("g", {})}), {}, {true, false}, 0);
  EXPECT_EQ(line_at(made, made.first_line[0] + 2), "throw no_value();");
  EXPECT_EQ(line_at(made, made.first_line[1] + 2), "g();");
}

TEST(Thunks, KnowTheLinesOfTheirFunctions) {
  const thunk_source made =
      thunks_of(model_with({function("f", {}), function("g", {})}), {"\"a.hpp\"", "<b>"}, {false, false}, 0);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(line_at(made, made.first_line.at(i)), i == 0 ? "// f" : "// g");
    EXPECT_EQ(line_at(made, made.last_line.at(i)), "}");
  }
  EXPECT_TRUE(std::ranges::is_sorted(made.first_line));
}

TEST(Thunks, KnowTheLinesOfConversionsToBases) {
  const thunk_source made = thunks_of(model_with({function("f", {})}), {}, {false}, 0);
  ASSERT_EQ(made.conversions.size(), 1U);
  EXPECT_EQ(line_at(made, made.conversions[0].line),
            "{1, 0, [](void* o) -> void* { return static_cast<n::base*>(static_cast<n::widget*>(o)); }},");
  EXPECT_NE(made.text.find("const unsigned conversion_count = 1;"), std::string::npos);
}

TEST(Thunks, CountCallablesAndGoals) {
  const std::string made = thunks_of(model_with({function("f", {}), function("g", {})}), {}, {false, false}, 7).text;
  EXPECT_NE(made.find("const callable callables[] = {call_0, call_1};"), std::string::npos);
  EXPECT_NE(made.find("const unsigned callable_count = 2;\nconst unsigned goal_count = 7;"), std::string::npos);
}

}  // namespace
}  // namespace morph::generate
