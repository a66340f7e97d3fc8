#include <iosfwd>
std::ostream& operator<<(std::ostream&, int*);
unsigned of(unsigned a, std::ostream& to, int* p) {
  to << p;
  return (a << 3) + (a >> 1);  //: a >> 3 ;; a << 1
}
