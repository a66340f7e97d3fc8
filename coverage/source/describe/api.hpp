// Finds what the headers of a unit let other sources call.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <string>
#include <vector>

#include "coverage/source/clang/files.hpp"
#include "coverage/source/describe/places.hpp"

namespace morph::source {

struct found_callable {
  const clang::FunctionDecl* function;   // null: the default constructor that the class has without declaring it
  const clang::CXXRecordDecl* of_class;  // null of free functions
  place_in_header place;
};

struct found_class {
  const clang::CXXRecordDecl* definition;
  place_in_header place;
};

struct found_template {
  const clang::TemplateDecl* pattern;
  place_in_header place;
};

/// All by place, instances of a template in the order in which the unit has them.
struct found_api {
  std::vector<found_class> classes;  // complete ones, instances of templates among them
  std::vector<found_callable> callables;
  std::vector<found_template> without_instance;
  std::vector<std::string> headers;           // of the choice, all that the unit consists of
  std::vector<std::string> included_by_main;  // those that the unit itself includes, in its order
};

found_api api_of(clang::ASTContext& context, const file_choice& chosen);

}  // namespace morph::source
