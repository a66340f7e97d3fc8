// Which functions of small sources tests can call, and which fields they read.
#include "coverage/source/access/access.hpp"

#include <clang/AST/ASTContext.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "coverage/source/clang/parse.hpp"

namespace morph::source {
namespace {

namespace fs = std::filesystem;

/// A header `api.hpp`, and a source that includes it.
std::vector<function_access> access_of(const std::string& header, const std::string& source) {
  const auto& test = *testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder = fs::path(testing::TempDir()) / (std::string("morph_access_") + test.name());
  fs::create_directories(folder);
  std::ofstream(folder / "api.hpp") << "#pragma once\n" << header;
  std::ofstream(folder / "unit.cpp") << "#include \"api.hpp\"\n" << source;
  const std::string file = (folder / "unit.cpp").string();
  std::vector<function_access> made;
  const auto result = parse({folder.string(), file, {"c++", "-std=c++17", file}}, {"/nowhere", {"/nowhere"}}, {},
                            [&](clang::ASTContext& context, const std::vector<parse_error>&) {
                              made = read_access(context, {folder.string(), {}});
                            });
  for (const parse_error& each : result.errors) ADD_FAILURE() << each.line << ": " << each.text;
  fs::remove_all(folder);
  return made;
}

function_access named(const std::vector<function_access>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &function_access::name);
  if (found != all.end()) return *found;
  ADD_FAILURE() << "no function " << name;
  for (const function_access& each : all) ADD_FAILURE() << "there is " << each.name;
  return {};
}

TEST(Access, OfWhatAHeaderDeclaresIsOpen) {
  const auto all = access_of("namespace shop { int price(int n, const char* name); }\n",
                             "int shop::price(int n, const char*) { return n; }\n");
  const function_access price = named(all, "shop::price(int, const char *)");
  EXPECT_EQ(price.why_not, "");
  EXPECT_EQ(fs::path(price.header).filename(), "api.hpp");
  EXPECT_EQ(price.parameters, 2U);
  EXPECT_EQ(price.objects, 0U);
}

TEST(Access, IsRefusedWithTheReason) {
  const auto all = access_of(
      "class basket {\n public:\n  int total();\n protected:\n  void shield();\n private:\n  int sum() const;\n};\n"
      "static int in_each_source() { return 1; }\n",
      "int basket::total() { return sum(); }\nvoid basket::shield() {}\nint basket::sum() const { return 3; }\n"
      "static int hidden() { return in_each_source(); }\nnamespace { int unnamed() { return hidden(); } }\n"
      "int lonely() { return unnamed(); }\nint main() { return lonely(); }\n"
      "namespace { class inner { public: int ask() { return 1; } }; int use() { return inner().ask(); } }\n"
      "int other() { return use(); }\n");
  EXPECT_EQ(named(all, "basket::total()").why_not, "");
  EXPECT_EQ(named(all, "basket::sum() const").why_not, "is private");
  EXPECT_EQ(named(all, "basket::shield()").why_not,
            "is protected: only a class that derives from its class can call it");
  EXPECT_EQ(named(all, "hidden()").why_not, "is static: only its own source can call it");
  EXPECT_EQ(named(all, "(anonymous namespace)::unnamed()").why_not, "lies in an anonymous namespace");
  EXPECT_EQ(named(all, "lonely()").why_not, "is declared in no header");
  EXPECT_EQ(named(all, "main()").why_not, "is main()");
  EXPECT_EQ(named(all, "in_each_source()").why_not, "");
}

TEST(Access, CountsParametersThatNeedObjects) {
  const auto all = access_of(
      "#include <string>\nstruct item {};\nenum class kind { a };\n"
      "int rate(const item& of, const std::string& name, kind how, double much, item* next);\n",
      "int rate(const item&, const std::string&, kind, double, item*) { return 1; }\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().parameters, 5U);
  EXPECT_EQ(all.front().objects, 2U);
}

TEST(Access, ReadsFieldsOfAnObjectWithoutArguments) {
  const auto all = access_of(
      "#include <string>\nclass basket {\n public:\n  int total() const { return total_; }\n"
      "  const std::string& name() const { return name_; }\n  std::string copy() const { return name_; }\n"
      "  bool empty() const { return total_ == 0 && name_.empty(); }\n  int more(int n) const { return total_ + n; }\n"
      "  void clear() { total_ = 0; }\n private:\n  int total_ = 0;\n  std::string name_;\n};\n",
      "");
  const auto total = named(all, "basket::total() const");
  EXPECT_EQ(total.in_class, "basket");
  EXPECT_EQ(total.gives, "basket::total_");
  EXPECT_TRUE(total.is_getter);
  EXPECT_EQ(named(all, "basket::name() const").gives, "basket::name_");
  EXPECT_EQ(named(all, "basket::copy() const").gives, "basket::name_");
  const auto empty = named(all, "basket::empty() const");
  EXPECT_EQ(empty.gives, "");
  EXPECT_FALSE(empty.is_getter);
  EXPECT_EQ(empty.reads, (std::vector<std::string>{"basket::total_", "basket::name_"}));
  EXPECT_TRUE(named(all, "basket::more(int) const").reads.empty());
  EXPECT_TRUE(named(all, "basket::clear()").reads.empty());
}

TEST(Access, OfTemplatesIsThatOfTheirPattern) {
  const auto all = access_of(
      "template <typename T>\nclass stack {\n public:\n  int size() const { return size_; }\n"
      "  void push(T value) { size_ += grow(value); }\n private:\n"
      "  int grow(T) { return 1; }\n  int size_ = 0;\n};\n",
      "int use() { stack<int> of; of.push(3); return of.size(); }\n");
  EXPECT_EQ(named(all, "stack::size() const").why_not, "");
  EXPECT_EQ(named(all, "stack::size() const").gives, "stack::size_");
  EXPECT_EQ(named(all, "stack::grow(T)").why_not, "is private");
}

}  // namespace
}  // namespace morph::source
