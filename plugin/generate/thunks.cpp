// Writing C++ that calls everything.
#include "plugin/generate/thunks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace morph::generate {
namespace {

std::string argument_text(const parameter& of, std::size_t slot, std::vector<std::string>& before,
                          std::vector<std::string>& after, std::size_t place) {
  const std::string a = fmt::format("a[{}]", slot);
  switch (of.how) {
    case parameter::kind::number:
      return fmt::format("f.number<{}>({})", of.type, a);
    case parameter::kind::enumeration:
      return fmt::format("f.enumerator<{}>({})", of.type, a);
    case parameter::kind::text:
      if (!of.by_pointer) return of.by_move ? fmt::format("std::string(f.text({}))", a) : fmt::format("f.text({})", a);
      return fmt::format("&f.text({})", a);
    case parameter::kind::view:
      return fmt::format("std::string_view(f.text({}))", a);
    case parameter::kind::c_text:
      return fmt::format("f.c_text({})", a);
    case parameter::kind::array:
      return fmt::format("f.c_text({})", a);
    case parameter::kind::buffer:
      return "f.buffer()";
    case parameter::kind::room:
      return fmt::format("{}", bytes_of_buffer);
    case parameter::kind::length:
      return fmt::format("f.size_of_text(a[{}])", slot - 1);
    case parameter::kind::end:
      return fmt::format("f.end_of_text(a[{}])", slot - 1);
    case parameter::kind::object: {
      const std::string object = fmt::format("f.object<{}>({}, {})", of.type, a, of.class_number);
      return of.by_move ? fmt::format("std::move({})", object) : object;
    }
    case parameter::kind::pointer:
      return fmt::format("f.pointer<{}>({}, {})", of.type, a, of.class_number);
    case parameter::kind::cell:
      before.push_back(fmt::format("auto& c{} = f.cell<{}>();", place, of.type));
      if (of.how == parameter::kind::cell && of.elements.empty())
        after.push_back(fmt::format("f.see({}, c{});", place + 1, place));
      return fmt::format("{}c{}", of.by_pointer ? "&" : "", place);
    case parameter::kind::made:
      before.push_back(fmt::format("{}{}* c{} = nullptr;", of.is_constant ? "const " : "", of.type, place));
      after.push_back(fmt::format("f.refer({}, c{});", of.class_number, place));
      return fmt::format("{}c{}", of.by_pointer ? "&" : "", place);
    case parameter::kind::list: {
      const std::string filled = fmt::format("f.filled<{}>({})", of.type, a);
      if (!of.by_pointer) return filled;
      before.push_back(fmt::format("const auto c{} = {};", place, filled));
      return fmt::format("&c{}", place);
    }
    case parameter::kind::in:
    case parameter::kind::out: {
      const std::string made =
          of.how == parameter::kind::in ? fmt::format("f.in<{}>({})", of.type, a) : fmt::format("f.out<{}>()", of.type);
      before.push_back(fmt::format("auto& c{} = {};", place, made));
      if (of.how == parameter::kind::out) after.push_back(fmt::format("f.see({}, c{}.str());", place + 1, place));
      return fmt::format("{}c{}", of.by_pointer ? "&" : "", place);
    }
    case parameter::kind::callback:
      return of.written;
  }
  return {};
}

std::string call_text(const modelled_callable& of, const std::vector<std::string>& arguments,
                      const modelled_class* receiver) {
  const std::string object = of.has_receiver ? fmt::format("f.object<{}{}>(a[0], {})", of.is_constant ? "const " : "",
                                                           receiver->name, of.class_number)
                                             : std::string();
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
      return fmt::format("f.refer({}, {});", of.class_number, call);
    case returned::kind::other:
      return fmt::format("(void)({});", call);
  }
  return {};
}

std::string body_of(const modelled_callable& of, const model& in) {
  std::vector<std::string> before, after, arguments;
  std::size_t slot = of.has_receiver ? 1 : 0;
  for (std::size_t p = 0; p < of.parameters.size(); ++p)
    arguments.push_back(argument_text(of.parameters[p], slot++, before, after, p));
  std::string call;
  if (of.how == modelled_callable::kind::constructor) {
    const modelled_class& made = in.classes[of.class_number];
    call = made.is_destructible
               ? fmt::format("f.keep({}, new {}({}));", of.class_number, made.name, fmt::join(arguments, ", "))
               : fmt::format("f.refer({}, new {}({}));", of.class_number, made.name, fmt::join(arguments, ", "));
  } else {
    call =
        kept(of.result, call_text(of, arguments, of.has_receiver ? &in.classes[of.class_number] : nullptr), in.classes);
  }
  return fmt::format("{}{}{}{}{}", fmt::join(before, " "), before.empty() ? "" : " ", call, after.empty() ? "" : " ",
                     fmt::join(after, " "));
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
  put("#include \"morph_frame.h\"\n#include <string>\n#if __cplusplus >= 201703L\n#include <string_view>\n#endif\n");
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
