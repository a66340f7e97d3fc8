// One run of `morph explain`: from survivors and observations to explanations.
#pragma once

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/explain/forms.hpp"
#include "plugin/explain/request.hpp"
#include "plugin/explain/sources.hpp"
#include "plugin/system/observer.hpp"

namespace morph::explain {

struct explained {
  explain_report said{};
  project_functions functions{};  // as far as suggestions needed them
};

/// Of the last result of `morph mutate`. What is observed and said is kept in the build tree; observations of the same
/// result are not made again.
contract::outcome<explained> run(const build::build_tree& tree, const request& asked, system::observer& told);

}  // namespace morph::explain
