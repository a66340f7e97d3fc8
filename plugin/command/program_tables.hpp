// From counters of a measured program to elements of the store.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coverage/gcov/program_model.hpp"
#include "plugin/command/measure_program.hpp"

namespace morph::command {

/// As git names the file that is read in the end; empty for what lies outside or is a product of a build.
std::string in_repository(const measuring& m, const std::string& path);

/// `files` begin with the main source.
store::measured_unit describe_unit(const measuring& m, const std::string& object,
                                   const std::vector<std::string>& files);

/// Absolute paths and lines.
using source_places = std::set<std::pair<std::string, std::uint32_t>>;

/// What a program is made of, in the numbers of the store: add() all its modules, then translate().
class program_tables {
 public:
  /// The name is for warnings.
  program_tables(const measuring& m, std::string suite) : m_(&m), suite_(std::move(suite)) {}

  tl::expected<void, std::string> add(const gcov::module_record& module) { return model_.add(module); }
  void translate();  // once; later calls do nothing

  std::vector<store::element> executed(std::span<const gcov::counter> counters) const;
  /// What static initialization ran; not what it only ran to register a test, nor lines of other people's headers.
  std::vector<store::element> started(std::span<const gcov::counter> counters,
                                      const source_places& registrations) const;
  /// Bits of morph_stream::incomplete that hold for every row of the program.
  std::uint32_t incomplete() const;
  const gcov::program_model& model() const { return model_; }

 private:
  store::element translate_unit(const std::string& note_path);
  std::vector<store::element> elements_of(const gcov::executed& executed) const;

  const measuring* m_;
  std::string suite_;
  gcov::program_model model_;
  std::vector<store::element> lines_, functions_, units_,
      branches_;                  // by index in the model; 0 = outside the repository
  std::vector<bool> is_foreign_;  // by file of the model
  std::string unknown_unit_;
};

}  // namespace morph::command
