// Places with operators and numbers; names of functions without what people leave out.
#include "plugin/report/mutant_ids.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

namespace morph::report {
namespace {

std::string place_of(const mutated_source& file, const mutant_result& m) {
  return fmt::format("{}:{}:{}:{}", file.path, m.from.line, m.from.column, m.op);
}

/// The whole name, its end behind a `::`, or either without parameters.
bool is_called(std::string_view name, std::string_view asked) {
  const auto ends = [&](std::string_view whole) {
    return whole == asked || (whole.size() > asked.size() + 2 && whole.ends_with(asked) &&
                              whole.substr(whole.size() - asked.size() - 2, 2) == "::");
  };
  const auto parameters = name.rfind('(');
  return ends(name) || (parameters != std::string_view::npos && ends(name.substr(0, parameters)));
}

/// Of `asked`: what begins with it, up to the end of a part.
bool is_at(std::string_view id, std::string_view asked) {
  return id == asked || (id.starts_with(asked) && (id[asked.size()] == ':' || id[asked.size()] == '.'));
}

}  // namespace

std::vector<std::string> mutant_ids(const mutated_source& file) {
  std::map<std::string, std::uint32_t> uses, next;
  for (const mutant_result& m : file.mutants) ++uses[place_of(file, m)];
  std::vector<std::string> ids;
  for (const mutant_result& m : file.mutants) {
    const std::string place = place_of(file, m);
    ids.push_back(uses[place] == 1 ? place : fmt::format("{}.{}", place, ++next[place]));
  }
  return ids;
}

const function_result* function_around(const mutated_source& file, const mutant_result& mutant) {
  const function_result* innermost = nullptr;
  for (const function_result& each : file.functions)  // outer ones come first
    if (each.begin <= mutant.begin && mutant.end <= each.end) innermost = &each;
  return innermost;
}

std::vector<mutant_number> mutants_named(const mutation_result& result, const std::string& named) {
  std::vector<mutant_number> of_place, of_function;
  for (std::uint32_t f = 0; f < result.files.size(); ++f) {
    const mutated_source& file = result.files[f];
    const auto ids = mutant_ids(file);
    for (std::uint32_t m = 0; m < ids.size(); ++m) {
      if (is_at(ids[m], named)) of_place.push_back({f, m});
      const function_result* function = function_around(file, file.mutants[m]);
      if (function != nullptr && is_called(function->name, named)) of_function.push_back({f, m});
    }
  }
  return of_place.empty() ? of_function : of_place;
}

}  // namespace morph::report
