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

// An object, not a constructor function: the framework is behind the streams of the library then.
struct end_listening {
  end_listening() {
    if (morph_runtime::is_end_awaited()) boost::unit_test::framework::register_observer(teller);
  }
  end_teller teller;
} listens_to_end;

}  // namespace

#endif
