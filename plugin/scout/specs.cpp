// Names, examples and the text of specs.
#include "plugin/scout/specs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "plugin/build/source_functions.hpp"
#include "plugin/frameworks/test_sources.hpp"

namespace morph::scout {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_examples = 20, longest_name = 40;

std::string identifier(const std::string& text) {
  std::string made;
  for (const char each : text) {
    if (std::isalnum(static_cast<unsigned char>(each)) != 0)
      made += each;
    else if (!made.empty() && made.back() != '_')
      made += '_';
    if (made.size() == longest_name) break;
  }
  while (made.ends_with('_')) made.pop_back();
  return made.empty() || std::isdigit(static_cast<unsigned char>(made.front())) != 0 ? "test_" + made : made;
}

/// The inputs of one test, a row for each that it names.
std::vector<std::vector<std::string>> rows_of(const relation_function& of) {
  std::size_t count = 0;
  for (const function_input& each : of.inputs) {
    if (each.examples.empty()) return {};
    count = std::max(count, each.examples.size());
  }
  std::vector<std::vector<std::string>> made(count);
  for (std::size_t row = 0; row < count; ++row)
    for (const function_input& each : of.inputs)
      made[row].push_back(each.examples[std::min(row, each.examples.size() - 1)]);
  return made;
}

/// As they stand in braces, where no number may lose its value.
std::vector<std::string> without_narrowing(const std::vector<std::string>& row, const relation_function& of) {
  std::vector<std::string> made = row;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& type = of.inputs[i].type;
    const bool is_number = !type.starts_with("std::") && type != "bool" && type != "double" && type != "int";
    const bool is_plain = std::ranges::all_of(row[i], [](unsigned char c) { return std::isdigit(c) != 0; });
    if (is_number && !is_plain && !row[i].starts_with('\'')) made[i] = fmt::format("static_cast<{}>({})", type, row[i]);
  }
  return made;
}

bool is_include_of_framework(const std::string& line) {
  return !frameworks::frameworks_of_source(line).empty();
}

/// The constant in place of the input, as the test has it; empty if its text and length are apart.
std::string with_constant(std::string line, const std::string& input, const std::string& type,
                          const std::string& value) {
  const bool is_copy = line.starts_with("auto ") || line.starts_with("const auto ");
  for (std::size_t at = line.find(input); at != std::string::npos; at = line.find(input, at)) {
    const std::size_t end = at + input.size();
    const bool is_longer =
        end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_');
    if (is_longer) {
      at = end;
      continue;
    }
    const std::string_view rest = std::string_view(line).substr(end);
    if (rest.starts_with(".data()") || rest.starts_with(".size()")) return "";
    static constexpr std::string_view view = "std::string_view(", pointer = ".c_str()";
    std::string text = value;
    std::size_t begin = at, length = input.size();
    if (rest.starts_with(pointer)) {
      length += pointer.size();
    } else if (at >= view.size() && std::string_view(line).substr(at - view.size(), view.size()) == view) {
      begin -= view.size();
      length += view.size() + 1;
    } else if (is_copy) {
      text = fmt::format("{}({})", type, value);
    }
    line.replace(begin, length, text);
    at = begin + text.size();
  }
  return line;
}

bool says_framework(const std::string& text) {
  return build::has_word(text, "testing") || build::has_word(text, "Catch") || build::has_word(text, "doctest");
}

class writer {
 public:
  writer(const spec_source& of, bool for_trial) : of_(of), parts_(of.from->parts), for_trial_(for_trial) {}

  spec_text write() {
    made_.of_declarations.resize(parts_.declarations.size());
    line(fmt::format("// Relations that {} asserts of its own inputs, for others. {}", of_.file, written_by_scout));
    includes();
    macros();
    declarations();
    for (const spec& each : of_.specs) {
      line("");
      const std::size_t first = count_ + 1;
      add(each);
      made_.of_specs.push_back({first, count_});
    }
    return std::move(made_);
  }

