// Questions, answers, and messages where no function fits.
#include "plugin/source_reader/header_functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <algorithm>
#include <set>
#include <thread>

#include "plugin/source_reader/morph_source.hpp"
#include "plugin/source_reader/scoped_names.hpp"
#include "plugin/system/files.hpp"

namespace morph::source_reader {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class own_folder {
 public:
  own_folder() {
    std::string name = (fs::temp_directory_path() / "morph-new-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  own_folder(const own_folder&) = delete;
  own_folder& operator=(const own_folder&) = delete;
  ~own_folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct asked_unit {
  std::string file;
  std::vector<std::string> flags;
};

std::size_t workers_for(std::size_t units) {
  return std::clamp<std::size_t>(units, 1, std::max(1U, std::thread::hardware_concurrency()));
}

result<std::vector<json>> ask(const own_folder& at, const char* task, const std::string& wanted,
                              const std::string& folder, const std::vector<asked_unit>& units,
                              const std::vector<std::string>& options, const std::string& mirror = {},
                              const std::vector<std::string>& from = {}, const std::string& root = {}) {
  std::error_code none;
  if (at.path().empty()) return tl::unexpected(std::string("a temporary folder cannot be made"));
  if (!fs::exists(source_program(), none))
    return tl::unexpected(fmt::format("'{}', which reads headers with Clang, is not there; install Morph whole",
                                      source_program().string()));
  json job{{"mirror", mirror},        {"from", from},
           {"options", options},      {"root", mirror.empty() ? root : mirror},
           {"except", json::array()}, {"operators", json::array()},
           {"extreme", false},        {"task", task},
           {"wanted", wanted},        {"workers", workers_for(units.size())},
           {"units", json::array()}};
  for (const asked_unit& each : units) {
    std::vector<std::string> arguments{"c++"};
    arguments.insert(arguments.end(), each.flags.begin(), each.flags.end());
    job["units"].push_back(
        {{"directory", folder}, {"file", each.file}, {"arguments", arguments}, {"mutants", json::array()}});
  }
  auto lines = run_source_program(job, at.path() / "job.json");
  if (lines) std::ranges::sort(*lines, {}, [](const json& each) { return each.at("unit").get<std::size_t>(); });
  return lines;
}

/// The first few, a line each; those of `own` are called by `own_name`.
std::string listed(const json& errors, const std::string& own, const std::string& own_name) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < errors.size() && i < most; ++i) {
    const std::string file = errors[i].at("file");
    if (file == own)
      text += fmt::format("\n  {}: ", own_name);
    else if (!file.empty())
      text += fmt::format("\n  {}:{}: ", file, errors[i].at("line").get<unsigned>());
    else
      text += "\n  ";
    text += errors[i].at("text").get<std::string>();
  }
  if (errors.size() > most) text += fmt::format("\n  and {} more", errors.size() - most);
  return text;
}

std::string without_blanks(const std::string& text) {
  std::string made;
  for (const char c : text)
    if (c != ' ' && c != '\t') made += c;
  return made;
}

/// Without the names of spaces before types.
std::string without_spaces(const std::string& text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "::") == 0) {
      while (!made.empty() && (std::isalnum(static_cast<unsigned char>(made.back())) != 0 || made.back() == '_'))
        made.pop_back();
      ++i;
    } else {
      made += text[i];
    }
  }
  return made;
}

std::string not_there(const std::string& wanted, const std::string& header, const json& names) {
  std::string text = fmt::format("'{}' has no function '{}'", header, wanted);
  if (const std::string like = alike(wanted, names); !like.empty())
    return text + fmt::format("; did you mean '{}'?", like);
  std::vector<std::string> some;
  for (const std::string name : names)
    if (some.size() < 10) some.push_back(name);
  if (some.empty()) return text + ", and no others; is it the header that declares it?";
  return text + fmt::format("; there {}: {}{}", names.size() == 1 ? "is" : "are", fmt::join(some, ", "),
                            names.size() > some.size() ? fmt::format(" and {} more", names.size() - some.size()) : "");
}

/// Blanks aside, and with or without the spaces that types are in.
bool has_parameters(const std::string& signature, const std::string& parameters) {
  const std::string whole = signature.substr(signature.find('(')), known = without_blanks(whole);
  const std::string asked = without_blanks(parameters);
  for (const std::string& end : {std::string(), std::string("const")})
    if (known == asked + end ||
        without_blanks(without_spaces(whole)) == without_blanks(without_spaces(parameters)) + end)
      return true;
  return false;
}

