// What is observed in small sources, and that Clang takes them as they are rewritten.
#include "coverage/source/observe/observe.hpp"

#include <clang/AST/ASTContext.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "coverage/observation/points.hpp"
#include "coverage/source/clang/parse.hpp"

namespace morph::source {
namespace {

using observation::point_kind;

struct observed_text {
  std::string woven;  // with rows
  std::vector<observation::point> points;
  std::vector<observation::row> rows;
  std::vector<std::string> not_read;
  std::vector<std::string> errors;

  std::vector<std::string> expressions() const {
    std::vector<std::string> made;
    for (const auto& each : points)
      if (each.kind == point_kind::expression) made.push_back(each.text);
    return made;
  }
  const observation::row* row(const std::string& type) const {
    const auto found = std::ranges::find(rows, type, &observation::row::type);
    return found == rows.end() ? nullptr : &*found;
  }
};

std::string with_rows(std::string text, const std::vector<observation::row>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string number = std::to_string(i);
    text +=
        "\nstatic void read_" + number + "(const " + rows[i].type + "&v,int d){(void)v;(void)d;" + rows[i].text + "}";
    text += "\nvoid (*add_" + number + ")(const " + rows[i].type + "&,int)=morph_observe::slot<" + rows[i].type +
            ">::read=read_" + number + ";";
  }
  return text + "\n";
}

/// Observes the functions whose definitions begin with one of `functions`, and all tests.
observed_text observe(const std::string& text, const std::vector<std::string>& functions = {}) {
  const std::string folder = std::filesystem::path(testing::TempDir()).parent_path().string();
  const std::string path =
      folder + "/observe_" + testing::UnitTest::GetInstance()->current_test_info()->name() + std::string(".cpp");
  std::ofstream(path) << text;
  observed_code what;
  what.tests.insert(path);
  for (const std::string& each : functions) what.functions.insert({path, static_cast<std::uint32_t>(text.find(each))});
  const unit of{folder, path, {"c++", "-std=c++17", path}};
  observed_text made;
  unit_points found;
  auto first = parse(of, {"/nowhere", {"/nowhere"}}, {}, [&](clang::ASTContext& context, const auto&) {
    found = find_points(context, {folder, {}}, what);
  });
  for (const auto& each : first.errors) made.errors.push_back(each.text);
  made.points = found.files[path];
  made.rows = found.rows;
  for (const auto& [where, why] : found.not_read) made.not_read.push_back(why);
  observation::put_in_order(made.points);
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 1; i <= made.points.size(); ++i) numbers.push_back(i);
  made.woven = observation::weave(text, {}, made.points, numbers).text;
  std::ofstream(path) << "#include \"" MORPH_SOURCE_DIR "/plugin/runtime/observe/morph_observe.h\"\n#line 1\n"
                      << with_rows(made.woven, made.rows);
  const auto second = parse(of, {"/nowhere", {"/nowhere"}}, {"-fno-access-control"}, {});
  for (const auto& each : second.errors) made.errors.push_back(each.text + " at " + std::to_string(each.line));
  return made;
}

using texts = std::vector<std::string>;

const std::string gtest = "#include <gtest/gtest.h>\n#include <string>\n#include <vector>\n";

TEST(ObservedTests, SeeWhatAssertionsAreGiven) {
  const auto seen = observe(gtest + "int f(int a);\nTEST(A, B) { int x = f(1); EXPECT_EQ(f(x) + 1, 3); }\n");
  EXPECT_EQ(seen.errors, texts());
  EXPECT_EQ(seen.expressions(), (texts{"f(1)", "x", "f(x) + 1", "f(x)", "x"}));
}

TEST(ObservedTests, LeaveConstantsAndWhatIsAssignedTo) {
  const auto seen = observe(gtest +
                            "struct s { static const int most = 5; };\nenum e { one };\n"
                            "TEST(A, B) { int x; x = s::most; const int c = 4; x += c; ++x; e y = one; (void)y; }\n");
  EXPECT_EQ(seen.errors, texts());
  EXPECT_EQ(seen.expressions(), (texts{"y", "y"}));
}

