// Making the specs of a program.
#include "plugin/spec/engine/specs.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "morph/text.hpp"
#include "plugin/spec/engine/arguments.hpp"

namespace morph::engine {

namespace {
bool says_errors_as_json = false;
}

void say_errors_as_json(bool says) {
  says_errors_as_json = says;
}

int complain(exit_code code, const std::string& what) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", what.c_str());
  if (code < usage || !says_errors_as_json) return code;
  // As `morph` itself prints it.
  std::string text = "{\"errors\":[";
  text::write_string(text, what);
  std::printf("%s],\"exit\":%d,\"schema\":\"morph.error/1\"}\n", text.c_str(), static_cast<int>(code));
  return code;
}

std::string two_of_one_name(const registered_spec& a, const registered_spec& b) {
  return "two specs are named '" + std::string(a.name) + "': " + a.file + ":" + std::to_string(a.line) + " and " +
         b.file + ":" + std::to_string(b.line) + "; rename one";
}

std::string make_specs(std::vector<made_spec>& to) {
  std::map<std::string, const registered_spec*> seen;
  for (const registered_spec& each : registered_specs()) {
    const auto [before, is_new] = seen.emplace(each.name, &each);
    if (!is_new) return two_of_one_name(*before->second, each);
    to.push_back({each.make(each.name), &each});
    if (const std::string problem = to.back().spec->problem(); !problem.empty())
      return each.file + (":" + std::to_string(each.line)) + ": spec '" + each.name + "': " + problem;
    for (const declared_rule& rule : to.back().spec->rules())
      if (rule.gives_nothing) {
        const declared_relation& relation = to.back().spec->relations()[rule.relation];
        return relation.file + ":" + std::to_string(relation.line) + ": spec '" + each.name + "': the relation '" +
               relation.name +
               "' gives nothing, so it would always hold; let it return bool or morph::verdict (without them, only "
               "assertions of GoogleTest, Catch2 or doctest can decide: see morph/gtest.hpp)";
      }
  }
  if (to.empty()) return "this program has no specs; is there a MORPH_SPEC() in its sources?";
  std::sort(to.begin(), to.end(), [](const made_spec& a, const made_spec& b) {
    return std::pair(std::string_view(a.from->file), a.from->line) <
           std::pair(std::string_view(b.from->file), b.from->line);
  });
  return {};
}

std::string find_spec(const std::vector<made_spec>& all, const std::string& name, const made_spec*& to) {
  std::vector<std::string> names;
  std::string listed;
  for (const made_spec& each : all) {
    names.push_back(each.spec->name());
    listed += (listed.empty() ? "" : ", ") + each.spec->name();
    if (each.spec->name() == name || (name.empty() && all.size() == 1)) return to = &each, std::string();
  }
  if (name.empty()) return "this program has several specs; say which: --spec NAME, one of " + listed;
  const std::string alike = most_alike(name, names);
  return "there is no spec '" + name + "'" +
         (alike.empty() ? "; there are " + listed : "; did you mean '" + alike + "'?");
}

}  // namespace morph::engine
