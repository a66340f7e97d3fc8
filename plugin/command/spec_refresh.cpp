#include "plugin/command/spec_refresh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "plugin/frameworks/pool_lines.hpp"
#include "plugin/pools/rows.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using frameworks::pool_line;
using frameworks::pool_text;
using nlohmann::json;

constexpr const char* help_text =
    R"(Explores the specs of suites that have a POOL, and writes into it the fewest cases that keep what all of them do.

usage: morph spec refresh [--suite NAME] [--spec NAME] [--anew] [--dry-run] [--if-any] [options of `morph spec run`]

Cases of the strategy join those of the pool; all are measured one by one (`morph measure`), and those stay that
  - cover together all lines and branches that any of them covers (the fewest that can),
  - apply each relation to each kind of case that it applied to,
  - violated a relation, now or when an earlier refresh found them (up to ten for each relation and kind),
  - could not be measured,
and what they were made of. The pool is as before if anything goes wrong.

  --spec NAME   the spec, where the program has several and the pool is not there yet
  --anew        forget the cases that are in the pool
  --dry-run     tell what would come and go, and leave the pool as it is
  --if-any      exit status 0 where no suite has a POOL
  --json        JSON instead of text
Everything else is for `morph spec run`: --strategy, --order, --seed, --max-cases, --max-time and so on.

Exit status: 0 every relation holds, 1 one is violated (its cases are in the pool), 2 wrong arguments, 3 something is
missing or broken, 4 an internal error.
)";

struct asked_refresh {
  std::string spec;
  bool anew = false, dry_run = false, if_any = false, help = false, json = false, quiet = false;
  std::vector<std::string> for_run;
};

asked_refresh read_words(const std::vector<std::string>& words, const common_options& common) {
  asked_refresh asked;
  asked.json = common.json;
  asked.quiet = common.quiet;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    bool* const flag = word == "--anew"      ? &asked.anew
                       : word == "--dry-run" ? &asked.dry_run
                       : word == "--if-any"  ? &asked.if_any
                       : word == "--help"    ? &asked.help
                       : word == "--json"    ? &asked.json
                       : word == "--quiet"   ? &asked.quiet
                       : word == "-q"        ? &asked.quiet
                                             : nullptr;
    if (flag != nullptr)
      *flag = true;
    else if (word == "--spec" && i + 1 < words.size())
      asked.spec = words[++i];
    else if (word.starts_with("--spec="))
      asked.spec = word.substr(7);
    else
      asked.for_run.push_back(word);
  }
  return asked;
}

/// A file beside the other ones of the build tree, gone with this.
class scratch_file {
 public:
  scratch_file(const build::build_tree& tree, const char* name)
      : path_(tree.own_dir() / fmt::format("{}.{}.jsonl", name, ::getpid())) {}
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  ~scratch_file() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

/// The pool as it was, unless something better took its place.
class kept_pool {
 public:
  kept_pool(fs::path path, std::optional<std::string> text) : path_(std::move(path)), text_(std::move(text)) {}
  kept_pool(const kept_pool&) = delete;
  kept_pool& operator=(const kept_pool&) = delete;
  ~kept_pool() {
    if (is_replaced_) return;
    std::error_code ignored;
    if (text_)
      (void)system::write_file_atomically(path_, *text_);
    else
      fs::remove(path_, ignored);
  }
  void replaced() { is_replaced_ = true; }

 private:
  fs::path path_;
  std::optional<std::string> text_;
  bool is_replaced_ = false;
};

int failed(const std::string& why) {
  spdlog::error("{}", why);
  return contract::environment;
}

struct failure {
  int status;
};
template <typename Value>
using or_failure = tl::expected<Value, failure>;

class refreshing {
 public:
  refreshing(const build::build_tree& tree, const build::suite& suite, const asked_refresh& asked)
      : tree_(tree), suite_(suite), asked_(asked), program_(suite.programs.front().executable.string()) {}

