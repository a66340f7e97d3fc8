// From paths and names to elements.
#include "plugin/measuring/test_inputs.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "coverage/gcov/stream_format.h"
#include "plugin/measuring/probe_rows.hpp"
#include "plugin/system/files.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;
using optimizer::requirement_kind;
using store::element;
using system::is_inside;

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

/// A folder is named by the path in front of it.
std::string path_of(const session& m, std::string name) {
  if (name.ends_with("/.")) name.resize(name.size() - 2);
  if (name.ends_with('/')) name.pop_back();
  return name.empty() || name.front() != '/' ? (m.repository.root() / name).string() : name;
}

static_assert(store::measured_input::data_digest == build::path_digests::files_mark);

/// Files have their places without links, and the build may be known by a way with some.
std::string real_path(const fs::path& folder) {
  std::error_code error;
  return folder.empty() ? std::string() : fs::weakly_canonical(folder, error).string();
}

/// What became of a file since the end of the test that used it.
enum class since_end { nothing, something, own_file };  // own_file: it was gone then, or new

/// `name`: as an input. Whether a folder is there is all that matters of some, of others which names are in it.
since_end what_changed(const std::map<std::string, spool::file_state>& states, const std::string& path,
                       const std::string& name, const timespec& started) {
  const auto at = states.find(path);
  const spool::file_state now = spool::state_of(path);
  const bool is_presence = name.ends_with("/.");
  if (at == states.end()) {
    // A link on the way, an interpreter, a folder that holds what was made: where nothing was noted, what is old is as
    // it was.
    if (is_presence) return now.is_folder ? since_end::nothing : since_end::something;
    return now.is_there && build::is_before({now.seconds, now.nanoseconds}, started) ? since_end::nothing
                                                                                     : since_end::something;
  }
  const spool::file_state& then = at->second;
  if (then == now || (is_presence && then.is_there == now.is_there && then.is_folder == now.is_folder))
    return since_end::nothing;
  const bool was_new = !then.is_there || !build::is_before({then.seconds, then.nanoseconds}, started);
  return was_new ? since_end::own_file : since_end::something;
}

constexpr std::size_t most_inputs = 10000;  // of a test: what is said of unseen-files (store/evidence.cpp) has it, too

}  // namespace

test_inputs::test_inputs(const session& m)
    : m_(&m),
      twin_(real_path(m.twin.binary_dir)),
      build_(real_path(m.build_dir)),
      runtime_(real_path(probe_runtime().value_or(fs::path()).parent_path())),
      digests_(m.build_dir.empty() ? fs::path()
                                   : workspace::path_digests_file(m.build_dir / ".morph" / m.twin.config)) {}

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

void test_inputs::watch(system::command& c, std::function<used_files&(bool by_program)> whose) {
  watched_.clear();
  if (!m_->watch_files) return;
  const auto mark = [this](const char* how_far) { watched_ = {telling(how_far)}; };
  c.on_opened = [this, mark, whose = std::move(whose)](const system::opened_file& opened) {
    if (opened.how == use::hides) mark(store::watched_in_part);
    if (watched_.empty()) mark(store::watched_wholly);  // the program itself is the first file
    add(opened, whose(opened.by_program));
  };
}

void test_inputs::add(const system::opened_file& opened, used_files& to) {
  if (opened.how == use::hides) to.is_whole = false;
  if (opened.path.empty() || opened.how == use::hides) return;
  const found_file& found = find(opened.path, opened.how);
  add_elements(to.elements, found.elements);
  to.inputs.insert(found.inputs.begin(), found.inputs.end());
  if (to.inputs.size() > most_inputs) {
    to.is_whole = false;
    to.inputs.clear();
  }
  const bool is_elsewhere = !build::is_of_kernel(opened.path) && !system::is_inside(opened.path, twin_) &&
                            !system::is_inside(opened.path, m_->twin.binary_dir.string());
  if (opened.changes && is_elsewhere) to.changed.add(opened.path);
}

