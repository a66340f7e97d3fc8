// Specs in a program of GoogleTest: each relation is a test of it, `spec.relation`, and EXPECT_ and ASSERT_ inside
// relations count.
#pragma once

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "morph/generate.hpp"    // IWYU pragma: export
#include "morph/host.hpp"        // IWYU pragma: export
#include "morph/near.hpp"        // IWYU pragma: export
#include "morph/statistics.hpp"  // IWYU pragma: export

namespace morph::host_gtest {

/// What assertions inside relations said, kept from GoogleTest: shrinking repeats them many times.
inline testing::TestPartResultArray*& caught() {
  static testing::TestPartResultArray* now = nullptr;
  return now;
}
inline std::uint64_t number_caught() {
  return caught() == nullptr ? 0 : static_cast<std::uint64_t>(caught()->size());
}

class relation_test : public testing::Test {
 public:
  relation_test(hosted_spec& of, std::size_t at) : of_(&of), at_(at) {}
  void TestBody() override {
    std::string text;
    {
      testing::TestPartResultArray results;
      const testing::ScopedFakeTestPartResultReporter instead(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
      caught() = &results;
      {
        const host_guard counted(number_caught);
        text = of_->run(at_, false);
      }
      caught() = nullptr;
      if (!text.empty() && results.size() > 0)
        text += std::string("  it says: ") + results.GetTestPartResult(results.size() - 1).message();
    }
    const std::string& warnings = of_->warnings();
    if (!warnings.empty()) {
      RecordProperty("morph_warnings", warnings);
      std::puts(warnings.c_str());
      std::fflush(stdout);
    }
    const hosted_spec::test& test = of_->tests()[at_];
    if (!text.empty()) ADD_FAILURE_AT(test.file.c_str(), test.line) << text;
  }

 private:
  hosted_spec* of_;
  std::size_t at_;
};

inline bool add(const char* name, std::unique_ptr<spec_base> (*make)(const char*), const char* file, int line) {
  auto* const of = new hosted_spec(name, make, file, line);  // as long as the program runs
  for (std::size_t t = 0; t < of->tests().size(); ++t) {
    const hosted_spec::test& test = of->tests()[t];
    testing::RegisterTest(name, test.identifier.c_str(), nullptr, nullptr, test.file.c_str(), test.line,
                          [of, t]() -> testing::Test* { return new relation_test(*of, t); });
  }
  return true;
}

}  // namespace morph::host_gtest

#undef MORPH_SPEC
/// As in spec.hpp, for GoogleTest: declared before main() begins.
#define MORPH_SPEC(NAME, IN, OUT, s)                                                                             \
  static void morph_spec_##NAME(morph::spec<IN, OUT>&);                                                          \
  [[maybe_unused]] static const bool morph_spec_added_##NAME =                                                   \
      morph::host_gtest::add(#NAME, &morph::detail::make_spec<IN, OUT, &morph_spec_##NAME>, __FILE__, __LINE__); \
  static void morph_spec_##NAME([[maybe_unused]] morph::spec<IN, OUT>& s)
