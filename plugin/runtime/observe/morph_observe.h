// What observed code says of its values: rewritten sources of a mutation twin include this first.
//
// Nothing here copies a value, calls a function of the project or converts: values are read where they lie. How a class
// of the project is read stands at the end of the unit that uses it, and is registered before main(). C++11.
#ifndef MORPH_RUNTIME_OBSERVE_H
#define MORPH_RUNTIME_OBSERVE_H
#ifdef __cplusplus

#include <stddef.h>

#include <exception>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)
extern "C" {
extern unsigned char morph_observes;                     // 0: nothing is read
extern unsigned morph_instruction;                       // the statement of the test's body that runs
unsigned long long morph_observe_enter(unsigned point);  // the number of this evaluation, from 1; 0: it is not observed
unsigned long long morph_observe_call(unsigned point);   // the same of a call; 0 as well if it is not asked for
// What follows belongs to it. The way to a call is kept; to what a test evaluates there is one.
bool morph_observe_begin(unsigned point, unsigned long long number, bool is_call);
void morph_observe_end();
size_t morph_observe_push(const char* name, int is_private);  // a part of the property's name
void morph_observe_pop(size_t size);
void morph_observe_bits(int kind, const void* bits, size_t size);
void morph_observe_word(const char* word);  // a literal as it is
void morph_observe_text(const char* text, size_t size);
void morph_observe_c_text(const char* text);  // that may be no text
void morph_observe_list(int is_ordered);      // values that follow are one property
void morph_observe_list_end();
void morph_observe_not_read(const char* why);
bool morph_observe_copy(void* to, const void* from, size_t size);  // what cannot be read gives false
void morph_observe_exception(const char* what);
}
#pragma GCC visibility pop

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define MORPH_OBSERVE_TRY try
#define MORPH_OBSERVE_CATCH(call, state)               \
  catch (const std::exception& thrown) {               \
    morph_observe::leaves(call, state, thrown.what()); \
    throw;                                             \
  }                                                    \
  catch (...) {                                        \
    morph_observe::leaves(call, state, nullptr);       \
    throw;                                             \
  }
#else
#define MORPH_OBSERVE_TRY
#define MORPH_OBSERVE_CATCH(call, state)
#endif

