// A shop with a basket, survivors in it, and what could be observed of them.
#pragma once

#include <string>

#include "coverage/observation/difference.hpp"
#include "plugin/explain/sources.hpp"
#include "plugin/report/mutation.hpp"

namespace morph::explain {

/// price() calls the private sum(), which calls rounded() of its own source; add() is called by fill(), which nothing
/// shows; month() calls day(), which calls report(), which calls sum(); get() overrides the virtual read(), which use()
/// calls.
inline project_functions shop() {
  project_functions made;
  const auto add = [&](const std::string& name, const std::string& in_class, const std::vector<std::string>& callees,
                       bool is_virtual = false) {
    coupling::function one{.name = name, .in_class = in_class, .file = "src/shop.cpp"};
    for (const std::string& each : callees) {
      coupling::call call;
      call.callee = each;
      call.is_virtual = is_virtual;
      one.calls.push_back(call);
    }
    made.graph.functions.push_back(one);
  };
  add("shop::rounded(int)", "", {});
  add("shop::basket::sum() const", "shop::basket", {"shop::rounded(int)"});
  add("shop::basket::price() const", "shop::basket", {"shop::basket::sum() const"});
  add("shop::report(const basket &)", "", {"shop::basket::sum() const"});
  add("shop::basket::total() const", "shop::basket", {"shop::basket::sum() const"});
  add("shop::hidden()", "", {});
  add("shop::fill()", "", {"shop::hidden()"});
  add("shop::day()", "", {"shop::report(const basket &)"});
  add("shop::month()", "", {"shop::day()"});
  add("shop::operator<(const item &, const item &)", "", {});
  add("shop::store::get()", "shop::store", {});
  add("shop::use(reader &)", "", {"shop::reader::read()"}, true);
  made.graph.classes["shop::store"] = {{"shop::reader"}, {{"shop::store::get()", {"shop::reader::read()"}}}};
  const auto access = [&](function_access of) { made.access[of.name] = of; };
  access({.name = "shop::rounded(int)", .why_not = "is static: only its own source can call it", .parameters = 1});
  access({.name = "shop::basket::sum() const", .in_class = "shop::basket", .why_not = "is private"});
  access({.name = "shop::basket::price() const",
          .in_class = "shop::basket",
          .header = "include/shop.hpp",
          .result = "int",
          .is_constant = true});
  access({.name = "shop::report(const basket &)", .header = "include/shop.hpp", .parameters = 1, .objects = 1});
  access({.name = "shop::day()", .header = "include/shop.hpp"});
  access({.name = "shop::month()", .header = "include/shop.hpp"});
  access({.name = "shop::operator<(const item &, const item &)", .why_not = "is declared in no header"});
  access({.name = "shop::basket::total() const",
          .in_class = "shop::basket",
          .header = "include/shop.hpp",
          .result = "int",
          .is_constant = true,
          .is_getter = true,
          .reads = {"shop::basket::total_"},
          .gives = "shop::basket::total_"});
  access({.name = "shop::basket::empty() const",
          .in_class = "shop::basket",
          .header = "include/shop.hpp",
          .result = "bool",
          .is_constant = true,
          .reads = {"shop::basket::total_", "shop::basket::items_"}});
  access({.name = "shop::hidden()", .why_not = "lies in an anonymous namespace"});
  access({.name = "shop::fill()", .why_not = "is declared in no header"});
  access({.name = "shop::store::get()", .in_class = "shop::store", .why_not = "is private"});
  access({.name = "shop::use(reader &)", .header = "include/shop.hpp", .parameters = 1, .objects = 1});
  return made;
}

inline observation::difference at_test(const std::string& expression, const std::string& type,
                                       const std::string& property, const std::string& original,
                                       const std::string& mutated) {
  observation::difference made;
  made.where = observation::level::test;
  made.test = "Shop.Buys";
  made.place = {"tests/shop_test.cpp", 14, 3};
  made.expression = expression;
  made.type = type;
  made.property = property;
  made.original = original;
  made.mutated = mutated;
  return made;
}

/// `src/price.cpp` with a survivor, a killed mutant, one that no test reaches, and a pseudo-tested function.
inline report::mutation_result survivors() {
  const std::string text =
      "int price(int all) {\n  if (all > 9) return 1;\n  return all + 2;\n}\nint half(int n) {\n  return n / 2;\n}\n";
  report::mutated_source file{"src/price.cpp", text};
  const auto add = [&](const std::string& what, const std::string& op, const std::string& replacement,
                       report::mutant_state state, report::mutant_kind kind = report::mutant_kind::expression) {
    report::mutant_result one;
    one.begin = static_cast<std::uint32_t>(text.find(what));
    one.end = one.begin + static_cast<std::uint32_t>(what.size());
    one.op = op;
    one.replacement = replacement;
    one.state = state;
    one.kind = kind;
    one.covering = 2;
    if (state == report::mutant_state::killed) one.killers = {"Price.OfFew"};
    file.mutants.push_back(one);
  };
  add("all > 9", "ror", "all >= 9", report::mutant_state::survived);
  add("all > 9", "ror", "all == 9", report::mutant_state::killed);
  add("all + 2", "aor", "all - 2", report::mutant_state::not_covered);
  add("{\n  return n", "xt", "return 0;", report::mutant_state::survived, report::mutant_kind::body);
  file.mutants.back().end = file.mutants.back().begin + 1;
  file.functions = {{1, "price(int)", report::tested::tested, 0, static_cast<std::uint32_t>(text.find("int half") - 1)},
                    {5, "shop::half(int)", report::tested::pseudo_tested,
                     static_cast<std::uint32_t>(text.find("int half")), static_cast<std::uint32_t>(text.size() - 1)}};
  report::mutation_result made;
  made.files = {file};
  report::place_mutants(made.files.front());
  return made;
}

}  // namespace morph::explain
