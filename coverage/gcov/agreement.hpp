// Whether notes and counters are of one compilation and whole, before gcov is asked: of those that are not it tells too
// few lines without a word, or nothing, or never ends (GCC 11 and 12 with notes that are cut off).
#ifndef MORPH_COVERAGE_GCOV_AGREEMENT_HPP
#define MORPH_COVERAGE_GCOV_AGREEMENT_HPP

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace morph::gcov {

// The bytes of a .gcno and of the .gcda beside it; paths are for messages. Of versions whose layout is not known only
// the first words are compared, which have not changed since GCC 4.
tl::expected<void, std::string> check_agreement(std::string_view notes, std::string_view note_path,
                                                std::string_view counters, std::string_view counter_path);

}  // namespace morph::gcov

#endif
