// The model of a program: which notes it accepts, how it joins units, what a row executes, static initialization.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "coverage/gcov/program_model.hpp"
#include "tests/unit/gcov/gcov_support.hpp"

namespace morph::gcov {
namespace {
using gcov_support::gcov_writer;
using gcov_support::run;
using gcov_support::temporary_folder;
using gcov_support::written_function;

// Entry, block 2, block 3 or around it, exit: two counters, the first for the entry and the second for block 3.
written_function branching(std::uint32_t ident, std::string symbol, std::string file, std::uint32_t line) {
  return {ident,
          ident + 1,
          ident + 2,
          std::move(symbol),
          false,
          file,
          line,
          line + 3,
          5,
          {{0, 2, 4}, {2, 3, 0}, {2, 4, 1}, {3, 4, 1}, {4, 1, 1}},
          {{2, file, {line, line + 1}}, {3, file, {line + 2}}, {4, file, {line + 3}}}};
}

// One block, one counter.
written_function straight(std::uint32_t ident, std::string symbol, std::string file, std::vector<std::uint32_t> lines) {
  return {ident,
          ident + 1,
          ident + 2,
          std::move(symbol),
          false,
          file,
          lines.front(),
          lines.back(),
          3,
          {{0, 2, 4}, {2, 1, 1}},
          {{2, file, lines}}};
}

std::uint32_t counters_of(const written_function& function) {
  std::uint32_t counters = 0;
  for (const auto& a : function.arcs) counters += (a.flags & 1) == 0 ? 1 : 0;
  return counters;
}

class gcov_program_model : public testing::Test {
 protected:
  // The record of a module with these functions, ids from first_id on; its notes hold `unlinked` as well.
  module_record module(const std::string& stem, const std::vector<written_function>& functions, std::uint32_t first_id,
                       const std::vector<written_function>& unlinked = {}) {
    auto noted = functions;
    noted.insert(noted.end(), unlinked.begin(), unlinked.end());
    files_[stem + ".gcno"] = gcov_writer(12).note(99, "/src/build", noted);
    module_record record{stem + ".gcda", gcov_writer(12).version(), 99, 1234, {}};
    for (const auto& f : functions) {
      record.functions.push_back({f.ident, f.lineno_checksum, f.cfg_checksum, counters_of(f), first_id});
      first_id += counters_of(f);
    }
    return record;
  }
  void add(const module_record& record) {
    const auto added = model_.add(record);
    ASSERT_TRUE(added) << added.error();
  }
  std::string refused(const module_record& record) {
    const auto added = model_.add(record);
    return added ? "added" : added.error();
  }

  std::set<std::string> lines(const executed& result) const {
    std::set<std::string> named;
    for (const auto i : result.lines) {
      named.insert(model_.files()[model_.lines()[i].file] + ":" + std::to_string(model_.lines()[i].line));
    }
    return named;
  }
  std::set<std::string> functions(const executed& result) const {
    std::set<std::string> named;
    for (const auto i : result.functions) named.insert(model_.functions()[i].symbol);
    return named;
  }
  std::set<std::string> units(const executed& result) const {
    std::set<std::string> named;
    for (const auto i : result.units) named.insert(model_.units()[i].note_path);
    return named;
  }
  std::set<std::string> branches(const executed& result) const {
    std::set<std::string> named;
    for (const auto i : result.branches) {
      const auto& b = model_.branches()[i];
      named.insert(model_.files()[b.file] + ":" + std::to_string(b.line) + "#" + std::to_string(b.number));
    }
    return named;
  }
  using names = std::set<std::string>;

