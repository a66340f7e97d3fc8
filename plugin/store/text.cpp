// Printing a store.
#include "plugin/store/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "plugin/store/merge.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::store {
namespace {

const char* name_of(measured_input::kind what) {
  switch (what) {
    case measured_input::kind::variable:
      return "variable";
    case measured_input::kind::file:
      return "file";
    case measured_input::kind::library:
      return "library";
    case measured_input::kind::watch:
      return "watch";
    case measured_input::kind::entry:
      return "entry";
    case measured_input::kind::suite:
      break;
  }
  return "suite";
}

using nlohmann::json;
using optimizer::requirement_kind;

/// "3-5 9"
std::string ranges(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", numbers[i],
                        last > i ? fmt::format("-{}", numbers[last]) : std::string());
    i = last + 1;
  }
  return text;
}

/// "12:0 12:1": a line and which of its outcomes
std::string outcomes_of_lines(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (const std::uint32_t n : numbers)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", n / branches_of_line, n % branches_of_line);
  return text;
}

json names(const evidence& e, const std::vector<std::uint32_t>& files) {
  json list = json::array();
  for (const std::uint32_t f : files) list.push_back(e.files[f]);
  return list;
}

class printer {
 public:
  printer(text_options options, const std::function<void(const std::string&)>& write)
      : options_(options), write_(write) {}

  void print_line(const json& object) const { write_(json_text(object)); }

  void print(const evidence& e) const {
    json overrides = json::object();
    for (const override_file& file : e.info.taken_from.overrides)
      overrides[file.path] = file.blob ? json(*file.blob) : json(nullptr);
    json head{{"configuration", e.info.configuration},
              {"tree", e.info.taken_from.tree},
              {"overrides", overrides},
              {"complete", e.info.complete}};
    if (options_.times) {
      head["commit"] = e.info.taken_from.commit;
      head["created"] = e.info.created;
    }
    print_line({{"measurement", head}});
    // A file that is there for its name alone has no line of its own.
    for (std::size_t f = 0; f < e.files.size(); ++f)
      if (!e.executable_lines[f].empty() || !e.branches[f].empty() || !e.conditions[f].empty())
        print_line({{"file", e.files[f]},
                    {"lines", ranges(e.executable_lines[f])},
                    {"branches", outcomes_of_lines(e.branches[f])},
                    {"conditions", outcomes_of_lines(e.conditions[f])}});
    for (const auto& f : e.functions)
      print_line({{"function", f.symbol},
                  {"file", e.files[f.file]},
                  {"lines", {f.start_line, f.end_line}},
                  {"artificial", f.artificial}});
    for (const auto& u : e.units)
      print_line({{"unit", u.object},
                  {"source", e.files[u.source]},
                  {"dependencies", names(e, u.dependencies)},
                  {"blind", u.blind}});
    for (const auto& i : e.inputs)
      print_line(
          {{"input", i.name}, {"kind", name_of(i.what)}, {"digest", i.digest ? json(*i.digest) : json(nullptr)}});
    for (const measured_link& link : e.links) {
      json line{{"link", link.path}, {"options", link.options}};
      if (options_.times)
        line.update(
            {{"made", link.made}, {"made_of", link.made_of}, {"loads", link.loads}});  // of one build, in one place
      print_line(line);
      for (const linked_object& o : link.objects)
        print_line({{"link", link.path}, {"object", o.path}, {"member", o.member}, {"print", o.print}});
    }
    print_tests(e);
  }

  void print(const test_outcome& o) const {
    print_line({{"verdict", o.failed ? "failed" : "passed"},
                {"test", o.name},
                {"at", o.at},
                {"seconds", o.seconds},
                {"source", o.source},
                {"content", o.content},
                {"configuration", o.configuration}});
  }

  void print(const audit& a) const {
    print_line({{"audit", a.commit},
                {"content", a.content},
                {"configuration", a.configuration},
                {"base", a.base},
                {"at", a.at},
                {"tests", a.tests},
                {"selected", a.selected},
                {"failed", a.failed},
                {"full_us", a.full_us},
                {"selected_us", a.selected_us},
                {"missed", a.missed},
                {"found_first", a.found_first},
                {"found_among", a.found_among}});
  }

