// Coupled branches of two classes as a metric of pools: measured, and bred towards.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

/// Both seeds together take each branch; each takes one of the four pairs.
void write_clerks(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Clerks CXX)
enable_testing()
find_package(Morph REQUIRED)
add_library(clerks src/clerk.cpp src/ledger.cpp)
target_include_directories(clerks PUBLIC src)
morph_add_spec(relations SOURCES tests/clerks.spec.cpp LINK clerks)
morph_add_spec(cases SOURCES tests/clerks.spec.cpp LINK clerks ENVIRONMENT MORPH_SPEC_CASES=1)
)");
  to.write("src/ledger.hpp", "#pragma once\nclass Ledger {\n public:\n  int book(int amount);\n};\n");
  to.write("src/ledger.cpp", R"(#include "ledger.hpp"
int Ledger::book(int amount) {
  if (amount > 100) {
    return 2;
  }
  return 1;
}
)");
  to.write("src/clerk.hpp", R"(#pragma once
#include "ledger.hpp"
class Clerk {
 public:
  int take(int amount);

 private:
  Ledger ledger_;
};
)");
  to.write("src/clerk.cpp", R"(#include "clerk.hpp"
int Clerk::take(int amount) {
  if (amount % 2 == 0) {
    return ledger_.book(amount);
  }
  return -ledger_.book(amount);
}
)");
  to.write("tests/clerks.spec.cpp", R"(#include <morph/morph.hpp>
#include "clerk.hpp"
MORPH_SPEC(clerks, int, int, s) {
  s.execute([](int amount) { return Clerk().take(amount); });
  s.seeds("two", {2, 301});
  auto next = s.datamorph("next", [](int amount) { return amount + 1; });
  s.relation("another sign", next, [](auto& m, auto& o) { return m.output * o.output < 0; });
}
)");
}

class spec_coupled : public testing::Test {
 protected:
  spec_coupled() : p(measured().here()) {}
  ~spec_coupled() override { measured().restore(); }
  static workspace& measured() {
    static workspace made(write_clerks);
    return made;
  }
  std::string seeds() const {
    const std::string pool = (p.root() / "clerks.jsonl").string();
    EXPECT_EQ(p.morph({"spec", "--suite", "cases", "seed", "--pool", pool}).exit, 0);
    return pool;
  }
  json bred(const std::string& towards) const {
    const finished end =
        p.morph({"spec", "--suite", "cases", "breed", "--pool", seeds(), "--towards", towards, "--json"});
    EXPECT_EQ(end.exit, 0) << end.both();
    return end.exit == 0 ? json::parse(end.out) : json();
  }
  project& p;
};

TEST_F(spec_coupled, breeding_finds_the_pairs_that_coverage_does_not_ask_for) {
  const json by_coverage = bred("coverage");
  EXPECT_EQ(by_coverage["generations"].front()["values"][0], 1.0);
  EXPECT_EQ(by_coverage["front"][0]["cases"].size(), 2U);
  const json both = bred("coupled-branches,coverage");
  EXPECT_EQ(both["generations"].front()["values"], (json{0.5, 1.0}));
  EXPECT_EQ(both["front"][0]["values"], (json{1.0, 1.0}));
  EXPECT_EQ(both["front"][0]["cases"].size(), 4U);
}

TEST_F(spec_coupled, measuring_counts_pairs_that_one_case_takes) {
  const auto measured = [&](const char* suite) {
    const finished end = p.morph({"spec", "--suite", suite, "measure", "--pool", seeds(), "--json"});
    EXPECT_EQ(end.exit, 0) << end.both();
    return json::parse(end.out);
  };
  const json of_cases = measured("cases");
  EXPECT_EQ(of_cases["coverage of"], "cases");
  EXPECT_EQ(of_cases["branch coverage"], 1.0);
  EXPECT_EQ(of_cases["coupled branches"], 0.5);
  // The relation is one test, which runs mutants, too.
  EXPECT_EQ(measured("relations")["coupled branches"], 1.0);
  const finished text = p.morph({"spec", "--suite", "cases", "measure", "--pool", seeds()});
  EXPECT_NE(text.out.find("0.5  coupled branches (2 of 4, by 2 measured cases of the pool)\n"), std::string::npos)
      << text.out;
}

}  // namespace
}  // namespace morph::end_to_end
