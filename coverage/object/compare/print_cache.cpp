// Files, their stamps, and what was read from them.
#include "coverage/object/compare/print_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <optional>

#include "coverage/object/read/archive.hpp"

namespace morph::object {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view entry_magic = "morph objects 2";

struct stamp {
  std::int64_t size = 0, modified = 0, changed = 0;
  std::uint64_t inode = 0, device = 0;

  friend bool operator==(const stamp&, const stamp&) = default;
  std::string text() const { return fmt::format("{} {} {} {} {}", size, modified, changed, inode, device); }
};

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

stamp stamp_of(const struct stat& s) {
  return {s.st_size, nanoseconds(s.st_mtim), nanoseconds(s.st_ctim), s.st_ino, s.st_dev};
}

class descriptor {
 public:
  explicit descriptor(const fs::path& file, int flags, mode_t mode = 0)
      : value_(::open(file.c_str(), flags | O_CLOEXEC, mode)) {}
  ~descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  int get() const { return value_; }

 private:
  int value_;
};

struct whole_file {
  std::string_view bytes;
  stamp at;
};

/// Into the buffer, until the next one is read.
tl::expected<whole_file, std::string> read_whole(const fs::path& file, const std::string& name, file_buffer& buffer) {
  const auto failed = [&] {
    return tl::unexpected(fmt::format("'{}' cannot be read: {}", name, std::strerror(errno)));
  };
  const descriptor in(file, O_RDONLY);
  struct stat before {};
  if (in.get() < 0 || ::fstat(in.get(), &before) != 0) return failed();
  if (!S_ISREG(before.st_mode)) return tl::unexpected(fmt::format("'{}' is no file", name));
  const auto size = static_cast<std::size_t>(before.st_size);
  char* const bytes = buffer.of(size);
  const whole_file read{{bytes, size}, stamp_of(before)};
  for (std::size_t at = 0; at < size;) {
    const ssize_t got = ::read(in.get(), bytes + at, size - at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed();
    if (got == 0) {
      std::fill(bytes + at, bytes + size, '\0');
      break;
    }
    at += static_cast<std::size_t>(got);
  }
  struct stat after {
  }, named{};
  const bool still = ::fstat(in.get(), &after) == 0 && stamp_of(after) == read.at &&
                     ::stat(file.c_str(), &named) == 0 && stamp_of(named) == read.at;
  if (!still) return tl::unexpected(fmt::format("'{}' changes while it is read: wait for the build to end", name));
  return read;
}

// Clocks of file systems are coarse: what was written just now may be written once more at the same time.
bool is_settled(const stamp& at) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now) - std::max(at.modified, at.changed) > 2'000'000'000;
}

