// What generated code could call, for headers of a few lines.
#include "coverage/source/describe/callables.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace morph::source {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;
using names = std::vector<std::string>;

/// A header `api.hpp`, and a unit that includes it and goes on with `rest`.
json model_of(const std::string& header, const std::string& rest = "", const char* standard = "-std=c++17",
              const std::vector<std::string>& except = {}, std::vector<parse_error>* errors = nullptr) {
  const auto& test = *testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder = fs::path(testing::TempDir()) / (std::string("morph_callables_") + test.name());
  fs::create_directories(folder);
  std::ofstream(folder / "api.hpp") << header;
  std::ofstream(folder / "unit.cpp") << "#include \"api.hpp\"\n" << rest;
  std::vector<std::string> left_out;
  for (const std::string& each : except) left_out.push_back((folder / each).string());
  std::vector<parse_error> found;
  const std::string file = (folder / "unit.cpp").string();
  json made = callables_of({folder.string(), file, {"c++", standard, file}}, {"/nowhere", {"/nowhere"}}, {},
                           {folder.string(), left_out}, found);
  fs::remove_all(folder);
  if (errors != nullptr)
    *errors = found;
  else
    for (const parse_error& each : found) ADD_FAILURE() << each.line << ": " << each.text;
  return made;
}

names of_all(const json& list, const char* member) {
  names all;
  for (const json& each : list) all.push_back(each.at(member).get<std::string>());
  return all;
}

names signatures_of(const json& model) {
  return of_all(model.at("callables"), "signature");
}

json callable(const json& model, const std::string& signature) {
  for (const json& each : model.at("callables"))
    if (each.at("signature") == signature) return each;
  ADD_FAILURE() << signature << " is not among " << testing::PrintToString(signatures_of(model));
  return {{"parameters", json::array()}, {"result", json::object()}};
}

/// Of the only callable.
std::string roles_of(const json& model) {
  std::string all;
  for (const json& each : model.at("callables").at(0).at("parameters")) {
    all += (all.empty() ? "" : " ") + each.at("role").get<std::string>();
    if (each.contains("direction")) all += ':' + each.at("direction").get<std::string>();
    if (each.contains("length")) all += '[' + std::to_string(each.at("length").get<int>()) + ']';
    if (each.contains("of")) all += '(' + std::to_string(each.at("of").get<int>()) + ')';
  }
  return all;
}

std::string reasons_of(const json& model) {
  std::string all;
  for (const json& each : model.at("refused"))
    all += each.at("signature").get<std::string>() + ": " + each.at("reason").get<std::string>() + '\n';
  return all;
}

TEST(Callables, AreFunctionsOfHeadersInTheOrderOfTheirPlaces) {
  const json model = model_of(
      "int first();\nnamespace b { static inline int second(int n) { return n; } }\nnamespace a { int third(); int "
      "fourth(); }\n"
      "namespace { int in_no_other_source(); }\n",
      "int of_the_unit() { return 1; }\n");
  EXPECT_EQ(signatures_of(model), (names{"first()", "b::second(int)", "a::third()", "a::fourth()"}));
}

TEST(Callables, HaveTheirPlacesAndDefinitions) {
  const json model = model_of("\nint f();\n", "int f() { return 1; }\n");
  EXPECT_EQ(fs::path(callable(model, "f()").at("file")).filename(), "api.hpp");
  EXPECT_EQ(callable(model, "f()").at("line"), 2);
  EXPECT_EQ(fs::path(callable(model, "f()").at("defined_in")).filename(), "unit.cpp");
}

