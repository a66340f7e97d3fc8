// Bytes of the store that are compressed, by zstd.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace morph::store {

/// Whether a change of the compressed bytes is noticed.
enum class check_sum : bool { none, added };

/// Equal bytes give equal ones, with one version of zstd.
std::string compressed(std::string_view bytes, check_sum sum);
/// Nothing for what compressed() did not make, and for what stands for more than 1 GiB.
std::optional<std::string> decompressed(std::string_view bytes);

}  // namespace morph::store
