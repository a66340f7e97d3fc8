// Projects, plans, and what ctest prints.
#include "project.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "documents.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

void require_success(const std::vector<std::string>& command, const finished& end) {
  if (end.exit != 0)
    throw std::runtime_error(
        fmt::format("`{}` ended with {}:\n{}{}", fmt::join(command, " "), end.exit, end.out, end.err));
}

names matches(const std::string& output, const char* pattern) {
  const std::regex expression(pattern);
  names found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (std::smatch m; std::regex_match(line, m, expression)) found.push_back(m[1]);
  return found;
}

void must(bool is_done, const fs::path& path) {
  if (!is_done) throw std::runtime_error(fmt::format("{}: {}", path.string(), std::strerror(errno)));
}

/// A folder that is this process's alone, until it ends. It has the same path for every process where that can be
/// arranged: compilers note where they worked, so a cache of compilations finds nothing of another folder.
fs::path private_folder() {
  const fs::path all = fs::temp_directory_path() / fmt::format("morph-end-to-end-{}", ::getuid());
  fs::create_directories(all / "work");
  fs::path own;
  for (int slot = 0; own.empty(); ++slot) {
    const fs::path lock = all / fmt::format("{}.lock", slot);
    const int file = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);  // open until the process ends
    must(file >= 0, lock);
    if (::flock(file, LOCK_EX | LOCK_NB) == 0)
      own = all / std::to_string(slot);
    else
      ::close(file);
  }
  fs::remove_all(own);  // of tests that were killed
  fs::create_directories(own);
  const fs::path shared = fs::canonical(all) / "work";
  const bool is_alone = ::unshare(CLONE_NEWNS) == 0 &&
                        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                        ::mount(own.c_str(), shared.c_str(), nullptr, MS_BIND, nullptr) == 0;
  if (!is_alone) return fs::canonical(own);
  // libgit2 reads all certificates at each start; no test needs any.
  ::mount("/dev/null", "/etc/ssl/certs/ca-certificates.crt", nullptr, MS_BIND, nullptr);
  return shared;
}

/// The first that is free.
fs::path next_folder() {
  static const fs::path root = private_folder();
  int number = 0;
  while (fs::exists(root / std::to_string(number))) ++number;
  return root / std::to_string(number);
}

}  // namespace

// ---- plan_view

std::string plan_view::suite_state(const std::string& suite) const {
  for (const auto& s : json.at("suites"))
    if (s.at("name") == suite) return s.at("state");
  throw std::runtime_error(fmt::format("the plan has no suite '{}'", suite));
}

names plan_view::selected() const {
  return sorted(in_order());
}

names plan_view::in_order() const {
  std::map<int, std::string> by_rank;
  for (const auto& t : json.at("tests")) {
    if (!t.at("selected").get<bool>()) continue;
    if (!by_rank.emplace(t.at("rank").get<int>(), t.at("name")).second)
      throw std::runtime_error(fmt::format("two tests have rank {}", t.at("rank").get<int>()));
  }
  names result;
  for (const auto& [rank, name] : by_rank) result.push_back(name);
  return result;
}

names plan_view::deferred() const {
  names result;
  for (const auto& t : json.at("tests"))
    if (!t.at("selected").get<bool>()) result.push_back(t.at("name"));
  return sorted(std::move(result));
}

const nlohmann::json& plan_view::test(const std::string& name) const {
  for (const auto& t : json.at("tests"))
    if (t.at("name") == name) return t;
  throw std::runtime_error(fmt::format("the plan has no test '{}'", name));
}

names plan_view::reasons(const std::string& name) const {
  return test(name).at("reasons");
}
names plan_view::marks(const std::string& name) const {
  return test(name).at("marks");
}

// ---- scratch_folder

scratch_folder::scratch_folder() : path_(next_folder()) {
  fs::create_directory(path_);
}

scratch_folder::~scratch_folder() {
  keep_documents_below(path_);
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

// ---- project

project::project(fs::path root, fs::path home) : root_(std::move(root)), environment_(clean_environment(home)) {
  fs::create_directories(root_);
  fs::create_directories(home);
}

void project::write(const std::string& path, const std::string& text) const {
  fs::create_directories((root_ / path).parent_path());
  write_bytes(root_ / path, text);
}

std::string project::read(const std::string& path) const {
  return read_bytes(root_ / path);
}

void project::replace(const std::string& path, const std::string& old_text, const std::string& new_text) const {
  std::string text = read(path);
  const auto at = text.find(old_text);
  if (at == std::string::npos || text.find(old_text, at + 1) != std::string::npos)
    throw std::runtime_error(fmt::format("'{}' does not occur exactly once in '{}'", old_text, path));
  write(path, text.replace(at, old_text.size(), new_text));
}

void project::remove(const std::string& path) const {
  if (fs::remove_all(root_ / path) == 0) throw std::runtime_error(fmt::format("'{}' is not there", path));
}

finished project::run(const std::vector<std::string>& command) const {
  return end_to_end::run(command, root_, environment_);
}

void project::must_run(const std::vector<std::string>& command) const {
  require_success(command, run(command));
}

std::string project::git(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), "git");
  finished end = run(arguments);
  require_success(arguments, end);
  if (end.out.ends_with('\n')) end.out.pop_back();
  return end.out;
}