tl::expected<json, std::string> choose(const json& line, const std::string& wanted, const std::string& parameters,
                                       const std::string& header) {
  const std::set<std::string> names = line.at("names");
  const auto is_shown = [](const json& f) { return f.at("access") == "public"; };
  const auto is_of_std = [](const std::string& name) { return name.starts_with("std::") || name.starts_with("__"); };
  std::vector<json> near, exact, far;
  std::vector<std::string> hidden;
  for (const json& each : line.at("functions")) {
    const bool is_near = names.contains(each.at("name").get<std::string>());
    const bool is_exact = each.at("name") == wanted;
    if (!is_near && !is_exact && is_of_std(each.at("name"))) continue;
    if (!is_shown(each)) {
      hidden.push_back(
          fmt::format("'{}' is {}", each.at("signature").get<std::string>(), each["access"].get<std::string>()));
      continue;
    }
    (is_near ? near : is_exact ? exact : far).push_back(each);
  }
  std::vector<json> found = !near.empty() ? near : !exact.empty() ? exact : far;
  if (found.empty() && !hidden.empty())
    return tl::unexpected(fmt::format("{}: only its own class can call it", hidden.front()));
  if (found.empty()) return tl::unexpected(not_there(wanted, header, line.at("names")));
  std::vector<std::string> all;
  for (const json& each : found) all.push_back(each.at("signature"));
  if (!parameters.empty()) {
    std::erase_if(found, [&](const json& f) { return !has_parameters(f.at("signature"), parameters); });
    if (found.empty())
      return tl::unexpected(fmt::format("there is no '{}{}'; there {}:\n  {}", wanted, parameters,
                                        all.size() == 1 ? "is" : "are", fmt::join(all, "\n  ")));
  }
  if (found.size() > 1)
    return tl::unexpected(fmt::format("there are {} functions '{}'; say which: --function '{}'\n  {}", found.size(),
                                      wanted, all.front(), fmt::join(all, "\n  ")));
  const json& only = found.front();
  const std::string signature = only.at("signature");
  if (only.at("template"))
    return tl::unexpected(
        fmt::format("'{}' is a template, of which there are many functions; say which instance: --function '{}<int>'",
                    signature, only.at("name").get<std::string>()));
  if (only.at("deleted")) return tl::unexpected(fmt::format("'{}' is deleted", signature));
  return only;
}

}  // namespace

tl::expected<described_function, std::string> ask_header(const header_question& question) {
  const own_folder at;
  const std::string own = (at.path() / "header.cpp").string();
  // The parameters begin at a parenthesis outside of template arguments.
  std::size_t depth = 0, open = std::string::npos;
  for (std::size_t i = 0; i < question.function.size() && open == std::string::npos; ++i) {
    const char c = question.function[i];
    depth += c == '<' ? 1U : 0U;
    depth -= c == '>' && depth > 0 ? 1U : 0U;
    if (c == '(' && depth == 0) open = i;
  }
  std::string wanted = question.function.substr(0, open);
  while (wanted.ends_with(' ')) wanted.pop_back();
  if (wanted.starts_with("::")) wanted = wanted.substr(2);
  const std::string parameters = open == std::string::npos ? "" : question.function.substr(open);
  const bool is_instance = wanted.ends_with('>');

  const bool is_path = question.header.starts_with('/');
  std::string text =
      is_path ? fmt::format("#include \"{}\"\n", question.header) : fmt::format("#include <{}>\n", question.header);
  text += "namespace morph_asked {\n";
  if (!question.input.empty()) text += fmt::format("using input = {};\n", question.input);
  if (is_instance) text += fmt::format("inline constexpr auto instance = &{};\n", wanted);
  text += "}\n";
  if (!at.path().empty())
    if (auto written = system::write_file_atomically(own, text); !written) return tl::unexpected(written.error());
  const auto lines = ask(at, "describe", wanted, question.folder, {{own, question.flags}}, question.options);
  if (!lines) return tl::unexpected(lines.error());
  if (lines->empty()) return tl::unexpected(std::string("morph-source said nothing"));
  const json& line = lines->front();
  if (const json& errors = line.at("errors"); !errors.empty()) {
    const std::string first = errors[0].at("file");
    const unsigned number = errors[0].at("line");
    const std::string what = errors[0].at("text");
    if (first == own && number == 1 && what.find("file not found") != std::string::npos)
      return tl::unexpected(
          fmt::format("the header '{}' is not there: it is no file here, and none in the folders that the library's "
                      "sources include from; another folder stands at the end, as `-- -I FOLDER`",
                      question.header));
    if (first != own || number == 1)
      return tl::unexpected(fmt::format("'{}' does not parse:{}\noptions that it needs stand at the end, behind `--`",
                                        question.header, listed(errors, own, "#include")));
    const bool is_input = !question.input.empty() && number == 3;
    return tl::unexpected(is_input ? fmt::format("--input '{}' is no type that '{}' knows:{}", question.input,
                                                 question.header, listed(errors, own, "it"))
                                   : fmt::format("--function '{}' is no one function of '{}':{}", wanted,
                                                 question.header, listed(errors, own, "it")));
  }
  if (is_instance) {
    if (line.at("functions").empty()) return tl::unexpected(not_there(wanted, question.header, line.at("names")));
    json only = line["functions"][0];
    only["instance"] = wanted;
    return described_function{std::move(only), line.at("types"), line.at("input"), line.at("header")};
  }
  auto chosen = choose(line, wanted, parameters, question.header);
  if (!chosen) return tl::unexpected(chosen.error());
  return described_function{std::move(*chosen), line.at("types"), line.at("input"), line.at("header")};
}

