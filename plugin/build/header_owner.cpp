// Include folders that targets offer, and targets whose sources include the header.
#include "plugin/build/header_owner.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "plugin/build/cmake_syntax.hpp"
#include "plugin/system/files.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

bool has_word(const std::string& text, const std::string& word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

/// As they stand in <> or "".
std::vector<std::string> included_in(const std::string& text) {
  std::vector<std::string> names;
  for (auto at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    if (line.find("include") == std::string::npos) continue;
    const auto begin = line.find_first_of("\"<");
    const auto end = begin == std::string::npos ? begin : line.find_first_of("\">", begin + 1);
    if (end != std::string::npos) names.push_back(line.substr(begin + 1, end - begin - 1));
  }
  return names;
}

bool is_in(const fs::path& file, const fs::path& folder) {
  const fs::path way = file.lexically_relative(folder);
  return !way.empty() && *way.begin() != "..";
}

/// Of the command at a place.
std::optional<cmake_command> command_at(const cmake_place& place) {
  const auto text = system::read_file(place.file);
  if (!text) return std::nullopt;
  const auto commands = parse_cmake(*text);
  if (!commands) return std::nullopt;
  for (const cmake_command& each : *commands)
    if (each.line == place.line) return each;
  return std::nullopt;
}

/// Whether who links the target, and stands in `folder`, has that include folder.
bool is_offered(const include_folder& include, const fs::path& folder) {
  if (include.added_at.command == "include_directories")
    return is_in(folder / "x", fs::path(include.added_at.file).parent_path());
  if (include.added_at.command != "target_include_directories") return true;
  const auto command = command_at(include.added_at);
  if (!command) return true;
  std::string keyword = "PUBLIC";
  const std::string last = (fs::path(include.path) / "").parent_path().filename().string();
  bool may_be_private = false;
  for (const cmake_argument& each : command->arguments) {
    if (each.text == "PUBLIC" || each.text == "PRIVATE" || each.text == "INTERFACE") {
      keyword = each.text;
      continue;
    }
    std::string text = each.text;
    while (text.ends_with('/') || text.ends_with('>')) text.pop_back();
    if (fs::path(text).filename() == last && keyword != "PRIVATE") return true;
    may_be_private = may_be_private || keyword == "PRIVATE";
  }
  return !may_be_private;
}

/// What a CMakeLists.txt calls a folder, as far as its text tells.
fs::path named_folder(std::string text, const fs::path& here, const cmake_model& model) {
  if (text.starts_with("$<BUILD_INTERFACE:")) text = text.substr(18, text.size() - 19);
  if (text.starts_with("$<INSTALL_INTERFACE:")) return {};
  const auto replace = [&](const std::string& variable, const fs::path& by) {
    for (auto at = text.find(variable); at != std::string::npos; at = text.find(variable))
      text.replace(at, variable.size(), by.string());
  };
  replace("${CMAKE_CURRENT_SOURCE_DIR}", here);
  replace("${CMAKE_CURRENT_LIST_DIR}", here);
  replace("${PROJECT_SOURCE_DIR}", model.source_dir);
  replace("${CMAKE_SOURCE_DIR}", model.source_dir);
  if (text.find('$') != std::string::npos) return {};
  return ((here / text).lexically_normal() / "").parent_path();
}

/// Of interface libraries, whose include folders the file API does not tell.
std::vector<fs::path> offered_by_text(const cmake_model& model, const cmake_target& target) {
  std::vector<fs::path> folders;
  const auto text = system::read_file(target.declared_at.file);
  if (!text) return folders;
  const auto commands = parse_cmake(*text);
  if (!commands) return folders;
  for (const cmake_command& each : *commands) {
    if (each.name != "target_include_directories" || each.arguments.empty() || each.arguments[0].text != target.name)
      continue;
    for (const cmake_argument& argument : each.arguments)
      if (const fs::path folder = named_folder(argument.text, fs::path(target.declared_at.file).parent_path(), model);
          !folder.empty())
        folders.push_back(folder);
  }
  return folders;
}

/// CMake before 4.2 says nothing of interface libraries without sources: their declarations tell.
std::vector<cmake_target> interface_libraries(const cmake_model& model) {
  std::vector<fs::path> files{model.source_dir / "CMakeLists.txt"};
  for (const cmake_target& each : model.targets)
    if (!each.declared_at.file.empty() && std::ranges::find(files, fs::path(each.declared_at.file)) == files.end())
      files.emplace_back(each.declared_at.file);
  std::vector<cmake_target> found;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto text = system::read_file(files[i]);
    if (!text) continue;
    const auto commands = parse_cmake(*text);
    if (!commands) continue;
    for (const cmake_command& each : *commands) {
      if (each.name == "add_subdirectory" && !each.arguments.empty() && each.arguments[0].literal) {
        const fs::path below = (files[i].parent_path() / each.arguments[0].text / "CMakeLists.txt").lexically_normal();
        if (std::ranges::find(files, below) == files.end()) files.push_back(below);
      }
      if (each.name != "add_library" || each.arguments.size() < 2 || each.arguments[1].text != "INTERFACE") continue;
      cmake_target made;
      made.name = each.arguments[0].text;
      made.type = "INTERFACE_LIBRARY";
      made.declared_at = {files[i].string(), each.line, each.name};
      found.push_back(std::move(made));
    }
  }
  return found;
}

