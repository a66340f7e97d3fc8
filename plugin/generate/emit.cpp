// Writing tests.
#include "plugin/generate/emit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "plugin/generate/expectations.hpp"
#include "plugin/generate/names.hpp"

namespace morph::generate {
namespace {

/// Writes the statements of one test.
class test_writer {
 public:
  test_writer(const test_case& of, const model& in, const literal_table& literals, const test_dialect& as)
      : of_(of), in_(in), literals_(literals), as_(as), names_(of.calls.size()), uses_(of.calls.size(), 0) {
    for (const call& each : of.calls)
      for (const argument& a : each.arguments)
        if (a.kind == morph_argument_value) ++uses_[a.number];
    find_owners();
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

  /// How the variable holds its object.
  enum class held : std::uint8_t { as_object, by_pointer, by_unique, by_shared };

  /// What is given to smart pointers lives in one from the beginning.
  void find_owners() {
    wanted_.assign(of_.calls.size(), held::as_object);
    for (std::uint32_t i = 0; i < of_.calls.size(); ++i) {
      const modelled_callable& c = callee(i);
      for (std::size_t p = 0; p < c.parameters.size(); ++p) {
        const argument& a = of_.calls[i].arguments[p + (c.has_receiver ? 1 : 0)];
        if (c.parameters[p].how != parameter::kind::owner || a.kind != morph_argument_value) continue;
        held& wanted = wanted_[a.number];
        if (wanted != held::by_unique) wanted = c.parameters[p].is_shared ? held::by_shared : held::by_unique;
      }
    }
  }

  held form_of(std::uint32_t i) const {
    const modelled_callable& c = callee(i);
    const bool has_owner = wanted_[i] != held::as_object;
    if (c.makes_object()) {
      if (c.how != modelled_callable::kind::stub && !in_.classes[c.class_number].is_destructible)
        return held::by_pointer;
      return wanted_[i];
    }
    for (const parameter& each : c.parameters)
      if (each.how == parameter::kind::made) return held::by_pointer;
    switch (c.result.how) {
      case returned::kind::pointer:
        if (!c.result.is_owned || of_.known.contains(i)) return held::by_pointer;
        return has_owner && c.result.destroyer.empty() ? wanted_[i] : held::by_unique;
      case returned::kind::holder:
        return c.result.type.find("shared_ptr") != std::string::npos ? held::by_shared : held::by_unique;
      default:
        return c.result.how == returned::kind::object ? wanted_[i] : held::as_object;
    }
  }
  bool is_pointer(std::uint32_t i) const { return form_of(i) == held::by_pointer; }
  bool is_owner(std::uint32_t i) const { return form_of(i) == held::by_unique || form_of(i) == held::by_shared; }
  const char* access(std::uint32_t i) const { return form_of(i) == held::as_object ? "." : "->"; }

  std::uint32_t class_of(std::uint32_t i) const {
    const modelled_callable& c = callee(i);
    if (c.makes_object()) return c.class_number;
    for (const parameter& each : c.parameters)
      if (each.how == parameter::kind::made) return each.class_number;
    return c.result.class_number;
  }

  std::string object(std::uint32_t i) const { return form_of(i) == held::as_object ? names_[i] : "*" + names_[i]; }
  std::string pointer(std::uint32_t i) const {
    return is_owner(i) ? names_[i] + ".get()" : is_pointer(i) ? names_[i] : "&" + names_[i];
  }

  std::string owner_text(const parameter& as, std::uint32_t i) const {
    if (!as.is_shared) return is_owner(i) ? fmt::format("std::move({})", names_[i]) : as.type + "(" + pointer(i) + ")";
    if (form_of(i) == held::by_shared) return as.by_move ? fmt::format("{}({})", as.type, names_[i]) : names_[i];
    return fmt::format("{}({}, [](const {}*) {{}})", as.type, pointer(i), in_.classes[as.class_number].name);
  }

  std::string length_text(std::uint32_t i, std::size_t p, const argument& counted) const {
    switch (callee(i).parameters[p - 1].how) {
      case parameter::kind::pointer:
        return counted.kind == morph_argument_nothing ? "0" : "1";
      case parameter::kind::given:
        return "1";
      case parameter::kind::items:
        return fmt::format("{}", literals_[counted.number].elements.size());
      default:
        return fmt::format("{}", literals_[counted.number].text.size());
    }
  }

  static std::string cast_to(const std::string& type, const std::string& value) {
    return type.empty() ? value : fmt::format("reinterpret_cast<{}>({})", type, value);
  }

  /// Of a type, where several callables may take it.
  static std::string null_text(const modelled_callable& of, const parameter& as) {
    if (!of.is_overloaded) return "nullptr";
    const bool is_text = as.how == parameter::kind::c_text;
    return fmt::format("static_cast<{}{}*>(nullptr)", is_text || as.is_constant ? "const " : "",
                       is_text ? "char" : as.type);
  }

  bool is_before(const modelled_callable& of, std::size_t p, parameter::kind how) const {
    return p + 1 < of.parameters.size() && of.parameters[p + 1].how == how;
  }

  /// A variable of values behind a pointer.
  std::string items_text(const modelled_callable& of, std::size_t p, const literal& values,
                         std::vector<std::string>& before) {
    const parameter& as = of.parameters[p];
    const std::string name = fresh_name(as.name.empty() ? "values" : as.name);
    const bool is_empty = values.elements.empty();
    const bool is_counted = is_before(of, p, parameter::kind::length);
    before.push_back(fmt::format(
        "std::vector<{}> {}{};", as.elements.front().type, name,
        is_empty ? is_counted ? "" : "(1)" : "{" + elements_text(as.elements.front(), values, literals_) + "}"));
    const bool is_cast = as.elements.front().how == parameter::kind::c_text && !as.is_constant;
    return is_cast ? fmt::format("const_cast<char**>({}.data())", name) : name + ".data()";
  }

  std::string memory_text(const parameter& as, const std::string& text, std::vector<std::string>& before,
                          std::string& name) {
    name = fresh_name(as.name.empty() ? "memory" : as.name);
    before.push_back(
        fmt::format("char {}[{}] = {};", name, bytes_of_buffer, quoted_bytes(text.substr(0, bytes_of_buffer - 1))));
    return name;
  }

  std::string file_text(const parameter& as, const std::string& text, std::vector<std::string>& before) {
    const std::string name = fresh_name(as.name.empty() ? "file" : as.name);
    before.push_back(
        fmt::format("const std::unique_ptr<std::FILE, int (*)(std::FILE*)> {}(std::tmpfile(), &std::fclose);", name));
    if (!text.empty()) {
      before.push_back(text.find('\0') == std::string::npos
                           ? fmt::format("std::fputs({}, {}.get());", quoted_bytes(text), name)
                           : fmt::format("std::fwrite({}, 1, {}, {}.get());", quoted_bytes(text), text.size(), name));
      before.push_back(fmt::format("std::rewind({}.get());", name));
    }
    return name + ".get()";
  }

  std::string words_text(const parameter& as, const literal& words, std::vector<std::string>& before) {
    const std::string name = fresh_name(as.name.empty() ? "argv" : as.name);
    std::string all = "\"program\", ";
    for (const std::uint32_t each : words.elements)
      all += quoted_bytes(literals_[each].text.substr(0, literals_[each].text.find('\0'))) + ", ";
    before.push_back(fmt::format("const char* {}[] = {{{}nullptr}};", name, all));
    return as.is_constant ? name : fmt::format("const_cast<char**>({})", name);
  }

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
        return a.kind == morph_argument_nothing ? null_text(of, as) : pointer(a.number);
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
        cells_[{i, p}] = name;
        if (as.is_owned)
          after_.push_back(fmt::format("const std::unique_ptr<{}> {}({});", as.type, fresh_name("owner"), name));
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
      case parameter::kind::length:
        return length_text(i, p, c.arguments[slot - 1]);
      case parameter::kind::owner:
        return owner_text(as, a.number);
      case parameter::kind::last_use:
        return is_owner(a.number) ? names_[a.number] + ".release()" : pointer(a.number);
      case parameter::kind::single:
        return fmt::format("{}{{{}}}", as.type, object(a.number));
      case parameter::kind::given: {
        const std::string name = fresh_name(as.name.empty() ? "given" : as.name);
        before.push_back(
            fmt::format("{}{}* {} = {};", as.is_constant ? "const " : "", as.type, name, pointer(a.number)));
        return "&" + name;
      }
      case parameter::kind::items:
        return items_text(of, p, literals_[a.number], before);
      case parameter::kind::file:
        return file_text(as, literals_[a.number].text, before);
      case parameter::kind::memory:
        if (a.kind == morph_argument_nothing) return "nullptr";
        return memory_text(as, literals_[a.number].text, before, texts_[{i, p}]);
      case parameter::kind::count:
        return fmt::format("{}", literals_[c.arguments[slot + 1].number].elements.size() + 1);
      case parameter::kind::words:
        return words_text(as, literals_[a.number], before);
      case parameter::kind::null:
        return "nullptr";
      case parameter::kind::array: {
        if (!is_before(of, p, parameter::kind::end)) {
          if (a.kind != morph_argument_nothing) return cast_to(as.written, literal_text(as, a.number, literals_));
          break;
        }
        const std::string name = fresh_name(as.name), text = quoted(literals_[a.number].text);
        // Text with zeros is quoted as a std::string.
        before.push_back(text.starts_with('"') ? fmt::format("const std::string {}({});", name, text)
                                               : fmt::format("const auto {} = {};", name, text));
        texts_[{i, p}] = name;
        return name + ".data()";
      }
      case parameter::kind::end:
        if (of.parameters[p - 1].how == parameter::kind::memory)
          return fmt::format("{} + {}", texts_.at({i, p - 1}),
                             std::min(literals_[c.arguments[slot - 1].number].text.size(), bytes_of_buffer - 1));
        return fmt::format("{0}.data() + {0}.size()", texts_.at({i, p - 1}));
      case parameter::kind::buffer: {
        const std::string name = fresh_name(as.name.empty() ? "buffer" : as.name);
        before.push_back(fmt::format("char {}[{}]{{}};", name, bytes_of_buffer));
        return cast_to(as.written, name);
      }
      case parameter::kind::room:
        return fmt::format("{}", bytes_of_buffer);
      case parameter::kind::callback:
        return fmt::format(fmt::runtime(as.written),
                           as.elements.empty() ? "" : literal_text(as.elements.front(), a.number, literals_));
      default:
        break;
    }
    if (a.kind == morph_argument_nothing) return null_text(of, as);
    // A field takes a text as it is.
    const bool is_field = of.how == modelled_callable::kind::aggregate || of.how == modelled_callable::kind::member;
    if (is_field && as.how == parameter::kind::text) return quoted(literals_[a.number].text);
    const std::string text = literal_text(as, a.number, literals_);
    if ((as.how == parameter::kind::list || as.how == parameter::kind::text) && as.by_pointer) {
      const std::string name = fresh_name(as.name.empty() ? "value" : as.name);
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
    if (of.makes_object()) {
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
      else if (of.is_for_temporary)
        text = written_call(of, fmt::format("std::move({})", object(receiver)), ".", arguments);
      else
        text = written_call(of, names_[receiver], access(receiver), arguments);
    } else {
      text = written_call(of, "", "", arguments);
    }
    if (threw)
      lines_.push_back(expected_exception(text, of_.did.exception, as_.framework));
    else
      write_result(i, of.result, text);
    lines_.insert(lines_.end(), after_.begin(), after_.end());
    after_.clear();
    for (const observation& each : of_.asserted)
      if (each.call == i && each.place > 0)
        if (const auto cell = cells_.find({i, each.place - 1}); cell != cells_.end())
          assert_parameter(of.parameters[each.place - 1], cell->second, each);
  }

