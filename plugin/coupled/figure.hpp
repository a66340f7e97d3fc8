// The coupled branches of a whole measurement as one figure.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/report/coverage.hpp"
#include "plugin/report/pair_tally.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/workspace/baseline.hpp"

namespace morph::coupled {

/// A summary waits for so many sources, which Clang reads in one go. Those that had errors are not read again for it.
inline constexpr std::size_t most_read_for_figure = 8;

/// Of all pairs of classes, as the total of `morph report coverage --coupled`. `covered`: of `found`, where the lines
/// stand now; `wanted`: of files; both members count, or none.
report::coupled_figure figure_of(const build::build_tree& tree, const std::filesystem::path& root,
                                 const workspace::found_baseline& found, const report::coverage& covered,
                                 const std::function<bool(const std::string&)>& wanted, system::observer& told);

}  // namespace morph::coupled
