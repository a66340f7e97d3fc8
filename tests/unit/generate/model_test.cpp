// Callables of a model, from what `morph-source` writes of headers, and how they are called.
#include "plugin/generate/model.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "plugin/generate/implied.hpp"

namespace morph::generate {
namespace {

using nlohmann::json;
using texts = std::vector<std::string>;
using form = parameter::kind;

json use(const std::string& type, const std::string& passed = "value", const std::string& role = "in") {
  return {{"type", type}, {"spelled", type}, {"passed", passed}, {"role", role}, {"name", "p"}, {"has_default", false}};
}
json optional(json of) {
  of["has_default"] = true;
  return of;
}
json callable_of(const std::string& kind, const std::string& name, const json& parameters = json::array(),
                 json result = use("void")) {
  const auto at = name.rfind("::");
  return {{"kind", kind},
          {"name", name},
          {"method", at == std::string::npos ? name : name.substr(at + 2)},
          {"signature", name + "()"},
          {"file", "a.hpp"},
          {"line", 3},
          {"parameters", parameters},
          {"result", std::move(result)}};
}
json method_of_w(const std::string& name, const json& parameters = json::array(), json result = use("void")) {
  json made = callable_of("method", "W::" + name, parameters, std::move(result));
  made["class"] = "W";
  return made;
}

/// Of classes B, W (which is a B) and Fixed, which cannot be copied, moved or destroyed.
json line_of(const std::vector<json>& callables) {
  const json number = {{"kind", "integer"}, {"bits", 32}, {"signed", true}};
  json types = {
      {"void", {{"kind", "void"}}},
      {"bool", {{"kind", "bool"}, {"bits", 8}, {"signed", false}}},
      {"int", number},
      {"unsigned char", {{"kind", "integer"}, {"bits", 8}, {"signed", false}}},
      {"unsigned long", {{"kind", "integer"}, {"bits", 64}, {"signed", false}}},
      {"float", {{"kind", "floating"}, {"bits", 32}}},
      {"double", {{"kind", "floating"}, {"bits", 64}}},
      {"char", {{"kind", "character"}, {"bits", 8}, {"signed", true}}},
      {"std::string", {{"kind", "string"}}},
      {"std::string_view", {{"kind", "string_view"}}},
      {"colour", {{"kind", "enumeration"}, {"numbers", {0, 5}}, {"values", {"red", "green"}}}},
      {"nothing", {{"kind", "enumeration"}, {"numbers", json::array()}, {"values", json::array()}}},
      {"ints", {{"kind", "sequence"}, {"of", json::array({use("int")})}}},
      {"lists", {{"kind", "sequence"}, {"of", json::array({use("ints")})}}},
      {"map", {{"kind", "map"}, {"of", json::array({use("std::string"), use("int")})}}},
      {"pair", {{"kind", "tuple"}, {"std", "pair"}, {"of", json::array({use("int"), use("int")})}}},
      {"std::ostream", {{"kind", "ostream"}}},
      {"std::istream", {{"kind", "istream"}}},
      {"std::ifstream", {{"kind", "istream"}}},
      {"function",
       {{"kind", "function"},
        {"result", use("bool")},
        {"arguments", json::array({use("int"), use("W", "const_reference")})}}},
      {"action", {{"kind", "function"}, {"result", use("void")}, {"arguments", json::array()}}},
      {"owner", {{"kind", "owner"}, {"of", json::array()}}},
      {"owner of W", {{"kind", "owner"}, {"std", "unique_ptr"}, {"of", json::array({use("W")})}}},
      {"sharer of W", {{"kind", "owner"}, {"std", "shared_ptr"}, {"of", json::array({use("W")})}}},
      {"perhaps", {{"kind", "optional"}, {"of", json::array({use("int")})}}},
      {"perhaps W", {{"kind", "optional"}, {"of", json::array({use("W")})}}},
      {"Ws", {{"kind", "sequence"}, {"std", "vector"}, {"spelled", "std::vector<W>"}, {"of", json::array({use("W")})}}},
      {"one W", {{"kind", "initializer_list"}, {"of", json::array({use("W")})}}},
      {"FILE", {{"kind", "FILE"}}},
      {"nullptr", {{"kind", "null_pointer"}}},
      {"handle", {{"kind", "record"}, {"complete", false}, {"spelled", "handle"}}},
      {"B", {{"kind", "record"}}},
      {"W", {{"kind", "record"}}},
      {"Fixed", {{"kind", "record"}}}};
  json classes = {{"B", {{"bases", json::array()}, {"copyable", true}, {"file", "a.hpp"}}},
                  {"Fixed", {{"bases", json::array()}, {"copyable", false}, {"destructible", false}}},
                  {"W", {{"bases", {"B", "std::exception"}}, {"copyable", true}}}};
  return {{"types", std::move(types)},
          {"classes", std::move(classes)},
          {"refused", json::array()},
          {"headers", {"a.hpp"}},
          {"callables", callables}};
}
model model_with(const std::vector<json>& callables) {
  return model_of(line_of(callables));
}

/// Of a function's only parameter; nothing if it is refused.
std::optional<parameter> read(const json& of) {
  const model made = model_with({callable_of("function", "f", json::array({of}))});
  if (made.callables.empty()) return std::nullopt;
  return made.callables.back().parameters.at(0);
}
returned result_of(const json& of) {
  return model_with({callable_of("function", "f", json::array(), of)}).callables.at(0).result;
}

TEST(Model, NumbersItsClassesAndTheirBases) {
  const model made = model_with({});
  ASSERT_EQ(made.classes.size(), 3U);
  EXPECT_EQ(made.classes[0].name, "B");
  EXPECT_EQ(made.classes[2].name, "W");
  EXPECT_EQ(made.classes[2].bases, (std::vector<std::uint32_t>{2, 0}));
  EXPECT_FALSE(made.classes[1].is_destructible);
  EXPECT_TRUE(made.classes[0].is_movable);
  EXPECT_EQ(made.headers, texts{"a.hpp"});
}

TEST(Model, KnowsClassesThatLeadToWhatTheyDoNotDestroy) {
  const auto is_view = [](const json& fields, bool is_trivial = true) {
    json line = line_of({});
    line["types"]["B"]["fields"] = fields;
    line["classes"]["B"]["trivially_destructible"] = is_trivial;
    return model_of(line).classes[0].is_view;
  };
  EXPECT_FALSE(is_view(json::array({use("int")})));
  EXPECT_TRUE(is_view(json::array({use("int"), use("W", "pointer")})));
  EXPECT_TRUE(is_view(json::array({use("W", "const_reference")})));
  EXPECT_TRUE(is_view(json::array({use("std::string_view")})));
  EXPECT_FALSE(is_view(json::array({use("W", "pointer")}), false));
}

TEST(Model, KnowsClassesWithPointersThatAnyoneSets) {
  const auto has_public_pointers = [](json field, const char* access) {
    json line = line_of({});
    field["access"] = access;
    line["types"]["B"]["fields"] = json::array({field});
    line["types"]["F"] = {{"kind", "function_pointer"}};
    line["types"]["Inner"] = {{"kind", "record"}, {"fields", json::array({use("W", "pointer")})}};
    line["types"]["Inner"]["fields"][0]["access"] = "public";
    return model_of(line).classes[0].has_public_pointers;
  };
  EXPECT_TRUE(has_public_pointers(use("W", "pointer"), "public"));
  EXPECT_TRUE(has_public_pointers(use("F"), "public"));
  EXPECT_TRUE(has_public_pointers(use("Inner"), "public"));
  EXPECT_FALSE(has_public_pointers(use("W", "pointer"), "private"));
  EXPECT_FALSE(has_public_pointers(use("int"), "public"));
}

TEST(Model, KnowsThatPartsOfClassesLeadElsewhere) {
  json line = line_of({});
  line["types"]["B"]["fields"] = json::array({use("W", "pointer")});
  line["types"]["W"]["bases"] = {"B"};
  line["types"]["Fixed"]["fields"] = json::array({use("B")});
  line["classes"]["Fixed"]["destructible"] = true;
  const model made = model_of(line);
  EXPECT_TRUE(made.classes[2].is_view);
  EXPECT_TRUE(made.classes[1].is_view);
}

TEST(Model, HasParametersOfNumbers) {
  EXPECT_EQ(read(use("int"))->how, form::number);
  EXPECT_EQ(read(use("int", "const_reference"))->how, form::number);
  EXPECT_TRUE(read(use("bool"))->is_bool);
  EXPECT_TRUE(read(use("unsigned long"))->is_unsigned);
  EXPECT_EQ(read(use("unsigned long"))->bytes, 8U);
  EXPECT_TRUE(read(use("float"))->is_real);
  EXPECT_EQ(read(use("float"))->bytes, 4U);
  EXPECT_TRUE(read(use("char"))->is_character);
}

TEST(Model, HasParametersOfTexts) {
  EXPECT_EQ(read(use("std::string", "const_reference"))->how, form::text);
  EXPECT_EQ(read(use("std::string_view"))->how, form::view);
  EXPECT_EQ(read(use("char", "const_pointer"))->how, form::c_text);
}

TEST(Model, HasParametersOfAnEnumerationWithEnumerators) {
  EXPECT_EQ(read(use("colour"))->how, form::enumeration);
  EXPECT_EQ(read(use("colour"))->enumerators.at(1), (std::pair<std::int64_t, std::string>(5, "green")));
  EXPECT_FALSE(read(use("nothing")));
}

TEST(Model, HasParametersOfContainersOfPlainValues) {
  EXPECT_EQ(read(use("ints"))->how, form::list);
  EXPECT_TRUE(read(use("map"))->is_map);
  EXPECT_EQ(read(use("map"))->elements.size(), 2U);
  EXPECT_EQ(read(use("lists"))->elements.at(0).how, form::list);
  EXPECT_TRUE(read(use("pair"))->is_tuple);
  EXPECT_TRUE(read(use("perhaps"))->is_optional);
}

TEST(Model, HasParametersThatAreWrittenTo) {
  EXPECT_EQ(read(use("int", "reference"))->how, form::cell);
  EXPECT_EQ(read(use("int", "pointer"))->how, form::cell);
  EXPECT_TRUE(read(use("int", "pointer"))->by_pointer);
  EXPECT_EQ(read(use("std::string", "reference"))->how, form::cell);
}

TEST(Model, HasParametersOfObjects) {
  EXPECT_EQ(read(use("W", "reference"))->how, form::object);
  EXPECT_FALSE(read(use("W", "reference"))->is_constant);
  EXPECT_TRUE(read(use("W", "value"))->is_constant);
  EXPECT_TRUE(read(use("W", "move"))->by_move);
  EXPECT_EQ(read(use("W", "const_pointer"))->how, form::pointer);
  EXPECT_TRUE(read(use("W", "const_pointer"))->is_constant);
  EXPECT_EQ(read(use("W", "const_pointer"))->class_number, 2U);
}

TEST(Model, HasParametersToWhichAnObjectIsGiven) {
  EXPECT_EQ(read(use("W", "pointer_to_pointer"))->how, form::made);
  EXPECT_TRUE(read(use("W", "pointer_to_pointer"))->by_pointer);
  EXPECT_FALSE(read(use("W", "reference_to_pointer"))->by_pointer);
}

TEST(Model, HasParametersToWhichAConstantObjectIsGiven) {
  json constant = use("W", "pointer_to_pointer");
  constant["pointer"] = "const W *";
  EXPECT_TRUE(read(constant)->is_constant);
  EXPECT_FALSE(read(use("W", "pointer_to_pointer"))->is_constant);
}

TEST(Model, HasNoParametersOfPointersThatNothingCanBeGivenTo) {
  json constant = use("W", "pointer_to_pointer");
  constant["constant"] = true;  // W* const*
  EXPECT_FALSE(read(constant));
}

TEST(Model, HasParametersOfStreams) {
  EXPECT_EQ(read(use("std::ostream", "reference"))->how, form::out);
  EXPECT_EQ(read(use("std::ostream", "reference"))->type, "std::ostringstream");
  EXPECT_EQ(read(use("std::istream", "pointer"))->how, form::in);
  EXPECT_FALSE(read(use("std::ifstream", "reference")));
}

TEST(Model, HasParametersOfAnArrayAndItsLength) {
  const json parameters = json::array({use("char", "const_pointer", "array"), use("unsigned long", "value", "length")});
  const model made = model_with({callable_of("function", "f", parameters)});
  EXPECT_EQ(made.callables.at(0).parameters.at(0).how, form::array);
  EXPECT_EQ(made.callables.at(0).parameters.at(1).how, form::length);
}

TEST(Model, HasParametersThatAreCalled) {
  EXPECT_EQ(read(use("function"))->written, "[](int, const W&) -> bool {{ return {}; }}");
  EXPECT_TRUE(read(use("function"))->elements.at(0).is_bool);
  EXPECT_EQ(read(use("action"))->written, "[]() {{}}");
  EXPECT_TRUE(read(use("action"))->elements.empty());
}

TEST(Model, HasParametersOfObjectsThatOthersHold) {
  EXPECT_EQ(read(use("owner of W"))->how, form::owner);
  EXPECT_FALSE(read(use("owner of W"))->is_shared);
  EXPECT_TRUE(read(use("sharer of W", "const_reference"))->is_shared);
  EXPECT_EQ(read(use("perhaps W"))->how, form::object);
  EXPECT_EQ(read(use("perhaps W"))->type, "W");
  EXPECT_EQ(read(use("one W"))->how, form::single);
  EXPECT_EQ(read(use("owner of W", "reference"))->how, form::cell);
}

TEST(Model, HasParametersBehindPointersWithoutACount) {
  EXPECT_EQ(read(use("char", "pointer"))->how, form::memory);
  EXPECT_EQ(read(use("void", "const_pointer", "any"))->how, form::memory);
  EXPECT_EQ(read(use("int", "const_pointer"))->how, form::items);
  EXPECT_EQ(read(use("FILE", "pointer", "file"))->how, form::file);
  EXPECT_EQ(read(use("nullptr"))->how, form::null);
  json text = use("char", "pointer_to_pointer");
  text["pointer"] = "const char *";
  EXPECT_EQ(read(text)->how, form::cell);
  EXPECT_FALSE(read(text)->is_observed);
}

std::vector<form> forms_of(const json& parameters) {
  const model of = model_with({callable_of("function", "f", parameters)});
  std::vector<form> made;
  for (const parameter& each : of.callables.at(0).parameters) made.push_back(each.how);
  return made;
}
json counted(json pointer, std::size_t by) {
  pointer["length"] = by;
  pointer["role"] = "array";
  return pointer;
}
json count_of(std::size_t pointer) {
  json made = use("unsigned long", "value", "length");
  made["of"] = pointer;
  return made;
}

TEST(Model, HasPointersWhoseElementsAreCounted) {
  using forms = std::vector<form>;
  EXPECT_EQ(forms_of({counted(use("void", "const_pointer"), 1), count_of(0)}), (forms{form::array, form::length}));
  EXPECT_EQ(forms_of({counted(use("void", "pointer"), 1), count_of(0)}), (forms{form::buffer, form::room}));
  EXPECT_EQ(forms_of({counted(use("unsigned char", "const_pointer"), 1), count_of(0)}),
            (forms{form::array, form::length}));
  EXPECT_EQ(forms_of({counted(use("int", "const_pointer"), 1), count_of(0)}), (forms{form::items, form::length}));
  EXPECT_EQ(forms_of({counted(use("W", "const_pointer"), 1), count_of(0)}), (forms{form::pointer, form::length}));
  EXPECT_EQ(forms_of({counted(use("W", "pointer_to_pointer"), 1), count_of(0)}), (forms{form::given, form::length}));
}

TEST(Model, HasTheArgumentsOfAProgram) {
  json words = counted(use("char", "pointer_to_pointer"), 0);
  words["constant"] = true;
  EXPECT_EQ(forms_of({count_of(1), words}), (std::vector<form>{form::count, form::words}));
}

TEST(Model, HasTextsThatAreCounted) {
  json words = counted(use("char", "pointer_to_pointer"), 0), names = counted(use("char", "pointer_to_pointer"), 1);
  words["pointer"] = names["pointer"] = "const char *";
  const model made = model_with({callable_of("function", "f", json::array({names, count_of(0)})),
                                 callable_of("function", "g", json::array({count_of(1), words}))});
  const parameter& first = made.callables.at(0).parameters.at(0);
  EXPECT_EQ(first.how, form::items);
  EXPECT_EQ(first.elements.at(0).how, form::c_text);
  EXPECT_TRUE(first.is_constant);
  EXPECT_EQ(made.callables.at(0).parameters.at(1).how, form::length);
  EXPECT_EQ(made.callables.at(1).parameters.at(1).how, form::words);
  EXPECT_TRUE(made.callables.at(1).parameters.at(1).is_constant);  // const char** is no char**
}

TEST(Model, MakesAClassOfAContainerOfObjects) {
  const model made = model_with({callable_of("function", "f", json::array({use("Ws", "const_reference")}))});
  ASSERT_EQ(made.classes.size(), 4U);
  EXPECT_EQ(made.classes[3].name, "std::vector<W>");
  EXPECT_EQ(made.callables.at(0).parameters.at(0).class_number, 3U);
  texts implied;
  for (const modelled_callable& each : made.callables)
    if (each.is_implied) implied.push_back(each.signature);
  EXPECT_EQ(implied,
            (texts{"std::vector<W>()", "std::vector<W>::push_back", "std::vector<W>::size", "std::vector<W>::at"}));
}

TEST(Model, MakesAClassOfWhatOnlyPointersName) {
  const model made = model_with({callable_of("function", "make", json::array(), use("handle", "pointer")),
                                 callable_of("function", "use", json::array({use("handle", "pointer")}))});
  EXPECT_EQ(made.classes.at(3).name, "handle");
  EXPECT_FALSE(made.classes.at(3).is_destructible);
  EXPECT_EQ(made.callables.at(1).parameters.at(0).how, form::pointer);
  EXPECT_EQ(made.callables.size(), 2U);
}

TEST(Model, KnowsWhichFunctionDestroysWhatAnotherMakes) {
  json handle = use("handle", "pointer");
  handle["ownership"] = "made";
  const model made = model_with({callable_of("function", "handle_create", json::array(), handle),
                                 callable_of("function", "handle_destroy", json::array({use("handle", "pointer")})),
                                 callable_of("function", "handle_use", json::array({use("handle", "pointer")}))});
  EXPECT_TRUE(made.callables.at(0).result.is_owned);
  EXPECT_EQ(made.callables.at(0).result.destroyer, "handle_destroy");
  EXPECT_EQ(made.callables.at(1).parameters.at(0).how, form::last_use);
  EXPECT_EQ(made.callables.at(2).parameters.at(0).how, form::pointer);
  literal_table literals;
  EXPECT_TRUE(api_of(made, literals).callables.at(1).slots.at(0).takes);
}

TEST(Model, DestroysByAFunctionOnlyWhatAFactoryMade) {
  json owned = use("W", "pointer");
  owned["ownership"] = "owned";
  const model made = model_with({callable_of("function", "w_create", json::array(), owned),
                                 callable_of("function", "w_find", json::array(), use("W", "pointer")),
                                 callable_of("function", "w_delete", json::array({use("W", "pointer")}))});
  EXPECT_EQ(made.callables.at(0).result.destroyer, "w_delete");
  literal_table literals;
  const api of = api_of(made, literals);
  const slot& last = of.callables.at(2).slots.at(0);
  EXPECT_TRUE(of.serves(*of.callables.at(0).gives, last));
  EXPECT_FALSE(of.serves(*of.callables.at(1).gives, last));
}

TEST(Model, ClosesWhatNoFactoryMakesWithoutDestroyingIt) {
  const model made = model_with({callable_of("function", "w_close", json::array({use("W", "pointer")})),
                                 callable_of("function", "w_free", json::array({use("W", "pointer")}))});
  EXPECT_EQ(made.callables.at(0).parameters.at(0).how, form::pointer);
  EXPECT_EQ(made.callables.at(1).parameters.at(0).how, form::last_use);
}

TEST(Model, MakesObjectsOfTheirFields) {
  json line = line_of({});
  json number = use("int"), text = use("std::string");
  number["name"] = "a", text["name"] = "b";
  for (json* each : {&number, &text}) (*each)["access"] = "public", (*each)["bits"] = false;
  line["types"]["B"]["aggregate"] = true;
  line["types"]["B"]["fields"] = {number, text};
  const model made = model_of(line);
  texts signatures;
  for (const modelled_callable& each : made.callables) signatures.push_back(each.signature);
  EXPECT_EQ(signatures, (texts{"B{}", "B::a", "B::a =", "B::b", "B::b ="}));
  EXPECT_EQ(made.callables.at(0).parameters.size(), 2U);
  EXPECT_TRUE(made.callables.at(1).is_constant);
  EXPECT_EQ(written_call(made.callables.at(2), "w", "->", {"3"}), "w->a = 3");
  line["types"]["B"]["fields"][1]["access"] = "private";
  EXPECT_EQ(model_of(line).callables.at(0).signature, "B::a");
}

TEST(Model, MakesStubsOfAbstractClasses) {
  json line = line_of({});
  line["classes"]["B"]["stub"] = true;
  const auto pure = [](const char* name, json result, const json& parameters = json::array()) {
    return json{{"name", name},
                {"result", std::move(result)},
                {"parameters", parameters},
                {"constant", true},
                {"noexcept", true}};
  };
  json next = use("W", "pointer"), name = use("char", "const_pointer");
  next["written"] = "W *", name["written"] = "const char *";
  line["classes"]["B"]["pure"] = {pure("HowMany", use("int"), json::array({{{"written", "const W &"}, {"name", "w"}}})),
                                  pure("Go", use("void")), pure("Next", next), pure("Name", name)};
  const model made = model_of(line);
  ASSERT_EQ(made.stubs.size(), 1U);
  EXPECT_EQ(stub_text(made.stubs[0], {"how_many_answers"}, ""),
            "struct BStub : B {\n"
            "  mutable answers<int> how_many_answers;\n"
            "  int HowMany(const W&) const noexcept override { return how_many_answers.next(0); }\n"
            "  void Go() const noexcept override {}\n"
            "  W* Next() const noexcept override { return nullptr; }\n"
            "  const char* Name() const noexcept override { return \"\"; }\n"
            "};\n");
  ASSERT_EQ(made.callables.size(), 1U);
  EXPECT_EQ(made.callables[0].parameters.at(0).name, "how_many_answers");
  EXPECT_EQ(made.callables[0].parameters.at(1).name, "name_answers");
  EXPECT_EQ(made.callables[0].class_number, 0U);
}

TEST(Model, LeavesItToTheSearchWhetherAnObjectIsMissing) {
  json line = line_of({callable_of("function", "f", json::array({use("W", "reference")}))});
  line["refused"].push_back(
      {{"signature", "f()"}, {"file", "a.hpp"}, {"line", 3}, {"reason", "needs a W"}, {"remedy", "make one"}});
  const model made = model_of(line);
  EXPECT_TRUE(made.refused.empty());
  EXPECT_EQ(made.callables.at(0).why_not, "needs a W");
  EXPECT_EQ(made.callables.at(0).remedy, "make one");
}

TEST(Model, WithoutAnOptionalParameterHasACallableMore) {
  const model made = model_with(
      {callable_of("function", "f", json::array({use("int"), optional(use("int")), optional(use("bool"))}))});
  ASSERT_EQ(made.callables.size(), 2U);
  EXPECT_EQ(made.callables[0].parameters.size(), 1U);
  EXPECT_EQ(made.callables[1].parameters.size(), 3U);
}

TEST(Model, LeavesOutOptionalParametersThatNothingMakes) {
  const model made = model_with(
      {callable_of("function", "f", json::array({use("int"), optional(use("owner")), optional(use("int"))}))});
  ASSERT_EQ(made.callables.size(), 1U);
  EXPECT_EQ(made.callables[0].parameters.size(), 1U);
  EXPECT_TRUE(made.refused.empty());
}

TEST(Model, SaysWhyACallableIsRefused) {
  json nameless = callable_of("method", "X::f");
  nameless["class"] = "X";
  const model made = model_with({callable_of("function", "f", json::array({use("owner")})), nameless});
  EXPECT_TRUE(made.callables.empty());
  texts reasons;
  for (const refusal& each : made.refused) reasons.push_back(each.name + ": " + each.reason);
  EXPECT_EQ(reasons, (texts{"f(): nothing makes its parameter of type 'owner'",
                            "X::f(): its class is not one that calls can name"}));
}

TEST(Model, KeepsWhatMorphSourceRefused) {
  json line = line_of({});
  line["refused"].push_back({{"name", "f"},
                             {"signature", "f<T>()"},
                             {"file", "a.hpp"},
                             {"line", 4},
                             {"reason", "a template"},
                             {"remedy", "name it"}});
  const model made = model_of(line);
  EXPECT_EQ(made.refused.at(0).name, "f<T>()");
  EXPECT_EQ(made.refused.at(0).remedy, "name it");
}

TEST(Model, HasResultsThatAreObserved) {
  using of = returned::kind;
  EXPECT_EQ(result_of(use("void")).how, of::nothing);
  EXPECT_EQ(result_of(use("int", "const_reference")).how, of::number);
  EXPECT_EQ(result_of(use("colour")).how, of::enumeration);
  EXPECT_EQ(result_of(use("std::string_view")).how, of::text);
  EXPECT_EQ(result_of(use("char", "const_pointer")).how, of::c_text);
  EXPECT_EQ(result_of(use("int", "pointer")).how, of::other);
  EXPECT_EQ(result_of(use("ints")).how, of::other);
}

TEST(Model, HasResultsThatAreObjects) {
  using of = returned::kind;
  EXPECT_EQ(result_of(use("W")).how, of::object);
  EXPECT_EQ(result_of(use("W", "const_reference")).how, of::reference);
  EXPECT_TRUE(result_of(use("W", "const_reference")).is_constant);
  EXPECT_EQ(result_of(use("W", "pointer")).how, of::pointer);
  EXPECT_EQ(result_of(use("Fixed")).how, of::other);
  EXPECT_EQ(result_of(use("Fixed", "reference")).how, of::reference);
}

TEST(Api, OfAModelHasSlotsForReceiversAndParameters) {
  json constant = method_of_w("size", json::array(), use("int"));
  constant["constant"] = true;
  const model made = model_with(
      {method_of_w("put", json::array({use("int"), use("W", "pointer"), use("W", "move"), use("int", "reference")})),
       constant});
  literal_table literals;
  const api offered = api_of(made, literals);
  const auto& slots = offered.callables.at(0).slots;
  ASSERT_EQ(slots.size(), 5U);
  EXPECT_TRUE(slots[0].changes);
  EXPECT_FALSE(slots[0].may_be_null);
  EXPECT_EQ(slots[1].from, slot::source::literal);
  EXPECT_TRUE(slots[2].may_be_null && slots[2].changes);
  EXPECT_TRUE(slots[3].takes && slots[3].changes);
  EXPECT_EQ(slots[4].from, slot::source::nothing);
  EXPECT_FALSE(offered.callables.at(1).slots.at(0).changes);
}

TEST(Api, OfAModelGivesTheObjectsOfConstructorsResultsAndParameters) {
  json constructor = callable_of("constructor", "W::W", json::array(), use("W"));
  constructor["class"] = "W";
  const model made =
      model_with({constructor, callable_of("function", "f", json::array(), use("B", "const_reference")),
                  callable_of("function", "g", json::array({use("W", "pointer_to_pointer")}), use("int")),
                  callable_of("function", "h", json::array(), use("int"))});
  literal_table literals;
  const api offered = api_of(made, literals);
  EXPECT_EQ(offered.callables.at(0).gives->type, 2U);
  EXPECT_FALSE(offered.callables.at(0).gives->is_constant);
  EXPECT_EQ(offered.callables.at(1).gives->type, 0U);
  EXPECT_TRUE(offered.callables.at(1).gives->is_constant);
  EXPECT_EQ(offered.callables.at(2).gives->type, 2U);
  EXPECT_FALSE(offered.callables.at(3).gives.has_value());
}

role role_of_parameter(const json& of) {
  literal_table literals;
  const model made = model_with({callable_of("function", "f", json::array({of}))});
  return literals.role_at(api_of(made, literals).callables.at(0).slots.at(0).role);
}

TEST(Api, OfAModelHasTheLimitsOfItsNumbers) {
  EXPECT_EQ(role_of_parameter(use("int")).least, std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(role_of_parameter(use("int")).most, std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(role_of_parameter(use("unsigned char")).least, 0);
  EXPECT_EQ(role_of_parameter(use("unsigned char")).most, 255);
  EXPECT_EQ(role_of_parameter(use("unsigned long")).most, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(role_of_parameter(use("char")).least, -128);
  EXPECT_EQ(role_of_parameter(use("bool")).values, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(role_of_parameter(use("colour")).values, (std::vector<std::int64_t>{0, 5}));
  EXPECT_TRUE(role_of_parameter(use("float")).is_single_precision);
  EXPECT_FALSE(role_of_parameter(use("double")).is_single_precision);
}

/// Of the only callable, for a receiver `w` and arguments `a`, `b`.
std::string written(json callable, const texts& arguments, const std::string& access = ".") {
  const model made = model_with({std::move(callable)});
  return written_call(made.callables.at(0), "w", access, arguments);
}
json operator_of_w(const std::string& token, const json& parameters = json::array()) {
  json made = method_of_w("operator" + token, parameters);
  made["kind"] = "operator";
  return made;
}

TEST(Calls, OfFunctionsAreWrittenWithTheirNamespaces) {
  EXPECT_EQ(written(callable_of("function", "n::f", json::array({use("int"), use("int")})), {"a", "b"}), "n::f(a, b)");
}

TEST(Calls, OfMethodsAreWrittenForTheirReceiver) {
  EXPECT_EQ(written(method_of_w("put", json::array({use("int")})), {"a"}), "w.put(a)");
  EXPECT_EQ(written(method_of_w("put"), {}, "->"), "w->put()");
}

TEST(Calls, OfHiddenFriendsAreWrittenWithoutNamespaces) {
  json made = callable_of("function", "n::f", json::array({use("W")}));
  made["hidden_friend"] = true;
  EXPECT_EQ(written(made, {"a"}), "f(a)");
}

TEST(Calls, OfConversionsAreWrittenAsMethods) {
  json made = method_of_w("operator bool", json::array(), use("bool"));
  made["kind"] = "conversion";
  EXPECT_EQ(written(made, {}), "w.operator bool()");
}

TEST(Calls, OfOperatorsAreWrittenAsOperators) {
  EXPECT_EQ(written(operator_of_w("+", json::array({use("int")})), {"a"}), "w + a");
  EXPECT_EQ(written(operator_of_w("+", json::array({use("int")})), {"a"}, "->"), "(*w) + a");
  EXPECT_EQ(written(operator_of_w("++"), {}), "++w");
  EXPECT_EQ(written(operator_of_w("[]", json::array({use("int")})), {"a"}), "w[a]");
  EXPECT_EQ(written(operator_of_w("()", json::array({use("int"), use("int")})), {"a", "b"}), "w(a, b)");
}

TEST(Calls, OfOperatorsThatAreFunctionsAreWrittenAsOperators) {
  json made = callable_of("operator", "n::operator==", json::array({use("W"), use("W")}), use("bool"));
  made["member"] = false;
  EXPECT_EQ(written(made, {"a", "b"}), "a == b");
}

TEST(Calls, OfOperatorsThatReadBetterAsMethodsAreWrittenSo) {
  EXPECT_EQ(written(operator_of_w("->"), {}), "w.operator->()");
  EXPECT_EQ(written(operator_of_w("++", json::array({use("int")})), {"0"}), "w.operator++(0)");
}

}  // namespace
}  // namespace morph::generate
