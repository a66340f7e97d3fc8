// The same for Catch2: the macros take an expression apart, and a section is read with what stands before it.
#include <catch2/catch.hpp>

#include "codec.hpp"
#include "doc.hpp"

TEST_CASE("sections") {
  const std::string text = "a";
  SECTION("there and back") {
    CHECK(decode(encode(text)) == text);  //= encode(text) | decode(encode(text)): computed
    REQUIRE_FALSE(checksum("c") == checksum("d"));  //= checksum("c") | checksum("d"): none
    CHECK((checksum("a") == checksum("b")));  //= checksum("a") | checksum("b"): none
  }
  ns::doc d = ns::parse("a");
  SECTION("changed") {
    SECTION("once") {
      d.deepen(2);
    }
    const ns::doc e = ns::parse("b");
    CHECK(d.depth() <= e.depth());  //= d.depth() | e.depth(): none
  }
  CHECK(d.depth() == 3);
}
TEST_CASE("conditions") {
  const ns::doc a = ns::parse("a"), b = ns::parse("b");
  CHECK(a.has(b));  //= ns::parse("a") | ns::parse("b"): none
  CHECK(a.depth() == 1);
  CHECK_THAT(decode(encode(a.text())), Catch::Matchers::Equals(a.text()));  //= encode(a.text()) | decode(encode(a.text())): computed
}
