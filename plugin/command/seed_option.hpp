// The option --seed of all subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "plugin/system/seed.hpp"

namespace morph::command {

/// `--seed N`.
template <typename Seed>
CLI::Option* add_seed(CLI::App& app, Seed& to, const std::string& help) {
  return app
      .add_option_function<std::string>(
          "--seed",
          [&to](const std::string& text) {
            const auto seed = system::seed_in(text);
            if (!seed) throw CLI::ValidationError("--seed", seed.error());
            to = *seed;
          },
          help)
      ->type_name("N");
}

}  // namespace morph::command
