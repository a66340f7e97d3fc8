// Compiling and linking, and dropping what is rejected.
#include "plugin/generate/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "coverage/mutation/compiler_messages.hpp"
#include "plugin/build/compiling.hpp"
#include "plugin/build/link_lines.hpp"
#include "plugin/build/mirror.hpp"
#include "plugin/generate/thunks.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/shell_words.hpp"

namespace morph::generate {
namespace {

namespace fs = std::filesystem;

constexpr int most_rounds = 60;

/// What the program is made of beside our own objects.
struct link_parts {
  std::vector<std::string>
      objects{};  // of the project, but those of the sources under test; relative to the build tree
  std::vector<std::string> libraries{};  // archives, shared libraries, options
};

bool is_object(const std::string& path) {
  return path.ends_with(".o") || path.ends_with(".obj");
}

class builder {
 public:
  builder(const build::build_tree& tree, subject& of, const program_kind& kind)
      : tree_(tree), of_(of), kind_(kind), folder_(kind.folder), mirror_(mirror_of(kind.folder, tree)) {}

  result<call_program> build(std::vector<bool> dropped, system::observer& told) {
    if (!fs::exists(runtime_folder() / "morph_generate_server.cpp"))
      return tl::unexpected(fmt::format("'{}' is not there; install Morph whole", runtime_folder().string()));
    if (auto parts = read_parts(); !parts) return tl::unexpected(parts.error());
    call_program made{folder_ / "calls", folder_ / "run", std::move(dropped)};
    std::error_code ignored;
    fs::create_directories(made.folder, ignored);
    told.status(
        fmt::format("compiling {} callables{}", of_.offered.callables.size(), kind_.nodes > 0 ? " with mutants" : ""));
    for (int round = 0; round < most_rounds; ++round) {
      if (system::interrupted()) return tl::unexpected(std::string("interrupted"));
      if (auto written = write(made.dropped); !written) return tl::unexpected(written.error());
      std::string log;
      if (compile(log) && link(made, log)) {
        made.tests = tests_;
        made.as = tests_ ? tests_->unit : of_.sources.front();
        made.link_head = link_head_of(of_.sources.front());
        made.link_tail = link_tail(own_objects_);
        made.link_rest = link_tail({});
        if (!own_objects_.empty()) made.sources = of_.sources;
        return made;
      }
      if (!drop(made.dropped, log))
        return tl::unexpected(fmt::format(
            "the program of calls cannot be built{}; the first message is: {}",
            log.find("ld: cannot find") == std::string::npos ? "" : " (is the project built?)", first_of(log)));
    }
    return tl::unexpected(std::string("the program of calls cannot be built: each attempt is rejected"));
  }

  /// The options of the unit's own command, with paths in the mirror.
  std::vector<std::string> command(const build::compile_unit& unit, const std::string& file, const fs::path& object,
                                   bool mirrored) const {
    std::vector<std::string> made = options_of(unit);
    if (mirrored)
      for (std::string& each : made) each = mirrored_text(each);
    // An index behind the end and the top of an empty stack end the call: no test is made of what happened to be there.
    made.insert(made.end(), {"-D_GLIBCXX_ASSERTIONS", "-w", "-c", file, "-o", object.string()});
    return made;
  }

  std::string mirrored_text(const std::string& text) const { return in_mirror(text, tree_, mirror_); }