 private:
  void line(const std::string& text) {
    made_.text += text + '\n';
    count_ += 1 + static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }

  bool needs_framework() const {
    return std::ranges::any_of(of_.specs, [](const spec& each) { return each.of.function->has_framework; });
  }

  void includes() {
    for (const std::string& each : parts_.includes)
      if (needs_framework() || !is_include_of_framework(each)) line(each);
    line("");
    for (const char* const each : {"<string>", "<string_view>", "<vector>"}) line(fmt::format("#include {}", each));
    line("");
    const bool infers =
        std::ranges::any_of(of_.specs, [](const spec& each) { return !each.of.function->inferred.empty(); });
    line("#include <morph/comparison.hpp>");
    if (infers) line("#include <morph/follow_up.hpp>");
    line("#include <morph/like.hpp>");
    line("#include <morph/morph.hpp>");
  }

  /// Those that are named in what is written, or in another one of them.
  void macros() {
    std::string code;
    std::set<std::size_t> used;
    for (const spec& each : of_.specs) {
      used.insert(each.of.function->uses.begin(), each.of.function->uses.end());
      for (const std::string& one : each.of.function->lines) code += one + '\n';
      for (const auto& row : each.examples)
        for (const std::string& one : row) code += one + '\n';
    }
    for (const std::size_t each : used) code += parts_.declarations[each].text + '\n';
    std::vector<bool> is_needed(parts_.macros.size(), false);
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t i = 0; i < parts_.macros.size(); ++i) {
        if (is_needed[i] || !build::has_word(code, parts_.macros[i].first)) continue;
        is_needed[i] = grows = true;
        code += parts_.macros[i].second + '\n';
      }
    }
    bool is_first = true;
    for (std::size_t i = 0; i < parts_.macros.size(); ++i) {
      if (!is_needed[i]) continue;
      if (std::exchange(is_first, false)) line("");
      line(parts_.macros[i].second);
    }
  }

  /// In the order of the source, and each in its namespaces.
  void declarations() {
    std::set<std::size_t> used;
    for (const spec& each : of_.specs) used.insert(each.of.function->uses.begin(), each.of.function->uses.end());
    // Where a declaration holds another, the other is written with it.
    std::vector<std::pair<const source_part*, std::size_t>> all;
    for (const std::size_t each : used) all.emplace_back(&parts_.declarations[each], each);
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    for (const source_part& each : parts_.usings)
      if (needs_framework() || !says_framework(each.text)) all.emplace_back(&each, none);
    std::ranges::stable_sort(all, {}, [](const auto& each) { return each.first->line; });
    std::vector<std::string> open;
    for (const auto& [part, number] : all) {
      const bool is_held = std::ranges::any_of(all, [&, part = part](const auto& other) {
        return other.first != part && other.first->line <= part->line && other.first->text.size() > part->text.size() &&
               other.first->text.find(part->text.substr(0, part->text.size() - 1)) != std::string::npos;
      });
      if (is_held) continue;
      enter(open, part->scopes);
      const std::size_t first = count_ + 1;
      line(part->text);
      if (number != none) made_.of_declarations[number] = {first, count_};
    }
    enter(open, {});
  }

  void enter(std::vector<std::string>& open, const std::vector<std::string>& wanted) {
    if (open == wanted) return;
    for (auto each = open.rbegin(); each != open.rend(); ++each) line("}");
    if (!open.empty() || !wanted.empty()) line("");
    for (const std::string& each : wanted) line(each.empty() ? "namespace {" : fmt::format("namespace {} {{", each));
    open = wanted;
  }

  void add(const spec& of) {
    const relation_function& function = *of.of.function;
    add_input(of.name, function.inputs);
    line("");
    std::vector<std::string> open;
    enter(open, function.scopes);
    line(fmt::format("// {}:{} ({})", of.of.file, of.of.line, of.test));
    line(fmt::format("// {}", in_one_line(of.of.text)));
    for (const std::string& each : function.inferred) line(fmt::format("// Inferred: {}.", in_one_line(each)));
    if (function.fixture.empty()) {
      line(
          fmt::format("static morph::comparison {}_relation(const {}_input& {}) {{", of.name, of.name, function.given));
      for (const std::string& each : function.lines) line("  " + each);
      line("}");
    } else {
      add_member(of, function);
    }
    enter(open, {});
    line("");
    add_spec(of, function);
  }

  /// Specs with equal inputs share a type: compilers take most of their time for what is made of each type.
  void add_input(const std::string& name, const std::vector<function_input>& inputs) {
    std::string members;
    for (const function_input& each : inputs) members += fmt::format("  {} {}{{}};\n", each.type, each.name);
    const auto [known, is_new] = inputs_.try_emplace(members, name);
    if (is_new)
      line(fmt::format("struct {}_input {{\n{}}};", name, members));
    else
      line(fmt::format("using {}_input = {}_input;", name, known->second));
  }

  void add_member(const spec& of, const relation_function& function) {
    line(fmt::format("class {}_fixture : public {} {{", of.name, function.fixture));
    line(" public:");
    if (function.is_fixture_of_gtest) line("  void TestBody() override {}");
    line(fmt::format("  static morph::comparison morph_run(const {}_input& {}) {{", of.name, function.given));
    line(fmt::format("    {}_fixture made;", of.name));
    if (function.is_fixture_of_gtest) line("    made.SetUp();");
    line(fmt::format("    const morph::comparison found = made.morph_relation({});", function.given));
    if (function.is_fixture_of_gtest) line("    made.TearDown();");
    line("    return found;");
    line("  }");
    line(fmt::format("  morph::comparison morph_relation(const {}_input& {}) {{", of.name, function.given));
    for (const std::string& each : function.lines) line("    " + each);
    line("  }");
    line("};");
    line(fmt::format("static morph::comparison {}_relation(const {}_input& in) {{", of.name, of.name));
    line(fmt::format("  return {}_fixture::morph_run(in);", of.name));
    line("}");
  }

  void add_spec(const spec& of, const relation_function& function) {
    const auto has = [&](const char* list) { return std::ranges::find(of.seeds, list) != of.seeds.end(); };
    std::string scope;
    for (const std::string& each : function.scopes)
      if (!each.empty()) scope += each + "::";
    line(fmt::format("MORPH_SPEC({}, {}_input, morph::comparison, s) {{", of.name, of.name));
    line(fmt::format("  s.execute({}{}_relation);", scope, of.name));
    line("  s.may_throw();");
    if (for_trial_) line("  s.timeout(1);");
    if (!of.examples.empty()) {
      line(fmt::format("  const std::vector<{}_input> examples{{", of.name));
      for (const auto& row : of.examples)
        line(fmt::format("      {{{}}},", fmt::join(without_narrowing(row, function), ", ")));
      line("  };");
      if (has(seed_lists[0])) line(fmt::format("  s.seeds(\"{}\", examples);", seed_lists[0]));
      if (has(seed_lists[1]))
        line(fmt::format("  s.seeds(\"{}\", morph::draw(100, morph::like(examples)));", seed_lists[1]));
      if (for_trial_ && function.inputs.size() > 1)
        for (std::size_t i = 0; i < function.inputs.size(); ++i)
          line(fmt::format("  s.seeds(\"{}\", morph::draw(30, morph::like(examples, {})));",
                           list_of_input(function.inputs[i]), i));
    }
    if (has(seed_lists[2]))
      line(fmt::format("  s.seeds(\"{}\", morph::draw(100, morph::any_of<{}_input>()));", seed_lists[2], of.name));
    line("  s.relation(\"holds\", morph::all_cases, [](auto& c) { return c.output.holds; });");
    line("}");
  }

  const spec_source& of_;
  const source_parts& parts_;
  bool for_trial_;
  spec_text made_{};
  std::map<std::string, std::string> inputs_{};  // the first spec that has them, by their text
  std::size_t count_ = 0;
};

}  // namespace

