// Calling users' functions, and where what they give goes.
#include "plugin/generate/user_values.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "plugin/generate/fitting.hpp"

namespace morph::generate {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t most_seeds = 32;

bool is_users(const modelled_callable& of) {
  return (of.how == modelled_callable::kind::function || of.how == modelled_callable::kind::static_method) &&
         is_values_header(of.file);
}

std::optional<literal> literal_of(const observation& seen) {
  const std::string value = seen.text.substr(1);
  switch (seen.text[0]) {
    case 'i':
      return literal{.kind = 'i', .number = std::atoll(value.c_str())};
    case 'u':
      return literal{.kind = 'i', .number = static_cast<std::int64_t>(std::strtoull(value.c_str(), nullptr, 10))};
    case 'd':
      return literal{.kind = 'd', .real = std::strtod(value.c_str(), nullptr)};
    case 's':
      return literal{.kind = 's', .text = value};
    default:
      return std::nullopt;
  }
}

/// With `seed` for its first number. Nothing if it asks for an object.
std::optional<call> seeded(std::uint32_t callable, std::uint32_t seed, const api& in, literal_table& literals,
                           optimizer::random_source& random) {
  call made{.callable = callable};
  bool is_seeded = false;
  for (const slot& each : in.callables[callable].slots) {
    if (each.from == slot::source::value) return std::nullopt;
    if (each.from == slot::source::nothing) {
      made.arguments.push_back({morph_argument_nothing, 0});
      continue;
    }
    std::uint32_t number = literals.add({.kind = 'i', .number = seed});
    if (is_seeded || !is_of_role(number, each.role, literals))
      number = literals.draw(each.role, random);
    else
      is_seeded = true;
    made.arguments.push_back({morph_argument_literal, number});
  }
  return made;
}

}  // namespace

bool is_values_header(std::string_view path) {
  return path.ends_with(".values.hpp") || path.ends_with(".values.h");
}

std::vector<std::string> values_headers(const build::build_tree& tree) {
  std::vector<std::string> made;
  std::error_code ignored;
  constexpr auto readable = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(tree.source_dir, readable, ignored), end; at != end; at.increment(ignored)) {
    const std::string path = at->path().string();
    // Hidden folders and build trees hold copies at most.
    if (at->is_directory(ignored) &&
        (at->path().filename().string().starts_with('.') || fs::exists(at->path() / "CMakeCache.txt", ignored)))
      at.disable_recursion_pending();
    if (is_values_header(path)) made.push_back(path);
  }
  std::ranges::sort(made);
  return made;
}

std::set<std::string> names_of_values(const model& of) {
  std::set<std::string> made;
  for (const modelled_callable& each : of.callables)
    if (is_users(each)) made.insert(each.method);
  return made;
}

void prefer_values(const model& of, api& to) {
  for (std::size_t i = 0; i < of.callables.size(); ++i) to.callables[i].is_preferred = is_users(of.callables[i]);
}

result<user_value_counts> offer_values(const model& of, const api& in, literal_table& literals, served_program& served,
                                       optimizer::random_source& random) {
  user_value_counts made;
  std::set<std::string> signatures;  // a function with default arguments is several callables
  for (std::uint32_t i = 0; i < of.callables.size(); ++i) {
    if (!is_users(of.callables[i])) continue;
    signatures.insert(of.callables[i].signature);
    if (in.callables[i].gives) continue;
    std::vector<sequence> all;
    for (std::uint32_t seed = 0; seed < most_seeds; ++seed)
      if (auto one = seeded(i, seed, in, literals, random); one && (all.empty() || all.back().back() != *one))
        all.push_back({std::move(*one)});
    auto outcomes = served.run(all, literals, morph_run_alone | morph_run_observes);
    if (!outcomes) return tl::unexpected(outcomes.error());
    for (const outcome& each : *outcomes) {
      if (each.how != morph_outcome_passed) continue;
      for (const observation& seen : each.observed) {
        if (seen.place != 0) continue;
        if (const auto value = literal_of(seen); value && literals.offer_named(of.callables[i].method, *value))
          ++made.literals;
      }
    }
  }
  made.functions = signatures.size();
  return made;
}

}  // namespace morph::generate
