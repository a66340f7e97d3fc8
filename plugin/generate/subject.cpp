// Asking Clang: first who defines the unit, then what its headers offer.
#include "plugin/generate/subject.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "coverage/coupling/class_graph.hpp"
#include "coverage/naming/test_names.hpp"
#include "plugin/generate/reading.hpp"
#include "plugin/generate/test_sources.hpp"
#include "plugin/generate/user_values.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/source_reader/scoped_names.hpp"
#include "plugin/system/files.hpp"

namespace morph::generate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using source_reader::last_of;

bool has_word(const std::string& text, const std::string& word) {
  const auto is_letter = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
  return false;
}

/// What a header or a source includes in its midst: by itself it would define functions a second time.
bool is_part(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  return !extension.empty() && !extension.starts_with(".h") && !extension.starts_with(".H");
}

bool is_in(const fs::path& folder, const std::string& path) {
  return path.starts_with(folder.string() + "/");
}

bool includes_framework(const std::string& source) {
  return source.find("gtest/") != std::string::npos || source.find("catch") != std::string::npos ||
         source.find("doctest") != std::string::npos || source.find("gmock/") != std::string::npos;
}

class finder {
 public:
  finder(const build::build_tree& tree, const std::string& named, bool with_tests, system::observer& told)
      : tree_(tree), named_(named), with_tests_(with_tests), told_(told) {}

  result<subject> find_pair(const class_pair& named) {
    auto units = build::compile_commands_of(tree_);
    if (!units) return tl::unexpected(units.error());
    std::set<std::string> names{named.caller, named.callee};
    while (true) {
      std::vector<build::compile_unit> candidates;
      for (const std::string& each : names)
        for (const build::compile_unit& one : naming(*units, last_of(each)))
          if (std::ranges::find(candidates, one.file, &build::compile_unit::file) == candidates.end())
            candidates.push_back(one);
      if (candidates.size() == read_.first.size() && made_.pair) break;
      told_.status(fmt::format("reading {} sources for '{}' and '{}'", candidates.size(), named.caller, named.callee));
      auto read = read_units(tree_, candidates, "branches");
      if (!read) return tl::unexpected(read.error());
      graph_ = graph_of(*read);
      made_.pair = class_pair{};
      for (const auto& [asked, to] :
           {std::pair(&named.caller, &made_.pair->caller), std::pair(&named.callee, &made_.pair->callee)}) {
        auto whole = whole_name(*asked);
        if (auto parsed = no_errors(*read); !whole && !parsed) {
          code_ = contract::environment;
          return tl::unexpected(parsed.error());
        }
        if (!whole) return tl::unexpected(whole.error());
        *to = *whole;
        // What they inherit may stand elsewhere.
        for (const std::string& base : coupling::hierarchy(graph_).above(*whole)) names.insert(base);
      }
      read_ = {std::move(candidates), std::move(*read)};
    }
    if (auto done = couple_classes(); !done) return tl::unexpected(done.error());
    if (with_tests_)
      if (auto read = read_tests(); !read) return tl::unexpected(read.error());
    if (auto offered = read_offered(); !offered) return tl::unexpected(offered.error());
    return std::move(made_);
  }

  result<std::vector<coupling::candidate>> best_pairs(std::size_t most) {
    auto units = build::compile_commands_of(tree_);
    if (!units) return tl::unexpected(units.error());
    const auto all = candidates_of(*units, "");
    auto own = all;
    std::erase_if(own, [&](const auto& each) { return naming::is_named_as_tests(relative(each.file)); });
    if (own.empty()) own = all;  // the project's folder may be one of tests
    told_.status(fmt::format("reading {} sources for pairs of classes", own.size()));
    const auto read = read_units(tree_, own, "branches");
    if (!read) return tl::unexpected(read.error());
    auto made = coupling::candidates(graph_of(*read));
    // No test can name such a caller.
    std::erase_if(made,
                  [](const auto& each) { return each.caller.find("(anonymous namespace)") != std::string::npos; });
    made.resize(std::min(most, made.size()));
    if (made.empty())
      return tl::unexpected(
          std::string("no class of the project's sources has branches that lead to branches of another"));
    return made;
  }

