// Writing tests.
#include "plugin/generate/emit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

namespace morph::generate {
namespace {

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// "tinyxml2::XMLElement" -> "element": the last word.
std::string variable_name(const std::string& type) {
  std::string last = type.substr(0, type.find('<'));
  if (const auto at = last.rfind("::"); at != std::string::npos) last = last.substr(at + 2);
  std::size_t begin = last.size();
  while (begin > 0 && !(std::isupper(static_cast<unsigned char>(last[begin - 1])) != 0)) --begin;
  std::string word = begin > 0 ? last.substr(begin - 1) : last;
  if (const auto at = word.rfind('_'); at != std::string::npos && at + 1 < word.size()) word = word.substr(at + 1);
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static const std::set<std::string> reserved{
      "alignas",  "alignof", "and",     "asm",      "auto",    "bool",     "break",     "case",      "catch",
      "char",     "class",   "compl",   "concept",  "const",   "continue", "default",   "delete",    "do",
      "double",   "else",    "enum",    "explicit", "export",  "extern",   "false",     "float",     "for",
      "friend",   "goto",    "if",      "inline",   "int",     "long",     "mutable",   "namespace", "new",
      "noexcept", "not",     "nullptr", "operator", "or",      "private",  "protected", "public",    "register",
      "requires", "return",  "short",   "signed",   "sizeof",  "static",   "struct",    "switch",    "template",
      "this",     "throw",   "true",    "try",      "typedef", "typeid",   "typename",  "union",     "unsigned",
      "using",    "virtual", "void",    "volatile", "while",   "xor"};
  if (word.empty() || !starts_name(word[0]) || reserved.contains(word)) return "value";
  return word;
}

std::string integer_text(std::int64_t value, const std::string& type, std::uint32_t bytes, bool is_unsigned) {
  if (is_unsigned) {
    const auto number = static_cast<std::uint64_t>(value);
    if (bytes == 8) return fmt::format("{}{}", number, type.find("long long") != std::string::npos ? "ULL" : "UL");
    if (bytes == 4) return fmt::format("{}U", static_cast<std::uint32_t>(number));
    return fmt::format("static_cast<{}>({})", type, number);
  }
  if (bytes == 8) {
    const char* const suffix = type.find("long long") != std::string::npos ? "LL" : "L";
    if (value == INT64_MIN) return fmt::format("(-9223372036854775807{} - 1)", suffix);
    return fmt::format("{}{}", value, suffix);
  }
  if (bytes == 4) return value == INT32_MIN ? "(-2147483647 - 1)" : fmt::format("{}", value);
  return fmt::format("static_cast<{}>({})", type, value);
}

std::string real_text(double value, bool is_single) {
  if (std::isnan(value)) return is_single ? "std::nanf(\"\")" : "std::nan(\"\")";
  if (std::isinf(value)) return value < 0 ? "-HUGE_VAL" : "HUGE_VAL";
  std::string text = is_single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return is_single ? text + "F" : text;
}

std::string enumerator_text(const std::string& type, const std::vector<std::pair<std::int64_t, std::string>>& of,
                            std::int64_t value) {
  for (const auto& [number, name] : of)
    if (number == value && !name.empty()) return name;
  return fmt::format("static_cast<{}>({})", type, value);
}

/// Writes the statements of one test.
class test_writer {
 public:
  test_writer(const test_case& of, const model& in, const literal_table& literals, const test_dialect& as)
      : of_(of), in_(in), literals_(literals), as_(as), names_(of.calls.size()), uses_(of.calls.size(), 0) {
    for (const call& each : of.calls)
      for (const argument& a : each.arguments)
        if (a.kind == morph_argument_value) ++uses_[a.number];
    take_names_of_the_model();
  }

  std::string write() {
    for (std::uint32_t i = 0; i < of_.calls.size(); ++i) write_call(i);
    std::string text;
    for (const std::string& each : lines_) text += "  " + each + "\n";
    return text;
  }

 private:
  const modelled_callable& callee(std::uint32_t i) const { return in_.callables[of_.calls[i].callable]; }

  std::string fresh_name(const std::string& wish) {
    std::string made = wish;
    for (int number = 2; !taken_.insert(made).second; ++number) made = fmt::format("{}{}", wish, number);
    return made;
  }