  result<link_parts> read_parts() {
    const auto linked = build::linked_files(tree_.binary_dir);
    if (!linked) return tl::unexpected(linked.error());
    std::set<std::string> own;
    for (const auto& unit : of_.sources) own.insert(object_of(unit));
    if (!is_header_only()) own_objects_.assign(own.begin(), own.end());
    const build::linked_file* of_unit = nullptr;
    for (const auto& each : *linked) {
      const bool has = std::ranges::any_of(each.inputs, [&](const auto& input) { return own.contains(input.path); });
      const auto rank = [](const build::linked_file& f) { return f.archive ? 2 : f.shared ? 1 : 0; };
      if (has && (of_unit == nullptr || rank(each) > rank(*of_unit))) of_unit = &each;
    }
    if (of_unit == nullptr)
      return tl::unexpected(fmt::format("nothing is linked of '{}' in '{}'; build the project first",
                                        of_.sources.front().file, tree_.binary_dir.string()));
    const build::linked_file* user = of_unit;
    if (of_unit->archive || of_unit->shared) {
      user = nullptr;
      const std::string name = fs::path(of_unit->path).filename().string();
      for (const auto& each : *linked) {
        if (each.archive || each.shared) continue;
        const bool uses = std::ranges::any_of(each.inputs, [&](const auto& i) { return i.path == of_unit->path; }) ||
                          each.options.find(name) != std::string::npos;
        if (!uses || tests_) continue;
        find_tests(each);
        if (user == nullptr || tests_) user = &each;
      }
    } else {
      find_tests(*of_unit);
    }
    const bool is_program = !of_unit->archive && !of_unit->shared;
    for (const auto& input : of_unit->inputs) {
      if (!is_object(input.path))
        parts_.libraries.push_back(input.path);
      else if (is_header_only() ? !is_program : !own.contains(input.path))
        parts_.objects.push_back(input.path);
    }
    if (user != nullptr) {
      for (const auto& input : user->inputs)
        if (!is_object(input.path) && input.path != of_unit->path) parts_.libraries.push_back(input.path);
      for (const std::string& each : build::library_words(user->options))
        if (fs::path(each).filename() != fs::path(of_unit->path).filename()) parts_.libraries.push_back(each);
    }
    hides_main_ = is_program;
    return parts_;
  }

  bool link_with(const std::vector<std::string>& objects, const fs::path& executable, std::string& log) {
    std::vector<std::string> words = link_head_of(of_.sources.front());
    words.insert(words.end(), objects.begin(), objects.end());
    const auto tail = link_tail({});
    words.insert(words.end(), tail.begin(), tail.end());
    words.insert(words.end(), {"-ldl", "-o", executable.string()});
    return run_step(executable, words, tree_.binary_dir.string(), log);
  }

  /// What it says if it fails comes behind `log`, as Ninja writes it: mutants are blamed by that.
  static bool run_step(const fs::path& output, const std::vector<std::string>& words, const std::string& directory,
                       std::string& log) {
    std::string said;
    if (build::run_compiler(words, directory, said)) return true;
    log += fmt::format("FAILED: {}\n{}\n{}\n", output.string(), words.front(), said);
    return false;
  }

  std::vector<std::string> link_tail(const std::vector<std::string>& further) {
    std::vector<std::string> words;
    for (const std::vector<std::string>* objects : {&further, &std::as_const(parts_.objects)})
      for (const std::string& each : *objects) words.push_back(hides_main_ ? without_main(each) : each);
    // Libraries that need each other are read until nothing is missing.
    words.emplace_back("-Wl,--start-group");
    words.insert(words.end(), parts_.libraries.begin(), parts_.libraries.end());
    words.emplace_back("-Wl,--end-group");
    // Another link line may not say where its shared libraries are found when it runs.
    std::set<std::string> folders;
    for (const std::string& each : parts_.libraries)
      if (!each.starts_with("-") && each.find(".so") != std::string::npos)
        folders.insert((tree_.binary_dir / each).parent_path().string());
    for (const std::string& each : folders) words.push_back("-Wl,-rpath," + each);
    return words;
  }

 private:
  bool is_header_only() const {
    const std::set<std::string> files = of_.goals.files();
    return std::ranges::none_of(of_.sources, [&](const auto& unit) {
      return std::ranges::any_of(files, [&](const std::string& f) { return tree_.source_dir / f == unit.file; });
    });
  }

  /// A source of the program that includes a test framework.
  void find_tests(const build::linked_file& program) {
    static const std::regex included(
        "#[ \\t]*include[ \\t]*([<\"][^>\"]*(gtest/gtest|gmock/gmock|catch|doctest)[^>\"]*[>\"])");
    const auto units = build::compile_commands_of(tree_);
    if (!units) return;
    for (const build::compile_unit& each : *units) {
      const std::string object = object_of(each);
      if (std::ranges::none_of(program.inputs, [&](const auto& input) { return input.path == object; })) continue;
      const auto text = system::read_file(each.file);
      std::smatch found;
      if (!text || !std::regex_search(*text, found, included)) continue;
      const std::string name = found[2];
      test_place made{.framework = name.starts_with("g") ? "gtest"
                                   : name == "catch"     ? "catch2"
                                                         : "doctest",
                      .include = found[1],
                      .source = each.file,
                      .unit = each};
      static const std::regex folder("CMakeFiles/([^/]+)\\.dir/");
      if (std::smatch target; std::regex_search(object, target, folder)) made.target = target[1];
      tests_ = std::move(made);
      return;
    }
  }

