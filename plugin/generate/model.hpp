// What the headers of a unit offer: callables as thunks and tests write them, and what of it the search sees.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plugin/generate/api.hpp"
#include "plugin/generate/literals.hpp"

namespace morph::generate {

/// How a parameter is written, in a thunk and in a test.
inline constexpr std::size_t bytes_of_buffer = 256;

struct parameter {
  enum class kind : std::uint8_t {
    number,       // arithmetic, a literal of its type
    enumeration,  // one of its enumerators
    text,         // std::string
    view,         // std::string_view
    c_text,       // const char*
    object,       // of a class, by reference or value
    pointer,      // to such an object
    owner,        // std::unique_ptr or std::shared_ptr of one
    last_use,     // a pointer to an object that the callable destroys
    single,       // std::initializer_list of one
    cell,         // a variable that the callable writes to: T& or T*
    made,         // T** or T*&: the callable gives an object there
    given,        // T* const*, whose length follows: a pointer to an object
    list,         // a container, a pair or an std::optional, filled with literals
    items,        // a pointer to plain values, whose length may follow
    in,
    out,       // streams; `type` is that of the variable
    file,      // FILE*, that a text can be read of
    array,     // const char* or the like, whose length follows
    length,    // of the array, the items or the pointer before it
    end,       // of the array before it: behind its last byte
    buffer,    // char*, whose room follows
    room,      // of the buffer before it
    memory,    // char* or void* without a length: a buffer that begins with a text
    words,     // argv, behind its count
    count,     // of the words behind it
    null,      // std::nullptr_t
    callback,  // gives a literal, or a default value
    answers,   // of a stub: what one of its functions gives, in turn
  } how = kind::number;
  std::string name{};
  std::string type{};              // as a source writes it, without const and reference
  std::uint32_t class_number = 0;  // of object, pointer, owner, single, given and made
  bool by_pointer = false;         // of cell, list, text, in, out
  bool by_move = false;
  bool is_constant = false;
  bool has_default = false;
  std::string written{};  // of callback: a lambda, with {} for what it gives; of array and buffer: a type to cast to
  std::vector<std::pair<std::int64_t, std::string>> enumerators{};
  std::vector<parameter> elements{};  // of list, items and answers; of callback: what it gives, if a literal does
  bool is_tuple = false;              // of list: a pair
  bool is_map = false;
  bool is_optional = false;  // of list: no element or the first one
  bool is_shared = false;    // of owner
  bool is_owned = false;     // of made: who calls destroys it
  bool is_observed = true;   // of cell
  bool is_bool = false, is_unsigned = false, is_real = false, is_character = false;
  std::uint32_t bytes = 4;
};

struct returned {
  enum class kind : std::uint8_t {
    nothing,
    number,
    enumeration,
    text,       // std::string, std::string_view
    c_text,     // const char*
    object,     // of a class, by value
    reference,  // to one
    pointer,    // to one
    holder,     // std::unique_ptr or std::shared_ptr of one
    other,      // not observed
  } how = kind::nothing;
  std::string type{};
  std::uint32_t class_number = 0;
  bool is_constant = false;
  bool is_owned = false;      // of pointer: who calls destroys it
  bool is_made = false;       // of pointer: it is new
  std::string destroyer{};    // of pointer that is owned: a function that destroys it; empty: delete
  bool by_reference = false;  // of holder
  std::vector<std::pair<std::int64_t, std::string>> enumerators{};
  bool is_bool = false, is_unsigned = false, is_real = false, is_view = false;
  std::uint32_t bytes = 4;
};

struct modelled_callable {
  enum class kind : std::uint8_t {
    constructor,
    method,
    static_method,
    function,
    conversion,
    call_operator,
    aggregate,  // an object of its fields
    member,     // a public field: read, or written if there is a parameter
    stub        // an object of a class that is written for the purpose; class_number is that of its base
  } how = kind::function;
  std::string name{};    // qualified, as a call writes it
  std::string method{};  // without its class
  std::string token{};   // of an overloaded operator that is written as one
  std::string signature{};
  std::string class_name{};
  std::uint32_t class_number = 0;
  bool has_receiver = false, is_constant = false;
  std::string file{}, defined_in{};
  std::uint32_t line = 0;
  bool is_hidden_friend = false;        // found by its arguments alone
  bool is_implied = false;              // no header declares it: not counted
  bool is_overloaded = false;           // another one has its name
  bool is_zeroing = false;              // of a constructor: fields without a value of their own are 0
  bool is_for_temporary = false;        // of a method: its receiver is moved from
  std::uint32_t stub = 0;               // of stub: which one
  std::vector<parameter> parameters{};  // as many as this call writes
  returned result{};
  std::string why_not{}, remedy{};  // if nothing makes what it needs

  bool makes_object() const { return how == kind::constructor || how == kind::aggregate || how == kind::stub; }
};

struct modelled_class {
  std::string name{}, file{};
  std::vector<std::uint32_t> bases{};  // all, itself first
  bool is_abstract = false, is_copyable = false, is_movable = false, is_destructible = true;
  bool is_template_instance = false;
  bool is_view = false;  // it leads to what it does not destroy
  bool has_public_pointers = false;
};

struct refusal {
  std::string name{}, file{}, reason{}, remedy{};
  std::uint32_t line = 0;
};

/// A class that implements the pure functions of an abstract one.
struct modelled_stub {
  struct function {
    std::string head{};       // up to its body
    std::string answers{};    // the name of what it gives in turn; empty: it gives always the same
    std::string type{};       // of the answers
    std::string otherwise{};  // what it returns without answers, with " return ...; "
    std::string member{};     // a declaration that it needs
  };
  std::string name{}, base{};
  std::vector<function> functions{};
};

struct model {
  std::vector<modelled_class> classes{};
  std::vector<modelled_stub> stubs{};
  std::vector<modelled_callable> callables{};
  std::vector<refusal> refused{};
  std::vector<std::string> headers{};
};

/// `line`: what `morph-source` writes for its task "callables".
model model_of(const nlohmann::json& line);

/// The call as a source writes it. `access`: what stands between the receiver and its method.
std::string written_call(const modelled_callable& of, const std::string& receiver, const std::string& access,
                         const std::vector<std::string>& arguments);

/// Slots, roles and types of the model's callables, in their order.
api api_of(const model& of, literal_table& literals);

}  // namespace morph::generate
