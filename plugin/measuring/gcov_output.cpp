// Asking, and reading the answers.
#include "plugin/measuring/gcov_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "coverage/gcov/clang_note.hpp"
#include "coverage/gcov/note.hpp"
#include "plugin/build/compiler_version.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string compiler_of(const build::build_tree& tree) {
  return json::parse(tree.configuration, nullptr, false).value("compiler", "");
}

bool is_clang(const std::string& compiler) {
  return compiler.starts_with("Clang ");
}

std::vector<std::string> gcov_of(const build::build_tree& tree) {
  const std::string compiler = compiler_of(tree), program = gcov_beside(compiler, tree.compiler_path);
  if (is_clang(compiler)) return {program, "gcov"};
  return {program};
}

/// gcov ends with status 0 whatever it complains of, in the language of the user.
std::string complaint_in(const std::string& said) {
  for (std::size_t at = 0; at < said.size();) {
    const auto end = std::min(said.find('\n', at), said.size());
    const std::string line = said.substr(at, end - at);
    // A source that was touched is as it was compiled: it has been built just now.
    const bool is_idle = line.empty() || line.find("source file is newer than notes file") != std::string::npos ||
                         line.starts_with("(the message is displayed only once");
    if (!is_idle) return line;
    at = end + 1;
  }
  return "";
}

struct answer {
  std::string out, complaint;
  bool succeeded;
};

answer run_gcov(const build::build_tree& twin, const std::vector<std::string>& arguments, std::size_t files,
                const fs::path& directory) {
  constexpr std::chrono::seconds at_least(30), a_file(5);  // notes that are cut off may keep it busy for ever
  system::command c;
  c.timeout = at_least + static_cast<int>(files) * a_file;
  c.environment.emplace_back("LC_ALL", "C");
  c.arguments = gcov_of(twin);
  c.arguments.insert(c.arguments.end(), arguments.begin(), arguments.end());
  c.directory = directory.string();
  const auto end = system::run(c);
  const bool is_endless = end.how == system::process_end::kind::timed_out;
  return {end.out, is_endless ? "it does not end" : complaint_in(end.err), end.succeeded()};
}

// ---- gcov

shown_files read_json(const std::string& text) {
  const json shown = json::parse(text);
  const auto cwd = shown.at("current_working_directory").get<std::string>();
  shown_files files;
  for (const json& one : shown.at("files")) {
    shown_file file{gcov::resolved_path(cwd, one.at("file").get<std::string>()), {}, {}};
    for (const json& line : one.at("lines"))
      file.lines[line.at("line_number").get<std::uint32_t>()] |= line.at("count").get<std::int64_t>() != 0;
    for (const json& function : one.at("functions")) {
      const auto first = function.at("start_line").get<std::uint32_t>();
      const std::uint32_t last = std::max(first, function.at("end_line").get<std::uint32_t>());
      file.functions.push_back({function.at("name").get<std::string>(), first, last, last + 1,
                                function.at("execution_count").get<std::int64_t>() != 0});
    }
    files.push_back(std::move(file));
  }
  return files;
}

