// Seeds of the command line and of MORPH_SEED: whole numbers of 64 bits, everywhere. What is none is refused; nothing
// wraps.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace morph::command {

/// The error says what was expected.
inline tl::expected<std::uint64_t, std::string> seed_in(std::string_view text) {
  std::uint64_t seed = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return seed;
  return tl::unexpected(fmt::format("'{}' is no seed; a seed is a whole number from 0 to {}", text,
                                    std::numeric_limits<std::uint64_t>::max()));
}

/// `--seed N`.
template <typename Seed>
CLI::Option* add_seed(CLI::App& app, Seed& to, const std::string& help) {
  return app
      .add_option_function<std::string>(
          "--seed",
          [&to](const std::string& text) {
            const auto seed = seed_in(text);
            if (!seed) throw CLI::ValidationError("--seed", seed.error());
            to = *seed;
          },
          help)
      ->type_name("N");
}

}  // namespace morph::command
