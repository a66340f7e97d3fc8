// The spec as text: a template, with the parts of a skeleton in the places of its @words@.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "plugin/authoring/borders.hpp"
#include "plugin/authoring/datamorphisms.hpp"
#include "plugin/authoring/skeleton.hpp"
#include "plugin/authoring/types.hpp"

namespace morph::authoring {
namespace {

using nlohmann::json;

constexpr std::size_t most_datamorphisms = 12;
constexpr std::size_t width = 110;
constexpr std::size_t most_width = 120;  // of what is folded else
constexpr unsigned most_examples = 5;
constexpr std::size_t most_borders = 12;

struct standard_header {
  const char* header;
  std::vector<const char*> names;
};
const std::array standard_headers{standard_header{"algorithm", {"std::find", "std::reverse", "std::rotate"}},
                                  standard_header{"cctype", {"std::toupper", "std::isupper"}},
                                  standard_header{"iterator", {"std::next", "std::begin", "std::end"}},
                                  standard_header{"limits", {"std::numeric_limits"}},
                                  standard_header{"optional", {"std::optional", "std::nullopt"}},
                                  standard_header{"sstream", {"std::istringstream", "std::ostringstream"}},
                                  standard_header{"string", {"std::string(", " std::string ", "<std::string>"}},
                                  standard_header{"utility", {"std::swap", "std::in_place_index"}},
                                  standard_header{"vector", {"std::vector"}}};

/// Where a line that is too long goes on: behind the last comma in front of `most`, outside of literals and
/// parentheses' begins; 0 if there is none.
std::size_t break_of(const std::string& line, std::size_t begin, std::size_t most) {
  std::size_t found = 0;
  char literal = 0;
  for (std::size_t i = begin; i + 1 < line.size() && i < most; ++i) {
    const char c = line[i];
    if (literal != 0) {
      i += c == '\\' ? 1U : 0U;
      literal = c == literal ? 0 : literal;
    } else if (c == '"' || c == '\'') {
      literal = c;
    } else if (line.compare(i, 2, "//") == 0) {
      break;
    } else if (line[i + 1] == ' ' && (c == ',' || c == ';' || line.compare(i - (i > 0), 2, "||") == 0)) {
      found = i + 2;
    }
  }
  return found;
}

std::string folded(std::string line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string::npos) return line;
  const std::string margin(first + 4, ' ');
  for (std::size_t begin = 0; line.size() - begin > most_width;) {
    const std::size_t at = break_of(line, begin + (begin == 0 ? first : margin.size()), begin + most_width);
    if (at == 0) break;
    line.replace(at - 1, 1, "\n" + margin);
    begin = at;
  }
  return line;
}

std::string folded_text(const std::string& text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    made += folded(text.substr(at, end - at)) + '\n';
    at = end + 1;
  }
  return made;
}

/// Lines with a margin, each ended.
std::string indented(const std::vector<std::string>& lines, const std::string& margin) {
  std::string text;
  for (const std::string& line : lines) text += margin + line + '\n';
  return text;
}

std::string comment(std::string text, const std::string& margin) {
  std::string made, line;
  const auto end_line = [&] {
    if (!line.empty()) made += margin + "//" + line + '\n';
    line.clear();
  };
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ' && c != '\n') {
      word += c;
      continue;
    }
    if (line.size() + word.size() > width) end_line();
    if (!word.empty()) line += " " + word;
    word.clear();
    if (c == '\n') end_line();
  }
  end_line();
  return made;
}

bool is_whole(const json& members) {
  return members.size() == 1 && members[0].value("name", "").empty();
}

class spec_writer {
 public:
  spec_writer(const spec_skeleton& skeleton, const described_types& types, const spec_place& place)
      : s_(skeleton), types_(types), place_(place), input_(s_.name + "_input"), output_(s_.name + "_output") {}

  std::map<std::string, std::string> parts() {
    const std::string changes = datamorphisms();  // relations are about them
    std::map<std::string, std::string> made{{"name", s_.name},
                                            {"function", s_.function},
                                            {"input", input_},
                                            {"output", output_},
                                            {"types", type_section()},
                                            {"call", folded_text(indented(s_.call, "  "))},
                                            {"options", options()},
                                            {"seeds", folded_text(seeds())},
                                            {"datamorphisms", folded_text(changes)},
                                            {"relations", folded_text(relations())}};
    std::string all;
    for (const auto& [name, text] : made) all += text + '\n';
    made["includes"] = includes(all);
    return made;
  }

  std::size_t number_of_datamorphisms() const { return proposed_.size(); }

