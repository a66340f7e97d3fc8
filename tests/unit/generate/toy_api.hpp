// A small interface made by hand: a base and a derived class, and tokens that calls take.
#pragma once

#include <string>
#include <vector>

#include "plugin/generate/api.hpp"
#include "plugin/generate/literals.hpp"

namespace morph::generate::toy {

enum type : std::uint32_t { shape, circle, token };
enum callable : std::uint32_t {
  make_token,
  make_shape,
  make_circle,
  grow,
  area,
  consume,
  adopt,
  as_shape,
  join,
  reforge
};

inline slot object(std::uint32_t type, bool changes = false) {
  return {.from = slot::source::value, .type = type, .changes = changes};
}
inline slot taken(std::uint32_t type) {
  return {.from = slot::source::value, .type = type, .changes = true, .takes = true};
}
inline slot literal_of(std::uint32_t role) {
  return {.from = slot::source::literal, .role = role};
}

inline role small_numbers() {
  return {.kind = 'i', .least = -100, .most = 100};
}

/// Settled. Callables in the order of `toy::callable`.
inline api made(literal_table& literals) {
  const slot number = literal_of(literals.add_role(small_numbers()));
  const slot text = literal_of(literals.add_role({.kind = 's'}));
  slot perhaps = object(shape, true);
  perhaps.may_be_null = true;
  api of;
  of.bases = {{shape}, {circle, shape}, {token}};
  of.callables = {
      {.signature = "token(int)", .slots = {number}, .gives = produced{token}},
      {.signature = "shape()", .gives = produced{shape}},
      {.signature = "circle(int, string)", .slots = {number, text}, .gives = produced{circle}},
      {.signature = "circle::grow(int)", .slots = {object(circle, true), number}, .is_of_unit = true},
      {.signature = "shape::area() const", .slots = {object(shape)}, .is_of_unit = true},
      {.signature = "consume(token&&)", .slots = {taken(token)}, .is_of_unit = true},
      {.signature = "adopt(shape&, shape*)", .slots = {object(shape, true), perhaps}, .is_of_unit = true},
      {.signature = "circle::as_shape() const", .slots = {object(circle)}, .gives = produced{shape, true}},
      {.signature = "join(token&&, token&)", .slots = {taken(token), object(token, true)}, .is_of_unit = true},
      {.signature = "reforge(token&&)", .slots = {taken(token)}, .gives = produced{token}},
  };
  of.settle();
  return of;
}

}  // namespace morph::generate::toy
