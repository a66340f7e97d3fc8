// Boost.Test adapter for program mutants: an observer that serves them where the first test would run.
#include <stdint.h>

#include <algorithm>
#include <string>

#include "morph_boost_tests.h"
#include "morph_serve.h"

namespace {

bool serves = false;
unit_id root = boost::unit_test::INV_TEST_UNIT_ID;
unit_list* known = nullptr;        // never freed: that would touch its pages in each process
const uint32_t* chosen = nullptr;  // numbers among them
size_t chosen_count = 0;
size_t begun = 0;  // of the chosen ones
bool may_fail = false;

void serve() {
  known = new unit_list(enabled_cases_below(root));
  std::string names, places;
  for (size_t i = 0; i < known->size(); ++i) {
    const test_unit& unit = unit_of((*known)[i]);
    names.append(unit.full_name()).push_back('\0');
    places.append(unit.p_file_name.begin(), unit.p_file_name.end());
    places.append(":").append(std::to_string(unit.p_line_num)).push_back('\0');
  }
  morph_runtime::serve_mutants(names.data(), names.size(), places.data(), places.size(),
                               static_cast<uint32_t>(known->size()));
  chosen = morph_runtime::chosen_tests(&chosen_count);
  unit_list tests;
  for (size_t i = 0; i < chosen_count; ++i) tests.push_back((*known)[chosen[i]]);
  leave_only(root, tests);
}

bool is_within(unit_id id, unit_id suite) {
  for (; id != boost::unit_test::INV_TEST_UNIT_ID; id = unit_of(id).p_parent_id)
    if (id == suite) return true;
  return false;
}

class ends : public last_to_end {
 public:
  void test_unit_finish(const test_unit& unit, unsigned long) {
    if (serves && is_case(unit) && !results_of(unit.p_id).passed()) morph_runtime::test_failed();
  }

  void test_finish() {
    if (!serves) return;
    if (results_of(root).result_code() != 0 && !morph_runtime::a_test_has_failed()) morph_runtime::test_failed();
    morph_runtime::tests_passed();
  }
};

class beginnings : public last_to_begin {
 public:
  void test_unit_start(const test_unit& unit) {
    if (!serves) {
      serves = true;
      root = unit.p_id;
      boost::unit_test::framework::register_observer(at_end_);
      serve();
      return;
    }
    if (!is_case(unit)) return;
    may_fail = unit.p_expected_failures != 0;
    for (size_t i = 0; i < chosen_count; ++i)
      if ((*known)[chosen[i]] == unit.p_id) {
        begun = std::max(begun, i + 1);
        return morph_runtime::test_begins(chosen[i]);
      }
    // What a chosen one depends on is a part of it.
    if (begun < chosen_count) morph_runtime::test_begins(chosen[begun]);
  }

  void assertion_result(boost::unit_test::assertion_result result) {
    if (result == boost::unit_test::AR_FAILED && !may_fail) morph_runtime::test_failed();
  }

  void exception_caught(const boost::execution_exception&) {
    if (!may_fail) morph_runtime::test_failed();
  }

  void test_unit_skipped(const test_unit& unit, boost::unit_test::const_string) {
    for (size_t i = 0; i < chosen_count; ++i)
      if (is_within((*known)[chosen[i]], unit.p_id)) {
        morph_runtime::test_begins(chosen[i]);
        morph_runtime::test_was_skipped();
      }
  }

 private:
  ends at_end_;
};

struct listening {
  listening() {
    if (!morph_runtime::serves_mutants()) return;
    boost::unit_test::framework::register_observer(at_begin);
  }
  beginnings at_begin;
} listens;

}  // namespace