  /// Why nothing was found.
  contract::failure failure(std::string why) const { return {code_, std::move(why), {}}; }

  result<subject> find() {
    auto units = build::compile_commands_of(tree_);
    if (!units) return tl::unexpected(units.error());
    if (const fs::path file = tree_.source_dir / named_; fs::is_regular_file(file)) file_ = file.lexically_normal();
    const std::string word = file_.empty() ? last_of(named_) : file_.filename().string();
    if (auto found = look_in(candidates_of(*units, word)); !found) return tl::unexpected(found.error());
    // Of a class in a header no source may say the name.
    if (made_.goals.goals.empty())
      if (auto found = look_in(including(*units, last_of(named_))); !found) return tl::unexpected(found.error());
    if (made_.goals.goals.empty()) return not_there(seen_);
    if (with_tests_)
      if (auto read = read_tests(); !read) return tl::unexpected(read.error());
    if (auto offered = read_offered(); !offered) return tl::unexpected(offered.error());
    return std::move(made_);
  }

 private:
  result<void> look_in(const std::vector<build::compile_unit>& candidates) {
    if (candidates.empty()) return {};
    told_.status(
        fmt::format("reading {} source{} for '{}'", candidates.size(), candidates.size() == 1 ? "" : "s", named_));
    const auto read = read_units(tree_, candidates, "branches");
    if (!read) return tl::unexpected(read.error());
    choose(candidates, *read);
    return made_.goals.goals.empty() ? no_errors(*read) : result<void>();
  }

  /// The first error, if there is one.
  static result<void> no_errors(const std::vector<json>& read) {
    for (const json& line : read)
      for (const json& each : line.at("errors"))
        return tl::unexpected(fmt::format("{}:{}: {}", each.at("file").get<std::string>(),
                                          each.at("line").get<unsigned>(), each.at("text").get<std::string>()));
    return {};
  }

  /// A source that includes a header which is the unit, or names it; one for each header.
  std::vector<build::compile_unit> including(const std::vector<build::compile_unit>& units,
                                             const std::string& word) const {
    std::vector<build::compile_unit> made;
    std::set<std::string> seen;
    std::error_code ignored;
    for (fs::recursive_directory_iterator at(tree_.source_dir, ignored), end; at != end; at.increment(ignored)) {
      const std::string path = at->path().string();
      if (at->is_directory() && (path == tree_.binary_dir || at->path().filename() == ".git"))
        at.disable_recursion_pending();
      if (!is_header(at->path()) || (!file_.empty() && at->path() != file_)) continue;
      const auto text = system::read_file(path);
      if (!text || (file_.empty() && !has_word(*text, word))) continue;
      for (const build::compile_unit& each : units) {
        const auto source =
            is_in(tree_.source_dir, each.file) ? system::read_file(each.file) : result<std::string>(std::string());
        if (!source || source->find(at->path().filename().string()) == std::string::npos) continue;
        if (seen.insert(each.file).second) made.push_back(each);
        break;
      }
    }
    return made;
  }

  /// Of a class in a header no source may say the name.
  std::vector<build::compile_unit> naming(const std::vector<build::compile_unit>& units,
                                          const std::string& word) const {
    std::vector<build::compile_unit> made = candidates_of(units, word);
    return made.empty() ? including(units, word) : made;
  }

