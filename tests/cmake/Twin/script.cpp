#include "header.hpp"

int main() {
  return header(1) - 1;
}