  std::vector<std::string> without_answers(const modelled_callable& of, const std::vector<std::string>& all) const {
    return of.how == modelled_callable::kind::stub ? std::vector<std::string>() : all;
  }

  void write_construction(std::uint32_t i, const std::vector<std::string>& all, bool threw) {
    const modelled_callable& of = callee(i);
    const bool is_stub = of.how == modelled_callable::kind::stub;
    const bool is_aggregate = of.how == modelled_callable::kind::aggregate;
    const modelled_class& made = in_.classes[of.class_number];
    const std::string type = is_stub ? in_.stubs[of.stub].name : made.name;
    const std::vector<std::string> arguments = without_answers(of, all);
    const std::string in_brackets =
        fmt::format(fmt::runtime(is_aggregate ? "{{{}}}" : "({})"), fmt::join(arguments, ", "));
    if (threw) {
      lines_.push_back(expected_exception(type + in_brackets, of_.did.exception, as_.framework));
      return;
    }
    names_[i] = fresh_name(variable_name(made.name));
    if (is_owner(i))
      lines_.push_back(owned(i, type, "new " + type + (arguments.empty() ? std::string() : in_brackets)));
    else if (is_pointer(i))
      lines_.push_back(fmt::format("auto* const {} = new {}{};", names_[i], type, in_brackets));
    else if (arguments.empty())
      lines_.push_back(fmt::format("{} {}{};", type, names_[i], of.is_zeroing ? "{}" : ""));
    else
      lines_.push_back(fmt::format("{} {}{};", type, names_[i], in_brackets));
    if (!is_stub) return;
    for (std::size_t p = 0; p < of.parameters.size(); ++p) {
      const literal& values = literals_[of_.calls[i].arguments[p].number];
      if (!values.elements.empty())
        lines_.push_back(fmt::format("{}{}{}.values = {{{}}};", names_[i], access(i), of.parameters[p].name,
                                     elements_text(of.parameters[p].elements.front(), values, literals_)));
    }
  }

