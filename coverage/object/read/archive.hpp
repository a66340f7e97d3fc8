// The members of archives of objects.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace morph::object {

struct archive_member {
  std::string name;
  std::string path;        // of a thin archive's member, beside which folder the archive says
  std::string_view bytes;  // of others; a view into the archive's
};

bool is_archive(std::string_view bytes);

/// In their order. An error says what is damaged. Members of one name get numbers: a.o, a.o#2.
tl::expected<std::vector<archive_member>, std::string> members_of(std::string_view bytes, std::string_view path);

}  // namespace morph::object
