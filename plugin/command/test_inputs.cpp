// From paths and names to elements.
#include "plugin/command/test_inputs.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "plugin/command/program_tables.hpp"
#include "plugin/project/files.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using optimizer::requirement_kind;
using store::element;

/// They say where or for whom a program runs, not what it does: terminals, temporary folders, the shell's notes, and
/// what make, ctest, frameworks and measuring itself use.
bool is_of_surroundings(const std::string& name) {
  static constexpr std::array<std::string_view, 13> names{
      "_",     "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "DASHBOARD_TEST_FROM_CTEST",
      "LINES", "MFLAGS",   "NO_COLOR",       "OLDPWD",    "PWD",     "SHLVL",
      "TERM"};
  static constexpr std::array<std::string_view, 8> prefixes{"CTEST_", "GCOV_",  "GTEST_",      "MAKE",
                                                            "MORPH_", "TMPDIR", "TEST_TMPDIR", "TESTBRIDGE_"};
  return std::find(names.begin(), names.end(), name) != names.end() ||
         std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return name.starts_with(prefix); });
}

std::optional<std::string> digest_of_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return project::blob_hash(value);  // never the value: it may be a secret
}

/// Of a big file its size and time stand for its content.
std::optional<std::string> digest_of_file(const fs::path& path) {
  constexpr std::uintmax_t most_bytes = 16 << 20;
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  if (static_cast<std::uintmax_t>(facts.st_size) > most_bytes)
    return fmt::format("{} bytes of {}", facts.st_size, facts.st_mtime);
  const auto content = project::read_file(path);
  if (!content) return std::nullopt;
  return project::blob_hash(*content);
}

/// Where the build tree lies does not count.
std::string digest_of_declaration(const project::build_tree& tree, const project::suite& suite) {
  nlohmann::json programs = nlohmann::json::array();
  for (const project::test_program& program : suite.programs) programs.push_back(program.target);
  std::string text = nlohmann::json{suite.framework,
                                    suite.working_directory.string(),
                                    suite.extra_args,
                                    suite.environment,
                                    suite.timeout.value_or(0),
                                    suite.properties,
                                    suite.data,
                                    std::move(programs)}
                         .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (const fs::path& folder : {tree.binary_dir, tree.source_dir})
    for (std::size_t at = 0; (at = text.find(folder.string(), at)) != std::string::npos;)
      text.replace(at, folder.string().size(), ".");
  return project::blob_hash(text);
}

/// The way to a file that need not be there.
struct resolved_path {
  std::string real;
  std::vector<std::string> links;  // that are followed on the way, each by its real folder and its name
};

resolved_path resolve(const std::string& path) {
  constexpr int most_links = 40;  // as the kernel
  resolved_path found;
  fs::path at = "/";
  std::vector<fs::path> left;  // the next one last
  const auto push = [&](const fs::path& parts) {
    const std::vector<fs::path> list(parts.begin(), parts.end());
    left.insert(left.end(), list.rbegin(), list.rend());
  };
  push(fs::path(path).relative_path());
  std::error_code error;
  while (!left.empty()) {
    const fs::path part = left.back();
    left.pop_back();
    if (part == "..") at = at.parent_path();
    if (part.empty() || part == "." || part == "..") continue;
    if (!fs::is_symlink(at / part, error)) {
      at /= part;
      continue;
    }
    found.links.push_back((at / part).string());
    if (found.links.size() > most_links) break;
    const fs::path target = fs::read_symlink(at / part, error);
    if (target.is_absolute()) at = "/";
    push(target.relative_path());
  }
  found.real = at.string();
  return found;
}

bool is_before(const timespec& a, const timespec& b) {
  return std::pair(a.tv_sec, a.tv_nsec) < std::pair(b.tv_sec, b.tv_nsec);
}

constexpr const char* library_path = "LD_LIBRARY_PATH";

/// By its name and its first bytes: `libz.so.1`, `plugin.so`, not `ld.so.cache`.
bool is_library(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.ends_with(".so") && name.find(".so.") == std::string::npos) return false;
  std::array<char, SELFMAG> magic{};
  return std::ifstream(path, std::ios::binary).read(magic.data(), magic.size()) &&
         std::string_view(magic.data(), magic.size()) == ELFMAG;
}

