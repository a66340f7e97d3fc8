// Folding of rows into classes of elements with equal tests.
#include "plugin/store/evidence.hpp"

#include <algorithm>
#include <array>

#include "optimizer/matrix/fold.hpp"

namespace morph::store {

std::span<const incomplete_row> incomplete_table() {
  static constexpr std::array rows{
      incomplete_row{1U << 0, "made-process", "left a process running, or started one whose code could not be counted"},
      incomplete_row{1U << 1, "loaded-object", "loaded an instrumented object whose code could not be counted"},
      incomplete_row{1U << 2, "ended-early", "crashed, ran out of time, or left by exit()"},
      incomplete_row{1U << 3, "no-counters", "executed nothing that was compiled with counters"},
      incomplete_row{1U << 4, "threads-at-start",
                     "belongs to a program with threads before its first test; they are not there in a measured test"},
      incomplete_row{1U << 5, "unknown-unit",
                     "executed an object of which the sources or the notes (.gcno) are not known"},
      incomplete_row{1U << 6, "not-as-in-ctest", "has properties in ctest that measuring does not apply"},
      incomplete_row{1U << 7, "uncounted-fixture",
                     "needs what a test sets up (FIXTURES_REQUIRED, DEPENDS) whose code was not counted"},
      incomplete_row{row_of_failed_fixture, "fixture-failed", "did not run, since the set-up of its fixtures failed"},
      incomplete_row{1U << 9, "changing-file",
                     "read a file which another test or process changed while the tests were measured"},
      incomplete_row{
          1U << 10, "unseen-files",
          "uses files unseen (io_uring, another root folder, a program of 32 bits), or more than 10,000 that "
          "git does not track"},
      incomplete_row{row_without_probes, "no-probes", "ran something that had no probes, or lost them"},
  };
  return rows;
}

namespace {

constexpr std::uint32_t most_decisions = 16;  // of a line
constexpr std::uint32_t most_ways = 32;       // of a decision

}  // namespace

std::optional<packed_way> pack(const decision_way& way) {
  if (way.function_line >= lines_with_branches || way.line >= lines_with_branches || way.decision >= most_decisions ||
      way.rank >= most_ways || way.number >= branches_of_line)
    return std::nullopt;
  return packed_way{way.function_line} << 44 | packed_way{way.line} << 24 | packed_way{way.decision} << 20 |
         packed_way{way.rank} << 15 | packed_way{way.is_counted} << 14 | packed_way{way.number} << 2 |
         packed_way{way.is_last} << 1 | packed_way{way.by_clang};
}

decision_way unpack(packed_way way) {
  const auto bits = [&](unsigned from, unsigned count) {
    return static_cast<std::uint32_t>(way >> from & ((packed_way{1} << count) - 1));
  };
  return {bits(44, 20),     bits(24, 20), bits(20, 4),     bits(15, 5),
          bits(14, 1) != 0, bits(2, 12),  bits(1, 1) != 0, bits(0, 1) != 0};
}

const char* name_of(outcome how) {
  switch (how) {
    case outcome::passed:
      return "passed";
    case outcome::failed:
      return "failed";
    case outcome::skipped:
      return "was skipped";
    case outcome::crashed:
      return "crashed";
    case outcome::timed_out:
      return "timed out";
    case outcome::exited:
      return "exited";
  }
  return "unknown";
}

std::vector<bool> tests_that_tell_files(const evidence& e, std::string_view how_far) {
  std::vector<bool> tests(e.tests.size(), false);
  for (const element_class& c : e.classes) {
    const bool is_told = std::any_of(c.elements.begin(), c.elements.end(), [&](element x) {
      if (kind_of(x) != optimizer::requirement_kind::input) return false;
      const measured_input& input = e.inputs[number_of(x)];
      return input.what == measured_input::kind::watch && input.digest == how_far;
    });
    if (is_told)
      for (const std::uint32_t test : c.tests) tests[test] = true;
  }
  return tests;
}

std::vector<bool> watched_tests(const evidence& e) {
  std::vector<bool> whole = tests_that_tell_files(e, watched_wholly);
  const std::vector<bool> in_part = tests_that_tell_files(e, watched_in_part);
  for (std::size_t t = 0; t < whole.size(); ++t) whole[t] = whole[t] && !in_part[t];
  return whole;
}

run_of_row run_of(const measured_test& test, const measurement_info& measurement) {
  return {test.at == 0 ? measurement.created : test.at,
          test.carried_from.empty() ? measurement.taken_from.commit : test.carried_from, test.wall_us, test.cpu_us};
}

bool is_probed(const evidence& e) {
  const auto says = [&](const char* text) { return e.info.configuration.find(text) != std::string::npos; };
  return says(R"("evidence":"probes")") || says(R"("evidence":"blocks")");
}

bool is_watched(const evidence& e) {
  const std::vector<bool> watched = watched_tests(e);
  std::vector<bool> has_elements(e.tests.size(), false);
  for (const element_class& c : e.classes)
    for (const std::uint32_t test : c.tests) has_elements[test] = true;
  for (std::size_t t = 0; t < e.tests.size(); ++t) {
    const measured_test& test = e.tests[t];
    // Where every test has a process of its own, each row has what the empty one of the start lacks.
    const bool says_nothing = !test.measured || test.is_doubtful() || (test.is_startup() && !has_elements[t]);
    if (!says_nothing && !watched[t]) return false;
  }
  return true;
}

namespace {

/// The first of ascending elements that is not below `wanted`, where `from` is. It is mostly near.
const element* seek(const element* from, const element* end, element wanted) {
  std::ptrdiff_t step = 1;
  for (; step < end - from && from[step] < wanted; step *= 2) from += step;
  return std::lower_bound(from + 1, from + std::min(step, end - from), wanted);
}

/// All elements that occur, ascending.
class distinct_elements {
 public:
  void add(std::span<const element> row) {
    const element *at = all_.data(), *const end = at + all_.size();
    for (const element e : row) {
      if (at != end && *at < e) at = seek(at, end, e);
      if (at != end && *at == e)
        ++at;
      else
        new_.push_back(e);
    }
    // Rows overlap so much that sorting what is new in portions keeps memory small.
    constexpr std::size_t portion = 1 << 16;
    if (new_.size() > std::max(all_.size() / 2, portion)) merge();
  }
  std::vector<element> finish() && {
    merge();
    return std::move(all_);
  }

