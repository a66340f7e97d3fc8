// The same for doctest.
#include <doctest/doctest.h>

#include "codec.hpp"
#include "doc.hpp"

TEST_CASE("sections") {
  const std::string text = "a";
  SUBCASE("there and back") {
    CHECK(decode(encode(text)) == text);  //= encode(text) | decode(encode(text)): computed
    CHECK_EQ(checksum("a"), checksum("b"));  //= checksum("a") | checksum("b"): none
    CHECK_FALSE(checksum("c") == checksum("d"));  //= checksum("c") | checksum("d"): none
  }
  ns::doc d = ns::parse("a");
  SUBCASE("changed") {
    d.deepen(2);
    const ns::doc e = ns::parse("b");
    CHECK(d.depth() <= e.depth());  //= d.depth() | e.depth(): none
  }
  CHECK(d.depth() == 3);
}
TEST_CASE_TEMPLATE("types", T, int, long) {
  const T many = 3;
  ns::doc d(many);
  CHECK(many == d.depth());  //= d(many) | d.depth(): computed
}
