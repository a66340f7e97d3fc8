// A recogniser as a program of its own: `histogram '["a.pgm","b.pgm"]'` prints how alike the two are.
#include <cstdio>
#include <exception>
#include <string>

#include "recognisers.hpp"

int main(int count, char** arguments) {
  const std::string pair = count == 2 ? arguments[1] : "";
  const auto first = pair.find('"'), first_end = pair.find('"', first + 1);
  const auto second = pair.find('"', first_end + 1), second_end = pair.find('"', second + 1);
  if (first == std::string::npos || second == std::string::npos || second_end == std::string::npos) {
    std::fprintf(stderr, "usage: histogram '[\"target.pgm\",\"subject.pgm\"]'\n");
    return 2;
  }
  try {
    using namespace perception;
    std::printf("%.17g\n", by_histogram(read_pgm(pair.substr(first + 1, first_end - first - 1)),
                                        read_pgm(pair.substr(second + 1, second_end - second - 1))));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
