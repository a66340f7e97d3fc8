// The parser of .gcno files.
#include "coverage/gcov/note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "coverage/gcov/records.hpp"

namespace morph::gcov {
namespace {

constexpr std::uint32_t arc_on_tree = 1, arc_fake = 2, arc_fall_through = 4;

// Linux's PATH_MAX. Every file's name is resolved against the folder's: without a limit, a few megabytes of notes could
// ask for gigabytes of paths.
constexpr std::size_t longest_path = 4096;

class note_parser {
 public:
  note_parser(std::string_view bytes, std::string_view path) : records_(bytes, path, "notes") {}

  tl::expected<note, std::string> parse();

 private:
  using status = tl::expected<void, std::string>;

  status function(byte_reader in);
  status blocks(byte_reader in);
  status arcs(byte_reader in);
  status lines(byte_reader in);
  status conditions(byte_reader in);
  status finish_function();
  std::uint32_t file_index(std::string_view name);

  record_reader records_;
  note note_;
  std::unordered_map<std::string, std::uint32_t> file_indices_;
  std::uint32_t last_file_ = 0;
};

tl::expected<note, std::string> note_parser::parse() {
  const auto header = records_.header(magic::note);
  if (!header) return tl::unexpected(header.error());
  note_.gcc = header->gcc;
  note_.clang = is_clang(header->version);
  note_.mixes_files = header->version == clang_version_mixed;
  note_.stamp = header->stamp;
  note_.checksum = header->checksum;
  note_.cwd = records_.text(records_.rest());
  records_.rest().u32();  // whether has_unexecuted_block is supported: always, from GCC 9 on
  if (records_.rest().failed()) return records_.damaged("the header is cut off");
  if (note_.cwd.size() > longest_path) {
    return records_.damaged(fmt::format("the path of a folder has {} bytes", note_.cwd.size()));
  }
  for (;;) {
    const auto found = records_.next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) break;
    const record& entry = **found;
    const bool of_function =
        entry.tag == tag::blocks || entry.tag == tag::arcs || entry.tag == tag::lines || entry.tag == tag::conditions;
    if (of_function && note_.functions.empty()) {
      return records_.damaged("blocks, arcs, lines or conditions before any function");
    }
    status done;
    if (entry.tag == tag::function) done = function(entry.payload);
    if (entry.tag == tag::blocks) done = blocks(entry.payload);
    if (entry.tag == tag::arcs) done = arcs(entry.payload);
    if (entry.tag == tag::lines) done = lines(entry.payload);
    if (entry.tag == tag::conditions) done = conditions(entry.payload);
    if (!done) return tl::unexpected(done.error());
  }
  if (const auto done = finish_function(); !done) return tl::unexpected(done.error());
  return std::move(note_);
}

note_parser::status note_parser::function(byte_reader in) {
  if (const auto done = finish_function(); !done) return done;
  note_function next;
  next.ident = in.u32();
  next.lineno_checksum = in.u32();
  next.cfg_checksum = in.u32();
  next.symbol = records_.text(in);
  next.artificial = in.u32() != 0;
  next.file = file_index(records_.text_view(in));
  next.start_line = in.u32();
  next.start_column = in.u32();
  next.end_line = in.u32();
  next.end_column = in.u32();
  if (in.failed()) return records_.damaged("a function record is cut off");
  note_.functions.push_back(std::move(next));
  return {};
}

note_parser::status note_parser::blocks(byte_reader in) {
  auto& current = note_.functions.back();
  const std::uint32_t count = in.u32();
  if (in.failed() || current.blocks != 0) {
    return records_.damaged(fmt::format("the number of blocks of '{}' is cut off or given twice", current.symbol));
  }
  current.blocks = count;
  return {};
}

note_parser::status note_parser::arcs(byte_reader in) {
  auto& current = note_.functions.back();
  const std::uint32_t source = in.u32();
  if (in.failed() || source >= current.blocks || in.remaining() % 8 != 0) {
    return records_.damaged(
        fmt::format("arcs from block {} of '{}', which has {} blocks", source, current.symbol, current.blocks));
  }
  while (in.remaining() > 0) {
    const std::uint32_t destination = in.u32();
    const std::uint32_t flags = in.u32();
    if (destination >= current.blocks) {
      return records_.damaged(
          fmt::format("an arc to block {} of '{}', which has {} blocks", destination, current.symbol, current.blocks));
    }
    current.arcs.push_back(
        {source, destination, (flags & arc_on_tree) != 0, (flags & arc_fake) != 0, (flags & arc_fall_through) != 0});
  }
  return {};
}

note_parser::status note_parser::lines(byte_reader in) {
  auto& current = note_.functions.back();
  const std::uint32_t block = in.u32();
  if (in.failed() || block >= current.blocks) {
    return records_.damaged(
        fmt::format("lines of block {} of '{}', which has {} blocks", block, current.symbol, current.blocks));
  }
  bool in_file = false;
  while (in.remaining() > 0) {
    const std::uint32_t line = in.u32();
    if (line != 0) {
      if (!in_file) return records_.damaged(fmt::format("a line without a file in '{}'", current.symbol));
      current.lines.push_back(line);
      ++current.locations.back().count;
      continue;
    }
    const auto name = records_.text_view(in);
    if (in.failed()) return records_.damaged(fmt::format("the name of a file in '{}' is cut off", current.symbol));
    if (name.empty()) break;
    current.locations.push_back({block, file_index(name), static_cast<std::uint32_t>(current.lines.size()), 0});
    in_file = true;
  }
  if (in.failed()) return records_.damaged(fmt::format("the lines of '{}' are cut off", current.symbol));
  return {};
}

note_parser::status note_parser::conditions(byte_reader in) {
  auto& current = note_.functions.back();
  while (in.remaining() > 0) {
    const std::uint32_t block = in.u32();
    const std::uint32_t terms = in.u32();
    if (in.failed() || block >= current.blocks || terms > most_terms) {
      return records_.damaged(fmt::format("a condition of {} terms at block {} of '{}', which has {} blocks", terms,
                                          block, current.symbol, current.blocks));
    }
    current.conditions.push_back({block, terms});
  }
  // One a block: else a few bytes could ask for many outcomes on each of many lines.
  std::vector<std::uint32_t> blocks;
  for (const auto& c : current.conditions) blocks.push_back(c.block);
  std::sort(blocks.begin(), blocks.end());
  if (const auto twice = std::adjacent_find(blocks.begin(), blocks.end()); twice != blocks.end())
    return records_.damaged(fmt::format("two conditions at block {} of '{}'", *twice, current.symbol));
  return {};
}

// A flow graph hangs together, so that its arcs bound its blocks; without this check a few bytes could ask for
// gigabytes in whoever sizes an array by the number of blocks. Thunks (_ZThn16_...D0Ev) have a few blocks and no flow.
constexpr std::size_t blocks_beyond_arcs = 16;

note_parser::status note_parser::finish_function() {
  if (note_.functions.empty()) return {};
  const auto& current = note_.functions.back();
  if (current.blocks > current.arcs.size() + blocks_beyond_arcs) {
    return records_.damaged(fmt::format("'{}' has {} blocks, but only {} arcs between them", current.symbol,
                                        current.blocks, current.arcs.size()));
  }
  return {};
}

std::uint32_t note_parser::file_index(std::string_view name) {
  if (last_file_ < note_.files.size() && note_.files[last_file_] == name) return last_file_;
  const auto [found, inserted] =
      file_indices_.try_emplace(std::string(name), static_cast<std::uint32_t>(note_.files.size()));
  if (inserted) note_.files.emplace_back(name);
  return last_file_ = found->second;
}

}  // namespace

tl::expected<note, std::string> parse_note(std::string_view bytes, std::string_view path) {
  return note_parser(bytes, path).parse();
}

std::string resolved_path(std::string_view cwd, std::string_view file) {
  const std::filesystem::path path(file);
  return (path.is_absolute() ? path : std::filesystem::path(cwd) / path).lexically_normal().string();
}

}  // namespace morph::gcov