void project::start_repository() const {
  write(".gitignore", "build*/\n.morph/\n");
  git({"init", "--quiet", "--initial-branch=main"});
  commit("the beginning");
}

std::string project::commit(const std::string& message) const {
  git({"add", "--all"});
  git({"commit", "--quiet", "--allow-empty", "--message", message});
  return git({"rev-parse", "HEAD"});
}

std::vector<fs::path> other_cmakes() {
  std::vector<fs::path> found;
  const char* const given = std::getenv("MORPH_CMAKES");
  std::error_code error;
  if (given != nullptr)
    for (const auto& entry : fs::directory_iterator(given, error))
      if (fs::exists(entry.path() / "bin" / "cmake", error)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

path_in_front::path_in_front(const fs::path& folder) : before_(std::getenv("PATH")) {
  ::setenv("PATH", (folder.string() + ":" + before_).c_str(), 1);
}

path_in_front::~path_in_front() {
  ::setenv("PATH", before_.c_str(), 1);
}

std::string tested_compiler() {
  const char* const named = std::getenv("MORPH_TEST_COMPILER");
  return named != nullptr ? named : MORPH_CXX_COMPILER;
}

namespace {

/// What CMake finds out about a compiler, kept from the first configuration with it, and of the two checks of most
/// projects: trying it takes longer than all else that CMake does in these projects. tests/cmake configures without
/// that.
class compiler_detection {
 public:
  compiler_detection(const fs::path& build_dir, const fs::path& source, const std::string& generator)
      : build_(build_dir), source_(source) {
    std::string key = tested_compiler() + ' ' + generator;
    std::replace_if(
        key.begin(), key.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    kept_ = fs::path(MORPH_COMPILATIONS) / "detected" / key;
    is_new_ = !kept_.is_relative() && !fs::exists(build_ / "CMakeCache.txt");
  }
  void take() const {
    if (!is_new_ || !fs::exists(kept_)) return;
    fs::create_directories(build_ / "CMakeFiles");
    fs::copy(kept_ / "CMakeFiles", build_ / "CMakeFiles", fs::copy_options::recursive);
    std::ofstream(build_ / "CMakeCache.txt")
        << read_bytes(kept_ / "cache") << "CMAKE_CACHEFILE_DIR:INTERNAL=" << build_.string()
        << "\nCMAKE_HOME_DIRECTORY:INTERNAL=" << source_.string() << '\n';
  }
  void keep(const project& by) const {
    if (!is_new_ || fs::exists(kept_)) return;
    static const std::regex fact(
        "CMAKE_(CACHE_[A-Z]+_VERSION|EXECUTABLE_FORMAT|(EXTRA_)?GENERATOR(_[A-Z]+)?|INSTALL_SO_NO_EXE|UNAME|"
        "PLATFORM_INFO_INITIALIZED|[A-Z]+_COMPILER):.*");
    const fs::path own = kept_.string() + fmt::format(".{}", ::getpid());
    fs::create_directories(own / "CMakeFiles");
    std::istringstream cache(read_bytes(build_ / "CMakeCache.txt"));
    std::ofstream to(own / "cache");
    for (std::string line; std::getline(cache, line);)
      if (std::regex_match(line, fact)) to << line << '\n';
    write_bytes(own / "check.cpp", "#include <pthread.h>\nint main() { return pthread_equal(pthread_self(), {}); }\n");
    const auto check = [&](const std::string& name, const std::string& option) {
      const finished end = by.run({tested_compiler(), option, "-o", own / "check", own / "check.cpp"});
      to << "//Test " << name << '\n' << name << ":INTERNAL=" << (end.exit == 0 ? "1" : "") << '\n';
    };
    check("CMAKE_HAVE_LIBC_PTHREAD", "-O0");  // FindThreads
    check("_MORPH_GATHERS_COUNTERS",
          "-Wl,-T," MORPH_PREFIX "/share/morph/runtime/morph_counters.ld");  // MorphTwinRuntime
    to.close();
    for (const auto& version : fs::directory_iterator(build_ / "CMakeFiles")) {
      if (!fs::exists(version.path() / "CMakeSystem.cmake")) continue;
      const fs::path folder = own / "CMakeFiles" / version.path().filename();
      fs::create_directories(folder);
      for (const auto& file : fs::directory_iterator(version.path()))
        if (file.is_regular_file()) fs::copy_file(file.path(), folder / file.path().filename());
    }
    std::error_code another_was_first;
    fs::rename(own, kept_, another_was_first);
    fs::remove_all(own, another_was_first);
  }

 private:
  fs::path build_, source_, kept_;
  bool is_new_ = false;
};

}  // namespace

finished project::try_configure(std::vector<std::string> arguments) const {
  std::vector<std::string> command{"cmake",
                                   "-S",
                                   root_.string(),
                                   "-B",
                                   build_dir().string(),
                                   "-DCMAKE_PREFIX_PATH=" MORPH_PREFIX,
                                   "-DCMAKE_CXX_COMPILER=" + tested_compiler()};
  // Without a plugin of its own, ar loads those of every LLVM that is installed, each time.
  if (const std::string_view ar = MORPH_AR, ranlib = MORPH_RANLIB; !ar.empty() && !ranlib.empty()) {
    command.push_back(fmt::format("-DCMAKE_AR:FILEPATH={}", ar));
    command.push_back(fmt::format("-DCMAKE_RANLIB:FILEPATH={}", ranlib));
  }
  const auto named = std::find(arguments.begin(), arguments.end(), "-G");
  const std::string generator = named == arguments.end() ? "Ninja" : *std::next(named);
  if (named == arguments.end()) command.insert(command.end(), {"-G", "Ninja"});
  command.insert(command.end(), arguments.begin(), arguments.end());
  const bool says_evidence = std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
    return argument.starts_with("-DMORPH_EVIDENCE=");
  });
  if (!says_evidence && !fs::exists(build_dir() / "CMakeCache.txt")) command.emplace_back("-DMORPH_EVIDENCE=twin");
  const bool is_usual = std::none_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
    return argument.find("COMPILER") != std::string::npos || argument.find("TOOLCHAIN") != std::string::npos;
  });
  const compiler_detection detection(build_dir(), root_, generator);
  if (is_usual) detection.take();
  finished end = run(command);
  if (is_usual && end.exit == 0) detection.keep(*this);
  return end;
}