  /// A variable would hide them.
  void take_names_of_the_model() {
    for (const modelled_class& each : in_.classes) taken_.insert(each.name.substr(0, each.name.find('<')));
    for (const modelled_callable& each : in_.callables)
      if (!each.has_receiver)
        taken_.insert(each.is_hidden_friend ? each.method : each.name.substr(0, each.name.find('<')));
  }

  bool is_pointer(std::uint32_t i) const {
    const modelled_callable& c = callee(i);
    if (c.how == modelled_callable::kind::constructor) return !in_.classes[c.class_number].is_destructible;
    for (const parameter& each : c.parameters)
      if (each.how == parameter::kind::made) return true;
    return c.result.how == returned::kind::pointer;
  }

  std::uint32_t class_of(std::uint32_t i) const {
    const modelled_callable& c = callee(i);
    if (c.how == modelled_callable::kind::constructor) return c.class_number;
    for (const parameter& each : c.parameters)
      if (each.how == parameter::kind::made) return each.class_number;
    return c.result.class_number;
  }

  std::string object(std::uint32_t i) const { return is_pointer(i) ? "*" + names_[i] : names_[i]; }
  std::string pointer(std::uint32_t i) const { return is_pointer(i) ? names_[i] : "&" + names_[i]; }

  std::string argument_text(std::uint32_t i, std::size_t p, std::vector<std::string>& before) {
    const call& c = of_.calls[i];
    const modelled_callable& of = callee(i);
    const parameter& as = of.parameters[p];
    const std::size_t slot = p + (of.has_receiver ? 1 : 0);
    const argument& a = c.arguments[slot];
    switch (as.how) {
      case parameter::kind::object: {
        std::string text = object(a.number);
        // Of a derived class another overload or a template would be taken than the search called.
        if (class_of(a.number) != as.class_number)
          text = fmt::format("static_cast<{}{}&>({})", as.is_constant ? "const " : "",
                             in_.classes[as.class_number].name, text);
        return as.by_move ? fmt::format("std::move({})", text) : text;
      }
      case parameter::kind::pointer:
        return a.kind == morph_argument_nothing ? "nullptr" : pointer(a.number);
      case parameter::kind::cell: {
        const std::string name = fresh_name(as.name.empty() ? "out" : as.name);
        before.push_back(fmt::format("{} {}{{}};", as.type, name));
        cells_[{i, p}] = name;
        return as.by_pointer ? "&" + name : name;
      }
      case parameter::kind::made: {
        const std::string name = fresh_name(variable_name(in_.classes[as.class_number].name));
        before.push_back(fmt::format("{}{}* {} = nullptr;", as.is_constant ? "const " : "", as.type, name));
        names_[i] = name;
        return as.by_pointer ? "&" + name : name;
      }
      case parameter::kind::in: {
        const std::string name = fresh_name(as.name.empty() ? "in" : as.name);
        before.push_back(fmt::format("{} {}({});", as.type, name, literal_text(as, a.number, literals_)));
        return as.by_pointer ? "&" + name : name;
      }
      case parameter::kind::out: {
        const std::string name = fresh_name(as.name.empty() ? "out" : as.name);
        before.push_back(fmt::format("{} {};", as.type, name));
        cells_[{i, p}] = name + ".str()";
        return as.by_pointer ? "&" + name : name;
      }
      case parameter::kind::length: {
        const argument& text = c.arguments[slot - 1];
        return fmt::format("{}", literals_[text.number].text.size());
      }
      case parameter::kind::array: {
        if (p + 1 == of.parameters.size() || of.parameters[p + 1].how != parameter::kind::end) break;
        const std::string name = fresh_name(as.name), text = quoted(literals_[a.number].text);
        // Text with zeros is quoted as a std::string.
        before.push_back(text.starts_with('"') ? fmt::format("const std::string {}({});", name, text)
                                               : fmt::format("const auto {} = {};", name, text));
        texts_[{i, p}] = name;
        return name + ".data()";
      }
      case parameter::kind::end:
        return fmt::format("{0}.data() + {0}.size()", texts_.at({i, p - 1}));
      case parameter::kind::buffer: {
        const std::string name = fresh_name(as.name.empty() ? "buffer" : as.name);
        before.push_back(fmt::format("char {}[{}]{{}};", name, bytes_of_buffer));
        return name;
      }
      case parameter::kind::room:
        return fmt::format("{}", bytes_of_buffer);
      case parameter::kind::callback:
        return as.written;
      default:
        break;
    }
    if (a.kind == morph_argument_nothing) return "nullptr";
    const std::string text = literal_text(as, a.number, literals_);
    if (as.how == parameter::kind::list && as.by_pointer) {
      const std::string name = fresh_name(as.name.empty() ? "list" : as.name);
      before.push_back(fmt::format("const {} {} = {};", as.type, name, text));
      return "&" + name;
    }
    return text;
  }

