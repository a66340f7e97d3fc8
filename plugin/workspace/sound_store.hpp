// Stores of which every byte that a plan relies on is right.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "plugin/store/store.hpp"
#include "plugin/system/result.hpp"

namespace morph::workspace {

/// An error if there is none, or says what is wrong with it first.
result<store::evidence_store> open_sound(const std::string& path);

/// The store that will be replaced, with other writers kept out.
struct held_store {
  store::evidence_store store;
  std::unique_ptr<store::transaction> held;
};
result<held_store> hold_sound(const std::string& path);

/// 0 without a file.
std::uintmax_t size_of_file(const std::string& path);

/// "2026-01-31T12:00:00Z"
std::string date_of(std::int64_t at);

}  // namespace morph::workspace