 private:
  std::string includes(const std::string& used) const {
    const std::string line =
        "#include " + (place_.is_system ? "<" + place_.include + ">" : '"' + place_.include + '"') + '\n';
    // The user's header comes first: <nlohmann/json.hpp> has to be known when Morph's are read.
    std::string text = place_.is_c ? "extern \"C\" {\n" + line + "}\n" : line;
    text += '\n';
    for (const standard_header& each : standard_headers)
      if (std::ranges::any_of(each.names, [&](const char* name) { return used.find(name) != std::string::npos; }))
        text += fmt::format("#include <{}>\n", each.header);
    return text + "#include <morph/morph.hpp>\n";
  }

  std::string member_lines(const json& members) const {
    std::vector<std::string> lines;
    for (const json& each : members) {
      const std::string kind = types_.kind(each);
      const bool is_scalar = kind == "integer" || kind == "floating" || kind == "bool" || kind == "enumeration" ||
                             kind.ends_with("character");
      lines.push_back(
          fmt::format("{} {}{};", spelled(each), each.at("name").get<std::string>(), is_scalar ? "{}" : ""));
    }
    return indented(lines, "  ");
  }

  std::string type_section() const {
    std::string text;
    const auto add = [&](const std::string& name, const json& members, const std::string& given) {
      if (!given.empty() || is_whole(members))
        text += fmt::format("using {} = {};\n", name, given.empty() ? spelled(members[0]) : given);
      else
        text += fmt::format("{}struct {} {{\n{}}};\n", text.empty() ? "" : "\n", name, member_lines(members));
    };
    add(input_, s_.fields, s_.given_input);
    add(output_, s_.output, "");
    text += '\n';
    for (const std::string& note : s_.notes) text += comment(note, "");
    return text;
  }

  std::string options() const {
    return s_.may_throw ? "  s.may_throw();  // TODO: leave this out if an exception would be a fault\n" : "";
  }

  std::string seeds() const {
    std::vector<std::string> examples;
    for (unsigned k = 0; k < most_examples; ++k) {
      std::string one;
      if (is_whole(s_.fields)) {
        if (const auto value = types_.example(s_.fields[0], k)) one = *value;
      } else {
        std::vector<std::string> members;
        for (const json& each : s_.fields)
          if (const auto value = types_.example(each, k * 2 + static_cast<unsigned>(members.size())))
            members.push_back(*value);
        if (members.size() == s_.fields.size()) one = fmt::format("{}{{{}}}", input_, fmt::join(members, ", "));
      }
      if (!one.empty() && std::ranges::find(examples, one) == examples.end()) examples.push_back(std::move(one));
    }
    std::string text = "\n";
    text += comment(
        "TODO: inputs that matter to you; {{input, output}, ...} is a list of inputs with what is expected.", "  ");
    text += seed_list("examples", examples);
    text += seed_list("borders", inputs(borders_of(types_, s_.fields, s_.constants, most_borders), examples));
    text += seed_list("from the tests", inputs(s_.from_tests, examples));
    if (const auto made = generator()) text += fmt::format("  s.seeds(\"random\", morph::draw(50, {}));\n", *made);
    return text;
  }

  std::string seed_list(const char* name, const std::vector<std::string>& values) const {
    if (values.empty()) return "";
    const std::string begin = fmt::format("  s.seeds(\"{}\", std::vector<{}>{{", name, input_);
    const std::string line = fmt::format("{}", fmt::join(values, ", "));
    return begin.size() + line.size() < width
               ? begin + line + "});\n"
               : fmt::format("{}\n      {}}});\n", begin, fmt::join(values, ",\n      "));
  }

  /// Those that are not among the examples.
  std::vector<std::string> inputs(const std::vector<std::vector<std::string>>& rows,
                                  const std::vector<std::string>& examples) const {
    std::vector<std::string> made;
    for (const auto& values : rows) {
      std::string one = is_whole(s_.fields) ? values[0] : fmt::format("{}{{{}}}", input_, fmt::join(values, ", "));
      if (std::ranges::find(examples, one) == examples.end()) made.push_back(std::move(one));
    }
    return made;
  }

  std::optional<std::string> generator() const {
    std::vector<std::string> members;
    for (const json& each : s_.fields) {
      const auto made = types_.generator(each);
      if (!made) return std::nullopt;
      members.push_back(*made);
    }
    if (is_whole(s_.fields)) return members[0];
    std::string text = fmt::format("morph::made_of<{}>({})", input_, fmt::join(members, ", "));
    return text.size() + 40 < width
               ? text
               : fmt::format("morph::made_of<{}>(\n      {})", input_, fmt::join(members, ",\n      "));
  }

