// A class whose calls tests relate.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>
namespace ns {
enum class mode { fast, slow };
class doc {
 public:
  doc();
  explicit doc(int depth);
  doc(const doc&);
  doc& operator=(const doc&);
  int depth() const;
  std::string text() const;
  void deepen(int by);
  bool load(const std::string& from);
  bool has(const doc& part) const;
  int* begin();
  const int* begin() const;
  operator int() const;
  int count;
};
doc operator+(const doc& a, const doc& b);
bool operator==(const doc& a, const doc& b);
bool operator!=(const doc& a, const doc& b);
doc parse(const std::string& text);
bool read(const std::string& text, doc* to);
struct other {
  int depth() const;
  explicit other(int);
};
class view {
 public:
  explicit view(std::string& of);
};
bool operator==(const view& a, const std::string& b);
class writer {
 public:
  explicit writer(const doc& to);
  void add(int number);
};
}  // namespace ns