TEST(Callables, OfAClassAreItsConstructorsAndMethods) {
  const json model = model_of(R"(namespace n { struct c {
  explicit c(int);
  c(const c&);
  c(c&&);
  ~c();
  c& operator=(c&&);
  void m() const noexcept;
  void r() &&;
  static int s();
  explicit operator bool() const;
  int operator[](int);
}; })");
  EXPECT_EQ(signatures_of(model), (names{"n::c::c(int)", "n::c::c(const n::c &)", "n::c::m() const", "n::c::r() &&",
                                         "n::c::s()", "n::c::operator bool() const", "n::c::operator[](int)"}));
  EXPECT_EQ(of_all(model.at("callables"), "kind"),
            (names{"constructor", "constructor", "method", "method", "static", "conversion", "operator"}));
  EXPECT_EQ(callable(model, "n::c::c(int)").at("explicit"), true);
  EXPECT_EQ(callable(model, "n::c::m() const").at("noexcept"), true);
  EXPECT_EQ(callable(model, "n::c::r() &&").at("rvalue"), true);
  EXPECT_EQ(callable(model, "n::c::operator[](int)").at("operator"), "[]");
  EXPECT_EQ(callable(model, "n::c::operator[](int)").at("member"), true);
  EXPECT_EQ(callable(model, "n::c::operator[](int)").at("class"), "n::c");
}

TEST(Callables, HaveTheDefaultConstructorThatAClassDoesNotDeclare) {
  const json model = model_of("struct plain { int a; };\nstruct no_default { int& a; };\n");
  EXPECT_EQ(signatures_of(model), names{"plain::plain()"});
  EXPECT_EQ(callable(model, "plain::plain()").at("implicit"), true);
}

TEST(Callables, LeaveOutWhatIsHiddenOrDeleted) {
  const json model = model_of(R"(class c {
 public:
  c() = default;
  void deleted() = delete;
  void* operator new(decltype(sizeof(0)));
  class open { public: open(int); };
 protected:
  void m();
 private:
  struct hidden { void m(); };
};)");
  EXPECT_EQ(signatures_of(model), (names{"c::c()", "c::open::open(int)"}));
}

TEST(Callables, LeaveOutConstructorsOfAbstractClasses) {
  const json model = model_of("struct a { a(); virtual void m() = 0; };");
  EXPECT_EQ(signatures_of(model), names{"a::m()"});
}

TEST(Callables, DoNotRepeatInheritedMethodsButInheritedConstructors) {
  const json model = model_of("struct a { explicit a(int); void m(); };\nstruct b : a { using a::a; };");
  EXPECT_EQ(signatures_of(model), (names{"a::a(int)", "a::m()", "b::b(int)"}));
  EXPECT_EQ(callable(model, "b::b(int)").at("class"), "b");
}

TEST(Callables, SayWhichFriendsOnlyArgumentsFind) {
  const json model = model_of(
      "namespace n { struct c; void known(c&);\nstruct c {\n friend bool operator==(const c&, const c&) { return true; "
      "}\n"
      " friend void known(c&);\n}; }");
  const json equal = callable(model, "n::operator==(const n::c &, const n::c &)");
  EXPECT_EQ(equal.at("hidden_friend"), true);
  EXPECT_EQ(equal.at("member"), false);
  EXPECT_FALSE(callable(model, "n::known(n::c &)").contains("hidden_friend"));
}

TEST(Callables, AreInstancesOfTemplatesThatTheUnitHas) {
  const json model = model_of(
      "#include <string>\nnamespace n { template <class T> struct stack { void push(const T& value); T top; };\n"
      "template <class T, int N> T add(T a); }",
      "template struct n::stack<std::string>;\nnamespace n { template <class T, int N> T add(T a) { return a; } }\n"
      "int use() { return n::add<int, 3>(4); }\n");
  EXPECT_EQ(signatures_of(model), (names{"n::stack<std::string>::stack()",
                                         "n::stack<std::string>::push(const std::string &)", "n::add<int, 3>(int)"}));
  EXPECT_EQ(model.at("classes").begin()->at("is_template_instance"), true);
  EXPECT_EQ(callable(model, "n::add<int, 3>(int)").at("name"), "n::add<int, 3>");
}

TEST(Callables, LeaveOutInstancesWithTypesOfTheUnit) {
  const json model = model_of("template <class T> struct box { T value; };\ntemplate <class T> void f(T) {}",
                              "struct own {}; box<own> a; box<int> b;\nvoid use() { f(a); f(own()); f(1); }\n");
  EXPECT_EQ(signatures_of(model), (names{"box<int>::box()", "f<int>(int)"}));
  EXPECT_EQ(reasons_of(model), "");
}

