#include <string>
struct node {
  node* next() const;
  bool is_last() const;
  const std::string& text() const;
};
struct maybe {
  explicit operator bool() const;
  bool is_set() const;
};
int size(const node&);
void note(int);
int of(const node& n) {
  int twice = 2 * size(n);  //: static_cast<int>(0)
  while (!n.is_last()) note(twice);  //: true
  node* after = n.next();  //: static_cast< ::node *>(nullptr)
  size(n);
  if (after == nullptr) return size(n);
  maybe m;
  if (m && m.is_set()) note(2);  //: true
  return static_cast<int>(n.text().size());  //: static_cast<unsigned long>(0)
}
