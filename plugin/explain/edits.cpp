// Lines and indentation around statements.
#include "plugin/explain/edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace morph::explain {
namespace {

constexpr const char* mark = "observed, not known to be right";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::size_t line_begin(const std::string& source, std::size_t at) {
  const auto before = at == 0 ? std::string::npos : source.rfind('\n', at - 1);
  return before == std::string::npos ? 0 : before + 1;
}

std::string indentation(const std::string& source, std::size_t at) {
  const std::size_t begin = line_begin(source, at);
  return source.substr(begin, source.find_first_not_of(" \t", begin) - begin);
}

bool begins_line(const std::string& source, std::size_t at) {
  const std::size_t begin = line_begin(source, at);
  return is_blank(std::string_view(source).substr(begin, at - begin));
}

std::string line_of(const std::string& source, std::size_t at, const std::string& assertion) {
  return fmt::format("{}{}  // {}\n", indentation(source, at), assertion, mark);
}

edit in_front(const std::string& source, std::uint32_t at, const std::string& assertion) {
  if (begins_line(source, at))
    return {static_cast<std::uint32_t>(line_begin(source, at)), 0, line_of(source, at, assertion)};
  return {at, 0, fmt::format("{} /* {} */ ", assertion, mark)};
}

edit behind(const std::string& source, std::uint32_t begin, std::uint32_t end, const std::string& assertion) {
  const auto line_end = source.find('\n', end);
  const std::string_view rest =
      std::string_view(source).substr(end, line_end == std::string::npos ? std::string::npos : line_end - end);
  const auto text = rest.find_first_not_of(" \t\r");
  const bool is_last = text == std::string_view::npos || rest.substr(text).starts_with("//");
  if (is_last && line_end != std::string::npos && begins_line(source, begin))
    return {static_cast<std::uint32_t>(line_end + 1), 0, line_of(source, begin, assertion)};
  return {end, 0, fmt::format(" {} /* {} */", assertion, mark)};
}

std::string type_of(const nlohmann::json& from) {
  if (from.at("boolean")) return "bool";
  if (from.at("single")) return "float";
  if (from.at("real")) return "double";
  if (from.at("unsigned")) return "unsigned";
  if (from.at("text")) return "const char *";
  return {};
}

}  // namespace

placed_expression placed_of(const nlohmann::json& from) {
  placed_expression made;
  const std::string how = from.at("how");
  made.how = how == "before"  ? placed_expression::placing::before
             : how == "after" ? placed_expression::placing::after
             : how == "hoist" ? placed_expression::placing::hoist
                              : placed_expression::placing::none;
  from.at("why_not").get_to(made.why_not);
  from.at("macro").get_to(made.macro);
  from.at("expression").get_to(made.expression);
  from.at("begin").get_to(made.begin);
  from.at("end").get_to(made.end);
  from.at("from").get_to(made.from);
  from.at("to").get_to(made.to);
  from.at("whole_statement").get_to(made.is_whole_statement);
  made.type = type_of(from);
  return made;
}

std::vector<edit> edits_of(const std::string& source, const placed_expression& where, const std::string& assertion) {
  using placing = placed_expression::placing;
  switch (where.how) {
    case placing::none:
      break;
    case placing::before:
      return {in_front(source, where.begin, assertion)};
    case placing::after:
      return {behind(source, where.begin, where.end, assertion)};
    case placing::hoist: {
      const std::string name = "const auto& " + where.expression + " = ";
      if (where.is_whole_statement) return {{where.begin, 0, name}, behind(source, where.begin, where.end, assertion)};
      const std::string value = source.substr(where.from, where.to - where.from);
      edit declared{where.begin, 0, name + value + "; "};
      if (begins_line(source, where.begin))
        declared = {static_cast<std::uint32_t>(line_begin(source, where.begin)), 0,
                    indentation(source, where.begin) + name + value + ";\n"};
      return {
          declared, in_front(source, where.begin, assertion), {where.from, where.to - where.from, where.expression}};
    }
  }
  return {};
}

edited_text edited(const std::string& source, std::vector<edit> edits) {
  std::ranges::stable_sort(edits, {}, &edit::at);
  edited_text made;
  std::size_t from = 0;
  for (const edit& each : edits) {
    made.text += source.substr(from, each.at - from);
    const auto line = [&] { return static_cast<std::uint32_t>(std::ranges::count(made.text, '\n') + 1); };
    const std::uint32_t first = line();
    made.text += each.text;
    made.lines.emplace_back(first, each.text.ends_with('\n') ? line() - 1 : line());
    from = each.at + each.removed;
  }
  made.text += source.substr(from);
  return made;
}

}  // namespace morph::explain
