// Kinds of change: which functions a comparison must find, and which it must not, with each compiler.
#include "tests/unit/object/object_kinds.hpp"

namespace morph::object_tests {
namespace {

void expect_found(const kind& k, const std::set<std::string>& functions, const std::string& text) {
  SCOPED_TRACE(k.name);
  const auto changed = [&](const std::string& name) { return functions.contains(name); };
  EXPECT_TRUE(k.some_of.empty() || std::any_of(k.some_of.begin(), k.some_of.end(), changed)) << text;
  for (const std::string& name : k.none_of) EXPECT_FALSE(changed(name)) << name << "\n" << text;
}

void expect_found_alone(const way& how, const kind& k) {
  laboratory lab;
  sources before = k.more_before, after = k.more_after;
  before["a.cpp"] = keep + k.before;
  after["a.cpp"] = keep + k.after;
  const object::link_unit old_unit = lab.unit(how, before, k.flags_before);
  const object::link_unit new_unit = lab.unit(how, after, k.flags_after);
  const difference found = difference_of(compare(old_unit, new_unit));
  EXPECT_EQ(found.everything, k.everything) << k.name << found.text;
  expect_found(k, found.functions, found.text);
  EXPECT_TRUE(compare(old_unit, old_unit).changes.empty()) << k.name;
}

/// All kinds in one source, each in a namespace of its name.
void expect_found_together(const way& how, const std::vector<kind>& all) {
  laboratory lab;
  std::string before = keep, after = keep;
  for (const kind& k : all) {
    before += "namespace " + k.name + " {\n" + k.before + "}\n";
    after += "namespace " + k.name + " {\n" + k.after + "}\n";
  }
  const object::link_unit old_unit = lab.unit(how, {{"a.cpp", before}}), new_unit = lab.unit(how, {{"a.cpp", after}});
  const difference found = difference_of(compare(old_unit, new_unit));
  EXPECT_FALSE(found.everything) << found.text;
  EXPECT_TRUE(compare(old_unit, old_unit).changes.empty());
  std::size_t known = 0;
  for (const kind& k : all) {
    std::set<std::string> functions;
    for (std::string name : found.functions) {
      if (!name.starts_with(k.name + "::")) continue;
      ++known;
      for (std::size_t at; (at = name.find(k.name + "::")) != name.npos;) name.erase(at, k.name.size() + 2);
      functions.insert(name);
    }
    expect_found(k, functions, found.text);
  }
  EXPECT_EQ(known, found.functions.size()) << found.text;
}

class ObjectKinds : public ::testing::TestWithParam<way> {};

TEST_P(ObjectKinds, AreFoundAndNothingElse) {
  const way& how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  // To start a compiler takes longer than what it compiles: with compilers and options that are only variants of
  // others, programs are common to all kinds that do not change what others see.
  const bool is_variant = how.compiler == "clang++-14" || (how.flags != " -O0" && how.flags != " -O2");
  std::vector<kind> together;
  for (const kind& k : kinds()) {
    if (is_variant && !k.everything && k.more_after.empty() && k.flags_after.empty())
      together.push_back(k);
    else
      expect_found_alone(how, k);
  }
  if (is_variant) expect_found_together(how, together);
}

INSTANTIATE_TEST_SUITE_P(All, ObjectKinds, ::testing::ValuesIn(ways()), [](const auto& i) { return name_of(i.param); });

}  // namespace
}  // namespace morph::object_tests