  int run(json& told) {
    if (!fs::exists(program_))
      return failed(fmt::format("'{}' is not built; build it: cmake --build {} --target {}", program_,
                                tree_.binary_dir.string(), suite_.programs.front().target));
    const auto old_text = system::read_file(suite_.pool);
    frameworks::pool_text old;
    if (old_text) {
      auto read = frameworks::read_pool_text(*old_text);
      if (!read && !asked_.anew) return failed(fmt::format("{}:{}", suite_.pool.string(), read.error()));
      if (read) old = std::move(*read);
    }
    std::set<std::string> before = ids_of(old.lines);
    const auto explored = explore(asked_.spec.empty() ? old.spec : asked_.spec);
    if (!explored) return explored.error().status;
    if (!asked_.anew && !old.spec.empty() && old.spec != explored->spec)
      return failed(fmt::format("'{}' is of the spec '{}', not of '{}'; --anew replaces it", suite_.pool.string(),
                                old.spec, explored->spec));
    std::vector<frameworks::pool_line> known;
    if (!asked_.anew && !old.lines.empty()) {
      auto usable = usable_lines(old, explored->spec);
      if (!usable) return usable.error().status;
      known = std::move(*usable);
      before = ids_of(known);  // with those of lines that had none
    }
    const std::vector<frameworks::pool_line> all = unite(*explored, known);
    constexpr std::size_t most = 20000;
    if (all.size() > most)
      return failed(
          fmt::format("{} cases are more than the {} that can be tests of their own; explore with "
                      "--max-cases, or another strategy",
                      all.size(), most));
    kept_pool keep(suite_.pool, old_text ? std::optional(*old_text) : std::nullopt);
    std::error_code error;
    fs::create_directories(suite_.pool.parent_path(), error);
    if (const int status = write(explored->head, all, nullptr); status != contract::fine) return status;
    if (const int status = measure(); status != contract::fine) return status;
    const pools::suite_rows rows = pools::rows_of(tree_, suite_, ids_of(all));
    if (!rows.missing.empty() || rows.of_cases.empty())
      return failed(fmt::format("the cases were not measured{}", rows.missing.empty() ? "" : ": " + rows.missing));
    const std::set<std::string> stay = choose(all, rows, before);
    if (!asked_.dry_run) {
      if (const int status = write(explored->head, all, &stay); status != contract::fine) return status;
      keep.replaced();
    }
    tell(all, before, stay, told);
    return violated_ ? contract::finding : contract::fine;
  }

 private:
  static std::set<std::string> ids_of(const std::vector<frameworks::pool_line>& lines) {
    std::set<std::string> ids;
    for (const frameworks::pool_line& line : lines) ids.insert(line.id);
    return ids;
  }

  /// That has to be said of a pool that is not there yet.
  std::string several_specs() const {
    const system::process_end end = system::run({.arguments = {program_, "list", "--json"}});
    const json all = json::parse(end.out, nullptr, false);
    if (!all.is_object() || !all.contains("specs") || all["specs"].size() < 2) return {};
    std::string names;
    for (const json& each : all["specs"]) names += (names.empty() ? "" : ", ") + each.value("name", "");
    return fmt::format(
        "the pool '{}' is not there yet, and the program has several specs; say of which it is to be: "
        "--spec NAME, one of {}",
        suite_.pool.string(), names);
  }

