// Reads statements and dependencies, and follows edges.
#include "plugin/build/ninja_graph.hpp"

#include <algorithm>
#include <map>

#include "plugin/system/files.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

bool is_object(const std::string& path) {
  return path.ends_with(".o");
}

/// Whether `word` is in the command between two characters that pass, or at its ends.
template <typename Before, typename Behind>
bool has_between(std::string_view command, std::string_view word, const Before& before, const Behind& behind) {
  for (auto at = command.find(word); at != std::string_view::npos; at = command.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || before(command[at - 1])) && (end == command.size() || behind(command[end]))) return true;
  }
  return false;
}

auto any_of(std::string_view characters) {
  return [=](char c) { return characters.find(c) != std::string_view::npos; };
}

/// Whether a file's name goes on with it.
bool goes_on(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || any_of("_-+.")(c);
}

/// Whether a command has this path as a word, or as a part of one.
bool names_path(std::string_view command, std::string_view path) {
  return has_between(command, path, any_of(" \t\"'=;:,@("), any_of(" \t\"';:,)"));
}

}  // namespace

bool names_file(std::string_view command, std::string_view name) {
  return has_between(
      command, name, [](char c) { return !goes_on(c); }, [](char c) { return c != '/' && !goes_on(c); });
}

bool may_name(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if (at > 0 && text[at - 1] == '_') continue;
    if (end < text.size() && goes_on(text[end]) && !any_of("-+.")(text[end])) continue;
    auto begin = at;
    while (begin > 0 && goes_on(text[begin - 1])) --begin;
    if (begin == at || begin == 0 || text[begin - 1] != '/') return true;
  }
  return false;
}

build_graph::build_graph(const build_tree& tree) : folder_(tree.binary_dir), is_ninja_(tree.generator == "Ninja") {}

bool build_graph::names(const std::string& name) {
  load();
  return may_name(*text_, name) || may_name(rules_, name);
}

const std::vector<build_statement>& build_graph::statements() {
  load();
  if (!statements_) statements_ = build_statements(*text_);
  return *statements_;
}

std::string build_graph::absolute(const std::string& path) const {
  return (folder_ / path).lexically_normal().string();
}

const std::set<std::string>& build_graph::configured() {
  if (!configured_) {
    configured_.emplace();
    for (const build_statement& s : statements())
      if (s.rule == "RERUN_CMAKE")
        for (const std::string& input : s.inputs) configured_->insert(absolute(input));
  }
  return *configured_;
}

bool build_graph::is_read_by_command(const std::string& file) {
  return std::any_of(statements().begin(), statements().end(), [&](const build_statement& s) {
    const bool is_command = s.what() == build_statement::kind::command && !is_of_cmake(s);
    return is_command && (has(s.inputs, file) || has(s.waits_for, file) || names_path(s.commands(), file));
  });
}

products build_graph::of(const std::string& file, const dependency_map& read) {
  products found;
  std::vector<std::string> open{file};
  std::set<std::string> seen{file};
  const auto follow = [&](const std::string& made) {
    if (seen.insert(made).second) open.push_back(made);
  };
  while (!open.empty()) {
    const std::string path = std::move(open.back());
    open.pop_back();
    for (const auto& [output, files] : read) {
      if (std::find(files.begin(), files.end(), path) == files.end()) continue;
      if (is_object(output)) {
        found.objects.insert(output);
      } else {
        found.by_command = true;
        found.files.insert(absolute(output));
        follow(absolute(output));
      }
    }
    for (const build_statement& s : statements()) add(s, path, path == file, found, follow);
  }
  return found;
}

std::set<std::string> build_graph::idle_archives_of(const std::string& object) {
  const auto reads = [&](const build_statement& s, const std::string& path) {
    return has(s.inputs, path) || has(s.waits_for, path) ||
           names_file(s.commands(), fs::path(path).filename().string());
  };
  const auto makes_nothing = [](const build_statement& s) {
    return s.what() == build_statement::kind::alias || is_of_cmake(s) || is_of_morph(s);
  };
  std::set<std::string> archives;
  for (const build_statement& s : statements()) {
    if (makes_nothing(s) || !reads(s, absolute(object))) continue;
    if (s.what() != build_statement::kind::archive || !s.commands().empty()) return {};
    for (const std::string& output : s.outputs) archives.insert(absolute(output));
  }
  const auto may_be_linked_by = [&](const build_statement& s, const std::string& archive) {
    const fs::path path(archive);
    const std::string stem = path.stem().string();
    const std::string option = "-l" + (stem.starts_with("lib") ? stem.substr(3) : stem);
    return reads(s, archive) || std::any_of(s.variables.begin(), s.variables.end(), [&](const auto& variable) {
             return variable.second.find(option) != std::string::npos ||
                    may_name(variable.second, path.filename().string());
           });
  };
  for (const std::string& archive : archives)
    for (const build_statement& s : statements())
      if (!makes_nothing(s) && !has(s.outputs, archive) && may_be_linked_by(s, archive)) return {};
  return archives;
}

