// From counters of a measured program to elements of the store.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coverage/gcov/program_model.hpp"
#include "plugin/measuring/session.hpp"

namespace morph::measuring {

/// In the place of the number of a file that is not the project's.
inline constexpr std::uint32_t outside = ~std::uint32_t{0};

/// As a measurement names the file that is read in the end (repository::name_of()); empty for a product of a build, and
/// outside of the repository for what does not count (outside_rules).
std::string name_of_read(const session& m, const std::string& path);

/// The same, and empty for a header of a library that the project merely uses: its lines are in no row.
std::string name_of_source(const session& m, const std::string& path);

/// `files` begin with the main source.
store::measured_unit describe_unit(const session& m, const std::string& object, const std::vector<std::string>& files);

/// The object beside notes, as the records of what it was compiled from name it.
std::string object_of(const session& m, const std::string& note_path);

/// The unit whose notes these are; nothing if the build has no record of what it was compiled from.
std::optional<store::measured_unit> describe_object_of(const session& m, const std::string& note_path);

/// Absolute paths and lines.
using source_places = std::set<std::pair<std::string, std::uint32_t>>;

/// What a program is made of, in the numbers of the store: add() all its modules, then translate(). Modules of what its
/// tests load and execute may come later. A module whose notes cannot be read is named by a warning; the tests that run
/// it are incomplete.
class program_tables {
 public:
  /// The name is for warnings.
  program_tables(const session& m, std::string suite) : m_(&m), suite_(std::move(suite)) {}

  void add(const gcov::module_record& module);
  /// An error if the notes of no module so far can be read, but for Morph's own.
  tl::expected<void, std::string> check() const;
  /// Of modules that came since the last call.
  void translate();

  /// Ascending. Lines that gcov's own rule leaves out come once more, as `unshown`.
  std::vector<store::element> executed(std::span<const gcov::counter> counters) const;
  /// What static initialization ran; not what it only ran to register a test, nor lines of other people's headers.
  std::vector<store::element> started(std::span<const gcov::counter> counters,
                                      const source_places& registrations) const;
  /// Bits of morph_stream::incomplete that hold for every row of the program, and those of a row.
  std::uint32_t incomplete() const;
  std::uint32_t incomplete(std::span<const gcov::counter> counters) const;
  const gcov::program_model& model() const { return model_; }

 private:
  void translate_decisions();
  void translate_outcomes(std::span<const gcov::branch_outcome> outcomes, optimizer::requirement_kind kind,
                          std::vector<store::element>& table);
  store::element translate_unit(const std::string& note_path);
  std::vector<store::element> elements_of(const gcov::executed& executed,
                                          std::span<const gcov::counter> counters) const;

  const session* m_;
  std::string suite_;
  gcov::program_model model_;
  void order_elements();

  // By index in the model; 0 = no source of the project.
  std::vector<store::element> lines_, functions_, units_, branches_, conditions_;
  std::size_t translated_decisions_ = 0;
  std::vector<store::element> all_;                   // of these tables, ascending
  std::array<std::vector<std::uint32_t>, 5> places_;  // of each table's elements in all_
  std::vector<std::uint32_t> files_;                  // by file of the model: the store's, or outside
  std::string unknown_unit_;
  bool has_notes_ = false;
  std::string unread_;                                               // why the first module that cannot be read cannot
  std::vector<std::pair<std::uint32_t, std::uint32_t>> unread_ids_;  // of counters: first and behind the last
};

/// Makes the elements ascend, each once.
void sort_set(std::vector<store::element>& elements);

/// Adds a row to others of the same test: `unshown` is what all of them left out that executed the line.
void add_executed(std::vector<store::element>& to, std::span<const store::element> more);

/// Many tests run the same program: its notes are read once, as long as it is made of the same modules and so is what
/// it loads and executes.
class known_programs {
 public:
  known_programs(const session& m, std::string suite) : m_(m), suite_(std::move(suite)) {}

  result<const program_tables*> tables(const std::string& executable, std::vector<gcov::module_record> modules,
                                       std::vector<gcov::module_record> late);

 private:
  struct known {
    std::vector<gcov::module_record> modules, late;
    std::unique_ptr<program_tables> tables;
  };
  const session& m_;
  std::string suite_;
  std::map<std::string, known> programs_;
};

}  // namespace morph::measuring
