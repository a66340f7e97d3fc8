// The reader of GCC's counters: both layouts and foreign bytes.
#include <gtest/gtest.h>

#include "coverage/gcov/data.hpp"
#include "coverage/gcov/files.hpp"
#include "tests/unit/gcov/gcov_support.hpp"

namespace morph::gcov {
namespace {
using gcov_support::gcov_writer;
using gcov_support::written_function;

std::vector<written_function> two_functions() {
  return {{1, 2, 3, "", false, "", 0, 0, 0, {}, {}}, {4, 5, 6, "", false, "", 0, 0, 0, {}, {}}};
}

std::string data_bytes(int gcc) {
  return gcov_writer(gcc).data(77, 88, two_functions(), {{5, 0, 1ULL << 40}, {}}, 3);
}

TEST(gcov_data, gives_back_what_gcc_11_and_gcc_12_write) {
  const auto parsed = parse_data(data_bytes(12), "x.gcda");
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_EQ(parsed->gcc, 12);
  EXPECT_EQ(parsed->stamp, 77U);
  EXPECT_EQ(parsed->checksum, 88U);
  ASSERT_EQ(parsed->functions.size(), 2U);
  EXPECT_EQ(parsed->functions[0].ident, 1U);
  EXPECT_EQ(parsed->functions[0].lineno_checksum, 2U);
  EXPECT_EQ(parsed->functions[0].cfg_checksum, 3U);
  EXPECT_EQ(parsed->functions[0].counters, 3U);
  EXPECT_EQ(parsed->functions[0].values, (std::vector<std::uint64_t>{5, 0, 1ULL << 40}));

  const auto words = parse_data(data_bytes(11), "x.gcda");
  ASSERT_TRUE(words) << words.error();
  EXPECT_EQ(words->gcc, 11);
  EXPECT_EQ(words->checksum, 0U);
  EXPECT_EQ(words->functions[0].values, parsed->functions[0].values);
}

TEST(gcov_data, counters_that_are_all_zero_have_a_number_but_no_values) {
  for (const int gcc : {11, 12}) {
    const auto parsed = parse_data(data_bytes(gcc), "x.gcda");
    ASSERT_TRUE(parsed) << parsed.error();
    EXPECT_EQ(parsed->functions[1].ident, 4U);
    EXPECT_EQ(parsed->functions[1].counters, 3U);
    EXPECT_TRUE(parsed->functions[1].values.empty());
  }
}

TEST(gcov_data, an_empty_record_stands_for_a_function_that_is_not_in_the_program) {
  auto bytes = gcov_writer(12).data(77, 88, {}, {});
  bytes += std::string("\0\0\0\1\0\0\0\0", 8);
  const auto parsed = parse_data(bytes, "x.gcda");
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_TRUE(parsed->functions.empty());
  bytes += std::string("\0\0\xa1\1\0\0\0\0", 8);
  EXPECT_EQ(parse_data(bytes, "x.gcda").error(),
            "the counters 'x.gcda' are damaged near byte 32: counters without a function; rebuild the twin");
}

TEST(gcov_data, half_a_counter_is_damage) {
  auto bytes = gcov_writer(11).data(77, 88, {two_functions()[0]}, {{5}});
  bytes.resize(bytes.size() - 4);
  bytes[bytes.size() - 8] = 1;
  EXPECT_EQ(parse_data(bytes, "x.gcda").error(),
            "the counters 'x.gcda' are damaged near byte 44: a list of counters that is no multiple of eight bytes; "
            "rebuild the twin");
}

TEST(gcov_data, an_unsupported_version_is_named) {
  EXPECT_EQ(parse_data(gcov_writer(17).data(1, 2, {}, {}), "/b/x.gcda").error(),
            "gcc 17 counters are not supported yet: '/b/x.gcda' (versions 11 to 16 are)");
}

TEST(gcov_data, truncated_at_every_length_it_is_an_error_or_ends_between_records) {
  for (const int gcc : {11, 12}) {
    const auto bytes = data_bytes(gcc);
    std::size_t read = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) read += parse_data(bytes.substr(0, size), "x") ? 1 : 0;
    EXPECT_EQ(read, 4U) << "after the header, the first function, its counters, the second function";
  }
}

TEST(gcov_data, files_are_read_whole_and_errors_name_them) {
  const gcov_support::temporary_folder folder;
  for (const std::size_t size : {0U, 1U, 65'536U, 200'001U}) {
    std::string bytes(size, 'a');
    if (size > 1) bytes.back() = '\0';
    EXPECT_EQ(read_file(folder.write("x.gcda", bytes)).value(), bytes) << size;
  }
  const std::string path = folder.path().string();
  EXPECT_EQ(read_file(path).error(), "cannot read '" + path + "': Is a directory");
  EXPECT_EQ(read_file(path + "/y.gcda").error(), "cannot read '" + path + "/y.gcda': No such file or directory");
}

TEST(gcov_data, no_flipped_bit_does_harm) {
  for (const int gcc : {11, 12}) {
    const auto bytes = data_bytes(gcc);
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      auto flipped = bytes;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      const auto parsed = parse_data(flipped, "x.gcda");
      EXPECT_TRUE(parsed || !parsed.error().empty());
    }
  }
}

}  // namespace
}  // namespace morph::gcov
