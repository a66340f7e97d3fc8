#include <memory>
#include <optional>
#include <string>
#include <vector>
enum class colour { red, green, blue };
struct no_default {
  explicit no_default(int);
};
bool is_even(int n) { return n % 2 == 0; }  //: return true; ;; return false;
bool always(int) { return true; }  //: return false;
int half(int n) { return n / 2; }  //: return 0; ;; return 1;
float third(float x) { return x / 3; }  //: return 0; ;; return 0.1;
char last(const char* text) { return text[1]; }  //: return ' '; ;; return 'A';
void note(int& n) { ++n; }  //: return;
const char* name(int n) { return n > 3 ? "a" : "b"; }  //: return nullptr;
std::string text(int n) { return std::to_string(n) + "."; }  //: return {}; ;; return "A";
std::vector<int> some(int n) { return std::vector<int>(static_cast<std::size_t>(n)); }  //: return {};
std::optional<int> maybe(int n) { return n > 3 ? std::optional<int>(n) : std::nullopt; }  //: return {};
std::unique_ptr<int> made(int n) { return std::make_unique<int>(n + 1); }  //: return {};
colour mixed(int n) { return static_cast<colour>(n % 3); }  //: return static_cast< ::colour>(0); ;; return static_cast< ::colour>(2);
no_default other(int n) { return no_default(n + 2); }
int& slot(int* p, int n) { return p[n + 1]; }  //: static int morph_default{}; return morph_default;
const std::string& word(const std::string* p, int n) { return p[n + 1]; }  //: static std::string morph_default{}; return morph_default;
const char*& name_of(const char** p, int n) { return p[n + 1]; }  //: static const char * morph_default{}; return morph_default;
colour& shade(colour* p, int n) { return p[n + 1]; }  //: static colour morph_default{}; return morph_default;
no_default& without(no_default* p, int n) { return p[n + 1]; }
struct hidden {
  static hidden& only(hidden* p, int n) { return p[n + 1]; }
  virtual void pure() = 0;

 private:
  hidden();
};
struct lasting {
  lasting() = default;

 private:
  ~lasting();
};
lasting& kept(lasting** p, int n) { return *p[n + 1]; }
int&& moved(int* p, int n) { return static_cast<int&&>(p[n + 1]); }
volatile int& port(volatile int* p, int n) { return p[n + 1]; }
int (&row(int (*p)[3], int n))[3] { return p[n + 1]; }
void (&step(void (**p)(), int n))() { return *p[n + 1]; }
auto deduced(int n) { return n + 4; }
void empty() {}
struct counter {
  counter(int start) : n(start) { ++n; }
  int value() const { return n; }
  void set(int to) { n = to; }
  counter& operator+=(int by) {  //: return *this;
    n += by;
    return *this;
  }
  int half_of() const { return half(n); }  //: return 0; ;; return 1;
  int n;
};
int handed_on(int n) { return half(n); }
template <typename T>
T larger(T a, T b) {  //: return 0; ;; return 1;
  return a < b ? b : a;
}
template <typename T>
T& of_one_kind(T* p, int n) {
  return p[n + 1];
}
template <typename T>
int& counted(T* p, int* n) {  //: static int morph_default{}; return morph_default;
  return n[*p + 1];
}
int shared(int* p) { return of_one_kind(p, 1) + counted(p, p); }  //: return 0; ;; return 1;
int use() { return larger(1, 2) + 3; }  //: return 0; ;; return 1;
int main() { return use() + 1; }