std::string in_one_line(const std::string& text) {
  std::string made;
  for (const char each : text) {
    const bool is_blank = each == ' ' || each == '\n' || each == '\t' || each == '\r';
    if (!is_blank || (!made.empty() && made.back() != ' ')) made += is_blank ? ' ' : each;
  }
  return made;
}

std::vector<spec_source> specs_of(const found& of) {
  std::vector<spec_source> made;
  std::set<std::string> names, stems;
  std::set<std::tuple<std::string, unsigned, std::vector<std::string>>> elsewhere;  // in a header of tests
  for (std::size_t i = 0; i < of.sources.size(); ++i) {
    spec_source source{.file = of.files[i], .from = &of.sources[i]};
    std::map<std::tuple<std::string, unsigned, std::vector<std::string>>, std::size_t> known;
    std::set<std::tuple<std::string, unsigned, std::vector<std::string>>> asked;
    for (const test& one : of.sources[i].tests)
      for (const relation& each : one.relations) {
        if (!each.function) continue;
        const std::tuple key(each.file, each.line, each.function->lines);
        auto [at, is_new] = known.try_emplace(key, source.specs.size());
        if (one.is_asked) asked.insert(key);
        if (is_new) {
          if (!elsewhere.insert(key).second) {
            known.erase(at);
            continue;
          }
          const std::string base = identifier(one.name);
          std::string name = base;
          for (int number = 2; !names.insert(name).second; ++number) name = fmt::format("{}_{}", base, number);
          source.specs.push_back(
              {.name = name, .test = one.name, .of = each, .seeds = {std::begin(seed_lists), std::end(seed_lists)}});
        }
        auto& examples = source.specs[at->second].examples;
        for (auto& row : rows_of(*each.function))
          if (examples.size() < most_examples && std::ranges::find(examples, row) == examples.end())
            examples.push_back(std::move(row));
      }
    // Whatever is asked for, a relation has one name.
    const std::string base = identifier(fs::path(source.file).stem().string());
    source.stem = base;
    for (int number = 2; !source.specs.empty() && !stems.insert(source.stem).second; ++number)
      source.stem = fmt::format("{}_{}", base, number);
    std::erase_if(source.specs, [&](const spec& each) {
      return !asked.contains({each.of.file, each.of.line, each.of.function->lines});
    });
    if (!source.specs.empty()) made.push_back(std::move(source));
  }
  return made;
}

