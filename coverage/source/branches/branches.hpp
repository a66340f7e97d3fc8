// Where C++ branches: the functions of a unit, their conditions and calls, and what each depends on.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "coverage/source/branches/branch.hpp"
#include "coverage/source/clang/files.hpp"
#include "coverage/source/clang/parse_error.hpp"

namespace clang {
class ASTContext;
}

namespace morph::source {

using file_branches = std::map<std::string, std::vector<function_branches>>;  // by path, in the order of the source

/// Of all functions that are defined in files of the choice; of templates their patterns. Changes the syntax tree.
file_branches read_branches(clang::ASTContext& context, const file_choice& chosen,
                            const std::vector<parse_error>& errors);

/// All classes that files of the choice define, in the order of the source.
std::vector<branch_class> read_classes(clang::ASTContext& context, const file_choice& chosen);

/// [{"path", "functions"}]
nlohmann::json to_json(const file_branches& files);
/// [{"name", "bases", "overrides"}]
nlohmann::json to_json(const std::vector<branch_class>& classes);

}  // namespace morph::source
