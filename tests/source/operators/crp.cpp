template <typename T>
struct linked {
  linked() : first(0), n(0) {}  //: static_cast<int>(1)
  T* next() {
    T* found = 0;
    if (first == 0) found = 0;
    return found;
  }
  T* last() { return 0; }
  T* first;
  int n;
};
template struct linked<int>;
struct entry {
  const char* name;
  int value;
};
const entry table_of_all[] = {{"one", 1}, {"two", 2}};
static int before_main = 7;
int first_of_all() { return table_of_all[0].value + before_main; }  //: static_cast<int>(1)
enum class kind { plain = 4 };
const char* name(int);
int of(bool b, char c, double x, int* p, const int n) {
  int four = 4;  //: static_cast<int>(0) ;; static_cast<int>(1) ;; static_cast<int>(4 + 1)
  int none = 0;  //: static_cast<int>(1)
  int one = 1;  //: static_cast<int>(0)
  b = true;  //: false
  c = 'x';  //: static_cast<char>('x' + 1)
  x = 2.5;  //: static_cast<double>(0) ;; static_cast<double>(2.5 + 1)
  x = 0.0;  //: static_cast<double>(0.0 + 1)
  unsigned long wide = 0xFFul;  //: static_cast<unsigned long>(0) ;; static_cast<unsigned long>(1) ;; static_cast<unsigned long>(0xFFul + 1)
  const char* text = "text";  //: ""
  char letters[] = "ab";
  p = 0;
  int table[3] = {};
  return four + none + one + *p + n + table[2] + letters[0] + text[0] + static_cast<int>(wide) + b + c + static_cast<int>(x);  //: static_cast<int>(0) ;; static_cast<int>(1) ;; static_cast<int>(2 + 1) ;; static_cast<int>(1)
}
