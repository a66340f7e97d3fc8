// Parameters to input and output, by what is read and written.
#include "plugin/authoring/skeleton.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "plugin/authoring/datamorphisms.hpp"

namespace morph::authoring {
namespace {

using nlohmann::json;
using made_or_error = tl::expected<void, std::string>;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_size_of_something(const json& parameter) {
  static const std::set<std::string> names{"n",  "size",  "len",       "length",  "count",  "nbytes", "num",
                                           "sz", "bytes", "sourcelen", "bufsize", "buflen", "datalen"};
  const std::string name = lower(parameter.at("name"));
  return names.contains(name) || name.ends_with("size") || name.ends_with("len") || name.ends_with("length") ||
         name.ends_with("_count");
}

/// Goes by its name: nothing else tells that the function does not read it.
bool is_output_alone(const json& parameter) {
  const std::string name = lower(parameter.at("name"));
  for (const char* begin : {"out", "result", "dest", "dst"})
    if (name.starts_with(begin)) return true;
  return name.ends_with("_out") || name.ends_with("_result");
}

/// Of a pointer to a number that may be written: whether it is to one, and not to the first of many. Goes by its name,
/// too.
bool points_to_one(const json& parameter) {
  static const std::set<std::string> many{"array", "begin", "buf",   "buffer", "cur",    "data",  "dest",
                                          "dst",   "end",   "first", "from",   "in",     "input", "it",
                                          "last",  "list",  "pos",   "ptr",    "source", "src",   "to"};
  const std::string name = lower(parameter.at("name"));
  const bool is_plural = name.ends_with('s') && !name.ends_with("ss") && !name.ends_with("us");
  return name.size() > 2 && !is_plural && !many.contains(name);
}

/// Numbers that are written by pointer are results more often than references are.
bool is_written_alone(const json& parameter) {
  static const std::set<std::string> names{"err", "error", "ret", "retval", "status", "val", "value"};
  return is_output_alone(parameter) || is_size_of_something(parameter) || names.contains(lower(parameter.at("name")));
}

class skeleton_maker {
 public:
  skeleton_maker(std::string name, const json& function, described_types& types) : function_(function), types_(types) {
    made_.name = std::move(name);
    made_.function = function.at("signature");
    made_.fields = json::array();
    made_.output = json::array();
    made_.may_throw = !function.at("noexcept").get<bool>();
  }

