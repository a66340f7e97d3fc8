// Comparing notes and counters.
#include "coverage/gcov/agreement.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "coverage/gcov/data.hpp"
#include "coverage/gcov/gcov_lines.hpp"
#include "coverage/gcov/note.hpp"
#include "coverage/gcov/records.hpp"

namespace morph::gcov {
namespace {

struct first_words {
  std::uint32_t magic, version, stamp;
};

tl::expected<first_words, std::string> read_first_words(std::string_view bytes, std::string_view path,
                                                        std::uint32_t magic) {
  byte_reader in(bytes);
  first_words words{in.u32(), in.u32(), in.u32()};
  if (in.failed()) return tl::unexpected(fmt::format("'{}' is cut off within its header", path));
  if (words.magic != magic) return tl::unexpected(fmt::format("'{}' does not begin as gcc writes it", path));
  return words;
}

}  // namespace

tl::expected<void, std::string> check_agreement(std::string_view notes, std::string_view note_path,
                                                std::string_view counters, std::string_view counter_path) {
  const auto of_notes = read_first_words(notes, note_path, magic::note);
  if (!of_notes) return tl::unexpected(of_notes.error());
  const auto of_counters = read_first_words(counters, counter_path, magic::data);
  if (!of_counters) return tl::unexpected(of_counters.error());
  const auto disagree = [&](std::string_view what, std::uint32_t a, std::uint32_t b) {
    return tl::unexpected(
        fmt::format("the notes '{}' do not belong to the program that wrote '{}': {} is {} in the notes and {} in the "
                    "counters",
                    note_path, counter_path, what, a, b));
  };
  if (of_notes->version != of_counters->version)
    return disagree("the version", of_notes->version, of_counters->version);
  if (of_notes->stamp != of_counters->stamp) return disagree("the stamp", of_notes->stamp, of_counters->stamp);
  if (!is_clang(of_notes->version) && !is_supported_gcc(gcc_major(of_notes->version))) return {};

  const auto noted = parse_note(notes, note_path);
  if (!noted) return tl::unexpected(noted.error());
  const auto counted = parse_data(counters, counter_path);
  if (!counted) return tl::unexpected(counted.error());
  std::unordered_set<std::uint32_t> idents;
  for (const auto& function : noted->functions) idents.insert(function.ident);
  for (const auto& function : counted->functions)
    if (function.counters != 0 && !idents.contains(function.ident))
      return tl::unexpected(fmt::format("the notes '{}' lack a function (ident {}) of the program that wrote '{}'",
                                        note_path, function.ident, counter_path));
  if (const auto lines = gcov_counts(*noted, *counted); !lines) return tl::unexpected(lines.error());
  return {};
}

}  // namespace morph::gcov
