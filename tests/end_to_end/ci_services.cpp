// The services.
#include "ci_services.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <regex>
#include <stdexcept>

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;
using values = std::map<std::string, std::string>;

[[noreturn]] void unknown(const std::string& what) {
  throw std::runtime_error("the recipe has what this test does not know: " + what);
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \n\t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \n\t") + 1 - first);
}

/// `a && (b || c)` over terms that the caller knows; as in JavaScript, an operator gives one of its operands.
class expression {
 public:
  expression(std::string text, std::function<std::string(const std::string&)> term)
      : text_(std::move(text)), term_(std::move(term)) {}
  std::string value() {
    std::string result = either();
    if (at_ != text_.size()) unknown("expression '" + text_ + "'");
    return result;
  }

 private:
  std::string either() {
    std::string left = both();
    while (take("||")) {
      const std::string right = both();
      if (left.empty()) left = right;
    }
    return left;
  }
  std::string both() {
    std::string left = compared();
    while (take("&&")) {
      const std::string right = compared();
      if (!left.empty()) left = right;
    }
    return left;
  }
  std::string compared() {
    const std::string left = one();
    if (take("==")) return left == one() ? "true" : "";
    if (take("!=")) return left != one() ? "true" : "";
    if (take("=~")) {
      const auto start = text_.find('/', at_), end = text_.find("/", start + 1);
      at_ = end + 1;
      skip();
      return std::regex_search(left, std::regex(text_.substr(start + 1, end - start - 1))) ? "true" : "";
    }
    return left;
  }
  std::string one() {
    skip();
    const std::size_t start = at_;
    unsigned depth = 0;
    for (char quote = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '(' || c == '[') {
        ++depth;
      } else if (c == ')' || c == ']') {
        --depth;
      } else if (depth == 0 && c == ' ') {
        break;
      }
    }
    const std::string token = text_.substr(start, at_ - start);
    skip();
    if (token.size() >= 2 && (token[0] == '\'' || token[0] == '"')) return token.substr(1, token.size() - 2);
    return term_(token);
  }
  bool take(const std::string& word) {
    skip();
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string text_;
  std::function<std::string(const std::string&)> term_;
  std::size_t at_ = 0;
};

}  // namespace

// ---- what they share

fs::path ci_service::check_out(const std::string& revision, int depth) {
  const fs::path clone = work_ / fmt::format("job{}", ++runs_);
  std::vector<std::string> command{
      "git", "clone", "--quiet", "--no-tags", "--branch", revision, "file://" + origin_.string(), clone.string()};
  if (depth > 0) command.insert(command.begin() + 2, {"--depth", std::to_string(depth)});
  const finished end = end_to_end::run(command, work_, environment_);
  if (end.exit != 0) throw std::runtime_error("git clone: " + end.both());
  return clone;
}

bool ci_service::shell(ci_run& run, const std::vector<std::string>& interpreter, const std::string& text,
                       const variables& additional) const {
  std::vector<std::string> command = interpreter;
  command.push_back(text);
  variables all = environment_;
  for (const auto& [name, value] : additional) all[name] = value;
  const finished end = end_to_end::run(command, run.clone, all);
  run.steps.push_back(text);
  run.output += end.both();
  return end.exit == 0;
}

void ci_service::save(const std::string& key, const fs::path& clone, const std::string& path) {
  if (!fs::exists(clone / path)) return;
  if (kept_.empty() || kept_.back().key != key || kept_.back().run != runs_) kept_.push_back({key, runs_, {}});
  kept_.back().files[path] = read_bytes(clone / path);
}

void ci_service::restore(const std::vector<std::string>& keys, const std::vector<std::string>& prefixes,
                         const fs::path& clone, const std::string& path) const {
  const auto put = [&](const std::string& wanted, bool whole) {
    for (auto at = kept_.rbegin(); at != kept_.rend(); ++at)
      if (whole ? at->key == wanted : at->key.starts_with(wanted)) {
        const auto file = at->files.find(path);
        if (file == at->files.end()) return false;
        fs::create_directories((clone / path).parent_path());
        write_bytes(clone / path, file->second);
        return true;
      }
    return false;
  };
  for (const std::string& key : keys)
    if (put(key, true)) return;
  for (const std::string& prefix : prefixes)
    if (put(prefix, false)) return;
}