  or_failure<frameworks::pool_text> explore(const std::string& spec) {
    if (const std::string wrong = spec.empty() ? several_specs() : std::string(); !wrong.empty()) {
      spdlog::error("{}", wrong);
      return tl::unexpected(failure{contract::usage});
    }
    const scratch_file saved(tree_, "explored");
    system::command run{.arguments = {program_, "run", "--save-pool", saved.path()}};
    if (!spec.empty()) run.arguments.insert(run.arguments.end(), {"--spec", spec});
    run.arguments.insert(run.arguments.end(), asked_.for_run.begin(), asked_.for_run.end());
    if (asked_.quiet) run.arguments.emplace_back("--quiet");
    run.directory = suite_.working_directory.string();
    run.inherit_output = !asked_.json;
    const system::process_end end = system::run(run);
    violated_ = end.how == system::process_end::kind::exited && end.code == contract::finding;
    if (!end.succeeded() && !violated_) {
      fmt::print(stderr, "{}", end.err);
      return tl::unexpected(failure{end.how == system::process_end::kind::exited ? end.code : contract::environment});
    }
    const auto text = system::read_file(saved.path());
    auto pool = text ? frameworks::read_pool_text(*text) : tl::unexpected(text.error());
    if (!pool || pool->lines.empty())
      return tl::unexpected(failure{failed("exploring left no cases behind; the run above says why")});
    return *pool;
  }

  /// As the program reads and writes them, without what it could not read because morphisms went.
  or_failure<std::vector<frameworks::pool_line>> usable_lines(const frameworks::pool_text& old,
                                                              const std::string& spec) {
    const system::process_end listed = system::run({.arguments = {program_, "list", "--json", "--spec", spec}});
    const json declared = json::parse(listed.out, nullptr, false);
    std::set<std::string> seeds, datamorphisms;
    if (declared.is_object() && declared.contains("specs"))
      for (const json& each : declared["specs"]) {
        for (const json& name : each["seeds"]) seeds.insert(name);
        for (const json& name : each["datamorphisms"]) datamorphisms.insert(name);
      }
    std::set<std::string> there;
    std::string text = old.head + '\n';
    for (const frameworks::pool_line& line : old.lines) {
      const bool is_made =
          line.from.empty() ? line.by.empty() || seeds.count(line.by) != 0 : datamorphisms.count(line.by) != 0;
      const bool has_origins =
          std::all_of(line.from.begin(), line.from.end(), [&](const auto& id) { return there.count(id) != 0; });
      if (!is_made || !has_origins) {
        stale_.push_back(line);
        continue;
      }
      there.insert(line.id);
      text += line.text + '\n';
    }
    const scratch_file file(tree_, "known");
    if (const auto written = system::write_file_atomically(file.path(), text); !written)
      return tl::unexpected(failure{failed(written.error())});
    const system::process_end shown =
        system::run({.arguments = {program_, "show", "--json", "--spec", spec, "--pool", file.path()}});
    const auto read = shown.succeeded() ? frameworks::read_pool_text(shown.out) : tl::unexpected(std::string());
    if (!read) {
      fmt::print(stderr, "{}", shown.err);
      return tl::unexpected(failure{
          failed(fmt::format("'{}' cannot be read any more; remove what does not fit, or start without it: --anew",
                             suite_.pool.string()))});
    }
    return read->lines;
  }

  /// What violated a relation once keeps the line that says so.
  std::vector<frameworks::pool_line> unite(const frameworks::pool_text& explored,
                                           const std::vector<frameworks::pool_line>& known) {
    std::map<std::string, const frameworks::pool_line*> by_id;
    for (const frameworks::pool_line& line : known) by_id[line.id] = &line;
    std::vector<frameworks::pool_line> all;
    std::set<std::string> there;
    for (const frameworks::pool_line& line : explored.lines) {
      all.push_back(line);
      there.insert(line.id);
      for (const auto& each : line.said)
        serves_[line.id].insert(fmt::format("{}\n{}\n{}", line.by, each.first, each.second));
      const auto old = by_id.find(line.id);
      if (old == by_id.end() || old->second->violated.empty()) continue;
      all.back().violated = old->second->violated;
      all.back().text = old->second->text;
      all.back().bare = line.bare;
      once_.insert(line.id);
    }
    for (const frameworks::pool_line& line : known)
      if (there.count(line.id) == 0) {
        all.push_back(line);
        if (!line.violated.empty()) once_.insert(line.id);
      }
    return all;
  }

