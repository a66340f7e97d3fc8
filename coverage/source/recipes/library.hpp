// What classes and functions of the standard library do to values that are known: texts, streams, lists, owners.
#pragma once

#include <clang/AST/DeclCXX.h>

#include <optional>
#include <string>
#include <vector>

#include "coverage/source/recipes/known.hpp"

namespace morph::source {

enum class library_class : std::uint8_t {
  none,
  text,    // std::string, std::string_view
  stream,  // one that reads or writes a text
  list,    // a container, std::pair, std::tuple
  owner,   // std::unique_ptr, std::shared_ptr: as what it owns
};

/// `none` for classes that are not in namespace std, and for those of it that are not modelled.
library_class library_class_of(const clang::CXXRecordDecl& of);

/// Its only parameter is its result: std::move, std::forward, std::addressof, std::ref.
bool is_handed_on(const clang::FunctionDecl& function);

/// Of the arguments that are written.
known constructed(library_class of, const std::vector<known>& arguments);

/// A container by its count: `vector<int>(3, 7)`, `vector<int>(3)`. Nothing if it is no such constructor.
std::optional<known> counted(const clang::CXXConstructorDecl& constructor, const std::vector<known>& arguments);

/// Has pairs of a key and a value.
bool is_map(const clang::CXXRecordDecl& of);

/// By its index; false if that is not known.
bool set_element(known& list, const known& at, known value);

/// A method or operator; what it does to the receiver, too. Nothing if it is not modelled.
std::optional<known> called(library_class of, const std::string& method, known& receiver,
                            const std::vector<known>& arguments);

}  // namespace morph::source
