// Variables that get a value before main() and do nothing else then: those of the lines with a note.
#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>
int made();
struct registered {
  explicit registered(const char* name);
};
const std::string names[] = {"a", "b"};  // a value
static std::map<std::string, std::vector<int>> numbers = {{"one", {1}}};  // a value
namespace hidden {
std::string both = std::string("a") + "b";
std::string copy = names[0];  // a value
std::chrono::milliseconds wait(5 + 2);
}
const int constant = 3 + 4;
int computed = made();
registered now("a");
std::vector<registered> several = {registered("a")};
std::ofstream file("a");
std::unique_ptr<int> owned(new int(3));
std::string by_lambda = [] { return "a"; }();
thread_local std::string own = "a";
volatile int changed = made() + 1;
std::string in_function() {
  static const std::string kept = "a";
  const std::string local = "b";
  return kept + local;
}
struct with_member {
  static const std::string member;
};
const std::string with_member::member = "a";  // a value
template <typename T>
const std::string of_type = "a";  // a value
std::string used = of_type<int>;  // a value
