// From the evidence of a build tree to one form of its coverage.
#include "plugin/report/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "plugin/git/repository.hpp"
#include "plugin/report/answers.hpp"
#include "plugin/report/coverage.hpp"
#include "plugin/report/output.hpp"
#include "plugin/report/questions.hpp"
#include "plugin/report/summary.hpp"
#include "plugin/report/work_tree.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/workspace/baseline.hpp"
#include "plugin/workspace/opened.hpp"

namespace morph::report {
namespace {

/// What every form of the report is made from.
struct subject {
  git::repository repo;
  selection::file_kinds kinds;
  std::function<bool(const std::string&)> wanted;
  coverage covered;
  origin from;
  coupled_figure coupled;
};

result<subject> read_subject(const build::build_tree& tree, const coverage_request& asked) {
  workspace::surroundings around = workspace::open_surroundings(tree);
  if (!around.missing.empty()) return tl::unexpected(around.missing);
  if (build::has_probes(tree))
    return tl::unexpected(fmt::format(
        "the evidence of '{}' comes from probes (MORPH_EVIDENCE), which record functions and no lines; for coverage, "
        "configure a build tree with -DMORPH_EVIDENCE=twin",
        tree.binary_dir.string()));
  selection::file_kinds kinds(around.repo->root(), tree.ignore);
  auto found = workspace::find_baseline(tree, *around.repo, *around.evidence, kinds, {{}, asked.approximate});
  if (!found) return tl::unexpected(found.error());

  subject s{*around.repo, kinds, filter_of(asked.only, asked.without), make_coverage(found->facts), {}, {}};
  follow_changes(s.covered, found->changes);
  s.from = {found->commit, found->distance, found->facts.info.complete, {}, {}};
  for (const git::file_change& change : found->changes)
    if (kinds.kind_of(change.path) != selection::file_kind::ignored || s.covered.find(change.path) != nullptr)
      s.from.changed.push_back(change.path);
  const auto& without_counters = s.covered.without_counters;
  for (const std::string& path : s.repo.tracked_files())
    if (kinds.kind_of(path) == selection::file_kind::source && s.covered.find(path) == nullptr &&
        !std::binary_search(without_counters.begin(), without_counters.end(), path) && s.wanted(path))
      s.from.in_no_program.push_back(path);
  if (asked.coupled && !asked.is_tracefile() && !asked.is_question())
    s.coupled = asked.coupled(s.repo, *found, s.covered, s.wanted);
  keep_files(s.covered, s.wanted);
  return s;
}

struct answer {
  std::string text;
  bool has_findings = false;
};

result<answer> answer_test(const subject& s, const std::string& name, bool as_json) {
  const auto tests = find_tests(s.covered, name);
  if (tests.empty())
    return tl::unexpected(fmt::format(
        "the measurement has no test '{}'; `ctest -N` lists the tests, `morph measure` measures new ones", name));
  return answer{as_json ? tests_as_json(s.covered, s.from, tests) : tests_as_text(s.covered, s.from, tests)};
}

result<answer> answer_line(const subject& s, const std::string& text, bool as_json) {
  const auto named = find_line(s.repo, text);
  if (!named) return tl::unexpected(named.error());
  const line_answer found = ask_line(s.covered, named->path, named->line);
  return answer{as_json ? line_as_json(s.covered, s.from, found) : line_as_text(s.covered, s.from, found)};
}

result<diff_coverage> diff_of(const subject& s, const std::string& revision, work_tree_text& texts) {
  const auto start = s.repo.nearest(revision, [](const std::string&) { return true; });
  if (!start) return tl::unexpected(start.error());
  const auto changes =
      s.repo.changes_since((*start)->tree, {}, [&](const std::string& path) { return s.kinds.counts_untracked(path); });
  if (!changes) return tl::unexpected(changes.error());
  diff_coverage diff = make_diff(s.covered, lines_of_changes(s.covered, s.kinds, s.wanted, *changes, texts),
                                 [&](const auto& path, std::uint32_t line) { return texts.line(path, line).empty(); });
  diff.revision = revision;
  diff.commit = (*start)->commit;
  return diff;
}

result<answer> answer_diff(const subject& s, const std::string& revision, bool as_json) {
  work_tree_text texts(s.repo.root());
  const auto diff = diff_of(s, revision, texts);
  if (!diff) return tl::unexpected(diff.error());
  const auto text_at = [&](const std::string& path, std::uint32_t line) { return texts.line(path, line); };
  return answer{as_json ? diff_as_json(s.covered, s.from, *diff) : diff_as_text(s.covered, s.from, *diff, text_at),
                diff->totals().has_findings()};
}

result<answer> answer_of(const subject& s, const coverage_request& asked) {
  const bool as_json = asked.form == coverage_form::json;
  if (!asked.test.empty()) return answer_test(s, asked.test, as_json);
  if (!asked.line.empty()) return answer_line(s, asked.line, as_json);
  if (!asked.revision.empty()) return answer_diff(s, asked.revision, as_json);
  return answer{as_json ? coverage_as_json(s.covered, s.from, s.coupled)
                        : summary_as_text(s.covered, s.from, s.coupled)};
}

}  // namespace

result<coverage> measured_coverage(const build::build_tree& tree) {
  auto read = read_subject(tree, {});
  if (!read) return tl::unexpected(read.error());
  return std::move(read->covered);
}

result<diff_coverage> coverage_of_changes(const build::build_tree& tree, const std::string& revision) {
  const auto read = read_subject(tree, {});
  if (!read) return tl::unexpected(read.error());
  work_tree_text texts(read->repo.root());
  return diff_of(*read, revision, texts);
}

contract::outcome<coverage_reply> run(const build::build_tree& tree, const coverage_request& asked) {
  auto read = read_subject(tree, asked);
  if (!read) return contract::not_done(contract::environment, read.error());
  const auto s = std::make_shared<const subject>(std::move(*read));
  if (s->covered.files.empty())
    return contract::not_done(contract::usage,
                              "no measured file is left by --only and --without; without them the report lists the "
                              "files");
  coverage_reply reply;
  if (asked.form == coverage_form::lcov) {
    reply.write = [s](const text_sink& out) { write_lcov(s->covered, s->repo.root().string(), out); };
  } else if (asked.form == coverage_form::gcovr) {
    reply.write = [s](const text_sink& out) { write_gcovr(s->covered, out); };
  } else {
    auto found = answer_of(*s, asked);
    if (!found) return contract::not_done(contract::usage, found.error());
    reply.has_findings = found->has_findings;
    reply.write = [text = std::move(found->text)](const text_sink& out) { out(text); };
    return reply;
  }
  reply.notes = notes_on(s->covered, s->from);
  return reply;
}

}  // namespace morph::report