namespace morph_observe {

enum kind { signed_integer, unsigned_integer, floating, character, boolean, enumerator };

const size_t most_copied = 4096;  // bytes of an object
const size_t most_elements = 8;   // behind a pointer

/// How a class or an enumeration of the project is read: nothing until the unit that knows it has registered it.
template <typename T>
struct slot {
  static void (*read)(const T&, int depth);
};
template <typename T>
void (*slot<T>::read)(const T&, int) = nullptr;

template <typename T>
void read(const T& value, int depth);

struct part {
  explicit part(const char* name, int is_private = 0) : size_(morph_observe_push(name, is_private)) {}
  ~part() { morph_observe_pop(size_); }
  part(const part&) = delete;
  part& operator=(const part&) = delete;
  size_t size_;
};

template <typename T>
void named(const char* name, int is_private, const T& value, int depth) {
  const part here(name, is_private);
  read(value, depth);
}

// ---- what pointers point to that a function is given

template <typename T>
void read_there(const T* at, int depth, std::true_type) {
  typename std::aligned_storage<sizeof(T), alignof(T)>::type copy;
  if (!morph_observe_copy(&copy, at, sizeof copy)) return morph_observe_not_read("no memory of the program");
  read(*reinterpret_cast<const T*>(&copy), depth);
}
template <typename T>
void read_there(const T* at, int depth, std::false_type) {
  read(*at, depth);
}
template <typename T>
void read_there(const T* at, int depth) {
  typedef std::integral_constant<bool, std::is_trivially_copyable<T>::value && (sizeof(T) <= most_copied)> is_copied;
  read_there(at, depth, is_copied());
}

/// One object.
template <typename T>
void pointee(const char* name, const T* at, int depth) {
  const part here(name);
  if (at != nullptr) read_there(at, depth);
}

/// What lay behind a pointer when the call began: as many numbers as there may be.
template <typename T, bool = std::is_arithmetic<T>::value || std::is_enum<T>::value>
struct earlier {
  earlier(bool is_observed, const T* at) {
    for (size_t i = 0; i < most_elements; ++i)
      known[i] = is_observed && at != nullptr && morph_observe_copy(values + i, at + i, sizeof(T));
  }
  bool is_now(const T* at, size_t i) const {
    T now;
    return known[i] && morph_observe_copy(&now, at + i, sizeof now) &&
           __builtin_memcmp(&now, values + i, sizeof now) == 0;
  }
  static const size_t count = most_elements;
  T values[most_elements];
  bool known[most_elements];
};
template <typename T>
struct earlier<T, false> {
  earlier(bool, const T*) {}
  bool is_now(const T*, size_t) const { return false; }
  static const size_t count = 1;
};

/// Each is a property of its own. Of what the call has not written, behind the last one, too, the value does not count.
template <typename T>
void elements(const char* name, const T* at, const earlier<T>& was) {
  const part here(name);
  if (at == nullptr) return;
  static const char* const places[most_elements] = {"[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]", "[7]"};
  for (size_t i = 0; i < earlier<T>::count; ++i) {
    const part element(places[i]);
    if (was.is_now(at, i))
      morph_observe_word("as before");
    else
      read_there(at + i, 0);
  }
}

inline void not_read(const char* name, int is_private, const char* why) {
  const part here(name, is_private);
  morph_observe_not_read(why);
}

template <int N>
struct rank : rank<N - 1> {};
template <>
struct rank<0> {};

template <bool B>
using only_if = typename std::enable_if<B, int>::type;
template <typename... Ts>
struct voided {
  typedef void type;
};

template <typename T, typename = void>
struct is_text : std::false_type {};
template <typename T>
struct is_text<
    T, typename voided<typename T::traits_type, typename T::value_type, decltype(std::declval<const T&>().data()),
                       decltype(std::declval<const T&>().size())>::type> : std::is_same<typename T::value_type, char> {
};

template <typename T, typename = void>
struct is_range : std::false_type {};
template <typename T>
struct is_range<
    T, typename voided<typename T::value_type, typename T::const_iterator, decltype(std::declval<const T&>().begin()),
                       decltype(std::declval<const T&>().end()), decltype(std::declval<const T&>().size())>::type>
    : std::is_convertible<decltype(*std::declval<const T&>().begin()), const typename T::value_type&> {};

/// `std::stack` and the like, which hold a container.
template <typename T, typename = void>
struct is_adaptor : std::false_type {};
template <typename T>
struct is_adaptor<T, typename voided<typename T::container_type, decltype(std::declval<const T&>().c)>::type>
    : std::integral_constant<bool, !is_range<T>::value> {};

template <typename T, typename = void>
struct is_hashed : std::false_type {};
template <typename T>
struct is_hashed<T, typename voided<typename T::hasher>::type> : std::true_type {};

template <typename T, typename = void>
struct is_owner : std::false_type {};
template <typename T>
struct is_owner<T, typename voided<typename T::element_type, decltype(std::declval<const T&>().get())>::type>
    : std::is_pointer<decltype(std::declval<const T&>().get())> {};

template <typename T, typename = void>
struct is_optional : std::false_type {};
template <typename T>
struct is_optional<T, typename voided<typename T::value_type, decltype(std::declval<const T&>().has_value()),
                                      decltype(*std::declval<const T&>())>::type> : std::true_type {};

template <typename T, typename = void>
struct is_atomic : std::false_type {};
template <typename T>
struct is_atomic<T, typename voided<decltype(std::declval<const T&>().is_lock_free()),
                                    decltype(std::declval<const T&>().load())>::type> : std::true_type {};

/// A mutex: what it holds is no state of the program.
template <typename T, typename = void>
struct is_lock : std::false_type {};
template <typename T>
struct is_lock<
    T, typename voided<decltype(std::declval<T&>().lock()), decltype(std::declval<T&>().try_lock()),
                       decltype(std::declval<T&>().unlock()), decltype(std::declval<T&>().native_handle())>::type>
    : std::true_type {};

template <typename T, typename = void>
struct is_pair : std::false_type {};
template <typename T>
struct is_pair<T, typename voided<typename T::first_type, typename T::second_type>::type> : std::true_type {};

template <typename T>
struct is_basic
    : std::integral_constant<bool, std::is_arithmetic<T>::value || std::is_enum<T>::value || is_text<T>::value> {};

// ---- values, the most special kind first

template <typename T, only_if<std::is_arithmetic<T>::value> = 0>
void read_as(rank<9>, const T& value, int) {
  const bool is_known = !std::is_floating_point<T>::value || std::is_same<T, float>::value ||
                        std::is_same<T, double>::value || std::is_same<T, long double>::value;
  if (!is_known || sizeof value > 16 || (sizeof value > 8 && !std::is_floating_point<T>::value))
    return morph_observe_not_read("a number of an unusual size");
  morph_observe_bits(std::is_same<T, bool>::value       ? boolean
                     : std::is_same<T, char>::value     ? character
                     : std::is_floating_point<T>::value ? floating
                     : std::is_signed<T>::value         ? signed_integer
                                                        : unsigned_integer,
                     &value, sizeof value);
}

template <typename T, only_if<std::is_enum<T>::value> = 0>
void read_as(rank<9>, const T& value, int depth) {
  if (slot<T>::read != nullptr) return slot<T>::read(value, depth);
  morph_observe_bits(enumerator, &value, sizeof value);
}

inline void read_as(rank<9>, std::nullptr_t, int) {
  morph_observe_word("nullptr");
}

// What it points to may be gone.
template <typename T, only_if<std::is_pointer<T>::value> = 0>
void read_as(rank<8>, const T& value, int) {
  if (std::is_same<typename std::remove_cv<typename std::remove_pointer<T>::type>::type, char>::value)
    return morph_observe_c_text(reinterpret_cast<const char*>(value));
  morph_observe_word(value == nullptr ? "nullptr" : "not nullptr");
}

template <typename T, only_if<std::is_union<T>::value> = 0>
void read_as(rank<8>, const T&, int) {
  morph_observe_not_read("a union");
}

template <typename T, only_if<std::is_array<T>::value> = 0>
void read_as(rank<8>, const T& value, int) {
  typedef typename std::remove_cv<typename std::remove_extent<T>::type>::type element;
  if (!is_basic<element>::value) return morph_observe_not_read("an array of objects");
  morph_observe_list(1);
  size_t left = 64;
  for (auto& each : value)
    if (left != 0) --left, read(each, 0);
  morph_observe_list_end();
}

template <typename T, only_if<is_text<T>::value> = 0>
void read_as(rank<8>, const T& value, int) {
  morph_observe_text(value.data(), value.size());
}

template <typename T, only_if<std::is_class<T>::value> = 0>
bool read_fields(const T& value, int depth) {
  if (slot<T>::read == nullptr) return false;
  if (depth > 0) slot<T>::read(value, depth - 1);
  return true;
}

template <typename T, only_if<is_optional<T>::value> = 0>
void read_as(rank<7>, const T& value, int depth) {
  if (read_fields(value, depth)) return;
  const bool has = value.has_value();
  named(".has_value()", 0, has, 0);
  if (has) named(".value()", 0, *value, depth > 0 ? depth - 1 : 0);
}

template <typename T>
void read_pointee(const T* at, int depth, std::true_type) {
  if (at != nullptr && (depth > 0 || is_basic<T>::value)) named("->", 0, *at, depth > 0 ? depth - 1 : 0);
}
template <typename T>
void read_pointee(const T*, int, std::false_type) {}

template <typename T, only_if<is_owner<T>::value> = 0>
void read_as(rank<6>, const T& value, int depth) {
  typedef typename std::remove_cv<typename T::element_type>::type pointee;
  if (read_fields(value, depth)) return;
  const auto* const at = value.get();
  morph_observe_word(at == nullptr ? "nullptr" : "not nullptr");
  read_pointee(at, depth, std::integral_constant<bool, std::is_object<pointee>::value>());
}
template <typename T>
void read_elements(const T& value, std::true_type) {
  const part here("[elements]");
  morph_observe_list(is_hashed<T>::value ? 0 : 1);
  size_t left = 64;
  for (auto at = value.begin(); left != 0 && at != value.end(); ++at, --left) {
    const typename T::value_type& each = *at;  // vector<bool> makes one
    read(each, 0);
  }
  morph_observe_list_end();
}
template <typename T>
void read_elements(const T&, std::false_type) {}

template <typename T, typename = void>
struct has_basic_elements : is_basic<typename std::remove_cv<typename T::value_type>::type> {};
template <typename T>
struct has_basic_elements<T, typename std::enable_if<is_pair<typename T::value_type>::value>::type>
    : std::integral_constant<bool,
                             is_basic<typename std::remove_cv<typename T::value_type::first_type>::type>::value &&
                                 is_basic<typename std::remove_cv<typename T::value_type::second_type>::type>::value> {
};

template <typename T, only_if<is_range<T>::value> = 0>
void read_as(rank<5>, const T& value, int depth) {
  if (read_fields(value, depth)) return;
  const size_t size = static_cast<size_t>(value.size());
  named(".size()", 0, size, 0);
  read_elements(value, std::integral_constant<bool, has_basic_elements<T>::value>());
}

template <typename T, only_if<is_adaptor<T>::value> = 0>
void read_as(rank<5>, const T& value, int depth) {
  if (!read_fields(value, depth)) read(value.c, depth);
}

template <typename T, only_if<is_pair<T>::value> = 0>
void read_as(rank<4>, const T& value, int depth) {
  if (read_fields(value, depth)) return;
  named(".first", 0, value.first, depth > 0 ? depth - 1 : 0);
  named(".second", 0, value.second, depth > 0 ? depth - 1 : 0);
}

template <typename T, only_if<is_atomic<T>::value> = 0>
void read_as(rank<3>, const T& value, int depth) {
  if (!read_fields(value, depth)) read(value.load(), depth);
}

template <typename T, only_if<is_lock<T>::value> = 0>
void read_as(rank<2>, const T& value, int depth) {
  read_fields(value, depth);
}

template <typename T, only_if<std::is_class<T>::value> = 0>
void read_as(rank<1>, const T& value, int depth) {
  if (!read_fields(value, depth)) morph_observe_not_read("a type that is not known");
}

/// A base class, whose fields are those of the object.
template <typename T>
void read_base(const T& value, int depth) {
  if (slot<T>::read != nullptr) slot<T>::read(value, depth);
}

template <typename T>
void read_as(rank<0>, const T&, int) {
  morph_observe_not_read("a type that is not known");
}

template <typename T>
void read(const T& value, int depth) {
  read_as(rank<9>(), value, depth);
}

// ---- expressions of tests

template <typename T>
void observe(unsigned point, const T& value) {
  if (!morph_observe_begin(point, morph_observe_enter(point), false)) return;
  read(value, 1);
  morph_observe_end();
}

template <typename T>
inline T&& see(unsigned point, T&& value) {
  if (__builtin_expect(morph_observes, 0)) observe(point, value);
  return static_cast<T&&>(value);
}

template <typename T>
inline T see_value(unsigned point, T value) {
  if (__builtin_expect(morph_observes, 0)) observe(point, value);
  return value;
}

// ---- calls

struct call {
  explicit call(unsigned point_) : point(point_), number(morph_observes ? morph_observe_call(point_) : 0) {}
  bool begins() const { return number != 0 && morph_observe_begin(point, number, true); }
  bool is_early() const { return number != 0 && number <= 50; }
  const unsigned point;
  const unsigned long long number;
};

template <typename T>
earlier<T> earlier_of(const call& of, T* at) {
  return earlier<T>(of.number != 0, at);
}

/// What a call is given, while that is still so.
template <typename State>
void given(const call& of, const State& state) {
  if (!of.is_early() || !of.begins()) return;
  state();
  morph_observe_end();
}

template <typename State>
void leaves(const call& of, State& state, const char* what) {
  if (!of.begins()) return;
  {
    const part here("exception");
    morph_observe_exception(what);
  }
  state();
  morph_observe_end();
}

template <typename State>
void returns(const call& of, State& state) {
  if (!of.begins()) return;
  state();
  morph_observe_end();
}

template <typename State, typename T>
void returns(const call& of, State& state, const T& value) {
  if (!of.begins()) return;
  named("result", 0, value, 1);
  state();
  morph_observe_end();
}

template <typename R, typename = void>
struct result_of {  // that cannot be moved
  template <typename State, typename Body>
  static R run(const call& of, State& state, Body& body) {
    struct at_exit {
      ~at_exit() {
        if (!of.begins()) return;
        not_read("result", 0, "it cannot be moved");
        state();
        morph_observe_end();
      }
      const call& of;
      State& state;
    };
    const at_exit guard{of, state};
    return body();
  }
};
template <typename R>
struct result_of<R,
                 typename std::enable_if<std::is_move_constructible<R>::value && !std::is_reference<R>::value>::type> {
  template <typename State, typename Body>
  static R run(const call& of, State& state, Body& body) {
    MORPH_OBSERVE_TRY {
      R made = body();
      returns(of, state, made);
      return made;
    }
    MORPH_OBSERVE_CATCH(of, state)
  }
};
template <typename R>
struct result_of<R, typename std::enable_if<std::is_reference<R>::value>::type> {
  template <typename State, typename Body>
  static R run(const call& of, State& state, Body& body) {
    MORPH_OBSERVE_TRY {
      R made = body();
      returns(of, state, made);
      return static_cast<R>(made);
    }
    MORPH_OBSERVE_CATCH(of, state)
  }
};
template <typename R>
struct result_of<R, typename std::enable_if<std::is_void<R>::value>::type> {
  template <typename State, typename Body>
  static R run(const call& of, State& state, Body& body) {
    MORPH_OBSERVE_TRY {
      body();
      returns(of, state);
    }
    MORPH_OBSERVE_CATCH(of, state)
  }
};

/// A function's body, and what is read when it has run.
template <typename State, typename Body>
auto run(const call& of, State& state, Body body) -> decltype(body()) {
  return result_of<decltype(body())>::run(of, state, body);
}

}  // namespace morph_observe

#endif
#endif
