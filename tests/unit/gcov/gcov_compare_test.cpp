// Our reading of GCC's notes and counters against gcov's own: on programs built here by each supported compiler that is
// there, and on what data/gcov/record.sh took with the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "coverage/gcov/data.hpp"
#include "coverage/gcov/files.hpp"
#include "coverage/gcov/gcov_lines.hpp"
#include "coverage/gcov/note.hpp"
#include "coverage/gcov/program_model.hpp"
#include "tests/gcov_answers.hpp"
#include "tests/unit/gcov/gcov_support.hpp"
#include "tests/unit/kept.hpp"

namespace morph::gcov {
namespace {
using gcov_answers::module_of;
using gcov_answers::outcome;
using gcov_answers::place;
using gcov_support::run;
using gcov_support::temporary_folder;
using morph::test_support::installed;
using morph::test_support::kept;
using morph::test_support::version_of;

struct setting {
  const char* gcc;
  const char* program;
  const char* options;  // of a compiler that is here; of a recorded one the setting's name
  bool recorded;
};

void PrintTo(const setting& s, std::ostream* out) {
  *out << "g++-" << s.gcc << " " << s.options << " " << s.program << (s.recorded ? ", recorded" : "");
}

const std::filesystem::path data_folder = std::filesystem::path(MORPH_SOURCE_DIR) / "tests/unit/data/gcov";

gcov_answers::unit read_with_morph(const note& notes, const data& counters) {
  const auto counts = gcov_counts(notes, counters);
  if (!counts) {
    ADD_FAILURE() << counts.error();
    return {};
  }
  return gcov_answers::of_morph(notes, *counts);
}

template <class Set>
std::string difference(const Set& a, const Set& b) {
  Set only;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(only, only.end()));
  return testing::PrintToString(only);
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (extension.empty() || entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class gcov_compare : public testing::TestWithParam<setting> {
 protected:
  void SetUp() override {
    if (GetParam().recorded)
      unpack();
    else
      build();
    if (IsSkipped() || HasFailure()) return;
    gcdas_ = files_in(folder_, ".gcda");
    ASSERT_FALSE(gcdas_.empty());
  }

  void unpack() {
    const auto name = std::string(GetParam().program) + "." + GetParam().options;
    const auto archive = (data_folder / ("gcc-" + std::string(GetParam().gcc) + ".tar.gz")).string();
    const auto unpacked =
        run("tar -xzf '" + archive + "' --strip-components=2 -C " + own_.path().string() + " ./" + name + " 2>&1");
    ASSERT_EQ(unpacked.status, 0) << unpacked.output;
    folder_ = own_.path();
  }

  void build() {
    const std::string compiler = "g++-" + std::string(GetParam().gcc), gcov = "gcov-" + std::string(GetParam().gcc);
    if (installed(compiler).empty() || installed(gcov).empty()) {
      GTEST_SKIP() << "not run: " << compiler << " or its gcov is not installed";
    }
    const auto sources = data_folder / GetParam().program;
    std::string key = version_of(installed(compiler)) + version_of(installed(gcov)) + GetParam().options;
    key += read_file(MORPH_SOURCE_DIR "/tests/unit/gcov/gcov_compare_test.cpp").value();
    for (const auto& file : files_in(sources, "")) key += file.filename().string() + read_file(file.string()).value();
    folder_ = kept("gcov", key, [&](const auto& folder) {
      std::filesystem::copy(sources, folder / "src");
      const std::string conditions = std::stoi(GetParam().gcc) >= 14 ? " --conditions" : "";
      const std::string there = "cd " + folder.string() + " && ";
      std::string units;
      for (const auto& file : files_in(folder / "src", ".cpp")) {
        const auto object = file.stem().string() + ".o";
        expect_success(there + compiler + " -std=c++17 --coverage " + GetParam().options + " -c src/" +
                       file.filename().string() + " -o " + object);
        units += " " + object;
      }
      expect_success(there + compiler + " --coverage" + units + " -o program && ./program");
      for (const auto& gcda : files_in(folder, ".gcda"))
        expect_success(there + gcov + " -b --json-format --stdout" + conditions + " " + gcda.filename().string() +
                       " >" + gcda.stem().string() + ".json 2>/dev/null");
    });
  }

  static void expect_success(const std::string& command) {
    const auto done = run("{ " + command + "; } 2>&1");
    EXPECT_EQ(done.status, 0) << command << "\n" << done.output;
  }

  static gcov_answers::unit read_with_gcov(const std::filesystem::path& gcda) {
    const auto shown = read_file(std::filesystem::path(gcda).replace_extension(".json").string()).value();
    const auto json = nlohmann::json::parse(shown, nullptr, false);
    if (json.is_discarded()) {
      ADD_FAILURE() << "no JSON from gcov for " << gcda;
      return {};
    }
    return gcov_answers::of_gcov(json);
  }

  struct unit {
    note notes;
    data counters;
    std::uint32_t version;
  };
  unit read(const std::filesystem::path& gcda) const {
    const auto note_path = std::filesystem::path(gcda).replace_extension(".gcno").string();
    const auto note_bytes = read_file(note_path);
    const auto data_bytes = read_file(gcda.string());
    auto notes = parse_note(note_bytes.value(), note_path);
    auto counters = parse_data(data_bytes.value(), gcda.string());
    if (!notes) throw std::runtime_error(notes.error());
    if (!counters) throw std::runtime_error(counters.error());
    std::uint32_t version = 0;
    std::memcpy(&version, data_bytes->data() + 4, sizeof version);
    return {std::move(*notes), std::move(*counters), version};
  }
  bool has_conditions() const {
    return GetParam().program == std::string("conditions") ||
           std::string_view(GetParam().options).find("condition") != std::string_view::npos;
  }

  temporary_folder own_;
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> gcdas_;
};

TEST_P(gcov_compare, lines_counts_branches_functions_and_conditions_are_those_of_gcov) {
  for (const auto& gcda : gcdas_) {
    SCOPED_TRACE(gcda.filename().string());
    const auto [notes, counters, version] = read(gcda);
    const auto theirs = read_with_gcov(gcda);
    const auto ours = read_with_morph(notes, counters);
    ASSERT_FALSE(theirs.executable.empty());
    EXPECT_EQ(difference(ours.executable, theirs.executable), "{}") << "executable for us only";
    EXPECT_EQ(difference(theirs.executable, ours.executable), "{}") << "executable for gcov only";
    EXPECT_EQ(difference(ours.executed, theirs.executed), "{}") << "executed for us only";
    EXPECT_EQ(difference(theirs.executed, ours.executed), "{}") << "executed for gcov only";
    EXPECT_EQ(difference(ours.counts, theirs.counts), "{}") << "counts of ours";
    EXPECT_EQ(difference(theirs.counts, ours.counts), "{}") << "counts of gcov";
    ASSERT_FALSE(theirs.branches.empty());
    EXPECT_EQ(difference(ours.branches, theirs.branches), "{}") << "branches of ours";
    EXPECT_EQ(difference(theirs.branches, ours.branches), "{}") << "branches of gcov";
    EXPECT_EQ(difference(ours.functions, theirs.functions), "{}") << "functions of ours";
    EXPECT_EQ(difference(theirs.functions, ours.functions), "{}") << "functions of gcov";
    EXPECT_EQ(theirs.conditions.empty(), !has_conditions());
    EXPECT_EQ(difference(ours.conditions, theirs.conditions), "{}") << "conditions of ours";
    EXPECT_EQ(difference(theirs.conditions, ours.conditions), "{}") << "conditions of gcov";
  }
}

TEST_P(gcov_compare,
       the_model_executes_all_that_gcov_does_knows_what_it_leaves_out_and_the_same_functions_and_branches) {
  program_model model;
  std::uint32_t next_id = 0;
  std::vector<counter> row;
  gcov_answers::unit all;
  std::set<std::string> executed_functions;
  std::map<place, std::vector<std::uint32_t>> outcomes_seen;  // of conditions, for each time that gcov shows the line
  std::map<place, gcov_answers::condition> only_condition;    // of the line, where it was last shown
  std::set<place> taken, certainly_taken;  // where nothing throws, whatever gcov calls a branch is one
  for (const auto& gcda : gcdas_) {
    const auto [notes, counters, version] = read(gcda);
    const auto added = model.add(module_of(gcda.string(), version, counters, next_id, row));
    ASSERT_TRUE(added) << added.error();
    const auto theirs = read_with_gcov(gcda);
    all.executable.insert(theirs.executable.begin(), theirs.executable.end());
    all.executed.insert(theirs.executed.begin(), theirs.executed.end());
    for (const auto& [name, line, count] : theirs.functions) {
      if (count != 0) executed_functions.insert(name);
    }
    for (const auto& [path, line, conditions] : theirs.conditions) {
      std::uint32_t seen = 0;
      for (const auto& c : conditions) seen += std::get<1>(c);
      outcomes_seen[{path, line}].push_back(seen);
      if (conditions.size() == 1) only_condition[{path, line}] = conditions.front();
    }
    for (const auto& [path, line, branches] : theirs.branches) {
      const auto throws = [](const outcome& b) { return std::get<2>(b); };
      const bool calls = std::any_of(branches.begin(), branches.end(), throws);
      for (const auto& b : branches) {
        if (std::get<0>(b) == 0 || throws(b)) continue;
        taken.emplace(path, line);
        if (!calls) certainly_taken.emplace(path, line);
      }
    }
  }
  const auto place_of = [&](std::uint32_t line) {
    return place{model.files()[model.lines()[line].file], model.lines()[line].line};
  };
  const auto result = model.convert(row);
  std::set<place> executable, executed_lines;
  for (std::uint32_t i = 0; i < model.lines().size(); ++i) executable.insert(place_of(i));
  for (const auto line : result.lines) executed_lines.insert(place_of(line));
  EXPECT_EQ(executable.size(), model.lines().size()) << "a line occurs twice";
  EXPECT_EQ(difference(all.executable, executable), "{}");
  EXPECT_EQ(difference(all.executed, executed_lines), "{}");
  const auto unshown = model.unshown(row);
  if (GetParam().program == std::string("wrapped") && std::string(GetParam().options).starts_with("-O0")) {
    EXPECT_FALSE(unshown.empty());
  }
  for (const auto line : unshown) executed_lines.erase(place_of(line));
  std::set<place> of_the_compiler;  // lines that nobody wrote
  std::set_difference(executable.begin(), executable.end(), all.executable.begin(), all.executable.end(),
                      std::inserter(of_the_compiler, of_the_compiler.end()));
  for (const auto& line : of_the_compiler) executed_lines.erase(line);
  EXPECT_EQ(difference(executed_lines, all.executed), "{}");
  EXPECT_EQ(difference(all.executed, executed_lines), "{}");
  std::set<std::string> ours;
  for (const auto function : result.functions) {
    if (!model.functions()[function].artificial) ours.insert(model.functions()[function].symbol);
  }
  EXPECT_EQ(ours, executed_functions);
  EXPECT_EQ(model.units().size(), gcdas_.size());
  std::set<place> ours_taken;
  for (const auto i : result.branches)
    ours_taken.emplace(model.files()[model.branches()[i].file], model.branches()[i].line);
  EXPECT_EQ(difference(certainly_taken, ours_taken), "{}");
  EXPECT_EQ(difference(ours_taken, taken), "{}");
  if (GetParam().program != std::string("conditions")) {
    EXPECT_LT(ours_taken.size(), taken.size()) << "no call that returns was left out";
  }
  std::map<place, std::uint32_t> ours_seen;
  std::map<place, std::set<std::uint32_t>> ours_unseen;  // numbers
  const auto place_of_outcome = [&](std::uint32_t i) {
    return place{model.files()[model.conditions()[i].file], model.conditions()[i].line};
  };
  for (const auto i : result.conditions) ++ours_seen[place_of_outcome(i)];
  std::map<place, std::uint32_t> first_number;
  for (std::uint32_t i = 0; i < model.conditions().size(); ++i) {
    const auto number = model.conditions()[i].number;
    const auto first = first_number.try_emplace(place_of_outcome(i), number).first;
    first->second = std::min(first->second, number);
    if (!std::binary_search(result.conditions.begin(), result.conditions.end(), i))
      ours_unseen[place_of_outcome(i)].insert(number);
  }
  std::size_t alone = 0;
  for (const auto& [at, shown] : outcomes_seen) {
    // The instances of a template, which gcov shows apart, see together.
    if (shown.size() == 1) {
      EXPECT_EQ(ours_seen[at], shown.front()) << at.first << ":" << at.second;
      if (const auto only = only_condition.find(at); only != only_condition.end()) {
        std::set<std::uint32_t> unseen;
        for (const auto term : std::get<2>(only->second)) unseen.insert(first_number[at] + 2 * term);
        for (const auto term : std::get<3>(only->second)) unseen.insert(first_number[at] + 2 * term + 1);
        EXPECT_EQ(ours_unseen[at], unseen) << at.first << ":" << at.second;
      }
      ++alone;
    }
    ours_seen.erase(at);
  }
  EXPECT_TRUE(ours_seen.empty()) << testing::PrintToString(ours_seen);
  EXPECT_EQ(alone > 10, has_conditions());
}

std::vector<setting> settings() {
  std::vector<setting> all;
  for (const auto* gcc : {"12", "11"})
    for (const auto* options : {"-O0", "-O2", "-O0 -fprofile-update=atomic"})
      for (const auto* program : {"control_flow", "several_units", "branching", "wrapped"})
        all.push_back({gcc, program, options, false});
  for (const auto* gcc : {"13", "14", "15", "16"}) {
    for (const auto* program : {"control_flow", "several_units", "branching"})
      for (const auto* name : {"O0", "O2"}) all.push_back({gcc, program, name, true});
    all.push_back({gcc, "control_flow", "atomic", true});
    if (std::stoi(gcc) < 14) continue;
    for (const auto* name : {"O0", "O2"}) all.push_back({gcc, "conditions", name, true});
    all.push_back({gcc, "branching", "conditions", true});
  }
  return all;
}

std::string test_name(const testing::TestParamInfo<setting>& info) {
  std::string name = "gcc" + std::string(info.param.gcc) + "_" + info.param.options + "_" + info.param.program;
  for (auto& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(compilers, gcov_compare, testing::ValuesIn(settings()), test_name);

}  // namespace
}  // namespace morph::gcov
