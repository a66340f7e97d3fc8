#include <map>
#include <string>
#include <vector>
int next();
struct thing {
  int size() const;
  int n;
  thing* other;
};
bool of(int a, int* p, const std::vector<int>& v, const std::string& s, std::map<int, int>& m, thing t, volatile int& w) {
  bool x = a < 3;  // pure
  x = p[a] + t.n * 2 < t.other->n;  // pure
  x = v.size() < s.length();  // pure
  x = v[2] < *v.begin();  // pure
  x = next() < 3;
  x = t.size() < 3;
  x = m[3] < 4;
  x = ++a < 3;
  x = w < 3;
  x = (a = 3) < 4;
  return x;
}
