// The environment variables that the `morph` program reads: the one table that help, doctor and docs are made from.
#pragma once

#include <array>

namespace morph::contract {

struct variable_row {
  const char* name;
  const char* value;       // what it may be
  const char* meaning;     // one sentence
  bool is_common = false;  // set nearly everywhere: no news for `doctor`
};

inline constexpr const char* policy_variable = "MORPH_POLICY";
inline constexpr const char* base_variable = "MORPH_BASE";
inline constexpr const char* budget_variable = "MORPH_BUDGET";
inline constexpr const char* times_variable = "MORPH_K_COVERAGE";
inline constexpr const char* failed_within_variable = "MORPH_FAILED_WITHIN";
inline constexpr const char* junit_variable = "MORPH_JUNIT_DIR";
inline constexpr const char* isolation_variable = "MORPH_ISOLATION";
inline constexpr const char* approximate_variable = "MORPH_APPROXIMATE";
inline constexpr const char* overlay_variable = "MORPH_STORE_OVERLAY";
inline constexpr const char* colour_variable = "NO_COLOR";
inline constexpr const char* library_variable = "LD_LIBRARY_PATH";

inline constexpr std::array environment_variables{
    variable_row{policy_variable, "all, safe, narrow, minimal, risk=P",
                 "the policy of every suite, in place of the declared one"},
    variable_row{base_variable, "a revision", "the baseline is looked for from there backwards, not from HEAD"},
    variable_row{budget_variable, "seconds", "the tests that cover most of the change within this much recorded time"},
    variable_row{times_variable, "a number", "how many tests the policy minimal keeps for everything that changed"},
    variable_row{failed_within_variable, "a number",
                 "a test that failed in one of this many of its last runs stays selected (1: until it passes once)"},
    variable_row{junit_variable, "a folder",
                 "where the entries of GRANULARITY tier and suite report their cases, relative to the build tree"},
    variable_row{isolation_variable, "fork, process, none",
                 "`morph measure`: a fork of the running program for every test, or the last one put back as it was "
                 "(default), a new process, or all in one"},
    variable_row{approximate_variable, "anything",
                 "plans and reports also use what was measured with isolation none: tests may be missing"},
    variable_row{
        overlay_variable, "a file",
        "a private store over that of the build tree, which is then only read: what it says adds tests to plans "
        "and takes none away"},
    variable_row{"MORPH_SEED", "a number", "programs of specs: the seed of all random numbers (1)"},
    variable_row{"MORPH_SPEC_CASES", "1, a number or a pool",
                 "programs of specs: each case is a test, in place of each relation, so that it has a row of its own. "
                 "1: 20000 cases at most; else that number of them, or the cases of that saved pool"},
    variable_row{"MORPH_SPEC_CASE_IDS", "a file", "of these cases, those whose ids stand in the file, one a line"},
    variable_row{"MORPH_SCRIPT", "files",
                 "set for the steps of a script: who plays them. None of them plays itself, and no step is recorded"},
    variable_row{"EDITOR", "a command",
                 "what `morph spec edit` opens a pool with, and `morph script edit` a script; `VISUAL` comes first",
                 true},
    variable_row{"VISUAL", "a command", "see `EDITOR`", true},
    variable_row{"DISPLAY", "a screen", "`morph studio` opens a browser where this or `WAYLAND_DISPLAY` is set", true},
    variable_row{"WAYLAND_DISPLAY", "a screen", "see `DISPLAY`", true},
    variable_row{colour_variable, "anything", "no colours", true},
    variable_row{"LC_ALL", "a locale",
                 "builds of twins have it for all but messages, which are read and are in English", true},
    variable_row{"PATH", "folders",
                 "`morph spec new`: whether CMake finds this Morph by itself; else its hints name it", true},
    variable_row{library_variable, "folders",
                 "as for the tests: where plans look for shared libraries that a new definition may change"},
    variable_row{"LD_PRELOAD", "libraries",
                 "as for the tests: with MORPH_EVIDENCE=probes the library that records comes before them"},
};

}  // namespace morph::contract