  void write_call(std::uint32_t i) {
    const modelled_callable& of = callee(i);
    std::vector<std::string> before, arguments;
    for (std::size_t p = 0; p < of.parameters.size(); ++p) arguments.push_back(argument_text(i, p, before));
    lines_.insert(lines_.end(), before.begin(), before.end());
    const bool threw = of_.did.how == morph_outcome_threw && of_.did.call == i;
    if (of.how == modelled_callable::kind::constructor) {
      write_construction(i, arguments, threw);
      return;
    }
    std::string text;
    if (of.has_receiver) {
      const std::uint32_t receiver = of_.calls[i].arguments[0].number;
      // Of an object that can be changed another one would be called.
      if (has_changing_twin(of) && !is_constant(receiver))
        text = written_call(
            of, fmt::format("static_cast<const {}&>({})", in_.classes[of.class_number].name, object(receiver)), ".",
            arguments);
      else
        text = written_call(of, names_[receiver], is_pointer(receiver) ? "->" : ".", arguments);
    } else {
      text = written_call(of, "", "", arguments);
    }
    if (threw)
      lines_.push_back(expect_throw(text));
    else
      write_result(i, of.result, text);
    for (const observation& each : of_.asserted)
      if (each.call == i && each.place > 0)
        if (const auto cell = cells_.find({i, each.place - 1}); cell != cells_.end())
          assert_parameter(of.parameters[each.place - 1], cell->second, each);
  }

  void write_construction(std::uint32_t i, const std::vector<std::string>& arguments, bool threw) {
    const modelled_class& made = in_.classes[callee(i).class_number];
    if (threw) {
      lines_.push_back(expect_throw(fmt::format("{}({})", made.name, fmt::join(arguments, ", "))));
      return;
    }
    names_[i] = fresh_name(variable_name(made.name));
    if (!made.is_destructible)
      lines_.push_back(fmt::format("auto* const {} = new {}({});", names_[i], made.name, fmt::join(arguments, ", ")));
    else if (arguments.empty())
      lines_.push_back(fmt::format("{} {};", made.name, names_[i]));
    else
      lines_.push_back(fmt::format("{} {}({});", made.name, names_[i], vexing(arguments)));
  }

  /// A declaration of a function looks like an object made of one unnamed object.
  static std::string vexing(const std::vector<std::string>& arguments) {
    return fmt::format("{}", fmt::join(arguments, ", "));
  }

  bool is_constant(std::uint32_t call) const {
    return callee(call).how != modelled_callable::kind::constructor && callee(call).result.is_constant;
  }

  bool has_changing_twin(const modelled_callable& of) const {
    return of.is_constant && std::ranges::any_of(in_.callables, [&](const modelled_callable& each) {
             return each.has_receiver && !each.is_constant && each.class_number == of.class_number &&
                    each.method == of.method;
           });
  }

  /// Both are pointers or both are none, and what changes is not behind const.
  bool is_same_form(std::uint32_t i, std::uint32_t other) const {
    return !names_[other].empty() && is_pointer(i) == is_pointer(other) && (!is_constant(other) || is_constant(i));
  }

