// A row a subcommand: its name, what it is for, what adds it, what its help ends with.
#include "plugin/command/subcommands.hpp"

#include <array>

namespace morph::command {
namespace {

constexpr std::array all{
    subcommand{
        "measure", "Build the instrumented twin and record what every test executes", add_measure,
        "Writes the evidence store (.morph/evidence.db at the top of the git repository). A second run continues an\n"
        "interrupted one. Examples:\n  morph measure\n  morph measure --build build -j 8"},
    subcommand{
        "plan", "Show which tests the current change can affect, in which order, and why", add_plan,
        "States: unchanged-proven, affected, stale-widened, unmeasured-ran-all (docs/quickstart.md). Examples:\n"
        "  morph plan\n  morph plan --why Suite.Test\n  morph plan --json | jq .totals\n"
        "  ./tests $(morph plan --format gtest-filter)\n"
        "  morph plan --format gtest-filter > filter; ./tests --gtest_flagfile=filter\n"
        "Before the build (configure first): only what can be affected needs to be built. Plans of the same content\n"
        "deselect what was not built:\n"
        "  cmake --build build --target $(morph plan --before-build --format targets)\n"
        "  morph plan --before-build --json | jq .targets"},
    subcommand{
        "record", "Store the verdicts of the last ctest run, or of a JUnit report, and what the run taught", add_record,
        "A test that failed stays selected until it passes. One that passes and fails on the same content is flaky.\n"
        "Examples:\n  morph record\n  morph record results.xml\n  morph record build/reports/*.xml --json"},
    subcommand{
        "run", "Used by ctest: the entries <suite>.tier1 to .tier4, .selected, .deferred", add_run,
        "A batch is a file in <build>/.morph/batches, written when ctest lists the tests of a suite with GRANULARITY\n"
        "tier or suite. Its cases run in one process; after a crash or a time-out the rest goes on in another one.\n"
        "The suite's TIMEOUT (default 1500 s) is each case's. Exit code 1: a case failed, crashed, timed out or was\n"
        "not run, or a program ended badly outside its cases; the last lines name them.\n"
        "MORPH_JUNIT_DIR=DIR: the cases of each entry are reported in DIR/<entry>.xml (relative to the build tree).\n"
        "Examples:\n  ctest -L morph -V\n  ctest -N -V | grep batch          # the command of each entry\n"
        "  MORPH_JUNIT_DIR=reports ctest     # then: morph record build/reports/*.xml"},
    subcommand{
        "report", "Report what the measured tests execute, and which program mutants they notice", add_report,
        "What there is to report: coverage, mutation, a summary for a pull request, and all of it as a page. Options: "
        "morph report coverage --help, morph report mutation --help, morph report summary --help, morph report "
        "html --help"},
    subcommand{
        "diff", "Show which functions differ between two builds, and why, by their object code", add_diff,
        "For each program and shared library of both build trees (Ninja or make): functions whose code differs, or\n"
        "the data that they refer to, or their table of exceptions; initializers; and which differences mean\n"
        "nothing. The build tree is compared with what was measured of the nearest commit, or two build trees with "
        "each\n"
        "other: these are built; their objects are read, not their sources, and without a list of moved lines a moved\n"
        "assert() is a change. x86-64 and AArch64, no LTO. Examples:\n"
        "  morph diff\n"
        "  morph diff --before ../main/build --after build\n"
        "  morph diff --before old --after new --json | jq '.files[].changes[].name'"},
    subcommand{
        "optimize", "Find the fewest seconds of tests that cover everything, or the most in a budget", add_optimize,
        "Reads the measurement that `morph plan` starts from, or a file (docs/how-to/minimize.md); nothing is run. A "
        "set\n"
        "that covers everything may miss faults all the same. Examples:\n"
        "  morph optimize                            # which tests are redundant, and what only one test covers\n"
        "  morph optimize --why Area.OfSquare        # what only this test covers, or who covers the same\n"
        "  morph optimize --budget 30 --names        # the best half a minute\n"
        "  morph optimize --keep lines,branches,functions --only 'src/*' --json\n"
        "  morph optimize --write-instance all.txt && morph optimize --instance all.txt\n"
        "  morph optimize --export tables/all        # for spreadsheets, pandas, NumPy"},
    subcommand{
        "mutate", "Find out which small faults the tests would notice", add_mutate,
        "Changes the code in many small ways, all in one build, and runs the tests that reach each change. A change\n"
        "that no test notices shows what is not checked. The sources are read by Clang and compiled by the\n"
        "project's own compiler, in a copy: the user's tree stays as it is. Examples:\n"
        "  morph mutate\n  morph mutate --operators ror,lcr\n  morph mutate --json | jq .score"},
    subcommand{
        "explain", "Say why a mutant survived, and what to assert or to test", add_explain,
        "Reads the last `morph mutate`. For each survivor it compares what tests see with and without the change:\n"
        "  weak-oracle     a test sees another state, and no assertion checks it: it says which one is missing\n"
        "  no-propagation  the function leaves another state behind, and no test sees it: which function to test\n"
        "  no-infection    no call did anything else: which values are missing\n"
        "Exit code 1: a survivor is explained (docs/how-to/explain.md). Examples:\n"
        "  morph mutate && morph explain\n"
        "  morph explain src/price.cpp:5            # survivors of a line; a function or a mutant will do, too\n"
        "  morph explain --diff --markdown > comment.md\n"
        "  morph explain 'shop::price' --json | jq '.mutants[].suggestion'"},
    subcommand{
        "generate", "Search for tests that reach the branches of a class or file", add_generate,
        "Calls what the project's headers offer, in sequences that a search varies until they take the branches of "
        "the\n"
        "unit; writes those as tests that assert what the code did. Generated calls run in a process that can write "
        "no\n"
        "file and open no socket; the user's tree stays as it is. Exit code 1: a crash or hang is likely a fault.\n"
        "Examples:\n  morph generate --unit geo::shape --budget 30\n"
        "  morph generate --unit src/parser.cpp > parser.patch && git apply parser.patch\n"
        "  morph generate --unit geo::shape --json | jq .branches"},
    subcommand{
        "scout", "Find metamorphic relations in the tests that there are", add_scout,
        "Reads the sources of the tests of GoogleTest, Catch2 and doctest: which assertions compare two calls of a "
        "class\n"
        "or of a header, and how the second call's input comes from the first. Without --observe, --specs\n"
        "and --write nothing runs. A source is read again only if it, one of its headers or its command has changed. "
        "With\n"
        "--specs or --write it makes a metamorphic spec of each, tries it with drawn inputs, and keeps those that "
        "hold\n"
        "(docs/how-to/scout.md). Examples:\n"
        "  morph scout\n  morph scout tests/crc_test.cc\n  morph scout --diff --markdown > comment.md\n"
        "  morph scout --specs CRC.Mask\n  morph scout --write relations\n"
        "  morph mutate --all-killers && morph scout --rank   # what they add to the project's own tests\n"
        "  morph scout --json | jq '.tests[].relations[].text'"},
    subcommand{
        "spec", "Make, run, check, measure and look at the cases of metamorphic specs", add_spec,
        "Runs the program of a suite that morph_add_spec() declares, with all that follows. `morph spec --help` ends\n"
        "here; `morph spec new` writes a spec of a function (docs/specs/new.md); `morph spec run --help` and\n"
        "`morph spec show --help` tell what the program takes. Activities: list, run, seed, mutate, execute, check,\n"
        "measure, filter, edit, analyse, show, explore, refresh (docs/specs/reference.md); breed "
        "(docs/specs/breed.md);\n"
        "state save, load, clear: all pools, scripts and messages as one file (docs/specs/scripts.md). Examples:\n"
        "  morph spec list\n"
        "  morph spec run --order 2 --max-time 10\n"
        "  morph spec seed --pool cases.jsonl && morph spec mutate --pool cases.jsonl\n"
        "  morph spec check --pool cases.jsonl && morph spec show --pool cases.jsonl --by failed\n"
        "  morph spec explore --strategy random-target --plot borders.svg\n"
        "  morph spec refresh --order 2         # the pools of morph_add_spec(... POOL), explored and reduced"},
    subcommand{
        "script", "Record, edit and play scripts of these commands", add_script,
        "A script is a text file NAME.morph with one command a line, as it is typed; `set NAME = VALUE`, `${NAME}`,\n"
        "`repeat N as i` ... `end`, `in FOLDER`, `play OTHER`, `try` before a command that may fail, # before a "
        "remark\n"
        "(docs/specs/scripts.md). Examples:\n"
        "  morph script record compare               # then work as always\n"
        "  morph script stop && morph script edit compare\n"
        "  morph script play compare --dry-run\n"
        "  morph script play compare --seed 7 --set pool=small.jsonl --messages messages.csv"},
    subcommand{
        "store", "Look at the evidence store", add_store,
        "Examples:\n  morph store info\n  morph store verify\n  morph store merge shard1.db shard2.db --into all.db\n"
        "  morph store gc --ref main --dry-run"},
    subcommand{
        "studio", "Serve a page on this machine that shows the results and starts these commands", add_studio,
        "Prints the URL and opens it; Ctrl-C ends it, and what was started from the page. It listens at 127.0.0.1 "
        "alone,\n"
        "and answers only who has the token in the URL: keep it to yourself. Commands that the page starts are those "
        "of\n"
        "the command line, in this folder. Exit code 3: the port is taken. Examples:\n"
        "  morph studio\n"
        "  morph studio --no-open --port 8080      # then on your own machine: ssh -L 8080:127.0.0.1:8080 HOST\n"
        "  morph studio --no-open --json | jq -r .url"},
    subcommand{"init", "Prepare a project: offer the CMake lines and a CI recipe", add_init,
               "Reads CMakeLists.txt and, if there is one, a build tree; changes nothing without --write. Examples:\n"
               "  morph init\n  morph init --write\n  morph init --ci github"},
    subcommand{"doctor", "Check that everything Morph needs is there", add_doctor,
               "Exit code 1 if something is wrong."},
    subcommand{"reference", "Print docs/reference.md: commands, reasons, variables, CMake module, formats",
               add_reference, ""},
};

}  // namespace

std::span<const subcommand> subcommands() {
  return all;
}

}  // namespace morph::command
