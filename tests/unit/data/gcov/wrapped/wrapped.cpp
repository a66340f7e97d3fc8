// Expressions over several lines: gcov shows some lines of them as not executed though a part of them was.
#include <cstdio>
#include <vector>

bool needs(const std::vector<int>& stack, const std::vector<int>& keys, unsigned depth) {
  const bool needed =
      (!stack.empty() && stack.back() == 1 &&
       keys.size() < depth);
  return needed;
}

// The instances have lines of their own.
template <typename Value>
bool has_room(const std::vector<Value>& stack, const std::vector<Value>& keys, unsigned depth) {
  const bool has =
      (!stack.empty() && stack.back() == Value() &&
       keys.size() < depth);
  return has;
}

int main() {
  int found = needs({}, {}, 1) ? 1 : 0;
  found += has_room<int>({}, {}, 1) ? 1 : 0;
  found += has_room<char>({'a'}, {}, 1) ? 1 : 0;
  std::printf("%d\n", found);
  return found;
}
