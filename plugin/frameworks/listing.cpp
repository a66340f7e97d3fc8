// Running listings and caching them.
#include "plugin/frameworks/listing.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/build/path_digests.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/frameworks/ctest_tests.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::frameworks {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct file_stamp {
  std::uint64_t size = 0;
  std::int64_t time = 0;
};

std::optional<file_stamp> stamp_of(const fs::path& path) {
  std::error_code error;
  file_stamp stamp;
  stamp.size = fs::file_size(path, error);
  if (error) return std::nullopt;
  stamp.time = fs::last_write_time(path, error).time_since_epoch().count();
  if (error) return std::nullopt;
  return stamp;
}

/// Sizes and times of the shared libraries: a program may have cases out of them without being linked again; and of
/// the pool that holds its cases.
json stamps_of(const std::vector<fs::path>& libraries, const fs::path& pool) {
  json stamps = json::array();
  const auto add = [&](const fs::path& path) {
    if (const auto stamp = stamp_of(path)) stamps.push_back({path.string(), stamp->size, stamp->time});
  };
  std::for_each(libraries.begin(), libraries.end(), add);
  if (!pool.empty()) add(pool);
  return stamps;
}

/// What the listing depends on besides the program: a changed prefix is a new listing.
std::string naming(const build::build_tree& tree, const build::suite& in) {
  return json{in.framework, tree.cmake_version, in.test_prefix, in.test_suffix, in.environment, in.extra_args}.dump();
}

/// A program that is listed may ask for any variable.
std::string digest_of_environment() {
  std::set<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!build::is_of_surroundings(text.substr(0, text.find('=')))) entries.emplace(text);
  }
  std::string all;
  for (const std::string& entry : entries) all += entry + '\0';
  return git::blob_hash(all);  // never the values: they may be secrets
}

/// With "/." behind it only whether it is there counts.
std::string stamp_of_input(const std::string& path) {
  constexpr std::string_view there = "/.";
  if (!path.ends_with(there)) return build::stamp_of_path(path);
  return build::path_digests::of_presence(path.substr(0, path.size() - there.size())).value_or("");
}

/// What a program reads while it lists its tests, beside itself and the libraries of the build.
class listing_inputs {
 public:
  listing_inputs(const build::build_tree& tree, const build::test_program& program)
      : own_((tree.own_dir() / "").lexically_normal().string()) {
    known_.insert(program.executable.string());
    for (const fs::path& library : tree.shared_libraries) known_.insert(library.string());
    ::clock_gettime(CLOCK_REALTIME_COARSE, &started_);  // as file systems do
  }

  void add(const system::opened_file& opened) {
    constexpr std::size_t most_paths = 10000;
    is_told_ = true;
    is_hidden_ = is_hidden_ || opened.how == system::opened_file::use::hides || paths_.size() > most_paths;
    if (opened.path.empty() || build::is_of_kernel(opened.path) || opened.path.starts_with(own_)) return;
    if (opened.changes) changed_.add(opened.path);
    if (opened.how == system::opened_file::use::makes || known_.count(opened.path) != 0) return;
    std::error_code error;
    const bool is_folder = fs::is_directory(opened.path, error);
    const bool is_listed = opened.how == system::opened_file::use::reads && !build::is_temporary_folder(opened.path);
    paths_.insert(opened.path + (is_folder && !is_listed ? "/." : ""));
  }

  /// Nothing if another listing may find other cases for reasons that nobody knows.
  std::optional<json> stamps() const {
    if (!is_told_ || is_hidden_) return std::nullopt;
    json all = json::array();
    for (const std::string& path : paths_) {
      struct stat facts {};
      const bool is_there = ::stat(path.c_str(), &facts) == 0;
      const bool is_new = is_there && !build::is_before(facts.st_ctim, started_);
      if ((is_new || !is_there) && changed_.has(build::resolve_path(path).real)) continue;
      if (is_new && !path.ends_with("/.")) return std::nullopt;  // it may be another one than that which was read
      all.push_back({path, stamp_of_input(path)});
    }
    return all;
  }

