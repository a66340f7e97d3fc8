// Records as CBOR, each behind a mark, its length and its check sum.
#include "plugin/spool/records.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "plugin/system/descriptor.hpp"

namespace morph::spool {
namespace {

using nlohmann::json;

constexpr std::string_view mark = "morphrow";

struct head {
  char mark[8];
  std::uint64_t size;
  std::uint64_t check;
};

/// As differences of 7 bits a byte, the lowest first.
std::vector<std::uint8_t> packed(const std::vector<std::uint32_t>& ascending) {
  std::vector<std::uint8_t> bytes;
  std::uint32_t last = 0;
  for (const std::uint32_t number : ascending) {
    std::uint32_t rest = number - last;
    for (; rest >= 0x80; rest >>= 7) bytes.push_back(static_cast<std::uint8_t>(rest | 0x80));
    bytes.push_back(static_cast<std::uint8_t>(rest));
    last = number;
  }
  return bytes;
}

std::vector<std::uint32_t> unpacked(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint32_t> numbers;
  std::uint32_t last = 0, difference = 0;
  unsigned shift = 0;
  for (const std::uint8_t byte : bytes) {
    if (shift < 32) difference |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    numbers.push_back(last += difference);
    difference = shift = 0;
  }
  return numbers;
}

/// Paths and names are bytes: text in JSON would have to be UTF-8.
json bytes_of(const std::string& text) {
  return json::binary(std::vector<std::uint8_t>(text.begin(), text.end()));
}
std::string text_of(const json& bytes) {
  const auto& binary = bytes.get_binary();
  return {binary.begin(), binary.end()};
}

json as_json(const test_record& r) {
  json entered = json::object(), variables = json::array(), files = json::array(), states = json::array();
  for (const auto& [key, functions] : r.entered) entered[key] = json::binary(packed(functions));
  for (const std::string& name : r.variables) variables.push_back(bytes_of(name));
  for (const system::opened_file& f : r.files)
    files.push_back(json::array({bytes_of(f.path), static_cast<int>(f.how), f.changes, f.by_program}));
  for (const auto& [path, s] : r.states)
    states.push_back(
        json::array({bytes_of(path), s.is_there, s.is_folder, s.seconds, s.nanoseconds, s.size, s.number}));
  return {{"test", r.test},
          {"at", r.at},
          {"wall_us", r.wall_us},
          {"machine_started", r.machine_started},
          {"status", r.status ? json(*r.status) : json()},
          {"incomplete", bytes_of(r.incomplete)},
          {"left", r.left_processes},
          {"tells_files", r.tells_files},
          {"entered", std::move(entered)},
          {"variables", std::move(variables)},
          {"files", std::move(files)},
          {"states", std::move(states)}};
}

test_record record_of(const json& j) {
  test_record r;
  r.test = j.at("test").get<std::string>();
  r.at = j.at("at").get<std::int64_t>();
  r.wall_us = j.at("wall_us").get<std::int64_t>();
  r.machine_started = j.at("machine_started").get<std::int64_t>();
  if (!j.at("status").is_null()) r.status = j["status"].get<int>();
  r.incomplete = text_of(j.at("incomplete"));
  r.left_processes = j.at("left").get<bool>();
  r.tells_files = j.at("tells_files").get<bool>();
  for (const auto& [key, functions] : j.at("entered").items()) r.entered[key] = unpacked(functions.get_binary());
  for (const json& name : j.at("variables")) r.variables.push_back(text_of(name));
  for (const json& f : j.at("files"))
    r.files.push_back({f.at(3).get<bool>(), text_of(f.at(0)),
                       static_cast<system::opened_file::use>(f.at(1).get<std::uint8_t>()), f.at(2).get<bool>()});
  for (const json& s : j.at("states"))
    r.states[text_of(s.at(0))] = {s.at(1).get<bool>(),          s.at(2).get<bool>(),
                                  s.at(3).get<std::int64_t>(),  s.at(4).get<std::int64_t>(),
                                  s.at(5).get<std::uint64_t>(), s.at(6).get<std::uint64_t>()};
  return r;
}

}  // namespace

file_state state_of(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return {};
  return {true,
          S_ISDIR(facts.st_mode),
          facts.st_ctim.tv_sec,
          facts.st_ctim.tv_nsec,
          static_cast<std::uint64_t>(facts.st_size),
          facts.st_ino};
}

std::int64_t machine_started() {
  timespec up{}, now{};
  ::clock_gettime(CLOCK_BOOTTIME, &up);
  ::clock_gettime(CLOCK_REALTIME, &now);
  constexpr std::int64_t second = 1'000'000'000;
  return (now.tv_sec - up.tv_sec) * second + now.tv_nsec - up.tv_nsec;
}

std::string as_bytes(const test_record& record) {
  const std::vector<std::uint8_t> content = json::to_cbor(as_json(record));
  head h{};
  std::memcpy(h.mark, mark.data(), mark.size());
  h.size = content.size();
  h.check = XXH3_64bits(content.data(), content.size());
  std::string bytes(sizeof h + content.size(), '\0');
  std::memcpy(bytes.data(), &h, sizeof h);
  std::memcpy(bytes.data() + sizeof h, content.data(), content.size());
  return bytes;
}

std::vector<test_record> read_records(std::string_view bytes) {
  std::vector<test_record> records;
  for (std::size_t at = 0; (at = bytes.find(mark, at)) != std::string_view::npos;) {
    head h{};
    if (bytes.size() - at < sizeof h) break;
    std::memcpy(&h, bytes.data() + at, sizeof h);
    const std::string_view rest = bytes.substr(at + sizeof h);
    const bool is_whole = h.size <= rest.size() && XXH3_64bits(rest.data(), h.size) == h.check;
    const json read = is_whole ? json::from_cbor(rest.substr(0, h.size), true, false) : json();
    at += is_whole ? sizeof h + h.size : mark.size();
    try {
      if (read.is_object()) records.push_back(record_of(read));
    } catch (const json::exception&) {
      continue;  // of another version
    }
  }
  return records;
}

result<void> append(const std::filesystem::path& file, const test_record& record) {
  const std::string bytes = as_bytes(record);
  const system::descriptor to(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  struct stat facts {};
  if (to.get() < 0 || ::fstat(to.get(), &facts) != 0)
    return tl::unexpected(fmt::format("'{}' cannot be written: {}", file.string(), std::strerror(errno)));
  if (static_cast<std::uintmax_t>(facts.st_size) > largest_file)
    return tl::unexpected(fmt::format("'{}' is full", file.string()));
  const ssize_t written = ::write(to.get(), bytes.data(), bytes.size());
  if (written != static_cast<ssize_t>(bytes.size()))
    return tl::unexpected(fmt::format("'{}' cannot be written: {}", file.string(), std::strerror(errno)));
  return {};
}

}  // namespace morph::spool
