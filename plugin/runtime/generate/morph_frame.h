// What the callables of a program of calls work with: values that earlier calls gave, literals, and what is observed.
#ifndef MORPH_FRAME_H
#define MORPH_FRAME_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <algorithm>
#include <new>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "morph_generate_format.h"

namespace morph_calls {

struct literal {
  char kind;  // as morph_message_literals writes it
  int64_t number;
  double real;
  std::string text;
  const uint32_t* elements;
  uint32_t count;
};

struct argument {
  morph_argument_kind kind;
  uint32_t number;
};

// An argument was null, or cannot be made of this literal. No class of the standard library: projects catch these.
struct no_value {};

struct value {
  void* object;
  void (*destroy)(void*);
  unsigned type;
  size_t held;  // of a value that the frame destroys: its place among those, from 1
};

// Objects of one type, by number, as such of a base.
struct conversion {
  unsigned from, to;
  void* (*convert)(void*);
};

// What a function of a stub gives in turn: its values, again and again.
template <class Type>
struct answers {
  answers() : given(0) {}
  std::vector<Type> values;
  size_t given;
  Type next(Type otherwise) {
    if (values.empty()) return otherwise;
    return values[given++ % values.size()];
  }
};

class frame {
 public:
  static const size_t most_values = 256;

  frame() : count_(0), observing_(false), call_(0), kept_(0) {}
  void clear();
  void begin(uint32_t call) {
    call_ = call;
    values_[call] = value();
  }
  void observe(std::string* into) { observed_ = into, observing_ = into != nullptr; }

  // ---- arguments

  template <class Type>
  Type number(const argument& of) const {
    const literal& from = literal_of(of);
    return from.kind == 'd' ? static_cast<Type>(from.real) : static_cast<Type>(from.number);
  }
  template <class Type>
  Type enumerator(const argument& of) const {
    return static_cast<Type>(literal_of(of).number);
  }
  const std::string& text(const argument& of) const { return literal_of(of).text; }
  const char* c_text(const argument& of) const {
    return of.kind == morph_argument_nothing ? nullptr : literal_of(of).text.c_str();
  }
  size_t is_there(const argument& of) const { return of.kind == morph_argument_nothing ? 0 : 1; }
  const char* end_of_text(const argument& of) const { return c_text(of) + size_of_text(of); }
  size_t size_of_text(const argument& of) const {
    return of.kind == morph_argument_nothing ? 0 : literal_of(of).text.size();
  }

  template <class Type>
  Type& object(const argument& of, unsigned type) const {
    Type* const found = pointer<Type>(of, type);
    if (found == nullptr) throw no_value();
    return *found;
  }
  template <class Type>
  Type* pointer(const argument& of, unsigned type) const {
    return of.kind == morph_argument_nothing ? nullptr : static_cast<Type*>(object_at(of.number, type));
  }

  // A variable that the callable writes to; lives as long as all values.
  template <class Type>
  Type& cell() {
    Type* const made = new Type();
    hold(made, &destroy<Type>);
    return *made;
  }
  template <class Type>
  Type& hold_copy(Type value) {
    return hold_new(new Type(std::move(value)));
  }
  char* buffer() { return cell<room>().bytes; }
  // A buffer that begins with the text.
  char* memory(const argument& of) {
    if (of.kind == morph_argument_nothing) return nullptr;
    char* const made = cell<room>().bytes;
    text(of).copy(made, size_of_memory(of));
    return made;
  }
  size_t size_of_memory(const argument& of) const { return std::min(size_of_text(of), sizeof(room) - 1); }
  // With as many values as the literal has elements, and room for one that is not there.
  template <class Type>
  std::vector<Type>& items(const argument& of) {
    std::vector<Type>& made = hold_copy(filled<std::vector<Type>>(of));
    made.reserve(made.size() + 1);
    return made;
  }
  template <class Type>
  std::vector<Type>& some(const argument& of) {
    std::vector<Type>& made = items<Type>(of);
    if (made.empty()) made.push_back(Type());
    return made;
  }
  // For main(): the name of a program, the words, and a null pointer.
  std::vector<const char*>& words(const argument& of) {
    std::vector<const char*>& made = hold_copy(std::vector<const char*>(1, "program"));
    fill(of, made);
    made.push_back(nullptr);
    return made;
  }
  FILE* file(const argument& of) {
    FILE* const made = fmemopen(nullptr, most_of_file, "w+");
    if (made == nullptr) throw no_value();
    hold(made, &close_file);
    fwrite(text(of).data(), 1, std::min(text(of).size(), size_t(most_of_file) - 1), made);
    rewind(made);
    return made;
  }
  template <class Stream>
  Stream& in(const argument& of) {
    return hold_new(new Stream(text(of)));
  }
  template <class Stream>
  Stream& out() {
    return hold_new(new Stream());
  }

