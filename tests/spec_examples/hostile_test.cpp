// Programs of specs whose morphisms crash, throw or do not end: what is said of them, by each way to run them.
#include <gtest/gtest.h>

#include "spec_example_runs.hpp"

namespace {

using namespace spec_examples;

const std::string program = MORPH_EXAMPLE_HOSTILE;

program_end hostile(const std::string& options, const std::string& input = "", const std::string& environment = "") {
  return run(".", environment + " '" + program + "' " + options, input);
}
bool has(const program_end& ended, const std::string& part) {
  return ended.text.find(part) != std::string::npos;
}

// ---- typed seeds

TEST(HostileSpecs, TypedSeedsAreThereWhenRunsAreIsolated) {
  for (const std::string how : {"", "--isolation batches"}) {
    const program_end ended = hostile("--quiet --spec typed " + how, "3\\n7\\n");
    EXPECT_EQ(ended.status, 1) << ended.text;
    EXPECT_TRUE(has(ended, "  source  7 -> crashed: signal 6 (Aborted)   (seed \"typed in\")\n")) << ended.text;
  }
}

}  // namespace