  void write_result(std::uint32_t i, const returned& of, const std::string& text) {
    const observation* seen = nullptr;
    for (const observation& each : of_.asserted)
      if (each.call == i && each.place == 0) seen = &each;
    const bool gives =
        of.how == returned::kind::object || of.how == returned::kind::reference || of.how == returned::kind::pointer;
    if (const auto known = of_.known.find(i); gives && known != of_.known.end() && is_same_form(i, known->second)) {
      names_[i] = names_[known->second];
      lines_.push_back(text + ";");
      return;
    }
    if (gives && uses_[i] > 0) {
      names_[i] = fresh_name(variable_name(in_.classes[of.class_number].name));
      const char* const form = of.how == returned::kind::object    ? "auto "
                               : of.how == returned::kind::pointer ? of.is_constant ? "const auto* " : "auto* "
                               : of.is_constant                    ? "const auto& "
                                                                   : "auto& ";
      lines_.push_back(fmt::format("{}{} = {};", form, names_[i], text));
      if (seen != nullptr && of.how == returned::kind::pointer) lines_.push_back(expectation(of, names_[i], *seen));
      return;
    }
    // == binds more than what these tests compare.
    const bool is_whole = as_.framework == "gtest" || of.is_bool || callee(i).token.empty();
    lines_.push_back(seen != nullptr ? expectation(of, is_whole ? text : "(" + text + ")", *seen) : text + ";");
  }

  // ---- assertions

  std::string macro(const char* gtest, const char* other) const { return as_.framework == "gtest" ? gtest : other; }

  /// The preprocessor takes commas outside of parentheses for its own.
  static std::string for_macro(const std::string& text) {
    return text.find('<') != std::string::npos && text.find(',') != std::string::npos ? "(" + text + ")" : text;
  }

  std::string equal(const std::string& call, const std::string& expected) const {
    const std::string actual = call.starts_with('(') ? call : for_macro(call);
    return as_.framework == "gtest" ? fmt::format("EXPECT_EQ({}, {});", actual, expected)
                                    : fmt::format("CHECK({} == {});", actual, expected);
  }

  std::string expect_throw(const std::string& call) const {
    const std::string text = for_macro(call);
    if (of_.did.exception.empty() || of_.did.exception.find("anonymous") != std::string::npos)
      return fmt::format("{}({});", macro("EXPECT_ANY_THROW", "CHECK_THROWS"), text);
    return fmt::format("{}({}, {});", macro("EXPECT_THROW", "CHECK_THROWS_AS"), text, of_.did.exception);
  }

  std::string expectation(const returned& of, const std::string& call, const observation& seen) const {
    const std::string text = for_macro(call);
    const std::string value = seen.text.substr(1);
    switch (seen.text[0]) {
      case 'b':
        if (as_.framework == "gtest") return fmt::format("EXPECT_{}({});", value == "1" ? "TRUE" : "FALSE", text);
        return value == "1" ? fmt::format("CHECK({});", text) : fmt::format("CHECK_FALSE({});", text);
      case 'i':
        return equal(text, integer_text(std::atoll(value.c_str()), "int", of.bytes == 8 ? 8 : 4, false));
      case 'u':
        return equal(text, integer_text(static_cast<std::int64_t>(std::strtoull(value.c_str(), nullptr, 10)),
                                        "unsigned", of.bytes == 8 ? 8 : 4, true));
      case 'd': {
        const double number = std::strtod(value.c_str(), nullptr);
        if (std::isnan(number)) return fmt::format("{}(std::isnan({}));", macro("EXPECT_TRUE", "CHECK"), text);
        if (as_.framework != "gtest") return equal(text, real_text(number, of.bytes == 4));
        return fmt::format("EXPECT_{}_EQ({}, {});", of.bytes == 4 ? "FLOAT" : "DOUBLE", text,
                           real_text(number, of.bytes == 4));
      }
      case 's':
        if (of.how == returned::kind::c_text)
          return as_.framework == "gtest" ? fmt::format("EXPECT_STREQ({}, {});", text, quoted(value))
                                          : equal(fmt::format("std::string({})", text), quoted(value));
        return equal(text, quoted(value));
      case 'e':
        return equal(text, enumerator_text(of.type, of.enumerators, std::atoll(value.c_str())));
      case 'n':
        return equal(text, "nullptr");
      default:
        return as_.framework == "gtest" ? fmt::format("EXPECT_NE({}, nullptr);", text)
                                        : fmt::format("CHECK({} != nullptr);", text);
    }
  }

  void assert_parameter(const parameter& of, const std::string& name, const observation& seen) {
    returned as;
    as.how = of.how == parameter::kind::out ? returned::kind::text : returned::kind::number;
    as.type = of.type;
    as.enumerators = of.enumerators;
    as.bytes = of.bytes;
    lines_.push_back(expectation(as, name, seen));
  }

