// Breeds a pool: names of metrics to an archive, pagmo, the pool that is written.
#include "plugin/pools/breeding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>

#include "plugin/optimize/pagmo_module.hpp"
#include "plugin/pools/breeding_archive.hpp"
#include "plugin/pools/pool_file.hpp"
#include "plugin/system/files.hpp"

namespace morph::pools {
namespace {

namespace fs = std::filesystem;
using contract::not_done;
using optimizer::selection_scheme;

selection_scheme scheme_named(const std::string& strategy) {
  for (const optimizer::named_breeding& each : optimizer::named_breedings)
    if (strategy == each.name) return each.scheme;
  return selection_scheme::elitist;
}

/// What the strategy needs, and the spec does not have.
std::string missing_for(const breeding_request& asked, const bred_archive& archive) {
  const selection_scheme scheme = scheme_named(asked.strategy);
  if (scheme == selection_scheme::filter && !archive.has_filters())
    return "the strategy filter takes cases away by the set filters of the spec, which declares none";
  const bool needs_strengths =
      scheme == selection_scheme::weakest_removal || scheme == selection_scheme::strongest_mutant;
  if (needs_strengths && !archive.knows_strengths())
    return fmt::format(
        "the strategy {} needs to know which cases are weak; say by which case metric: --case-metric NAME",
        asked.strategy);
  return {};
}

/// The scratch file in the place of the pool.
result<void> put_in_place(const fs::path& scratch, const fs::path& to) {
  const fs::path beside = to.string() + ".new";
  std::error_code error;
  fs::copy_file(scratch, beside, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(beside, to, error);
  if (error) return tl::unexpected(fmt::format("'{}' cannot be written: {}", to.string(), error.message()));
  return {};
}

optimizer::breeding_options options_of(const breeding_request& asked, std::uint32_t cases_at_first) {
  optimizer::breeding_options how = asked.how;
  how.scheme = scheme_named(asked.strategy);
  how.seed = static_cast<unsigned>(asked.seed ^ (asked.seed >> 32U));  // pagmo's have 32 bits
  const bool may_shrink = asked.towards.front() != "diversity";
  how.fewest_cases = asked.fewest_cases.value_or(may_shrink ? 1 : cases_at_first);
  if (how.most_cases != 0) how.fewest_cases = std::min(how.fewest_cases, how.most_cases);
  return how;
}

std::optional<std::chrono::steady_clock::time_point> deadline_in(double seconds) {
  using clock = std::chrono::steady_clock;
  if (seconds <= 0) return std::nullopt;
  return clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

result<void> check_breeding(const breeding_request& asked) {
  const auto wrong = [](std::string why) { return tl::unexpected(std::move(why)); };
  const std::vector<std::string>& towards = asked.towards;
  if (asked.how.budget == 0)
    return wrong("--budget 0 makes no mutant, and so breeds nothing; say how many may be made");
  if (asked.how.generations == 0) return wrong("--generations 0 breeds nothing; say how many there may be");
  if (asked.how.mutant_ratio == 0) return wrong("--ratio 0 makes no mutant; it is the part of the pool that has some");
  if (asked.how.remove_ratio == 1) return wrong("--remove-ratio 1 leaves no case; it has to be below 1");
  if (asked.fewest_cases == 0U) return wrong("--min-cases 0 leaves no case; it has to be 1 or more");
  if (asked.fewest_cases && scheme_named(asked.strategy) != selection_scheme::elitist)
    return wrong(fmt::format("--min-cases is for the strategy elitist; {} was published without", asked.strategy));
  if (asked.fewest_cases && asked.how.most_cases != 0 && asked.how.most_cases < *asked.fewest_cases)
    return wrong(fmt::format("--min-cases {} is more than --max-cases {}", *asked.fewest_cases, asked.how.most_cases));
  for (auto each = towards.begin(); each != towards.end(); ++each)
    if (std::find(towards.begin(), each, *each) != each) return wrong(fmt::format("--towards names '{}' twice", *each));
  return {};
}

contract::outcome<bred> breed(const build::build_tree& tree, const build::suite& suite, breeding_request asked,
                              system::observer& told) {
  if (const auto checked = check_breeding(asked); !checked) return not_done(contract::usage, checked.error());
  if (!fs::exists(asked.pool))
    return not_done(contract::environment,
                    fmt::format("the pool '{0}' is not there; make seeds: morph spec seed --pool {0}", asked.pool));
  if (asked.spec.empty()) asked.spec = spec_of_pool(asked.pool);
  const auto lock = system::lock_file(tree.own_dir() / "breed.lock", system::if_locked::refuse);
  if (!lock)
    return not_done(contract::environment,
                    fmt::format("{}; is another `morph spec breed` at work in this build tree?", lock.error()));
  const archive_request what{.program = suite.programs.front().executable.string(),
                             .pool = asked.pool,
                             .spec = asked.spec,
                             .executer = asked.executer,
                             .case_metric = asked.case_metric,
                             .towards = asked.towards,
                             .scratch = tree.own_dir() / "breed.jsonl"};
  const auto opened = bred_archive::open(tree, suite, what, told);
  if (!opened) return tl::unexpected(opened.error());
  bred_archive& archive = **opened;
  if (std::string missing = missing_for(asked, archive); !missing.empty())
    return not_done(contract::usage, std::move(missing));
  const std::uint32_t at_first = archive.cases();
  told.begin(asked.how.budget, "mutants");
  optimizer::breeding_ground ground = archive.ground(at_first + asked.how.budget, deadline_in(asked.most_seconds));
  ground.mate = [mate = ground.mate, &told, &archive](const std::vector<optimizer::mating>& matings) {
    std::uint32_t shown = archive.cases();
    auto made = mate(matings);
    for (; shown < archive.cases(); ++shown) told.step("breeding");
    return made;
  };
  auto found = optimize::breed_by_pagmo(ground, options_of(asked, at_first));
  told.end();
  if (!found)
    return archive.stop().message.empty() ? not_done(contract::usage, found.error()) : tl::unexpected(archive.stop());
  bred made{std::move(asked), std::move(*found), archive.ids()};
  try {
    made.saved = archive.save(made.found.pools.front().cases);
  } catch (const std::runtime_error&) {
    return tl::unexpected(archive.stop());
  }
  if (const auto put = put_in_place(what.scratch, made.asked.target()); !put)
    return not_done(contract::environment, put.error());
  if (!made.asked.log.empty())
    if (const auto written = system::write_file_atomically(made.asked.log, log_text(made)); !written)
      return not_done(contract::environment, written.error());
  std::error_code ignored;
  fs::remove(what.scratch, ignored);
  return made;
}

}  // namespace morph::pools
