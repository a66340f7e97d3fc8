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
using project::is_inside;
using store::element;

std::optional<std::string> digest_of_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return project::blob_hash(value);  // never the value: it may be a secret
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

constexpr const char* library_path = "LD_LIBRARY_PATH";

/// By its name and its first bytes: `libz.so.1`, `plugin.so`, not `ld.so.cache`.
bool is_library(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.ends_with(".so") && name.find(".so.") == std::string::npos) return false;
  std::array<char, SELFMAG> magic{};
  return std::ifstream(path, std::ios::binary).read(magic.data(), magic.size()) &&
         std::string_view(magic.data(), magic.size()) == ELFMAG;
}

constexpr const char* working_folder = "PWD";  // which the test inherits

std::string from_where() {
  const char* folder = std::getenv(working_folder);
  return folder == nullptr ? std::string() : folder;
}

/// What the kernel starts in the place of a script, unseen: `#!/bin/sh -e`. Empty for anything else.
std::string interpreter_of(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) || (facts.st_mode & S_IXUSR) == 0) return {};
  std::array<char, 256> head{};  // as the kernel
  std::ifstream(path, std::ios::binary).read(head.data(), head.size() - 1);
  const std::string_view text = head.data();
  const std::size_t begin = text.starts_with("#!") ? text.find_first_not_of(" \t", 2) : std::string_view::npos;
  if (begin == std::string_view::npos || text[begin] != '/') return {};
  return std::string(text.substr(begin, text.find_first_of(" \t\r\n", begin) - begin));
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

/// Inputs of the kind `file` as they are now.
class files_now {
 public:
  files_now(project::path_digests& digests, const project::repository& repo, const selection::file_kinds& kinds)
      : digests_(digests), repo_(repo), kinds_(kinds) {}

  std::optional<std::string> of_link(const std::string& name) const {
    return project::path_digests::of_link(absolute(name));
  }

  std::optional<std::string> of(const std::string& name) const {
    const std::string path = absolute(name);
    if (name.ends_with("/.")) return project::path_digests::of_presence(path);
    if (!name.ends_with('/')) return digests_.of_file(path);
    if (name.starts_with('/')) return project::path_digests::of_names(path);
    return project::path_digests::of_names(path, [&](const std::string& entry) { return is_beside_git(path + entry); });
  }

  /// Files that git does not track: the others are compared with the commit.
  std::optional<std::string> of_data(const std::string& glob) const {
    return digests_.of_files(absolute(glob), [&](const std::string& path) {
      const std::string relative = repo_.relative(path);
      return relative.empty() || !repo_.tracks(relative);
    });
  }

 private:
  std::string absolute(const std::string& name) const { return (repo_.root() / name).string(); }

  /// Neither tracked, nor an empty folder, which git does not know either, nor of git's, Morph's or a build.
  bool is_beside_git(const std::string& path) const {
    const std::string name = repo_.relative(path);
    if (name.empty() || name == ".git" || name == ".morph" || repo_.tracks(name) || kinds_.in_build_tree(name + "/"))
      return false;
    std::error_code error;
    if (!fs::is_directory(path, error)) return true;
    if (tracked_.empty()) tracked_ = repo_.tracked_files();
    const auto at = std::lower_bound(tracked_.begin(), tracked_.end(), name + "/");
    const bool holds_tracked = at != tracked_.end() && at->starts_with(name + "/");
    return !holds_tracked && !fs::is_empty(path, error);
  }

  project::path_digests& digests_;
  const project::repository& repo_;
  const selection::file_kinds& kinds_;
  mutable std::vector<std::string> tracked_;
};

fs::path digests_in(const fs::path& own_dir) {
  return own_dir / "files.json";
}

/// A folder is named by the path in front of it.
std::string path_of(const measuring& m, std::string name) {
  if (name.ends_with("/.")) name.resize(name.size() - 2);
  if (name.ends_with('/')) name.pop_back();
  return name.empty() || name.front() != '/' ? (m.repository.root() / name).string() : name;
}

static_assert(store::measured_input::data_digest == project::path_digests::files_mark);

