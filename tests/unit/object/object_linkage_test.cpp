// What linkers make of data and names counts: where they put it, and who may reach it.
#include <fmt/format.h>

#include "tests/unit/object/object_programs.hpp"

namespace morph::object_tests {
namespace {

using object::link_unit;

class ObjectLinkage : public ::testing::TestWithParam<way> {
 protected:
  void SetUp() override {
    if (!is_present(GetParam().compiler)) GTEST_SKIP() << GetParam().compiler << " is not installed";
  }
  difference between(const sources& before, const sources& after, const object::compare_options& options = {}) {
    return difference_of(compare(lab_.unit(GetParam(), before), lab_.unit(GetParam(), after), options));
  }

  laboratory lab_;
};

// The bytes stay the same; whoever asks for the address sees another one.
TEST_P(ObjectLinkage, TheAlignmentOfAVariable) {
  for (const std::string definition : {"int value = 3;", "int value;", "extern const int value = 3;",
                                       "thread_local int value = 3;", "inline int value = 3;"}) {
    const std::string f =
        "int other = 5;\nunsigned long f() { return (unsigned long)&value; }\nint g() { return other; }\n";
    const auto with = [&](const std::string& alignment) {
      return sources{{"a.cpp", alignment + " " + definition + "\n" + f}};
    };
    const difference there = between(with(""), with("alignas(64)")), back = between(with("alignas(64)"), with(""));
    EXPECT_TRUE(there.functions.contains("f()")) << definition << "\n" << there.text;
    EXPECT_TRUE(back.functions.contains("f()")) << definition << "\n" << back.text;
    EXPECT_FALSE(there.everything) << definition;
    if (GetParam().flags.find("-fdata-sections") != std::string::npos) {
      EXPECT_FALSE(there.functions.contains("g()")) << definition << "\n" << there.text;
    }
    EXPECT_TRUE(between(with("alignas(64)"), with("alignas(128)")).functions.contains("f()")) << definition;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ObjectLinkage, ::testing::ValuesIn(ways()),
                         [](const auto& i) { return name_of(i.param); });

}  // namespace
}  // namespace morph::object_tests
