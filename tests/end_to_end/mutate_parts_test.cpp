// morph mutate on several machines, or in less time than it takes: a part of the mutants never passes for all.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

/// Three shards of four, and the fourth one.
class parts_of_mutants : public testing::Test {
 protected:
  parts_of_mutants() : p(shared().here()) { shared().restore(); }
  ~parts_of_mutants() override { shared().restore(); }

  static workspace& shared() {
    static workspace made(write_shop);
    static const bool is_judged = [] {  // so that no test has to build the twin
      mutate(made.here());
      made.save();
      return true;
    }();
    static_cast<void>(is_judged);
    return made;
  }

  finished report(std::vector<std::string> more) const {
    std::vector<std::string> words{"report", "mutation", "--from"};
    words.insert(words.end(), more.begin(), more.end());
    return p.morph(words);
  }
  void judge(const std::string& part, const std::string& to, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--shard", part});
    p.write("build/" + to, mutate(p, more).json.dump());
  }

  project& p;
};

TEST_F(parts_of_mutants, are_not_the_whole) {
  for (const char* const shard : {"1", "2", "3", "4"}) judge(std::string(shard) + "/4", std::string(shard) + ".json");
  const auto first = nlohmann::json::parse(p.read("build/1.json"));
  EXPECT_EQ(first.at("whole"), false);
  EXPECT_EQ(first.at("run").at("parts"), nlohmann::json::parse(R"([{"shard": 1, "of": 4, "ended": "finished"}])"));
  EXPECT_EQ(first.at("run").at("commit"), p.git({"rev-parse", "HEAD"}));

  const finished three = report({"build/1.json", "build/2.json", "build/4.json", "--fail-under", "1"});
  EXPECT_EQ(three.exit, 3) << three.both();
  EXPECT_NE(three.err.find("the result is not whole: shard 3 of 4 is missing"), std::string::npos) << three.err;
  EXPECT_EQ(three.out, "");
  const finished partial = report({"build/1.json", "build/2.json", "build/4.json", "--partial"});
  EXPECT_EQ(partial.exit, 0) << partial.both();
  EXPECT_NE(partial.out.find("not whole: shard 3 of 4 is missing"), std::string::npos) << partial.out;
  EXPECT_EQ(report({"build/1.json", "build/2.json", "build/4.json", "--partial", "--fail-under", "1"}).exit, 3);

  const finished all =
      report({"build/3.json", "build/1.json", "build/2.json", "build/4.json", "build/2.json", "--json"});
  ASSERT_EQ(all.exit, 0) << all.both();
  const found_mutants united{nlohmann::json::parse(all.out, nullptr, false)};
  EXPECT_EQ(united.json.at("whole"), true);
  EXPECT_EQ(united.states(), mutate(p, {"--fresh"}).states());
  EXPECT_EQ(report({"build/1.json", "build/2.json", "build/3.json", "build/4.json", "--fail-under", "99.9"}).exit, 1);

  const finished alone = p.morph({"mutate", "--shard", "2/4", "--fail-under", "1"});
  EXPECT_EQ(alone.exit, 3);
  EXPECT_NE(alone.err.find("--fail-under judges no part of the mutants: shards 1, 3, 4 of 4 are missing"),
            std::string::npos)
      << alone.err;
}

TEST_F(parts_of_mutants, of_other_tests_or_another_build_are_not_united) {
  judge("1/2", "one.json");
  p.replace("tests/shop_test.cpp", "price(3, 4), 12", "price(4, 3), 12");
  judge("2/2", "tests.json");
  const finished tests = report({"build/one.json", "build/tests.json"});
  EXPECT_EQ(tests.exit, 3);
  EXPECT_NE(tests.err.find("cannot be united: other tests: 'tests/shop_test.cpp' was not the same"), std::string::npos)
      << tests.err;

  p.replace("tests/shop_test.cpp", "price(4, 3), 12", "price(3, 4), 12");
  p.configure({"-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-DRATE=4"});
  judge("2/2", "build.json");
  const finished build = report({"build/one.json", "build/build.json"});
  EXPECT_EQ(build.exit, 3);
  EXPECT_NE(build.err.find("cannot be united: another configuration: "), std::string::npos) << build.err;
  EXPECT_NE(build.err.find("-DRATE=4"), std::string::npos) << build.err;
}

