// How callables are identified: by what a caller can write, the same in every unit that sees the declaration.
#pragma once

#include <clang/AST/DeclCXX.h>

#include <string>

#include "coverage/source/describe/types.hpp"

namespace morph::source {

/// `of_class`: null of free functions; of an inherited constructor the class that inherits it.
struct callable_name {
  std::string scope{};
  std::string own{};  // with the arguments of a template

  std::string whole() const { return scope.empty() ? own : scope + "::" + own; }
};

callable_name name_of(const clang::FunctionDecl& function, const clang::CXXRecordDecl* of_class,
                      const type_table& types);

/// `ns::C::m(int, const std::string &) const`; `name`: of the callable, whole.
std::string signature_of(const clang::FunctionDecl& function, const std::string& name, const type_table& types);

/// Of the default constructor that a class has without declaring it.
std::string signature_of_default_constructor(const clang::CXXRecordDecl& of_class, const type_table& types);

/// An expression that makes a unit instantiate a function as this instance of its template; empty if there is none, or
/// if no other source can write it.
std::string use_of_instance(const clang::FunctionDecl& function, const type_table& types);

}  // namespace morph::source
