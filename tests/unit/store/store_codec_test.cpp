// Rows and classes as bytes, and rows folded into classes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "plugin/store/codec.hpp"
#include "plugin/store/compression.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::store {
namespace {
using morph::optimizer::requirement_kind;

TEST(Codec, RoundTripsAscendingNumbers) {
  const std::vector<std::uint64_t> values{0, 1, 127, 128, 300, 1ULL << 40, ~0ULL};
  EXPECT_EQ(decode_ascending<std::uint64_t>(encode_ascending(values)), values);
  EXPECT_EQ(decode_ascending<std::uint64_t>(""), std::vector<std::uint64_t>{});
}

TEST(Codec, RejectsBytesThatItDidNotWrite) {
  EXPECT_FALSE(decode_ascending<std::uint64_t>("\x80"));                            // ends inside a number
  EXPECT_FALSE(decode_ascending<std::uint64_t>(std::string("\x05\0", 2)));          // does not ascend
  EXPECT_FALSE(decode_ascending<std::uint64_t>(std::string(11, '\x80') + '\x01'));  // longer than 64 bits
}

const std::vector<std::uint64_t> with_runs = [] {
  std::vector<std::uint64_t> values{0, 1, 2, 60, 63, 64};
  for (std::uint64_t v = 1000; v < 1300; ++v) values.push_back(v);  // longer than the longest run
  for (const std::uint64_t v : {1ULL << 60, (1ULL << 60) + 1, ~0ULL - 1, ~0ULL}) values.push_back(v);
  return values;
}();

TEST(Codec, RoundTripsRuns) {
  std::vector<std::uint64_t> values{7};
  ASSERT_TRUE(decode_runs(encode_runs(with_runs), values));
  EXPECT_EQ(values, with_runs);
  ASSERT_TRUE(decode_runs(encode_runs({}), values));
  EXPECT_TRUE(values.empty());
  const std::vector<std::uint64_t> both_ends{0, ~0ULL};
  ASSERT_TRUE(decode_runs(encode_runs(both_ends), values));
  EXPECT_EQ(values, both_ends);
  std::vector<std::uint64_t> ten(10);
  for (std::uint64_t i = 0; i < ten.size(); ++i) ten[i] = 5 + i;
  EXPECT_EQ(encode_runs(ten), "\x0b\x08");
}

TEST(Codec, RejectsRunsThatItDidNotWrite) {
  std::vector<std::uint64_t> values;
  EXPECT_FALSE(decode_runs("\x0b", values));                                             // without its length
  EXPECT_FALSE(decode_runs("\x80", values));                                             // ends inside a number
  EXPECT_FALSE(decode_runs(std::string("\x0a\0", 2), values));                           // does not ascend
  EXPECT_FALSE(decode_runs("\x0b\xff\xff\xff\xff\x0f", values));                         // a few bytes for gigabytes
  EXPECT_FALSE(decode_runs("\xfd" + std::string(8, '\xff') + '\x03' + '\x05', values));  // passes 2^64
}

std::vector<measured_function> some_functions() {
  return {{"_ZN4area5stripEii", 0, 3, 5, false},
          {"_ZN4area6squareEi", 1, 7, 7, true},
          {"_ZN4area6squareEi", ~0U, ~0U, 0, false},  // ends before it begins
          {"", 0, 0, 0, false},
          {"main", 2, 1, 1000000, false}};
}

std::string text_of(const std::vector<measured_function>& functions) {
  std::string text;
  for (const measured_function& f : functions)
    text += fmt::format("{} {} {} {} {}\n", f.symbol, f.file, f.start_line, f.end_line, f.artificial);
  return text;
}

TEST(Codec, RoundTripsFunctions) {
  std::vector<measured_function> functions{{"before", 1, 2, 3, true}};
  const std::string before = text_of(functions);
  ASSERT_TRUE(unpack_functions(pack_functions(some_functions()), functions));
  EXPECT_EQ(text_of(functions), before + text_of(some_functions()));
  functions.clear();
  ASSERT_TRUE(unpack_functions(pack_functions({}), functions));
  EXPECT_TRUE(functions.empty());
}

TEST(Codec, NoticesEveryChangeOfFunctions) {
  const std::string bytes = pack_functions(some_functions());
  std::vector<measured_function> functions;
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(unpack_functions(std::string_view(bytes).substr(0, length), functions)) << length;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 0x10);
    functions.clear();
    // A bit of zstd's header says something that no content depends on.
    if (!unpack_functions(other, functions)) continue;
    EXPECT_EQ(text_of(functions), text_of(some_functions())) << at;
  }
}

