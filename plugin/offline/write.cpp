// By report::output, which replaces files when they are whole.
#include "plugin/offline/write.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "plugin/contract/formats.hpp"
#include "plugin/report/output.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::offline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

result<void> write_text(const fs::path& file, const std::string& text) {
  auto out = report::output::open(file.string());
  if (!out) return tl::unexpected(out.error());
  out->write(text);
  return out->close();
}

bool is_part(const fs::path& file) {
  constexpr std::string_view begin = "morphPart(";
  std::array<char, begin.size()> read{};
  std::ifstream from(file, std::ios::binary);
  return from.read(read.data(), read.size()) && std::string_view(read.data(), read.size()) == begin;
}

}  // namespace

std::string stem_of(const fs::path& file) {
  return file.extension() == ".html" ? file.stem().string() : file.filename().string();
}

result<void> write(const assembled& what, const fs::path& file) {
  for (const named_text& part : what.parts)
    if (auto written = write_text(file.parent_path() / part.name, part.text); !written) return written;
  if (auto written = write_text(file, what.page); !written) return written;
  for (std::size_t n = what.parts.size() + 1;; ++n) {
    const fs::path old = file.parent_path() / fmt::format("{}.{}.js", stem_of(file), n);
    std::error_code error;
    if (!is_part(old) || !fs::remove(old, error)) return {};
  }
}

std::string as_json(const assembled& what, const collected& of, const fs::path& file) {
  json documents = json::array(), parts = json::array();
  for (const document& each : of.documents)
    documents.push_back({{"arguments", each.arguments}, {"exit", each.exit}, {"bytes", each.output.size()}});
  for (const named_text& part : what.parts)
    parts.push_back({{"file", (file.parent_path() / part.name).string()}, {"bytes", part.text.size()}});
  return json_text({{"schema", contract::report_html_schema},
                    {"file", file.string()},
                    {"bytes", what.page.size()},
                    {"parts", parts},
                    {"documents", documents},
                    {"sources", of.sources.size()},
                    {"left_out", of.left_out}}) +
         "\n";
}

}  // namespace morph::offline
