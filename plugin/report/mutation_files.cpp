// Reading them, and the table of forms.
#include "plugin/report/mutation_files.hpp"

#include <fmt/format.h>

#include "plugin/git/repository.hpp"
#include "plugin/report/mutation_json.hpp"
#include "plugin/report/mutation_tests.hpp"
#include "plugin/report/mutation_union.hpp"
#include "plugin/system/files.hpp"

namespace morph::report {

namespace fs = std::filesystem;

result<mutation_result> result_in(const fs::path& path) {
  const auto text = system::read_file(path);
  if (!text) return tl::unexpected(text.error());
  auto result = read_mutation(*text);
  if (!result)
    return tl::unexpected(
        fmt::format("'{}' is no mutation result: {}; `morph mutate` makes a new one", path.string(), result.error()));
  return result;
}

result<mutation_result> united_result(const std::vector<std::string>& files) {
  auto all = result_in(files.front());
  for (std::size_t i = 1; all && i < files.size(); ++i) {
    const auto more = result_in(files[i]);
    if (!more) return more;
    all = unite(std::move(*all), *more).map_error([&](const std::string& error) {
      return fmt::format("'{}' and '{}' cannot be united: {}", files.front(), files[i], error);
    });
  }
  return all;
}

std::string root_in_repository(const fs::path& source_dir) {
  const auto repo = git::repository::open(source_dir);
  std::error_code error;
  const fs::path source = fs::canonical(source_dir, error);
  if (!repo || error) return {};
  const std::string path = source.lexically_relative(fs::canonical(repo->root(), error)).generic_string();
  return path.empty() || path == "." ? std::string() : path + '/';
}

std::string mutation_as_form(const mutation_result& result, const std::string& format, const fs::path& source_dir,
                             const text_form& text, const explanations& explained) {
  if (format == "json") return mutation_as_json(result);
  if (format == "csv") return mutation_as_csv(result);
  if (format == "junit") return mutation_as_junit(result);
  if (format == "github") return mutation_as_github(result, root_in_repository(source_dir));
  if (format == "sarif") return mutation_as_sarif(result, root_in_repository(source_dir), MORPH_VERSION);
  if (format == "mte") return mutation_as_elements(result, MORPH_VERSION);
  if (format == "html") return mutation_as_page(result, MORPH_VERSION, explained);
  if (format == "kills") return kills_as_csv(result, text.suite);
  return mutation_as_text(result, text);
}

}  // namespace morph::report
