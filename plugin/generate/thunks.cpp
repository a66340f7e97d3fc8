// Writing C++ that calls everything.
#include "plugin/generate/thunks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "plugin/generate/implied.hpp"

namespace morph::generate {
namespace {

/// What stands before and behind a call.
struct around {
  std::vector<std::string> before{}, after{};
};

/// A variable of the call, for parameter `place`.
std::string variable(around& to, std::size_t place, const std::string& value) {
  to.before.push_back(fmt::format("auto& c{} = {};", place, value));
  return fmt::format("c{}", place);
}

std::string literal_text(const parameter& of, const std::string& a, std::size_t place, around& to) {
  switch (of.how) {
    case parameter::kind::number:
      return fmt::format("f.number<{}>({})", of.type, a);
    case parameter::kind::enumeration:
      return fmt::format("f.enumerator<{}>({})", of.type, a);
    case parameter::kind::view:
      return fmt::format("std::string_view(f.text({}))", a);
    case parameter::kind::list: {
      const std::string filled = of.is_optional ? fmt::format("f.perhaps<{}>({})", of.type, a)
                                 : of.is_tuple  ? fmt::format("f.of_elements<{}>({})", of.type, a)
                                                : fmt::format("f.filled<{}>({})", of.type, a);
      return of.by_pointer ? "&" + variable(to, place, fmt::format("f.hold_copy({})", filled)) : filled;
    }
    default:
      if (of.by_pointer) return fmt::format("&f.text({})", a);
      return of.by_move ? fmt::format("std::string(f.text({}))", a) : fmt::format("f.text({})", a);
  }
}

std::string length_text(const parameter& counted, std::size_t slot, std::size_t place) {
  switch (counted.how) {
    case parameter::kind::items:
      return fmt::format("c{}.size()", place - 1);
    case parameter::kind::pointer:
      return fmt::format("f.is_there(a[{}])", slot - 1);
    case parameter::kind::given:
      return "1";
    default:
      return fmt::format("f.size_of_text(a[{}])", slot - 1);
  }
}

std::string cast_to(const std::string& type, const std::string& value) {
  return type.empty() ? value : fmt::format("reinterpret_cast<{}>({})", type, value);
}

std::string owner_text(const parameter& of, const std::string& a) {
  const char* const how = of.is_shared ? "shared" : "given_away";
  return fmt::format("f.{}<{}>({}, {})", how, of.type, a, of.class_number);
}

/// Statics: a lambda that is a function pointer captures nothing.
std::string callback_text(const parameter& of, const std::string& a, std::size_t place, around& to) {
  if (of.elements.empty()) return fmt::format(fmt::runtime(of.written), "");
  const parameter& given = of.elements.front();
  const std::string value =
      given.how == parameter::kind::c_text ? fmt::format("f.c_text({})", a) : literal_text(given, a, place, to);
  to.before.push_back(fmt::format("static {} c{}; c{} = {};", given.type, place, place, value));
  return fmt::format(fmt::runtime(of.written), fmt::format("c{}", place));
}

/// Texts may be asked for as if they were written to.
std::string as_pointer(const parameter& items, const std::string& data) {
  const bool is_cast = items.elements.front().how == parameter::kind::c_text && !items.is_constant;
  return is_cast ? fmt::format("const_cast<char**>({})", data) : data;
}

bool is_counted(const modelled_callable& call, std::size_t place) {
  return place + 1 < call.parameters.size() && call.parameters[place + 1].how == parameter::kind::length;
}

std::string argument_text(const modelled_callable& call, std::size_t slot, around& to, std::size_t place) {
  const parameter& of = call.parameters[place];
  const std::string a = fmt::format("a[{}]", slot);
  const char* const by_address = of.by_pointer ? "&" : "";
  switch (of.how) {
    case parameter::kind::number:
    case parameter::kind::enumeration:
    case parameter::kind::text:
    case parameter::kind::view:
    case parameter::kind::list:
      return literal_text(of, a, place, to);
    case parameter::kind::c_text:
      return fmt::format("f.c_text({})", a);
    case parameter::kind::array:
      if (place + 1 < call.parameters.size() && call.parameters[place + 1].how == parameter::kind::end)
        return fmt::format("f.c_text({})", a);
      return cast_to(of.written, fmt::format("f.c_text({})", a));
    case parameter::kind::buffer:
      return cast_to(of.written, "f.buffer()");
    case parameter::kind::memory:
      to.before.push_back(fmt::format("char* const c{} = f.memory({});", place, a));
      return fmt::format("c{}", place);
    case parameter::kind::room:
      return fmt::format("{}", bytes_of_buffer);
    case parameter::kind::length:
      return length_text(call.parameters[place - 1], slot, place);
    case parameter::kind::end:
      if (call.parameters[place - 1].how == parameter::kind::memory)
        return fmt::format("c{} + f.size_of_memory(a[{}])", place - 1, slot - 1);
      return fmt::format("f.end_of_text(a[{}])", slot - 1);
    case parameter::kind::object: {
      const std::string object = fmt::format("f.object<{}>({}, {})", of.type, a, of.class_number);
      return of.by_move ? fmt::format("std::move({})", object) : object;
    }
    case parameter::kind::pointer:
      return fmt::format("f.pointer<{}>({}, {})", of.type, a, of.class_number);
    case parameter::kind::owner:
      return owner_text(of, a);
    case parameter::kind::last_use:
      return fmt::format("f.last_use<{}>({}, {})", of.type, a, of.class_number);
    case parameter::kind::single:
      return fmt::format("{}{{f.object<typename {}::value_type>({}, {})}}", of.type, of.type, a, of.class_number);
    case parameter::kind::cell:
      if (of.is_observed && of.elements.empty()) to.after.push_back(fmt::format("f.see({}, c{});", place + 1, place));
      return by_address + variable(to, place, fmt::format("f.cell<{}>()", of.type));
    case parameter::kind::made:
      to.before.push_back(fmt::format("{}{}* c{} = nullptr;", of.is_constant ? "const " : "", of.type, place));
      to.after.push_back(
          fmt::format("f.{}({}, c{}, {});", of.is_owned ? "adopt" : "refer", of.class_number, place, place + 1));
      return fmt::format("{}c{}", by_address, place);
    case parameter::kind::given:
      to.before.push_back(fmt::format("{}{}* c{} = &f.object<{}>({}, {});", of.is_constant ? "const " : "", of.type,
                                      place, of.type, a, of.class_number));
      return fmt::format("&c{}", place);
    case parameter::kind::items: {
      const char* const made = is_counted(call, place) ? "items" : "some";
      return as_pointer(
          of, variable(to, place, fmt::format("f.{}<{}>({})", made, of.elements.front().type, a)) + ".data()");
    }
    case parameter::kind::in:
      return by_address + variable(to, place, fmt::format("f.in<{}>({})", of.type, a));
    case parameter::kind::out:
      to.after.push_back(fmt::format("f.see({}, c{}.str());", place + 1, place));
      return by_address + variable(to, place, fmt::format("f.out<{}>()", of.type));
    case parameter::kind::file:
      return fmt::format("f.file({})", a);
    case parameter::kind::count:
      to.before.push_back(fmt::format("auto& c{} = f.words(a[{}]);", place + 1, slot + 1));
      return fmt::format("static_cast<int>(c{}.size() - 1)", place + 1);
    case parameter::kind::words:
      return fmt::format("{}(c{}.data())", of.is_constant ? "" : "const_cast<char**>", place);
    case parameter::kind::null:
      return "nullptr";
    case parameter::kind::callback:
      return callback_text(of, a, place, to);
    case parameter::kind::answers:
      return {};
  }
  return {};
}

std::string call_text(const modelled_callable& of, const std::vector<std::string>& arguments,
                      const modelled_class* receiver) {
  std::string object = of.has_receiver ? fmt::format("f.object<{}{}>(a[0], {})", of.is_constant ? "const " : "",
                                                     receiver->name, of.class_number)
                                       : std::string();
  if (of.is_for_temporary) object = fmt::format("std::move({})", object);
  return written_call(of, object, ".", arguments);
}

/// What becomes of the call's value.
std::string kept(const returned& of, const std::string& call, const std::vector<modelled_class>& classes) {
  switch (of.how) {
    case returned::kind::nothing:
      return call + ";";
    case returned::kind::number:
    case returned::kind::enumeration:
    case returned::kind::c_text:
      return fmt::format("f.see(0, {});", call);
    case returned::kind::text:
      return of.is_view ? fmt::format("f.see(0, std::string({}));", call) : fmt::format("f.see(0, {});", call);
    case returned::kind::object:
      return fmt::format("f.keep({}, new {}({}));", of.class_number, classes[of.class_number].name, call);
    case returned::kind::reference:
      return fmt::format("f.borrow({}, &({}));", of.class_number, call);
    case returned::kind::pointer:
      if (!of.destroyer.empty())
        return fmt::format("f.adopt_for({}, {}, [](void* o) {{ {}(static_cast<{}*>(o)); }});", of.class_number, call,
                           of.destroyer, classes[of.class_number].name);
      return fmt::format("f.{}({}, {});", of.is_owned ? "adopt" : "refer", of.class_number, call);
    case returned::kind::holder:
      return of.by_reference ? fmt::format("f.refer({}, ({}).get());", of.class_number, call)
                             : fmt::format("f.hold_owner({}, {});", of.class_number, call);
    case returned::kind::other:
      return fmt::format("(void)({});", call);
  }
  return {};
}

/// An object of a class that only this function has.
std::string stub_body(const modelled_callable& of, const modelled_stub& stub, const modelled_class& base) {
  std::set<std::string> answered;
  std::string fills;
  for (std::size_t p = 0; p < of.parameters.size(); ++p) {
    answered.insert(of.parameters[p].name);
    fills += fmt::format(" f.fill(a[{}], made->{}.values);", p, of.parameters[p].name);
  }
  return fmt::format("{}auto* const made = new {}; f.keep_as<{}>({}, made);{}", stub_text(stub, answered, ""),
                     stub.name, base.name, of.class_number, fills);
}

std::string made_object(const modelled_callable& of, const modelled_class& made,
                        const std::vector<std::string>& arguments) {
  const bool is_aggregate = of.how == modelled_callable::kind::aggregate;
  return fmt::format("f.{}({}, new {}{}{}{});", made.is_destructible ? "keep" : "refer", of.class_number, made.name,
                     is_aggregate ? '{' : '(', fmt::join(arguments, ", "), is_aggregate ? '}' : ')');
}

std::string body_of(const modelled_callable& of, const model& in) {
  if (of.how == modelled_callable::kind::stub) return stub_body(of, in.stubs[of.stub], in.classes[of.class_number]);
  around with;
  std::vector<std::string> arguments;
  std::size_t slot = of.has_receiver ? 1 : 0;
  for (std::size_t p = 0; p < of.parameters.size(); ++p) arguments.push_back(argument_text(of, slot++, with, p));
  const std::string call =
      of.makes_object()
          ? made_object(of, in.classes[of.class_number], arguments)
          : kept(of.result, call_text(of, arguments, of.has_receiver ? &in.classes[of.class_number] : nullptr),
                 in.classes);
  return fmt::format("{}{}{}{}{}", fmt::join(with.before, " "), with.before.empty() ? "" : " ", call,
                     with.after.empty() ? "" : " ", fmt::join(with.after, " "));
}

}  // namespace

thunk_source thunks_of(const model& of, const std::vector<std::string>& includes, const std::vector<bool>& dropped,
                       std::uint32_t goals) {
  thunk_source made;
  std::uint32_t line = 1;
  const auto put = [&](const std::string& text) {
    made.text += text;
    line += static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
  };
  put("// Written by `morph generate`.\n");
  for (const std::string& each : includes) put(fmt::format("#include {}\n", each));
  put("#include \"morph_frame.h\"\n#include <cmath>\n#include <memory>\n#include <string>\n#include <vector>\n#if "
      "__cplusplus >= 201703L\n#include <string_view>\n#endif\n");
  put("namespace morph_calls {\n");
  for (std::size_t i = 0; i < of.callables.size(); ++i) {
    made.first_line.push_back(line);
    put(fmt::format("// {}\nstatic void call_{}(frame& f, const argument* a) {{ (void)f; (void)a;\n{}\n}}\n",
                    of.callables[i].signature, i, dropped[i] ? "throw no_value();" : body_of(of.callables[i], of)));
    made.last_line.push_back(line - 1);
  }
  put("const callable callables[] = {");
  for (std::size_t i = 0; i < of.callables.size(); ++i) put(fmt::format("{}call_{}", i == 0 ? "" : ", ", i));
  put(fmt::format("}};\nconst unsigned callable_count = {};\nconst unsigned goal_count = {};\n", of.callables.size(),
                  goals));
  put("const conversion conversions[] = {\n");
  for (std::uint32_t from = 0; from < of.classes.size(); ++from) {
    for (const std::uint32_t to : of.classes[from].bases) {
      if (to == from) continue;
      made.conversions.push_back({line, from, to});
      put(fmt::format("{{{}, {}, [](void* o) -> void* {{ return static_cast<{}*>(static_cast<{}*>(o)); }}}},\n", from,
                      to, of.classes[to].name, of.classes[from].name));
    }
  }
  put(fmt::format("{{0, 0, nullptr}}}};\nconst unsigned conversion_count = {};\n", made.conversions.size()));
  put("}  // namespace morph_calls\n");
  // Code that runs before main() finds every goal reached.
  put(
      fmt::format("static float morph_before_main[{}];\nextern \"C\" float* morph_goal_distances;\n"
                  "float* morph_goal_distances = morph_before_main;\n",
                  goals + 1));
  return made;
}

}  // namespace morph::generate
