// Boost.Test's cases and which of them it runs, for adapters. Boost >= 1.59.
//
// Parts alone are included: the header for tests defines a main() where the project's options ask for one.
#ifndef MORPH_RUNTIME_BOOST_TESTS_H
#define MORPH_RUNTIME_BOOST_TESTS_H

#undef BOOST_TEST_MODULE
#undef BOOST_TEST_MAIN
#include <limits.h>

#include <boost/test/framework.hpp>
#include <boost/test/results_collector.hpp>
#include <boost/test/tree/observer.hpp>
#include <boost/test/tree/test_unit.hpp>
#include <boost/test/tree/traverse.hpp>
#include <boost/test/tree/visitor.hpp>
#include <string>
#include <vector>

namespace {

typedef boost::unit_test::test_unit test_unit;
typedef boost::unit_test::test_unit_id unit_id;
typedef std::vector<unit_id> unit_list;

inline test_unit& unit_of(unit_id id) {
  return boost::unit_test::framework::get(id, boost::unit_test::TUT_ANY);
}

inline bool is_case(const test_unit& unit) {
  return unit.p_type == boost::unit_test::TUT_CASE;
}

inline const boost::unit_test::test_results& results_of(unit_id id) {
  return boost::unit_test::results_collector.results(id);
}

class collector : public boost::unit_test::test_tree_visitor {
 public:
  explicit collector(bool enabled_cases) : enabled_cases_(enabled_cases) {}

  bool visit(const test_unit& unit) {
    if (!enabled_cases_ || (is_case(unit) && unit.is_enabled())) found.push_back(unit.p_id);
    return true;
  }

  unit_list found;

 private:
  bool enabled_cases_;
};

// In the order in which they were declared: another one may be due to dependencies.
inline unit_list enabled_cases_below(unit_id root) {
  collector all(true);
  boost::unit_test::traverse_test_tree(root, all, true);
  return all.found;
}

inline unit_list units_below(unit_id root) {
  collector all(false);
  boost::unit_test::traverse_test_tree(root, all, true);
  return all.found;
}

// With what it depends on and the suites around it, as for `--run_test`.
inline void enable(unit_id root, unit_id id) {
  if (unit_of(id).p_run_status == test_unit::RS_ENABLED) return;
  unit_list waiting = units_below(id);
  for (unit_id above = unit_of(id).p_parent_id; above != boost::unit_test::INV_TEST_UNIT_ID && above != root;
       above = unit_of(above).p_parent_id)
    waiting.push_back(above);
  unit_list needed;
  for (size_t i = 0; i < waiting.size(); ++i) {
    test_unit& unit = unit_of(waiting[i]);
    unit.p_run_status.value = test_unit::RS_ENABLED;
    const unit_list& others = unit.p_dependencies.get();
    needed.insert(needed.end(), others.begin(), others.end());
  }
  for (size_t i = 0; i < needed.size(); ++i) enable(root, needed[i]);
}

// Nothing else below the root, which itself stays what it is.
inline void leave_only(unit_id root, const unit_list& cases) {
  const unit_list all = units_below(root);
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i] != root) unit_of(all[i]).p_run_status.value = test_unit::RS_DISABLED;
  for (size_t i = 0; i < cases.size(); ++i) enable(root, cases[i]);
}

// Hears of beginnings behind all other observers. The framework's own handlers of signals are not set then, but for the
// time of a fixture or a case.
class last_to_begin : public boost::unit_test::test_observer {
 public:
  int priority() { return INT_MAX; }
};

// Hears of ends behind all others: ends come in reverse order. It is registered when the root has begun: before, the
// framework asks its own observer of failures whether there was one, which 1.74 does not initialize for those of a
// lower priority.
class last_to_end : public boost::unit_test::test_observer {
 public:
  int priority() { return INT_MIN; }
};

}  // namespace

#endif
