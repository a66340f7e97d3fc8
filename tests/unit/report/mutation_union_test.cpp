// Results of several runs as one: what is missing of the whole, and what cannot be united.
#include "plugin/report/mutation_union.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plugin/report/mutation_forms.hpp"
#include "plugin/report/mutation_json.hpp"
#include "plugin/report/mutation_parts.hpp"

namespace morph::report {
namespace {

using words = std::vector<std::string>;

constexpr std::uint32_t mutants = 12;

/// Every `of`-th mutant is killed, from the `shard`-th.
mutation_result part_of(std::uint32_t shard, std::uint32_t of, run_end ended = run_end::finished) {
  mutated_source file{"src/price.cpp", "int price = 12345678901234567890;\n"};
  for (std::uint32_t i = 0; i < mutants; ++i) {
    mutant_result m;
    m.begin = m.end = i;
    m.op = "crp";
    const bool is_mine = i % of == shard - 1 && ended == run_end::finished;
    m.state = !is_mine ? mutant_state::not_judged : i % 3 == 0 ? mutant_state::survived : mutant_state::killed;
    if (m.state == mutant_state::killed) m.killers = {"Price.Few"};
    m.ran = is_mine ? 1 : 0;
    file.mutants.push_back(m);
  }
  place_mutants(file);
  mutation_result result;
  result.files = {file};
  result.tests = {{"Price.Few", {}, "prices", "prices/price_tests", "Price.Few"}};
  result.run = run_record{{{"tests", {{"tests/price_test.cpp", "abc"}}},
                           {"options", {{"-DRATE=3", "1"}, {"-O1", "2"}}},
                           {"configuration", {{"CMAKE_BUILD_TYPE", "Debug"}}}},
                          "commit",
                          {{shard, of, ended}}};
  result.seconds = shard;
  result.cpu_seconds = {{"judge", 1.0 * shard}};
  return result;
}

mutation_result united(const mutation_result& one, const mutation_result& other) {
  auto both = unite(one, other);
  EXPECT_TRUE(both) << both.error();
  return both.value_or(mutation_result{});
}

std::string refused(const mutation_result& one, const mutation_result& other) {
  const auto both = unite(one, other);
  return both ? "united" : both.error();
}

TEST(MutationUnion, OfAllShardsIsWholeWhateverTheirNumberAndOrder) {
  const mutation_result all = part_of(1, 1);
  EXPECT_EQ(missing_of(all), words());
  for (std::uint32_t of = 2; of <= 6; ++of) {
    mutation_result up = part_of(1, of), down = part_of(of, of);
    for (std::uint32_t i = 2; i <= of; ++i) {
      EXPECT_FALSE(missing_of(up).empty());
      up = united(up, part_of(i, of));
      down = united(part_of(of + 1 - i, of), down);
    }
    EXPECT_EQ(missing_of(up), words()) << of;
    EXPECT_EQ(up.files[0].mutants, all.files[0].mutants) << of;
    EXPECT_EQ(up, down) << of;
    EXPECT_EQ(united(up, part_of(2, of)), up) << "a shard counts once, of " << of;
    EXPECT_EQ(united(up, up), up) << of;
  }
}

TEST(MutationUnion, NamesTheShardsThatAreMissing) {
  const mutation_result three = united(united(part_of(1, 4), part_of(2, 4)), part_of(4, 4));
  EXPECT_EQ(missing_of(three), (words{"shard 3 of 4 is missing", "3 mutants are not judged"}));
  EXPECT_EQ(missing_of(united(part_of(1, 4), part_of(1, 4))),
            (words{"shards 2, 3, 4 of 4 are missing", "9 mutants are not judged"}));
  // One of two holds two of four.
  EXPECT_EQ(missing_of(united(part_of(1, 2), part_of(2, 4))),
            (words{"shard 4 of 4 is missing", "3 mutants are not judged"}));
  EXPECT_EQ(missing_of(united(united(part_of(1, 2), part_of(2, 4)), part_of(4, 4))), words());
}

TEST(MutationUnion, NamesTheShardsThatDidNotComeToTheirEnd) {
  const mutation_result cut = part_of(2, 2, run_end::budget);
  EXPECT_EQ(missing_of(part_of(1, 1, run_end::budget)),
            (words{"the run ended at its budget", "12 mutants are not judged"}));
  EXPECT_EQ(missing_of(united(part_of(1, 2), cut)),
            (words{"shard 2 of 2 ended at its budget", "6 mutants are not judged"}));
  EXPECT_EQ(missing_of(united(united(part_of(1, 2), cut), part_of(2, 2))), words()) << "it was judged again";
  EXPECT_EQ(missing_of(part_of(1, 1, run_end::interrupted)).front(), "the run was interrupted");
  mutation_result broken = part_of(1, 1);
  broken.is_whole = false;
  EXPECT_EQ(missing_of(broken), words{"a test program could not judge"});
}

TEST(MutationUnion, IsOfOneRunAlone) {
  mutation_result other = part_of(2, 2);
  other.run->facts["tests"]["tests/price_test.cpp"] = "xyz";
  EXPECT_EQ(refused(part_of(1, 2), other), "other tests: 'tests/price_test.cpp' was not the same");
  EXPECT_EQ(refused(other, part_of(1, 2)), "other tests: 'tests/price_test.cpp' was not the same");
  other = part_of(2, 2);
  other.run->facts["options"] = {{"-DRATE=4", "1"}, {"-O1", "2"}};
  EXPECT_EQ(refused(part_of(1, 2), other),
            "other compile options: '-DRATE=3' is in one of them alone, '-DRATE=4' is in one of them alone");
  other = part_of(2, 2);
  other.run->facts["configuration"]["CMAKE_BUILD_TYPE"] = "Release";
  EXPECT_EQ(refused(part_of(1, 2), other), "another configuration: CMAKE_BUILD_TYPE was 'Debug' and 'Release'");
  other.run->facts["configuration"]["CMAKE_BUILD_TYPE"] = "Debug";
  other.run->commit = "another one";  // of the same content
  EXPECT_EQ(missing_of(united(part_of(1, 2), other)), words());
  other.files[0].text[0] = 'I';
  EXPECT_EQ(refused(part_of(1, 2), other), "'src/price.cpp' was not the same");
}

TEST(MutationUnion, WithAResultOfAnOlderMorphCannotBeProvenWhole) {
  mutation_result old = part_of(1, 1);
  old.run.reset();
  const words unknown{"an older Morph has made it, so that it cannot be proven whole"};
  EXPECT_EQ(missing_of(old), unknown);
  EXPECT_EQ(missing_of(united(old, part_of(1, 1))), unknown);
  EXPECT_EQ(missing_of(united(part_of(1, 1), old)), unknown);
}

TEST(MutationJson, SaysOfWhichPartItIs) {
  const mutation_result part = part_of(2, 4);
  const auto root = nlohmann::json::parse(mutation_as_json(part));
  EXPECT_EQ(root.at("whole"), false);
  EXPECT_EQ(root.at("missing"), (words{"shards 1, 3, 4 of 4 are missing", "9 mutants are not judged"}));
  EXPECT_EQ(root.at("run").at("parts"), nlohmann::json::parse(R"([{"shard": 2, "of": 4, "ended": "finished"}])"));
  EXPECT_EQ(root.at("run").at("digest"), nlohmann::json::parse(mutation_as_json(part_of(1, 4))).at("run").at("digest"));
  EXPECT_EQ(read_mutation(mutation_as_json(part)), part);
  EXPECT_EQ(nlohmann::json::parse(mutation_as_json(part_of(1, 1))).at("whole"), true);
  EXPECT_NE(mutation_as_text(part).find("\nnot whole: shards 1, 3, 4 of 4 are missing; 9 mutants are not judged\n"),
            std::string::npos);
}

TEST(MutationJson, OfAnOlderMorphIsReadAndSaysWhetherItsProgramsJudged) {
  nlohmann::json old = nlohmann::json::parse(mutation_as_json(part_of(1, 1)));
  for (const char* const name : {"run", "missing", "every_program", "rejected_parts"}) old.erase(name);
  old["whole"] = false;
  const auto read = read_mutation(old.dump());
  ASSERT_TRUE(read) << read.error();
  EXPECT_FALSE(read->run.has_value());
  EXPECT_FALSE(read->is_whole);
}

}  // namespace
}  // namespace morph::report
