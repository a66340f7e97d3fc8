// Boost.Test adapter: observers that run each test case of the program in a process of its own. Boost >= 1.59.
#include <stdlib.h>
#include <unistd.h>

#include <iostream>

#include "morph_boost_end.h"
#include "morph_boost_tests.h"
#include "morph_capture.h"

namespace {

bool has_begun = false;
bool in_test = false;
bool in_rest = false;
bool in_process = false;
bool is_between = true;  // the fixtures of all tests, or of a suite, come before the next one
unit_id root = boost::unit_test::INV_TEST_UNIT_ID;
unit_id current = boost::unit_test::INV_TEST_UNIT_ID;  // in a test's process

unit_list wanted_cases() {
  const unit_list all = enabled_cases_below(root);
  unit_list wanted;
  for (size_t i = 0; i < all.size(); ++i)
    if (morph_runtime::wanted(unit_of(all[i]).full_name().c_str())) wanted.push_back(all[i]);
  return wanted;
}

// The first unit to begin is the root. Global fixtures are set up behind it: they belong to each test.
void begin() {
  std::cout.flush();
  in_process = morph_runtime::requested_in_process();
  const unit_list tests = wanted_cases();
  morph_runtime::start();
  if (in_process) {
    leave_only(root, tests);
    return;
  }
  // Not by number: the framework sets handlers of signals for each test, so that no process could be restored.
  for (size_t i = 0; i < tests.size(); ++i) {
    in_test =
        morph_runtime::run_test(unit_of(tests[i]).full_name().c_str(), morph_runtime::verdict_from::framework).in_test;
    if (!in_test) continue;
    current = tests[i];
    leave_only(root, unit_list(1, current));
    return;
  }
  in_rest = morph_runtime::run_rest_of_main();
  if (in_rest) {
    leave_only(root, unit_list());
    return;
  }
  morph_runtime::end_stream();
  _exit(0);
}

class ends : public last_to_end {
 public:
  void test_unit_finish(const test_unit& unit, unsigned long) {
    if (!in_process) return;
    is_between = is_between || !is_case(unit);
    if (is_case(unit))
      morph_runtime::end_here(unit.full_name().c_str(),
                              results_of(unit.p_id).passed() ? morph_stream::passed : morph_stream::failed);
  }

  // The end of main() is not for a test process, see morph_gtest.cpp.
  void test_finish() {
    if (in_process) {
      if (is_between) morph_runtime::between_tests_here();
      morph_runtime::end_stream();
    }
    if (!in_test) return;
    const bool has_failed = results_of(root).result_code() != 0;  // what the program would end with
    morph_runtime::set_verdict(has_failed                      ? morph_stream::failed
                               : results_of(current).p_skipped ? morph_stream::skipped
                                                               : morph_stream::passed);
    boost::unit_test::framework::shutdown();  // as unit_test_main() does before statics are destroyed
    exit(has_failed ? 1 : 0);
  }
};

class beginnings : public last_to_begin {
 public:
  void test_unit_start(const test_unit& unit) {
    if (!has_begun) {
      has_begun = true;
      root = unit.p_id;
      boost::unit_test::framework::register_observer(at_end_);
      begin();
      return;
    }
    if (!in_process) return;
    if (!is_case(unit)) {
      is_between = true;
      return;
    }
    if (is_between) morph_runtime::between_tests_here();
    is_between = false;
    morph_runtime::begin_here(unit.full_name().c_str());
  }

 private:
  ends at_end_;
};

struct listening {
  listening() {
    if (!morph_runtime::requested()) return;
    boost::unit_test::framework::register_observer(at_begin);
  }
  beginnings at_begin;
} listens;

}  // namespace