TEST(Callables, AreSpecializationsThatAHeaderDeclares) {
  const json model =
      model_of("template <class T> int f(T);\ntemplate <> int f(char);", "template <> int f(long) { return 1; }");
  EXPECT_EQ(signatures_of(model), names{"f<char>(char)"});
  EXPECT_EQ(callable(model, "f<char>(char)").at("line"), 2);
  EXPECT_EQ(reasons_of(model), "");
}

TEST(Callables, RefuseTemplatesWithoutAnInstanceAndSayWhatWouldMakeOne) {
  const json model =
      model_of("namespace n { template <class T> struct stack {};\ntemplate <class T> T twice(const T&); }");
  EXPECT_EQ(reasons_of(model),
            "n::stack<T>: template without an instance\n"
            "n::twice(const T &): template without an instance\n");
  EXPECT_EQ(model.at("refused")[0].at("remedy"), "template class n::stack<int>;");
  EXPECT_EQ(model.at("refused")[1].at("remedy"), "const auto use = &n::twice<int>;");
}

TEST(Callables, LeaveOutMethodsWhoseConstraintsAreNotMet) {
  const json model = model_of("template <class T> struct box { void any(); void large() requires (sizeof(T) > 1); };",
                              "template struct box<char>;", "-std=c++20");
  EXPECT_EQ(signatures_of(model), (names{"box<char>::box()", "box<char>::any()"}));
}

TEST(Callables, HaveTheTextOfDefaultArguments) {
  const json model = model_of("#include <string>\nvoid f(int n, const std::string& s = std::string(\"a, b\"));");
  const json parameters = model.at("callables")[0].at("parameters");
  EXPECT_EQ(parameters[0].at("has_default"), false);
  EXPECT_EQ(parameters[1].at("has_default"), true);
  EXPECT_EQ(parameters[1].at("default"), "std::string(\"a, b\")");
  EXPECT_EQ(parameters[1].at("name"), "s");
  EXPECT_EQ(parameters[1].at("written"), "const std::string &");
}

TEST(Callables, SpellTypesWithoutHiddenAliases) {
  const json model = model_of(R"(class c {
  typedef int hidden;
 public:
  typedef long open;
  c(hidden a, open b);
};)");
  EXPECT_EQ(signatures_of(model), names{"c::c(int, c::open)"});
}

TEST(Callables, ReachNothingOfAUnitWithErrors) {
  std::vector<parse_error> errors;
  const json model = model_of("int f();", "int g() { return undeclared; }\n", "-std=c++17", {}, &errors);
  EXPECT_EQ(errors.size(), 1U);
  EXPECT_EQ(model.at("callables"), json::array());
}

TEST(Callables, LeaveOutFilesThatAreNotChosen) {
  const json model = model_of("int f();", "", "-std=c++17", {"api.hpp"});
  EXPECT_EQ(model.at("headers"), json::array());
  EXPECT_EQ(model.at("callables"), json::array());
}

TEST(Callables, NameTheHeadersThatDeclareThem) {
  const json model = model_of("#include <cstddef>\nint f();");
  ASSERT_EQ(model.at("headers").size(), 1U);
  EXPECT_EQ(fs::path(model.at("headers")[0]).filename(), "api.hpp");
  EXPECT_EQ(model.at("includes"), model.at("headers"));
}

TEST(Roles, OfReferencesAndPointersAreGuessedByTypeAndConstness) {
  EXPECT_EQ(
      roles_of(model_of("#include <string>\n#include <vector>\nvoid f(int a, const std::string& b, std::string& c, "
                        "std::vector<int>* d, const int* e, std::string&& g);")),
      "in in out out in sink");
}

TEST(Roles, OfClassesWithoutADefaultAreInAndOut) {
  const std::string classes =
      "struct plain { int n; };\nstruct full { explicit full(int); };\nstruct base { virtual ~base(); };\n";
  const json model = model_of("void f(struct plain&, struct full&, struct base*);\n" + classes);
  EXPECT_EQ(roles_of(model), "out in_out in_out");
}

