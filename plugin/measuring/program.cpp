// What becomes of the cases of a program.
#include "plugin/measuring/program.hpp"

#include "plugin/measuring/program_run.hpp"

namespace morph::measuring {

std::size_t register_tests(store::measurement_writer& writer, const build::suite& suite,
                           const build::test_program& program, const std::vector<frameworks::listed_case>& cases) {
  const std::uint32_t id = writer.program({suite.name, program.target});
  writer.test(id, "", "");
  std::size_t registered = 0;
  for (const auto& c : cases) {
    if (c.disabled) continue;
    writer.test(id, c.case_name, c.name);
    ++registered;
  }
  return registered;
}

result<program_totals> measure_program(session& m, const build::suite& suite, const build::test_program& program,
                                       const std::vector<frameworks::listed_case>& cases) {
  return program_run(m, suite, program, cases).run();
}

program_totals leave_unmeasured(session& m, const build::suite& suite, const build::test_program& program,
                                const std::vector<frameworks::listed_case>& cases) {
  program_totals totals;
  store::measured_test facts;
  facts.how = store::outcome::failed;
  facts.incomplete = morph_stream::fixture_failed;
  const std::uint32_t id = m.writer.program({suite.name, program.target});
  const auto put = [&](const std::string& case_name, const std::string& name) {
    const std::uint32_t test = m.writer.test(id, case_name, name);
    if (m.writer.is_measured(test) || m.left_out.count(test) != 0) return false;
    m.writer.put_row(test, facts, {});
    return true;
  };
  put("", "");
  for (const frameworks::listed_case& c : cases)
    if (!c.disabled && put(c.case_name, c.name)) {
      ++totals.measured;
      ++totals.incomplete;
      m.on_row();
    }
  return totals;
}

}  // namespace morph::measuring