  const test_case& of_;
  const model& in_;
  const literal_table& literals_;
  const test_dialect& as_;
  std::vector<std::string> names_;
  std::vector<int> uses_;
  std::set<std::string> taken_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::string> cells_, texts_;
  std::vector<std::string> lines_;
};

}  // namespace

namespace {

std::string quoted_bytes(const std::string& text) {
  std::string made = "\"";
  bool after_number = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte >= 0x20 && byte < 0x7F;
    const bool is_trigraph = c == '?' && made.back() == '?';
    if (c == '"' || c == '\\' || is_trigraph) {
      made += '\\';
      made += c;
    } else if (c == '\n') {
      made += "\\n";
    } else if (c == '\t') {
      made += "\\t";
    } else if (is_plain) {
      if (after_number && std::isxdigit(byte) != 0) made += "\"\"";
      made += c;
    } else {
      made += fmt::format("\\x{:02x}", byte);
      after_number = true;
      continue;
    }
    after_number = false;
  }
  return made + '"';
}

}  // namespace

std::string quoted(const std::string& text) {
  const std::string made = quoted_bytes(text);
  if (text.find('\0') != std::string::npos) return fmt::format("std::string({}, {})", made, text.size());
  return made;
}

std::string literal_text(const parameter& of, std::uint32_t number, const literal_table& literals) {
  const literal& value = literals[number];
  if (of.how == parameter::kind::enumeration) return enumerator_text(of.type, of.enumerators, value.number);
  if (of.how == parameter::kind::list) {
    std::vector<std::string> elements;
    for (const std::uint32_t each : value.elements) {
      if (of.is_map) {
        const literal& pair = literals[each];
        elements.push_back(fmt::format("{{{}, {}}}", literal_text(of.elements[0], pair.elements[0], literals),
                                       literal_text(of.elements[1], pair.elements[1], literals)));
      } else {
        elements.push_back(literal_text(of.elements[0], each, literals));
      }
    }
    return fmt::format("{}{{{}}}", of.type, fmt::join(elements, ", "));
  }
  if (value.kind == 's') {
    const std::string text = quoted(value.text);
    if ((of.how == parameter::kind::text || of.how == parameter::kind::view) && !text.starts_with("std::"))
      return of.how == parameter::kind::text ? fmt::format("std::string({})", text)
                                             : fmt::format("std::string_view({})", text);
    if (of.how == parameter::kind::c_text) return quoted_bytes(value.text.substr(0, value.text.find('\0')));
    if (of.how == parameter::kind::array) return quoted_bytes(value.text);
    return text;
  }
  if (value.kind == 'd') return real_text(value.real, of.bytes == 4);
  if (of.is_bool) return value.number != 0 ? "true" : "false";
  if (of.is_character && value.number >= 0x20 && value.number < 0x7F && value.number != '\'' && value.number != '\\')
    return fmt::format("'{}'", static_cast<char>(value.number));
  return integer_text(value.number, of.type, of.bytes, of.is_unsigned);
}

std::string test_text(const test_case& of, const model& in, const literal_table& literals, const test_dialect& as) {
  std::string head = as.framework == "gtest" ? fmt::format("TEST({}, {}) {{\n", as.suite, of.name)
                                             : fmt::format("TEST_CASE(\"{} {}\") {{\n", as.suite, of.name);
  const std::string comment = of.purpose.empty() ? "" : fmt::format("// {}\n", of.purpose);
  return comment + head + test_writer(of, in, literals, as).write() + "}\n";
}

std::string source_text(const std::vector<test_case>& all, const model& in, const literal_table& literals,
                        const std::vector<std::string>& includes, const test_dialect& as) {
  std::string text = first_line;
  for (const std::string& each : includes) text += fmt::format("#include {}\n", each);
  text += fmt::format("#include {}\n", as.include);
  text += "\n#include <cmath>\n#include <sstream>\n#include <string>\n#include <utility>\n\n";
  for (std::size_t i = 0; i < all.size(); ++i) text += (i == 0 ? "" : "\n") + test_text(all[i], in, literals, as);
  return text;
}

}  // namespace morph::generate