TEST(Roles, OfPointersToPointersAreOut) {
  const json model = model_of("struct d;\nvoid f(d** a, d*& b, char** c, const d* const& e);");
  EXPECT_EQ(roles_of(model), "out out out in");
  const json parameters = model.at("callables")[0].at("parameters");
  EXPECT_EQ(of_all(parameters, "passed"),
            (names{"pointer_to_pointer", "reference_to_pointer", "pointer_to_pointer", "const_pointer"}));
  EXPECT_EQ(of_all(parameters, "type"), (names{"d", "d", "char", "d"}));
  EXPECT_EQ(parameters[1].at("pointer"), "d *");
}

TEST(Roles, OfAPointerAndItsLengthBelongTogether) {
  EXPECT_EQ(roles_of(model_of("void f(const char* text, unsigned long textLen, const int* values, int count);")),
            "array[1] length(0) array[3] length(2)");
  EXPECT_EQ(roles_of(model_of("void f(const char* text, int line);")), "in in");
  EXPECT_EQ(roles_of(model_of("void f(char* to, int size, const void* from, int n);")),
            "out[1] length(0) any[3] length(2)");
  EXPECT_EQ(roles_of(model_of("void f(int argc, const char* const* argv);")), "length(1) array[0]");
}

TEST(Roles, OfStreamsFilesCallbacksAndAnything) {
  EXPECT_EQ(
      roles_of(model_of("#include <cstdio>\n#include <functional>\n#include <memory>\n#include <sstream>\n"
                        "void f(std::istream&, std::ostringstream&, FILE*, int (*)(int), const std::function<int()>&, "
                        "void*, std::unique_ptr<int>, std::shared_ptr<int>);")),
      "stream:in stream:out file callback callback any sink in");
}

TEST(CallableTypes, HaveKindsForWhatCallsNeed) {
  const json model = model_of(
      "#include <cstdio>\n#include <functional>\n#include <initializer_list>\n#include <sstream>\n"
      "void f(std::stringstream&, std::ostream&, FILE*, int (*)(long), std::function<int(char)>, "
      "std::initializer_list<int>, decltype(nullptr), void (int));");
  names kinds;
  for (const json& each : model.at("callables")[0].at("parameters"))
    kinds.push_back(model.at("types").at(each.at("type").get<std::string>()).at("kind"));
  EXPECT_EQ(kinds, (names{"istream", "ostream", "FILE", "function_pointer", "function", "initializer_list",
                          "null_pointer", "function_pointer"}));
  const json function = model.at("types").at("std::function<int (char)>");
  EXPECT_EQ(function.at("result").at("type"), "int");
  EXPECT_EQ(function.at("arguments")[0].at("type"), "char");
}

TEST(CallableTypes, HaveEnumeratorsAsASourceWritesThem) {
  const json model = model_of(
      "namespace n { extern \"C\" { enum e { one }; }\nstruct c { enum { two } t; enum f { three }; };\n"
      "enum class g { four };\nvoid m(e, c::f, g, c); }");
  EXPECT_EQ(model.at("types").at("n::e").at("values"), json{"n::one"});
  EXPECT_EQ(model.at("types").at("n::c::f").at("values"), json{"n::c::three"});
  EXPECT_EQ(model.at("types").at("n::g").at("values"), json{"n::g::four"});
}

TEST(Ownership, IsGuessedByTheResultAndTheName) {
  const json model = model_of(R"(#include <memory>
struct c { c(); c* create(); c* parent(); const c& self(); c copy(); void none(); std::unique_ptr<c> made(); };
class kept { ~kept(); };
kept* new_kept();)");
  names all;
  for (const json& each : model.at("callables")) all.push_back(each.at("result").at("ownership"));
  EXPECT_EQ(all, (names{"value", "owned", "tied", "tied", "value", "none", "owned", "made"}));
}

TEST(Ownership, OfWhatAFunctionPutsIntoAPointerIsGuessedByTheName) {
  const json model = model_of(
      "struct c {};\nclass kept { ~kept(); };\nint open(const char* name, c** to);\n"
      "int find(int n, c** to);\nint open_kept(kept** to);\nint make(c*& to);\n");
  names all;
  for (const json& each : model.at("callables"))
    if (!each.at("parameters").empty()) all.push_back(each.at("parameters").back().at("ownership"));
  EXPECT_EQ(all, (names{"owned", "tied", "made", "owned"}));
}

