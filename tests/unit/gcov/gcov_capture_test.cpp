// The reader of the measuring stream: what was written comes back, however it is cut; anything else is an error.
#include <gtest/gtest.h>

#include <random>

#include "coverage/gcov/capture.hpp"

namespace morph::gcov {
namespace {

void u8(std::string& out, std::uint8_t value) {
  out.push_back(static_cast<char>(value));
}
void u32(std::string& out, std::uint32_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void u64(std::string& out, std::uint64_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void text(std::string& out, std::string_view value) {
  u32(out, static_cast<std::uint32_t>(value.size()));
  out += value;
}
void varint(std::string& out, std::uint64_t value) {
  for (; value > 0x7f; value >>= 7) u8(out, static_cast<std::uint8_t>(value | 0x80));
  u8(out, static_cast<std::uint8_t>(value));
}
void counts(std::string& out, const std::vector<counter>& counters) {
  u32(out, static_cast<std::uint32_t>(counters.size()));
  std::uint32_t previous = 0;
  for (const auto& [id, count] : counters) {
    varint(out, id - previous);
    varint(out, count);
    previous = id;
  }
}
std::string framed(std::uint8_t kind, std::string_view payload) {
  std::string out;
  u8(out, kind);
  text(out, payload);
  return out;
}
std::string header(std::uint32_t version = morph_stream::format_version) {
  std::string out(morph_stream::magic);
  u32(out, version);
  return out;
}

std::string written(const stream_record& record) {
  std::string out;
  if (const auto* module = std::get_if<module_record>(&record)) {
    text(out, module->gcda_path);
    for (const auto value : {module->gcc_version, module->stamp, module->checksum}) u32(out, value);
    u32(out, static_cast<std::uint32_t>(module->functions.size()));
    for (const auto& f : module->functions) {
      for (const auto value : {f.ident, f.lineno_checksum, f.cfg_checksum, f.counters, f.first_id}) u32(out, value);
    }
    return framed('M', out);
  }
  if (const auto* startup = std::get_if<startup_record>(&record)) {
    u32(out, startup->incomplete);
    counts(out, startup->counters);
    return framed('S', out);
  }
  if (const auto* begin = std::get_if<begin_record>(&record)) {
    text(out, begin->test);
    return framed('B', out);
  }
  if (const auto* row = std::get_if<row_record>(&record)) {
    text(out, row->test);
    u8(out, row->outcome);
    u32(out, static_cast<std::uint32_t>(row->detail));
    u32(out, row->incomplete);
    u64(out, row->wall_us);
    u64(out, row->cpu_us);
    counts(out, row->counters);
    return framed('R', out);
  }
  if (const auto* read = std::get_if<variables_record>(&record)) {
    for (const std::string& name : read->names) out += name + '\0';
    return framed('V', out);
  }
  return framed('E', out);
}

std::vector<stream_record> sample() {
  return {module_record{"/b/a.gcda", 0x4232322a, 11, 12, {{1, 2, 3, 4, 0}, {5, 6, 7, 300, 4}}},
          module_record{"", 0x4233312a, 0, 0, {}},
          startup_record{morph_stream::threads_at_start, {{0, 1}, {3, 1ULL << 63}}},
          begin_record{"a.first"},
          row_record{"a.first", morph_stream::passed, 0, 0, 1234567890123, 7, {{0, 127}, {4, 128}, {4294967295, 300}}},
          variables_record{{"HOME", "TZ"}},
          begin_record{"a.crash"},
          row_record{"a.crash", morph_stream::crashed, -11, morph_stream::ended_early, 0, 0, {}},
          end_record{}};
}

std::string sample_bytes() {
  auto out = header();
  for (const auto& record : sample()) out += written(record);
  return out;
}

struct outcome {
  std::vector<stream_record> records;
  std::string error;
};

outcome read(std::string_view bytes, std::size_t chunk) {
  outcome result;
  stream_reader reader;
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    reader.feed(bytes.substr(at, chunk));
    for (;;) {
      auto next = reader.next();
      if (!next) {
        result.error = next.error();
        return result;
      }
      if (!*next) break;
      result.records.push_back(std::move(**next));
    }
  }
  if (const auto finished = reader.finish(); !finished) result.error = finished.error();
  return result;
}

std::string error_of(const std::string& bytes) {
  return read(bytes, bytes.size() + 1).error;
}

TEST(gcov_capture, what_is_written_is_read_in_chunks_of_any_size) {
  const auto bytes = sample_bytes();
  for (const std::size_t chunk :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, std::size_t{64}, bytes.size()}) {
    const auto result = read(bytes, chunk);
    EXPECT_EQ(result.error, "") << chunk;
    EXPECT_TRUE(result.records == sample()) << chunk;
  }
}

TEST(gcov_capture, names_that_a_killed_process_did_not_write_are_left_out) {
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(split_names("\0\0A\0\0\0LONGER\0\0CUT"sv), (std::vector<std::string>{"A", "LONGER", "CUT"}));
  EXPECT_TRUE(split_names("").empty());
}

TEST(gcov_capture, a_truncated_stream_keeps_its_whole_records_and_fails_to_finish) {
  const auto bytes = sample_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto result = read(std::string_view(bytes).substr(0, size), 5);
    EXPECT_EQ(result.error, "the measuring stream stopped at byte " + std::to_string(size) +
                                ", before its end record: the test program died or was killed");
    ASSERT_LT(result.records.size(), sample().size());
    EXPECT_TRUE(std::equal(result.records.begin(), result.records.end(), sample().begin()));
  }
}

TEST(gcov_capture, something_else_is_refused_at_its_first_byte) {
  EXPECT_EQ(error_of("R"),
            "bad measuring stream at byte 0: this is no measuring stream: is the runtime linked into the "
            "test program?");
  EXPECT_EQ(read("MORPHCOX", 1).records.size(), 0U);
  EXPECT_NE(error_of("MORPHCOX"), "");
}

TEST(gcov_capture, another_format_version_says_what_to_do) {
  EXPECT_EQ(
      error_of(header(1)),
      "bad measuring stream at byte 0: the test program writes format 1, this morph reads format 2; rebuild the twin");
}

TEST(gcov_capture, unknown_kinds_and_overlong_records_are_refused_before_their_payload) {
  EXPECT_EQ(error_of(header() + "Z"), "bad measuring stream at byte 12: a record of unknown kind 0x5a");
  std::string record = "B";
  u32(record, stream_reader::longest_payload + 1);
  EXPECT_EQ(error_of(header() + record),
            "bad measuring stream at byte 12: a record of 268435457 bytes, above 268435456");
}

TEST(gcov_capture, fields_must_fill_their_record) {
  std::string payload;
  u32(payload, 10);
  EXPECT_EQ(error_of(header() + framed('B', payload + "short")),
            "bad measuring stream at byte 12: a field that is longer than its record");
  payload.clear();
  text(payload, "t");
  EXPECT_EQ(error_of(header() + framed('B', payload + "xy")),
            "bad measuring stream at byte 12: 2 bytes too many in a record");
  EXPECT_EQ(error_of(header() + framed('E', "") + "E"), "bad measuring stream at byte 17: bytes after the end record");
}

TEST(gcov_capture, counters_must_ascend_and_count) {
  const auto startup = [](const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs) {
    std::string payload;
    u32(payload, 0);
    u32(payload, static_cast<std::uint32_t>(pairs.size()));
    for (const auto& [delta, count] : pairs) {
      varint(payload, delta);
      varint(payload, count);
    }
    return error_of(header() + framed('S', payload) + framed('E', ""));
  };
  const std::string place = "bad measuring stream at byte 12: ";
  EXPECT_EQ(startup({{0, 1}, {1, 1}}), "");
  EXPECT_EQ(startup({{3, 1}, {0, 1}}), place + "counter 3 twice");
  EXPECT_EQ(startup({{3, 0}}), place + "a count of zero for counter 3");
  EXPECT_EQ(startup({{3, 1}, {4294967295, 1}}), place + "a counter id above 2^32 after 3");
}

TEST(gcov_capture, numbers_larger_than_the_record_allocate_nothing) {
  std::string payload;
  u32(payload, 0);
  u32(payload, 4'000'000'000);
  EXPECT_EQ(error_of(header() + framed('S', payload)),
            "bad measuring stream at byte 12: 4000000000 counters where only 0 bytes are left");
  payload.clear();
  text(payload, "/a.gcda");
  for (int i = 0; i < 3; ++i) u32(payload, 0);
  u32(payload, 4'000'000'000);
  EXPECT_EQ(error_of(header() + framed('M', payload)),
            "bad measuring stream at byte 12: 4000000000 functions where only 0 bytes are left");
}

TEST(gcov_capture, conditions_follow_the_functions_that_have_some) {
  const auto module = [](const std::vector<std::uint32_t>& conditions) {
    return header() +
           framed('M',
                  [&] {
                    std::string payload;
                    text(payload, "/a.gcda");
                    for (const std::uint32_t word : {7U, 8U, 9U, 2U}) u32(payload, word);
                    for (const std::uint32_t word : {1U, 2U, 3U, 4U, 0U, 5U, 6U, 7U, 1U, 4U}) u32(payload, word);
                    for (const std::uint32_t word : conditions) u32(payload, word);
                    return payload;
                  }()) +
           framed('E', "");
  };
  const auto read_whole = [&](const std::vector<std::uint32_t>& conditions) {
    const auto result = read(module(conditions), 1000);
    EXPECT_EQ(result.error, "");
    return std::get<module_record>(result.records.at(0)).functions;
  };
  EXPECT_EQ(read_whole({2, 1, 6, 50, 0, 4, 100}),
            (std::vector<module_function>{{1, 2, 3, 4, 0, 4, 100}, {5, 6, 7, 1, 4, 6, 50}}));
  EXPECT_EQ(read_whole({0}), read_whole({}));
  EXPECT_EQ(read_whole({})[1].masks, 0U);
  const std::string place = "bad measuring stream at byte 12: ";
  EXPECT_EQ(error_of(module({2, 0, 1, 1})), place + "2 functions with conditions where only 12 bytes are left");
  EXPECT_EQ(error_of(module({1, 2, 1, 1})), place + "conditions of function 2 of 2 in '/a.gcda'");
  EXPECT_EQ(read_whole({1, 0, 5, 4'294'967'290})[0].masks, 5U);
  EXPECT_EQ(error_of(module({1, 0, 6, 4'294'967'290})), place + "counter ids above 2^32 in '/a.gcda'");
}

TEST(gcov_capture, ids_of_counters_have_32_bits) {
  const auto error_of_first_id = [](std::uint32_t id) {
    return error_of(header() + written(module_record{"/a.gcda", 7, 8, 9, {{1, 2, 3, 4, id}}}) + framed('E', ""));
  };
  EXPECT_EQ(error_of_first_id(4'294'967'291), "");
  EXPECT_EQ(error_of_first_id(4'294'967'292), "bad measuring stream at byte 12: counter ids above 2^32 in '/a.gcda'");
}

TEST(gcov_capture, an_error_in_counters_names_the_test) {
  auto row = std::get<row_record>(sample()[4]);
  row.counters = {{3, 0}};
  EXPECT_EQ(error_of(header() + written(row)),
            "bad measuring stream at byte 12: a count of zero for counter 3 in the row of test 'a.first'");
}

TEST(gcov_capture, a_varint_has_at_most_64_bits) {
  std::string payload;
  u32(payload, 0);
  u32(payload, 1);
  payload += std::string(9, '\xff') + '\x02' + '\x01';
  EXPECT_EQ(error_of(header() + framed('S', payload)),
            "bad measuring stream at byte 12: a counter that is cut off or has more than 64 bits");
}

TEST(gcov_capture, an_outcome_of_a_later_version_is_refused) {
  auto row = std::get<row_record>(sample()[4]);
  row.outcome = static_cast<morph_stream::outcome>(6);
  EXPECT_EQ(error_of(header() + written(row)),
            "bad measuring stream at byte 12: outcome 6 of test 'a.first', which this version does not know");
}

TEST(gcov_capture, the_first_error_is_final) {
  stream_reader reader;
  reader.feed("garbage");
  const auto first = reader.next();
  reader.feed(sample_bytes());
  const auto second = reader.next();
  ASSERT_FALSE(first);
  ASSERT_FALSE(second);
  EXPECT_EQ(first.error(), second.error());
}

TEST(gcov_capture, no_changed_byte_does_harm) {
  const auto bytes = sample_bytes();
  std::mt19937 random(5);
  for (int round = 0; round < 5000; ++round) {
    auto noisy = bytes;
    for (auto changes = random() % 4 + 1; changes > 0; --changes)
      noisy[random() % noisy.size()] = static_cast<char>(random());
    const auto result = read(noisy, 1 + random() % 40);
    EXPECT_LE(result.records.size(), noisy.size());
  }
}

}  // namespace
}  // namespace morph::gcov
