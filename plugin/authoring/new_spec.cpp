// Looking around, writing, and saying what comes next.
#include "plugin/authoring/new_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "plugin/authoring/datamorphisms.hpp"
#include "plugin/authoring/from_tests.hpp"
#include "plugin/authoring/skeleton.hpp"
#include "plugin/build/cmake_edit.hpp"
#include "plugin/build/header_owner.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/setup/embedded.hpp"
#include "plugin/setup/proposal.hpp"
#include "plugin/source_reader/header_functions.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::authoring {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

}  // namespace

result<std::string> template_text(const std::string& named) {
  const fs::path installed =
      (system::own_executable().parent_path() / MORPH_TEMPLATES / "spec.cpp.in").lexically_normal();
  if (!named.empty()) return system::read_file(named);
  if (is_there(installed)) return system::read_file(installed);
  return std::string(setup::spec_template());
}

namespace {

/// Where the header is, and what the build tree knows about it.
struct subject {
  std::optional<build::cmake_model> model;
  std::string header;  // a whole path, or as it is included
  const build::cmake_target* target = nullptr;
  std::vector<std::string> link;
  std::vector<std::string> flags, options;  // for Clang
  std::vector<std::string> notes;
  bool is_c = false;  // the library is C
};

struct written_spec {
  spec_skeleton skeleton;
  std::string text, include;
  std::size_t datamorphisms = 0;
  fs::path file;
  std::string target;
  std::optional<build::cmake_line> cmake;
};

/// The build tree that is named, or the newest one of the project around `folder`; empty if there is none.
result<fs::path> build_tree_for(const fs::path& folder, const std::string& named) {
  if (!named.empty()) {
    const fs::path build = fs::absolute(named).lexically_normal();
    if (!is_there(build / "CMakeCache.txt"))
      return tl::unexpected(fmt::format("'{}' is not a build tree: it has no CMakeCache.txt", build.string()));
    return build;
  }
  for (fs::path at = folder;; at = at.parent_path()) {
    if (is_there(at / "CMakeLists.txt"))
      if (fs::path found = setup::find_any_build_tree(at); !found.empty()) return found;
    if (!at.has_relative_path()) return fs::path();
  }
}

/// As the compiler of the spec is called, which is C++20 at least.
std::vector<std::string> flags_of(const build::compile_group& group, bool has_standard = false) {
  std::vector<std::string> flags;
  for (const std::string& option : group.options)
    if (has_standard || !option.starts_with("-std=")) flags.push_back(option);
  for (const std::string& define : group.defines) flags.push_back("-D" + define);
  for (const auto& include : group.includes) {
    flags.emplace_back(include.is_system ? "-isystem" : "-I");
    flags.push_back(include.path);
  }
  return flags;
}

std::string standard_of(const std::vector<std::string>& flags) {
  for (const std::string& flag : flags)
    for (const char* newer : {"23", "2b", "26", "2c"})
      if (flag.starts_with("-std=") && flag.ends_with(newer)) return flag;
  return "-std=gnu++20";
}

std::string function_name(const std::string& function) {
  std::string name = function.substr(0, function.find_first_of("(<"));
  const auto at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

const build::compile_group* group_in(const build::cmake_target& target) {
  for (const char* language : {"CXX", "C"})
    for (const auto& group : target.groups)
      if (group.language == language) return &group;
  return nullptr;
}

/// Those whose sources define the function.
std::vector<build::possible_owner> defining(const std::vector<build::possible_owner>& owners,
                                            const std::string& function, const subject& of) {
  std::vector<std::string> sources;
  std::vector<std::vector<std::string>> flags;
  for (const auto& owner : owners)
    for (std::size_t i = 0; i < owner.sources.size(); ++i) {
      sources.push_back(owner.sources[i]);
      flags.push_back(flags_of(*owner.groups[i]));
      flags.back().push_back("-std=gnu++20");
    }
  if (sources.empty()) return {};
  const auto defines =
      source_reader::ask_who_defines(function, sources, flags, of.options, of.model->source_dir.string());
  std::vector<build::possible_owner> found;
  auto at = defines.begin();
  for (const auto& owner : owners) {
    const auto end = at + static_cast<std::ptrdiff_t>(owner.sources.size());
    if (std::find(at, end, true) != end) found.push_back(owner);
    at = end;
  }
  return found;
}

/// Sets the target and what is linked. Whose sources define the function is asked only where several may.
result<void> find_owner(subject& of, const new_spec& asked) {
  const build::cmake_model& model = *of.model;
  if (!asked.link.empty()) {
    for (const std::string& name : asked.link) {
      if (name == "none") continue;
      of.link.push_back(name);
      const auto* const known = model.find(name);
      if (known != nullptr && known->type == "EXECUTABLE")
        return tl::unexpected(fmt::format("--link {}: that is a program, which cannot be linked", name));
      if (known != nullptr && of.target == nullptr) of.target = known;
      if (known == nullptr && name.find("::") == std::string::npos)
        of.notes.push_back(fmt::format("the build has no target '{}'; it is linked as a library of the system", name));
    }
    return {};
  }
  const std::string function = function_name(asked.function);
  auto owners = build::owners_of(model, of.header, function);
  if (owners.empty() || !owners.front().names_function) {
    std::vector<std::string> programs;
    for (const auto& each : defining(build::programs_with(model, of.header, function), function, of))
      programs.push_back(each.target->name);
    if (!programs.empty())
      return tl::unexpected(fmt::format(
          "only the program {} compiles '{}', and programs cannot be linked: move its source into a library that "
          "the program and the spec link; or say --link TARGET, or --link none for a header alone",
          fmt::join(programs, ", "), function));
  } else if (owners.size() > 1 && std::ranges::all_of(owners, [](const auto& o) { return !o.sources.empty(); })) {
    if (auto real = defining(owners, function, of); !real.empty()) owners = std::move(real);
  }
  if (!owners.empty()) {
    of.target = owners.front().target;
    of.link = {of.target->name};
    if (owners.size() > 1) {
      std::vector<std::string> others;
      for (std::size_t i = 1; i < owners.size(); ++i) others.push_back(owners[i].target->name);
      of.notes.push_back(
          fmt::format("the libraries {} have it, too; --link takes another one", fmt::join(others, ", ")));
    }
    return {};
  }
  if (of.header.starts_with(model.source_dir.string() + "/"))
    return tl::unexpected(
        fmt::format("no library of the build '{}' has '{}'; say which one to link: --link TARGET, or --link none for a "
                    "header alone",
                    model.binary_dir.string(), of.header));
  of.notes.push_back("nothing is linked, as the header is none of the project; --link TARGET says otherwise");
  return {};
}

result<subject> look_around(const new_spec& asked, const fs::path& folder) {
  subject of;
  const auto build = build_tree_for(folder, asked.build);
  if (!build) return tl::unexpected(build.error());
  if (!build->empty()) {
    auto model = build::read_cmake_model(*build, asked.config);
    if (!model) return tl::unexpected(fmt::format("the build tree cannot be asked: {}", model.error()));
    build::add_interface_libraries(*model);
    of.model = std::move(*model);
    of.options = source_reader::header_options(of.model->compiler);
  }
  std::error_code none;
  std::string named = asked.header;
  if (named.size() > 2 && named.starts_with('<') && named.ends_with('>')) named = named.substr(1, named.size() - 2);
  if (fs::is_regular_file(named, none)) {
    of.header = fs::canonical(named, none).string();
  } else {
    const fs::path found = of.model ? build::find_included(*of.model, named) : fs::path();
    of.header = found.empty() ? named : found.string();
  }
  if (of.model) {
    if (auto found = find_owner(of, asked); !found) return tl::unexpected(found.error());
  } else if (asked.link.empty()) {
    return tl::unexpected(
        fmt::format("there is no build tree of the project around '{}', so that nobody knows what the spec has to "
                    "link; configure one "
                    "(cmake -B build), or say --link TARGET, or --link none for a header alone",
                    folder.string()));
  } else {
    for (const std::string& name : asked.link)
      if (name != "none") of.link.push_back(name);
  }
  if (of.target != nullptr)
    if (const auto* const group = group_in(*of.target); group != nullptr) {
      of.flags = flags_of(*group);
      of.is_c = group->language == "C";
    }
  if (of.header.starts_with('/')) {
    of.flags.emplace_back("-I");
    of.flags.push_back(fs::path(of.header).parent_path().string());
  }
  of.flags.insert(of.flags.end(), asked.flags.begin(), asked.flags.end());
  of.flags.push_back(standard_of(of.flags));
  return of;
}

spec_place place_of(const subject& of, const source_reader::described_function& found, const fs::path& folder) {
  spec_place place;
  place.is_c = of.is_c && !found.function.at("c").get<bool>();
  if (!of.header.starts_with('/')) {
    place.is_system = true;
    place.include = of.header;
    return place;
  }
  place.include = build::include_name(of.target, of.header, folder);
  return place;
}

/// What the function compares with, in the sources of its library.
std::vector<source_reader::constant> constants_of(const new_spec& asked, const subject& of) {
  if (of.target == nullptr) return {};
  source_reader::function_sources all{
      .function = function_name(asked.function), .options = of.options, .root = of.model->source_dir.string()};
  for (const build::compile_group& group : of.target->groups)
    for (const std::string& source : group.sources) {
      const auto text = system::read_file(source);
      if (!text || text->find(all.function) == std::string::npos) continue;
      all.sources.push_back(source);
      all.flags.push_back(flags_of(group));
    }
  return all.sources.empty() ? std::vector<source_reader::constant>() : source_reader::ask_constants(all);
}

constexpr std::size_t most_tests = 10, most_from_tests = 20;

/// What the sources that name the function give to it, but for its own library's.
std::vector<std::vector<std::string>> inputs_in_tests(const new_spec& asked, const subject& of,
                                                      const source_reader::described_function& found,
                                                      const described_types& types, const spec_skeleton& skeleton,
                                                      const fs::path& folder) {
  if (!of.model) return {};
  const std::string root = of.model->source_dir.string();
  source_reader::function_sources all{.function = function_name(asked.function), .options = of.options, .root = root};
  for (const build::cmake_target& target : of.model->targets) {
    if (&target == of.target) continue;
    for (const build::compile_group& group : target.groups)
      for (const std::string& source : group.sources) {
        const auto text = system::is_inside(source, root) ? system::read_file(source) : result<std::string>("");
        if (all.sources.size() >= most_tests || !text || text->find(all.function) == std::string::npos) continue;
        all.sources.push_back(source);
        all.flags.push_back(flags_of(group, true));
      }
  }
  if (all.sources.empty()) return {};
  const declared_function declared{(folder / found.function.at("file").get<std::string>()).lexically_normal().string(),
                                   found.function.at("line"), root};
  return inputs_of_tests(types, skeleton.fields, declared, source_reader::ask_recipes(all), most_from_tests);
}

result<written_spec> make_spec(const new_spec& asked, subject& of, const fs::path& folder) {
  const source_reader::header_question question{of.header, asked.function, asked.input,
                                                of.flags,  of.options,     folder.string()};
  const auto found = source_reader::ask_header(question);
  if (!found) return tl::unexpected(found.error());
  described_types types(found->types);
  written_spec made;
  auto skeleton = make_skeleton(asked.name, found->function, types, found->input);
  if (!skeleton) return tl::unexpected(skeleton.error());
  made.skeleton = std::move(*skeleton);
  made.skeleton.constants = constants_of(asked, of);
  made.skeleton.from_tests = inputs_in_tests(asked, of, *found, types, made.skeleton, folder);
  const auto text = template_text(asked.spec_template);
  if (!text) return tl::unexpected(text.error());
  const spec_place place = place_of(of, *found, folder);
  made.include = place.include;
  auto rendered = render(made.skeleton, types, place, *text, made.datamorphisms);
  if (!rendered)
    return tl::unexpected(asked.spec_template.empty() ? rendered.error()
                                                      : fmt::format("'{}': {}", asked.spec_template, rendered.error()));
  made.text = std::move(*rendered);
  made.file = folder / (asked.name + ".spec.cpp");
  made.target = asked.target.empty() ? asked.name + "_spec" : asked.target;
  if (asked.no_check) return made;
  const std::vector<std::string> headers = source_reader::spec_header_options();
  if (headers.empty()) {
    of.notes.push_back("it was not tried to parse the spec: Morph's headers are not beside the program");
    return made;
  }
  std::vector<std::string> flags = of.flags;
  flags.insert(flags.end(), headers.begin(), headers.end());
  if (const std::string errors = source_reader::errors_of_source(made.file, made.text, flags, of.options);
      !errors.empty())
    return tl::unexpected(
        fmt::format("the spec that this would be does not compile, and nothing is written:{}\n{}{}--dry-run --no-check "
                    "shows it, --no-check writes it",
                    errors, fmt::join(made.skeleton.notes, "\n"), made.skeleton.notes.empty() ? "" : "\n"));
  return made;
}

/// Where this Morph's package is, if CMake has to be told: it looks in usual places and beside PATH.
std::string package_to_name(const fs::path& build) {
  const fs::path prefix = system::own_executable().parent_path().parent_path();
  if (prefix == "/usr" || prefix == "/usr/local") return {};
  const char* const path = std::getenv("PATH");
  if (path != nullptr &&
      fmt::format(":{}:", path).find(fmt::format(":{}:", (prefix / "bin").string())) != std::string::npos)
    return {};
  const auto cache = system::read_file(build / "CMakeCache.txt");
  if (cache && cache->find(prefix.string()) != std::string::npos) return {};
  for (const char* below : {"lib", "lib64"})
    if (is_there(prefix / below / "cmake/Morph/MorphConfig.cmake")) return (prefix / below / "cmake/Morph").string();
  return {};
}

std::vector<std::string> next_steps(const written_spec& made, const subject& of) {
  const std::string build = of.model ? of.model->binary_dir.lexically_proximate(fs::current_path()).string() : "build";
  std::vector<std::string> steps;
  const std::string package = made.cmake ? package_to_name(build) : "";
  if (!of.model || !package.empty())
    steps.push_back(fmt::format("cmake -B {}{}", build, package.empty() ? "" : " -DMorph_DIR=" + package));
  steps.push_back(fmt::format("cmake --build {} --target {}", build, made.target));
  steps.push_back(fmt::format("morph spec --build {} --suite {} run", build, made.target));
  return steps;
}

std::string as_json(const written_spec& made, const subject& of, const new_spec& asked,
                    const std::vector<std::string>& notes) {
  json members = json::array();
  for (const json& each : made.skeleton.fields)
    members.push_back({{"name", each.at("name")}, {"type", each.at("spelled")}});
  json outputs = json::array();
  for (const json& each : made.skeleton.output)
    outputs.push_back({{"name", each.at("name")}, {"type", each.at("spelled")}});
  const json root{
      {"schema", contract::spec_new_schema},
      {"spec", asked.name},
      {"function", made.skeleton.function},
      {"input", members},
      {"output", outputs},
      {"datamorphisms", made.datamorphisms},
      {"file", made.file.string()},
      {"include", made.include},
      {"target", made.target},
      {"link", of.link},
      {"cmake", made.cmake ? json{{"file", made.cmake->file.string()}, {"added", made.cmake->added}} : json()},
      {"notes", notes},
      {"written", !asked.dry_run},
      {"text", made.text},
      {"next", next_steps(made, of)}};
  return root.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

std::string as_text(const written_spec& made, const subject& of, const new_spec& asked,
                    const std::vector<std::string>& notes) {
  std::string text;
  const auto near = [](const fs::path& path) { return path.lexically_proximate(fs::current_path()).string(); };
  if (asked.dry_run) text += fmt::format("{}\n", made.text);
  text += fmt::format("{}: {}spec of {}, with {}\n", near(made.file), asked.dry_run ? "would be the " : "a ",
                      made.skeleton.function, system::counted(made.datamorphisms, "datamorphism"));
  if (made.cmake && !made.cmake->added.empty()) {
    text += fmt::format("{}: {}\n", near(made.cmake->file), asked.dry_run ? "would get" : "got");
    text += fmt::format("{}", "  " + made.cmake->added.substr(0, made.cmake->added.find('\n') + 1));
    for (std::size_t at = made.cmake->added.find('\n') + 1; at < made.cmake->added.size();) {
      const auto end = made.cmake->added.find('\n', at);
      text += fmt::format("  {}\n", made.cmake->added.substr(at, end - at));
      at = end + 1;
    }
  } else if (made.cmake) {
    text += fmt::format("{} has its line already\n", near(made.cmake->file));
  }
  for (const std::string& note : notes) text += fmt::format("note: {}\n", note);
  text += fmt::format("next: say what holds where the file says TODO; build and run it:\n");
  for (const std::string& step : next_steps(made, of)) text += fmt::format("  {}\n", step);
  return text;
}

}  // namespace

contract::outcome<new_spec_report> write_spec(const new_spec& asked) {
  const auto of_request = [](std::string why) { return contract::not_done(contract::usage, std::move(why)); };
  const auto of_surroundings = [](std::string why) {
    return contract::not_done(contract::environment, std::move(why));
  };
  for (const auto& [option, value] : {std::pair{"NAME", asked.name}, std::pair{"--header FILE", asked.header},
                                      std::pair{"--function F", asked.function}})
    if (value.empty())
      return of_request(fmt::format("{} is missing: morph spec new NAME --header FILE --function F", option));
  if (!is_identifier(asked.name))
    return of_request(
        fmt::format("'{}' is no name for a spec, which is an identifier of C++ and no keyword; '{}' would be one",
                    asked.name, as_identifier(asked.name)));
  std::error_code error;
  const fs::path folder = fs::canonical(asked.folder, error);
  if (error || !fs::is_directory(folder)) return of_request(fmt::format("--into '{}' is not a folder", asked.folder));
  if (fs::is_directory(asked.header, error))
    return of_request(fmt::format("--header '{}' is a folder; name the file that declares the function", asked.header));
  if (!is_there(source_reader::source_program()))
    return of_surroundings(fmt::format("'{}', which reads headers with Clang, is not there; install Morph whole",
                                       source_reader::source_program().string()));
  const fs::path file = folder / (asked.name + ".spec.cpp");
  if (is_there(file) && !asked.force && !asked.dry_run)
    return of_request(fmt::format("'{}' is there already, and stays as it is; --force overwrites it", file.string()));

  auto of = look_around(asked, folder);
  if (!of) return of_surroundings(of.error());
  auto made = make_spec(asked, *of, folder);
  if (!made) return of_request(made.error());
  if (!asked.no_cmake) {
    auto line =
        build::propose_cmake_line(made->file, made->target, {.link = of->link}, of->model ? &*of->model : nullptr);
    if (!line) return of_request(line.error());
    made->cmake = std::move(*line);
  }
  if (!asked.dry_run) {
    if (auto done = system::write_file_atomically(made->file, made->text); !done) return of_surroundings(done.error());
    if (made->cmake && !made->cmake->added.empty())
      if (auto done = system::write_file_atomically(made->cmake->file, made->cmake->content); !done) {
        fs::remove(made->file, error);
        return of_surroundings(done.error());
      }
  }
  std::vector<std::string> notes = made->skeleton.notes;
  notes.insert(notes.end(), of->notes.begin(), of->notes.end());
  if (made->cmake) notes.insert(notes.end(), made->cmake->notes.begin(), made->cmake->notes.end());
  return new_spec_report{as_json(*made, *of, asked, notes), as_text(*made, *of, asked, notes)};
}

}  // namespace morph::authoring