  std::map<std::string, std::string> files_;
  program_model model_{[this](const std::string& path) -> tl::expected<std::string, std::string> {
    const auto found = files_.find(path);
    if (found == files_.end()) return tl::unexpected("cannot read '" + path + "': no such file");
    return found->second;
  }};
};

TEST_F(gcov_program_model, a_row_executes_the_lines_of_the_blocks_it_reached) {
  add(module("/b/a", {branching(10, "_Z1fv", "../a.cpp", 5), branching(20, "_Z1gv", "../a.cpp", 20)}, 0));
  EXPECT_EQ(model_.files(), (std::vector<std::string>{"/src/a.cpp"}));
  EXPECT_EQ(model_.lines().size(), 8U);

  const auto around = model_.convert(std::vector<counter>{{0, 1}});
  EXPECT_EQ(lines(around), (names{"/src/a.cpp:5", "/src/a.cpp:6", "/src/a.cpp:8"}));
  EXPECT_EQ(functions(around), names{"_Z1fv"});
  EXPECT_EQ(units(around), names{"/b/a.gcno"});

  const auto through = model_.convert(std::vector<counter>{{2, 7}, {3, 7}});
  EXPECT_EQ(lines(through), (names{"/src/a.cpp:20", "/src/a.cpp:21", "/src/a.cpp:22", "/src/a.cpp:23"}));
  EXPECT_EQ(functions(through), names{"_Z1gv"});
}

// ---- lines that gcov shows as not executed though a part of them was

// Block 2 mentions line 2, which block 3 decides of and nothing else; the second counter is block 3's.
written_function doubtful(std::uint32_t ident, const std::string& file) {
  auto function = branching(ident, "_Z4linev", file, 1);
  function.lines = {{2, file, {1, 2, 3}}, {3, file, {2}}, {4, file, {4}}};
  return function;
}

TEST_F(gcov_program_model, a_line_of_which_another_block_decides_is_unshown_without_it) {
  add(module("/b/a", {doubtful(10, "a.cpp")}, 1));
  const auto named = [&](const std::vector<counter>& row) { return lines({model_.unshown(row), {}, {}, {}, {}}); };
  EXPECT_EQ(named({{1, 1}}), names{"/src/build/a.cpp:2"});
  EXPECT_EQ(named({{1, 2}, {2, 1}}), names());
  EXPECT_EQ(named({{1, 1}}), names{"/src/build/a.cpp:2"}) << "remembers the row before";
  EXPECT_EQ(named({}), names());
  EXPECT_TRUE(lines(model_.convert(std::vector<counter>{{1, 1}})).contains("/src/build/a.cpp:2"));
}

TEST_F(gcov_program_model, a_line_that_another_function_or_unit_shows_is_shown) {
  auto other = branching(20, "_Z5otherv", "a.hpp", 10);
  other.lines[1].lines = {2};
  add(module("/b/a", {doubtful(10, "a.hpp"), other}, 1));
  EXPECT_EQ(model_.unshown(std::vector<counter>{{1, 1}, {3, 1}}).size(), 1U);
  EXPECT_EQ(model_.unshown(std::vector<counter>{{1, 1}, {3, 1}, {4, 1}}).size(), 0U);
  add(module("/b/b", {straight(30, "_Z5thirdv", "a.hpp", {2})}, 5));
  EXPECT_EQ(model_.unshown(std::vector<counter>{{1, 1}}).size(), 1U);
  EXPECT_EQ(model_.unshown(std::vector<counter>{{1, 1}, {5, 1}}).size(), 0U);
}

TEST_F(gcov_program_model, functions_that_start_on_one_line_show_lines_each_for_itself) {
  auto other = doubtful(20, "a.hpp");
  other.symbol = "_Z4linec";
  add(module("/b/a", {doubtful(10, "a.hpp"), other, straight(30, "_Z4linei", "a.hpp", {1, 2})}, 1));
  EXPECT_EQ(model_.unshown(std::vector<counter>{{1, 1}, {3, 1}}).size(), 1U);
  EXPECT_EQ(model_.unshown(std::vector<counter>{{1, 1}, {3, 1}, {4, 1}}).size(), 0U);
  EXPECT_EQ(model_.unshown(std::vector<counter>{{1, 1}, {5, 1}}).size(), 0U) << "nothing decides of the line there";
}

TEST_F(gcov_program_model, what_the_compiler_wrote_on_a_line_of_somebody_shows_nothing) {
  auto artificial = straight(20, "_ZN1SD1Ev", "a.cpp", {3});
  artificial.artificial = true;
  add(module("/b/a", {branching(10, "_Z4linev", "a.cpp", 1), artificial}, 1));
  EXPECT_EQ(lines({model_.unshown(std::vector<counter>{{1, 1}, {3, 1}}), {}, {}, {}, {}}), names{"/src/build/a.cpp:3"});
}

TEST_F(gcov_program_model, a_row_takes_the_outcomes_of_branches_whose_arcs_it_took) {
  add(module("/b/a", {branching(10, "_Z1fv", "../a.cpp", 5)}, 0));
  EXPECT_EQ(model_.branches(), (std::vector<branch_outcome>{{0, 6, 0}, {0, 6, 1}}));
  EXPECT_EQ(branches(model_.convert(std::vector<counter>{{0, 1}})), names{"/src/a.cpp:6#1"});
  EXPECT_EQ(branches(model_.convert(std::vector<counter>{{0, 7}, {1, 7}})), names{"/src/a.cpp:6#0"});
  EXPECT_EQ(branches(model_.convert(std::vector<counter>{{0, 7}, {1, 2}})).size(), 2U);
}

TEST_F(gcov_program_model, units_and_instances_share_the_outcomes_of_a_line) {
  add(module("/b/a", {branching(10, "_Z1fIiEvv", "/src/a.hpp", 5), branching(20, "_Z1fIlEvv", "/src/a.hpp", 5)}, 0));
  add(module("/b/b", {branching(10, "_Z1fIiEvv", "/src/a.hpp", 5)}, 10));
  EXPECT_EQ(model_.branches().size(), 2U);
  const names around{"/src/a.hpp:6#1"};
  for (const std::uint32_t entry : {0U, 2U, 10U}) {
    EXPECT_EQ(branches(model_.convert(std::vector<counter>{{entry, 1}})), around) << entry;
  }
}

TEST_F(gcov_program_model, a_function_that_starts_on_a_line_has_outcomes_of_its_own_there) {
  auto outer = branching(10, "_Z1fv", "/src/a.cpp", 5), lambda = branching(20, "_ZZ1fvENKUlvE_clEv", "/src/a.cpp", 6);
  lambda.lines[0].lines = {6};
  add(module("/b/a", {outer, lambda}, 0));
  const std::string first_of_lambda = "/src/a.cpp:6#" + std::to_string(32 * 3);  // it starts in column 3
  EXPECT_EQ(branches(model_.convert(std::vector<counter>{{2, 1}, {3, 1}})), names{first_of_lambda});
  EXPECT_EQ(branches(model_.convert(std::vector<counter>{{0, 1}, {1, 1}})), names{"/src/a.cpp:6#0"});
}

TEST_F(gcov_program_model, exceptions_returns_of_calls_and_what_the_compiler_wrote_are_no_outcomes) {
  auto calling = branching(10, "_Z1fv", "/src/a.cpp", 5);
  calling.arcs = {{0, 2, 4}, {2, 3, 0}, {2, 4, 5}, {2, 1, 2}, {3, 4, 1}, {4, 1, 1}};  // 3 is a landing pad
  auto artificial = branching(20, "_ZN1sD1Ev", "/src/a.cpp", 20);
  artificial.artificial = true;
  add(module("/b/a", {calling, artificial, branching(30, "_ZN1S6A_Test13AddToRegistryEv", "/src/a.cpp", 40)}, 0));
  EXPECT_TRUE(model_.branches().empty());
  EXPECT_EQ(model_.lines().size(), 11U);
}

TEST_F(gcov_program_model, nothing_executed_is_nothing_and_unknown_ids_are_ignored) {
  add(module("/b/a", {branching(10, "_Z1fv", "../a.cpp", 5)}, 100));
  EXPECT_EQ(model_.convert({}), executed{});
  EXPECT_EQ(model_.convert(std::vector<counter>{{0, 1}, {99, 1}, {102, 1}, {4294967295, 1}}), executed{});
  EXPECT_EQ(model_.convert(std::vector<counter>{{100, 0}}), executed{});
}

TEST_F(gcov_program_model, indices_are_sorted_whatever_the_order_of_ids) {
  add(module("/b/a", {branching(10, "_Z1fv", "../a.cpp", 50)}, 300));
  add(module("/b/b", {branching(10, "_Z1gv", "../b.cpp", 5)}, 100));
  add(module("/b/c", {branching(10, "_Z1hv", "../c.cpp", 5)}, 200));
  const auto all = model_.convert(std::vector<counter>{{100, 2}, {101, 1}, {200, 1}, {300, 1}});
  EXPECT_TRUE(std::is_sorted(all.lines.begin(), all.lines.end()));
  EXPECT_EQ(all.functions, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(all.units, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(all.lines.size(), 4U + 3U + 3U);
}

TEST_F(gcov_program_model, counters_may_come_in_another_order_than_their_functions) {
  auto record = module("/b/a", {branching(10, "_Z1fv", "../a.cpp", 5), straight(20, "_Z1gv", "../a.cpp", {20})}, 0);
  record.functions[0].first_id = 7;
  record.functions[1].first_id = 3;
  add(record);
  EXPECT_EQ(functions(model_.convert(std::vector<counter>{{3, 1}})), names{"_Z1gv"});
  EXPECT_EQ(functions(model_.convert(std::vector<counter>{{7, 1}})), names{"_Z1fv"});
  EXPECT_EQ(functions(model_.convert(std::vector<counter>{{3, 1}, {7, 1}})), (names{"_Z1fv", "_Z1gv"}));
}

TEST_F(gcov_program_model, counters_in_a_file_of_another_name_have_notes_beside_it) {
  auto record = module("/b/a", {straight(10, "_Z1fv", "../a.cpp", {5})}, 0);
  record.gcda_path = "/b/a";
  add(record);
  EXPECT_EQ(units(model_.convert(std::vector<counter>{{0, 1}})), names{"/b/a.gcno"});
}

TEST_F(gcov_program_model, a_function_of_a_header_in_two_units_is_one_function_with_one_set_of_lines) {
  const auto inlined = branching(10, "_Z6sharedv", "/src/h.hpp", 5);
  add(module("/b/a", {inlined, straight(30, "_Z1fv", "/src/a.cpp", {1})}, 0));
  add(module("/b/b", {inlined, straight(40, "_Z1gv", "/src/b.cpp", {1})}, 10));
  EXPECT_EQ(model_.functions().size(), 3U);
  EXPECT_EQ(model_.lines().size(), 4U + 2U);
  EXPECT_EQ(model_.functions()[0].unit, 0U);

  const auto by_second = model_.convert(std::vector<counter>{{10, 1}});
  EXPECT_EQ(by_second.functions, std::vector<std::uint32_t>{0});
  EXPECT_EQ(units(by_second), names{"/b/b.gcno"});
  EXPECT_EQ(model_.convert(std::vector<counter>{{0, 1}}).lines, by_second.lines);
}

TEST_F(gcov_program_model, a_copy_that_the_linker_dropped_adds_nothing) {
  const auto dropped = branching(10, "_Z6sharedv", "/src/h.hpp", 5);
  add(module("/b/a", {straight(30, "_Z1fv", "/src/a.cpp", {1})}, 0, {dropped}));
  EXPECT_EQ(model_.functions().size(), 1U);
  EXPECT_EQ(model_.lines().size(), 1U);
  EXPECT_EQ(model_.files(), std::vector<std::string>{"/src/a.cpp"});
}

TEST_F(gcov_program_model, a_function_that_a_record_gives_no_counters_adds_nothing) {
  auto record = module("/b/a", {straight(30, "_Z1fv", "/src/a.cpp", {1}), straight(40, "_Z1gv", "/src/a.cpp", {7})}, 0);
  record.functions[1].counters = 0;
  add(record);
  EXPECT_EQ(model_.functions().size(), 1U);
}

TEST_F(gcov_program_model, a_function_without_lines_is_executed_all_the_same) {
  auto function = straight(30, "_Z1fv", "/src/a.cpp", {1});
  function.lines.clear();
  add(module("/b/a", {function}, 0));
  const auto result = model_.convert(std::vector<counter>{{0, 1}});
  EXPECT_TRUE(result.lines.empty());
  EXPECT_EQ(functions(result), names{"_Z1fv"});
  EXPECT_EQ(units(result), names{"/b/a.gcno"});
}

TEST_F(gcov_program_model, two_functions_of_one_place_stay_two) {
  add(module("/b/a", {straight(10, "_Z3maxIiET_v", "/src/h.hpp", {5}), straight(20, "_Z3maxIdET_v", "/src/h.hpp", {5})},
             0));
  EXPECT_EQ(model_.functions().size(), 2U);
  EXPECT_EQ(model_.lines().size(), 1U);
}

TEST_F(gcov_program_model, artificial_functions_are_executed_and_marked) {
  auto implicit = straight(10, "_ZN1aC2Ev", "/src/a.hpp", {3});
  implicit.artificial = true;
  add(module("/b/a", {implicit}, 0));
  const auto result = model_.convert(std::vector<counter>{{0, 1}});
  EXPECT_EQ(functions(result), names{"_ZN1aC2Ev"});
  EXPECT_TRUE(model_.functions()[0].artificial);
  EXPECT_EQ(lines(result), names{"/src/a.hpp:3"});
  EXPECT_EQ(units(result), names{"/b/a.gcno"});
}

TEST_F(gcov_program_model, a_location_that_changes_the_file_only_is_on_the_line_before_it) {
  auto function = straight(10, "_Z1fv", "/src/a.cpp", {3, 4});
  function.lines.push_back({2, "/src/b.hpp", {}});
  add(module("/b/a", {function}, 0));
  EXPECT_EQ(lines(model_.convert(std::vector<counter>{{0, 1}})),
            (names{"/src/a.cpp:3", "/src/a.cpp:4", "/src/b.hpp:4"}));
}

TEST_F(gcov_program_model, a_location_without_lines_begins_no_block) {
  auto function = branching(10, "_Z1fv", "/src/a.cpp", 5);
  function.lines[1].lines.clear();
  add(module("/b/a", {function}, 0));
  EXPECT_EQ(lines(model_.convert(std::vector<counter>{{0, 1}, {1, 1}})),
            (names{"/src/a.cpp:5", "/src/a.cpp:6", "/src/a.cpp:8"}));
}

const char* const initializers_symbol = "_Z41__static_initialization_and_destruction_0ii";

written_function compiler_made(written_function function, std::uint32_t start_line) {
  function.artificial = true;
  function.start_line = function.end_line = start_line;
  return function;
}

TEST_F(gcov_program_model, initializers_execute_their_lines_but_not_the_last_of_the_file) {
  add(module("/b/a",
             {compiler_made(straight(10, initializers_symbol, "/src/a.cpp", {90, 12, 14}), 90),
              compiler_made(straight(20, "_GLOBAL__sub_I_table", "/src/a.cpp", {90}), 90)},
             0));
  const auto startup = model_.convert(std::vector<counter>{{0, 1}, {1, 1}});
  EXPECT_EQ(lines(startup), (names{"/src/a.cpp:12", "/src/a.cpp:14"}));
  EXPECT_EQ(functions(startup), names{initializers_symbol});
  EXPECT_EQ(units(startup), names{"/b/a.gcno"});
}

TEST_F(gcov_program_model, a_unit_that_only_registers_itself_is_not_executed) {
  add(module("/b/a",
             {compiler_made(straight(10, initializers_symbol, "/src/a.cpp", {90}), 90),
              compiler_made(straight(20, "_GLOBAL__sub_I_table", "/src/a.cpp", {90}), 90)},
             0));
  EXPECT_EQ(model_.convert(std::vector<counter>{{0, 1}, {1, 1}}), executed{});
}

TEST_F(gcov_program_model, dropped_lines_leave_static_initialization_before_units_are_counted) {
  add(module("/b/a", {compiler_made(straight(10, initializers_symbol, "/src/a.cpp", {90, 12, 14}), 90)}, 0));
  add(module("/b/b", {compiler_made(straight(10, initializers_symbol, "/src/b.cpp", {90, 12}), 90)}, 10));
  const auto drop = [&](std::uint32_t file, std::uint32_t line) {
    return line == 12 && (model_.files()[file] == "/src/a.cpp" || model_.files()[file] == "/src/b.cpp");
  };
  const auto startup = model_.convert(std::vector<counter>{{0, 1}, {10, 1}}, drop);
  EXPECT_EQ(lines(startup), names{"/src/a.cpp:14"});
  EXPECT_EQ(units(startup), names{"/b/a.gcno"});
}

TEST_F(gcov_program_model, a_dropped_line_that_another_function_executes_stays) {
  add(module("/b/a",
             {compiler_made(straight(10, initializers_symbol, "/src/a.cpp", {90, 12}), 90),
              straight(20, "_ZN4testC2Ev", "/src/a.cpp", {12})},
             0));
  const auto startup = model_.convert(std::vector<counter>{{0, 1}, {1, 1}},
                                      [](std::uint32_t, std::uint32_t line) { return line == 12; });
  EXPECT_EQ(lines(startup), names{"/src/a.cpp:12"});
  EXPECT_EQ(functions(startup), names{"_ZN4testC2Ev"});
}

TEST_F(gcov_program_model, an_initializer_on_the_start_line_is_told_by_its_call) {
  auto function = compiler_made(straight(10, initializers_symbol, "/src/a.cpp", {90}), 90);
  function.arcs.push_back({2, 1, 2});
  add(module("/b/a", {function, compiler_made(straight(20, "_GLOBAL__sub_I_table", "/src/b.cpp", {90}), 90)}, 0));
  const auto startup = model_.convert(std::vector<counter>{{0, 1}, {2, 1}});
  EXPECT_EQ(lines(startup), names{"/src/a.cpp:90"});
  EXPECT_EQ(functions(startup), names{initializers_symbol});
}

TEST_F(gcov_program_model, initializers_that_were_inlined_into_their_caller_are_kept) {
  add(module("/b/a", {compiler_made(straight(20, "_GLOBAL__sub_I_table", "/src/a.cpp", {12, 90}), 90)}, 0));
  const auto startup = model_.convert(std::vector<counter>{{0, 1}});
  EXPECT_EQ(lines(startup), names{"/src/a.cpp:12"});
  EXPECT_EQ(units(startup), names{"/b/a.gcno"});
}

TEST(gcov_initialization_role, is_told_by_the_symbol) {
  using enum initialization_role;
  EXPECT_EQ(role_in_initialization("_GLOBAL__sub_I__ZN1a5tableE"), caller);
  EXPECT_EQ(role_in_initialization("_GLOBAL__sub_I_a.cpp"), caller);
  EXPECT_EQ(role_in_initialization("_GLOBAL__I_65535_0_main"), caller);
  EXPECT_EQ(role_in_initialization("_GLOBAL__sub_D_x"), caller);
  EXPECT_EQ(role_in_initialization("_Z41__static_initialization_and_destruction_0ii"), initializers);
  EXPECT_EQ(role_in_initialization("_Z41__static_initialization_and_destruction_0v"), initializers);
  EXPECT_EQ(role_in_initialization("_Z41__static_initialization_and_destruction_0ii.constprop.0"), initializers);
  EXPECT_EQ(role_in_initialization("__static_initialization_and_destruction_0"), initializers);
  EXPECT_EQ(role_in_initialization("my__static_initialization_and_destruction_0"), none);
  EXPECT_EQ(role_in_initialization("_ZN9Area_Test13AddToRegistryEv"), caller);
  EXPECT_EQ(role_in_initialization("Area_Test13AddToRegistryEv"), none);
  EXPECT_EQ(role_in_initialization("_Z11make_GLOBALv"), none);
  EXPECT_EQ(role_in_initialization("main"), none);
}

TEST_F(gcov_program_model, notes_of_another_build_are_refused_with_both_files_and_a_remedy) {
  const auto good = module("/b/a", {branching(10, "_Z1fv", "../a.cpp", 5)}, 0);
  const std::string start = "the notes '/b/a.gcno' do not belong to the program that writes '/b/a.gcda': ";
  auto bad = good;
  bad.stamp = 98;
  EXPECT_EQ(refused(bad), start + "the stamp is 99 in the notes and 98 in the program; rebuild the twin");
  bad = good;
  bad.gcc_version = gcov_writer(11).version();
  EXPECT_EQ(refused(bad), start + "the version of gcc is 12 in the notes and 11 in the program; rebuild the twin");
  bad.gcc_version = gcov_writer(13).version();
  EXPECT_EQ(refused(bad), start + "the version of gcc is 12 in the notes and 13 in the program; rebuild the twin");
  bad = good;
  bad.functions[0].lineno_checksum = 1;
  EXPECT_EQ(refused(bad),
            start + "the line checksum of '_Z1fv' is 11 in the notes and 1 in the program; rebuild the twin");
  bad = good;
  bad.functions[0].cfg_checksum = 1;
  EXPECT_EQ(refused(bad),
            start + "the flow checksum of '_Z1fv' is 12 in the notes and 1 in the program; rebuild the twin");
  bad = good;
  bad.functions[0].counters = 3;
  EXPECT_EQ(refused(bad),
            start + "the number of counters of '_Z1fv' is 2 in the notes and 3 in the program; rebuild the twin");
  bad.functions[0].counters = 1;
  EXPECT_EQ(refused(bad),
            start + "the number of counters of '_Z1fv' is 2 in the notes and 1 in the program; rebuild the twin");
  bad = good;
  bad.functions[0].masks = 2;
  EXPECT_EQ(
      refused(bad),
      start + "the number of masks of conditions of '_Z1fv' is 0 in the notes and 2 in the program; rebuild the twin");
  bad = good;
  bad.functions[0].ident = 55;
  EXPECT_EQ(
      refused(bad),
      "the notes '/b/a.gcno' lack a function (ident 55) of the program that writes '/b/a.gcda'; rebuild the twin");
  EXPECT_EQ(refused(good), "added");
}

TEST_F(gcov_program_model, missing_or_damaged_notes_are_named) {
  EXPECT_EQ(refused({"/b/gone.gcda", gcov_writer(12).version(), 0, 0, {}}),
            "cannot read '/b/gone.gcno': no such file; '/b/gone.gcda' belongs to it: rebuild the twin");
  files_["/b/cut.gcno"] = "oncg";
  EXPECT_EQ(refused({"/b/cut.gcda", gcov_writer(12).version(), 0, 0, {}}),
            "the notes '/b/cut.gcno' are damaged near byte 4: the header is cut off; rebuild the twin");
}

TEST_F(gcov_program_model, a_refused_module_leaves_the_model_as_it_was) {
  add(module("/b/a", {branching(10, "_Z1fv", "../a.cpp", 5)}, 0));
  EXPECT_EQ(refused(module("/b/b", {branching(20, "_Z1gv", "../b.cpp", 5)}, 1)),
            "two functions share the counter 1, one of them of '/b/b.gcda': rebuild the twin");
  EXPECT_EQ(model_.units().size(), 1U);
  EXPECT_EQ(model_.functions().size(), 1U);
  add(module("/b/b", {branching(20, "_Z1gv", "../b.cpp", 5)}, 2));
  EXPECT_EQ(functions(model_.convert(std::vector<counter>{{2, 1}})), names{"_Z1gv"});
}

TEST_F(gcov_program_model, functions_with_the_same_ident_are_told_apart_by_their_checksums) {
  auto second = straight(10, "_Z1gv", "../a.cpp", {50});
  second.lineno_checksum = 77;
  add(module("/b/a", {branching(10, "_Z1fv", "../a.cpp", 5), second}, 0));
  EXPECT_EQ(functions(model_.convert(std::vector<counter>{{2, 1}})), names{"_Z1gv"});
}

TEST_F(gcov_program_model, functions_with_the_same_ident_and_lines_are_told_apart_by_their_flow) {
  auto second = straight(10, "_Z1gv", "../a.cpp", {5});
  second.cfg_checksum = 77;
  add(module("/b/a", {branching(10, "_Z1fv", "../a.cpp", 5), second}, 0));
  EXPECT_EQ(functions(model_.convert(std::vector<counter>{{2, 1}})), names{"_Z1gv"});
}

TEST_F(gcov_program_model, real_static_initialization_of_gcc_follows_the_rule) {
  const temporary_folder folder;
  folder.write("quiet.cpp", "#include <iostream>\nint quiet() { return 1; }\n\n");
  folder.write("loud.cpp", "#include <string>\nstd::string text = std::string(30, 'x');\nint plain = 4;\nint last;\n");
  folder.write("ending.cpp", "struct r {\n  r(int);\n};\nr::r(int) {}\nr at_the_end(1);\n");
  folder.write("scaled.cpp", "extern int base;\nint scaled = base * 2;\n");
  folder.write("chosen.cpp", "extern int base;\nint chosen = base ? 2 : 3;\n");
  folder.write("main.cpp", "int quiet();\nint main() { return quiet() - 1; }\n");
  const auto built = run("cd " + folder.path().string() + " && " + MORPH_CXX_COMPILER +
                         " --coverage -O0 -c quiet.cpp loud.cpp ending.cpp scaled.cpp chosen.cpp main.cpp 2>&1");
  ASSERT_EQ(built.status, 0) << built.output;

  program_model model;
  std::uint32_t next_id = 0;
  std::vector<counter> startup;
  for (const auto* stem : {"quiet", "loud", "ending", "scaled", "chosen", "main"}) {
    const auto path = (folder.path() / stem).string();
    const auto bytes = read_file(path + ".gcno").value();
    const auto notes = parse_note(bytes, path);
    if (!notes) GTEST_SKIP() << "not run: " << notes.error();
    module_record record{path + ".gcda", 0, notes->stamp, 0, {}};
    std::memcpy(&record.gcc_version, bytes.data() + 4, 4);
    for (const auto& f : notes->functions) {
      const auto counters = flow(f.blocks, f.arcs).counters();
      record.functions.push_back({f.ident, f.lineno_checksum, f.cfg_checksum, counters, next_id});
      const bool runs_at_start = role_in_initialization(f.symbol) != initialization_role::none;
      for (std::uint32_t i = 0; runs_at_start && i < counters; ++i) startup.push_back({next_id + i, 1});
      next_id += counters;
    }
    ASSERT_TRUE(model.add(record));
  }
  ASSERT_FALSE(startup.empty());
  const auto in_folder = [&](std::uint32_t file) { return model.files()[file].starts_with(folder.path().string()); };
  const auto result = model.convert(startup, [&](std::uint32_t file, std::uint32_t) { return !in_folder(file); });
  std::vector<std::string> lines;
  for (const auto i : result.lines) {
    const auto& line = model.lines()[i];
    lines.push_back(std::filesystem::path(model.files()[line.file]).filename().string() + ":" +
                    std::to_string(line.line));
  }
  // Where no priority is tested, the end of the initializers is in the line of the last variable, whatever that is.
  std::erase(lines, "loud.cpp:4");
  EXPECT_EQ(lines, (std::vector<std::string>{"loud.cpp:2", "ending.cpp:5", "scaled.cpp:2", "chosen.cpp:2"}));
  EXPECT_EQ(result.units, (std::vector<std::uint32_t>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace morph::gcov
