// Adding them.
#include "plugin/measuring/earlier_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "plugin/store/merge.hpp"

namespace morph::measuring {
namespace {

/// The element by the names that it has in `e`.
store::element renamed(const store::evidence& e, store::element x, store::measurement_writer& writer) {
  using optimizer::requirement_kind;
  switch (store::kind_of(x)) {
    case requirement_kind::function: {
      store::measured_function f = e.functions[store::number_of(x)];
      f.file = writer.file(e.files[f.file]);
      return store::make_element(requirement_kind::function, 0, writer.function(f));
    }
    case requirement_kind::unit: {
      store::measured_unit unit = e.units[store::number_of(x)];
      unit.source = writer.file(e.files[unit.source]);
      for (std::uint32_t& file : unit.dependencies) file = writer.file(e.files[file]);
      std::sort(unit.dependencies.begin(), unit.dependencies.end());
      return store::make_element(requirement_kind::unit, 0, writer.unit(unit));
    }
    case requirement_kind::input:
      return store::make_element(requirement_kind::input, 0, writer.input(e.inputs[store::number_of(x)]));
    default:
      return store::make_element(store::kind_of(x), writer.file(e.files[store::owner_of(x)]), store::number_of(x));
  }
}

}  // namespace

result<void> add_earlier_rows(store::evidence_store& earlier, store::evidence_store& evidence,
                              store::measurement_writer& writer, std::vector<std::string>& unsteady) {
  const auto all = evidence.measurements();
  if (!all) return tl::unexpected(all.error());
  const auto own = std::find_if(all->begin(), all->end(), [&](const auto& m) { return m.id == writer.measurement(); });
  const auto known = earlier.measurements();
  if (!known) return tl::unexpected(known.error());
  if (own == all->end()) return {};
  std::vector<store::evidence> parts;
  for (const store::measurement_info& m : *known)
    if (m.complete && parts.empty() && store::identity_of(m) == store::identity_of(*own)) {
      auto facts = earlier.load(m.id);  // which has the rows of those before
      if (!facts) return tl::unexpected(facts.error());
      parts.push_back(std::move(*facts));
    }
  if (parts.empty()) return {};
  writer.checkpoint();
  auto now = evidence.load(writer.measurement());
  if (!now) return tl::unexpected(now.error());
  parts.push_back(std::move(*now));
  const store::evidence united = store::unite(std::move(parts));
  std::vector<std::vector<store::element>> rows(united.tests.size());
  for (const store::element_class& c : united.classes)
    for (const std::uint32_t test : c.tests)
      if (united.tests[test].unsteady)
        for (const store::element x : c.elements)
          if (store::kind_of(x) != optimizer::requirement_kind::kill) rows[test].push_back(renamed(united, x, writer));
  for (std::uint32_t t = 0; t < united.tests.size(); ++t) {
    const store::measured_test& test = united.tests[t];
    const std::uint32_t id = writer.test(writer.program(united.programs[test.program]), test.case_name, test.name);
    if (!test.unsteady || !writer.is_measured(id)) continue;
    std::sort(rows[t].begin(), rows[t].end());
    writer.put_row(id, test, rows[t]);
    if (std::find(unsteady.begin(), unsteady.end(), test.name) == unsteady.end()) unsteady.push_back(test.name);
  }
  return {};
}

}  // namespace morph::measuring