void project::configure(std::vector<std::string> arguments) const {
  require_success({"cmake"}, try_configure(std::move(arguments)));
}

finished project::try_build() const {
  // CMake would only start it.
  if (fs::exists(build_dir() / "build.ninja")) return run({"ninja", "-C", build_dir().string(), "-j", "2"});
  return run({"cmake", "--build", build_dir().string(), "--parallel", "2"});
}
void project::build() const {
  require_success({"cmake", "--build"}, try_build());
}

std::vector<std::string> project::morph_command(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), MORPH_PREFIX "/bin/morph");
  arguments.insert(arguments.end(), {"--build", build_dir().string()});
  return arguments;
}

finished project::morph(std::vector<std::string> arguments) const {
  return run(morph_command(std::move(arguments)));
}

finished project::try_measure(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"measure", "-j", "2"});
  return morph(arguments);
}

void project::measure() const {
  require_success({"morph", "measure"}, try_measure());
}

plan_view project::plan(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"plan", "--json"});
  const finished end = morph(arguments);
  if (end.exit != 0 && end.exit != 3) require_success(arguments, end);
  return plan_view(nlohmann::json::parse(end.out));
}

finished project::ctest(std::vector<std::string> arguments, const std::string& directory) const {
  arguments.insert(arguments.begin(), {"ctest", "--test-dir", (root_ / directory).string()});
  return run(arguments);
}

// ---- workspace

bool failed_when_measured(const project& p, const std::string& test) {
  const std::string why = p.morph({"plan", "--why", test}).out;
  return why.find(" when it was measured") != std::string::npos &&
         why.find("it passed when it was measured") == std::string::npos &&
         why.find("it was skipped when it was measured") == std::string::npos;
}

workspace::workspace()
    : project_(folder_.path() / "project", folder_.path() / "home"), environment_(project_.environment()) {}

workspace::workspace(void (*write)(const project&), const std::vector<std::string>& arguments) : workspace() {
  write(project_);
  project_.start_repository();
  project_.configure(arguments);
  project_.build();
  project_.measure();
  save();
}