  int write(const std::string& head, const std::vector<frameworks::pool_line>& lines,
            const std::set<std::string>* only) {
    std::string text = head + '\n';
    for (const frameworks::pool_line& line : lines)
      if (only == nullptr || only->count(line.id) != 0)
        text += (only != nullptr && !line.violated.empty() ? frameworks::without_metrics(line.text) : line.bare) + '\n';
    const auto written = system::write_file_atomically(suite_.pool, text);
    return written ? static_cast<int>(contract::fine) : failed(written.error());
  }

  int measure() const {
    system::command run{
        .arguments = {system::own_executable().string(), "measure", "--build", tree_.binary_dir.string()}};
    if (!tree_.config.empty()) run.arguments.insert(run.arguments.end(), {"--config", tree_.config});
    run.inherit_output = !asked_.json && !asked_.quiet;
    const system::process_end end = system::run(run);
    if (end.succeeded()) return contract::fine;
    fmt::print(stderr, "{}", end.err);
    return failed(fmt::format("`morph measure` did not succeed; '{}' is as it was", suite_.pool.string()));
  }

  static void add_origins(const std::vector<frameworks::pool_line>& all, std::set<std::string>& to) {
    for (auto line = all.rbegin(); line != all.rend(); ++line)
      if (to.count(line->id) != 0) to.insert(line->from.begin(), line->from.end());
  }

  std::set<std::string> choose(const std::vector<frameworks::pool_line>& all, const pools::suite_rows& rows,
                               const std::set<std::string>& before) {
    std::set<std::string> stay = before;
    // What stays as an origin may do for another one: until a refresh of the result would give the same.
    constexpr int most_rounds = 6;
    for (int round = 0; round < most_rounds; ++round) {
      const std::set<std::string> preferred = std::move(stay);
      found_ = pools::reduce_cases(rows, std::nullopt, {serves_, preferred});
      stay = {found_.ids.begin(), found_.ids.end()};
      add_origins(all, stay);
      if (stay == preferred) break;
    }
    std::map<std::string, std::size_t> violations;  // of each relation and kind
    constexpr std::size_t most_of_a_kind = 10;
    for (const bool first_those_of_before : {true, false})
      for (const frameworks::pool_line& line : all) {
        if (line.violated.empty() || (once_.count(line.id) != 0) != first_those_of_before) continue;
        bool is_one_more = first_those_of_before;
        for (const auto& [executer, relation] : line.violated)
          is_one_more = violations[line.by + '\n' + executer + '\n' + relation]++ < most_of_a_kind || is_one_more;
        if (is_one_more)
          stay.insert(line.id);
        else
          ++left_violations_;
      }
    for (const frameworks::pool_line& line : all)
      if (rows.of_cases.count(line.id) == 0) {
        stay.insert(line.id);
        ++unmeasured_;
      }
    add_origins(all, stay);
    return stay;
  }