TEST(Callables, SayWhichConstructorsLeaveNoFieldWithoutAValue) {
  const json model = model_of("struct a { a() = default; int n; };\nstruct b { b() {} int n; };");
  EXPECT_EQ(callable(model, "a::a()").at("zeroing"), true);
  EXPECT_EQ(callable(model, "b::b()").at("zeroing"), false);
}

TEST(Classes, HaveTheirFieldsAndPureFunctionsAsAStubWritesThem) {
  const json model = model_of(
      "#include <string>\nstruct plain { std::string name; const char* const text; };\n"
      "struct shape { virtual ~shape(); virtual const std::string& name(int n) const = 0; };");
  const json& fields = model.at("types").at("plain").at("fields");
  EXPECT_EQ(of_all(fields, "name"), (names{"name", "text"}));
  EXPECT_EQ(of_all(fields, "access"), (names{"public", "public"}));
  EXPECT_EQ(fields[1].at("constant"), true);
  EXPECT_EQ(model.at("types").at("plain").at("aggregate"), true);
  const json& pure = model.at("classes").at("shape").at("pure")[0];
  EXPECT_EQ(pure.at("result").at("written"), "const std::string &");
  EXPECT_EQ(pure.at("parameters")[0].at("written"), "int");
  EXPECT_EQ(model.at("classes").at("shape").at("stub"), true);
}

TEST(Classes, SayHowTheyAreMadeAndDestroyed) {
  const json model = model_of(R"(class c { public: c(const c&) = delete; c(c&&); explicit c(int); };
class kept { ~kept(); };
struct last final {};)");
  const json& c = model.at("classes").at("c");
  EXPECT_EQ(c.at("default"), false);
  EXPECT_EQ(c.at("copyable"), false);
  EXPECT_EQ(c.at("movable"), true);
  EXPECT_EQ(c.at("destructible"), true);
  EXPECT_EQ(c.at("trivially_destructible"), true);
  EXPECT_EQ(model.at("classes").at("kept").at("destructible"), false);
  EXPECT_EQ(model.at("classes").at("last").at("final"), true);
}

TEST(Classes, KnowTheirBasesAndWhatDerivesFromThem) {
  const json model = model_of(
      "struct a { virtual void m() = 0; };\nstruct b : a {};\nstruct c : b { void m() override; };\n"
      "struct d : private a { void m() override; };");
  EXPECT_EQ(model.at("classes").at("c").at("bases"), json{"b"});
  EXPECT_EQ(model.at("classes").at("a").at("derived"), json{"c"});
}

TEST(Classes, SayWhatAStubImplements) {
  const json model = model_of(
      "#include <string>\nnamespace n { struct t {}; struct a { virtual ~a() = 0; "
      "virtual t m(const std::string& s, int (*)(int)) const noexcept = 0; virtual void other(); }; }");
  const json& a = model.at("classes").at("n::a");
  EXPECT_EQ(of_all(a.at("pure"), "signature"), names{"n::t m(const std::string &, int (*)(int)) const noexcept"});
  EXPECT_EQ(a.at("stub"), true);
}

TEST(Refused, AreCallsWithoutAUse) {
  EXPECT_EQ(
      reasons_of(model_of("#include <cstdarg>\nvoid a(const char* format, ...);\nvoid b(int n, ...);\n"
                          "void c(const char*, va_list list);\nvoid d(__int128 big);\nstruct s;\nvoid e(s part);\n"
                          "void g(void (s::*member)());\ns h();")),
      "a(const char *, ...): variadic C function without fixed use\n"
      "c(const char *, va_list): parameter 'list': it is of a kind that is not generated, va_list\n"
      "d(__int128): parameter 'big': it is of a kind that is not generated, __int128\n"
      "e(s): parameter 'part': the type s is incomplete\n"
      "g(void (s::*)()): parameter 'member': it is of a kind that is not generated, void (s::*)()\n"
      "h(): it returns the incomplete type s\n");
}