namespace {

std::int64_t in_nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Zeros of what has vanished.
struct stat status_of(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status : decltype(status){};
}

/// A folder is the same whatever is put into it: each file has its own stamp.
file_stamp stamp_of(const fs::path& path) {
  const auto status = status_of(path);
  if (S_ISDIR(status.st_mode)) return {status.st_mode, status.st_uid, status.st_ino, 0, 0, 0};
  return {status.st_mode,
          status.st_uid,
          status.st_ino,
          static_cast<std::uint64_t>(status.st_size),
          in_nanoseconds(status.st_mtim),
          in_nanoseconds(status.st_ctim)};
}

file_stamps stamps_in(const fs::path& folder) {
  file_stamps found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    found.emplace(entry.path().lexically_relative(folder).string(), stamp_of(entry.path()));
  return found;
}

bool is_there(const fs::path& path) {
  return fs::exists(fs::symlink_status(path));
}

/// A recorder of the test before may be about to remove files of its own there.
void remove_whole(const fs::path& path) {
  constexpr int tries = 5;
  std::error_code error;
  for (int i = 0; i < tries; ++i) {
    fs::remove_all(path, error);
    if (!error) return;
  }
  throw fs::filesystem_error("cannot be removed", path, error);
}

/// Removes what is not as the stamps say. Returns what is then missing, without what lies in missing folders.
names remove_changed(const fs::path& folder, const file_stamps& stamps) {
  for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::recursive_directory_iterator(); ++entry) {
    const auto known = stamps.find(entry->path().lexically_relative(folder).string());
    if (known != stamps.end() && stamp_of(entry->path()) == known->second) continue;
    entry.disable_recursion_pending();
    remove_whole(entry->path());
  }
  names missing;
  for (const auto& [path, stamp] : stamps)
    if (!is_there(folder / path) && is_there((folder / path).parent_path())) missing.push_back(path);
  return missing;
}

/// Gives the folders in one the times of those in the other.
void copy_times_of_folders(const fs::path& from, const fs::path& to, const file_stamps& stamps) {
  const auto copy_time = [&](const fs::path& path) {
    const timespec time = status_of(from / path).st_mtim;
    if (in_nanoseconds(status_of(to / path).st_mtim) == in_nanoseconds(time)) return;
    const std::array<timespec, 2> times{timespec{0, UTIME_OMIT}, time};
    must(::utimensat(AT_FDCWD, (to / path).c_str(), times.data(), 0) == 0, to / path);
  };
  for (const auto& [path, stamp] : stamps)
    if (S_ISDIR(stamp.mode)) copy_time(path);
  copy_time(".");
}

}  // namespace

void workspace::save() {
  const fs::path copy = folder() / "saved";
  fs::remove_all(copy);
  project_.must_run({"cp", "-a", project_.root().string(), copy.string()});
  note_stamps();
}

void workspace::note_stamps() {
  stamps_ = stamps_in(project_.root());
  root_stamp_ = stamp_of(project_.root());
}

void workspace::take_from_saved(const names& paths) const {
  names command{"cp", "-a", "--parents"};
  command.insert(command.end(), paths.begin(), paths.end());
  command.push_back(project_.root().string());
  require_success(command, end_to_end::run(command, folder() / "saved", environment_));
}

void workspace::restore() {
  // Times of files are kept: nothing is built again. The path stays the same: build trees hold absolute paths.
  if (fs::is_symlink(project_.root())) fs::remove(project_.root());
  project_ = project(project_.root(), folder() / "home");
  if (!(stamp_of(project_.root()) == root_stamp_)) {
    remove_whole(project_.root());
    const names command{"cp", "-a", (folder() / "saved").string(), project_.root().string()};
    require_success(command, end_to_end::run(command, folder(), environment_));
    return note_stamps();
  }
  const names missing = remove_changed(project_.root(), stamps_);
  if (!missing.empty()) take_from_saved(missing);
  copy_times_of_folders(folder() / "saved", project_.root(), stamps_);
  if (!missing.empty()) note_stamps();
}

// ---- what ctest prints

names listed(const std::string& output) {
  return matches(output, R"( *Test +#[0-9]+: (.*?)( \(Disabled\))?)");
}
names started(const std::string& output) {
  return matches(output, R"( *Start +[0-9]+: (.*))");
}
names failed(const std::string& output) {
  return matches(
      output,
      R"(\t *[0-9]+ - (.*?) \((?:Failed|ILLEGAL|SEGFAULT|Timeout|Subprocess aborted|Not Run|BAD_COMMAND).*\).*)");
}

names sorted(names of) {
  std::sort(of.begin(), of.end());
  return of;
}

std::string read_bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("cannot read '{}'", path.string()));
  std::ostringstream text;
  text << in.rdbuf();
  keep_document(text.view());
  return std::move(text).str();
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << bytes;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write '{}'", path.string()));
}

}  // namespace morph::end_to_end
