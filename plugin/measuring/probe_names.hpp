// What the functions of a table of probes are called in a measurement, kept beside the table: rows of ctest are read
// when the program may have been built anew.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plugin/store/store.hpp"
#include "plugin/system/result.hpp"

namespace morph::measuring {

struct probed_name {
  std::string symbol;                // mangled
  std::vector<std::string> sources;  // of the objects that define it, as in the store
};

/// Of one program or shared library.
struct probe_names {
  std::vector<std::vector<probed_name>> functions;  // by number in the table; none: it has no probe
  std::vector<std::uint32_t> of_every_test{};       // of them: they have no probe, and each test entered them
  std::vector<std::string> objects;                 // that it is linked of
  std::uint64_t table = 0;                          // system::check_sum() of the file of the table
};

/// FOLDER/KEY.probes and FOLDER/KEY.names
std::filesystem::path table_file(const std::filesystem::path& folder, const std::string& key);
std::filesystem::path names_file(const std::filesystem::path& folder, const std::string& key);

result<void> write_names(const std::filesystem::path& file, const probe_names& names);
/// An error: it is not there, or damaged.
result<probe_names> read_names(const std::filesystem::path& file);

/// The same in the numbers of a measurement, which knows the units of the objects already.
struct probe_elements {
  std::uint32_t number = 0;                            // of the table, among those of a build
  std::vector<std::vector<store::element>> functions;  // by number in the table
  std::vector<store::element> units;
  std::vector<store::element> of_every_test;
};
std::vector<store::element> elements_of(const probed_name& name, store::measurement_writer& writer);
probe_elements elements_of(const probe_names& names, store::measurement_writer& writer);

/// Adds what was entered. False: a number is of no function.
bool add_entered(const probe_elements& of, const std::vector<std::uint32_t>& functions,
                 std::vector<store::element>& to);

}  // namespace morph::measuring
