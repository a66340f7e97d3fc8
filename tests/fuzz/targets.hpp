// What the fuzzers and their replay feed foreign bytes to: each reader, and whoever relies on what it gave back.
#pragma once

#include <array>
#include <string_view>

namespace morph::fuzz {

/// Aborts if the reader gave back something that its contract forbids.
using check = void (*)(std::string_view bytes);

void try_note(std::string_view bytes);
void try_data(std::string_view bytes);
void try_counts(std::string_view bytes);  // u32: size of the notes, the notes, the counters
void try_stream(std::string_view bytes);
void try_table(std::string_view bytes);   // an object file
void try_object(std::string_view bytes);  // an object file
void try_archive(std::string_view bytes);

struct target {
  const char* name;  // also of the folder of its seeds
  check run;
  bool (*accepts)(std::string_view bytes);  // without an error; seeds are accepted
};
extern const std::array<target, 7> targets;

}  // namespace morph::fuzz