  /// Sources that may define what is called so: they are it, or name it. Those that no test framework is included in
  /// come first.
  std::vector<build::compile_unit> candidates_of(const std::vector<build::compile_unit>& units,
                                                 const std::string& word) const {
    std::vector<build::compile_unit> made, tests;
    std::set<std::string> seen;
    for (const build::compile_unit& each : units) {
      if (!is_in(tree_.source_dir, each.file) || is_in(tree_.binary_dir, each.file) || !seen.insert(each.file).second)
        continue;
      if (!file_.empty() && build::is_source(file_.string())) {
        if (each.file == file_.string()) return {each};
        continue;
      }
      const auto text = system::read_file(each.file);
      if (!text || (!word.empty() && !has_word(*text, word))) continue;
      (includes_framework(*text) ? tests : made).push_back(each);
    }
    if (made.empty() && !tests.empty()) made.push_back(tests.front());
    return made;
  }

  coupling::branch_graph graph_of(const std::vector<json>& read) const {
    coupling::branch_graph made = coupling::graph_of(read);
    for (coupling::function& each : made.functions) each.file = relative(each.file);
    return made;
  }

  result<std::string> whole_name(const std::string& named) {
    const auto found = coupling::classes_named(graph_, named);
    if (found.size() == 1) return found.front();
    if (found.size() > 1) return no_such(fmt::format("'{}' is {}; write which one", named, fmt::join(found, " or ")));
    std::vector<std::string> all;
    for (const auto& [name, facts] : graph_.classes) all.push_back(name);
    return no_such(source_reader::no_class(named, all));
  }

  result<void> couple_classes() {
    const class_pair& pair = *made_.pair;
    const coupling::hierarchy classes(graph_);
    const coupling::unit caller{pair.caller}, callee{pair.callee};
    const auto found = coupling::coupled(graph_, caller, callee);
    if (found.sites.empty()) {
      const auto others = coupling::called_classes(graph_, caller);
      return no_such(fmt::format(
          "'{}' never calls '{}'; {}", pair.caller, pair.callee,
          others.empty() ? "it calls no class of the project" : fmt::format("it calls {}", fmt::join(others, ", "))));
    }
    if (found.pairs.empty())
      return tl::unexpected(
          fmt::format("no branches of '{}' and '{}' are coupled: of {} calls, {} are made under no condition, and the "
                      "others lead to no branch",
                      pair.caller, pair.callee, found.sites.size(), found.sites_without_branch));
    made_.unit = pair.caller;
    made_.called_classes = wanted_classes_ = {pair.caller};
    for (const std::string& each : classes.above(pair.caller)) made_.called_classes.insert(each);
    // A base class calls what a derived class redefines: on its objects.
    if (classes.is_below(pair.callee, pair.caller)) made_.called_classes.insert(pair.callee);
    wanted_classes_ = made_.called_classes;
    wanted_classes_.insert(pair.callee);
    for (const std::string& each : classes.above(pair.callee)) wanted_classes_.insert(each);
    for (const std::uint32_t f : coupling::covering_functions(graph_, caller, found)) {
      const std::string& name = graph_.functions[f].name;
      made_.leading.insert(name.substr(0, name.find('(')));
    }
    choose(read_.first, read_.second);
    couple(made_.goals, graph_, found.pairs);
    if (made_.goals.pairs.empty())
      return tl::unexpected(
          fmt::format("no coupled branches of '{}' and '{}' can report that they are taken", pair.caller, pair.callee));
    return {};
  }

  bool is_wanted(const std::string& file, const json& function) const {
    if (made_.pair) return wanted_classes_.contains(function.at("class").get<std::string>());
    if (!file_.empty()) return fs::path(file) == file_ || tree_.source_dir / file == file_;
    const std::string of = function.at("class");
    if (of.empty()) return false;
    const std::string whole = "::" + of + "::";
    return whole.find("::" + named_ + "::") != std::string::npos;
  }

