// What rewritten sources of `morph generate` report: which branches were taken, and how near the others were.
//
// A branch is a goal, by its number. Its distance is 0 if it was taken, else between 0 and 1: d / (d + 1) of the branch
// distance d that search-based testing uses (Tracey et al.; Cling, section 2.2), the smallest that was seen.
#ifndef MORPH_GOALS_H
#define MORPH_GOALS_H

#include <stddef.h>
#include <stdint.h>

extern "C" {
extern float* morph_goal_distances;  // by goal; above 1: not touched
void morph_touch_goal(unsigned goal, float distance);
void morph_note_numbers(int64_t left, int64_t right);
void morph_note_reals(double left, double right);
void morph_note_texts(const char* left, size_t left_size, const char* right, size_t right_size);
unsigned morph_text_distance(const char* left, size_t left_size, const char* right, size_t right_size);
}

namespace morph_goals {

inline void touch(unsigned goal, float distance) {
  if (distance < morph_goal_distances[goal]) morph_touch_goal(goal, distance);
}

// Of a branch that was not taken. Never 0, which operands of one double or a tiny difference would make.
inline float normal(double distance) {
  if (!(distance >= 0 && distance < 1e30)) return 1.0F;  // infinite or not a number
  const float made = static_cast<float>(distance / (distance + 1));
  return made > 0 ? made : 1e-30F;
}

// Goals of a condition: `goal` is that it is false, the next one that it is true.
inline bool settle(unsigned goal, bool is, double distance) {
  touch(goal + (is ? 1 : 0), 0);
  touch(goal + (is ? 0 : 1), normal(distance));
  return is;
}

inline bool truth(unsigned goal, bool is) {
  return settle(goal, is, 1);
}

template <bool is_real>
struct number {
  template <class Left, class Right>
  static void note(Left left, Right right) {
    morph_note_numbers(static_cast<int64_t>(left), static_cast<int64_t>(right));
  }
};
template <>
struct number<true> {
  template <class Left, class Right>
  static void note(Left left, Right right) {
    morph_note_reals(static_cast<double>(left), static_cast<double>(right));
  }
};

template <class Type>
struct is_real {
  static const bool value = false;
};
template <>
struct is_real<float> {
  static const bool value = true;
};
template <>
struct is_real<double> {
  static const bool value = true;
};
template <>
struct is_real<long double> {
  static const bool value = true;
};

template <class Left, class Right>
double difference(Left left, Right right) {
  number<is_real<Left>::value || is_real<Right>::value>::note(left, right);
  const double apart = static_cast<double>(left) - static_cast<double>(right);
  return apart < 0 ? -apart : apart;
}

// Where compilers evaluate the condition, nothing is reported.
#define MORPH_COMPARISON(name, op, distance)                                                   \
  template <class Left, class Right>                                                           \
  bool seen_##name(unsigned goal, Left left, Right right) {                                    \
    const bool is = left op right;                                                             \
    const double apart = difference(left, right);                                              \
    return settle(goal, is, distance);                                                         \
  }                                                                                            \
  template <class Left, class Right>                                                           \
  constexpr bool name(unsigned goal, Left left, Right right) {                                 \
    return __builtin_is_constant_evaluated() ? left op right : seen_##name(goal, left, right); \
  }
MORPH_COMPARISON(less, <, is ? apart : apart + 1)
MORPH_COMPARISON(less_equal, <=, is ? apart + 1 : apart)
MORPH_COMPARISON(greater, >, is ? apart : apart + 1)
MORPH_COMPARISON(greater_equal, >=, is ? apart + 1 : apart)
MORPH_COMPARISON(equal, ==, is || apart == 0 ? 1 : apart)
MORPH_COMPARISON(not_equal, !=, is&& apart != 0 ? apart : 1)
#undef MORPH_COMPARISON

constexpr bool is_true(unsigned goal, bool is) {
  return __builtin_is_constant_evaluated() ? is : truth(goal, is);
}

struct text {
  const char* begin;
  size_t size;
};
inline text text_of(const char* from) {
  size_t size = 0;
  while (from != nullptr && from[size] != 0) ++size;
  const text made = {from, size};
  return made;
}
inline text text_of(char* from) {
  return text_of(static_cast<const char*>(from));
}
template <class String>
text text_of(const String& from) {
  const text made = {from.data(), from.size()};
  return made;
}

inline bool equal_texts(unsigned goal, bool is, bool wanted, const text& left, const text& right) {
  morph_note_texts(left.begin, left.size, right.begin, right.size);
  return settle(goal, is == wanted, is ? 1 : morph_text_distance(left.begin, left.size, right.begin, right.size));
}
// Both are evaluated once, and compared as the source compares them.
template <class Left, class Right>
bool text_equal(unsigned goal, const Left& left, const Right& right) {
  return equal_texts(goal, left == right, true, text_of(left), text_of(right));
}
template <class Left, class Right>
bool text_not_equal(unsigned goal, const Left& left, const Right& right) {
  return equal_texts(goal, !(left != right), false, text_of(left), text_of(right));
}

// Goals of a switch: one a label in their order, then that no label fits.
inline void choose(unsigned goal, bool fits, int64_t) {
  touch(goal, fits ? 0.5F : 0.0F);
}
template <class... Labels>
void choose(unsigned goal, bool fits, int64_t value, int64_t label, Labels... labels) {
  morph_note_numbers(value, label);
  const double apart = static_cast<double>(value) - static_cast<double>(label);
  touch(goal, value == label ? 0 : normal(apart < 0 ? -apart : apart > 0 ? apart : 1));
  choose(goal + 1, fits || value == label, value, labels...);
}
template <int64_t... labels, class Value>
constexpr Value choice(unsigned goal, Value value) {
  return __builtin_is_constant_evaluated() ? value
                                           : (choose(goal, false, static_cast<int64_t>(value), labels...), value);
}

inline bool enter(unsigned goal) {
  touch(goal, 0);
  return true;
}

}  // namespace morph_goals

#endif