std::optional<std::string> small_file(const fs::path& file) {
  const descriptor in(file, O_RDONLY);
  struct stat s {};
  if (in.get() < 0 || ::fstat(in.get(), &s) != 0 || !S_ISREG(s.st_mode)) return {};
  std::string bytes(static_cast<std::size_t>(s.st_size), '\0');
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t got = ::read(in.get(), bytes.data() + at, bytes.size() - at);
    if (got <= 0) return {};
    at += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace

char* file_buffer::of(std::size_t size) {
  if (size > size_) {
    bytes_.reset();
    bytes_ = std::make_unique_for_overwrite<char[]>(size_ = size);
  }
  return bytes_.get();
}

struct print_cache::content {
  std::string name;  // of a member
  digest of;
  digest written;
};

struct print_cache::entry {
  std::string path;
  stamp at;
  bool archive = false;
  bool thin = false;
  std::vector<content> contents;

  std::string write() const;
  static std::optional<entry> parse(std::string_view text);
};

std::string print_cache::entry::write() const {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n", entry_magic, path, at.text(), archive ? 1 : 0);
  for (const content& c : contents) text += fmt::format("{} {} {}\n", hex(c.of), hex(c.written), c.name);
  return text + "end\n";
}

std::optional<print_cache::entry> print_cache::entry::parse(std::string_view text) {
  const auto line = [&]() -> std::optional<std::string_view> {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    const std::string_view found = text.substr(0, end);
    text.remove_prefix(end + 1);
    return found;
  };
  entry made;
  const auto magic = line(), path = line(), times = line(), archive = line();
  if (!archive || magic != entry_magic) return {};
  made.path = *path;
  made.archive = *archive == "1";
  const std::string numbers(*times);
  stamp& at = made.at;
  if (std::sscanf(numbers.c_str(), "%ld %ld %ld %lu %lu", &at.size, &at.modified, &at.changed, &at.inode, &at.device) !=
      5)
    return {};
  for (auto next = line(); next; next = line()) {
    if (*next == "end") return made;
    if (next->size() < 66) return {};
    const auto of = parse_digest(next->substr(0, 32)), written = parse_digest(next->substr(33, 32));
    if (!of || !written) return {};
    made.contents.push_back({std::string(next->substr(66)), *of, *written});
  }
  return {};
}

print_cache::print_cache(fs::path folder, std::vector<std::string> roots, detail how)
    : folder_(std::move(folder)), reader_(roots, how) {
  digest_writer all;
  for (const std::string& root : roots) all.text(root);
  if (how == detail::blocks) all.text("blocks");
  if (!all.empty()) roots_ = all.finish();
  std::error_code ignored;
  if (!folder_.empty()) fs::create_directories(folder_, ignored);
}

fs::path print_cache::print_file(const digest& of) const {
  return folder_ / (hex(of) + ".print");
}
fs::path print_cache::entry_file(const fs::path& of) const {
  digest_writer all;
  all.text(of.native());
  all.add(roots_);
  return folder_ / (hex(all.finish()) + ".file");
}

void print_cache::keep(const fs::path& as, std::string_view bytes) const {
  if (folder_.empty()) return;
  const fs::path beside = fmt::format("{}.{}", as.native(), ::getpid());
  bool whole = false;
  {
    const descriptor out(beside, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    whole = out.get() >= 0 && ::write(out.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  }
  std::error_code ignored;
  if (whole)
    fs::rename(beside, as, ignored);
  else
    fs::remove(beside, ignored);
}

std::optional<print_cache::written_print> print_cache::kept(const digest& of) const {
  if (folder_.empty()) return {};
  const auto bytes = small_file(print_file(of));
  if (!bytes) return {};
  auto print = read_print(*bytes);
  if (!print) return {};
  return written_print{std::make_shared<const object_print>(std::move(*print)), digest_of_print(*bytes)};
}

std::shared_ptr<const object_print> print_cache::load(const digest& of) const {
  auto found = kept(of);
  return found ? std::move(found->print) : nullptr;
}

tl::expected<print_cache::written_print, std::string> print_cache::print_of(std::string_view bytes, const digest& of,
                                                                            const std::string& name) {
  if (auto found = kept(of)) {
    ++figures_.same;
    return *found;
  }
  auto print = reader_.read(bytes, name);
  if (!print) return tl::unexpected(print.error());
  ++figures_.read;
  const std::string written = write_print(*print);
  keep(print_file(of), written);
  return written_print{std::make_shared<const object_print>(std::move(*print)), digest_of_print(written)};
}

bool print_cache::answer(const entry& known, link_item& item) {
  for (const content& c : known.contents) {
    auto found = kept(c.of);
    if (!found) {
      item.members.clear();
      return false;
    }
    item.members.push_back({c.name, std::move(found->print), c.of, c.written});
  }
  item.archive = known.archive;
  figures_.unchanged += known.contents.size();
  return true;
}

tl::expected<print_cache::entry, std::string> print_cache::read_entry(const fs::path& file, const std::string& name,
                                                                      link_item& item) {
  const auto whole = read_whole(file, name, buffer_);
  if (!whole) return tl::unexpected(whole.error());
  entry made{fs::absolute(file).native(), whole->at, is_archive(whole->bytes), false, {}};
  const auto add = [&](std::string_view bytes, const std::string& member) -> tl::expected<void, std::string> {
    digest of = digest_of(bytes);
    of.low ^= roots_.low, of.high ^= roots_.high;  // with other roots it has another print
    auto print = print_of(bytes, of, member.empty() ? name : fmt::format("{}({})", name, member));
    if (!print) return tl::unexpected(print.error());
    item.members.push_back({member, std::move(print->print), of, print->written});
    made.contents.push_back({member, of, print->written});
    return {};
  };
  item.archive = made.archive;
  if (!made.archive) {
    if (const auto done = add(whole->bytes, ""); !done) return tl::unexpected(done.error());
    return made;
  }
  const auto members = members_of(whole->bytes, fs::absolute(file).native());
  if (!members) return tl::unexpected(members.error());
  for (const archive_member& member : *members) {
    std::string_view bytes = member.bytes;
    file_buffer own_buffer;
    tl::expected<whole_file, std::string> own;
    if (!member.path.empty()) {
      made.thin = true;
      own = read_whole(member.path, fmt::format("{}({})", name, member.name), own_buffer);
      if (!own) return tl::unexpected(own.error());
      bytes = own->bytes;
    }
    if (const auto done = add(bytes, member.name); !done) return tl::unexpected(done.error());
  }
  return made;
}

tl::expected<link_item, std::string> print_cache::read(const fs::path& file, const std::string& name) {
  return read_as(file, name, true);
}

tl::expected<link_item, std::string> print_cache::identify(const fs::path& file, const std::string& name) {
  return read_as(file, name, false);
}

tl::expected<link_item, std::string> print_cache::read_as(const fs::path& file, const std::string& name,
                                                          bool with_prints) {
  link_item item;
  item.path = name;
  const fs::path path = fs::absolute(file);
  std::optional<entry> known;
  if (!folder_.empty())
    if (const auto text = small_file(entry_file(path))) known = entry::parse(*text);
  struct stat now {};
  if (known && known->path == path.native() && ::stat(path.c_str(), &now) == 0 && stamp_of(now) == known->at) {
    if (with_prints && answer(*known, item)) return item;
    if (!with_prints) {
      item.archive = known->archive;
      for (const content& c : known->contents) item.members.push_back({c.name, nullptr, c.of, c.written});
      return item;
    }
  }
  auto made = read_entry(path, name, item);
  if (!made) return tl::unexpected(made.error());
  // A thin archive does not change with its members.
  if (folder_.empty() || made->thin || !is_settled(made->at)) return item;
  keep(entry_file(path), made->write());
  if (!known) return item;
  for (const content& old : known->contents) {
    bool used = false;
    for (const content& c : made->contents) used |= c.of == old.of;
    std::error_code ignored;
    if (!used) fs::remove(print_file(old.of), ignored);
  }
  return item;
}

}  // namespace morph::object
