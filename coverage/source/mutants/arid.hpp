// Code whose mutants nobody needs to notice: logging, assertions, and what a comment switches off.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace morph::source {

/// `assert`, `Q_ASSERT`, `DCHECK_EQ`, `LOG`, `SPDLOG_DEBUG` and the like, by the words of its name.
bool is_arid_macro(std::string_view name);

/// Whether the location comes out of such a macro, or of an argument of one.
bool is_in_arid_macro(clang::SourceLocation at, const clang::ASTContext& context);

/// A statement that logs or asserts: a macro as above, `std::cerr << ...`, `fprintf(stderr, ...)`, functions of logging
/// libraries, and functions without a result that say so by their name.
bool is_arid(const clang::Stmt& statement, const clang::ASTContext& context);

/// Bytes [first, second) of a source that comments switch off: from `// morph: off` on a line of its own to
/// `// morph: on` or the end, and lines that end in `// morph: off`. Sorted.
std::vector<std::pair<std::uint32_t, std::uint32_t>> switched_off(std::string_view text);

}  // namespace morph::source
