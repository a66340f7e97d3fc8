// The module that a program loads when it is asked for pagmo's algorithms.
#include <exception>

#include "optimizer/pagmo/breeding.hpp"
#include "optimizer/pagmo/named_search.hpp"

extern "C" __attribute__((visibility("default"))) void morph_search_by_name(
    const morph::optimizer::cover_problem* problem, const std::int64_t* budget_us,
    const morph::optimizer::named_search* how, morph::optimizer::front_point* found, std::string* error) {
  try {
    *found = morph::optimizer::search_by_name(*problem, budget_us == nullptr ? std::nullopt : std::optional(*budget_us),
                                              *how);
  } catch (const std::exception& failure) {
    *error = std::string("it failed: ") + failure.what();
  } catch (...) {
    *error = "it failed";
  }
}

extern "C" __attribute__((visibility("default"))) void morph_breed_pools(
    const morph::optimizer::breeding_ground* ground, const morph::optimizer::breeding_options* how,
    morph::optimizer::bred_pools* found, std::string* error) {
  try {
    *found = morph::optimizer::breed_pools(*ground, *how);
  } catch (const std::exception& failure) {
    *error = failure.what();
  } catch (...) {
    *error = "it failed";
  }
}