TEST(ObservedTests, LeaveBitFieldsAndLambdas) {
  const auto seen =
      observe(gtest +
              "struct s { unsigned bits : 3; int whole; };\n"
              "TEST(A, B) { s v{}; EXPECT_EQ(v.bits, 0u); auto f = [&] { return v.whole; }; EXPECT_EQ(f(), 0); }\n");
  EXPECT_EQ(seen.errors, texts());
  EXPECT_EQ(seen.expressions(), (texts{"v", "v", "f()"}));
}

TEST(ObservedTests, ExtendNoLifeAndCopyNothing) {
  const auto seen =
      observe(gtest +
              "struct pinned { pinned(); pinned(pinned&&) = delete; int n; };\npinned make();\nstd::string text();\n"
              "TEST(A, B) { const std::string& t = text(); EXPECT_EQ(make().n, 1);\n"
              "  for (char c : text()) EXPECT_NE(c, 'x'); pinned p; EXPECT_EQ(text().size(), t.size()); }\n");
  EXPECT_EQ(seen.errors, texts());
  EXPECT_EQ(seen.expressions(),
            (texts{"t", "make().n", "make()", "c", "p", "text().size()", "text()", "t.size()", "t"}));
}

TEST(ObservedTests, KnowWhichInstructionRuns) {
  const auto seen = observe(gtest + "void f();\nTEST(A, B) {\n  f();\n  if (true) {\n    f();\n  }\n}\n");
  EXPECT_EQ(seen.errors, texts());
  std::vector<std::uint32_t> lines;
  for (const auto& each : seen.points)
    if (each.kind == point_kind::instruction) lines.push_back(each.line);
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{6, 7, 8}));
}

TEST(ObservedTests, AreNeitherHelpersNorProductionCode) {
  const auto seen = observe(gtest + "int g(int a) { return a + 1; }\nTEST(A, B) { g(1); }\n");
  EXPECT_EQ(seen.expressions(), texts{"g(1)"});
}

TEST(ObservedCalls, KeepWhatAFunctionReturns) {
  const auto seen = observe(
      "#include <string>\nstruct c { int& at(int i) { return v[i]; } const std::string name() const { return n; } c() "
      "{ v[0] = 1; }\n"
      "  void set(std::string& to, int) { to = n; return; } auto sum() { return v[0] + v[1]; } int v[2]; std::string "
      "n; };\n"
      "template <typename T> T twice(T a) { return a + a; }\nint use() { return twice(1); }\n",
      {"int& at", "const std::string name", "c() {", "void set", "auto sum", "T twice"});
  EXPECT_EQ(seen.errors, texts());
  EXPECT_EQ(std::ranges::count(seen.points, point_kind::call, &observation::point::kind), 6);
}

TEST(ObservedCalls, SayWhyTheyAreNotRead) {
  const auto seen = observe(
      "constexpr int a() { return 1; }\nint b(int n, ...) { return n; }\nconst char* c() { return __func__; }\n"
      "void d() try {} catch (...) {}\n",
      {"constexpr int a", "int b", "const char* c", "void d"});
  EXPECT_EQ(seen.not_read, (texts{"it is constexpr", "it has arguments without names (...)",
                                  "it uses its own name (__func__)", "its body is a function-try-block"}));
  EXPECT_TRUE(seen.points.empty());
}

TEST(ObservedCalls, LeaveAReceiverWhoseLifeTheyEnd) {
  const std::string ended = "not_read(\"this\",0,\"the body ends its life\")";
  const auto seen = observe(
      "struct c { void release() { if (--uses == 0) delete this; } void end() { this->~c(); } void end_other(c* o) { "
      "delete o; }\n  int uses = 1; };\n",
      {"void release", "void end()", "void end_other"});
  EXPECT_EQ(seen.errors, texts());
  std::vector<bool> leaves;
  for (const auto& each : seen.points) leaves.push_back(each.before.find(ended) != std::string::npos);
  EXPECT_EQ(leaves, (std::vector<bool>{true, true, false}));
}

