// The readers' contracts, checked on any bytes.
#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coverage/gcov/capture.hpp"
#include "coverage/gcov/data.hpp"
#include "coverage/gcov/gcov_lines.hpp"
#include "coverage/gcov/line_table.hpp"
#include "coverage/gcov/note.hpp"
#include "coverage/gcov/program_model.hpp"
#include "coverage/object/compare/compare.hpp"
#include "coverage/object/compare/link_unit.hpp"
#include "coverage/object/compare/referrers.hpp"
#include "coverage/object/read/archive.hpp"
#include "coverage/object/read/decoder.hpp"
#include "coverage/object/read/elf.hpp"

namespace morph::fuzz {
namespace {

using namespace gcov;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken contract: %s\n", what);
  std::abort();
}

template <typename Value>
bool read_or_explained(const tl::expected<Value, std::string>& result) {
  require(result || !result.error().empty(), "an error says what is wrong");
  return result.has_value();
}

void check_indices(const note& notes) {
  for (const note_function& f : notes.functions) {
    require(f.file < notes.files.size(), "a function's file exists");
    require(f.blocks <= f.arcs.size() + 16, "arcs bound the blocks");
    for (const arc& a : f.arcs) require(a.source < f.blocks && a.destination < f.blocks, "an arc joins two blocks");
    std::size_t next = 0;
    for (const location& place : f.locations) {
      require(place.block < f.blocks && place.file < notes.files.size(), "a location's block and file exist");
      require(place.first == next, "locations follow each other");
      next += place.count;
    }
    require(next == f.lines.size(), "every line has its location");
    for (const condition& c : f.conditions)
      require(c.block < f.blocks && c.terms <= most_terms, "a condition has a block and at most 64 terms");
  }
}

/// What the program of these notes would say of itself.
module_record module_of(const note& notes) {
  module_record module;
  module.gcda_path = "a.gcda";
  module.gcc_version =
      static_cast<std::uint32_t>('A' + notes.gcc / 10) << 24 | static_cast<std::uint32_t>('0' + notes.gcc % 10) << 16;
  module.stamp = notes.stamp;
  module.checksum = notes.checksum;
  std::uint32_t next = 0;
  for (const note_function& f : notes.functions) {
    const auto counters = static_cast<std::uint32_t>(
        std::count_if(f.arcs.begin(), f.arcs.end(), [](const arc& a) { return !a.on_tree; }));
    const auto masks = static_cast<std::uint32_t>(2 * f.conditions.size());
    module.functions.push_back(
        {f.ident, f.lineno_checksum, f.cfg_checksum, counters, next, masks, masks > 0 ? next + counters : 0});
    next += counters + masks;
  }
  return module;
}

template <typename Table>
bool ascends_within(const std::vector<std::uint32_t>& indices, const Table& table) {
  return std::adjacent_find(indices.begin(), indices.end(), std::greater_equal<>()) == indices.end() &&
         (indices.empty() || indices.back() < table.size());
}

void check_model(const note& notes, std::string_view bytes) {
  program_model model([&](const std::string&) { return std::string(bytes); });
  const module_record module = module_of(notes);
  if (!read_or_explained(model.add(module))) return;
  std::uint32_t counters = 0;
  for (const module_function& f : module.functions) counters += f.counters + f.masks;
  for (const std::uint64_t count : {std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    std::vector<counter> row;
    for (std::uint32_t id = 0; id < counters; id += count == 1 ? 1 : 3) row.push_back({id, count});
    const executed all = model.convert(row);
    require(ascends_within(all.lines, model.lines()), "executed lines exist");
    require(ascends_within(all.functions, model.functions()), "executed functions exist");
    require(ascends_within(all.units, model.units()), "executed units exist");
    require(ascends_within(all.conditions, model.conditions()), "outcomes of conditions exist");
  }
}

std::pair<std::string_view, std::string_view> notes_and_counters(std::string_view bytes) {
  std::uint32_t size = 0;
  if (bytes.size() < sizeof size) return {};
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  return {bytes.substr(0, size), bytes.substr(std::min<std::size_t>(size, bytes.size()))};
}

struct heard {
  std::vector<stream_record> records;
  std::string error;
  bool whole = false;

  friend bool operator==(const heard&, const heard&) = default;
};

heard hear(std::string_view bytes, std::size_t piece) {
  heard result;
  stream_reader reader;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.feed(bytes.substr(at, piece));
    for (;;) {
      auto next = reader.next();
      if (!read_or_explained(next)) {
        result.error = next.error();
        return result;
      }
      if (!*next) break;
      result.records.push_back(std::move(**next));
    }
  }
  result.whole = read_or_explained(reader.finish());
  require(!result.whole || reader.ended(), "a whole stream has its end record");
  return result;
}

void check_counters(const std::vector<counter>& counters) {
  for (std::size_t i = 0; i < counters.size(); ++i) {
    require(counters[i].count != 0, "no count is zero");
    require(i == 0 || counters[i - 1].id < counters[i].id, "ids of counters ascend");
  }
}

bool accepts_note(std::string_view bytes) {
  return parse_note(bytes, "x.gcno").has_value();
}
bool accepts_data(std::string_view bytes) {
  return parse_data(bytes, "x.gcda").has_value();
}
bool accepts_counts(std::string_view bytes) {
  const auto [note_bytes, data_bytes] = notes_and_counters(bytes);
  const auto notes = parse_note(note_bytes, "x.gcno");
  const auto counters = parse_data(data_bytes, "x.gcda");
  return notes && counters && gcov_counts(*notes, *counters);
}
bool accepts_stream(std::string_view bytes) {
  return hear(bytes, bytes.size()).whole;
}
bool accepts_table(std::string_view bytes) {
  return parse_line_table(bytes, "x.o").has_value();
}

object::object_reader& objects() {
  static object::object_reader reader;
  return reader;
}

void check_unit(object::object_print print) {
  const auto shared = std::make_shared<const object::object_print>(std::move(print));
  const object::link_unit unit({{"x.o", false, false, {{"", shared}}}});
  require(compare(unit, unit).changes.empty(), "a unit does not differ from itself");
  const object::link_unit like({{"x.o", false, false, {{"", shared}}}}, {}, &unit);
  for (object::unit_atom i = 0; i < unit.size(); ++i)
    require(like.fingerprint(i) == unit.fingerprint(i), "a unit made like itself is the same");
  std::vector<object::change> changes;
  for (object::unit_atom i = 0; i < unit.size() && i < 8; ++i)
    changes.push_back({object::change_kind::data, object::change_reason::data, "x.o", "", {}, "", false, i});
  const auto found = reach_of(unit, changes, [](object::unit_atom i) { return i % 2 == 0; });
  for (const object::seen_change& f : found.functions) require(f.function < unit.size(), "a reached function exists");
}

// What is told without LLVM is what LLVM says, of whatever bytes.
void check_code(std::string_view bytes) {
  static object::decoder quick(object::machine::x86_64), whole(object::machine::x86_64, object::decoding::by_llvm);
  const auto object = object::read_elf(bytes, "x.o");
  if (!object || object->target != object::machine::x86_64) return;
  for (const object::elf_section& s : object->sections)
    for (std::size_t at = 0; s.code() && at < s.bytes.size();) {
      const std::string_view code = s.bytes.substr(at);
      const object::instruction one = quick.decode(code, at), other = whole.decode(code, at);
      const auto to = quick.target(), expected = whole.target();
      require(one.size == other.size && one.known == other.known && one.constant == other.constant &&
                  quick.control() == whole.control() && quick.is_direct() == whole.is_direct() &&
                  to.has_value() == expected.has_value() && (!to || to->address == expected->address),
              "an instruction is what LLVM says it is");
      at += one.size;
    }
}

// A byte of the kept form is changed and the checksum made anew, so that what is behind it is reached.
void check_kept(std::string bytes) {
  constexpr std::size_t sum = 16, body = 32;
  const std::size_t at = body + object::digest_of(bytes).low % (bytes.size() - body);
  bytes[at] = static_cast<char>(bytes[at] + 1);
  const object::digest of = object::digest_of(std::string_view(bytes).substr(body));
  std::memcpy(bytes.data() + sum, &of, sizeof of);
  auto print = object::read_print(bytes);
  if (read_or_explained(print)) check_unit(std::move(*print));
}

bool accepts_object(std::string_view bytes) {
  return objects().read(bytes, "x.o").has_value();
}
bool accepts_archive(std::string_view bytes) {
  return object::members_of(bytes, "x.a").has_value();
}

}  // namespace