answer ask_gcc(const build::build_tree& twin, const std::vector<std::string>& files) {
  std::vector<std::string> arguments = {"--json-format", "--stdout"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  return run_gcov(twin, arguments, files.size(), twin.own_dir());
}

/// An object a line; none if gcov fails.
std::vector<std::string> lines_of(const answer& said) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; said.succeeded && at < said.out.size();) {
    const auto end = std::min(said.out.find('\n', at), said.out.size());
    if (end > at) lines.push_back(said.out.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

tl::unexpected<std::string> cannot_read(const gcov_question& question, const std::string& complaint) {
  return tl::unexpected(fmt::format("gcov cannot read '{}' with the notes '{}'{}{}", question.counters, question.notes,
                                    complaint.empty() ? "" : ": ", complaint));
}

/// Of notes alone nobody has counters.
bool is_idle(const std::string& complaint, const gcov_question& question) {
  const auto has = [&](std::string_view text) { return complaint.find(text) != std::string::npos; };
  return complaint.empty() || (question.counters == question.notes && has(".gcda") &&
                               (has("cannot open data file") || has("No such file or directory")));
}

tl::unexpected<std::string> not_understood(const gcov_question& question, const std::string& why) {
  return tl::unexpected(fmt::format("what gcov says of '{}' is not understood: {}", question.notes, why));
}

/// All at once, unless one that gcov cannot read spoils the answers of the others.
std::vector<result<shown_files>> ask_gcc(const build::build_tree& twin, const std::vector<gcov_question>& questions) {
  std::vector<std::string> paths;
  for (const auto& question : questions) paths.push_back(question.counters);
  const answer together = ask_gcc(twin, paths);
  const auto objects = lines_of(together);
  const bool apart = objects.size() != questions.size() || !together.complaint.empty();
  std::vector<result<shown_files>> all;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const answer own = apart ? ask_gcc(twin, {questions[i].counters}) : answer{objects[i], "", true};
    const auto object = lines_of(own);
    if (object.size() != 1 || !is_idle(own.complaint, questions[i])) {
      all.push_back(cannot_read(questions[i], own.complaint));
      continue;
    }
    try {
      all.push_back(read_json(object.front()));
    } catch (const json::exception& error) {
      all.push_back(not_understood(questions[i], error.what()));
    }
  }
  return all;
}

// ---- llvm-cov

/// The next number of `text`, which loses it and the comma behind it.
bool take_number(std::string_view& text, std::uint64_t& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  if (text.empty()) return true;
  if (text.front() != ',') return false;
  text.remove_prefix(1);
  return true;
}

/// `file:PATH`, `function:LINE,COUNT,SYMBOL`, `lcount:LINE,COUNT`, and branches. What it does not know is an error.
result<shown_files> read_intermediate(const std::string& text, const std::string& cwd) {
  shown_files files;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    const auto colon = std::min(line.find(':'), line.size());
    const std::string_view kind = line.substr(0, colon);
    std::string_view rest = line.substr(std::min(colon + 1, line.size()));
    std::uint64_t number = 0, count = 0;
    bool known = kind == "branch";
    if (kind == "file") {
      files.push_back({gcov::resolved_path(cwd, std::string(rest)), {}, {}});
      known = true;
    } else if ((kind == "lcount" || kind == "function") && !files.empty() && take_number(rest, number) &&
               take_number(rest, count)) {
      const auto first = static_cast<std::uint32_t>(number);
      if (kind == "lcount") files.back().lines[first] |= count != 0;
      if (kind == "function") files.back().functions.push_back({std::string(rest), first, first, 0, count != 0});
      known = kind == "lcount" ? rest.empty() : !rest.empty();
    }
    if (!known) return tl::unexpected(fmt::format("'{}'", line));
  }
  return files;
}

/// Lambdas and members of local classes by their mangled names, and what Clang makes of blocks and of OpenMP's regions.
/// One that is called local and is not makes rows wider.
bool is_local(const std::string& symbol) {
  const auto has = [&](const char* part) { return symbol.find(part) != std::string::npos; };
  return symbol.starts_with("_ZZ") || has("$_") || has("Ul") || has("_block_invoke") || has(".omp");
}

struct noted_function {
  std::uint32_t first_line;
  bool artificial;
  std::vector<std::uint32_t> lines;  // of its own file, or said to be
};
using noted_functions = std::map<std::string, noted_function>;  // by symbol

/// An error unless llvm-cov shows the functions of the notes.
result<noted_functions> read_noted(const std::string& path, const shown_files& shown) {
  const auto bytes = system::read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto notes = gcov::parse_note(*bytes, path);
  if (!notes) return tl::unexpected(notes.error());
  std::multiset<std::string> noted, seen;
  noted_functions functions;
  for (const auto& function : notes->functions) {
    noted.insert(function.symbol);
    functions[function.symbol] = {function.start_line, function.artificial, function.lines};
  }
  for (const auto& file : shown)
    for (const auto& function : file.functions) seen.insert(function.symbol);
  if (noted != seen)
    return tl::unexpected(
        fmt::format("gcov shows {} functions of '{}', which has {}", seen.size(), path, noted.size()));
  return functions;
}