  std::string owned(std::uint32_t i, const std::string& type, const std::string& made) const {
    return fmt::format("std::{}<{}> {}({});", form_of(i) == held::by_shared ? "shared_ptr" : "unique_ptr", type,
                       names_[i], made);
  }

  bool is_constant(std::uint32_t call) const { return !callee(call).makes_object() && callee(call).result.is_constant; }

  bool has_changing_twin(const modelled_callable& of) const {
    return of.is_constant && of.how != modelled_callable::kind::member &&
           std::ranges::any_of(in_.callables, [&](const modelled_callable& each) {
             return each.has_receiver && !each.is_constant && each.class_number == of.class_number &&
                    each.method == of.method;
           });
  }

  /// Both are pointers or both are none, and what changes is not behind const.
  bool is_same_form(std::uint32_t i, std::uint32_t other) const {
    return !names_[other].empty() && form_of(i) == form_of(other) && (!is_constant(other) || is_constant(i));
  }

  void write_result(std::uint32_t i, const returned& of, const std::string& text) {
    const observation* seen = nullptr;
    for (const observation& each : of_.asserted)
      if (each.call == i && each.place == 0) seen = &each;
    const bool gives = of.how == returned::kind::object || of.how == returned::kind::reference ||
                       of.how == returned::kind::pointer || of.how == returned::kind::holder;
    if (const auto known = of_.known.find(i); gives && known != of_.known.end() && is_same_form(i, known->second)) {
      names_[i] = names_[known->second];
      lines_.push_back(text + ";");
      return;
    }
    const bool is_kept = of.how != returned::kind::holder && is_owner(i);  // or it would be lost
    if (gives && (uses_[i] > 0 || is_kept)) {
      const std::string type = in_.classes[of.class_number].name;
      names_[i] = fresh_name(variable_name(type));
      if (is_kept && of.how == returned::kind::object)
        lines_.push_back(owned(i, type, fmt::format("new {}({})", type, text)));
      else if (is_kept && !of.destroyer.empty())
        lines_.push_back(
            fmt::format("std::unique_ptr<{0}, void (*)({0}*)> {1}({2}, &{3});", type, names_[i], text, of.destroyer));
      else if (is_kept)
        lines_.push_back(owned(i, type, text));
      else
        lines_.push_back(fmt::format("{}{} = {};", declaration(of), names_[i], text));
      const bool is_null_or_not = of.how == returned::kind::pointer || of.how == returned::kind::holder;
      if (seen != nullptr && is_null_or_not) lines_.push_back(expectation(of, names_[i], *seen, as_.framework));
      return;
    }
    // == binds more than what these tests compare.
    const bool is_whole = as_.framework == "gtest" || of.is_bool || callee(i).token.empty();
    lines_.push_back(seen != nullptr ? expectation(of, is_whole ? text : "(" + text + ")", *seen, as_.framework)
                                     : text + ";");
  }

