// The project of most tests here: a library of two sources and a header, one program of five tests; built and measured
// once.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

#include "project.hpp"

namespace morph::end_to_end {

/// Writes the sources of the project, without a repository.
void write_shapes(const project& to);

/// The project at its first commit: configured, built, measured. Made at the first call in a process.
workspace& measured_shapes();

/// Gives each test the measured project as it was.
class shapes_test : public testing::Test {
 protected:
  shapes_test();
  /// Changes the build description and measures again.
  void redeclare(const std::string& old_text, const std::string& new_text) const;
  /// As a mutation run leaves them: who kills which mutant of src/area.cpp.
  void add_kills(const std::map<std::uint32_t, names>& killers_of) const;
  project& p;
};

inline const names all_shapes{"Area.OfSquare", "Area.OfStrip", "Perimeter.OfSquare", "Scale.ByTwo", "Scale.ByZero"};
inline const names area_tests{"Area.OfSquare", "Area.OfStrip"};

}  // namespace morph::end_to_end
