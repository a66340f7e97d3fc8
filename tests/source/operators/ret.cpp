#include <string>
enum class colour { red = 3, green, blue };
bool is_even(int n) { return n % 2 == 0; }  //: true ;; false
int half(int n) { return n / 2; }  //: static_cast<int>(0) ;; static_cast<int>(1)
char first(const char* text) { return *text; }  //: static_cast<char>(' ') ;; static_cast<char>('A')
double area(double r) { return r * r * 3; }  //: static_cast<double>(0) ;; static_cast<double>(0.1)
colour mixed(colour a, int n) { return static_cast<colour>(n + static_cast<int>(a)); }  //: static_cast< ::colour>(3) ;; static_cast< ::colour>(5)
const char* name(int n, const char* a) { return a + n; }  //: static_cast<const char *>(nullptr)
int three() { return 3; }
int& slot(int* p) { return p[2]; }
std::string text(int n) { return std::to_string(n); }
void nothing() { return; }
