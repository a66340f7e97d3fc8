// Where a source is observed, and the text that says what it sees there.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/mutation/place.hpp"

namespace morph::observation {

enum class point_kind : std::uint8_t {
  call,         // a function's body: its receiver, arguments and result when it has run
  expression,   // of a test
  instruction,  // of a test: which one runs
};

/// Bytes [begin, end) of a file get `before` in front and `after` behind; each @ there becomes the point's number.
struct point {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  point_kind kind = point_kind::expression;
  std::string before{};
  std::string after{};
  std::string text{};  // the expression as written; the function's qualified name
  std::string type{};  // as Clang prints it
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  auto operator<=>(const point&) const = default;
};

/// How a class or an enumeration is read: text for the end of a unit.
struct row {
  std::string type{};  // as C++ names it
  std::string text{};

  auto operator<=>(const row&) const = default;
};

nlohmann::json to_json(const point& of);
point point_of(const nlohmann::json& from);

struct woven_span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// A source whose points say what they see. Lines keep their numbers.
struct woven_source {
  std::string text;
  mutation::file_places places;   // of the original, where they are now
  std::vector<woven_span> spans;  // of the points, with all that was written for them
};

/// `points` sorted by put_in_order(), `numbers` of each. A place and a point of the same bytes: the point sees what the
/// place becomes.
woven_source weave(std::string_view source, const mutation::file_places& places, std::span<const point> points,
                   std::span<const std::uint32_t> numbers);

/// Sorts, an outer one before what it contains; takes out those that cross another one, and all but the first of those
/// that are equal in bytes and kind.
void put_in_order(std::vector<point>& points);

/// The innermost point around a byte of the woven text, by its place; nothing if there is none.
std::optional<std::size_t> point_at(const woven_source& woven, std::uint32_t offset);

}  // namespace morph::observation