spec_text text_of(const spec_source& of, bool for_trial) {
  return writer(of, for_trial).write();
}

std::string list_of_input(const function_input& input) {
  return fmt::format("{}: {}", seed_lists[1], input.name);
}

std::optional<spec> narrowed(const spec& of, const std::set<std::string>& inputs) {
  if (of.examples.empty()) return std::nullopt;
  spec made = of;
  relation_function& function = *made.of.function;
  made.examples.clear();
  made.seeds = {std::begin(seed_lists), std::end(seed_lists)};
  std::vector<std::string> row;
  std::vector<function_input> kept;
  for (std::size_t i = 0; i < function.inputs.size(); ++i) {
    const function_input& input = function.inputs[i];
    if (!inputs.contains(input.name)) {
      kept.push_back(input);
      row.push_back(of.examples[0][i]);
      continue;
    }
    made.fixed.push_back(input.name);
    for (std::string& line : function.lines)
      line = with_constant(line, function.given + '.' + input.name, input.type, of.examples[0][i]);
  }
  if (std::ranges::any_of(function.lines, [](const std::string& each) { return each.empty(); })) return std::nullopt;
  function.inputs = std::move(kept);
  made.examples.push_back(std::move(row));
  return made;
}

std::string file_name_of(const spec_source& of) {
  return of.stem + ".relations.spec.cpp";
}

std::string target_name_of(const spec_source& of) {
  return of.stem + "_relations";
}

}  // namespace morph::scout
