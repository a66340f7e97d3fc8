// Options of morph spec new, and what it prints.
#include "plugin/command/spec_new.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "plugin/authoring/new_spec.hpp"
#include "plugin/command/failed.hpp"

namespace morph::command {
namespace {

struct new_arguments {
  authoring::new_spec asked;
  bool print_template = false;
};

int run_new(const new_arguments& arguments, const common_options& common) {
  if (arguments.print_template) {
    const auto text = authoring::template_text(arguments.asked.spec_template);
    if (!text) return failed(contract::environment, text.error());
    fmt::print("{}", *text);
    return contract::fine;
  }
  authoring::new_spec asked = arguments.asked;
  asked.build = common.build;
  asked.config = common.config;
  const auto made = authoring::write_spec(asked);
  if (!made) return failed(made.error());
  if (common.json)
    fmt::print("{}", made->json);
  else if (!common.quiet || asked.dry_run)
    fmt::print("{}", made->text);
  return contract::fine;
}

}  // namespace

action add_spec_new(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<new_arguments>();
  app.add_option("name", arguments->asked.name, "The spec; its file is NAME.spec.cpp, its program NAME_spec")
      ->type_name("NAME");
  app.add_option("--header", arguments->asked.header, "What declares the function: a file, or as sources include it")
      ->type_name("FILE");
  app.add_option("--function", arguments->asked.function,
                 "The function: area, geo::area, 'area(int, int)', 'largest<int>', shape::area")
      ->type_name("F");
  app.add_option("--input", arguments->asked.input,
                 "The input's type (default: that of the only parameter, or a struct of all of them)")
      ->type_name("TYPE");
  app.add_option("--link", arguments->asked.link,
                 "A library to link, or 'none' (default: that of the build which has the function)")
      ->type_name("TARGET")
      ->allow_extra_args(false);
  app.add_option("--target", arguments->asked.target, "The program's name in CMake (default: NAME_spec)")
      ->type_name("TARGET");
  app.add_option("--into", arguments->asked.folder,
                 "Where the file is written; the nearest CMakeLists.txt gets the line")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--template", arguments->asked.spec_template, "A text of your own with @words@ in place of Morph's")
      ->type_name("FILE");
  app.add_flag("--print-template", arguments->print_template, "Print the template, to make one of your own of it");
  app.add_flag("--force", arguments->asked.force, "Overwrite NAME.spec.cpp");
  app.add_flag("--dry-run", arguments->asked.dry_run, "Print what would be written");
  app.add_flag("--no-cmake", arguments->asked.no_cmake, "Leave CMakeLists.txt unchanged");
  app.add_flag("--no-check", arguments->asked.no_check, "Write it even if Clang finds that it does not compile");
  app.add_option("flags", arguments->asked.flags, "Behind `--`: options of the compiler that the header needs")
      ->type_name("FLAGS");
  app.footer(
      "Clang reads the header, as the build tree compiles its library: CMake is asked (and configures, if it was not "
      "asked\n"
      "before). The spec compiles and runs at once; which relations hold between outputs is left to you, marked TODO "
      "and\n"
      "not applicable until then. Examples:\n"
      "  morph spec new versions --header versions.hpp --function compare\n"
      "  morph spec new encodes --header yaml-cpp/yaml.h --function YAML::EncodeBase64 --link yaml-cpp\n"
      "  morph spec new area --header shapes.hpp --function 'area(int, int)' --into tests --dry-run");
  return [arguments, &common] { return run_new(*arguments, common); };
}

}  // namespace morph::command
