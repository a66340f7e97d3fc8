// Values as text and back: every kind of value, hostile ones, and what is refused.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <deque>
#include <filesystem>
#include <limits>
#include <list>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "morph/text.hpp"

namespace tried {

struct point {
  int x = 0, y = 0;
  bool operator==(const point&) const = default;
};
struct grid {
  int cells[2][3] = {};
  point origin;
  std::array<double, 2> scale{};
  std::string name;
  bool operator==(const grid&) const = default;
};
enum class colour : std::uint8_t { red = 3 };
struct sixteen {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
  bool operator==(const sixteen&) const = default;
};
struct empty {
  bool operator==(const empty&) const = default;
};

/// Without a default text: it says itself what is kept of it.
class fraction {
 public:
  fraction() = default;
  fraction(int over, int under) : over_(over), under_(under) {}
  bool operator==(const fraction&) const = default;
  friend std::pair<int, int> morph_save(const fraction& f) { return {f.over_, f.under_}; }
  friend bool morph_load(fraction& f, const std::pair<int, int>& saved) {
    f = {saved.first, saved.second};
    return saved.second != 0;
  }

 private:
  int over_ = 0, under_ = 1;
};

class by_nlohmann {
 public:
  std::string is;
  explicit by_nlohmann(std::string text = {}) : is(std::move(text)) {}
  bool operator==(const by_nlohmann&) const = default;
  friend void to_json(nlohmann::json& json, const by_nlohmann& value) { json = {{"is", value.is}}; }
  friend void from_json(const nlohmann::json& json, by_nlohmann& value) { json.at("is").get_to(value.is); }
};

/// Known to both: Morph's own rules decide, as they do where the library is not included.
struct of_both {
  int x = 0;
  std::string text;
  bool operator==(const of_both&) const = default;
  friend void to_json(nlohmann::json& json, const of_both& value) { json = value.x; }
  friend void from_json(const nlohmann::json& json, of_both& value) { json.get_to(value.x); }
};
class opaque_of_both {
 public:
  opaque_of_both() = default;
  bool operator==(const opaque_of_both&) const = default;
  friend void to_json(nlohmann::json& json, const opaque_of_both& value) { json = value.value_; }
  friend void from_json(const nlohmann::json& json, opaque_of_both& value) { json.get_to(value.value_); }

 private:
  std::uint16_t value_ = 258;
};

class opaque {
 public:
  opaque() = default;
  explicit opaque(std::uint16_t value) : value_(value) {}
  bool operator==(const opaque&) const = default;

 private:
  std::uint16_t value_ = 0;
};

}  // namespace tried

