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
  modelled_callable constant = method(1, "size", {}, returns(gives::number));
  constant.is_constant = true;
  EXPECT_EQ(body_of(constant), "f.see(0, f.object<const n::widget>(a[0], 1).size());");
}

TEST(Thunks, SeeResults) {
  EXPECT_EQ(body_of(function("f", {}, returns(gives::text))), "f.see(0, f());");
  returned view = returns(gives::text);
  view.is_view = true;
  EXPECT_EQ(body_of(function("f", {}, view)), "f.see(0, std::string(f()));");
  EXPECT_EQ(body_of(function("f", {}, returns(gives::object, "n::widget", 1))), "f.keep(1, new n::widget(f()));");
  EXPECT_EQ(body_of(function("f", {}, returns(gives::reference, "n::widget", 1))), "f.borrow(1, &(f()));");
  EXPECT_EQ(body_of(function("f", {}, returns(gives::pointer, "n::widget", 1))), "f.refer(1, f());");
  EXPECT_EQ(body_of(function("f", {}, returns(gives::other))), "(void)(f());");
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
  EXPECT_EQ(argument_of(object_of(1, "n::widget", true)), "std::move(f.object<n::widget>(a[0], 1))");
  EXPECT_EQ(argument_of(object_of(1, "n::widget")), "f.object<n::widget>(a[0], 1)");
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

TEST(Thunks, MakeAggregatesOfTheirFields) {
  modelled_callable made = constructor(1, "n::widget", {number(), parameter_of(form::text, "std::string")});
  made.how = modelled_callable::kind::aggregate;
  EXPECT_EQ(body_of(made), "f.keep(1, new n::widget{f.number<int>(a[0]), f.text(a[1])});");
}

TEST(Thunks, ReadAndWriteFields) {
  modelled_callable field = method(1, "size", {number()});
  field.how = modelled_callable::kind::member;
  EXPECT_EQ(body_of(field), "f.object<n::widget>(a[0], 1).size = f.number<int>(a[1]);");
  field.parameters.clear();
  field.result = returns(gives::number);
  field.is_constant = true;
  EXPECT_EQ(body_of(field), "f.see(0, f.object<const n::widget>(a[0], 1).size);");
}

TEST(Thunks, GiveObjectsToOwners) {
  parameter owner = parameter_of(form::owner, "std::unique_ptr<n::widget>");
  owner.class_number = 1;
  EXPECT_EQ(argument_of(owner), "f.given_away<std::unique_ptr<n::widget>>(a[0], 1)");
  owner.is_shared = true;
  EXPECT_EQ(argument_of(owner), "f.shared<std::unique_ptr<n::widget>>(a[0], 1)");
}

TEST(Thunks, DestroyWhatCallersOwn) {
  returned owned = returns(gives::pointer, "n::widget", 1);
  owned.is_owned = true;
  EXPECT_EQ(body_of(function("f", {}, owned)), "f.adopt(1, f());");
  EXPECT_EQ(body_of(function("f", {}, returns(gives::holder, "std::unique_ptr<n::widget>", 1))),
            "f.hold_owner(1, f());");
}

TEST(Thunks, DestroyByTheFunctionThatTheProjectHasForIt) {
  returned made = returns(gives::pointer, "n::widget", 1);
  made.is_owned = true;
  made.destroyer = "n::destroy";
  EXPECT_EQ(body_of(function("f", {}, made)),
            "f.adopt_for(1, f(), [](void* o) { n::destroy(static_cast<n::widget*>(o)); });");
  parameter last = parameter_of(form::last_use, "n::widget");
  last.class_number = 1;
  EXPECT_EQ(body_of(function("n::destroy", {last})), "n::destroy(f.last_use<n::widget>(a[0], 1));");
}

TEST(Thunks, PassBytesWordsAndFiles) {
  parameter bytes = parameter_of(form::array, "unsigned char");
  bytes.written = "const unsigned char*";
  EXPECT_EQ(body_of(function("f", {bytes, parameter_of(form::length, "int")})),
            "f(reinterpret_cast<const unsigned char*>(f.c_text(a[0])), f.size_of_text(a[0]));");
  EXPECT_EQ(argument_of(parameter_of(form::file, "FILE")), "f.file(a[0])");
  parameter words = parameter_of(form::words, "char");
  words.is_constant = true;
  EXPECT_EQ(body_of(function("f", {parameter_of(form::count, "int"), words})),
            "auto& c1 = f.words(a[1]); f(static_cast<int>(c1.size() - 1), (c1.data()));");
  parameter items = parameter_of(form::items, "int");
  items.elements = {number()};
  EXPECT_EQ(body_of(function("f", {items, parameter_of(form::length, "int")})),
            "auto& c0 = f.items<int>(a[0]); f(c0.data(), c0.size());");
  EXPECT_EQ(body_of(function("f", {items})), "auto& c0 = f.some<int>(a[0]); f(c0.data());");
  items.elements = {parameter_of(form::c_text, "const char*")};
  EXPECT_EQ(body_of(function("f", {items, parameter_of(form::length, "int")})),
            "auto& c0 = f.items<const char*>(a[0]); f(const_cast<char**>(c0.data()), c0.size());");
  items.is_constant = true;
  EXPECT_EQ(body_of(function("f", {items, parameter_of(form::length, "int")})),
            "auto& c0 = f.items<const char*>(a[0]); f(c0.data(), c0.size());");
}

TEST(Thunks, PassFunctionsThatGiveLiterals) {
  parameter callback = parameter_of(form::callback, "std::function<int()>");
  callback.written = "[]() -> int {{ return {}; }}";
  callback.elements = {number()};
  EXPECT_EQ(body_of(function("f", {callback})),
            "static int c0; c0 = f.number<int>(a[0]); f([]() -> int { return c0; });");
}

TEST(Thunks, MakeClassesOfTheirOwnForAbstractOnes) {
  model made = model_with({});
  made.stubs = {{"BaseStub", "n::base", {{"int size() override", "size_answers", "int", "0", ""}}}};
  modelled_callable stub =
      constructor(0, "BaseStub", {parameter_of(form::answers, "std::vector<int>", "size_answers")});
  stub.how = modelled_callable::kind::stub;
  made.callables = {stub};
  const std::string text = thunks_of(made, {}, {false}, 0).text;
  EXPECT_NE(
      text.find(
          "struct BaseStub : n::base {\n  mutable answers<int> size_answers;\n"
          "  int size() override { return size_answers.next(0); }\n};\n"
          "auto* const made = new BaseStub; f.keep_as<n::base>(0, made); f.fill(a[0], made->size_answers.values);"),
      std::string::npos)
      << text;
}

TEST(Thunks, GiveTheObjectsThatParametersAreGiven) {
  parameter made = parameter_of(form::made, "n::widget");
  made.class_number = 1;
  made.by_pointer = made.is_constant = true;
  EXPECT_EQ(body_of(function("f", {made})), "const n::widget* c0 = nullptr; f(&c0); f.refer(1, c0, 1);");
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
