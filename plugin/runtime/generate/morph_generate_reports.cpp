// What rewritten sources report to the program of calls: distances of goals, and operands of comparisons.
#include <string.h>

#include <initializer_list>

#include "morph_generate_shared.h"
#include "morph_goals.h"

using morph_calls::most_operand_bytes;
using morph_calls::most_operands;

void morph_touch_goal(unsigned goal, float distance) {
  if (morph_calls::distances[goal] == morph_calls::untouched) {
    morph_calls::touched[morph_calls::state->touched] = goal;
    morph_calls::state->touched = morph_calls::state->touched + 1;
  }
  morph_calls::distances[goal] = distance;
}

namespace {

bool is_small(int64_t number) {
  return number >= -1 && number <= 2;
}

void note_number(int64_t number) {
  morph_calls::shared& to = *morph_calls::state;
  if (is_small(number) || to.operand_count == most_operands) return;
  for (uint32_t i = 0; i < to.operand_count; ++i)
    if (to.operands[i].kind == 'i' && to.operands[i].number == number) return;
  to.operands[to.operand_count].kind = 'i';
  to.operands[to.operand_count].number = number;
  ++to.operand_count;
}

void note_text(const char* text, size_t size) {
  morph_calls::shared& to = *morph_calls::state;
  if (size == 0 || size > most_operand_bytes || to.operand_count == most_operands) return;
  for (uint32_t i = 0; i < to.operand_count; ++i)
    if (to.operands[i].kind == 's' && to.operands[i].size == size && memcmp(to.operands[i].text, text, size) == 0)
      return;
  to.operands[to.operand_count].kind = 's';
  to.operands[to.operand_count].size = static_cast<uint32_t>(size);
  memcpy(to.operands[to.operand_count].text, text, size);
  ++to.operand_count;
}

bool is_recording() {
  return morph_goal_distances == morph_calls::distances;
}

}  // namespace

void morph_note_numbers(int64_t left, int64_t right) {
  if (!is_recording()) return;
  note_number(left);
  note_number(right);
}

void morph_note_reals(double left, double right) {
  if (!is_recording()) return;
  morph_calls::shared& to = *morph_calls::state;
  for (const double each : {left, right}) {
    if (to.operand_count == most_operands) return;
    to.operands[to.operand_count].kind = 'd';
    to.operands[to.operand_count].real = each;
    ++to.operand_count;
  }
}

void morph_note_texts(const char* left, size_t left_size, const char* right, size_t right_size) {
  if (!is_recording()) return;
  note_text(left, left_size);
  note_text(right, right_size);
}

// Levenshtein's, of the first 64 bytes; further ones count as far as there are more of them on one side.
unsigned morph_text_distance(const char* left, size_t left_size, const char* right, size_t right_size) {
  const size_t most = 64;
  const size_t rows = left_size < most ? left_size : most, columns = right_size < most ? right_size : most;
  unsigned row[most + 1];
  for (size_t c = 0; c <= columns; ++c) row[c] = static_cast<unsigned>(c);
  for (size_t r = 1; r <= rows; ++r) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(r);
    for (size_t c = 1; c <= columns; ++c) {
      const unsigned above = row[c];
      unsigned best = diagonal + (left[r - 1] == right[c - 1] ? 0 : 1);
      if (above + 1 < best) best = above + 1;
      if (row[c - 1] + 1 < best) best = row[c - 1] + 1;
      row[c] = best;
      diagonal = above;
    }
  }
  const size_t more = left_size - rows > right_size - columns ? left_size - rows - (right_size - columns)
                                                              : right_size - columns - (left_size - rows);
  const unsigned made = row[columns] + static_cast<unsigned>(more);
  return made > 0 ? made : 1;
}