  template <class Container>
  Container filled(const argument& of) const {
    Container made;
    fill(of, made);
    return made;
  }
  template <class Container>
  void fill(const argument& of, Container& to) const {
    fill_from(literal_of(of), to);
  }
  template <class Pair>
  Pair of_elements(const argument& of) const {
    return element(of.number, static_cast<Pair*>(nullptr));
  }
  template <class Optional>
  Optional perhaps(const argument& of) const {
    const literal& from = literal_of(of);
    if (from.count == 0) return Optional();
    return Optional(element(from.elements[0], static_cast<typename Optional::value_type*>(nullptr)));
  }
  // An object that the frame made, and does not destroy any more.
  template <class Owner>
  Owner given_away(const argument& of, unsigned type) {
    typedef typename Owner::element_type Type;
    Type* const object = &this->object<Type>(of, type);
    release(of.number, type, std::has_virtual_destructor<Type>::value);
    return Owner(object);
  }
  // The callable destroys it.
  template <class Type>
  Type* last_use(const argument& of, unsigned type) {
    Type* const object = &this->object<Type>(of, type);
    if (values_[of.number].held == 0) throw no_value();  // it is not ours
    release(of.number, type, false);
    return object;
  }
  template <class Owner>
  Owner shared(const argument& of, unsigned type) {
    typedef typename Owner::element_type Type;
    return Owner(&this->object<Type>(of, type), [](Type*) {});
  }

  // ---- results

  template <class Type>
  void keep(unsigned type, Type* object) {
    set(type, const_cast<void*>(static_cast<const void*>(object)), &destroy<Type>);
  }
  // Of a class that is derived from Base for the purpose.
  template <class Base, class Type>
  void keep_as(unsigned type, Type* object) {
    Base* const as = object;
    set(type, as, nullptr);
    hold(object, &destroy<Type>);
    if (std::has_virtual_destructor<Base>::value) values_[call_].held = kept_;
  }
  // Who calls destroys it.
  template <class Type>
  void adopt(unsigned type, Type* object, uint32_t place = 0) {
    adopt_for(type, object, &destroy<Type>, place);
  }
  template <class Type>
  void adopt_for(unsigned type, Type* object, void (*destroy)(void*), uint32_t place = 0) {
    refer(type, object, place);
    void* const as = const_cast<void*>(static_cast<const void*>(object));
    if (as != nullptr && !is_held(as)) set(type, as, destroy);
  }
  template <class Owner>
  void hold_owner(unsigned type, Owner owner) {
    Owner& kept = hold_new(new Owner(std::move(owner)));
    refer(type, kept.get());
  }
  // What a pointer gives is observed: whether it is null, or an object that the sequence knows.
  template <class Type>
  void refer(unsigned type, Type* object, uint32_t place = 0) {
    borrow(type, object);
    if (observing_) see_pointer(place, object);
  }
  template <class Type>
  void borrow(unsigned type, Type* object) {
    set(type, const_cast<void*>(static_cast<const void*>(object)), nullptr);
    if (observing_) note_known(type, values_[call_].object);
  }

  // ---- observation; `place` as the format has it

  template <class Type>
  void see(uint32_t place, const Type& what) {
    if (observing_) note(place, written(what, static_cast<std::is_enum<Type>*>(nullptr)));
  }
  void see(uint32_t place, const char* what) {
    if (observing_) note(place, what == nullptr ? std::string("n") : 's' + std::string(what));
  }
  void see(uint32_t place, char* what) { see(place, static_cast<const char*>(what)); }
  void see_pointer(uint32_t place, const volatile void* what) {
    if (observing_) note(place, what == nullptr ? "n" : "p");
  }

 private:
  enum { most_of_file = 4096 };
  struct room {
    alignas(16) char bytes[256];  // bytes_of_buffer of plugin/generate/model.hpp
  };