/// Files have their places without links, and the build may be known by a way with some.
std::string real_path(const fs::path& folder) {
  std::error_code error;
  return folder.empty() ? std::string() : fs::weakly_canonical(folder, error).string();
}

constexpr std::size_t most_inputs = 10000;  // of a test: what is said of unseen-files (store/evidence.cpp) has it, too

}  // namespace

test_inputs::test_inputs(const measuring& m)
    : m_(&m),
      twin_(real_path(m.twin.binary_dir)),
      build_(real_path(m.build_dir)),
      digests_(m.build_dir.empty() ? fs::path() : digests_in(m.build_dir / ".morph" / m.twin.config)) {}

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

void test_inputs::watch(project::command& c, std::function<used_files&(bool by_program)> whose) {
  watched_.clear();
  if (!m_->watch_files) return;
  const auto mark = [this](const char* how_far) { watched_ = {telling(how_far)}; };
  c.on_opened = [this, mark, whose = std::move(whose)](const project::opened_file& opened) {
    if (opened.how == use::hides) mark(store::watched_in_part);
    if (watched_.empty()) mark(store::watched_wholly);  // the program itself is the first file
    add(opened, whose(opened.by_program));
  };
}

void test_inputs::add(const project::opened_file& opened, used_files& to) {
  if (opened.how == use::hides) to.is_whole = false;
  if (opened.path.empty() || opened.how == use::hides) return;
  const found_file& found = find(opened.path, opened.how);
  add_elements(to.elements, found.elements);
  to.inputs.insert(found.inputs.begin(), found.inputs.end());
  if (to.inputs.size() > most_inputs) {
    to.is_whole = false;
    to.inputs.clear();
  }
  const bool is_elsewhere = !project::is_of_kernel(opened.path) && !is_inside(opened.path, twin_) &&
                            !is_inside(opened.path, m_->twin.binary_dir.string());
  if (opened.changes && is_elsewhere) to.changed.add(opened.path);
}

std::vector<element> test_inputs::settle(const used_files& used, std::span<const used_files* const> before,
                                         std::uint32_t& incomplete) {
  std::vector<element> elements = used.elements;
  if (!used.is_whole) {
    incomplete |= morph_stream::unseen_files;
    return elements;
  }
  const files_now now(digests_, m_->repository, m_->kinds);
  std::vector<element> more;
  for (const auto& [name, is_link] : used.inputs) {
    const std::string path = path_of(*m_, name);
    struct stat facts {};
    const bool is_there = (is_link ? ::lstat(path.c_str(), &facts) : ::stat(path.c_str(), &facts)) == 0;
    const bool is_new = is_there && !project::is_before(facts.st_ctim, m_->started);
    const bool is_own =
        used.changed.has(path) || std::any_of(before.begin(), before.end(), [&](const used_files* other) {
          return other != nullptr && other->changed.has(path);
        });
    if (is_own && (is_new || !is_there)) continue;
    const bool is_file = !name.ends_with('/') && !name.ends_with("/.") && (is_link || S_ISREG(facts.st_mode));
    if (is_new && is_file) {
      incomplete |= morph_stream::changing_file;
      continue;
    }
    if (is_new && !is_link && !S_ISDIR(facts.st_mode) && !S_ISREG(facts.st_mode)) continue;  // a socket of its own
    more.push_back(input(name, is_link ? now.of_link(name) : now.of(name)));
  }
  std::sort(more.begin(), more.end());
  add_elements(elements, more);
  return elements;
}

element test_inputs::input(const std::string& name, std::optional<std::string> digest) const {
  return store::make_element(requirement_kind::input, 0,
                             m_->writer.input({store::measured_input::kind::file, name, std::move(digest)}));
}