  /// The functions of the unit, and all others of the files that have some: these lead to them.
  void choose(const std::vector<build::compile_unit>& candidates, const std::vector<json>& read) {
    std::map<std::string, std::vector<json>> functions;
    std::set<std::string> files;
    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> known;
    std::vector<std::pair<std::size_t, std::size_t>> by_worth;
    std::map<std::size_t, std::size_t> of_caller;  // in the unit, headers included
    for (const json& line : read) {
      std::size_t own = 0;
      const std::size_t unit = line.at("unit");
      for (const json& file : line.value("files", json::array())) {
        const std::string path = relative(file.at("path"));
        for (json each : file.at("functions")) {
          if (!each.at("class").get<std::string>().empty()) seen_.insert(each.at("class").get<std::string>());
          each["wanted"] = is_wanted(path, each);
          if (made_.pair && each.at("class") == made_.pair->caller) ++of_caller[unit];
          if (each["wanted"]) {
            files.insert(path);
            if ((tree_.source_dir / path).string() == candidates[unit].file) ++own;
            if (made_.unit.empty()) made_.unit = file_.empty() ? unit_name(each.at("class")) : named_;
          }
          // Where a function begins may differ from unit to unit, by macros before it.
          if (known.emplace(path, each.at("body").get<std::uint32_t>(), each.at("end").get<std::uint32_t>()).second)
            functions[path].push_back(std::move(each));
        }
      }
      by_worth.emplace_back(own, unit);
    }
    std::erase_if(functions, [&](const auto& each) { return !files.contains(each.first); });
    std::stable_sort(by_worth.begin(), by_worth.end(), [&](const auto& a, const auto& b) {
      return std::pair(of_caller[a.second], a.first) > std::pair(of_caller[b.second], b.first);
    });
    for (const auto& [own, unit] : by_worth)
      if (own > 0 || made_.sources.empty()) made_.sources.push_back(candidates[unit]);
    for (auto& [file, all] : functions)
      std::sort(all.begin(), all.end(), [](const json& a, const json& b) { return a.at("begin") < b.at("begin"); });
    made_.goals = goals_of(functions);
  }

  /// Of "a::b::inner" with b asked for: "a::b".
  std::string unit_name(const std::string& of) const {
    const auto at = ("::" + of + "::").find("::" + named_ + "::");
    return at == std::string::npos ? of : of.substr(0, at + named_.size());
  }

  result<void> read_tests() {
    const auto sources = test_sources(tree_, made_);
    if (!sources) return tl::unexpected(sources.error());
    if (sources->empty()) return {};
    told_.status(fmt::format("reading {} source{} of tests", sources->size(), sources->size() == 1 ? "" : "s"));
    auto lines = read_units(tree_, *sources, "recipes");
    if (!lines) return tl::unexpected(lines.error());
    for (json& line : *lines) line["source"] = (*sources)[line.at("unit").get<std::size_t>()].file;
    made_.tests = std::move(*lines);
    std::map<std::string, std::size_t> included;
    for (const json& line : made_.tests)
      for (const std::string header : line.value("includes", json::array())) {
        const std::string whole = absolute(header).string();
        if (++included[whole] > included[made_.usual_header]) made_.usual_header = whole;
      }
    return {};
  }

  /// Expressions that instantiate templates as the tests do.
  std::vector<std::string> uses_of_templates() {
    std::set<std::string> made;
    for (const json& line : made_.tests)
      for (const json& each : line.value("callees", json::array()))
        if (const std::string use = each.at("use"); !use.empty()) {
          made.insert(use);
          made_.instances.insert(each.at("signature").get<std::string>());
        }
    return {made.begin(), made.end()};
  }