  void tell(const std::vector<frameworks::pool_line>& all, const std::set<std::string>& before,
            const std::set<std::string>& stay, json& told) const {
    std::vector<const frameworks::pool_line*> came, went;
    std::size_t violating = 0;
    for (const frameworks::pool_line& line : all) {
      const bool is_in = stay.count(line.id) != 0, was_in = before.count(line.id) != 0;
      if (is_in && !was_in) came.push_back(&line);
      if (!is_in && was_in) went.push_back(&line);
      violating += is_in && !line.violated.empty() ? 1 : 0;
    }
    for (const frameworks::pool_line& line : stale_) went.push_back(&line);
    if (asked_.json) {
      const auto listed = [](const std::vector<const frameworks::pool_line*>& lines) {
        json list = json::array();
        for (const frameworks::pool_line* line : lines)
          list.push_back(
              {{"id", line->id}, {"by", line->by}, {"in", line->input}, {"violates", !line->violated.empty()}});
        return list;
      };
      told.push_back({{"suite", suite_.name},
                      {"pool", suite_.pool.string()},
                      {"explored", all.size()},
                      {"cases", stay.size()},
                      {"violating", violating},
                      {"unmeasured", unmeasured_},
                      {"covered", found_.covered},
                      {"proven", found_.is_proven},
                      {"written", !asked_.dry_run},
                      {"came", listed(came)},
                      {"went", listed(went)}});
      return;
    }
    if (asked_.quiet) return;
    fmt::print("{}: {} of {} cases {}\n", suite_.pool.string(), stay.size(), all.size(),
               asked_.dry_run ? "would stay" : "stay");
    fmt::print("  {} cover all {} lines and branches and apply the relations alike{}\n", found_.ids.size(),
               found_.covered,
               found_.is_proven ? "; no fewer do" : fmt::format("; no fewer than {} can", found_.bound));
    if (violating > 0)
      fmt::print("  {} violate a relation, or did{}\n", violating,
                 left_violations_ > 0 ? fmt::format("; {} more of the same kinds are left out", left_violations_) : "");
    if (unmeasured_ > 0) fmt::print("  {} were not measured\n", unmeasured_);
    const auto list = [](const char* what, const std::vector<const frameworks::pool_line*>& lines) {
      constexpr std::size_t shown = 10, longest = 60;
      if (lines.empty()) return;
      fmt::print("{} {}\n", lines.size(), what);
      for (std::size_t i = 0; i < std::min(shown, lines.size()); ++i) {
        std::string input = lines[i]->input;
        if (input.size() > longest) input = input.substr(0, longest - 3) + "...";
        fmt::print("  {}  {}  {}\n", lines[i]->id, lines[i]->by, input);
      }
      if (lines.size() > shown) fmt::print("  ... and {} more (--json)\n", lines.size() - shown);
    };
    if (came.empty() && went.empty()) fmt::print("nothing came or went\n");
    list("came", came);
    list("went", went);
    if (!stale_.empty()) fmt::print("{} of them were made by what the spec does not have any more\n", stale_.size());
  }

  const build::build_tree& tree_;
  const build::suite& suite_;
  const asked_refresh& asked_;
  std::string program_;
  bool violated_ = false;
  std::vector<frameworks::pool_line> stale_;
  std::set<std::string> once_;  // ids of what violated a relation in an earlier refresh
  std::map<std::string, std::set<std::string>> serves_;
  pools::reduced_cases found_;
  std::size_t unmeasured_ = 0, left_violations_ = 0;
};

}  // namespace

int refresh_pools(const build::build_tree& tree, const build::suite* only, const std::vector<std::string>& words,
                  const common_options& common) {
  const asked_refresh asked = read_words(words, common);
  if (asked.help) {
    fmt::print("{}", help_text);
    return contract::fine;
  }
  std::vector<const build::suite*> suites;
  for (const build::suite& suite : tree.suites)
    if (suite.framework == "spec" && !suite.pool.empty() && (only == nullptr || only == &suite))
      suites.push_back(&suite);
  if (suites.empty()) {
    if (asked.if_any) return contract::fine;
    spdlog::error(
        "{}; declare it: morph_add_spec({} ... POOL pools/{}.jsonl)",
        only == nullptr ? "no suite of specs has a POOL" : fmt::format("the suite '{}' has no POOL", only->name),
        only == nullptr ? "NAME" : only->name, only == nullptr ? "NAME" : only->name);
    return contract::usage;
  }
  int worst = contract::fine;
  json told = json::array();
  for (const build::suite* suite : suites) worst = std::max(worst, refreshing(tree, *suite, asked).run(told));
  if (asked.json) fmt::print("{}\n", json{{"pools", told}}.dump(1, ' ', false, json::error_handler_t::replace));
  return worst;
}

}  // namespace morph::command
