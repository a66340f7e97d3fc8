// Writes the file of a series, and reads entries that any process may have written.
#include "plugin/spool/series.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "plugin/system/descriptor.hpp"
#include "plugin/system/files.hpp"

namespace morph::spool {
namespace {

namespace fs = std::filesystem;
using morph_probe::series_case;
using morph_probe::series_entry;
using morph_probe::series_header;
using morph_probe::series_table;
using functions_by_key = std::map<std::string, std::vector<std::uint32_t>>;

template <typename T>
void put(std::string& bytes, std::size_t at, const T& value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <typename T>
std::optional<T> take(std::string_view& bytes) {
  if (bytes.size() < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

/// Of a file that may be shorter by now.
std::string_view part_of(std::string_view all, const std::uint32_t (&range)[2]) {
  const std::size_t begin = std::min<std::size_t>(range[0], all.size());
  const std::size_t end = std::clamp<std::size_t>(range[1], begin, all.size());
  return all.substr(begin, end - begin);
}

std::optional<functions_by_key> read_tables(std::string_view bytes, std::uint32_t count) {
  functions_by_key read;
  for (std::uint32_t t = 0; t < count; ++t) {
    const auto table = take<series_table>(bytes);
    if (!table || table->key > bytes.size()) return std::nullopt;
    auto& functions = read[std::string(bytes.substr(0, table->key))];
    bytes.remove_prefix(std::min<std::size_t>((table->key + 3ULL) / 4 * 4, bytes.size()));
    if (table->functions > bytes.size() / sizeof(std::uint32_t)) return std::nullopt;
    for (std::uint32_t f = 0; f < table->functions; ++f) functions.push_back(*take<std::uint32_t>(bytes));
  }
  return read;
}

void add(const functions_by_key& more, functions_by_key& to) {
  for (const auto& [key, functions] : more) {
    auto& all = to[key];
    all.insert(all.end(), functions.begin(), functions.end());
  }
}

void sort(functions_by_key& entered) {
  for (auto& [key, functions] : entered) {
    std::ranges::sort(functions);
    functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
  }
}

/// What of the text no case has written for itself.
std::string without(std::string_view all, std::vector<std::pair<std::size_t, std::size_t>> parts) {
  std::ranges::sort(parts);
  std::string rest;
  std::size_t at = 0;
  for (const auto& [begin, end] : parts) {
    if (begin > at && at < all.size()) rest += all.substr(at, begin - at);
    at = std::max(at, end);
  }
  if (at < all.size()) rest += all.substr(at);
  return rest;
}

}  // namespace

result<series_file> series_file::make(const fs::path& path, std::span<const series_member> members) {
  series_header header{};
  std::memcpy(header.magic, morph_probe::series_magic, sizeof header.magic);
  header.cases = static_cast<std::uint32_t>(members.size());
  header.runs_main = !members.empty() && members.front().arguments ? 1 : 0;
  std::string bytes(sizeof header + members.size() * sizeof(series_case), '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  for (std::size_t i = 0; i < members.size(); ++i) {
    series_case one{};
    one.name = static_cast<std::uint32_t>(bytes.size());
    bytes.append(members[i].name).push_back('\0');
    one.record = static_cast<std::uint32_t>(bytes.size());
    bytes.append(members[i].record).push_back('\0');
    one.arguments = static_cast<std::uint32_t>(bytes.size());
    if (const auto& arguments = members[i].arguments) {
      one.argument_count = static_cast<std::uint32_t>(arguments->size());
      for (const std::string& argument : *arguments) bytes.append(argument).push_back('\0');
    }
    put(bytes, sizeof header + i * sizeof one, one);
  }
  if (auto written = system::write_file_atomically(path, bytes); !written) return tl::unexpected(written.error());
  return open(path);
}

result<series_file> series_file::open(const fs::path& path) {
  const system::descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts {};
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0)
    return tl::unexpected(fmt::format("cannot read '{}': {}", path.string(), std::strerror(errno)));
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* const at = size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (at == MAP_FAILED) return tl::unexpected(fmt::format("cannot map '{}'", path.string()));
  series_file made;
  made.memory_ =
      std::shared_ptr<const char>(static_cast<const char*>(at), [at, size](const char*) { ::munmap(at, size); });
  made.bytes_ = size;
  const bool is_whole = size >= sizeof(series_header) &&
                        std::memcmp(at, morph_probe::series_magic, sizeof morph_probe::series_magic) == 0 &&
                        made.header().cases <= (size - sizeof(series_header)) / sizeof(series_case);
  if (!is_whole) return tl::unexpected(fmt::format("'{}' is no series of tests", path.string()));
  return made;
}

const series_header& series_file::header() const {
  return *reinterpret_cast<const series_header*>(memory_.get());
}
const series_case& series_file::at(std::size_t number) const {
  return reinterpret_cast<const series_case*>(memory_.get() + sizeof(series_header))[number];
}
std::string series_file::text_at(std::uint32_t offset) const {
  if (offset >= bytes_) return {};
  return {memory_.get() + offset, ::strnlen(memory_.get() + offset, bytes_ - offset)};
}
std::size_t series_file::size() const {
  return header().cases;
}
std::string series_file::name(std::size_t number) const {
  return text_at(at(number).name);
}
std::string series_file::record(std::size_t number) const {
  return text_at(at(number).record);
}
bool series_file::has_begun(std::size_t number) const {
  return at(number).state != morph_probe::untaken;
}
bool series_file::is_over(std::size_t number) const {
  return at(number).state == morph_probe::over;
}
int series_file::status(std::size_t number) const {
  return at(number).status;
}
std::uint32_t series_file::running() const {
  return header().running;
}
pid_t series_file::process() const {
  return header().process;
}
morph_probe::series_refusal series_file::refusal() const {
  return header().refusal;
}

void add_names(std::string_view bytes, std::set<std::string>& to) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\0');
    to.emplace(bytes.substr(0, end));
    bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
  }
}

std::map<std::uint32_t, series_row> read_series(std::string_view entries, std::string_view variables,
                                                std::string_view incomplete, const functions_by_key& entered) {
  std::map<std::uint32_t, series_row> rows;
  std::map<std::uint32_t, std::set<std::string>> names;
  std::vector<std::pair<std::size_t, std::size_t>> own_variables, own_incomplete;
  functions_by_key common = entered;
  bool has_common = false;
  while (entries.size() >= sizeof(series_entry)) {
    std::string_view rest = entries;
    const series_entry entry = *take<series_entry>(rest);
    if (entry.size < sizeof entry || entry.size > entries.size()) break;
    const auto tables = read_tables(entries.substr(sizeof entry, entry.size - sizeof entry), entry.tables);
    entries.remove_prefix(entry.size);
    if (!tables) continue;
    if (entry.number == morph_probe::of_every_case) {
      add(*tables, common);
      has_common = true;
      continue;
    }
    series_row& row = rows[entry.number];
    add(*tables, row.entered);
    add_names(part_of(variables, entry.variables), names[entry.number]);
    row.incomplete += part_of(incomplete, entry.incomplete);
    own_variables.emplace_back(entry.variables[0], entry.variables[1]);
    own_incomplete.emplace_back(entry.incomplete[0], entry.incomplete[1]);
    if ((entry.flags & morph_probe::is_end) == 0) continue;
    row.has_ended = true;
    row.ended_by_itself = (entry.flags & morph_probe::ended_by_itself) != 0;
    row.left_processes = (entry.flags & morph_probe::left_processes) != 0;
    row.is_of_restored = (entry.flags & morph_probe::of_restored) != 0;
    row.status = entry.status;
    row.at = entry.at;
    row.wall_us = static_cast<std::int64_t>(entry.wall_us);
    row.output_begin = entry.output[0];
    row.output_end = entry.output[1];
  }
  if (!has_common) return {};
  std::set<std::string> names_of_all;
  add_names(without(variables, std::move(own_variables)), names_of_all);
  const std::string reasons_of_all = without(incomplete, std::move(own_incomplete));
  sort(common);
  for (auto& [number, row] : rows) {
    add(common, row.entered);
    sort(row.entered);
    names[number].insert(names_of_all.begin(), names_of_all.end());
    row.variables.assign(names[number].begin(), names[number].end());
    row.incomplete += reasons_of_all;
  }
  series_row& all = rows[of_all];
  all.entered = std::move(common);
  all.variables.assign(names_of_all.begin(), names_of_all.end());
  all.incomplete = reasons_of_all;
  return rows;
}

std::map<std::uint32_t, series_row> read_series(const fs::path& row) {
  functions_by_key entered;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(row, none)) {
    if (entry.path().extension() != ".entered") continue;
    const auto bytes = system::read_file(entry.path());
    auto& functions = entered[entry.path().stem().string()];
    for (std::uint32_t f = 0; bytes && f < bytes->size(); ++f)
      if ((*bytes)[f] != 0) functions.push_back(f);
  }
  const auto text_of = [&](const char* name) { return system::read_file(row / name).value_or(std::string()); };
  return read_series(text_of(morph_probe::series_entries + 1), text_of("variables"), text_of("incomplete"), entered);
}

}  // namespace morph::spool