 private:
  void merge() {
    std::sort(new_.begin(), new_.end());
    new_.erase(std::unique(new_.begin(), new_.end()), new_.end());
    const auto middle = all_.insert(all_.end(), new_.begin(), new_.end());
    std::inplace_merge(all_.begin(), middle, all_.end());
    new_.clear();
  }

  std::vector<element> all_, new_;
};

}  // namespace

std::vector<element_class> fold_rows(const std::function<void(const row_visitor&)>& visit_rows) {
  distinct_elements distinct;
  visit_rows([&](std::uint32_t, std::span<const element> elements) { distinct.add(elements); });
  const std::vector<element> all = std::move(distinct).finish();

  optimizer::folder folder(all.size());
  std::vector<std::uint32_t> dense;
  visit_rows([&](std::uint32_t test, std::span<const element> elements) {
    dense.clear();
    const element *at = all.data(), *const end = at + all.size();
    for (const element e : elements) {
      if (*at < e) at = seek(at, end, e);
      dense.push_back(static_cast<std::uint32_t>(at++ - all.data()));
    }
    folder.add_row(test, dense);
  });
  optimizer::folded folded = std::move(folder).finish();

  // Each class gets its place when its first element comes up.
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<std::uint32_t> place(folded.tests_of.size(), none);
  std::vector<element_class> classes;
  for (std::size_t e = 0; e < all.size(); ++e) {
    const std::uint32_t c = folded.class_of[e];
    if (place[c] == none) {
      place[c] = static_cast<std::uint32_t>(classes.size());
      classes.push_back({std::move(folded.tests_of[c]), {}});
    }
    classes[place[c]].elements.push_back(all[e]);
  }
  return classes;
}

std::vector<element_class> fold_rows(const std::vector<row>& rows) {
  return fold_rows([&](const row_visitor& visit) {
    for (const auto& [test, elements] : rows) visit(test, elements);
  });
}

}  // namespace morph::store