  template <class Type>
  static void destroy(void* object) {
    delete static_cast<Type*>(object);
  }
  template <class Type>
  Type& hold_new(Type* made) {
    hold(made, &destroy<Type>);
    return *made;
  }

  template <class Type>
  static typename std::enable_if<std::is_arithmetic<Type>::value, Type>::type element(uint32_t number, Type*) {
    const literal& from = literal_at(number);
    return from.kind == 'd' ? static_cast<Type>(from.real) : static_cast<Type>(from.number);
  }
  template <class Type>
  static typename std::enable_if<std::is_enum<Type>::value, Type>::type element(uint32_t number, Type*) {
    return static_cast<Type>(literal_at(number).number);
  }
  template <class Container>
  static void fill_from(const literal& from, Container& to) {
    for (uint32_t i = 0; i < from.count; ++i)
      to.insert(to.end(), element(from.elements[i], static_cast<typename Container::value_type*>(nullptr)));
  }
  template <class Container>
  static typename std::enable_if<std::is_class<typename Container::allocator_type>::value, Container>::type element(
      uint32_t number, Container*) {
    Container made;
    fill_from(literal_at(number), made);
    return made;
  }
  static std::string element(uint32_t number, std::string*) { return literal_at(number).text; }
  static const char* element(uint32_t number, const char**) { return literal_at(number).text.c_str(); }
  template <class Key, class Value>
  static std::pair<const Key, Value> element(uint32_t number, std::pair<const Key, Value>*) {
    const literal& from = literal_at(number);
    if (from.count != 2) throw no_value();
    return std::pair<const Key, Value>(element(from.elements[0], static_cast<Key*>(nullptr)),
                                       element(from.elements[1], static_cast<Value*>(nullptr)));
  }
  template <class First, class Second>
  static typename std::enable_if<!std::is_const<First>::value, std::pair<First, Second>>::type element(
      uint32_t number, std::pair<First, Second>*) {
    const literal& from = literal_at(number);
    if (from.count != 2) throw no_value();
    return std::pair<First, Second>(element(from.elements[0], static_cast<First*>(nullptr)),
                                    element(from.elements[1], static_cast<Second*>(nullptr)));
  }

  static std::string written(bool what, std::false_type*) { return what ? "b1" : "b0"; }
  static std::string written(const std::string& what, std::false_type*) { return 's' + what; }
  template <class Type>
  static typename std::enable_if<std::is_integral<Type>::value && !std::is_same<Type, bool>::value, std::string>::type
  written(const Type& what, std::false_type*) {
    return (std::is_signed<Type>::value ? "i" : "u") + (std::is_signed<Type>::value
                                                            ? std::to_string(static_cast<long long>(what))
                                                            : std::to_string(static_cast<unsigned long long>(what)));
  }
  template <class Type>
  static typename std::enable_if<std::is_floating_point<Type>::value, std::string>::type written(const Type& what,
                                                                                                 std::false_type*) {
    return 'd' + real_text(static_cast<double>(what));
  }
  template <class Type>
  static std::string written(const Type& what, std::true_type*) {
    return 'e' + std::to_string(static_cast<long long>(what));
  }

  static std::string real_text(double what);
  static const literal& literal_at(uint32_t number);
  static const literal& literal_of(const argument& of) {
    if (of.kind != morph_argument_literal) throw no_value();
    return literal_at(of.number);
  }
  void* object_at(uint32_t call, unsigned type) const;
  void set(unsigned type, void* object, void (*destroy)(void*));
  void hold(void* object, void (*destroy)(void*));
  bool is_held(const void* object) const;
  // Nobody else may, and `type` must be its own unless a pointer to a base destroys it, too.
  void release(uint32_t call, unsigned type, bool has_virtual_destructor);
  static void close_file(void* file) { fclose(static_cast<FILE*>(file)); }
  void note(uint32_t place, const std::string& what);
  void note_known(unsigned type, const void* object);

  value values_[most_values];
  size_t count_;
  bool observing_;
  std::string* observed_;
  uint32_t call_;
  value held_[most_values];
  size_t kept_;

  frame(const frame&);
  frame& operator=(const frame&);
};

typedef void (*callable)(frame& f, const argument* a);

// A table of a generated source.
extern const callable callables[];
extern const unsigned callable_count;
extern const conversion conversions[];
extern const unsigned conversion_count;
extern const unsigned goal_count;

}  // namespace morph_calls

#endif