TEST(Refused, AreParametersOfHiddenTypes) {
  EXPECT_EQ(reasons_of(model_of("class c { struct hidden {}; public: c(); void m(hidden* part); };")),
            "c::m(c::hidden *): parameter 'part': no other source can name the hidden type 'c::hidden'\n");
}

int level_of(const json& model, const std::string& signature) {
  return callable(model, signature).at("level");
}

TEST(Levels, CountWhatHasToBeMadeBefore) {
  const json model = model_of(
      "#include <vector>\nstruct a { explicit a(int); void m(); };\nstruct b { explicit b(const a&); };\n"
      "void f(const std::vector<b>&);\nvoid g(b* = nullptr);");
  EXPECT_EQ(level_of(model, "a::a(int)"), 0);
  EXPECT_EQ(level_of(model, "a::m()"), 1);
  EXPECT_EQ(level_of(model, "b::b(const a &)"), 1);
  EXPECT_EQ(level_of(model, "f(const std::vector<b> &)"), 2);
  EXPECT_EQ(level_of(model, "g(b *)"), 0);
}

TEST(Levels, CountResultsAndOutputs) {
  const json model = model_of(
      "struct d; struct e; struct g;\nvoid open(d** made);\ne* make(d*);\nbool find(g*& found);\n"
      "void f(e*, d&);\nvoid h(const g*);");
  EXPECT_EQ(level_of(model, "make(d *)"), 1);
  EXPECT_EQ(level_of(model, "f(e *, d &)"), 2);
  EXPECT_EQ(level_of(model, "h(const g *)"), 1);
}

TEST(Levels, CountDerivedClassesForTheirBases) {
  const json model = model_of(
      "#include <memory>\nstruct a { virtual ~a(); virtual void m() = 0; };\n"
      "struct b : a { void m() override; };\nvoid f(a&);\nvoid g(std::unique_ptr<a>);");
  EXPECT_EQ(level_of(model, "a::m()"), 1);
  EXPECT_EQ(level_of(model, "f(a &)"), 1);
  EXPECT_EQ(level_of(model, "g(std::unique_ptr<a>)"), 1);
  EXPECT_FALSE(model.at("classes").at("a").contains("by_stub"));
}

TEST(Levels, CountAStubWhereNothingElseStandsForAnAbstractClass) {
  const json model = model_of("struct a { virtual ~a(); virtual void m() = 0; };\nvoid f(a&);");
  EXPECT_EQ(level_of(model, "f(a &)"), 1);
  EXPECT_EQ(model.at("classes").at("a").at("by_stub"), true);
}

TEST(Levels, SayWhatNothingMakes) {
  const json model = model_of("class c { c(); public: void m(); };\nvoid f(int, c&);");
  EXPECT_EQ(callable(model, "c::m()").at("reachable"), false);
  EXPECT_EQ(level_of(model, "f(int, c &)"), -1);
  EXPECT_EQ(reasons_of(model), "c::m(): needs a c, which nothing makes\nf(int, c &): needs a c, which nothing makes\n");
  EXPECT_EQ(model.at("refused")[0].at("remedy"), "a function in a header that returns a c");
}

TEST(Levels, DoNotMakeAnOwnerOfWhatIsOnlySeen) {
  const json model = model_of(
      "#include <memory>\nclass c { c(); public: static c& only(); };\nvoid f(c&);\n"
      "void g(std::unique_ptr<c>);");
  EXPECT_EQ(level_of(model, "f(c &)"), 1);
  EXPECT_EQ(level_of(model, "g(std::unique_ptr<c>)"), -1);
}

TEST(Levels, CountStandardClassesByTheirConstructors) {
  const json model = model_of(
      "#include <stdexcept>\n#include <chrono>\nvoid f(const std::runtime_error&);\n"
      "void g(std::chrono::seconds);\n#include <map>\nvoid h(std::map<int, int>::iterator);");
  EXPECT_EQ(level_of(model, "f(const std::runtime_error &)"), 1);
  EXPECT_EQ(level_of(model, "g(std::chrono::seconds)"), 0);
  EXPECT_EQ(level_of(model, "h(std::map<int, int>::iterator)"), -1);
}

}  // namespace
}  // namespace morph::source