/// llvm-cov does not tell where functions end: they may go on until another one begins that is not within them. Lines
/// of what the compiler wrote, and of initializers, which may stand anywhere, are outside of functions, and so is what
/// the object has no code of: llvm-cov gives lines of other files to the file of the function. Counts of lines mean
/// nothing: that of a test's first line has the initializer in it that registers the test.
void complete(shown_file& file, const gcov::line_table& code, const noted_functions& noted) {
  std::set<std::uint32_t> first_lines, begins, outside;
  for (const auto& function : file.functions) {
    first_lines.insert(function.first_line);
    if (!is_local(function.symbol)) begins.insert(function.first_line);
  }
  for (auto& function : file.functions) {
    const noted_function& own = noted.at(function.symbol);
    const auto next = begins.upper_bound(function.first_line);
    function.end = next == begins.end() ? std::numeric_limits<std::uint32_t>::max() : *next;
    const bool is_whole = own.artificial || function.first_line == 0;
    for (const std::uint32_t line : own.lines)
      if (is_whole || line < function.first_line || line >= function.end) outside.insert(line);
  }
  const auto own_code = code.find(file.path);
  if (own_code != code.end()) file.more_lines = own_code->second;
  std::erase_if(file.lines, [&](const auto& line) {
    const bool has_code = std::binary_search(file.more_lines.begin(), file.more_lines.end(), line.first);
    return first_lines.count(line.first) == 0 && (!has_code || outside.count(line.first) != 0);
  });
  for (auto& [line, ran] : file.lines) ran = false;
  std::erase_if(file.functions, [&](const auto& function) { return noted.at(function.symbol).artificial; });
  for (auto& function : file.functions) {
    const auto behind = file.lines.lower_bound(function.end);
    if (behind != file.lines.begin()) function.last_line = std::max(function.first_line, std::prev(behind)->first);
  }
}

/// Whether the object has what makes Clang count every arc (runtime/morph_clang_arcs.h).
bool counts_every_arc(const std::string& object) {
  const std::string own("\0fork\0", 6);
  return object.find("__gcov_fork") != std::string::npos || object.find(own) != std::string::npos;
}

struct written_text {
  std::optional<std::string> text;
  std::string complaint;
};

/// llvm-cov writes files where it runs, named by the last parts of what it reads: no two may have the same.
std::vector<written_text> run_llvm_cov(const build::build_tree& twin, const std::vector<std::string>& files) {
  const fs::path folder = twin.own_dir() / "measure" / "llvm-cov";
  std::error_code none;
  fs::remove_all(folder, none);
  fs::create_directories(folder, none);
  std::vector<std::string> arguments = {"-i"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  const answer said = run_gcov(twin, arguments, files.size(), folder);
  std::vector<written_text> all;
  for (const std::string& file : files) {
    const auto text = system::read_file((folder / (fs::path(file).filename().string() + ".gcov")).string());
    all.push_back({text && said.succeeded ? std::optional(*text) : std::nullopt, said.complaint});
  }
  fs::remove_all(folder, none);
  return all;
}

result<shown_files> read_written(const written_text& written, const gcov_question& question) {
  if (!is_idle(written.complaint, question) || !written.text) return cannot_read(question, written.complaint);
  const std::string cwd = gcov::folder_of_build(question.notes);
  auto files = read_intermediate(*written.text, cwd);
  if (!files) return not_understood(question, files.error());
  const auto noted = read_noted(question.notes, *files);
  if (!noted) return tl::unexpected(noted.error());
  bool counts_all = false;
  const auto code = gcov::lines_of_object(question.notes, cwd, [&](const std::string& path) {
    auto bytes = gcov::read_file(path);
    counts_all = bytes && counts_every_arc(*bytes);
    return bytes;
  });
  if (!code) return tl::unexpected(code.error());
  if (!counts_all)
    return tl::unexpected(
        fmt::format("'{}' was compiled without the options of the twin, and lacks counters", question.notes));
  for (auto& file : *files) complete(file, *code, *noted);
  return *files;
}

/// As many at once as have different names, unless one that llvm-cov cannot read spoils the answers of the others.
std::vector<result<shown_files>> ask_clang(const build::build_tree& twin, const std::vector<gcov_question>& questions) {
  std::vector<std::map<std::string, std::size_t>> rounds;  // places by name
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const std::string name = fs::path(questions[i].counters).filename().string();
    const auto round = std::find_if(rounds.begin(), rounds.end(), [&](const auto& r) { return r.count(name) == 0; });
    (round == rounds.end() ? rounds.emplace_back() : *round).emplace(name, i);
  }
  std::vector<result<shown_files>> all(questions.size());
  for (const auto& round : rounds) {
    std::vector<std::string> files;
    for (const auto& [name, i] : round) files.push_back(questions[i].counters);
    auto written = run_llvm_cov(twin, files);
    for (std::size_t at = 0; written.size() > 1 && at < written.size(); ++at)
      if (!written[at].complaint.empty() || !written[at].text) written[at] = run_llvm_cov(twin, {files[at]}).front();
    std::size_t at = 0;
    for (const auto& [name, i] : round) all[i] = read_written(written[at++], questions[i]);
  }
  return all;
}

