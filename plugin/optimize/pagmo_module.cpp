// Loads the module and finds its entries.
#include "plugin/optimize/pagmo_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "plugin/system/process.hpp"

namespace morph::optimize {
namespace {

template <typename Entry>
result<Entry*> entry_of_module(const char* symbol) {
  const auto path = (system::own_executable().parent_path() / MORPH_PAGMO_MODULE).lexically_normal();
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto* const entry = module == nullptr ? nullptr : reinterpret_cast<Entry*>(::dlsym(module, symbol));
  if (entry == nullptr)
    return tl::unexpected(
        fmt::format("pagmo's algorithms cannot be loaded ({}); build and install all of Morph, and "
                    "the libraries that pagmo needs",
                    ::dlerror()));
  return entry;
}

}  // namespace

result<optimizer::front_point> search_by_pagmo(const optimizer::cover_problem& problem,
                                               std::optional<std::int64_t> budget_us,
                                               const optimizer::named_search& how) {
  const auto search = entry_of_module<optimizer::search_by_name_entry>(optimizer::search_by_name_symbol);
  if (!search) return tl::unexpected(search.error());
  optimizer::front_point found;
  std::string error;
  (*search)(&problem, budget_us ? &*budget_us : nullptr, &how, &found, &error);
  if (!error.empty()) return tl::unexpected(fmt::format("pagmo's {}: {}", how.algorithm, error));
  return found;
}

result<optimizer::bred_pools> breed_by_pagmo(const optimizer::breeding_ground& ground,
                                             const optimizer::breeding_options& how) {
  const auto breed = entry_of_module<optimizer::breed_entry>(optimizer::breed_symbol);
  if (!breed) return tl::unexpected(breed.error());
  optimizer::bred_pools found;
  std::string error;
  (*breed)(&ground, &how, &found, &error);
  if (!error.empty()) return tl::unexpected(error);
  return found;
}

result<optimizer::found_goals> search_goals_by_pagmo(const optimizer::goal_ground& ground,
                                                     const optimizer::goal_search_options& how,
                                                     const optimizer::is_search_over& is_over) {
  const auto search = entry_of_module<optimizer::search_goals_entry>(optimizer::search_goals_symbol);
  if (!search) return tl::unexpected(search.error());
  optimizer::found_goals found;
  std::string error;
  (*search)(&ground, &how, &is_over, &found, &error);
  if (!error.empty()) return tl::unexpected(error);
  return found;
}

}  // namespace morph::optimize
