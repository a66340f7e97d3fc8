// Digests of tokens: of definitions, and of what is outside of them.
#include "plugin/mutating/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "plugin/build/cxx_tokens.hpp"
#include "plugin/git/repository.hpp"

namespace morph::mutating {
namespace {

using build::cxx_token;

constexpr std::size_t digest_digits = 16;

std::string digest(const std::string& text) {
  return git::blob_hash(text).substr(0, digest_digits);
}

/// A blank between tokens, or a line where a directive begins or may end: only there do lines matter.
void append_tokens(std::string& to, std::span<const build::cxx_token> tokens) {
  std::uint32_t line = 0;
  bool in_directive = false;
  for (const build::cxx_token& t : tokens) {
    if (t.line != line && (in_directive || t.text == "#")) to += '\n';
    if (t.line != line) in_directive = t.text == "#";
    (to += t.text) += ' ';
    line = t.last_line;
    if (t.text == "\\") ++line;
  }
}

std::string digest_of(std::span<const build::cxx_token> tokens) {
  std::string all;
  append_tokens(all, tokens);
  return digest(all);
}

struct extent_tokens {
  std::size_t begin;
  std::size_t end;
};

/// The tokens of each of some runs that do not overlap, and the digest of the others.
std::string digest_outside(std::span<const build::cxx_token> tokens, std::span<const extent_tokens> runs) {
  std::string all;
  std::size_t at = 0;
  for (const extent_tokens& run : runs) {
    if (run.begin > at) append_tokens(all, tokens.subspan(at, run.begin - at));
    at = std::max(at, run.end);
  }
  append_tokens(all, tokens.subspan(at));
  return digest(all);
}

/// From the first token of a line to the end of what is defined there: a closing brace, or a semicolon before any.
std::optional<extent_tokens> definition_at(std::span<const build::cxx_token> tokens, std::uint32_t line) {
  const auto first =
      static_cast<std::size_t>(std::ranges::lower_bound(tokens, line, {}, &build::cxx_token::line) - tokens.begin());
  int parentheses = 0, braces = 0;
  for (std::size_t at = first; at < tokens.size(); ++at) {
    const std::string_view t = tokens[at].text;
    if (t == "(") ++parentheses;
    if (t == ")") --parentheses;
    if (parentheses > 0) continue;
    if (t == "{") ++braces;
    if (t == "}") --braces;
    if (braces < 0 || parentheses < 0) return std::nullopt;
    if (braces == 0 && (t == "}" || t == ";")) return extent_tokens{first, at + 1};
  }
  return std::nullopt;
}

struct outer_function {
  std::uint32_t begin, end;
  std::string name;  // with the digest of its tokens
};

/// The functions of a file that are in no other one, and the digest of the rest.
struct outline {
  std::vector<outer_function> functions;
  std::string frame;
};

outline outline_of(const mutation::mutated_file& file) {
  const auto tokens = build::cxx_tokens(file.source);
  const auto token_at = [&](std::uint32_t offset) {
    return static_cast<std::size_t>(std::ranges::lower_bound(tokens, file.source.data() + offset, {},
                                                             [](const build::cxx_token& t) { return t.text.data(); }) -
                                    tokens.begin());
  };
  outline made;
  std::vector<extent_tokens> extents;
  std::map<std::string, int> twins;
  for (const auto& f : file.places.functions) {
    if (!made.functions.empty() && f.end <= made.functions.back().end) continue;
    const extent_tokens of{token_at(f.begin), token_at(f.end)};
    std::string name =
        f.name + ' ' + digest_of(std::span(tokens).subspan(of.begin, std::max(of.end, of.begin) - of.begin));
    name += fmt::format(" {}", twins[name]++);
    made.functions.push_back({f.begin, f.end, std::move(name)});
    extents.push_back(of);
  }
  made.frame = digest_outside(tokens, extents);
  return made;
}

}  // namespace

std::vector<std::vector<std::string>> name_mutants(const mutation::mutated_file& file) {
  const auto [functions, frame] = outline_of(file);
  std::vector<std::vector<std::string>> names;
  std::map<const outer_function*, std::uint32_t> seen;  // places in it, or outside of all
  for (const mutation::place& p : file.places.places) {
    const auto after = std::ranges::upper_bound(functions, p.begin, {}, &outer_function::begin);
    const outer_function* around = after == functions.begin() ? nullptr : &*std::prev(after);
    if (around != nullptr && p.end > around->end) around = nullptr;
    const std::string where =
        fmt::format("{}\n{}\n{}\n{} {}\n", file.path, frame, around == nullptr ? "" : around->name, seen[around]++,
                    static_cast<int>(p.kind));
    std::vector<std::string>& of_place = names.emplace_back();
    for (const mutation::alternative& a : p.alternatives) of_place.push_back(digest(where + a.op + '\n' + a.text));
  }
  return names;
}

std::string digest_outside_functions(const mutation::mutated_file& file) {
  return outline_of(file).frame;
}

std::vector<std::string> test_contents(const std::vector<std::string>& places,
                                       const std::vector<test_source>& sources) {
  struct known_source {
    std::vector<build::cxx_token> tokens;
    std::map<std::uint32_t, std::optional<extent_tokens>> definitions;  // by line
    std::string outside;
  };
  std::map<std::string, known_source> known;
  for (const test_source& source : sources) known[source.path].tokens = build::cxx_tokens(source.text);

  struct found_place {
    known_source* source = nullptr;
    std::uint32_t line = 0;
  };
  std::vector<found_place> found;
  for (const std::string& place : places) {
    found_place at;
    const auto colon = place.rfind(':');
    const auto source = known.find(std::filesystem::path(place.substr(0, colon)).lexically_normal().string());
    if (colon != std::string::npos && source != known.end() &&
        std::from_chars(place.data() + colon + 1, place.data() + place.size(), at.line).ec == std::errc()) {
      at.source = &source->second;
      at.source->definitions[at.line] = definition_at(at.source->tokens, at.line);
    }
    found.push_back(at);
  }

  std::string everything, shared;
  for (auto& [path, source] : known) {
    std::vector<extent_tokens> runs;
    for (const auto& [line, definition] : source.definitions)
      if (definition) runs.push_back(*definition);
    source.outside = digest_outside(source.tokens, runs);
    everything += path + ' ' + digest_of(source.tokens) + '\n';
    if (runs.empty()) shared += path + ' ' + source.outside + '\n';
  }
  std::vector<std::string> contents;
  for (const found_place& at : found) {
    const auto definition = at.source == nullptr ? std::nullopt : at.source->definitions.at(at.line);
    if (!definition)
      contents.push_back(digest(everything));
    else
      contents.push_back(digest(
          shared + at.source->outside + '\n' +
          digest_of(std::span(at.source->tokens).subspan(definition->begin, definition->end - definition->begin))));
  }
  return contents;
}

std::string content_digest(const std::string& text) {
  return digest_of(build::cxx_tokens(text));
}

}  // namespace morph::mutating