  std::string object_of(const build::compile_unit& unit) const {
    const fs::path object = (fs::path(unit.directory) / unit.object).lexically_normal();
    const fs::path relative = object.lexically_relative(tree_.binary_dir);
    return relative.empty() || *relative.begin() == ".." ? object.string() : relative.string();
  }

  /// A copy whose main() has another name.
  std::string without_main(const std::string& object) {
    const fs::path copy = folder_ / "objects" / fmt::format("{}.o", std::hash<std::string>{}(object));
    std::error_code ignored;
    fs::create_directories(copy.parent_path(), ignored);
    std::string log;
    const bool made =
        build::run_compiler({"objcopy", "--redefine-sym", "main=morph_main_of_the_project", object, copy.string()},
                            tree_.binary_dir.string(), log);
    return made ? copy.string() : object;
  }

  result<void> write(const std::vector<bool>& dropped) {
    const auto replaced = kind_.texts();
    if (!replaced) return tl::unexpected(replaced.error());
    if (auto updated = build::update_mirror(tree_.source_dir, mirror_, {tree_.binary_dir}, *replaced); !updated)
      return tl::unexpected(updated.error());
    if (auto linked = build::link_neighbours(tree_.source_dir, mirror_); !linked) return linked;
    std::vector<std::string> includes;
    for (const std::string& each : of_.headers) includes.push_back(fmt::format("\"{}\"", mirrored_text(each)));
    thunks_ = thunks_of(of_.offered, includes, dropped, static_cast<std::uint32_t>(of_.goals.goals.size()));
    return system::write_file_atomically(folder_ / "thunks.cpp", thunks_.text);
  }

  bool compile_one(const build::compile_unit& unit, const fs::path& file, const std::string& name, std::string& log) {
    const fs::path object = folder_ / name;
    const auto text = system::read_file(file);
    if (text && compiled_[name] == *text && fs::exists(object)) return true;
    auto words = command(unit, file.string(), object, true);
    for (const fs::path& each : {runtime_folder(), runtime_folder().parent_path()})
      words.push_back("-I" + each.string());
    words.insert(words.end(), kind_.options.begin(), kind_.options.end());
    words.push_back(fmt::format("-DMORPH_NODES={}", kind_.nodes));
    // Our own sources throw, whatever the project does.
    if (!name.starts_with("unit")) words.emplace_back("-fexceptions");
    if (!run_step(object, words, mirrored_text(unit.directory), log)) return false;
    compiled_[name] = text ? *text : "";
    return true;
  }

  bool compile(std::string& log) {
    const build::compile_unit& as = of_.sources.front();
    bool all = compile_one(as, runtime_folder() / "morph_generate_server.cpp", "server.o", log) &&
               compile_one(as, runtime_folder() / "morph_generate_reports.cpp", "reports.o", log) &&
               compile_one(as, runtime_folder() / "morph_generate_mutants.cpp", "mutants.o", log) &&
               compile_one(as, runtime_folder() / "morph_other_time.cpp", "time.o", log) &&
               compile_one(as, folder_ / "thunks.cpp", "thunks.o", log);
    objects_.clear();
    for (const char* const each : {"server.o", "reports.o", "mutants.o", "time.o", "thunks.o"})
      objects_.push_back((folder_ / each).string());
    for (std::size_t i = 0; i < of_.sources.size(); ++i) {
      if (is_header_only()) break;
      const std::string name = fmt::format("unit{}.o", i);
      all = compile_one(of_.sources[i], mirrored_text(of_.sources[i].file), name, log) && all;
      objects_.push_back((folder_ / name).string());
    }
    return all;
  }

  bool link(const call_program& to, std::string& log) { return link_with(objects_, to.executable, log); }

  bool drop(std::vector<bool>& dropped, const std::string& log) {
    if (kind_.drop && kind_.drop(log)) return true;
    bool has_dropped = false;
    for (const auto& places : mutation::errors_in(log))
      for (const auto& place : places)
        if (drop_at(dropped, place)) {
          has_dropped = true;
          break;
        }
    static const std::regex missing("in function [`'][^\n]*call_([0-9]+)\\(");
    for (std::sregex_iterator at(log.begin(), log.end(), missing), end; at != end; ++at) {
      const std::size_t number = std::stoul((*at)[1]);
      if (number >= dropped.size() || dropped[number]) continue;
      dropped[number] = has_dropped = true;
    }
    return has_dropped;
  }

