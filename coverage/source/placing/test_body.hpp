// Whether a function is the body of a test that runs once, by the macro that writes it.
#pragma once

#include <clang/AST/Decl.h>

#include <string>

namespace morph::source {

struct test_body {
  std::string macro{};    // TEST, TEST_CASE; empty: no macro writes the function
  std::string why_not{};  // why nothing is added to it; empty if something can be
};

test_body test_body_of(const clang::FunctionDecl& function);

}  // namespace morph::source