std::vector<element> test_inputs::data(const project::suite& suite) {
  const files_now now(digests_, m_->repository, m_->kinds);
  std::vector<element> found;
  const std::string twin = m_->twin.binary_dir.string();
  for (std::string glob : suite.data) {
    if (is_inside(glob, twin)) glob = m_->build_dir.string() + glob.substr(twin.size());
    const std::string relative = m_->repository.relative(glob);
    const std::string& name = relative.empty() ? glob : relative;
    found.push_back(input(name, now.of_data(name)));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
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
    if (is_given || project::is_of_surroundings(name)) continue;
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
    if (is_inside(real, twin_) || is_inside(real, build_)) continue;
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

const test_inputs::found_file& test_inputs::find(const std::string& path, use how) {
  constexpr std::size_t most_known = 100000;  // tests may make files of new names for ever
  auto& known = known_[static_cast<std::size_t>(how)];
  if (known.size() > most_known) known.clear();
  std::error_code error;
  // A test may turn links, and make what was not there.
  const bool may_turn = fs::canonical(path, error) != fs::path(path);
  const auto [at, added] = known.try_emplace(path);
  if (!added && !may_turn) return at->second;
  found_file found = find_elements(path, how);
  if (const std::string interpreter = how == use::reads ? interpreter_of(path) : std::string(); !interpreter.empty()) {
    const found_file other = find_elements(interpreter, how);
    add_elements(found.elements, other.elements);
    found.inputs.insert(found.inputs.end(), other.inputs.begin(), other.inputs.end());
  }
  return at->second = std::move(found);
}

std::vector<element> test_inputs::elements_in_build(const std::string& path, use how, bool is_twin) const {
  const std::string in_build = is_twin ? build_ + path.substr(twin_.size()) : path;
  std::error_code error;
  // It may be there by now, or not yet; what a test makes by itself is no input of it.
  if ((how == use::writes || how == use::makes) && !fs::is_directory(path, error)) return {};
  const bool is_there = fs::exists(path, error);
  if (!is_there && !fs::exists(in_build, error)) return {};
  const std::string relative = m_->repository.relative(in_build);
  std::string name = relative.empty() ? in_build : relative;
  if (is_there && fs::is_directory(path, error)) name += how == use::reads ? "/" : "/.";
  return {store::make_element(requirement_kind::data, m_->writer.file(name), 0)};
}

test_inputs::found_file test_inputs::find_elements(const std::string& path, use how) const {
  struct stat facts {};
  const bool is_there = ::stat(path.c_str(), &facts) == 0;
  const bool is_folder = is_there && S_ISDIR(facts.st_mode);
  if (is_there && !is_folder && !S_ISREG(facts.st_mode)) return {};
  const auto [real, links] = project::resolve_path(path);
  if (project::is_of_kernel(path) || project::is_of_kernel(real)) return {};
  if (is_inside(real, twin_ + "/.morph")) return {};
  if (is_inside(real, twin_)) return {elements_in_build(real, how, true), {}};
  const bool is_root = real == m_->repository.root().string();
  const std::string target = is_root ? "." : m_->repository.relative(real);
  if (target.empty() && how == use::reads && is_there && !is_folder && is_library(path))
    return {{store::make_element(requirement_kind::input, 0,
                                 m_->writer.input({store::measured_input::kind::library, path, libraries_.of(path)}))},
            {}};
  const bool is_tracked = !target.empty() && m_->repository.tracks(target);
  if (!is_tracked && !is_root && is_inside(real, build_)) {
    const fs::path own = fs::path(real).lexically_relative(build_);
    const bool is_ours = *own.begin() == ".morph" || *own.begin() == "morph-twin";
    return is_ours ? found_file() : found_file{elements_in_build(real, how, false), {}};
  }
  found_file found;
  const auto add_data = [&](const std::string& name) {
    found.elements.push_back(store::make_element(requirement_kind::data, m_->writer.file(name), 0));
  };
  for (const std::string& link : links) {
    const std::string name = m_->repository.relative(link);
    const bool leads_to_all =
        is_inside(m_->twin.source_dir.string(), link) || is_inside(m_->twin.binary_dir.string(), link);
    if (m_->repository.tracks(name))
      add_data(name);
    else if (!leads_to_all)
      found.inputs.emplace_back(name.empty() ? link : name, true);
  }
  if (is_inside(target, ".git") || is_inside(target, ".morph") || real == "/") return found;
  const bool is_listed = is_folder && how == use::reads && !project::is_temporary_folder(real);
  // Where the working copy lies is no input, and shells look whether $PWD is right.
  const bool is_above = is_inside(m_->repository.root().string(), real) || is_inside(build_, real);
  if (is_folder && !is_listed && !is_root && (is_above || path == from_where())) return found;
  const char* const behind = is_listed ? "/" : is_folder || how == use::writes ? "/." : "";
  const std::string name = (target.empty() ? real : target) + behind;
  if (is_tracked || is_root || (!target.empty() && !m_->kinds.in_build_tree(target))) {
    const bool comes_by_git = is_tracked || is_folder || !is_there;
    if (how == use::makes)
      add_data(target + "/.");
    else if (how == use::writes || comes_by_git)
      add_data(name);
  }
  const std::string above = fs::path(real).parent_path().string();
  if (!is_tracked && how != use::makes) found.inputs.emplace_back(name, false);
  if (how == use::makes && target.empty() && above != "/") found.inputs.emplace_back(above + "/.", false);
  std::sort(found.elements.begin(), found.elements.end());
  found.elements.erase(std::unique(found.elements.begin(), found.elements.end()), found.elements.end());
  return found;
}

void record_declarations(const project::build_tree& tree, store::measurement_writer& writer) {
  for (const project::suite& suite : tree.suites)
    if (!suite.is_adopted())
      writer.input({store::measured_input::kind::suite, suite.name, digest_of_declaration(tree, suite)});
}

namespace {

/// By their numbers. `wanted`: of which kinds.
std::vector<std::uint32_t> find_changed(const store::evidence& measured, const project::build_tree& tree,
                                        const project::repository& repo, const selection::file_kinds& kinds,
                                        const std::function<bool(store::measured_input::kind)>& wanted) {
  using kind = store::measured_input::kind;
  std::vector<std::uint32_t> changed;
  libraries_now libraries(tree.own_dir());
  project::path_digests digests(digests_in(tree.own_dir()));
  const files_now files(digests, repo, kinds);
  const auto digest_now = [&](const store::measured_input& input) -> std::optional<std::string> {
    switch (input.what) {
      case kind::variable:
        return digest_of_variable(input.name);
      case kind::library:
        return libraries.of(input.name);
      case kind::watch:
        return input.digest;
      case kind::suite: {
        const project::suite* const suite = tree.find_suite(input.name);
        return suite == nullptr ? std::nullopt : std::optional(digest_of_declaration(tree, *suite));
      }
      case kind::file:
        break;
    }
    if (input.is_data()) return files.of_data(input.name);
    return input.digest && input.digest->starts_with(project::path_digests::link_mark) ? files.of_link(input.name)
                                                                                       : files.of(input.name);
  };
  for (std::uint32_t i = 0; i < measured.inputs.size(); ++i) {
    const store::measured_input& input = measured.inputs[i];
    if (!wanted(input.what)) continue;
    if (const auto now = digest_now(input); now != input.digest || now == project::path_digests::too_many_files)
      changed.push_back(i);
  }
  return changed;
}

}  // namespace

std::vector<std::uint32_t> changed_inputs(const store::evidence& measured, const project::build_tree& tree,
                                          const project::repository& repo, const selection::file_kinds& kinds) {
  return find_changed(measured, tree, repo, kinds, [](auto) { return true; });
}

bool has_changed_files(const store::evidence& measured, const project::build_tree& tree,
                       const project::repository& repo, const selection::file_kinds& kinds) {
  using kind = store::measured_input::kind;
  const auto changed =
      find_changed(measured, tree, repo, kinds, [](kind what) { return what == kind::library || what == kind::file; });
  std::vector<bool> is_used(measured.inputs.size(), false);
  for (const auto& c : measured.classes)
    for (const element x : c.elements)
      if (store::kind_of(x) == requirement_kind::input && !c.tests.empty()) is_used[store::number_of(x)] = true;
  return std::any_of(changed.begin(), changed.end(), [&](std::uint32_t i) { return is_used[i]; });
}

}  // namespace morph::command