  bool drop_at(std::vector<bool>& dropped, const mutation::message_place& place) {
    const fs::path file = fs::path(place.file).is_absolute() ? fs::path(place.file) : tree_.binary_dir / place.file;
    if (file.filename() == "thunks.cpp") {
      for (const auto& each : thunks_.conversions) {
        if (each.line != place.line) continue;
        return std::erase(of_.offered.classes[each.from].bases, each.to) != 0;
      }
      const auto after = std::ranges::upper_bound(thunks_.first_line, place.line);
      if (after == thunks_.first_line.begin()) return false;
      const auto number = static_cast<std::size_t>(after - thunks_.first_line.begin() - 1);
      if (place.line > thunks_.last_line[number] || dropped[number]) return false;
      dropped[number] = true;
      return true;
    }
    const std::string relative = file.lexically_normal().lexically_relative(mirror_).string();
    return !kind_.drop && !relative.starts_with("..") && drop_functions_at(of_.goals, relative, place.line);
  }

  static std::string first_of(const std::string& log) {
    // Of a linker's messages the last one says "error", and those before it why.
    auto at = std::string::npos;
    for (const char* const why : {"undefined reference", "multiple definition", "No such file or directory"})
      at = std::min(at, log.find(why));
    if (at == std::string::npos) at = log.find("error");
    const auto begin = at == std::string::npos ? 0 : log.rfind('\n', at) + 1;
    return log.substr(begin, std::min<std::size_t>(log.find('\n', begin) - begin, 600));
  }

  const build::build_tree& tree_;
  subject& of_;
  const program_kind& kind_;
  fs::path folder_, mirror_;
  link_parts parts_;
  bool hides_main_ = false;
  std::vector<std::string> own_objects_;  // of the sources under test, as the project builds them
  std::optional<test_place> tests_;
  thunk_source thunks_;
  std::vector<std::string> objects_;
  std::map<std::string, std::string> compiled_;  // object: the text that it was made of
};

/// The sources that report goals.
result<std::map<std::string, std::optional<std::string>>> with_goals(const build::build_tree& tree,
                                                                     const goal_set& goals) {
  std::map<std::string, std::optional<std::string>> made;
  for (const std::string& file : goals.files()) {
    const auto source = system::read_file(tree.source_dir / file);
    if (!source) return tl::unexpected(source.error());
    made[file] = fmt::format("#include \"{}\"\n#line 1\n{}", (runtime_folder() / "morph_goals.h").string(),
                             rewritten(*source, file, goals));
  }
  return made;
}

}  // namespace

fs::path runtime_folder() {
  return (system::own_executable().parent_path() / MORPH_GENERATE_RUNTIME).lexically_normal();
}

fs::path mirror_of(const fs::path& folder, const build::build_tree& tree) {
  return folder / "source" / tree.source_dir.relative_path();
}

std::string in_mirror(const std::string& text, const build::build_tree& tree, const fs::path& mirror) {
  const std::string from = tree.source_dir.string(), kept = tree.binary_dir.string();
  std::string made;
  std::size_t at = 0;
  for (auto next = text.find(from); next != std::string::npos; next = text.find(from, next)) {
    const std::size_t end = next + from.size();
    const bool is_whole = end == text.size() || text[end] == '/' || text[end] == '"';
    if (is_whole && text.compare(next, kept.size(), kept) != 0) {
      made.append(text, at, next - at).append(mirror.string());
      at = end;
    }
    next = end;
  }
  return made.append(text, at);
}

build::compile_unit in_mirror(build::compile_unit unit, const build::build_tree& tree, const fs::path& mirror) {
  for (std::string* const each : {&unit.file, &unit.directory}) *each = in_mirror(*each, tree, mirror);
  for (std::string& each : unit.arguments) each = in_mirror(each, tree, mirror);
  return unit;
}

result<call_program> build_program(const build::build_tree& tree, subject& of, const program_kind& kind,
                                   const std::vector<bool>& dropped, system::observer& told) {
  return builder(tree, of, kind).build(dropped, told);
}

result<call_program> build_program(const build::build_tree& tree, subject& of, system::observer& told) {
  const program_kind kind{.folder = tree.own_dir() / "generate", .texts = [&] { return with_goals(tree, of.goals); }};
  return build_program(tree, of, kind, std::vector<bool>(of.offered.callables.size(), false), told);
}

}  // namespace morph::generate