std::set<const build_statement*> build_graph::makers_of(std::vector<std::string> open) {
  std::map<std::string, const build_statement*> makers;
  for (const build_statement& s : statements())
    for (const std::string& output : s.outputs) makers.emplace(output, &s);
  std::set<const build_statement*> found;
  while (!open.empty()) {
    const auto at = makers.find(open.back());
    open.pop_back();
    if (at == makers.end() || !found.insert(at->second).second) continue;
    open.insert(open.end(), at->second->inputs.begin(), at->second->inputs.end());
    open.insert(open.end(), at->second->waits_for.begin(), at->second->waits_for.end());
  }
  return found;
}

bool build_graph::is_run_on_demand(const build_statement& s) {
  if (!needed_) {
    std::vector<std::string> needed{"all"};
    for (const build_statement& other : statements()) {
      if (other.what() == build_statement::kind::alias) continue;
      needed.insert(needed.end(), other.inputs.begin(), other.inputs.end());
      needed.insert(needed.end(), other.waits_for.begin(), other.waits_for.end());
    }
    needed_ = makers_of(std::move(needed));
  }
  return s.what() == build_statement::kind::command && !needed_->contains(&s) &&
         std::all_of(s.outputs.begin(), s.outputs.end(), [&](const std::string& output) {
           const fs::path path = folder_ / output;
           std::error_code error;
           return path.parent_path().filename() == "CMakeFiles" && !fs::exists(path, error) && !error;
         });
}

bool build_graph::runs_commands() {
  const auto all = makers_of({"all"});
  return all.empty() || std::any_of(all.begin(), all.end(), [](const build_statement* s) {
           return s->what() == build_statement::kind::command && !is_of_cmake(*s);
         });
}

bool build_graph::links_made_files() {
  std::set<std::string> made;
  for (const build_statement& s : statements())
    if (s.what() == build_statement::kind::command) made.insert(s.outputs.begin(), s.outputs.end());
  return std::any_of(statements().begin(), statements().end(), [&](const build_statement& s) {
    return s.what() == build_statement::kind::link &&
           std::any_of(s.inputs.begin(), s.inputs.end(), [&](const std::string& input) {
             return made.count(input) != 0 && !is_object(input) && !input.ends_with(".a");
           });
  });
}

void build_graph::load() {
  if (text_) return;
  text_ = is_ninja_ ? system::read_file(folder_ / "build.ninja").value_or("") : "";
  rules_ = is_ninja_ ? system::read_file(folder_ / "CMakeFiles" / "rules.ninja").value_or("") : "";
}

bool build_graph::has(const std::vector<std::string>& words, const std::string& path) const {
  const std::string name = fs::path(path).filename().string();
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.ends_with(name) && absolute(word) == path; });
}

void build_graph::add(const build_statement& s, const std::string& path, bool is_first, products& found,
                      const follower& to_follow) {
  const bool is_input = has(s.inputs, path), is_awaited = has(s.waits_for, path);
  const auto make = [&](bool as_file) {
    for (const std::string& output : s.outputs) {
      if (as_file) found.files.insert(absolute(output));
      to_follow(absolute(output));
    }
  };
  switch (s.what()) {
    case build_statement::kind::alias:
      if (is_input || is_awaited) make(false);
      return;
    case build_statement::kind::command:
      if (is_of_cmake(s) || !(is_input || is_awaited || names_path(s.commands(), path))) return;
      (is_run_on_demand(s) ? found.on_demand : found.by_command) = true;
      make(!is_run_on_demand(s));
      return;
    case build_statement::kind::compile:
      if (!is_input) return;
      for (const std::string& output : s.outputs) {
        std::error_code error;
        if (!is_object(output))
          make(true);
        else if (fs::exists(folder_ / output, error))  // of what was never built there is nothing to compare
          found.objects.insert(output);
      }
      return;
    case build_statement::kind::archive:
    case build_statement::kind::link:
      // Objects and libraries end elsewhere.
      if (is_input || names_path(s.commands(), path)) {
        found.by_command = found.by_command || !is_object(path);
        found.is_known = false;
      }
      return;
    case build_statement::kind::other:
      if (s.rule == "RERUN_CMAKE" ? is_input && !is_first : is_input || names_path(s.commands(), path)) {
        found.by_command = true;
        found.is_known = false;
      }
  }
}

}  // namespace morph::build
