// Catch2's listener of its end, see morph_end.h.
#ifndef MORPH_RUNTIME_CATCH2_END_H
#define MORPH_RUNTIME_CATCH2_END_H

#include "morph_catch2_tests.h"
#include "morph_end.h"

namespace {

class end_teller : public listener_base {
 public:
  using listener_base::listener_base;
  void testRunEnded(const Catch::TestRunStats&) override { morph_runtime::tell_end(); }
};

CATCH_REGISTER_LISTENER(end_teller)

}  // namespace

#endif
