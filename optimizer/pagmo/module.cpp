// The module that a program loads when it is asked for pagmo's algorithms.
#include <exception>

#include "optimizer/pagmo/breeding.hpp"
#include "optimizer/pagmo/goal_search.hpp"
#include "optimizer/pagmo/named_search.hpp"

namespace {

/// No exception leaves the module.
template <typename Call>
void guarded(Call call, std::string& error) {
  try {
    call();
  } catch (const std::exception& failure) {
    error = failure.what();
  } catch (...) {
    error = "it failed";
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void morph_search_by_name(
    const morph::optimizer::cover_problem* problem, const std::int64_t* budget_us,
    const morph::optimizer::named_search* how, morph::optimizer::front_point* found, std::string* error) {
  const auto budget = budget_us == nullptr ? std::nullopt : std::optional(*budget_us);
  guarded([&] { *found = morph::optimizer::search_by_name(*problem, budget, *how); }, *error);
}

extern "C" __attribute__((visibility("default"))) void morph_breed_pools(
    const morph::optimizer::breeding_ground* ground, const morph::optimizer::breeding_options* how,
    morph::optimizer::bred_pools* found, std::string* error) {
  guarded([&] { *found = morph::optimizer::breed_pools(*ground, *how); }, *error);
}

extern "C" __attribute__((visibility("default"))) void morph_search_goals(
    const morph::optimizer::goal_ground* ground, const morph::optimizer::goal_search_options* how,
    const morph::optimizer::is_search_over* is_over, morph::optimizer::found_goals* found, std::string* error) {
  guarded([&] { *found = morph::optimizer::search_goals(*ground, *how, *is_over); }, *error);
}
