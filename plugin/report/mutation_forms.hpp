// A mutation result for people and in the formats of other tools. Sources and names may hold any bytes: what is not
// UTF-8 becomes U+FFFD in all of them.
#pragma once

#include <string>
#include <vector>

#include "plugin/report/explanations.hpp"
#include "plugin/report/mutation.hpp"

namespace morph::report {

struct text_form {
  bool verbose = false;                             // each survivor with its line, too
  std::vector<std::string> by{"file", "operator"};  // tables: these, function, suite, test
  std::string suite{};                              // whose tests a table shows; empty: all
};

/// Pseudo-tested functions, tables, the sum.
std::string mutation_as_text(const mutation_result& result, const text_form& form = {});

/// A line a mutant, below a line of headings.
std::string mutation_as_csv(const mutation_result& result);

/// JUnit's XML: a suite a file, a case a mutant that tests reach, or that is equivalent or was not judged (skipped).
/// A survivor is a failure.
std::string mutation_as_junit(const mutation_result& result);

// `root` leads from the top of the repository to the root of the project: empty, or a path that ends in a slash.

/// Workflow commands of GitHub Actions: pseudo-tested functions before survivors, since GitHub shows the first ones.
std::string mutation_as_github(const mutation_result& result, const std::string& root);

/// SARIF 2.1.0: pseudo-tested functions and survivors. A note is a survivor whose value differed in no test.
std::string mutation_as_sarif(const mutation_result& result, const std::string& root, const std::string& version);

/// A report of the mutation testing elements, schema version 2. A crash is "Killed" there, as in all our figures.
std::string mutation_as_elements(const mutation_result& result, const std::string& version);

/// A page that needs nothing else, neither files nor a network. Survivors that are explained show that.
std::string mutation_as_page(const mutation_result& result, const std::string& version,
                             const explanations& explained = {});

}  // namespace morph::report