namespace {

// ---- GitHub Actions

class github : public ci_service {
 public:
  github(const std::string& recipe, fs::path origin, fs::path work, variables environment)
      : ci_service(std::move(origin), std::move(work), std::move(environment)), recipe_(YAML::Load(recipe)) {}

  ci_run run(const ci_event& event) override {
    event_ = event;
    ci_run done;
    const char* name = event.how == ci_event::kind::push           ? "push"
                       : event.how == ci_event::kind::pull_request ? "pull_request"
                                                                   : "schedule";
    if (!recipe_["on"][name]) return done;
    context_ = {{"github.event_name", name},
                {"github.ref", "refs/" + event.revision},
                {"github.run_id", std::to_string(run_number() + 1)},
                {"github.repository", "me/shapes"},
                {"github.token", "secret"},
                {"github.event.pull_request.base.sha", event.base},
                {"github.event.pull_request.number", "7"},
                {"vars.MORPH_POLICY", event.variable ? "all" : ""}};
    for (const auto& entry : recipe_["jobs"]) {
      const YAML::Node job = entry.second;
      if (job["if"] && evaluate(job["if"].as<std::string>()).empty()) continue;
      done.jobs.push_back(entry.first.as<std::string>());
      run_job(job, done);
    }
    return done;
  }

 private:
  std::string evaluate(const std::string& text) const {
    return expression(
               trimmed(text),
               [&](const std::string& term) -> std::string {
                 if (term == "success()") return succeeding_ ? "true" : "";
                 if (term == "failure()") return succeeding_ ? "" : "true";
                 const std::regex contains(R"(contains\(github\.event\.pull_request\.labels\.\*\.name, '(.*)'\))");
                 if (std::smatch m; std::regex_match(term, m, contains))
                   return event_.labelled && m[1] == "run-all-tests" ? "true" : "";
                 const auto at = context_.find(term);
                 if (at == context_.end()) unknown("'" + term + "'");
                 return at->second;
               })
        .value();
  }

  std::string substituted(std::string text) const {
    for (std::size_t at; (at = text.find("${{")) != std::string::npos;) {
      const auto end = text.find("}}", at);
      text.replace(at, end + 2 - at, evaluate(text.substr(at + 3, end - at - 3)));
    }
    return text;
  }

  void run_job(const YAML::Node& job, ci_run& done) {
    const auto add_to = [&](variables& environment, const YAML::Node& variables_of) {
      for (const auto& entry : variables_of)
        environment[entry.first.as<std::string>()] = substituted(entry.second.as<std::string>());
    };
    variables environment;
    add_to(environment, recipe_["env"]);
    add_to(environment, job["env"]);
    const fs::path summary = work() / "summary";
    fs::remove(summary);
    environment["GITHUB_STEP_SUMMARY"] = summary.string();
    succeeding_ = true;
    for (const auto& step : job["steps"]) {
      const std::string condition = step["if"] ? step["if"].as<std::string>() : "success()";
      if (evaluate(condition).empty()) continue;
      if (step["run"]) {
        variables of_step = environment;
        add_to(of_step, step["env"]);
        // How GitHub starts its default shell on Linux.
        const bool passed = shell(done, {"bash", "-e", "-c"}, step["run"].as<std::string>(), of_step);
        if (!passed && !step["continue-on-error"]) succeeding_ = false;
        continue;
      }
      const std::string action = step["uses"].as<std::string>();
      const YAML::Node with = step["with"];
      const auto text = [&](const char* key) { return substituted(with[key].as<std::string>()); };
      if (action.starts_with("actions/checkout@")) {
        done.clone = check_out(event_.revision, with["fetch-depth"] ? with["fetch-depth"].as<int>() : 1);
      } else if (action.starts_with("actions/cache/restore@")) {
        std::vector<std::string> prefixes;
        std::istringstream lines(text("restore-keys"));
        for (std::string line; std::getline(lines, line);) prefixes.push_back(trimmed(line));
        restore({text("key")}, prefixes, done.clone, text("path"));
      } else if (action.starts_with("actions/cache/save@")) {
        save(text("key"), done.clone, text("path"));
      } else if (action.starts_with("actions/upload-artifact@")) {
        if (text("if-no-files-found") != "ignore" && !fs::exists(done.clone / text("path"))) succeeding_ = false;
      } else {
        unknown("uses: " + action);
      }
    }
    if (fs::exists(summary)) done.shown = read_bytes(summary);
    done.passed = done.passed && succeeding_;
  }

