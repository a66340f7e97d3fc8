// The body of a function as something that is observed when it has run.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <string>

#include "coverage/observation/points.hpp"
#include "coverage/source/observe/rows.hpp"
#include "coverage/source/observe/written.hpp"

namespace morph::source {

/// Why its calls cannot be observed; empty if they can.
std::string why_not_observed(const clang::FunctionDecl& definition);

/// `body`: where its body is written. Types of what is read go to `rows`, of instances too.
observation::point call_point(const clang::FunctionDecl& definition, const written_range& body, written_code& code,
                              type_rows& rows);

}  // namespace morph::source
