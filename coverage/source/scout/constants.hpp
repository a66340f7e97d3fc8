// Constants of a test that could be another value: what becomes an input of a relation.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <functional>
#include <optional>
#include <string>

#include "coverage/source/scout/edited_text.hpp"

namespace morph::source::scouting {

/// A type of which values can be made: numbers, texts, and containers of these.
struct input_type {
  std::string name{};  // `unsigned int`, `std::string`
  enum class access : std::uint8_t {
    itself,
    pointer,
    view
  } how = access::itself;  // as code takes it that is given one
  bool operator==(const input_type&) const = default;
};
std::optional<input_type> input_type_of(clang::QualType type, const clang::ASTContext& context);
/// What stands for the input in code.
std::string written(const input_type& type, const std::string& input);

struct found_constant {
  text_range where{};
  std::string text{};
  input_type type{};
  std::string name{};                  // of the variable or parameter that it is given to; may be empty
  std::optional<text_range> length{};  // of this text, in the next argument
  bool is_in_brackets = false;         // `where` are those behind the name of a declared variable
};

/// Calls `found` for the largest expressions that are made of literals alone, in the order of the source. Not those
/// that code depends on: indexes, sizes of arrays, what loops run to, shifts, divisors.
void find_constants(const clang::Stmt* in, clang::ASTContext& context, const edited_text& text,
                    const std::function<void(const found_constant&)>& found);

/// What a variable is declared with.
void find_constant_of(const clang::VarDecl& of, clang::ASTContext& context, const edited_text& text,
                      const std::function<void(const found_constant&)>& found);

}  // namespace morph::source::scouting