TEST_F(parts_of_mutants, that_a_budget_ends_are_not_the_whole) {
  const finished cut = p.morph({"mutate", "--json", "--fresh", "--budget", "0"});
  EXPECT_EQ(cut.exit, 3);
  EXPECT_NE(cut.err.find("the result is not whole: the run ended at its budget; "), std::string::npos) << cut.err;
  EXPECT_NE(cut.err.find("mutants are not judged; run it again to go on"), std::string::npos) << cut.err;
  const auto result = nlohmann::json::parse(cut.out);
  EXPECT_EQ(result.at("whole"), false);
  EXPECT_EQ(result.at("run").at("parts")[0].at("ended"), "budget");
  EXPECT_EQ(p.morph({"report", "mutation"}).exit, 0);
  EXPECT_EQ(p.morph({"report", "mutation", "--fail-under", "1"}).exit, 3);
  EXPECT_EQ(mutate(p, {"--budget", "1000", "--fail-under", "1"}).json.at("whole"), true);
}

TEST_F(parts_of_mutants, of_an_older_morph_cannot_be_proven_whole) {
  auto old = mutate(p).json;
  for (const char* const name : {"run", "missing", "every_program", "rejected_parts"}) old.erase(name);
  p.write("build/old.json", old.dump());
  const finished refused = report({"build/old.json"});
  EXPECT_EQ(refused.exit, 3);
  EXPECT_NE(refused.err.find("an older Morph has made it, so that it cannot be proven whole"), std::string::npos)
      << refused.err;
  const finished partial = report({"build/old.json", "--partial"});
  EXPECT_EQ(partial.exit, 0) << partial.both();
  EXPECT_NE(partial.out.find("mutation score"), std::string::npos);
}

TEST_F(parts_of_mutants, are_in_wanted_sources_alone) {
  const std::string rewritten = "build/.morph/mutation/rewritten";
  for (const char* const made : {"morph-twin/mutation", ".morph/mutation"})
    std::filesystem::remove_all(p.build_dir() / made);
  const found_mutants price = mutate(p, {"--only", "src/price.cpp"});
  EXPECT_EQ(price.json.at("units_read"), 1);
  EXPECT_EQ(p.read(rewritten), "src/price.cpp\n");
  EXPECT_EQ(price.states().at("src/price.cpp:4 aor pieces + each"), "killed");
  const found_mutants header = mutate(p, {"--only", "include/"});
  EXPECT_EQ(header.json.at("units_read"), 1) << "src/count.cpp, which includes it";
  EXPECT_EQ(p.read(rewritten), "include/shop.hpp\nsrc/price.cpp\n") << "as far as the twin is built of them";
  p.replace("src/count.cpp", "int steps = 0;", "int steps = 1 - 1;");
  EXPECT_EQ(mutate(p, {"--only", "src/price.cpp"}).json.at("units_read"), 1) << "it is newer than its build";
  EXPECT_EQ(mutate(p).states().at("src/price.cpp:4 aor pieces + each"), "killed");
}

TEST_F(parts_of_mutants, leave_the_kills_in_the_store_as_they_are) {
  const auto kept = [&] { return p.morph({"optimize", "--keep", "kills", "--json"}); };
  const finished part = p.morph({"mutate", "--all-killers", "--fresh", "--only", "src/price.cpp"});
  EXPECT_EQ(part.exit, 0) << part.both();
  EXPECT_NE(part.err.find("kills are not kept: they are of a part of the mutants (--only src/price.cpp)"),
            std::string::npos)
      << part.err;
  EXPECT_EQ(kept().exit, 2) << "none is known";
  const found_mutants all = mutate(p, {"--all-killers"});
  const finished known = kept();
  ASSERT_EQ(known.exit, 0) << known.both();
  EXPECT_EQ(nlohmann::json::parse(known.out).at("weight"), all.json.at("killed"));
  mutate(p, {"--all-killers", "--sample", "3"});
  EXPECT_EQ(kept().out, known.out);

  // What is known of a part as a matrix is known of no other mutant.
  const auto first_alone = mutate(p, {"--fresh"});
  mutate(p, {"--all-killers", "--only", "src/count.cpp"});
  EXPECT_EQ(mutate(p, {"--all-killers"}).json.at("by_test"), all.json.at("by_test"));
}

}  // namespace
}  // namespace morph::end_to_end
