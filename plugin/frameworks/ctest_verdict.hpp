// CTest's verdict on a plain program: exit status, output and the test's properties.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace morph::frameworks {

/// The elements of a CMake list; empty ones are dropped.
std::vector<std::string> split_list(const std::string& list);

enum class verdict { passed, failed, skipped };

/// As CTest 3.25 judges a program that ended by itself (cmCTestRunTest): SKIP_RETURN_CODE and SKIP_REGULAR_EXPRESSION,
/// then FAIL_REGULAR_EXPRESSION, PASS_REGULAR_EXPRESSION (which makes the exit status irrelevant), WILL_FAIL.
/// Expressions are read as POSIX extended ones; one that is not makes the verdict `failed`, so that the test stays
/// selected.
verdict judge(int exit_status, const std::string& output,
              const std::vector<std::pair<std::string, std::string>>& properties);

}  // namespace morph::frameworks
