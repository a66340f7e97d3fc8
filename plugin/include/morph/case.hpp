// A case as relations, datamorphisms, metrics and filters see it: input, output, and how its run ended.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "morph/pool.hpp"

namespace morph {

/// Of a relation on a case. What does not apply neither passes nor fails.
enum class verdict : unsigned char { pass, fail, not_applicable };

/// How a run of the program under test ended.
enum class ended : unsigned char { not_run, output, exception, crash, timeout };

struct executer_handle {
  std::uint16_t index;
};
struct operation_handle {
  std::uint16_t index;
};

template <typename Out>
struct outcome {
  std::optional<Out> output;
  std::unique_ptr<std::string> error;  // what an exception said, which signal ended it
  ended how = ended::not_run;
};

namespace detail {

/// Stands where a case has no output. Only a type with a default can be looked at then.
template <typename Out>
const Out& no_output() {
  if constexpr (std::is_default_constructible_v<Out>) {
    static const Out none{};
    return none;
  } else {
    alignas(Out) static const unsigned char none[sizeof(Out)] = {};
    return reinterpret_cast<const Out&>(none);
  }
}

}  // namespace detail

template <typename In, typename Out>
class test_case {
 public:
  const In& input;
  const Out& output;  // a default one, if the run gave none

  test_case(const In& in, const outcome<Out>& run, const pool& cases, case_index at, const std::string& type)
      : input(in),
        output(run.output ? *run.output : detail::no_output<Out>()),
        run_(&run),
        cases_(&cases),
        type_(&type),
        at_(at) {}

  ended how() const { return run_->how; }
  bool has_output() const { return run_->how == ended::output; }
  /// What the exception said; `signal 11 (Segmentation fault)`; empty for an output.
  std::string error() const { return run_->error ? *run_->error : std::string(); }
  std::uint64_t id() const { return cases_->id(at_); }
  /// The name of the seed maker or datamorphism that made it.
  const std::string& type() const { return *type_; }
  /// 0 for seeds.
  unsigned order() const { return cases_->order(at_); }
  bool is_seed() const { return order() == 0; }
  case_index position() const { return at_; }

 private:
  const outcome<Out>* run_;
  const pool* cases_;
  const std::string* type_;
  case_index at_;
};

}  // namespace morph
