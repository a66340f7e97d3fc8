// Which suite of specs is meant, and which breeding cannot be; ids of a pool's cases.
#include "plugin/pools/suites.hpp"

#include <gtest/gtest.h>

#include "plugin/pools/breeding.hpp"
#include "plugin/pools/pool_file.hpp"
#include "tests/unit/message_of.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::pools {
namespace {

using test_support::message_of;

class SpecSuites : public ::testing::Test {
 protected:
  test_support::temporary_folder folder_;
  build::build_tree tree_;

  void add(const std::string& name, const std::string& framework, bool is_built) {
    build::suite& made = tree_.suites.emplace_back();
    made.name = name;
    made.framework = framework;
    made.programs = {{name + "_spec", folder_ / name}};
    if (is_built) folder_.write(name, "");
  }
  std::string chosen(const std::string& name, bool any_will_do = false) const {
    const auto found = choose_suite(tree_, name, any_will_do);
    return found ? (*found)->name : std::to_string(found.error().code) + " " + found.error().message;
  }
};

TEST_F(SpecSuites, OneOfSeveralHasToBeNamed) {
  add("other", "gtest", true);
  EXPECT_FALSE(has_specs(tree_));
  EXPECT_EQ(chosen(""), "3 this build tree has no specs; declare them with morph_add_spec(NAME SOURCES ...)");
  add("a", "spec", false);
  EXPECT_EQ(chosen(""), "a");
  add("b", "spec", true);
  add("c", "spec", false);
  EXPECT_EQ(chosen(""), "2 this build tree has several suites of specs; say which: --suite NAME, one of a, b, c");
  EXPECT_EQ(chosen("", true), "b");
  EXPECT_EQ(chosen("c"), "c");
  EXPECT_EQ(chosen("other"), "2 there is no suite of specs 'other'; there are: a, b, c");
}

TEST_F(SpecSuites, ThoseWithAPoolAreRefreshed) {
  add("a", "spec", true);
  add("b", "spec", true);
  EXPECT_EQ(message_of(suites_with_pool(tree_, nullptr)),
            "no suite of specs has a POOL; declare it: morph_add_spec(NAME ... POOL pools/NAME.jsonl)");
  tree_.suites[1].pool = folder_ / "b.jsonl";
  EXPECT_EQ(suites_with_pool(tree_, nullptr).value(), std::vector<const build::suite*>{&tree_.suites[1]});
  EXPECT_EQ(message_of(suites_with_pool(tree_, &tree_.suites[0])),
            "the suite 'a' has no POOL; declare it: morph_add_spec(a ... POOL pools/a.jsonl)");
}

TEST_F(SpecSuites, IdsOfAPoolAreThoseOfItsCases) {
  folder_.write("pool",
                "{\"morph\":\"pool\",\"version\":1,\"spec\":\"s\"}\n"
                "{\"id\":\"0123456789abcdef\",\"by\":\"x\",\"in\":1}\n"
                "{\"by\":\"x\",\"id\":\"short\",\"in\":1}\n"
                "{\"id\":7}\nno JSON\n");
  EXPECT_EQ(ids_in_pool((folder_ / "pool").string()), (std::set<std::string>{"0123456789abcdef", "short"}));
  EXPECT_EQ(spec_of_pool((folder_ / "pool").string()), "s");
  EXPECT_EQ(spec_of_pool((folder_ / "nothing").string()), "");
}

TEST(Breeding, WhatCannotBeIsAnError) {
  breeding_request asked;
  asked.towards = {"diversity", "size"};
  EXPECT_TRUE(check_breeding(asked));
  const auto error = [&](auto change) {
    breeding_request other = asked;
    change(other);
    const auto checked = check_breeding(other);
    return checked ? std::string() : checked.error();
  };
  EXPECT_EQ(error([](breeding_request& r) { r.towards.push_back("size"); }), "--towards names 'size' twice");
  EXPECT_EQ(error([](breeding_request& r) { r.fewest_cases = 0; }),
            "--min-cases 0 leaves no case; it has to be 1 or more");
  EXPECT_EQ(error([](breeding_request& r) {
              r.fewest_cases = 5;
              r.strategy = "filter";
            }),
            "--min-cases is for the strategy elitist; filter was published without");
  EXPECT_EQ(error([](breeding_request& r) {
              r.fewest_cases = 5;
              r.how.most_cases = 4;
            }),
            "--min-cases 5 is more than --max-cases 4");
}

}  // namespace
}  // namespace morph::pools
