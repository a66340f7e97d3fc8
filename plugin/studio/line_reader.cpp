// Cutting at ends of lines.
#include "plugin/studio/line_reader.hpp"

namespace morph::studio {
namespace {

std::size_t cut(std::string_view text, std::size_t longest) {
  std::size_t at = longest;
  while (at > longest - 3 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

void line_reader::read(std::string_view bytes, const std::function<void(std::string_view)>& take) {
  begun_.append(bytes);
  std::string_view left = begun_;
  while (true) {
    const std::size_t end = left.find('\n');
    std::string_view line = left.substr(0, end);
    if (line.size() > longest_) {
      const std::size_t size = cut(line, longest_);
      take(line.substr(0, size));
      left.remove_prefix(size);
      continue;
    }
    if (end == std::string_view::npos) break;
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line);
    left.remove_prefix(end + 1);
  }
  begun_ = std::string(left);
}

void line_reader::end(const std::function<void(std::string_view)>& take) {
  if (!begun_.empty()) take(begun_);
  begun_.clear();
}

}  // namespace morph::studio