  YAML::Node recipe_;
  ci_event event_;
  values context_;
  bool succeeding_ = true;
};

// ---- GitLab CI

class gitlab : public ci_service {
 public:
  gitlab(const std::string& recipe, fs::path origin, fs::path work, variables environment)
      : ci_service(std::move(origin), std::move(work), std::move(environment)), recipe_(YAML::Load(recipe)) {}

  ci_run run(const ci_event& event) override {
    variables_ = {{"CI_PIPELINE_SOURCE", event.how == ci_event::kind::push           ? "push"
                                         : event.how == ci_event::kind::pull_request ? "merge_request_event"
                                                                                     : "schedule"},
                  {"CI_DEFAULT_BRANCH", "main"},
                  {"CI_COMMIT_BRANCH", event.how == ci_event::kind::pull_request ? "" : "main"},
                  {"CI_MERGE_REQUEST_LABELS", event.labelled ? "bug,run-all-tests" : "bug,run-all-tests-later"},
                  {"CI_MERGE_REQUEST_IID", event.how == ci_event::kind::pull_request ? event.revision : ""},
                  {"CI_MERGE_REQUEST_DIFF_BASE_SHA", event.base},
                  {"CI_API_V4_URL", "https://gitlab.example/api/v4"},
                  {"CI_PROJECT_ID", "9"}};
    if (event.variable) variables_["MORPH_POLICY"] = "all";
    ci_run done;
    for (const auto& entry : recipe_) {
      const std::string name = entry.first.as<std::string>();
      if (name == "variables" || name.starts_with('.')) continue;
      variables job_variables;
      const YAML::Node job = entry.second;
      if (!wanted(job, job_variables)) continue;
      done.jobs.push_back(name);
      run_job(job, event, job_variables, done);
    }
    return done;
  }

 private:
  /// A key of the job, else of what it extends.
  YAML::Node part(const YAML::Node& job, const char* key) const {
    if (job[key]) return job[key];
    if (!job["extends"]) return YAML::Node(YAML::NodeType::Undefined);
    return part(recipe_[job["extends"].as<std::string>()], key);
  }

  bool wanted(const YAML::Node& job, variables& additional) const {
    for (const auto& rule : part(job, "rules")) {
      const bool holds = !expression(rule["if"].as<std::string>(),
                                     [&](const std::string& term) {
                                       if (!term.starts_with('$')) unknown("'" + term + "'");
                                       const auto at = variables_.find(term.substr(1));
                                       if (at == variables_.end()) unknown("'" + term + "'");
                                       return at->second;
                                     })
                              .value()
                              .empty();
      if (!holds) continue;
      for (const auto& entry : rule["variables"])
        additional[entry.first.as<std::string>()] = entry.second.as<std::string>();
      return true;
    }
    return false;
  }

  std::string substituted(std::string text) const {
    for (const auto& [name, value] : variables_)
      for (std::size_t at; (at = text.find("$" + name)) != std::string::npos;) text.replace(at, name.size() + 1, value);
    if (text.find('$') != std::string::npos) unknown("'" + text + "'");
    return text;
  }

  static std::string lines(const YAML::Node& list) {
    std::string text;
    for (const auto& line : list) text += line.as<std::string>() + "\n";
    return text;
  }