 private:
  void print_tests(const evidence& e) const {
    std::vector<std::vector<std::uint32_t>> classes_of(e.tests.size());
    for (std::uint32_t c = 0; c < e.classes.size(); ++c)
      for (const std::uint32_t test : e.classes[c].tests) classes_of[test].push_back(c);
    for (std::size_t t = 0; t < e.tests.size(); ++t) {
      const measured_test& test = e.tests[t];
      std::vector<element> elements;
      for (const std::uint32_t c : classes_of[t])
        elements.insert(elements.end(), e.classes[c].elements.begin(), e.classes[c].elements.end());
      std::sort(elements.begin(), elements.end());
      json line{{"test", test.case_name},
                {"name", test.name},
                {"suite", e.programs[test.program].suite},
                {"target", e.programs[test.program].target},
                {"measured", test.measured},
                {"outcome", name_of(test.how)},
                {"detail", test.detail},
                {"incomplete", test.incomplete},
                {"row", describe(e, elements)}};
      if (test.unsteady) line["unsteady"] = true;
      if (options_.times)
        line.update(
            {{"wall_us", test.wall_us}, {"cpu_us", test.cpu_us}, {"at", test.at}, {"carried_from", test.carried_from}});
      print_line(line);
    }
  }

  text_options options_;
  const std::function<void(const std::string&)>& write_;
};

}  // namespace

json describe(const evidence& e, const std::vector<element>& elements) {
  std::map<requirement_kind, std::map<std::string, std::vector<std::uint32_t>>> of_files;
  std::vector<std::string> functions, units, inputs, data;
  for (const element x : elements) switch (kind_of(x)) {
      case requirement_kind::function:
        functions.push_back(fmt::format("{} {}:{}", e.functions[number_of(x)].symbol,
                                        e.files[e.functions[number_of(x)].file], e.functions[number_of(x)].start_line));
        break;
      case requirement_kind::unit:
        units.push_back(e.units[number_of(x)].object);
        break;
      case requirement_kind::input:
        inputs.push_back(
            fmt::format("{} {}", e.inputs[number_of(x)].name, e.inputs[number_of(x)].digest.value_or("not there")));
        break;
      case requirement_kind::data:
        data.push_back(e.files[owner_of(x)]);
        break;
      default:
        of_files[kind_of(x)][e.files[owner_of(x)]].push_back(number_of(x));
    }
  json said{{"functions", functions}, {"units", units}, {"inputs", inputs}, {"data", data}};
  const auto add = [&](const char* key, requirement_kind kind, const auto& print) {
    json& files = said[key] = json::object();
    for (const auto& [file, numbers] : of_files[kind]) files[file] = print(numbers);
  };
  add("lines", requirement_kind::line, ranges);
  add("branches", requirement_kind::branch, outcomes_of_lines);
  add("conditions", requirement_kind::condition, outcomes_of_lines);
  if (of_files.contains(requirement_kind::unshown)) add("unshown", requirement_kind::unshown, ranges);
  if (of_files.contains(requirement_kind::kill)) add("kills", requirement_kind::kill, ranges);
  return said;
}

result<void> write_text(evidence_store& store, text_options options,
                        const std::function<void(const std::string& line)>& write) {
  const auto infos = store.measurements();
  if (!infos) return tl::unexpected(infos.error());
  std::map<measurement_identity, std::vector<std::int64_t>> measurements;
  for (const measurement_info& m : *infos) measurements[identity_of(m)].push_back(m.id);
  const printer to(options, write);
  for (const auto& [identity, ids] : measurements) {
    std::vector<evidence> parts;
    for (const std::int64_t id : ids) {
      auto part = store.load(id);
      if (!part) return tl::unexpected(part.error());
      parts.push_back(std::move(*part));
    }
    to.print(unite(std::move(parts)));
  }
  if (!options.times) return {};
  const auto outcomes = store.outcomes();
  if (!outcomes) return tl::unexpected(outcomes.error());
  for (const test_outcome& o : *outcomes) to.print(o);
  auto audits = store.audits();
  if (!audits) return tl::unexpected(audits.error());
  for (const audit& a : *audits) to.print(a);
  return {};
}

}  // namespace morph::store