 private:
  std::string own_;
  std::set<std::string> known_, paths_;
  build::changed_paths changed_;
  timespec started_{};
  bool is_told_ = false, is_hidden_ = false;
};

json to_json(const std::vector<listed_case>& cases) {
  json array = json::array();
  for (const listed_case& c : cases) array.push_back({c.case_name, c.name, c.file, c.line, c.disabled, c.other_names});
  return array;
}

std::vector<listed_case> cases_from(const json& array) {
  std::vector<listed_case> cases;
  for (const json& c : array)
    cases.push_back({c.at(0), c.at(1), c.at(2), c.at(3).get<int>(), c.at(4).get<bool>(), std::nullopt, c.at(5)});
  return cases;
}

fs::path cache_of(const build::build_tree& tree, const build::suite& in, const build::test_program& program) {
  return tree.own_dir() / "listing" / fmt::format("{}.{}.json", in.name, program.target);
}

/// Of a program that is one test.
std::vector<listed_case> only_case(const build::suite& in, const build::test_program& program) {
  return {{program.target, in.test_prefix + program.target + in.test_suffix, "", 0, false, std::nullopt}};
}

listed_program run_listing(const build::build_tree& tree, const build::suite& in, const build::test_program& program,
                           const framework& of, listing_inputs& inputs) {
  fs::path folder = tree.own_dir() / "listing";
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  if (::access(folder.c_str(), W_OK) != 0) folder = fs::temp_directory_path(ignored);
  const fs::path report = folder / fmt::format("{}.{}.{}.report", in.name, program.target, ::getpid());

  const fs::path counters = fs::path(report).replace_extension(".counters");

  bool timed_out = false;
  const auto run_it = [&](const std::vector<std::string>& arguments) {
    system::command list;
    list.arguments = {program.executable.string()};
    list.arguments.insert(list.arguments.end(), arguments.begin(), arguments.end());
    list.directory = in.working_directory.string();
    list.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(in.discovery_timeout * 1000));
    for (const std::string& name : of.variables) list.environment.emplace_back(name, std::nullopt);
    for (const std::string& entry : in.environment)
      if (!divides_tests(entry.substr(0, entry.find('='))))
        list.environment.emplace_back(entry.substr(0, entry.find('=')),
                                      entry.substr(std::min(entry.size(), entry.find('=') + 1)));
    list.on_opened = [&](const system::opened_file& opened) { inputs.add(opened); };
    const system::environment_changes as_declared = list.environment;
    const auto kept_apart = system::counters_kept_in(counters / "gcda");
    list.environment.insert(list.environment.end(), kept_apart.begin(), kept_apart.end());
    system::process_end end = system::run(list);
    if (end.how == system::process_end::kind::signaled && end.code == SIGABRT) {
      // As programs end that GCC compiled with a relative -fprofile-dir (12.2), if GCOV_PREFIX is set.
      list.environment = as_declared;
      end = system::run(list);
      const fs::path folder_of_run = (fs::path(list.directory) / "").parent_path();
      fs::path left = folder_of_run / counters.relative_path();  // by the crash
      fs::remove_all(left, ignored);
      do left = left.parent_path();
      while (left != folder_of_run && fs::remove(left, ignored));
    }
    timed_out = end.how == system::process_end::kind::timed_out;
    return listing_end{end, system::describe(end, list.timeout)};
  };

  listed_program result;
  if (auto cases = of.list({run_it, in.extra_args, report, tree.cmake_version})) {
    result.cases = std::move(*cases);
    for (listed_case& c : result.cases) {
      c.name = in.test_prefix + c.name + in.test_suffix;
      for (std::string& other : c.other_names) other = in.test_prefix + other + in.test_suffix;
    }
  } else {
    result.how = listed_program::state::failed;
    result.message = fmt::format("suite '{}': '{} {}", in.name, program.executable.string(), cases.error());
    if (timed_out) result.message += "; give the suite a longer DISCOVERY_TIMEOUT";
  }
  fs::remove(report, ignored);
  fs::remove_all(counters, ignored);
  return result;
}