std::vector<bool> ask_who_defines(const std::string& name, const std::vector<std::string>& sources,
                                  const std::vector<std::vector<std::string>>& flags,
                                  const std::vector<std::string>& options, const std::string& folder) {
  std::vector<bool> defines(sources.size(), false);
  std::vector<asked_unit> units;
  for (std::size_t i = 0; i < sources.size(); ++i) units.push_back({sources[i], flags[i]});
  const own_folder at;
  const auto lines = ask(at, "describe", name, folder, units, options);
  if (!lines) return defines;
  for (const json& line : *lines)
    for (const json& each : line.value("functions", json::array()))
      if (const std::size_t unit = line.at("unit"); each.at("defined_in") == sources.at(unit)) defines[unit] = true;
  return defines;
}

std::vector<std::string> ask_conditions(const function_sources& of) {
  std::vector<asked_unit> units;
  for (std::size_t i = 0; i < of.sources.size(); ++i) units.push_back({of.sources[i], of.flags[i]});
  std::vector<std::string> made;
  const own_folder at;
  const auto lines = ask(at, "branches", "", of.root, units, of.options, {}, {}, of.root);
  if (!lines) return made;
  for (const json& line : *lines)
    for (const json& file : line.value("files", json::array()))
      for (const json& function : file.at("functions")) {
        const std::string signature = function.at("name");
        if (last_of(signature.substr(0, signature.find('('))) != of.function) continue;
        for (const json& site : function.at("sites")) {
          if (site.at("kind") != "switch") made.push_back(site.at("text"));
          for (const json& each : site.value("cases", json::array())) made.push_back(each.at(0));
        }
      }
  return made;
}

std::vector<json> ask_recipes(const function_sources& of) {
  std::vector<asked_unit> units;
  for (std::size_t i = 0; i < of.sources.size(); ++i) units.push_back({of.sources[i], of.flags[i]});
  const own_folder at;
  return ask(at, "recipes", "", of.root, units, of.options, {}, {}, of.root).value_or(std::vector<json>());
}

std::string errors_of_source(const fs::path& file, const std::string& text, const std::vector<std::string>& flags,
                             const std::vector<std::string>& options) {
  const own_folder at;
  const fs::path folder = file.parent_path();
  if (auto written = system::write_file_atomically(at.path() / file.filename(), text); !written) return written.error();
  const auto lines = ask(at, "check", "", folder.string(), {{file.string(), flags}}, options, folder.string(),
                         {at.path().string(), folder.string()});
  if (!lines) return lines.error();
  for (const json& line : *lines)
    if (!line.at("errors").empty()) return listed(line["errors"], "", "");
  return {};
}

}  // namespace morph::source_reader