namespace {

using namespace tried;
using morph::from_text;
using morph::show;
using morph::to_text;

/// Its text, if that is read back as an equal value.
template <typename T>
std::string there_and_back(const T& value) {
  const std::string text = to_text(value);
  const auto read = from_text<T>(text);
  EXPECT_TRUE(read.value) << text << ": " << read.error;
  if (read.value) {
    EXPECT_TRUE(*read.value == value) << text;
    EXPECT_EQ(to_text(*read.value), text);
  }
  return text;
}

template <typename T>
std::string error_of(std::string_view text) {
  const auto read = from_text<T>(text);
  EXPECT_FALSE(read.value) << text;
  return read.error;
}

TEST(SpecText, NumbersAreExact) {
  EXPECT_EQ(there_and_back(true), "true");
  EXPECT_EQ(there_and_back(-5), "-5");
  EXPECT_EQ(there_and_back(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(there_and_back(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(there_and_back(static_cast<signed char>(-7)), "-7");
  EXPECT_EQ(there_and_back(0.1), "0.1");
  EXPECT_EQ(there_and_back(0.1F), "0.1");
  EXPECT_EQ(there_and_back(1e300), "1e+300");
  EXPECT_EQ(there_and_back(std::numeric_limits<double>::denorm_min()), "5e-324");
  there_and_back(1.0L / 3);
  EXPECT_EQ(there_and_back(colour::red), "3");
  EXPECT_EQ(there_and_back('x'), "\"x\"");
}

TEST(SpecText, WhatIsNoNumberSurvives) {
  EXPECT_EQ(there_and_back(std::numeric_limits<double>::infinity()), "\"inf\"");
  EXPECT_EQ(there_and_back(-std::numeric_limits<float>::infinity()), "\"-inf\"");
  EXPECT_EQ(to_text(std::nan("")), "\"nan\"");
  EXPECT_TRUE(std::isnan(*from_text<double>("\"nan\"").value));
  EXPECT_EQ(to_text(-0.0), "-0");
  EXPECT_TRUE(std::signbit(*from_text<double>("-0").value));
}

TEST(SpecText, StringsOfAnyBytesSurvive) {
  EXPECT_EQ(there_and_back(std::string("a\"b\\c\n\t\x01")), R"("a\"b\\c\n\t\u0001")");
  EXPECT_EQ(there_and_back(std::string("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80")),
            "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80\"");
  EXPECT_EQ(there_and_back(std::string("\xff\x00z", 3)), R"({"base64":"/wB6"})");
  EXPECT_EQ(there_and_back(std::string("\xff")), R"({"base64":"/w=="})");
  EXPECT_EQ(there_and_back(std::string("\xc0\xaf")), R"({"base64":"wK8="})") << "too long a form of '/'";
  EXPECT_EQ(there_and_back(std::string("\xed\xa0\x80")), R"({"base64":"7aCA"})") << "half a surrogate pair";
  EXPECT_EQ(there_and_back(std::string("\xf4\x90\x80\x80")), R"({"base64":"9JCAgA=="})");
  EXPECT_EQ(there_and_back(std::string(1, '\0')), R"("\u0000")");
  there_and_back(std::string(5'000'000, 'x'));
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  there_and_back(all);
  EXPECT_EQ(*from_text<std::string>(R"("\u00fc\ud83d\ude00\/")").value, "\xc3\xbc\xf0\x9f\x98\x80/");
}

TEST(SpecText, ContainersAndTheirLike) {
  EXPECT_EQ(there_and_back(std::vector<int>{1, 2}), "[1,2]");
  EXPECT_EQ(there_and_back(std::vector<int>{}), "[]");
  EXPECT_EQ(there_and_back(std::vector<bool>{true, false}), "[true,false]");
  EXPECT_EQ(there_and_back(std::list<std::string>{"a"}), "[\"a\"]");
  EXPECT_EQ(there_and_back(std::deque<int>{4}), "[4]");
  EXPECT_EQ(there_and_back(std::array<int, 3>{1, 2, 3}), "[1,2,3]");
  EXPECT_EQ(there_and_back(std::set<int>{3, 1}), "[1,3]");
  EXPECT_EQ(there_and_back(std::map<std::string, int>{{"b", 1}, {"a", 2}}), "[[\"a\",2],[\"b\",1]]");
  EXPECT_EQ(there_and_back(std::unordered_set<int>{30, 1, 2}), "[1,2,30]");
  EXPECT_EQ(there_and_back(std::unordered_map<int, int>{{2, 1}, {1, 1}}), "[[1,1],[2,1]]");
  EXPECT_EQ(there_and_back(std::pair<int, std::string>{1, "x"}), "[1,\"x\"]");
  EXPECT_EQ(there_and_back(std::tuple<int, bool, double>{1, true, 2.5}), "[1,true,2.5]");
  EXPECT_EQ(there_and_back(std::tuple<>{}), "[]");
}

TEST(SpecText, WhatMayBeNothing) {
  EXPECT_EQ(there_and_back(std::optional<int>()), "null");
  EXPECT_EQ(there_and_back(std::optional<int>(5)), "[5]");
  EXPECT_EQ(there_and_back(std::optional<std::optional<int>>(std::optional<int>())), "[null]");
  using either = std::variant<std::monostate, int, std::string>;
  EXPECT_EQ(there_and_back(either()), "[0,null]");
  EXPECT_EQ(there_and_back(either("x")), "[2,\"x\"]");
  EXPECT_EQ(to_text(std::make_unique<int>(4)), "[4]");
  EXPECT_EQ(**from_text<std::unique_ptr<int>>("[4]").value, 4);
  EXPECT_EQ(*from_text<std::shared_ptr<int>>("null").value, nullptr);
}

TEST(SpecText, AggregatesAreTakenApart) {
  EXPECT_EQ(there_and_back(point{1, -2}), "[1,-2]");
  EXPECT_EQ(there_and_back(empty{}), "[]");
  const grid g{{{1, 2, 3}, {4, 5, 6}}, {7, 8}, {0.5, 2}, "g"};
  EXPECT_EQ(there_and_back(g), "[[[1,2,3],[4,5,6]],[7,8],[0.5,2],\"g\"]");
  there_and_back(sixteen{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  EXPECT_EQ(morph::reflect::members<grid>, 4U);
  EXPECT_EQ(morph::reflect::members<sixteen>, 16U);
}

TEST(SpecText, PeopleSeeTheNamesOfMembers) {
  const std::string shown = show(grid{{}, {7, 8}, {}, "g"});
  const bool has_names = !morph::reflect::member_name<point, 0>().empty();
  EXPECT_EQ(shown, has_names ? R"({"cells":[[0,0,0],[0,0,0]],"origin":{"x":7,"y":8},"scale":[0,0],"name":"g"})"
                             : to_text(grid{{}, {7, 8}, {}, "g"}));
  EXPECT_EQ(*from_text<point>(R"( { "x" : 1, "y":2 } )").value, (point{1, 2}));
  if (has_names) {
    EXPECT_EQ(error_of<point>(R"({"x":1,"z":2})"), "at 10: the member 'y' is wanted, not 'z'");
  }
}

TEST(SpecText, ATypeMaySayItselfWhatIsKept) {
  EXPECT_EQ(there_and_back(fraction(1, 3)), "[1,3]");
  EXPECT_EQ(there_and_back(std::vector<fraction>{{1, 3}, {2, 5}}), "[[1,3],[2,5]]");
  EXPECT_EQ(error_of<fraction>("[1,0]"), "at 5: the value is refused by morph_load()");
  EXPECT_EQ(there_and_back(by_nlohmann("a\"]}b")), R"({"is":"a\"]}b"})");
  EXPECT_EQ(there_and_back(std::vector<by_nlohmann>{by_nlohmann("x"), by_nlohmann()}), R"([{"is":"x"},{"is":""}])");
  EXPECT_NE(error_of<by_nlohmann>("{\"was\":[1,{}]}").find("'is' not found"), std::string::npos);
  EXPECT_EQ(there_and_back(opaque(258)), R"({"bytes":"0201"})");
  EXPECT_EQ(error_of<opaque>(R"({"bytes":"02"})"), "at 14: {\"bytes\": ...} of 2 bytes is wanted");
}

TEST(SpecText, WhatMorphKnowsIsNotLeftToALibrary) {
  EXPECT_EQ(there_and_back(of_both{1, "\xff"}), R"([1,{"base64":"/w=="}])");
  EXPECT_EQ(there_and_back(opaque_of_both()), R"({"bytes":"0201"})");
  EXPECT_EQ(there_and_back(std::map<int, of_both>{{3, {1, "x"}}}), R"([[3,[1,"x"]]])");
}

TEST(SpecText, WhatCannotBeReadSaysWhereAndWhat) {
  EXPECT_EQ(error_of<int>("x"), "at 0: a number is wanted, not 'x'");
  EXPECT_EQ(error_of<int>(""), "at 0: a number is wanted, but the text ends");
  EXPECT_EQ(error_of<int>("1.5"), "at 3: a whole number is wanted, not 1.5");
  EXPECT_EQ(error_of<std::int8_t>("300"), "at 3: the number 300 is too large");
  EXPECT_EQ(error_of<unsigned>("-1"), "at 2: a whole number is wanted, not -1");
  EXPECT_EQ(error_of<int>("1 2"), "at 2: the value has ended, but more text comes");
  EXPECT_EQ(error_of<double>("\"huge\""), "at 6: a number is wanted, not \"huge\"");
  EXPECT_EQ(error_of<bool>("truth"), "at 0: 'true' is wanted");
  EXPECT_EQ(error_of<char>("\"xy\""), "at 4: one character is wanted");
  EXPECT_EQ(error_of<point>("[1]"), "at 2: ',' is wanted, not ']'");
  EXPECT_EQ(error_of<point>("[1,2,3]"), "at 4: ']' is wanted, not ','");
  EXPECT_EQ((error_of<std::array<int, 2>>("[1,2")), "at 4: ']' is wanted, but the text ends");
  EXPECT_EQ((error_of<std::variant<int, bool>>("[2,5]")), "at 3: there is no alternative 2");
  EXPECT_EQ(error_of<std::string>("\"\\q\""), "at 3: \\q stands for nothing");
  EXPECT_EQ(error_of<std::string>("\"\\ud800\""), "at 7: half a surrogate pair");
  EXPECT_EQ(error_of<std::string>("{\"base64\":\"x\"}"), "at 14: a string or {\"base64\": ...} is wanted");
  EXPECT_EQ(error_of<std::string>("\"half"), "at 5: '\"' is wanted, but the text ends");
}

struct letters {
  char name[4];
  int number;
  bool operator==(const letters&) const = default;
};
struct refers {
  int number;
  std::string& text;
};
enum class answer : bool { no, yes };
class padded {
 public:
  padded() = default;
  padded(char letter, int number) : letter_(letter), number_(number) {}

 private:
  char letter_ = 0;
  int number_ = 0;
};
static_assert(!morph::reflect::reflectable<refers>, "its members are not known: it has no text");
static_assert(!morph::text::bytes_alone<padded>, "between its members are bytes that mean nothing");
static_assert(morph::text::bytes_alone<opaque>);
static_assert(!morph::text::range_like<std::filesystem::path>, "it is a range of paths");

TEST(SpecText, OddMembers) {
  EXPECT_EQ(there_and_back(letters{{'a', 'b', 'c', 'd'}, 1}), "[\"abcd\",1]");
  EXPECT_EQ(there_and_back(letters{"ab", 1}), "[\"ab\",1]");
  EXPECT_EQ(error_of<letters>("[\"abcde\",1]"), "at 8: the string is too long");
  EXPECT_EQ(there_and_back(answer::yes), "1");
  EXPECT_EQ(to_text(std::map<int, std::unique_ptr<int>>{}), "[]");
}

TEST(SpecText, ManyBracesAreNoString) {
  EXPECT_NE(error_of<std::string>(std::string(3'000'000, '{')), "");
  EXPECT_NE(error_of<std::string>(R"({"base64":{"base64":"QUFBQQ=="}})"), "");
}

struct deep {
  std::vector<deep> in;
  bool operator==(const deep&) const = default;
};

TEST(SpecText, NestingEndsSomewhere) {
  EXPECT_EQ(error_of<deep>(std::string(100'000, '[')), "at 200: values are nested deeper than 200 levels");
}

/// Every beginning of a text, and a text with any byte exchanged, is read or refused.
TEST(SpecText, CutAndSpoiltTextsAreRefused) {
  const std::string whole =
      to_text(std::pair{grid{{}, {1, 2}, {0.5, 1}, "a\xff"}, std::vector<std::optional<int>>{{}, 5}});
  using read_as = std::pair<grid, std::vector<std::optional<int>>>;
  ASSERT_TRUE(from_text<read_as>(whole).value);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(error_of<read_as>(std::string_view(whole).substr(0, size)), "") << size;
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const char c : {'"', '[', ']', '{', ',', 'x', '\0', '\xff', '9'}) {
      std::string spoilt = whole;
      spoilt[i] = c;
      const auto read = from_text<read_as>(spoilt);
      EXPECT_NE(read.value.has_value(), !read.error.empty());
    }
}

}  // namespace