  std::string datamorphisms() {
    std::size_t left_out = 0;
    proposed_ = propose_datamorphisms(types_, s_.fields, most_datamorphisms, left_out);
    std::string text = "\n";
    if (proposed_.empty())
      text +=
          comment("TODO: a datamorphism, which makes a new input of an old one; nothing is known of this type.", "  ");
    for (const proposed_datamorphism& each : proposed_) {
      const std::string result = each.may_not_apply ? fmt::format(" -> std::optional<{}>", input_) : "";
      std::string head = fmt::format("  auto {} = s.datamorph(\"{}\", [](", each.variable, each.name);
      const std::string taken = fmt::format("{} in){} {{", input_, result);
      const std::string line = fmt::format("{}{} {} return in; }});", head, taken, fmt::join(each.body, " "));
      if (each.body.size() == 1 && line.size() <= width)
        text += line + '\n';
      else
        text += fmt::format("{}{}\n{}    return in;\n  }});\n", head, taken, indented(each.body, "    "));
    }
    if (left_out > 0) text += comment(fmt::format("{} more of the kind are left out.", left_out), "  ");
    return text;
  }

  std::string relations() const {
    std::string text = "\n";
    if (!proposed_.empty()) {
      text += comment(
          "TODO: what holds between the outputs of a mutant `m` and of its origin `o`? Until that is said, these "
          "are not applicable to any case, which reports show. " +
              suggested_relation(),
          "  ");
      text += "  const auto undecided = [](auto&, auto&) { return morph::verdict::not_applicable; };\n";
      for (const proposed_datamorphism& each : proposed_)
        text += fmt::format("  s.relation(\"TODO: {}\", {}, undecided);\n", each.name, each.variable);
      text += '\n';
    }
    const bool has_text = !is_whole(s_.output) || s_.output[0].value("has_text", true);
    const bool has_equality = is_whole(s_.output) && types_.of(s_.output[0]).value("equality", false);
    const std::string again = fmt::format("call_{}(c.input)", s_.name);
    if (has_text)
      text += fmt::format(
          "  s.relation(\"the same input gives the same output\", morph::all_cases,\n"
          "             [](auto& c) {{ return morph::to_text({}) == morph::to_text(c.output); }});\n",
          again);
    else if (has_equality)
      text += fmt::format(
          "  s.relation(\"the same input gives the same output\", morph::all_cases,\n"
          "             [](auto& c) {{ return {} == c.output; }});\n",
          again);
    return text;
  }

  std::string suggested_relation() const {
    const std::string equal = "Perhaps `return m.output == o.output;`";
    if (!is_whole(s_.output)) return "Perhaps that members of `m.output` and `o.output` are equal.";
    const std::string kind = types_.kind(s_.output[0]);
    if (kind != "integer" && kind != "floating") return equal + ".";
    const bool is_signed = kind == "floating" || types_.of(s_.output[0]).at("signed").get<bool>();
    return equal + (is_signed ? ", or `-o.output`," : "") + " or `>=`.";
  }

  const spec_skeleton& s_;
  const described_types& types_;
  const spec_place& place_;
  std::string input_, output_;
  std::vector<proposed_datamorphism> proposed_;
};

}  // namespace

tl::expected<std::string, std::string> render(const spec_skeleton& skeleton, const described_types& types,
                                              const spec_place& place, const std::string& spec_template,
                                              std::size_t& datamorphisms) {
  spec_writer writer(skeleton, types, place);
  const auto parts = writer.parts();
  datamorphisms = writer.number_of_datamorphisms();
  std::string made;
  std::size_t line = 1;
  for (std::size_t at = 0; at < spec_template.size();) {
    const char c = spec_template[at];
    const std::size_t end = c == '@' ? spec_template.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + 1) : at;
    if (c != '@' || end == std::string::npos || spec_template[end] != '@' || end == at + 1) {
      line += c == '\n' ? 1 : 0;
      made += c;
      ++at;
      continue;
    }
    const std::string word = spec_template.substr(at + 1, end - at - 1);
    const auto part = parts.find(word);
    if (part == parts.end()) {
      std::vector<std::string> known;
      for (const auto& each : parts) known.push_back("@" + each.first + "@");
      return tl::unexpected(
          fmt::format("line {} of the template: there is no '@{}@'; there are {}", line, word, fmt::join(known, ", ")));
    }
    made += part->second;
    at = end + 1;
    // A part of several lines brings its last end of line along.
    if ((part->second.empty() || part->second.ends_with('\n')) && at < spec_template.size() &&
        spec_template[at] == '\n' && (made.empty() || made.ends_with('\n'))) {
      ++at;
      ++line;
    }
  }
  return made;
}

}  // namespace morph::authoring