/// Shared libraries as the loader would find them now.
class libraries_now {
 public:
  explicit libraries_now(const fs::path& own_dir) : known_(own_dir / "libraries.json") {
    const char* folders = std::getenv(library_path);
    for (std::string_view left = folders == nullptr ? "" : folders; !left.empty();) {
      const auto end = std::min(left.find(':'), left.size());
      if (end > 0) folders_.emplace_back(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
  std::optional<std::string> of(const fs::path& measured) {
    std::error_code error;
    for (const fs::path& folder : folders_)
      if (const fs::path here = folder / measured.filename(); fs::exists(here, error)) return known_.of(here);
    return known_.of(measured);
  }

 private:
  project::library_identities known_;
  std::vector<fs::path> folders_;
};

bool is_inside(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

}  // namespace

void add_elements(std::vector<element>& to, std::span<const element> more) {
  if (more.empty()) return;
  if (to.empty()) {
    to.assign(more.begin(), more.end());
    return;
  }
  std::vector<element> all;
  std::set_union(to.begin(), to.end(), more.begin(), more.end(), std::back_inserter(all));
  to = std::move(all);
}

void test_inputs::watch(project::command& c,
                        std::function<void(const std::vector<element>&, bool by_program)> on_opened) {
  watched_.clear();
  if (!m_->watch_files) return;
  const auto mark = [this](const char* how_far) { watched_ = {telling(how_far)}; };
  c.on_opened = [this, mark, on_opened = std::move(on_opened)](const project::opened_file& opened) {
    if (opened.how == use::hides) mark(store::watched_in_part);
    if (watched_.empty()) mark(store::watched_wholly);  // the program itself is the first file
    if (const auto& elements = elements_of(opened.path, opened.how); !elements.empty())
      on_opened(elements, opened.by_program);
  };
}

std::vector<element> test_inputs::opens_nothing() {
  if (!m_->watch_files) return {};
  return {telling(store::watched_wholly)};
}

element test_inputs::telling(const char* how_far) {
  return store::make_element(requirement_kind::input, 0,
                             m_->writer.input({store::measured_input::kind::watch, "files", how_far}));
}

void test_inputs::check(const project::process_end& end) const {
  static bool said = false;
  if (end.watch_refused == 0 || std::exchange(said, true)) return;
  spdlog::info("the kernel does not tell which files tests open ({}); that is not recorded",
               std::strerror(end.watch_refused));
}

std::vector<element> test_inputs::variables(std::span<const std::string> names, const project::command& c) {
  std::vector<element> found;
  for (const std::string& name : names) {
    const bool is_given =
        std::any_of(c.environment.begin(), c.environment.end(), [&](const auto& entry) { return entry.first == name; });
    if (is_given || is_of_surroundings(name)) continue;
    const auto id = m_->writer.input({store::measured_input::kind::variable, name, digest_of_variable(name)});
    found.push_back(store::make_element(requirement_kind::input, 0, id));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<element> test_inputs::libraries(const std::string& program, const project::command& c) {
  std::string folders;
  bool is_given = false;
  for (const auto& [name, value] : c.environment)
    if (name == library_path) {
      folders = value.value_or("");
      is_given = true;
    }
  if (const char* inherited = std::getenv(library_path); !is_given && inherited != nullptr) folders = inherited;
  std::vector<element> found;
  const auto add = [&](const store::measured_input& input) {
    found.push_back(store::make_element(requirement_kind::input, 0, m_->writer.input(input)));
  };
  bool by_variable = false;
  std::error_code error;
  for (const project::needed_library& library : project::needed_libraries(program, folders)) {
    const std::string real = fs::weakly_canonical(library.path, error).string();
    if (is_inside(real, m_->twin.binary_dir.string()) || is_inside(real, m_->build_dir.string())) continue;
    by_variable = by_variable || library.by_variable;
    add({store::measured_input::kind::library, library.path.string(), libraries_.of(library.path)});
  }
  // Which of several it is depends on the variable then.
  if (by_variable && !is_given)
    add({store::measured_input::kind::variable, library_path, digest_of_variable(library_path)});
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

const std::vector<element>& test_inputs::elements_of(const std::string& path, use how) {
  constexpr std::size_t most_known = 100000;  // tests may make files of new names for ever
  auto& known = known_[static_cast<std::size_t>(how)];
  if (known.size() > most_known) known.clear();
  std::error_code error;
  // A test may turn links, and make what was not there.
  const bool may_turn = fs::canonical(path, error) != fs::path(path);
  const auto [at, added] = known.try_emplace(path);
  if (added || may_turn) at->second = find_elements(path, how);
  return at->second;
}

std::vector<element> test_inputs::elements_in_build(const std::string& path, use how, bool is_twin) const {
  const std::string twin = m_->twin.binary_dir.string();
  const std::string in_build = is_twin ? m_->build_dir.string() + path.substr(twin.size()) : path;
  std::error_code error;
  // It may be there by now, or not yet; what a test makes by itself is no input of it.
  if (how == use::writes && !fs::is_directory(path, error)) return {};
  const bool is_there = fs::exists(path, error);
  if (!is_there && !fs::exists(in_build, error)) return {};
  const std::string relative = m_->repository.relative(in_build);
  std::string name = relative.empty() ? in_build : relative;
  if (is_there && fs::is_directory(path, error)) name += how == use::reads ? "/" : "/.";
  return {store::make_element(requirement_kind::data, m_->writer.file(name), 0)};
}

std::vector<element> test_inputs::find_elements(const std::string& path, use how) const {
  if (path.empty() || how == use::hides) return {};
  struct stat facts {};
  const bool is_there = ::stat(path.c_str(), &facts) == 0;
  const bool is_folder = is_there && S_ISDIR(facts.st_mode);
  if (is_there && !is_folder && !S_ISREG(facts.st_mode)) return {};
  const auto data = [&](const std::string& name) {
    return store::make_element(requirement_kind::data, m_->writer.file(name), 0);
  };
  const auto [real, links] = resolve(path);
  const std::string twin = m_->twin.binary_dir.string();
  if (is_inside(real, twin + "/.morph")) return {};
  if (is_inside(real, twin)) return elements_in_build(real, how, true);
  const bool is_root = real == m_->repository.root().string();
  const std::string target = is_root ? "." : m_->repository.relative(real);
  if (target.empty() && how == use::reads && is_there && !is_folder && is_library(path))
    return {store::make_element(requirement_kind::input, 0,
                                m_->writer.input({store::measured_input::kind::library, path, libraries_.of(path)}))};
  const bool is_tracked = !target.empty() && m_->repository.tracks(target);
  if (!is_tracked && !is_root && is_inside(real, m_->build_dir.string())) {
    const fs::path own = fs::path(real).lexically_relative(m_->build_dir);
    const bool is_ours = *own.begin() == ".morph" || *own.begin() == "morph-twin";
    return is_ours ? std::vector<element>() : elements_in_build(real, how, false);
  }
  std::vector<element> found;
  for (const std::string& link : links)
    if (const std::string name = m_->repository.relative(link); m_->repository.tracks(name))
      found.push_back(data(name));
  const bool counts = !target.empty() && !is_inside(target, ".git") && !is_inside(target, ".morph") &&
                      (is_tracked || !m_->kinds.in_build_tree(target));
  if (counts && is_folder)
    found.push_back(data(target + (how == use::reads ? "/" : "/.")));
  else if (counts && how == use::writes)
    found.push_back(data(target + "/."));
  else if (counts && (is_tracked || !is_there))
    found.push_back(data(target));
  else if (counts && is_before(facts.st_ctim, m_->started))  // else a test may have made it
    found.push_back(
        store::make_element(requirement_kind::input, 0,
                            m_->writer.input({store::measured_input::kind::file, target, digest_of_file(real)})));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void record_declarations(const project::build_tree& tree, store::measurement_writer& writer) {
  for (const project::suite& suite : tree.suites)
    if (!suite.is_adopted())
      writer.input({store::measured_input::kind::suite, suite.name, digest_of_declaration(tree, suite)});
}

std::vector<std::uint32_t> changed_inputs(const store::evidence& measured, const project::build_tree& tree,
                                          const fs::path& root) {
  std::vector<std::uint32_t> changed;
  libraries_now libraries(tree.own_dir());
  for (std::uint32_t i = 0; i < measured.inputs.size(); ++i) {
    const store::measured_input& input = measured.inputs[i];
    const auto digest_now = [&] {
      switch (input.what) {
        case store::measured_input::kind::variable:
          return digest_of_variable(input.name);
        case store::measured_input::kind::file:
          break;
        case store::measured_input::kind::library:
          return libraries.of(input.name);
        case store::measured_input::kind::watch:
          return input.digest;
        case store::measured_input::kind::suite:
          const project::suite* const suite = tree.find_suite(input.name);
          return suite == nullptr ? std::nullopt : std::optional(digest_of_declaration(tree, *suite));
      }
      return digest_of_file(root / input.name);
    };
    if (digest_now() != input.digest) changed.push_back(i);
  }
  return changed;
}

bool has_changed_library(const store::evidence& measured, const fs::path& own_dir) {
  libraries_now libraries(own_dir);
  return std::any_of(measured.inputs.begin(), measured.inputs.end(), [&](const store::measured_input& input) {
    return input.what == store::measured_input::kind::library && libraries.of(input.name) != input.digest;
  });
}

}  // namespace morph::command