std::vector<element> test_inputs::settle(const used_files& used, std::span<const used_files* const> before,
                                         std::uint32_t& incomplete) {
  std::vector<element> elements = used.elements;
  if (!used.is_whole) {
    incomplete |= morph_stream::unseen_files;
    return elements;
  }
  const workspace::files_now now(digests_, m_->repository, m_->kinds);
  std::vector<element> more;
  for (const auto& [name, is_link] : used.inputs) {
    const std::string path = path_of(*m_, name);
    struct stat facts {};
    const bool is_there = (is_link ? ::lstat(path.c_str(), &facts) : ::stat(path.c_str(), &facts)) == 0;
    const bool is_new = is_there && !build::is_before(facts.st_ctim, m_->started);
    const auto changed =
        used.states == nullptr ? since_end::nothing : what_changed(*used.states, path, name, m_->started);
    const bool is_own =
        used.changed.has(path) || std::any_of(before.begin(), before.end(), [&](const used_files* other) {
          return other != nullptr && other->changed.has(path);
        });
    if (is_own && (is_new || !is_there || changed == since_end::own_file)) continue;
    if (changed != since_end::nothing) {
      m_->told.detail(fmt::format("a row is incomplete: '{}' has changed since the test used it", name));
      incomplete |= morph_stream::changing_file;
      continue;
    }
    const bool is_file = !name.ends_with('/') && !name.ends_with("/.") && (is_link || S_ISREG(facts.st_mode));
    if (is_new && is_file) {
      m_->told.detail(fmt::format("a row is incomplete: '{}' changed while tests ran", name));
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

std::vector<element> test_inputs::data(const build::suite& suite) {
  const workspace::files_now now(digests_, m_->repository, m_->kinds);
  std::vector<element> found;
  const std::string twin = m_->twin.binary_dir.string();
  for (std::string glob : suite.data) {
    if (system::is_inside(glob, twin)) glob = m_->build_dir.string() + glob.substr(twin.size());
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

void test_inputs::check(const system::process_end& end) const {
  static bool said = false;
  if (end.watch_refused == 0 || std::exchange(said, true)) return;
  m_->told.status(fmt::format("the kernel does not tell which files tests open ({}); that is not recorded",
                              std::strerror(end.watch_refused)));
}

std::vector<element> test_inputs::variables(std::span<const std::string> names, const system::command& c) {
  std::vector<element> found;
  for (const std::string& name : names) {
    const bool is_given =
        std::any_of(c.environment.begin(), c.environment.end(), [&](const auto& entry) { return entry.first == name; });
    if (is_given || build::is_of_surroundings(name)) continue;
    std::optional<std::string> digest;
    if (m_->variables == nullptr)
      digest = workspace::digest_of_variable(name);
    else if (const auto at = m_->variables->find(name); at != m_->variables->end())
      digest = at->second;
    const auto id = m_->writer.input({store::measured_input::kind::variable, name, std::move(digest)});
    found.push_back(store::make_element(requirement_kind::input, 0, id));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<element> test_inputs::libraries(const std::string& program, const system::command& c) {
  std::string folders;
  bool is_given = false;
  for (const auto& [name, value] : c.environment)
    if (name == workspace::library_path) {
      folders = value.value_or("");
      is_given = true;
    }
  if (const char* inherited = std::getenv(workspace::library_path); !is_given && inherited != nullptr)
    folders = inherited;
  std::vector<element> found;
  const auto add = [&](const store::measured_input& input) {
    found.push_back(store::make_element(requirement_kind::input, 0, m_->writer.input(input)));
  };
  bool by_variable = false;
  std::error_code error;
  for (const build::needed_library& library : build::needed_libraries(program, folders)) {
    const std::string real = fs::weakly_canonical(library.path, error).string();
    if (system::is_inside(real, twin_) || system::is_inside(real, build_)) continue;
    by_variable = by_variable || library.by_variable;
    add({store::measured_input::kind::library, library.path.string(), libraries_.of(library.path)});
  }
  // Which of several it is depends on the variable then.
  if (by_variable && !is_given)
    add({store::measured_input::kind::variable, workspace::library_path,
         workspace::digest_of_variable(workspace::library_path)});
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
  const auto [real, links] = build::resolve_path(path);
  if (build::is_of_kernel(path) || build::is_of_kernel(real)) return {};
  if (system::is_inside(real, twin_ + "/.morph") || (!runtime_.empty() && system::is_inside(real, runtime_))) return {};
  if (system::is_inside(real, twin_)) return {elements_in_build(real, how, true), {}};
  const bool is_root = real == m_->repository.root().string();
  const std::string target = is_root ? "." : m_->repository.relative(real);
  if (target.empty() && how == use::reads && is_there && !is_folder && is_library(path))
    return {{store::make_element(requirement_kind::input, 0,
                                 m_->writer.input({store::measured_input::kind::library, path, libraries_.of(path)}))},
            {}};
  const bool is_tracked = !target.empty() && m_->repository.tracks(target);
  if (!is_tracked && !is_root && system::is_inside(real, build_)) {
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
        system::is_inside(m_->twin.source_dir.string(), link) || system::is_inside(m_->twin.binary_dir.string(), link);
    if (m_->repository.tracks(name))
      add_data(name);
    else if (!leads_to_all)
      found.inputs.emplace_back(name.empty() ? link : name, true);
  }
  if (system::is_inside(target, ".git") || system::is_inside(target, ".morph") || real == "/") return found;
  const bool is_listed = is_folder && how == use::reads && !build::is_temporary_folder(real);
  // Where the working copy lies is no input, and shells look whether $PWD is right.
  const bool is_above = system::is_inside(m_->repository.root().string(), real) || system::is_inside(build_, real);
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

void record_declarations(const build::build_tree& tree, store::measurement_writer& writer) {
  for (const build::suite& suite : tree.suites)
    if (!suite.is_adopted() || build::has_probes(tree))
      writer.input({store::measured_input::kind::suite, suite.name, workspace::digest_of_declaration(tree, suite)});
}

}  // namespace morph::measuring