TEST(ObservedCalls, ReadWhatTheyWriteThroughPointers) {
  const auto seen = observe(
      "#include <cstdio>\n#include <string>\nstruct node { std::string name; ~node(); void drop() {} };\nvoid "
      "end(node*);\n"
      "struct unknown;\nvoid look(unknown&);\nvoid sort(int*, int*);\nvoid put(std::string*);\nvoid fill(int* to);\n"
      "struct all {\n"
      "  void follow(int* to, const int* from) { *to = *from; }\n"
      "  void count(int* to, int n) { while (n-- > 0) *to++ = n; }\n"
      "  void hand_on(std::string* to) { put(to); }\n"
      "  void rename(node* to) { to->name = \"x\"; }\n"
      "  void order(int* begin, int* end) { sort(begin, end); }\n"
      "  void finish(node* to) { to->drop(); end(to); }\n"
      "  void remove(node* to) { to->drop(); delete to; }\n"
      "  void destroy(node* to) { to->~node(); }\n"
      "  void pass(int* to) { if (to == nullptr) throw 1; }\n"
      "  void print(FILE* to) { std::fputs(\"x\", to); }\n"
      "  void forward(unknown* to) { look(*to); }\n"
      "  template <typename T> void place(T* to) { *to = T(); }\n"
      "};\nvoid use(all a, int* n) { a.place(n); }\n",
      {"void follow", "void count", "void hand_on", "void rename", "void order", "void finish", "void remove",
       "void destroy", "void pass", "void print", "void forward", "void place"});
  EXPECT_EQ(seen.errors, texts());
  texts read;
  for (const auto& each : seen.points) {
    const auto state = each.before.find("morph_state");
    std::string found;
    for (const std::string what : {"pointee(\"argument *to\",morph_at_to", "elements(\"argument to\",morph_at_to",
                                   "morph_at_from", "morph_at_begin", "morph_at_end"})
      if (each.before.find(what, state) != std::string::npos) found += what.substr(0, what.find('(')) + ' ';
    read.push_back(found);
  }
  EXPECT_EQ(read, (texts{"pointee ", "elements ", "pointee ", "pointee ", "", "", "", "", "", "", "", "pointee "}));
  EXPECT_NE(seen.row("::node"), nullptr);
}

TEST(ObservedCalls, AreReadWhereTheyAssert) {
  const auto seen = observe("#include <cassert>\nint a(int n) { assert(n > 0); return n; }\n", {"int a"});
  EXPECT_EQ(seen.errors, texts());
  EXPECT_EQ(seen.not_read, texts());
  EXPECT_EQ(seen.points.size(), 1U);
}

TEST(ObservedTypes, AreReadFieldByFieldPrivateOnesToo) {
  const auto seen = observe(
      "namespace n { class base { int hidden_ = 0; }; enum class kind { a, b };\n"
      "class c : base { public: kind k; void f(int& to) { to = 1; }\n"
      " private: struct inner { int i; }; inner in_; int bits_ : 3; int& ref_; volatile int v_; union { int x; float "
      "y; }; }; }\n",
      {"void f"});
  EXPECT_EQ(seen.errors, texts());
  ASSERT_NE(seen.row("::n::c"), nullptr);
  const std::string& text = seen.row("::n::c")->text;
  EXPECT_NE(text.find("read_base(static_cast<const ::n::base&>(v)"), std::string::npos);
  EXPECT_NE(text.find("named(\".in_\",1,v.in_,d)"), std::string::npos);
  EXPECT_NE(text.find("named(\".k\",0,v.k,d)"), std::string::npos);
  EXPECT_NE(text.find("static_cast<decltype(v.bits_)>(v.bits_)"), std::string::npos);
  EXPECT_NE(text.find("not_read(\".ref_\",1,\"a reference\")"), std::string::npos);
  EXPECT_NE(text.find("not_read(\".v_\",1,\"volatile\")"), std::string::npos);
  ASSERT_NE(seen.row("::n::kind"), nullptr);
  EXPECT_NE(seen.row("::n::kind")->text.find("if(v==::n::kind::b)return morph_observe_word(\"n::kind::b\");"),
            std::string::npos);
  EXPECT_NE(seen.row("::n::c::inner"), nullptr);
}

TEST(ObservedTypes, OfInstancesAreKnown) {
  const auto seen = observe(
      "template <typename T> struct box { T value; void put(T v) { value = v; } };\nvoid use() { box<int> b; b.put(1); "
      "}\n",
      {"void put"});
  EXPECT_EQ(seen.errors, texts());
  EXPECT_NE(seen.row("::box<int>"), nullptr);
}

}  // namespace
}  // namespace morph::source
