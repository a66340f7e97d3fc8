// What rewritten sources say at each place where they can be mutated; every source of a mutation twin includes this
// first.
//
// A node is a place, an alternative a program mutant of it. At most one is active. A node's byte is set while its
// mutant is active, or while it is to tell that it was reached: all else costs a test of a byte. Functions are nodes,
// too, set with any of theirs: as long as they are not, what runs is a copy of their bodies without places.
#ifndef MORPH_RUNTIME_MUTANTS_H
#define MORPH_RUNTIME_MUTANTS_H
#ifdef __cplusplus

extern "C" {
extern __attribute__((visibility("default"))) unsigned char morph_node[];
extern __attribute__((visibility("default"))) unsigned morph_alternative;
extern __attribute__((visibility("default"))) unsigned char morph_records;
__attribute__((visibility("default"), cold, nothrow)) bool morph_at_node(unsigned node);
__attribute__((visibility("default"), cold, nothrow)) void morph_saw(unsigned node, unsigned compared, unsigned differ);
}

// Constant expressions have their original values.
#define MORPH_ON(node) \
  (!__builtin_is_constant_evaluated() && __builtin_expect(morph_node[node], 0) && morph_at_node(node))
// Around the places of a function that stands twice.
#define MORPH_IN(function) __builtin_expect(morph_node[function], 0)
#define MORPH_V(alternative) (morph_alternative == (alternative))

// The same, and while nodes are recorded: which alternatives differ from the original in value. `compared` has a bit
// for each that follows, in their order.
#define MORPH_SEE(node, compared, ...)                                            \
  (!__builtin_is_constant_evaluated() && __builtin_expect(morph_node[node], 0) && \
   (morph_records ? morph_runtime_see::all(node, compared, __VA_ARGS__) : morph_at_node(node)))

namespace morph_runtime_see {

template <typename T>
struct is_scalar {
  static const bool value = __is_enum(T);
};
template <typename T>
struct is_scalar<T*> {
  static const bool value = true;
};
#define MORPH_SCALAR(type)          \
  template <>                       \
  struct is_scalar<type> {          \
    static const bool value = true; \
  };
MORPH_SCALAR(bool)
MORPH_SCALAR(char)
MORPH_SCALAR(signed char)
MORPH_SCALAR(unsigned char)
MORPH_SCALAR(wchar_t)
MORPH_SCALAR(char16_t)
MORPH_SCALAR(char32_t)
MORPH_SCALAR(short)
MORPH_SCALAR(unsigned short)
MORPH_SCALAR(int)
MORPH_SCALAR(unsigned)
MORPH_SCALAR(long)
MORPH_SCALAR(unsigned long)
MORPH_SCALAR(long long)
MORPH_SCALAR(unsigned long long)
MORPH_SCALAR(float)
MORPH_SCALAR(double)
#undef MORPH_SCALAR

// By their bits: no two values are taken for one. What is no scalar, or of another type, may differ.
template <typename A, typename B>
struct difference {
  static bool of(const A&, const B&) { return true; }
};
template <typename A>
struct difference<A, A> {
  static bool of(const A& a, const A& b) { return !is_scalar<A>::value || __builtin_memcmp(&a, &b, sizeof(A)) != 0; }
};

inline unsigned differing(unsigned) {
  return 0;
}
template <typename Original, typename First, typename... Others>
unsigned differing(unsigned compared, const Original& original, const First& first, const Others&... others);
template <typename Original>
unsigned differing(unsigned, const Original&) {
  return 0;
}
template <typename Original, typename First, typename... Others>
unsigned differing(unsigned compared, const Original& original, const First& first, const Others&... others) {
  const unsigned lowest = compared & (~compared + 1);
  return (difference<Original, First>::of(original, first) ? lowest : 0) |
         differing(compared & ~lowest, original, others...);
}

// False, as MORPH_ON() is while nodes are recorded.
template <typename Original, typename... Alternatives>
bool all(unsigned node, unsigned compared, const Original& original, const Alternatives&... alternatives) {
  morph_saw(node, compared, differing(compared, original, alternatives...));
  return false;
}

}  // namespace morph_runtime_see

#else  // A header that C sources include, too: no mutant is on there.
#define MORPH_ON(node) 0
#define MORPH_IN(function) 0
#define MORPH_V(alternative) 0
#define MORPH_SEE(...) 0
#endif
#endif
