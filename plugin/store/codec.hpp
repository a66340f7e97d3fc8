// The bytes of ascending numbers in the store: varints (LEB128) of differences.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/store/evidence.hpp"

namespace morph::store {

/// `values` ascending and distinct. A byte or more a number; bytes that are left out mean no number.
std::string encode_ascending(std::span<const std::uint64_t> values);
std::string encode_ascending(std::span<const std::uint32_t> values);

/// Nothing for bytes that encode_ascending() did not write.
template <typename Number>
std::optional<std::vector<Number>> decode_ascending(std::string_view bytes);

/// The same for numbers that come in runs (17, 18, 19, ...): two bytes or so a run.
std::string encode_runs(std::span<const std::uint64_t> values);
/// Replaces what `values` holds. False for bytes that encode_runs() did not write.
bool decode_runs(std::string_view bytes, std::vector<std::uint64_t>& values);

/// Many classes in two strings: of each class the number of its tests and the tests as by encode_ascending(), and the
/// number of its runs and the runs, counted from the first element of the class before. Shortest when the first
/// elements of the classes ascend.
struct packed_classes {
  std::string tests, elements;
};
class class_packer {
 public:
  void add(const element_class& c);
  std::size_t size() const { return packed_.tests.size() + packed_.elements.size(); }
  /// What was added so far; what is added from now on is packed anew.
  packed_classes take();

 private:
  packed_classes packed_;
  std::uint64_t previous_first_ = 0;
};
/// Appends. False for strings that class_packer did not make.
bool unpack_classes(std::string_view tests, std::string_view elements, std::vector<element_class>& classes);

/// Compressed: what a name shares with the one before it is left out, so that ascending names are shortest. A hundredth
/// of the names' length or so. A change of the bytes is noticed.
std::string pack_functions(std::span<const measured_function> functions);
/// Appends. False for bytes that pack_functions() did not write.
bool unpack_functions(std::string_view bytes, std::vector<measured_function>& functions);

}  // namespace morph::store
