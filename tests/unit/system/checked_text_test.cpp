// Bytes that were cut off or changed are noticed.
#include "plugin/system/checked_text.hpp"

#include <gtest/gtest.h>

namespace morph::system {
namespace {

TEST(CheckedText, IsWhatWasWrittenOrNothing) {
  for (const std::string& content : {std::string(), std::string("content\n"), std::string(3, '\0')}) {
    const std::string whole = with_check(content);
    EXPECT_EQ(checked_content(whole), content);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_EQ(checked_content(whole.substr(0, size)), std::nullopt) << size;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      EXPECT_EQ(checked_content(damaged), std::nullopt) << at;
    }
  }
}

}  // namespace
}  // namespace morph::system
