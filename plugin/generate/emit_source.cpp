// A whole source of tests: what stands before and between them.
#include <fmt/format.h>

#include <map>
#include <set>

#include "plugin/generate/emit.hpp"
#include "plugin/generate/implied.hpp"

namespace morph::generate {
namespace {

/// The classes that tests use of those written for the purpose, with the functions whose answers they set.
std::string stubs_text(const std::vector<test_case>& all, const model& in, const literal_table& literals) {
  std::map<std::uint32_t, std::set<std::string>> used;
  bool has_answers = false;
  for (const test_case& test : all)
    for (const call& each : test.calls) {
      const modelled_callable& of = in.callables[each.callable];
      if (of.how != modelled_callable::kind::stub) continue;
      std::set<std::string>& answered = used[of.stub];
      for (std::size_t p = 0; p < of.parameters.size(); ++p)
        if (!literals[each.arguments[p].number].elements.empty()) answered.insert(of.parameters[p].name);
      has_answers = has_answers || !answered.empty();
    }
  if (used.empty()) return {};
  std::string text = "namespace {\n\n";
  if (has_answers)
    text +=
        "// What a function of a stub gives in turn: its values, again and again.\n"
        "template <typename Type>\nstruct answers {\n  std::vector<Type> values{};\n  std::size_t given = 0;\n\n"
        "  Type next(Type otherwise) {\n    if (values.empty()) return otherwise;\n"
        "    return values[given++ % values.size()];\n  }\n};\n\n";
  for (const auto& [number, answered] : used) text += stub_text(in.stubs[number], answered, "") + "\n";
  return text + "}  // namespace\n\n";
}

}  // namespace

std::string source_text(const std::vector<test_case>& all, const model& in, const literal_table& literals,
                        const std::vector<std::string>& includes, const test_dialect& as) {
  std::string tests = stubs_text(all, in, literals);
  for (std::size_t i = 0; i < all.size(); ++i) tests += (i == 0 ? "" : "\n") + test_text(all[i], in, literals, as);
  std::string text = first_line;
  for (const std::string& each : includes) text += fmt::format("#include {}\n", each);
  text += fmt::format("#include {}\n\n#include <cmath>\n", as.include);
  const auto include_for = [&](const char* word, const char* header) {
    if (tests.find(word) != std::string::npos) text += fmt::format("#include <{}>\n", header);
  };
  include_for("std::FILE", "cstdio");
  include_for("_ptr<", "memory");
  text += "#include <sstream>\n#include <string>\n#include <utility>\n";
  include_for("std::vector<", "vector");
  return text + "\n" + tests;
}

}  // namespace morph::generate