TEST(Codec, RejectsFunctionsThatItDidNotWrite) {
  std::vector<measured_function> functions;
  const auto rejects = [&](std::string_view plain) {
    return !unpack_functions(compressed(plain, check_sum::added), functions);
  };
  using namespace std::string_view_literals;
  EXPECT_FALSE(rejects("\1\0\1\0\0\0\0f"sv));
  EXPECT_TRUE(rejects(""));
  EXPECT_TRUE(rejects("\x7f"));                                   // more functions than bytes
  EXPECT_TRUE(rejects("\1\0\1\0\0"sv));                           // a column is missing
  EXPECT_TRUE(rejects("\1\1\1\0\0\0\0f"sv));                      // shares a byte with no name
  EXPECT_TRUE(rejects("\1\0\2\0\0\0\0f"sv));                      // a name that is cut off
  EXPECT_TRUE(rejects("\1\0\1\0\0\0\0fg"sv));                     // a byte of no name
  EXPECT_TRUE(rejects("\1\0\1\xff\xff\xff\xff\xff\1\0\0\0f"sv));  // a file beyond 2^32
}

std::vector<element_class> some_classes() {
  return {{{0, 1, 200}, {3, 4, 5, 9}}, {{7}, {4000}}, {{1, 2}, {5000, 5001, 1ULL << 60}}, {{}, {6000}}};
}

bool equal(const std::vector<element_class>& a, const std::vector<element_class>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const element_class& x, const element_class& y) {
    return x.tests == y.tests && x.elements == y.elements;
  });
}

TEST(Codec, RoundTripsClasses) {
  class_packer packer;
  for (const element_class& c : some_classes()) packer.add(c);
  EXPECT_GT(packer.size(), 0U);
  const packed_classes packed = packer.take();
  std::vector<element_class> classes;
  ASSERT_TRUE(unpack_classes(packed.tests, packed.elements, classes));
  EXPECT_TRUE(equal(classes, some_classes()));
  packer.add(some_classes()[1]);
  const packed_classes next = packer.take();
  ASSERT_TRUE(unpack_classes(next.tests, next.elements, classes)) << "what was taken before does not matter";
  EXPECT_EQ(classes.back().elements, some_classes()[1].elements);
}

TEST(Codec, RejectsClassesThatAreCutOff) {
  class_packer packer;
  for (const element_class& c : some_classes()) packer.add(c);
  const packed_classes packed = packer.take();
  std::vector<element_class> classes;
  for (std::size_t size = 0; size < packed.tests.size(); ++size)
    EXPECT_FALSE(unpack_classes(packed.tests.substr(0, size), packed.elements, classes)) << size;
  for (std::size_t size = 0; size < packed.elements.size(); ++size)
    EXPECT_FALSE(unpack_classes(packed.tests, packed.elements.substr(0, size), classes)) << size;
  EXPECT_FALSE(unpack_classes("\xff\xff\xff\xff\x0f", packed.elements, classes)) << "more tests than bytes";
}

TEST(Evidence, FoldsElementsOfTheSameTestsTogether) {
  std::map<element, std::vector<std::uint32_t>> tests_of;
  std::vector<row> rows;
  std::uint64_t random = 1;
  for (std::uint32_t test = 0; test < 40; ++test) {
    std::vector<element> elements;
    for (element e = 0; e < 5000; ++e) {
      random = random * 6364136223846793005 + 1442695040888963407;
      // Blocks of ten lines; the later tests execute what no earlier one did.
      const bool executed = (e / 10 * 7 + test) % 9 < 2 && e < 200 * (test + 1) && (random >> 60) != 0;
      if (executed)
        elements.push_back(make_element(requirement_kind::line, static_cast<std::uint32_t>(e / 1000),
                                        static_cast<std::uint32_t>(1 + e % 1000)));
    }
    for (const element e : elements) tests_of[e].push_back(test);
    rows.emplace_back(test, std::move(elements));
  }
  std::map<std::vector<std::uint32_t>, std::vector<element>> expected;
  for (const auto& [e, tests] : tests_of) expected[tests].push_back(e);
  const auto classes = fold_rows(rows);
  ASSERT_EQ(classes.size(), expected.size());
  for (const element_class& c : classes) EXPECT_EQ(c.elements, expected[c.tests]);
  EXPECT_TRUE(std::is_sorted(classes.begin(), classes.end(),
                             [](const auto& a, const auto& b) { return a.elements.front() < b.elements.front(); }));
}

}  // namespace
}  // namespace morph::store
