// Runs Clang on one unit.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coverage/source/clang/mirror_files.hpp"
#include "coverage/source/clang/parse_error.hpp"

// Nothing of Clang's own is included here: its headers take 20 s to compile, and most of those who ask need none.
namespace clang {
class ASTContext;
class FrontendAction;
class Sema;
}  // namespace clang

namespace morph::source {

struct unit {
  std::string directory;
  std::string file;
  std::vector<std::string> arguments;  // of the compiler's command, itself first
};

struct parse_result {
  std::vector<parse_error> errors;
  std::vector<std::string> files;  // that it consists of
};

/// Parses the unit as `tree` shows its files, with these options in front (of ours: the folder of a GCC, an include).
/// `look`, if there is one, sees what became of it, errors or not.
parse_result parse(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
                   const std::function<void(clang::ASTContext&, const std::vector<parse_error>&)>& look);

/// What Clang makes of the unit goes to `action`; `errors` has its errors as they come.
void run_clang(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
               std::unique_ptr<clang::FrontendAction> action, std::vector<parse_error>& errors);

/// Calls `look` at the end of a unit without errors, when types can still be completed and asked for traits.
void analyze(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
             const std::function<void(clang::Sema&)>& look, std::vector<parse_error>& errors);

}  // namespace morph::source
