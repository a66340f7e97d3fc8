// What Morph and the frameworks' own helpers for CMake know by its name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "plugin/frameworks/framework.hpp"

namespace morph::setup {

/// Whose command it is; nothing if it discovers no tests.
const frameworks::framework* framework_that_discovers(std::string_view command);

/// A keyword of a discovery call that morph_add_suite() does not have. Those without a reason are left out silently.
struct foreign_keyword {
  std::string_view name;
  bool has_values;
  std::string_view hinders;  // why the call cannot become a suite
};
std::span<const foreign_keyword> foreign_keywords();

/// Whether it begins something else in a discovery call.
bool is_keyword(std::string_view text);

std::string lower(std::string text);

/// The framework that a linked name stands for; empty if it is none.
std::string framework_of_link(const std::string& linked);

/// Whether it has the definition with which a framework leaves out all cases.
bool switches_off_cases(std::string_view text);

/// What people call a framework.
std::string_view product_of(std::string_view framework);

/// Whether other people's projects are in a folder: their tests are not ours to change.
bool is_foreign(const std::string& folder);

}  // namespace morph::setup
