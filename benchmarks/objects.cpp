// How long it takes to read the objects of a build, and to compare it with one in which an object changed.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "coverage/object/compare/compare.hpp"
#include "coverage/object/compare/print_cache.hpp"
#include "coverage/object/read/decoder.hpp"

namespace {

namespace fs = std::filesystem;
using namespace morph::object;

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct unit_of_build {
  std::vector<link_item> items;
  double read_ms = 0;
};

unit_of_build read_all(const std::vector<std::string>& objects, const fs::path& kept) {
  const double start = cpu_ms();
  print_cache cache(kept);
  unit_of_build made;
  for (const std::string& object : objects) {
    auto item = cache.read(object, object);
    if (!item) {
      fmt::print(stderr, "{}\n", item.error());
      std::exit(1);
    }
    made.items.push_back(std::move(*item));
  }
  made.read_ms = cpu_ms() - start;
  return made;
}

/// As a plan has them: one print for both builds of what did not change.
void share_prints(const unit_of_build& before, unit_of_build& after) {
  std::map<digest, std::shared_ptr<const object_print>> known;
  for (const link_item& item : before.items)
    for (const link_member& member : item.members) known.emplace(member.written, member.print);
  for (link_item& item : after.items)
    for (link_member& member : item.members)
      if (const auto at = known.find(member.written); at != known.end()) member.print = at->second;
}

struct amount_of_code {
  std::uint64_t bytes = 0, instructions = 0;
};

amount_of_code code_of(const std::vector<std::string>& objects) {
  amount_of_code all;
  decoder decode(machine::x86_64);
  for (const std::string& path : objects) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    const auto object = read_elf(bytes, path);
    if (!object || object->target != machine::x86_64) continue;
    for (const elf_section& s : object->sections) {
      if (!s.code()) continue;
      all.bytes += s.bytes.size();
      for (std::size_t at = 0; at < s.bytes.size(); ++all.instructions)
        at += decode.decode(s.bytes.substr(at), at).size;
    }
  }
  return all;
}

}  // namespace

/// usage: morph_objects FOLDER CHANGED OBJECT...: prints a line of JSON; FOLDER keeps what was read, CHANGED is another
/// version of the last object.
int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: morph_objects FOLDER CHANGED OBJECT...\n");
    return 2;
  }
  const fs::path kept = argv[1];
  const std::vector<std::string> objects(argv + 3, argv + argc);
  std::uintmax_t bytes = 0;
  for (const std::string& object : objects) bytes += fs::file_size(object);

  const unit_of_build cold = read_all(objects, {});
  double start = cpu_ms();
  const link_unit before(cold.items);
  const double link_ms = cpu_ms() - start;
  read_all(objects, kept);
  const unit_of_build warm = read_all(objects, kept);

  fs::copy_file(argv[2], objects.back(), fs::copy_options::overwrite_existing);
  unit_of_build changed = read_all(objects, kept);
  share_prints(cold, changed);
  start = cpu_ms();
  const link_unit after(changed.items, {}, &before);
  const comparison differences = compare(before, after);
  const double compare_ms = cpu_ms() - start;
  const amount_of_code code = code_of(objects);
  fmt::print(
      "{{\"bytes\": {}, \"code_bytes\": {}, \"instructions\": {}, \"functions\": {}, \"cold_ms\": {:.1f}, \"link_ms\": "
      "{:.1f}, \"warm_ms\": {:.1f}, "
      "\"changed_ms\": {:.1f}, "
      "\"compare_ms\": {:.1f}, \"changes\": {}}}\n",
      bytes, code.bytes, code.instructions, differences.compared, cold.read_ms, link_ms, warm.read_ms, changed.read_ms,
      compare_ms, differences.changes.size());
  return 0;
}
