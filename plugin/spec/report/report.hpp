// What is told of a spec's run: to people, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "plugin/spec/engine/engine.hpp"

namespace morph::engine {

struct report_style {
  bool colours = false;
  bool quiet = false;   // violations alone
  std::string program;  // for commands that can be copied
};

/// `{"by":"negateX","from":[{"in":[5,5,5]}]}`: what --replay takes.
std::string derivation_text(const session& of, const derivation& how);
/// Empty and an error if the text is none, or names what the spec does not have.
std::optional<derivation> read_derivation(session& of, const std::string& text, std::string& error);

/// The tree, a line a case: what made it, input, output, id.
std::string draw_tree(session& of, const derivation& how, std::uint16_t executer);

std::string violation_text(session& of, const violation& found, const report_style& style);
std::string report_text(session& of, const options& how, const report_style& style);
/// `strategy`: in place of that of `how`.
std::string report_json(session& of, const options& how, const std::string& strategy = {});
/// In place of a report.
std::string error_json(const spec_base& spec, const std::string& why);
/// "first order", "order 3", "combinatorial complete, minimal".
std::string strategy_text(const options& how);

/// `text` as a word for a shell.
std::string quoted(const std::string& text);

}  // namespace morph::engine