/// Whether llvm-cov calls exactly those functions of the probe (runtime/morph_probe.cpp) executed that are.
result<void> try_llvm_cov(const build::build_tree& twin) {
  const fs::path folder = twin.own_dir() / "probe", prefix = folder / "counters";
  std::error_code none;
  fs::remove_all(prefix, none);
  system::command c;
  c.arguments = {(folder / "morph_probe").string()};
  c.environment.emplace_back("GCOV_PREFIX", prefix.string());
  c.timeout = std::chrono::seconds(30);
  if (const auto end = system::run(c); !end.succeeded())
    return tl::unexpected(fmt::format("'{}': {} {}", c.arguments[0], system::describe(end, c.timeout), end.err));
  std::set<std::string> ran, idle;
  for (fs::recursive_directory_iterator at(prefix, none), end; !none && at != end; at.increment(none)) {
    if (at->path().extension() != ".gcda") continue;
    const std::string notes =
        fs::path("/" + at->path().lexically_relative(prefix).string()).replace_extension(".gcno").string();
    fs::create_symlink(notes, fs::path(at->path()).replace_extension(".gcno"), none);
    const auto files = ask_clang(twin, {{at->path().string(), notes}}).front();
    if (!files) return tl::unexpected(files.error());
    for (const auto& file : *files)
      for (const auto& function : file.functions) (function.ran ? ran : idle).insert(function.symbol);
  }
  fs::remove_all(prefix, none);
  std::set<std::string> expected{"main", "morph_probe_leave", "morph_probe_left", "morph_probe_branches"};
  if (ran.count("morph_probe_throws") + idle.count("morph_probe_throws") != 0)
    expected.insert({"morph_probe_throws", "morph_probe_thrown_through"});
  if (ran == expected && idle == std::set<std::string>{"morph_probe_idle"}) return {};
  return tl::unexpected(
      fmt::format("it calls {} functions of '{}' executed, not {}", ran.size(), c.arguments[0], expected.size()));
}

}  // namespace

std::string gcov_beside(const std::string& compiler, const std::string& compiler_path) {
  std::error_code error;
  const fs::path real = fs::canonical(compiler_path, error);
  const fs::path folder = (error ? fs::path(compiler_path) : real).parent_path();
  const std::string name = is_clang(compiler) ? "llvm-cov" : "gcov";
  const fs::path gcov = folder / fmt::format("{}-{}", name, build::major_version(compiler));
  return (fs::exists(gcov, error) ? gcov : folder / name).string();
}

result<void> check_gcov(const build::build_tree& twin) {
  const std::string compiler = compiler_of(twin), gcov = gcov_beside(compiler, twin.compiler_path);
  system::command c;
  c.arguments = gcov_of(twin);
  c.arguments.emplace_back("--version");
  const auto end = system::run(c);
  const int major = is_clang(compiler) ? build::llvm_cov_major(end.out) : build::gcov_major(end.out);
  if (!end.succeeded() || major != build::major_version(compiler))
    return tl::unexpected(
        fmt::format("the counters of {} are read by its own gcov, and '{}' {}; install the compiler's whole package",
                    compiler, gcov, end.succeeded() ? "is of another version" : "does not run"));
  if (!is_clang(compiler)) return {};
  const auto tried = try_llvm_cov(twin);
  if (!tried)
    return tl::unexpected(
        fmt::format("'{}' cannot be relied on: {}; measure with GCC, or with a Clang whose counters "
                    "Morph reads itself",
                    gcov, tried.error()));
  return {};
}

std::vector<result<shown_files>> ask_gcov(const build::build_tree& twin, const std::vector<gcov_question>& questions) {
  return is_clang(compiler_of(twin)) ? ask_clang(twin, questions) : ask_gcc(twin, questions);
}

}  // namespace morph::measuring
