// What Morph knows of each test framework: how its programs list their cases and how they are told which to run.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/frameworks/listing.hpp"
#include "plugin/system/process.hpp"

namespace morph::frameworks {

struct listing_end : system::process_end {
  std::string described;  // "exit status 3", ...
};

/// A program that is asked for its cases.
struct listing_program {
  std::function<listing_end(const std::vector<std::string>& arguments)> run;  // the arguments without the program
  std::vector<std::string>
      extra_args;                // of the suite: a program that fails to list without them is asked again with them
  std::filesystem::path report;  // free for a file that the program writes; removed afterwards
  std::string cmake_version;     // of which CMake names are
};

class framework_runner;

/// How the texts of projects speak of a framework, for who reads them without building anything.
struct framework_words {
  std::string_view product = {};  // as people call it
  /// What #include lines contain: a folder with its slash, or a file's name.
  std::vector<std::string_view> headers = {};
  std::vector<std::string_view> other_headers = {};  // that lie among them, and are for who is tested
  /// What CMake links, in lower case: a target, or the scope of several (`gtest::`).
  std::vector<std::string_view> linked = {};
  std::vector<std::string_view> discovery = {};  // commands of its CMake module
  std::vector<std::string_view> folders = {};    // where others' copies of it lie, in lower case
  std::string_view switch_off = {};              // a macro that leaves a program without cases
  std::string_view scope = {};                   // of its C++ names, as demanglers write it
};

/// A row of the table in framework.cpp.
struct framework {
  std::string_view name;
  framework_words words;
  /// The cases in the program's order, named as the framework's own CMake module names them, without prefix and suffix.
  /// What that module leaves out (hidden, skipped) is left out.
  result<std::vector<listed_case>> (*list)(const listing_program& program);
  /// The arguments with which a program runs these cases and, where the framework cannot express a name exactly, cases
  /// that resemble them: never less. See the escaping functions below.
  std::vector<std::string> (*choose)(std::span<const std::string> case_names);
  /// For batches.
  std::unique_ptr<framework_runner> (*make_runner)();
  /// Variables that would make a program list or run something else than what it is asked for.
  std::vector<std::string> variables = {};
  /// Those of them that have a program leave tests to other processes.
  std::vector<std::string_view> dividing = {};
  /// For ctest: in the output of a single case that was skipped. Empty if the framework has no such thing.
  std::string skip_expression = {};
  /// A variable and the value that keeps a program from telling of each test: that is most of what short tests ask of
  /// the kernel. Morph's runtime takes this value away before tests run. No name: there is no such variable.
  std::pair<std::string, std::string> silence = {};
  /// For ctest: in the output of a program that knows no such case, which it takes for a success.
  std::string absent_expression = {};
  /// Behind this argument the framework reads none.
  std::string_view end_of_options = {};
  /// `classname.name` in the framework's own JUnit report, if that is not how it calls a case elsewhere.
  std::string (*in_junit)(std::string_view case_name) = nullptr;
};

/// The table.
std::span<const framework> all_frameworks();

/// Nothing for `none`, whose programs are one test each.
const framework* find_framework(std::string_view name);

/// A suite's EXTRA_ARGS and what the framework itself is to read.
std::vector<std::string> with_arguments(const framework* f, std::vector<std::string> extra_args,
                                        const std::vector<std::string>& own);

/// Properties of a single case's test: the given ones, and that it fails if it does not run.
std::vector<std::pair<std::string, std::string>> properties_of_case(
    const framework& f, std::vector<std::pair<std::string, std::string>> given);

/// Whether a variable has a program leave tests to other processes: in the ENVIRONMENT of a suite it can only keep a
/// test from running at all.
bool divides_tests(std::string_view variable);

// ---- Catch2

/// The list of version 3: `--list-tests --reporter xml`. An error if there is none in the text.
result<std::vector<listed_case>> parse_catch2_xml(std::string_view text);

/// The list of version 2: `--list-test-names-only --verbosity high`, a line `name <tab> @file:line` for each case.
/// Other lines belong to names that hold newlines, or the program itself printed them: `other_text` is what it prints
/// when no case matches.
result<std::vector<listed_case>> parse_catch2_names(std::string_view text, std::string_view other_text);

/// Whether there is a line that does not end as one of version 2's list.
bool has_other_text(std::string_view catch2_names);

/// As a test specification. Case and outer blanks do not count, and a `*` at an end of the name matches anything:
/// Catch2 cannot escape it.
std::string catch2_pattern(std::string_view case_name);

// ---- doctest

/// A test case without a name.
inline constexpr std::string_view doctest_unnamed = "(no name)";

/// `--list-test-cases --reporters=xml`. An error if there is no list in the text.
result<std::vector<listed_case>> parse_doctest_xml(std::string_view text);

/// For `--test-case`. Case does not count, `*` and `?` of the name are wildcards, and `?` stands for what not every
/// version can escape.
std::string doctest_pattern(std::string_view case_name);

// ---- Catch2 and doctest

/// Both write control characters and what is not UTF-8 as `\xHH`. Where the plain listing does not contain such a name
/// as it stands, the bytes are put back.
void restore_bytes(std::vector<listed_case>& cases, std::string_view plain_listing);
bool may_lack_bytes(const std::vector<listed_case>& cases);

}  // namespace morph::frameworks
