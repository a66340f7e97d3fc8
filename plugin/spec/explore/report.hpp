// What an exploration found, for people, as JSON, as a log, and as a picture.
#pragma once

#include <string>

#include "plugin/spec/explore/explore.hpp"

namespace morph::engine {

/// What there is to say, and of the borders the first `rows`.
std::string explore_text(session& of, const explore_options& how, const explored& found, std::uint64_t rows);
std::string explore_json(session& of, const explore_options& how, const explored& found);
/// A line of JSON.
std::string explore_line(session& of, const explore_options& how, const explore_row& row);

/// Two numbers, as an array of them or an object of two members. False if the text of an input is something else.
bool read_point(const std::string& text, double& x, double& y);
/// An SVG of inputs that are two numbers each: where searches began, by class, and the borders. Empty if an input is
/// something else: `error` shows it.
std::string explore_plot(session& of, const explore_options& how, const explored& found, std::string& error);
/// A page of all of it; with the same map where inputs are two numbers.
std::string explore_page(session& of, const explore_options& how, const explored& found);

}  // namespace morph::engine