  void run_job(const YAML::Node& job, const ci_event& event, const variables& additional, ci_run& done) {
    variables environment = variables_;
    for (const auto& entry : job["variables"])
      environment[entry.first.as<std::string>()] = entry.second.as<std::string>();
    for (const auto& [name, value] : additional) environment[name] = value;
    done.clone = check_out(event.revision, recipe_["variables"]["GIT_DEPTH"].as<int>());
    const YAML::Node cache = part(job, "cache");
    std::vector<YAML::Node> caches;
    if (cache.IsSequence())
      for (const auto& one : cache) caches.push_back(one);
    else
      caches.push_back(cache);
    const auto key_of = [&](const YAML::Node& of) { return substituted(of["key"].as<std::string>()); };
    for (const YAML::Node& of : caches)
      for (const auto& path : of["paths"]) restore({key_of(of)}, {}, done.clone, path.as<std::string>());
    const std::vector<std::string> bash{"bash", "-eo", "pipefail", "-c"};
    const bool passed = shell(done, bash, lines(part(job, "before_script")) + lines(part(job, "script")), environment);
    // A shell of its own, whose end does not count.
    shell(done, bash, lines(part(job, "after_script")), environment);
    const YAML::Node artifacts = part(job, "artifacts");
    if (artifacts["expose_as"])
      for (const auto& path : artifacts["paths"]) done.shown += read_bytes(done.clone / path.as<std::string>());
    for (const YAML::Node& of : caches) {
      if (of["policy"] && of["policy"].as<std::string>() == "pull") continue;
      if (passed || (of["when"] && of["when"].as<std::string>() == "always"))
        for (const auto& path : of["paths"]) save(key_of(of), done.clone, path.as<std::string>());
    }
    done.passed = done.passed && passed;
  }

  YAML::Node recipe_;
  variables variables_;
};

// ---- Jenkins

class jenkins : public ci_service {
 public:
  jenkins(const std::string& recipe, fs::path origin, fs::path work, variables environment)
      : ci_service(std::move(origin), std::move(work), std::move(environment)) {
    read(recipe);
  }

  ci_run run(const ci_event& event) override {
    ci_run done;
    const bool pull_request = event.how == ci_event::kind::pull_request;
    const std::string branch = pull_request ? "PR-7" : "main";
    variables environment{{"BRANCH_NAME", branch}, {"BASE", "main"}};
    for (const auto& [name, of_change, else_value] : conditional_)
      environment[name] = pull_request ? of_change : else_value;
    if (pull_request) {
      environment["CHANGE_TARGET"] = "main";
      environment["CHANGE_TITLE"] = event.labelled ? "Strips are wider [all tests]" : "Strips are wider";
    }
    if (event.variable) environment["MORPH_POLICY"] = "all";
    done.clone = check_out(event.revision, 0);  // a pipeline's own checkout, as Jenkins makes it unless told otherwise
    bool failed = false;
    bool post_failed = false;
    for (const step& s : steps_) {
      const bool in_post = std::find(s.blocks.begin(), s.blocks.end(), "post") != s.blocks.end();
      if ((!in_post && failed) || (in_post && post_failed) || !holds(s, event, branch)) continue;
      if (s.kind == "copyArtifacts") {
        restore({s.of_base ? "main" : branch}, {}, done.clone, s.text);
      } else if (s.kind == "archiveArtifacts") {
        save(branch, done.clone, s.text);
      } else if (s.kind == "description") {
        const std::string text = read_bytes(done.clone / s.text);
        done.shown = text.substr(0, text.find('\n'));
        if (done.shown.starts_with("### ")) done.shown.erase(0, 4);
      } else if (!shell(done, {"sh", "-xe", "-c"}, s.text, environment)) {
        (in_post ? post_failed : failed) = true;
      }
    }
    done.jobs = {branch};
    done.passed = !failed && !post_failed;
    return done;
  }

 private:
  struct step {
    std::string kind;
    std::string text;                 // of the shell; the file of an artifact step
    std::vector<std::string> blocks;  // headers of the blocks around it
    std::string when;                 // of its stage
    bool of_base = false;             // copies what a build of the base branch has archived, not one of its own
  };