void try_note(std::string_view bytes) {
  const auto notes = parse_note(bytes, "x.gcno");
  if (!read_or_explained(notes)) return;
  check_indices(*notes);
  check_model(*notes, bytes);
}

void try_data(std::string_view bytes) {
  const auto counters = parse_data(bytes, "x.gcda");
  if (!read_or_explained(counters)) return;
  for (const data_function& f : counters->functions)
    require(f.values.empty() || f.values.size() == f.counters, "all values of a function or none");
}

void try_counts(std::string_view bytes) {
  const auto [note_bytes, data_bytes] = notes_and_counters(bytes);
  const auto notes = parse_note(note_bytes, "x.gcno");
  const auto counters = parse_data(data_bytes, "x.gcda");
  if (!notes || !counters) return;
  const auto counts = gcov_counts(*notes, *counters);
  if (!read_or_explained(counts)) return;
  for (const line_count& line : counts->lines) require(line.file < notes->files.size(), "a counted line's file exists");
  for (const function_count& f : counts->functions)
    require(f.function < notes->functions.size(), "a counted function exists");
}

void try_stream(std::string_view bytes) {
  if (bytes.empty()) return;
  const heard at_once = hear(bytes, bytes.size());
  for (const stream_record& record : at_once.records) {
    if (const auto* row = std::get_if<row_record>(&record)) check_counters(row->counters);
    if (const auto* startup = std::get_if<startup_record>(&record)) check_counters(startup->counters);
  }
  const std::size_t piece = static_cast<unsigned char>(bytes.back()) % 31 + 1;
  require(hear(bytes, piece) == at_once, "a stream means the same however it is cut");
}