  // ---- assertions

  void assert_parameter(const parameter& of, const std::string& name, const observation& seen) {
    returned as;
    as.how = of.how == parameter::kind::out    ? returned::kind::text
             : of.how == parameter::kind::made ? returned::kind::pointer
                                               : returned::kind::number;
    as.type = of.type;
    as.enumerators = of.enumerators;
    as.bytes = of.bytes;
    lines_.push_back(expectation(as, name, seen, as_.framework));
  }

  const test_case& of_;
  const model& in_;
  const literal_table& literals_;
  const test_dialect& as_;
  std::vector<std::string> names_;
  std::vector<int> uses_;
  std::vector<held> wanted_;
  std::set<std::string> taken_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::string> cells_, texts_;
  std::vector<std::string> lines_, after_;
};

}  // namespace

std::string test_text(const test_case& of, const model& in, const literal_table& literals, const test_dialect& as) {
  std::string head = as.framework == "gtest" ? fmt::format("TEST({}, {}) {{\n", as.suite, of.name)
                                             : fmt::format("TEST_CASE(\"{} {}\") {{\n", as.suite, of.name);
  const std::string comment = of.purpose.empty() ? "" : fmt::format("// {}\n", of.purpose);
  return comment + head + test_writer(of, in, literals, as).write() + "}\n";
}

}  // namespace morph::generate