  static bool holds(const step& s, const ci_event& event, const std::string& branch) {
    const bool timer = event.how == ci_event::kind::schedule;
    if (s.when == "triggeredBy 'TimerTrigger'") {
      if (!timer) return false;
    } else if (s.when == "not { triggeredBy 'TimerTrigger' }") {
      if (timer) return false;
    } else if (!s.when.empty()) {
      unknown("when { " + s.when + " }");
    }
    for (const std::string& block : s.blocks)
      if (block.starts_with("if ")) {
        const bool is_main = branch == "main";
        if (block == "if (env.CHANGE_TARGET)") {
          if (is_main) return false;
        } else if (block == "if (env.BRANCH_NAME in ['main', 'master'])" || block == "if (!env.CHANGE_TARGET)") {
          if (!is_main) return false;
        } else {
          unknown(block);
        }
      }
    return true;
  }

  /// The declarative subset: blocks in braces, a command a line, `sh` with '...' or '''...'''.
  void read(const std::string& text) {
    const std::regex description(
        R"(currentBuild\.description = readFile\('([^']*)'\)\.tokenize\('\\n'\)\[0\]\.replace\('### ', ''\))");
    std::vector<std::string> blocks;
    std::string when;
    std::istringstream lines(text);
    for (std::string raw; std::getline(lines, raw);) {
      std::string line = trimmed(raw);
      if (line.empty() || line.starts_with("//")) continue;
      const bool one_line_block = line.ends_with('}') && line.find('{') != std::string::npos;
      if (line == "}") {
        blocks.pop_back();
      } else if (!blocks.empty() && blocks.back() == "environment") {
        const std::regex either(R"((\w+) = "\$\{env\.CHANGE_TARGET \? '([^']*)' : '([^']*)'\}")");
        if (std::smatch m; std::regex_match(line, m, either))
          conditional_.push_back({m[1], m[2], m[3]});
        else if (!line.starts_with("BASE = "))
          unknown(line);
      } else if (one_line_block) {
        const auto open = line.find('{');
        if (trimmed(line.substr(0, open)) == "when") when = trimmed(line.substr(open + 1, line.size() - open - 2));
      } else if (line.ends_with('{')) {
        blocks.push_back(trimmed(line.substr(0, line.size() - 1)));
        if (blocks.back().starts_with("stage(") || blocks.back() == "post") when.clear();
      } else if (line.starts_with("sh '''")) {
        std::string script;
        while (std::getline(lines, raw) && trimmed(raw) != "'''") script += raw + "\n";
        steps_.push_back({"sh", script, blocks, when, false});
      } else if (line.starts_with("sh '") && line.ends_with('\'')) {
        steps_.push_back({"sh", line.substr(4, line.size() - 5), blocks, when, false});
      } else if (std::smatch m; std::regex_match(line, m, std::regex("copyArtifacts .*filter: '([^']*)'.*"))) {
        steps_.push_back({"copyArtifacts", m[1], blocks, when, line.find("env.BASE") != std::string::npos});
      } else if (std::regex_match(line, m, std::regex("archiveArtifacts artifacts: '([^']*)'.*"))) {
        steps_.push_back({"archiveArtifacts", m[1], blocks, when, false});
      } else if (std::regex_match(line, m, description)) {
        steps_.push_back({"description", m[1], blocks, when, false});
      } else if (!line.starts_with("agent ") && !line.starts_with("junit ")) {
        unknown(line);
      }
    }
    if (!blocks.empty()) unknown("a block that is never closed");
  }

  std::vector<step> steps_;
  std::vector<std::array<std::string, 3>> conditional_;  // variables: name, for a change, else
};

}  // namespace

std::unique_ptr<ci_service> make_github(const std::string& recipe, fs::path origin, fs::path work,
                                        variables environment) {
  return std::make_unique<github>(recipe, std::move(origin), std::move(work), std::move(environment));
}
std::unique_ptr<ci_service> make_gitlab(const std::string& recipe, fs::path origin, fs::path work,
                                        variables environment) {
  return std::make_unique<gitlab>(recipe, std::move(origin), std::move(work), std::move(environment));
}
std::unique_ptr<ci_service> make_jenkins(const std::string& recipe, fs::path origin, fs::path work,
                                         variables environment) {
  return std::make_unique<jenkins>(recipe, std::move(origin), std::move(work), std::move(environment));
}

}  // namespace morph::end_to_end