  tl::expected<spec_skeleton, std::string> make(const json& input) {
    if (auto done = add_object(); !done) return tl::unexpected(done.error());
    const json& parameters = function_.at("parameters");
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].at("has_default")) {
        made_.notes.push_back(fmt::format("The default is taken for {}.", name_of(parameters[i], i)));
        break;
      }
      auto done = add_parameter(parameters, i);
      if (!done) return tl::unexpected(done.error());
    }
    if (made_.fields.empty())
      return tl::unexpected(fmt::format(
          "'{}' takes nothing that could be varied; a spec is of a function of some input", made_.function));
    if (made_.fields.size() == 1) {
      if (types_.kind(made_.fields[0]) != "bool" || !input.is_null()) made_.fields[0]["name"] = "";
    }
    if (!input.is_null())
      if (auto done = take_input(input); !done) return tl::unexpected(done.error());
    if (auto done = write_call(); !done) return tl::unexpected(done.error());
    return made_;
  }

 private:
  static std::string name_of(const json& parameter, std::size_t place) {
    const std::string name = parameter.at("name");
    return name.empty() ? fmt::format("parameter {}", place + 1) : "'" + name + "'";
  }

  /// In expressions, "{in.NAME}" stands for a member: whether the input has members is known at the end.
  std::string add_field(json use, std::string wanted, std::size_t place) {
    wanted = as_identifier(wanted.empty() ? fmt::format("value_{}", place + 1) : wanted);
    const auto is_taken = [&](const std::string& name) {
      return std::ranges::any_of(made_.fields, [&](const json& f) { return f.at("name") == name; });
    };
    std::string name = wanted;
    for (int i = 2; is_taken(name); ++i) name = fmt::format("{}_{}", wanted, i);
    use["name"] = name;
    use["passed"] = "value";
    use["from"] = from_;
    made_.fields.push_back(std::move(use));
    return "{in." + name + "}";
  }

  tl::expected<std::string, std::string> no_way(const std::string& why, const json* type = nullptr) const {
    std::string text = fmt::format("'{}' cannot be given values: {}", made_.function, why);
    if (type != nullptr && type->at("kind") == "record") text += "; " + hooks_to_write(*type);
    return tl::unexpected(text + "\nor write a function that makes it of simpler parameters, and take that");
  }

  /// A new value of that type: a member of the input, or made of members that a constructor takes.
  tl::expected<std::string, std::string> value_of(const json& use, const std::string& name, std::size_t place) {
    const json& type = types_.of(use);
    const std::string why = types_.no_input(use);
    const bool is_readable = type.at("kind") != "record" || type.value("aggregate", false) || type.contains("hooks");
    if (why.empty() && is_readable) return add_field(use, name, place);
    if (type.at("kind") != "record") return no_way(why, &type);
    if (type.value("abstract", false))
      return no_way(fmt::format("'{}' is abstract", use.at("spelled").get<std::string>()));
    const json* chosen = nullptr;
    static const json none = json::array();
    for (const json& each : type.contains("constructors") ? type["constructors"] : none) {
      const std::size_t needed = needed_of(each);
      bool good = needed > 0;
      for (std::size_t i = 0; good && i < needed; ++i) good = is_plain(each[i]);
      if (good && (chosen == nullptr || needed < needed_of(*chosen))) chosen = &each;
    }
    const std::string spelled = use.at("spelled");
    if (chosen == nullptr) {
      if (!type.value("default", false))
        return no_way(why.empty() ? "no constructor of it takes plain values" : why, &type);
      made_.notes.push_back(fmt::format("It is called with a new {} each time.", spelled));
      return spelled + "()";
    }
    std::vector<std::string> arguments;
    const std::vector<std::size_t> whole_from = from_;
    for (std::size_t i = 0; i < needed_of(*chosen); ++i) {
      from_ = {whole_from[0], i, needed_of(*chosen)};
      const json& each = (*chosen)[i];
      const std::string called = each.at("name"), of = called.empty() ? std::to_string(i + 1) : called;
      const std::string whole = name.empty() ? of : name + "_" + of;
      if (each.at("passed") == "const_pointer" && i + 1 < needed_of(*chosen) && is_size((*chosen)[i + 1])) {
        const std::string field = add_field(types_.string(), whole, i);
        arguments.push_back(field + ".data()");
        arguments.push_back(size_of(field, (*chosen)[++i]));
        continue;
      }
      arguments.push_back(plain_argument(each, whole, i));
    }
    from_ = whole_from;
    made_.notes.push_back(fmt::format("Each {} is made by its constructor.", spelled));
    return fmt::format("{}({})", spelled, fmt::join(arguments, ", "));
  }

  static std::size_t needed_of(const json& constructor) {
    std::size_t needed = 0;
    while (needed < constructor.size() && !constructor[needed].at("has_default").get<bool>()) ++needed;
    return needed;
  }

  bool is_size(const json& parameter) const {
    return types_.kind(parameter) == "integer" && parameter.at("passed") == "value" && is_size_of_something(parameter);
  }

  static std::string size_of(const std::string& range, const json& parameter) {
    return fmt::format("static_cast<{}>({}.size())", parameter.at("spelled").get<std::string>(), range);
  }

  bool is_plain(const json& use) const {
    const std::string passed = use.at("passed"), kind = types_.kind(use);
    if (passed == "const_pointer") return kind == "character";
    if (passed == "reference" || passed == "pointer") return false;
    return kind == "string_view" || types_.no_input(use).empty();
  }

  std::string plain_argument(const json& use, const std::string& name, std::size_t place) {
    const std::string kind = types_.kind(use);
    if (use.at("passed") == "const_pointer") return add_field(types_.string(), name, place) + ".c_str()";
    if (kind == "string_view") return add_field(types_.string(), name, place);
    if (use.at("passed") == "move")
      return fmt::format("{}({})", use.at("spelled").get<std::string>(), add_field(use, name, place));
    return add_field(use, name, place);
  }

  void add_local(const json& use, const std::string& value, const std::string& name) {
    json made = use;
    made["name"] = name;
    made["passed"] = "value";
    const std::string spelled = use.at("spelled");
    before_.push_back(value.empty() ? fmt::format("{} {}{{}};", spelled, name)
                                    : fmt::format("{} {} = {};", spelled, name, value));
    outputs_.push_back(std::move(made));
  }

  made_or_error add_object() {
    if (!function_.contains("class") || function_.at("static")) return {};
    const json& use = function_["class"];
    const std::string name = types_.of(use).value("name", "object");
    const auto value = value_of(use, lower(name), 0);
    if (!value) return tl::unexpected(value.error());
    const bool is_temporary = !value->starts_with('{');
    if (function_.at("constant") && !is_temporary) {
      object_ = *value;
      return {};
    }
    before_.push_back(fmt::format("{}{} object = {};", function_.at("constant") ? "const " : "",
                                  use.at("spelled").get<std::string>(), *value));
    object_ = "object";
    object_use_ = use;
    return {};
  }

  made_or_error add_parameter(const json& parameters, std::size_t& i) {
    from_ = {i + (object_.empty() ? 0 : 1)};
    const json& p = parameters[i];
    const std::string passed = p.at("passed"), kind = types_.kind(p), name = p.at("name");
    const std::string type = p.at("type");
    const std::string local = as_identifier(name.empty() ? fmt::format("value_{}", i + 1) : name);
    const auto take = [&](tl::expected<std::string, std::string> value) -> made_or_error {
      if (!value) return tl::unexpected(value.error());
      arguments_.push_back(std::move(*value));
      return {};
    };
    if (passed == "pointer" || passed == "const_pointer") return add_pointer(parameters, i, local);
    if (passed == "reference" && (type == "std::basic_ostream<char>" || type == "std::basic_istream<char>")) {
      const bool is_output = type == "std::basic_ostream<char>";
      const std::string of = is_output ? "" : "(" + add_field(types_.string(), name, i) + ")";
      before_.push_back(fmt::format("std::{}stringstream {}{};", is_output ? "o" : "i", local, of));
      if (is_output) {
        json made = types_.string();
        made["name"] = local;
        made["expression"] = local + ".str()";
        outputs_.push_back(std::move(made));
      }
      return take(local);
    }
    if (passed == "reference") {
      const std::string why = types_.no_input(p);
      if (!why.empty())
        return take(no_way(fmt::format("{} is a reference, and {}", name_of(p, i), why), &types_.of(p)));
      add_local(p, is_output_alone(p) ? "" : add_field(p, name, i), local);
      if (is_output_alone(p)) made_.notes.push_back(fmt::format("By its name, '{}' is an output alone.", name));
      return take(local);
    }
    if (kind == "string_view") return take(add_field(types_.string(), name, i));
    if (kind == "span") {
      const json& held = types_.of(p).at("of")[0];
      if (!types_.no_input(held).empty()) return take(no_way(types_.no_input(held)));
      return take(add_range(held, local, name, i, held.at("spelled").get<std::string>().starts_with("const ")));
    }
    if (passed == "move") {
      const auto value = value_of(p, name, i);
      if (!value || !value->starts_with('{')) return take(value);
      return take(fmt::format("{}({})", p.at("spelled").get<std::string>(), *value));
    }
    return take(value_of(p, name, i));
  }

  /// A vector for who takes a span, or a pointer and a size.
  std::string add_range(const json& held, const std::string& local, const std::string& name, std::size_t place,
                        bool is_constant) {
    const json use = types_.vector_of(held);
    const std::string field = add_field(use, name, place);
    if (is_constant) return field;
    add_local(use, field, local);
    return local;
  }

  static bool is_scalar(const std::string& kind) {
    return kind == "integer" || kind == "floating" || kind == "bool" || kind == "enumeration";
  }

  /// As far as anyone can tell without the function's text.
  bool is_to_one(const json& parameters, const json& p) const {
    const std::string kind = types_.kind(p);
    const bool is_byte = kind == "integer" && types_.of(p).at("bits") == 8;
    if (is_byte || kind == "void" || kind.ends_with("character") || !types_.no_input(p).empty()) return false;
    if (!is_scalar(kind)) return true;
    const bool is_beside_a_size = std::ranges::any_of(parameters, [&](const json& each) { return is_size(each); });
    return points_to_one(p) && (is_size_of_something(p) || !is_beside_a_size);
  }

  made_or_error add_pointer(const json& parameters, std::size_t& i, const std::string& local) {
    const json& p = parameters[i];
    const std::string kind = types_.kind(p), name = p.at("name"), spelled = p.at("spelled");
    const bool is_constant = p.at("passed") == "const_pointer";
    const bool has_size = i + 1 < parameters.size() && is_size(parameters[i + 1]);
    const bool is_byte = kind == "character" || kind == "void" || (kind == "integer" && types_.of(p).at("bits") == 8);
    if (is_constant && has_size && is_byte) {
      const std::string field = add_field(types_.string(), name, i);
      arguments_.push_back(kind == "integer" ? fmt::format("reinterpret_cast<const {}*>({}.data())", spelled, field)
                                             : field + ".data()");
      arguments_.push_back(size_of(field, parameters[++i]));
      return {};
    }
    if (is_constant && kind == "character") {
      arguments_.push_back(add_field(types_.string(), name, i) + ".c_str()");
      return {};
    }
    if (has_size && kind != "void" && types_.no_input(p).empty()) {
      const std::string range = add_range(p, local, name, i, is_constant);
      arguments_.push_back(range + ".data()");
      arguments_.push_back(size_of(range, parameters[++i]));
      return {};
    }
    if (kind == "record" || kind == "owner")
      if (const std::string why = types_.no_input(p); !why.empty())
        return tl::unexpected(
            no_way(fmt::format("{} is a pointer, and {}", name_of(p, i), why), &types_.of(p)).error());
    if (is_constant && kind == "record") {
      arguments_.push_back("&" + add_field(p, name, i));
      return {};
    }
    if (!is_constant && !has_size && is_to_one(parameters, p)) {
      const bool is_number = is_scalar(kind);
      const bool is_alone = is_number ? is_written_alone(p) : is_output_alone(p);
      add_local(p, is_alone ? "" : add_field(p, name, i), local);
      arguments_.push_back("&" + local);
      if (is_number) made_.notes.push_back(fmt::format("By its name, '{}' points to one {}.", name, spelled));
      if (is_alone) made_.notes.push_back(fmt::format("By its name, '{}' is an output alone.", name));
      return {};
    }
    return tl::unexpected(fmt::format(
        "'{}' cannot be given values: {} is a pointer, which does not say to how many values; write a function that "
        "takes a std::vector<{}> or a reference, and take that",
        made_.function, name_of(p, i), spelled));
  }

  /// A type of the user's in the place of ours.
  made_or_error take_input(const json& input) {
    const json& type = types_.of(input);
    const auto same = [&](const json& a, const json& b) {
      return a.at("type") == b.at("type") || a.at("spelled") == b.at("spelled");
    };
    made_.given_input = input.at("spelled");
    if (types_.kind(input) == "bool")
      return tl::unexpected(
          std::string("the input of a spec cannot be bool; leave out --input, and it becomes a struct with a bool"));
    if (made_.fields.size() == 1 && same(input, made_.fields[0])) return {};
    if (made_.fields.size() == 1 && is_number(input) && is_number(made_.fields[0])) {
      cast_ = made_.fields[0].at("spelled");
      const json from = made_.fields[0].at("from");
      made_.fields[0] = input;
      made_.fields[0]["name"] = "";
      made_.fields[0]["from"] = from;
      return {};
    }
    const json members = type.value("fields", json::array());
    bool fits = type.at("kind") == "record" && members.size() == made_.fields.size() && types_.no_input(input).empty();
    for (std::size_t i = 0; fits && i < members.size(); ++i) fits = same(members[i], made_.fields[i]);
    if (fits) {
      const json fields = std::exchange(made_.fields, members);
      for (std::size_t i = 0; i < members.size(); ++i) {
        renamed_.push_back(fields[i].at("name"));
        made_.fields[i]["from"] = fields[i].at("from");
      }
      return {};
    }
    std::vector<std::string> needed;
    for (const json& each : made_.fields)
      needed.push_back(fmt::format("{}{}{}", each.at("spelled").get<std::string>(),
                                   each.at("name").get<std::string>().empty() ? "" : " ",
                                   each["name"].get<std::string>()));
    std::string why = types_.no_input(input);
    return tl::unexpected(fmt::format(
        "'{}' is not what '{}' takes, which is {}{}{}; leave out --input, and it is found out, or take {}",
        made_.given_input, made_.function, fmt::join(needed, ", "), why.empty() ? "" : " (and ",
        why.empty() ? "" : why + ")",
        made_.fields.size() == 1 ? "a function from the one to the other"
                                 : fmt::format("a struct with just these {} members", made_.fields.size())));
  }

  bool is_number(const json& use) const {
    const std::string kind = types_.kind(use);
    return kind == "integer" || kind == "floating";
  }

  /// Puts members in the places that add_field() left.
  std::string finish(std::string text) const {
    for (auto at = text.find("{in."); at != std::string::npos; at = text.find("{in.", at)) {
      const auto end = text.find('}', at);
      std::string name = text.substr(at + 4, end - at - 4);
      std::string by = "in." + name;
      for (std::size_t i = 0; i < renamed_.size(); ++i)
        if (renamed_[i] == name) by = "in." + made_.fields[i].at("name").get<std::string>();
      if (made_.fields.size() == 1 && made_.fields[0].at("name").get<std::string>().empty()) by = "in";
      if (!cast_.empty()) by = fmt::format("static_cast<{}>({})", cast_, by);
      text.replace(at, end - at + 1, by);
      at += by.size();
    }
    return text;
  }

  made_or_error write_call() {
    std::string called = function_.at("name");
    if (!object_.empty()) called = object_ + "." + called.substr(called.rfind(':') + 1);
    if (function_.contains("instance")) called = function_["instance"];
    const std::string call = fmt::format("{}({})", called, fmt::join(arguments_, ", "));
    const json& result = function_.at("result");
    const bool is_void = types_.kind(result) == "void" && result.at("passed") == "value";
    std::vector<std::string> lines = before_;
    if (is_void) {
      if (outputs_.empty() && !object_use_.is_null() && !function_.at("constant")) {
        json object = object_use_;
        object["name"] = "object";
        outputs_.push_back(std::move(object));
      }
      if (outputs_.empty())
        return tl::unexpected(
            fmt::format("'{}' gives nothing and changes none of its parameters: there is no output that could be "
                        "looked at; write a function that gives what it is there for, and take that",
                        made_.function));
      lines.push_back(call + ";");
    } else {
      json use = result;
      const auto expression = taken_from(use, call, lines, !outputs_.empty());
      if (!expression) return tl::unexpected(expression.error());
      use["name"] = "returned";
      use["passed"] = "value";
      use["expression"] = *expression;
      outputs_.insert(outputs_.begin(), std::move(use));
    }
    for (const json& each : outputs_)
      if (auto good = can_be_output(each); !good) return good;
    std::vector<std::string> values;
    for (json& each : outputs_) {
      const std::string name = each.at("name");
      values.push_back(each.value("expression", name));
    }
    if (outputs_.size() == 1) {
      outputs_[0]["name"] = "";
      lines.push_back(fmt::format("return {};", values[0]));
    } else {
      lines.push_back(fmt::format("return {{{}}};", fmt::join(values, ", ")));
    }
    for (std::string& line : lines) made_.call.push_back(finish(std::move(line)));
    for (json& each : outputs_) made_.output.push_back(std::move(each));
    return {};
  }

  /// What of a result is an output; `use` becomes its type.
  tl::expected<std::string, std::string> taken_from(json& use, const std::string& call, std::vector<std::string>& lines,
                                                    bool keep) {
    const std::string passed = use.at("passed"), kind = types_.kind(use);
    const auto kept = [&](const std::string& value) {
      lines.push_back(fmt::format("auto&& returned = {};", value));
      return std::string("returned");
    };
    if (passed.ends_with("pointer")) {
      if (kind != "character")
        return tl::unexpected(fmt::format(
            "'{}' gives a pointer, which is no output by itself; write a function that gives what is to be looked at, "
            "and take that",
            made_.function));
      use = types_.string();
      lines.push_back(fmt::format("const char* const returned = {};", call));
      return std::string("std::string(returned == nullptr ? \"\" : returned)");
    }
    if (kind == "string_view") {
      use = types_.string();
      return fmt::format("std::string({})", keep ? kept(call) : call);
    }
    if (kind == "owner") {
      const json held = types_.of(use).at("of")[0];
      if (!types_.no_text(held).empty())
        return tl::unexpected(fmt::format("'{}' gives what cannot be looked at: {}; {}", made_.function,
                                          types_.no_text(held), hooks_to_write(types_.of(held))));
      use = types_.optional_of(held);
      kept(call);
      return fmt::format("returned ? {}(*returned) : std::nullopt", use.at("spelled").get<std::string>());
    }
    return keep ? kept(call) : call;
  }

  made_or_error can_be_output(const json& use) {
    const std::string why = types_.no_text(use);
    if (why.empty()) return {};
    const json& type = types_.of(use);
    // Without a text an output can still be compared, but not shown.
    if (type.at("kind") == "record" && type.value("complete", false) && !type.value("aggregate", false) &&
        type.value("copyable", false) && outputs_.size() == 1) {
      made_.notes.push_back(
          fmt::format("The output cannot be shown: {}. To have it shown, {}", why, hooks_to_write(type)));
      outputs_[0]["has_text"] = false;
      return {};
    }
    return tl::unexpected(fmt::format("'{}' gives what cannot be looked at: {}; {}", made_.function, why,
                                      type.at("kind") == "record" ? hooks_to_write(type) : "take another function"));
  }

  const json& function_;
  described_types& types_;
  spec_skeleton made_;
  std::vector<std::string> before_, arguments_, renamed_;
  std::vector<json> outputs_;
  std::string object_, cast_;
  std::vector<std::size_t> from_{0};  // the argument of the call; with a constructor, its argument and how many it has
  json object_use_;
};

}  // namespace

tl::expected<spec_skeleton, std::string> make_skeleton(const std::string& name, const json& function,
                                                       described_types& types, const json& input) {
  return skeleton_maker(name, function, types).make(input);
}

}  // namespace morph::authoring
