// A summary for a pull request: Markdown for people, JSON for scripts.
#pragma once

#include <cstddef>
#include <string>

#include "plugin/summary/facts.hpp"

namespace morph::summary {

inline constexpr std::size_t most_lines = 40;

/// At most `most_lines` lines, whatever there is to say: the longest lists are cut, and name the command that lists
/// all. Names may hold any bytes. `url`: of a report to link to; may be empty.
std::string as_markdown(const facts& of, const std::string& url);

/// Schema morph.summary/1; nothing is cut.
std::string as_json(const facts& of);

}  // namespace morph::summary
