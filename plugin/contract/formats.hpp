// The formats that Morph writes: what they are called, where they go. The one table that code and docs are made from.
#pragma once

#include <array>

namespace morph::contract {

struct format_row {
  const char* schema;
  const char* where;
  const char* meaning;
};

// Raise a number when a reader of the old one would misunderstand the new one; new members do not raise it.
inline constexpr const char* build_schema = "morph.build/1";
inline constexpr const char* listing_schema = "morph.listing/1";
inline constexpr const char* outcomes_schema = "morph.outcomes/1";
inline constexpr const char* run_schema = "morph.run/1";
inline constexpr const char* batch_schema = "morph.batch/1";
inline constexpr const char* before_build_schema = "morph.before-build/1";
inline constexpr const char* links_schema = "morph.links/1";
inline constexpr const char* granularity_schema = "morph.granularity/1";
inline constexpr const char* plan_schema = "morph.plan/1";
inline constexpr const char* why_schema = "morph.why/1";
inline constexpr const char* measure_schema = "morph.measure/1";
inline constexpr const char* record_schema = "morph.record/1";
inline constexpr const char* store_schema = "morph.store/1";
inline constexpr const char* history_schema = "morph.history/1";
inline constexpr const char* verify_schema = "morph.verify/1";
inline constexpr const char* audit_schema = "morph.audit/1";
inline constexpr const char* deferred_schema = "morph.deferred/1";
inline constexpr const char* evaluation_schema = "morph.evaluation/1";
inline constexpr const char* front_schema = "morph.front/1";
inline constexpr const char* merge_schema = "morph.merge/1";
inline constexpr const char* export_schema = "morph.export/1";
inline constexpr const char* gc_schema = "morph.gc/1";
inline constexpr const char* init_schema = "morph.init/1";
inline constexpr const char* doctor_schema = "morph.doctor/2";
inline constexpr const char* coverage_schema = "morph.coverage/1";
inline constexpr const char* test_coverage_schema = "morph.test-coverage/1";
inline constexpr const char* line_coverage_schema = "morph.line-coverage/1";
inline constexpr const char* diff_coverage_schema = "morph.diff-coverage/1";
inline constexpr const char* coupled_coverage_schema = "morph.coupled-coverage/1";
inline constexpr const char* summary_schema = "morph.summary/1";
inline constexpr const char* diff_schema = "morph.diff/1";
inline constexpr const char* optimize_schema = "morph.optimize/1";
inline constexpr const char* optimize_why_schema = "morph.optimize-why/1";
inline constexpr const char* instance_schema = "morph.instance/1";
inline constexpr const char* operators_schema = "morph.operators/1";
inline constexpr const char* mutation_schema = "morph.mutation/1";
inline constexpr const char* explain_schema = "morph.explain/1";
inline constexpr const char* observed_schema = "morph.observed/1";
inline constexpr const char* generate_schema = "morph.generate/1";
inline constexpr const char* class_pairs_schema = "morph.class-pairs/1";
inline constexpr const char* scout_schema = "morph.scout/1";
inline constexpr const char* scout_specs_schema = "morph.scout-specs/1";
inline constexpr const char* scout_rank_schema = "morph.scout-rank/1";
inline constexpr const char* mutation_state_schema = "morph.mutation-state/1";
inline constexpr const char* equivalence_schema = "morph.mutation-equivalence/1";
inline constexpr const char* verdicts_schema = "morph.mutation-verdicts/2";
inline constexpr const char* recording_schema = "morph.recording/1";
inline constexpr const char* scripts_schema = "morph.scripts/1";
inline constexpr const char* script_schema = "morph.script/1";
inline constexpr const char* script_steps_schema = "morph.script-steps/1";
inline constexpr const char* script_play_schema = "morph.script-play/1";
inline constexpr const char* state_schema = "morph.state/1";
inline constexpr const char* spec_new_schema = "morph.spec-new/1";
inline constexpr const char* breed_schema = "morph.breed/1";
inline constexpr const char* refresh_schema = "morph.refresh/1";
// These five are written by programs of specs.
inline constexpr const char* spec_run_schema = "morph.spec-run/1";
inline constexpr const char* spec_list_schema = "morph.spec-list/1";
inline constexpr const char* spec_tests_schema = "morph.spec-tests/1";
inline constexpr const char* spec_metrics_schema = "morph.spec-metrics/1";
inline constexpr const char* spec_analyses_schema = "morph.spec-analyses/1";
inline constexpr const char* studio_schema = "morph.studio/1";
inline constexpr const char* studio_state_schema = "morph.studio-state/1";
inline constexpr const char* report_html_schema = "morph.report-html/1";
inline constexpr const char* saved_schema = "morph.saved/1";
inline constexpr const char* error_schema = "morph.error/1";

inline constexpr std::array formats{
    format_row{build_schema, "<build>/.morph/build.json", "the suites, as CMake described them"},
    format_row{listing_schema, "<build>/.morph/listing/",
               "the cases of each program, kept by its size and time, those of the shared libraries, and what it read"},
    format_row{outcomes_schema, "<build>/.morph/outcomes.json", "verdicts of earlier runs of ctest"},
    format_row{run_schema, "<build>/.morph/runs/", "verdicts of one batch, until the next plan has read them"},
    format_row{batch_schema, "<build>/.morph/batches/", "the cases that one ctest entry runs"},
    format_row{links_schema, "<twin>/.morph/links.json",
               "what the twin's programs were linked of that the build does not make"},
    format_row{before_build_schema, "<build>/.morph/before-build.json",
               "programs that the last `morph plan --before-build` has left out"},
    format_row{granularity_schema, "<build>/.morph/granularity.json", "what GRANULARITY auto has chosen"},
    format_row{plan_schema, "morph plan --json", "the plan"},
    format_row{why_schema, "morph plan --why [TEST] --json", "why one test, or each, is selected or not"},
    format_row{measure_schema, "morph measure --json", "what was measured"},
    format_row{record_schema, "morph record --json", "how many verdicts were stored"},
    format_row{store_schema, "morph store info --json", "the measurements in the store"},
    format_row{history_schema, "morph store history --json", "runs, the verdicts of each test in them, and audits"},
    format_row{verify_schema, "morph store verify --json", "what is wrong with the store"},
    format_row{audit_schema, "morph plan --audit --json", "what the plan would have missed of a run of all tests"},
    format_row{deferred_schema, "morph plan --deferred --json", "what the policy or the budget leaves out"},
    format_row{evaluation_schema, "morph plan --evaluate --json",
               "how soon the plan's order found the failures of a run"},
    format_row{front_schema, "morph plan --pareto --json", "time against coverage of the change"},
    format_row{merge_schema, "morph store merge --json", "what the merged store holds"},
    format_row{export_schema, "morph store export", "a store as JSON lines"},
    format_row{gc_schema, "morph store gc --json", "what was removed"},
    format_row{init_schema, "morph init --json", "the lines that are offered"},
    format_row{doctor_schema, "morph doctor --json", "the checks"},
    format_row{coverage_schema, "morph report coverage --json",
               "who ran which lines and functions, took which branches and saw which terms of conditions decide"},
    format_row{test_coverage_schema, "morph report coverage --per-test TEST --json", "what one test ran"},
    format_row{line_coverage_schema, "morph report coverage --line FILE:LINE --json", "which tests run a line"},
    format_row{diff_coverage_schema, "morph report coverage --diff REVISION --json", "changed lines and who runs them"},
    format_row{coupled_coverage_schema, "morph report coverage --coupled --json",
               "pairs of branches of a caller and a callee, and which of them a test covers"},
    format_row{summary_schema, "morph report summary --json", "what all evidence says of a pull request"},
    format_row{diff_schema, "morph diff --json",
               "what differs between two builds, by file, and what was taken for no change"},
    format_row{optimize_schema, "morph optimize --json", "which tests cover everything, or the most in a budget"},
    format_row{optimize_why_schema, "morph optimize --why TEST --json", "what one test is there for"},
    format_row{instance_schema, "morph optimize --write-instance FILE.json",
               "tests, what they cover and take; `--instance` reads it (docs/how-to/minimize.md)"},
    format_row{mutation_schema, "morph mutate --json; <build>/.morph/mutation/report.json",
               "each program mutant, what became of it and which test killed it, and the sources as they were"},
    format_row{operators_schema, "morph mutate --list-operators --json", "the mutation operators that there are"},
    format_row{explain_schema, "morph explain --json; <build>/.morph/explain/report.json",
               "why program mutants survived: symptom, tests, differences of state, what to do, and with --fix what "
               "kills them"},
    format_row{observed_schema, "<build>/.morph/explain/observed.json",
               "what was observed of mutants of the last `morph mutate`, from which explanations are made"},
    format_row{generate_schema, "morph generate --json",
               "branches that generated tests reach, the tests, and findings"},
    format_row{class_pairs_schema, "morph generate --pairs list --json",
               "pairs of classes that tests can be generated for"},
    format_row{scout_schema, "morph scout --json", "metamorphic relations in the project's tests, with their calls"},
    format_row{scout_specs_schema, "morph scout --specs --json",
               "what became of these relations as specs: inputs, runs, counterexamples"},
    format_row{scout_rank_schema, "morph scout --rank --json",
               "what written relations add to the project's own tests: mutants and lines, a relation"},
    format_row{mutation_state_schema, "<build>/.morph/mutation/sources.json",
               "where the sources can be mutated, by the content of each translation unit"},
    format_row{equivalence_schema, "<build>/.morph/mutation/equivalence.json",
               "which program mutants are compiled to the same code, by the content of each translation unit"},
    format_row{verdicts_schema, "<build>/.morph/mutation/verdicts.json",
               "what became of each program mutant, by the content that it hangs on"},
    format_row{recording_schema, "morph script record, stop --json; <build>/.morph/recording.json",
               "the script that is being recorded"},
    format_row{scripts_schema, "morph script list --json", "the scripts that are found by their names"},
    format_row{script_schema, "morph script show --json", "the text of one script"},
    format_row{script_steps_schema, "morph script play --dry-run --json", "the commands that a script would run"},
    format_row{script_play_schema, "morph script play --json", "what became of each step, and what it wrote"},
    format_row{state_schema, "morph spec state save FILE; morph spec state --json",
               "pools, messages, scripts and the seed, each with its length, and a digest of all of it"},
    format_row{spec_new_schema, "morph spec new --json", "the spec that was written, and what its program links"},
    format_row{breed_schema, "morph spec breed --json; each line of its --log",
               "what was bred: each generation, the reduction, and what the pool that is kept reaches"},
    format_row{refresh_schema, "morph spec refresh --json", "what became of spec pools"},
    format_row{spec_run_schema, "morph spec run --json",
               "what became of the cases and relations of specs, a document a suite"},
    format_row{spec_list_schema, "morph spec list --json", "what specs declare"},
    format_row{spec_tests_schema, "morph spec run --list --json", "the tests of specs, and where they are declared"},
    format_row{spec_metrics_schema, "morph spec measure --json", "metrics of a pool"},
    format_row{spec_analyses_schema, "morph spec analyse --json", "tables that analysers make of a pool"},
    format_row{studio_schema, "morph studio --json", "where the page is: port, and URL with the token"},
    format_row{studio_state_schema, "GET /api/state of morph studio",
               "repository, build tree, commands that may be started, runs, number of the last event"},
    format_row{report_html_schema, "morph report html --json",
               "the page that was written, scripts beside it, and which documents and sources they hold"},
    format_row{saved_schema, "<page>.html of morph report html",
               "documents of commands, and sources, with which the page's script draws its screens"},
    format_row{error_schema, "any of them", "what went wrong, when there is nothing else to print"},
};

/// Where a format lies that only Morph reads, and may change: in a build tree. The others have a JSON Schema.
constexpr bool is_internal(const format_row& row) {
  return row.where[0] == '<';
}

}  // namespace morph::contract
