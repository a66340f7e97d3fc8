// What mutants and tests are called from one run to the next: digests of the content that their verdicts hang on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "coverage/mutation/overlay.hpp"

namespace morph::mutating {

/// By place and alternative. Two runs give a mutant the same name if its file, the function around it by name and
/// tokens, its place in there, what it becomes, and what the file holds outside of functions are the same; comments,
/// blanks and other functions do not count.
std::vector<std::vector<std::string>> name_mutants(const mutation::mutated_file& file);

/// Of what name_mutants() takes for the rest of a file.
std::string digest_outside_functions(const mutation::mutated_file& file);

/// A source or header that belongs to tests.
struct test_source {
  std::string path;  // as compilers name it
  std::string text;
};

/// A digest for each test, of its own definition and of all that is not the definition of another test; `places` says
/// where they are, as `file:line`. Of one that cannot be found it is that of everything.
std::vector<std::string> test_contents(const std::vector<std::string>& places, const std::vector<test_source>& sources);

/// Of all tokens: equal if only comments and blanks differ.
std::string content_digest(const std::string& text);

}  // namespace morph::mutating
