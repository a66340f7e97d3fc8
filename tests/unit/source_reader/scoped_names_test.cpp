// What is said of a class that is not there.
#include "plugin/source_reader/scoped_names.hpp"

#include <gtest/gtest.h>

namespace morph::source_reader {
namespace {

TEST(ScopedNames, TheNearestClassIsNamedByItsWholeOrItsLastPart) {
  const std::vector<std::string> classes{"post::courier", "post::van"};
  EXPECT_EQ(no_class("vam", classes),
            "there is no class 'vam' with functions in the project's sources; did you mean 'post::van'?");
  EXPECT_EQ(no_class("mail::courier", classes),
            "there is no class 'mail::courier' with functions in the project's sources; did you mean 'post::courier'?");
  EXPECT_EQ(no_class("parliament", classes), "there is no class 'parliament' with functions in the project's sources");
}

}  // namespace
}  // namespace morph::source_reader
