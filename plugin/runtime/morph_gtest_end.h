// GoogleTest's listener of its end, see morph_end.h.
#ifndef MORPH_RUNTIME_GTEST_END_H
#define MORPH_RUNTIME_GTEST_END_H

#include <gtest/gtest.h>

#include "morph_end.h"

namespace {

// Added before main() adds its own. Ends of listeners come in reverse order: this one is the last.
class end_teller : public testing::EmptyTestEventListener {
 public:
  void OnTestProgramEnd(const testing::UnitTest&) override { morph_runtime::tell_end(); }
};

__attribute__((constructor)) void listen_to_end() {
  if (morph_runtime::is_end_awaited()) testing::UnitTest::GetInstance()->listeners().Append(new end_teller);
}

}  // namespace

#endif