/// A listing of this suite and program, as they are declared.
json cached_listing(const build::build_tree& tree, const build::suite& in, const build::test_program& program) {
  json known;
  if (const auto text = system::read_file(cache_of(tree, in, program))) known = json::parse(*text, nullptr, false);
  const bool is_ours =
      known.is_object() && known.at("schema") == contract::listing_schema && known.at("naming") == naming(tree, in);
  return is_ours ? known : json();
}

bool is_of_same_program(const json& known, const build::build_tree& tree, const build::suite& in,
                        const build::test_program& program) {
  const auto stamp = stamp_of(program.executable);
  return stamp && known.at("size") == stamp->size && known.at("time") == stamp->time &&
         known.at("libraries") == stamps_of(tree.shared_libraries, in.pool);
}

/// Around the program.
bool is_as_it_was(const json& known) {
  if (!known.contains("read") || known.at("environment") != digest_of_environment()) return false;
  return std::all_of(known.at("read").begin(), known.at("read").end(), [](const json& input) {
    return json(stamp_of_input(input.at(0).get<std::string>())) == input.at(1);
  });
}

}  // namespace

std::optional<listed_program> last_listing(const build::build_tree& tree, const build::suite& in,
                                           const build::test_program& program) {
  listed_program result;
  if (find_framework(in.framework) == nullptr) {
    result.cases = only_case(in, program);
    result.from_cache = true;
    return result;
  }
  try {
    const json known = cached_listing(tree, in, program);
    if (known.is_null()) return std::nullopt;
    result.cases = cases_from(known.at("cases"));
    result.from_cache = is_of_same_program(known, tree, in, program) && is_as_it_was(known);
  } catch (const json::exception&) {
    return std::nullopt;  // not our cache, or a damaged one
  }
  return result;
}

bool lists_otherwise(const build::build_tree& tree, const build::suite& in, const build::test_program& program) {
  try {
    const json known = cached_listing(tree, in, program);
    return !known.is_null() && is_of_same_program(known, tree, in, program) && !is_as_it_was(known);
  } catch (const json::exception&) {
    return false;
  }
}

listed_program list_program(const build::build_tree& tree, const build::suite& in, const build::test_program& program) {
  listed_program result;
  const auto stamp = stamp_of(program.executable);
  if (!stamp) {
    result.how = listed_program::state::not_built;
    result.message = fmt::format("suite '{}': '{}' is not built", in.name, program.executable.string());
    return result;
  }
  if (in.is_adopted()) return list_adopted(tree, in);
  const framework* const of = find_framework(in.framework);
  if (of == nullptr) {
    result.cases = only_case(in, program);
    return result;
  }

  if (auto known = last_listing(tree, in, program); known && known->from_cache) return *known;
  const json libraries = stamps_of(tree.shared_libraries, in.pool);
  listing_inputs inputs(tree, program);
  result = run_listing(tree, in, program, *of, inputs);
  // Its tests fail, each by its name, where only what is around the program does.
  if (result.how == listed_program::state::failed && lists_otherwise(tree, in, program))
    if (auto last = last_listing(tree, in, program)) return *last;
  const auto read = inputs.stamps();
  if (result.how != listed_program::state::listed || !read) return result;
  try {
    const json cache_text = {{"schema", contract::listing_schema},
                             {"naming", naming(tree, in)},
                             {"size", stamp->size},
                             {"time", stamp->time},
                             {"libraries", libraries},
                             {"environment", digest_of_environment()},
                             {"read", *read},
                             {"cases", to_json(result.cases)}};
    // A cache that cannot be written only costs the next listing its time.
    (void)system::write_file_atomically(cache_of(tree, in, program), cache_text.dump());
  } catch (const json::exception&) {
    // A name that is not UTF-8 would not come back as it is.
  }
  return result;
}

}  // namespace morph::frameworks
