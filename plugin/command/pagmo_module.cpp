#include "plugin/command/pagmo_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "plugin/project/process.hpp"

namespace morph::command {

project::result<optimizer::front_point> search_by_pagmo(const optimizer::cover_problem& problem,
                                                        std::optional<std::int64_t> budget_us,
                                                        const optimizer::named_search& how) {
  const auto path = (project::own_executable().parent_path() / MORPH_PAGMO_MODULE).lexically_normal();
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto* const search =
      module == nullptr
          ? nullptr
          : reinterpret_cast<optimizer::search_by_name_entry*>(::dlsym(module, optimizer::search_by_name_symbol));
  if (search == nullptr)
    return tl::unexpected(
        fmt::format("pagmo's algorithms cannot be loaded ({}); build and install all of Morph, and "
                    "the libraries that pagmo needs",
                    ::dlerror()));
  optimizer::front_point found;
  std::string error;
  search(&problem, budget_us ? &*budget_us : nullptr, &how, &found, &error);
  if (!error.empty()) return tl::unexpected(fmt::format("pagmo's {}: {}", how.algorithm, error));
  return found;
}

}  // namespace morph::command