/// The names of the header and of those of the project that it includes: a header for all may declare nothing itself.
std::set<std::string> names_behind(const cmake_model& model, const fs::path& header) {
  std::set<std::string> names;
  std::vector<fs::path> files{header};
  for (std::size_t i = 0; i < files.size(); ++i) {
    names.insert(files[i].filename().string());
    const auto text = system::read_file(files[i]);
    if (!text) continue;
    for (const std::string& name : included_in(*text)) {
      std::error_code none;
      fs::path found = (files[i].parent_path() / name).lexically_normal();
      if (!fs::is_regular_file(found, none)) found = find_included(model, name);
      if (!found.empty() && is_in(found, model.source_dir) && std::ranges::find(files, found) == files.end())
        files.push_back(std::move(found));
    }
  }
  return names;
}

class owner_search {
 public:
  owner_search(const cmake_model& model, std::set<std::string> headers, std::string function)
      : model_(model), headers_(std::move(headers)), function_(std::move(function)) {}

  std::vector<possible_owner> having(bool libraries, bool with_function) {
    std::vector<possible_owner> found;
    for (const cmake_target& target : model_.targets) {
      if (libraries ? !target.is_library() : target.type != "EXECUTABLE") continue;
      possible_owner one{&target, {}, {}, with_function};
      for (const compile_group& group : target.groups)
        for (const std::string& source : group.sources)
          if (const std::string& text = text_of(source);
              includes_one(text) && (!with_function || has_word(text, function_))) {
            one.groups.push_back(&group);
            one.sources.push_back(source);
          }
      if (!one.sources.empty()) found.push_back(std::move(one));
    }
    return found;
  }

 private:
  bool includes_one(const std::string& text) const {
    return std::ranges::any_of(included_in(text),
                               [&](const fs::path& name) { return headers_.contains(name.filename().string()); });
  }

  const std::string& text_of(const std::string& source) {
    const auto [known, is_new] = texts_.try_emplace(source);
    if (is_new)
      if (auto text = system::read_file(source)) known->second = std::move(*text);
    return known->second;
  }

  const cmake_model& model_;
  std::set<std::string> headers_;
  std::string function_;
  std::map<std::string, std::string> texts_;
};

std::vector<possible_owner> interfaces_of(const cmake_model& model, const fs::path& header) {
  std::vector<possible_owner> found;
  for (const cmake_target& each : model.targets)
    if (each.type == "INTERFACE_LIBRARY")
      for (const compile_group& group : each.groups)
        if (std::ranges::any_of(group.includes, [&](const auto& i) { return is_in(header, i.path); })) {
          found.push_back({&each, {}, {}, false});
          break;
        }
  return found;
}

/// things.cpp of things.hpp
bool has_namesake(const possible_owner& owner, const fs::path& header) {
  return std::ranges::any_of(owner.sources, [&](const fs::path& source) { return source.stem() == header.stem(); });
}

}  // namespace

std::vector<possible_owner> owners_of(const cmake_model& model, const fs::path& header, const std::string& function) {
  std::vector<possible_owner> found;
  for (const cmake_target& each : model.targets)
    if (each.is_library() && std::ranges::find(each.files, header.string()) != each.files.end())
      found.push_back({&each, {}, {}});
  owner_search search(model, {header.filename().string()}, function);
  if (found.empty()) found = search.having(true, true);
  if (found.empty()) found = owner_search(model, names_behind(model, header), function).having(true, true);
  if (found.empty()) {
    found = search.having(true, false);
    std::ranges::stable_partition(found, [&](const possible_owner& each) { return has_namesake(each, header); });
  }
  if (found.empty()) found = interfaces_of(model, header);
  return found;
}

std::vector<possible_owner> programs_with(const cmake_model& model, const fs::path& header,
                                          const std::string& function) {
  return owner_search(model, {header.filename().string()}, function).having(false, true);
}

void add_interface_libraries(cmake_model& model) {
  for (cmake_target& each : interface_libraries(model)) {
    if (model.find(each.name) != nullptr) continue;
    compile_group group;
    group.language = "CXX";
    for (const fs::path& folder : offered_by_text(model, each)) group.includes.push_back({folder.string(), false, {}});
    each.groups.push_back(std::move(group));
    model.targets.push_back(std::move(each));
  }
}

std::string include_name(const cmake_target* target, const fs::path& header, const fs::path& folder) {
  fs::path deepest;
  if (target != nullptr)
    for (const compile_group& group : target->groups)
      for (const include_folder& each : group.includes)
        if (is_in(header, each.path) && is_offered(each, folder) && each.path.size() > deepest.string().size())
          deepest = each.path;
  return (deepest.empty() ? header.lexically_relative(folder) : header.lexically_relative(deepest)).string();
}

fs::path find_included(const cmake_model& model, const std::string& name) {
  std::error_code none;
  for (const cmake_target& target : model.targets)
    for (const compile_group& group : target.groups)
      for (const include_folder& each : group.includes)
        if (fs::exists(fs::path(each.path) / name, none)) return (fs::path(each.path) / name).lexically_normal();
  return {};
}

}  // namespace morph::build
