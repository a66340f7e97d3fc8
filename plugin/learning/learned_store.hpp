// learned.db, opened so that nobody has to mend it: what it says can be learned again.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <type_traits>

#include "plugin/build/build_tree.hpp"
#include "plugin/store/database.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"
#include "plugin/workspace/opened.hpp"

namespace morph::learning {

/// Whether a writer was cut off: nobody can read it before another one has opened it.
bool is_left_in_writing(const build::build_tree& tree);

/// If it is damaged it is removed, and `told` says so.
bool remove_if_damaged(const build::build_tree& tree, system::observer& told);

/// `action` with the store, open for writing; once more with an empty one if the store is what fails, and damaged.
/// Whoever calls it holds the lock of what is learned.
template <typename Action>
auto with_learned(const build::build_tree& tree, system::observer& told, Action action)
    -> std::invoke_result_t<Action, store::evidence_store&> {
  const auto once = [&]() -> std::invoke_result_t<Action, store::evidence_store&> {
    auto learned = store::evidence_store::open_for_writing(workspace::learned_path(tree));
    if (!learned) return tl::unexpected(learned.error());
    try {
      return action(*learned);
    } catch (const store::database_error& error) {
      return tl::unexpected(fmt::format("'{}': {}", learned->path(), error.what()));
    }
  };
  auto done = once();
  const bool is_of_store = !done && done.error().find(workspace::learned_path(tree)) != std::string::npos;
  if (is_of_store && remove_if_damaged(tree, told)) done = once();
  return done;
}

}  // namespace morph::learning
