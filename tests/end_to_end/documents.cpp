// A file per document, named by its content.
#include "documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <string>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> beginnings{"{", "<?xml"};
/// Of Morph's own formats, SARIF, mutation testing elements, JUnit, Cobertura.
constexpr std::array<std::string_view, 6> marks{R"("schema":"morph.)", R"("schema": "morph.)", "/sarif-",
                                                R"("schemaVersion")",  "<testsuites",          "<coverage"};

/// Empty if nothing is kept.
const fs::path& destination() {
  static const fs::path folder = [] {
    const char* const named = std::getenv("MORPH_DOCUMENTS");
    const fs::path made = named == nullptr ? "" : named;
    if (made.empty()) return made;
    fs::remove_all(made);
    fs::create_directories(made);
    return made;
  }();
  return folder;
}

[[maybe_unused]] const fs::path& emptied_at_start = destination();

}  // namespace

void keep_document(std::string_view text) {
  if (destination().empty() || std::ranges::none_of(beginnings, [&](auto each) { return text.starts_with(each); }))
    return;
  if (std::ranges::none_of(marks, [&](auto each) { return text.find(each) != text.npos; })) return;
  const fs::path file = destination() / fmt::format("{:016x}", std::hash<std::string_view>()(text));
  if (!fs::exists(file)) write_bytes(file, std::string(text));
}

void keep_documents_below(const fs::path& folder) {
  if (destination().empty()) return;
  std::error_code gone;
  for (fs::recursive_directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone)) {
    const fs::path& file = at->path();
    const bool is_ours = file.extension() == ".json" && file.string().find("/.morph/") != std::string::npos;
    if ((is_ours || file.extension() == ".xml") && at->is_regular_file(gone)) keep_document(read_bytes(file));
  }
}

}  // namespace morph::end_to_end
