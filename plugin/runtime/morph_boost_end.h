// Boost.Test's observer of its end, see morph_end.h.
#ifndef MORPH_RUNTIME_BOOST_END_H
#define MORPH_RUNTIME_BOOST_END_H

#include "morph_boost_tests.h"
#include "morph_end.h"

namespace {

class end_teller : public last_to_end {
 public:
  void test_finish() { morph_runtime::tell_end(); }
};

class end_awaiter : public last_to_begin {
 public:
  void test_unit_start(const test_unit&) {
    if (!has_begun_) boost::unit_test::framework::register_observer(teller_);
    has_begun_ = true;
  }

 private:
  bool has_begun_ = false;
  end_teller teller_;
};

// An object, not a constructor function: the framework is behind the streams of the library then.
struct end_listening {
  end_listening() {
    if (morph_runtime::is_end_awaited()) boost::unit_test::framework::register_observer(awaiter);
  }
  end_awaiter awaiter;
} listens_to_end;

}  // namespace

#endif
