// main() of a program that is nothing but specs.
#include "plugin/spec/program/program.hpp"

int main(int count, char** arguments) {
  return morph::spec_main(count, arguments);
}