void try_table(std::string_view bytes) {
  const auto table = parse_line_table(bytes, "x.o");
  if (!read_or_explained(table)) return;
  for (const auto& [file, lines] : *table)
    require(std::adjacent_find(lines.begin(), lines.end(), std::greater_equal<>()) == lines.end(), "lines ascend");
}

void try_object(std::string_view bytes) {
  auto print = objects().read(bytes, "x.o");
  if (!read_or_explained(print)) return;
  const std::string written = write_print(*print);
  const auto again = object::read_print(written);
  require(again.has_value() && write_print(*again) == written,
          "what a print is written as can be read, and is the same");
  check_code(bytes);
  check_unit(std::move(*print));
  check_kept(written);
}

void try_archive(std::string_view bytes) {
  const auto members = object::members_of(bytes, "x.a");
  if (!read_or_explained(members)) return;
  for (const object::archive_member& m : *members) {
    const bool inside = m.bytes.empty() || (m.bytes.data() >= bytes.data() &&
                                            m.bytes.data() + m.bytes.size() <= bytes.data() + bytes.size());
    require(inside, "a member lies in its archive");
  }
}

const std::array<target, 7> targets{{{"note", try_note, accepts_note},
                                     {"data", try_data, accepts_data},
                                     {"counts", try_counts, accepts_counts},
                                     {"stream", try_stream, accepts_stream},
                                     {"table", try_table, accepts_table},
                                     {"object", try_object, accepts_object},
                                     {"archive", try_archive, accepts_archive}}};

}  // namespace morph::fuzz