  /// What the headers of the unit offer, and those beside them that can be included, too.
  result<void> read_offered() {
    const std::vector<std::string> values = values_headers(tree_);
    if (!values.empty()) add_spec_headers();
    const build::compile_unit& unit = made_.sources.front();
    auto first = read_units(tree_, {unit}, "callables");
    if (!first) return tl::unexpected(first.error());
    if (first->empty() || !first->front().at("errors").empty())
      return tl::unexpected(
          fmt::format("'{}' does not parse: {}", unit.file,
                      first->empty() ? "" : first->front().at("errors")[0].at("text").get<std::string>()));
    std::vector<std::string> headers = first->front().at("headers");
    std::erase_if(headers, is_part);
    const std::set<std::string> known(headers.begin(), headers.end());
    std::set<fs::path> folders;
    for (const std::string& each : headers) folders.insert(absolute(each).parent_path());
    for (const fs::path& folder : folders)
      for (const auto& beside : system_files(folder))
        if (!known.contains(beside) && !known.contains(relative(beside)) && !is_values_header(beside))
          headers.push_back(beside);
    headers.insert(headers.end(), values.begin(), values.end());
    json line = std::move(first->front());
    const fs::path at = tree_.own_dir() / "generate" / "headers.cpp";
    // Only when the headers are settled: an error may be within a use, or lie in a header.
    std::vector<std::string> all_uses = uses_of_templates(), uses;
    for (int round = 0; round < 12; ++round) {
      std::string text;
      for (const std::string& each : headers) text += fmt::format("#include \"{}\"\n", absolute(each).string());
      for (std::size_t i = 0; i < uses.size(); ++i)
        text += fmt::format("static const auto morph_use_{} = {};\n", i, uses[i]);
      if (auto written = system::write_file_atomically(at, text); !written) return tl::unexpected(written.error());
      build::compile_unit all = unit;
      std::replace(all.arguments.begin(), all.arguments.end(), all.file, at.string());
      all.file = at.string();
      auto answer = read_units(tree_, {all}, "callables");
      if (!answer || answer->empty()) break;
      const json& errors = answer->front().at("errors");
      if (errors.empty()) {
        line = std::move(answer->front());
        if (all_uses.empty()) break;
        uses = std::exchange(all_uses, {});
        continue;
      }
      if (drop_uses(uses, errors, at.string(), headers.size())) continue;
      // The included file of the first error, or what stands in that line of ours, goes.
      const std::string file = errors[0].at("file");
      const auto before = headers.size();
      if (file == at.string()) {
        const std::size_t number = errors[0].at("line");
        if (number > 0 && number <= headers.size())
          headers.erase(headers.begin() + static_cast<std::ptrdiff_t>(number) - 1);
      } else {
        std::erase_if(headers, [&](const std::string& each) {
          return absolute(each) == absolute(file) && !known.contains(each) && !known.contains(relative(each));
        });
      }
      if (headers.size() == before) {
        // What a user's header includes, perhaps; users' headers stand last.
        if (headers.empty() || !is_values_header(headers.back())) break;
        headers.pop_back();
      }
    }
    for (const std::string& each : values)
      if (std::ranges::find(headers, each) == headers.end())
        told_.warn(
            fmt::format("'{}' is not used: it does not compile as '{}' does", relative(each), relative(unit.file)));
    made_.offered = model_of(line);
    for (modelled_callable& each : made_.offered.callables) {
      each.file = absolute(each.file).string();
      each.defined_in = absolute(each.defined_in).string();
    }
    for (modelled_class& each : made_.offered.classes) each.file = absolute(each.file).string();
    for (const std::string& each : headers) made_.headers.push_back(absolute(each).string());
    // Those that only others include.
    for (const std::string& each : made_.offered.headers) {
      const std::string header = absolute(each).string();
      if (is_part(header)) continue;
      if (std::find(made_.headers.begin(), made_.headers.end(), header) == made_.headers.end())
        made_.headers.push_back(header);
    }
    return {};
  }

  /// Users may draw their values with Morph's generators, which the unit itself does not include.
  void add_spec_headers() {
    const std::vector<std::string> options = source_reader::spec_header_options();
    for (build::compile_unit& each : made_.sources)
      each.arguments.insert(each.arguments.end(), options.begin(), options.end());
  }

