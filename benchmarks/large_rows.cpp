// Fills up an interrupted measurement of benchmarks/large_pool, through the store's own writer: a case that was not
// measured gets what two measured ones have executed. Prints how many were measured, and how many are made up.
//
//   morph_large_rows STORE
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "optimizer/matrix/random.hpp"
#include "plugin/store/store.hpp"

int main(int count, char** arguments) {
  namespace store = morph::store;
  using morph::optimizer::requirement_kind;
  if (count != 2) return std::fputs("usage: morph_large_rows STORE\n", stderr), 2;
  const auto fail = [](const std::string& why) { return std::fprintf(stderr, "error: %s\n", why.c_str()), 3; };
  auto opened = store::evidence_store::open_for_writing(arguments[1]);
  if (!opened) return fail(opened.error());
  const auto known = opened->measurements();
  if (!known || known->empty()) return fail("there is no measurement to fill up");
  if (known->front().complete) return std::puts("all cases measured"), 0;
  const auto facts = opened->load(known->front().id);
  if (!facts) return fail(facts.error());
  auto writer = opened->begin(facts->info.taken_from, facts->info.configuration, facts->info.created);
  if (!writer) return fail(writer.error());
  std::vector<std::vector<store::element>> rows(facts->tests.size());
  for (const store::element_class& each : facts->classes)
    for (const store::element e : each.elements) {
      const requirement_kind kind = store::kind_of(e);
      if (kind != requirement_kind::line && kind != requirement_kind::branch) continue;
      const auto here = store::make_element(kind, writer->file(facts->files[store::owner_of(e)]), store::number_of(e));
      for (const std::uint32_t test : each.tests) rows[test].push_back(here);
    }
  std::vector<std::uint32_t> measured;
  for (std::uint32_t t = 0; t < facts->tests.size(); ++t)
    if (facts->tests[t].measured && !facts->tests[t].is_startup() && !rows[t].empty()) measured.push_back(t);
  if (measured.empty()) return fail("no case was measured");
  morph::optimizer::random_source draw(1);
  std::size_t made_up = 0;
  for (const store::measured_test& test : facts->tests) {
    const store::measured_program& of = facts->programs[test.program];
    const std::uint32_t id = writer->test(writer->program({of.suite, of.target}), test.case_name, test.name);
    if (writer->is_measured(id)) continue;
    std::set<store::element> both;
    for (int i = 0; i < 2 && !test.is_startup(); ++i) {
      const auto& row = rows[measured[draw.below(static_cast<std::uint32_t>(measured.size()))]];
      both.insert(row.begin(), row.end());
    }
    const std::vector<store::element> row(both.begin(), both.end());
    store::measured_test facts_of_row;
    facts_of_row.wall_us = 1000;
    writer->put_row(id, facts_of_row, row);
    ++made_up;
  }
  writer->finish();
  std::printf("%zu cases measured, %zu made up\n", measured.size(), made_up);
}
