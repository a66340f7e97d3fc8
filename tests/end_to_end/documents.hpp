// Keeping the documents that Morph writes in the tests, which tests/schemas validates.
#pragma once

#include <filesystem>
#include <string_view>

namespace morph::end_to_end {

/// Into the folder MORPH_DOCUMENTS, which is emptied first; without that variable nothing is kept. Documents are
/// Morph's own JSON, lines of it too, and the formats of others that Morph writes.
void keep_document(std::string_view text);

/// The documents below a folder: JSON of Morph's own folders, and XML.
void keep_documents_below(const std::filesystem::path& folder);

}  // namespace morph::end_to_end