  /// Those whose lines, behind those of the headers, have errors or instantiate what has.
  static bool drop_uses(std::vector<std::string>& uses, const json& errors, const std::string& file,
                        std::size_t headers) {
    std::set<std::size_t> lines;
    for (const json& each : errors)
      if (each.at("file") == file) lines.insert(each.at("line").get<std::size_t>());
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < uses.size(); ++i)
      if (!lines.contains(headers + i + 1)) kept.push_back(uses[i]);
    if (kept.size() == uses.size()) {
      // An error inside of a template: which one it is is not known.
      if (uses.empty()) return false;
      kept.clear();
    }
    uses = std::move(kept);
    return true;
  }

  fs::path absolute(const std::string& path) const { return (tree_.source_dir / path).lexically_normal(); }
  std::string relative(const std::string& path) const {
    return absolute(path).lexically_relative(tree_.source_dir).string();
  }

  static bool is_header(const fs::path& path) {
    const std::string extension = path.extension().string();
    return extension == ".h" || extension == ".hpp" || extension == ".hh" || extension == ".hxx";
  }

  static std::vector<std::string> system_files(const fs::path& folder) {
    std::vector<std::string> made;
    std::error_code ignored;
    for (const auto& each : fs::directory_iterator(folder, ignored)) {
      if (is_header(each.path())) made.push_back(each.path().string());
    }
    std::sort(made.begin(), made.end());
    return made;
  }

  tl::unexpected<std::string> not_there(const std::set<std::string>& classes) {
    if (!file_.empty())
      return tl::unexpected(fmt::format("no function of '{}' is compiled in '{}'", named_, tree_.binary_dir.string()));
    const std::string text = source_reader::no_class(named_, {classes.begin(), classes.end()});
    return no_such(text.ends_with('?') ? text : text + "; name a class or a source file, from the project's root");
  }

  /// What was asked for is wrong, and not what is around it.
  tl::unexpected<std::string> no_such(std::string why) {
    code_ = contract::usage;
    return tl::unexpected(std::move(why));
  }

  const build::build_tree& tree_;
  const std::string named_;
  bool with_tests_;
  system::observer& told_;
  fs::path file_;
  std::set<std::string> seen_;
  std::pair<std::vector<build::compile_unit>, std::vector<json>> read_;  // of a pair: what was asked, and the answers
  coupling::branch_graph graph_;
  std::set<std::string> wanted_classes_;
  int code_ = contract::environment;
  subject made_;
};

}  // namespace

std::string include_name(const fs::path& header, const build::compile_unit& unit, const fs::path& folder) {
  std::string best;
  for (std::size_t i = 0; i < unit.arguments.size(); ++i) {
    std::string named;
    for (const std::string_view option : {"-I", "-isystem", "-iquote"})
      if (unit.arguments[i].starts_with(option))
        named = unit.arguments[i].size() > option.size() ? unit.arguments[i].substr(option.size())
                : i + 1 < unit.arguments.size()          ? unit.arguments[i + 1]
                                                         : "";
    if (named.empty()) continue;
    const std::string whole = (fs::path(unit.directory) / named / "").lexically_normal().string();
    if (header.string().starts_with(whole) && (best.empty() || header.string().size() - whole.size() < best.size()))
      best = header.string().substr(whole.size());
  }
  return '"' + (best.empty() ? header.lexically_relative(folder).string() : best) + '"';
}

contract::outcome<subject> find_subject(const build::build_tree& tree, const std::string& named, bool with_tests,
                                        system::observer& told) {
  finder in(tree, named, with_tests, told);
  return in.find().map_error([&](const std::string& why) { return in.failure(why); });
}

contract::outcome<subject> find_subject(const build::build_tree& tree, const class_pair& named, bool with_tests,
                                        system::observer& told) {
  finder in(tree, "", with_tests, told);
  return in.find_pair(named).map_error([&](const std::string& why) { return in.failure(why); });
}

result<std::vector<coupling::candidate>> pairs_of_project(const build::build_tree& tree, std::size_t most,
                                                          system::observer& told) {
  return finder(tree, "", false, told).best_pairs(most);
}

}  // namespace morph::generate
