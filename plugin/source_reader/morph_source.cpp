// Writes a job, runs the program and reads its lines.
#include "plugin/source_reader/morph_source.hpp"

#include <fmt/format.h>

#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/system/process.hpp"

namespace morph::source_reader {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path source_program() {
  return (system::own_executable().parent_path() / MORPH_SOURCE_PROGRAM).lexically_normal();
}

std::vector<std::string> header_options(const std::string& compiler) {
  system::command c;
  c.arguments = {compiler, "-print-libgcc-file-name"};
  const auto end = system::run(c);
  const auto line = end.out.substr(0, end.out.find('\n'));
  const fs::path folder = fs::path(line).parent_path();
  std::error_code none;
  if (!end.succeeded() || !folder.is_absolute() || !fs::exists(folder / "crtbegin.o", none)) return {};
  return {"--gcc-install-dir=" + folder.string()};
}

std::vector<std::string> spec_header_options() {
  const fs::path folder = (system::own_executable().parent_path() / MORPH_SPEC_HEADERS).lexically_normal();
  std::error_code none;
  if (!fs::exists(folder / "morph" / "morph.hpp", none)) return {};
  return {"-idirafter", folder.string()};
}

result<std::vector<json>> ask_source_program(const source_request& request, const std::vector<std::string>& options,
                                             const std::vector<source_question>& questions,
                                             const std::vector<std::string>& from, const char* task) {
  json job{{"mirror", request.mirror.string()},
           {"from", from},
           {"options", options},
           {"root", request.mirror.string()},
           {"except", request.except},
           {"operators", request.operators},
           {"extreme", request.extreme},
           {"task", task},
           {"workers", request.jobs},
           {"units", json::array()}};
  for (const source_question& q : questions)
    job["units"].push_back({{"directory", q.unit->directory},
                            {"file", q.unit->file},
                            {"arguments", q.unit->arguments},
                            {"mutants", q.mutants}});
  return run_source_program(job, request.state / "job.json");
}

nlohmann::json job_of(const reading& of, const std::vector<build::compile_unit>& units) {
  nlohmann::json job{
      {"mirror", ""},          {"from", nlohmann::json::array()},      {"options", of.options}, {"root", of.root},
      {"except", {of.except}}, {"operators", nlohmann::json::array()}, {"extreme", false},      {"task", of.task},
      {"workers", 2},          {"units", nlohmann::json::array()}};
  for (const build::compile_unit& each : units)
    job["units"].push_back({{"directory", each.directory},
                            {"file", each.file},
                            {"arguments", each.arguments},
                            {"mutants", nlohmann::json::array()}});
  return job;
}

result<std::vector<json>> run_source_program(const json& job, const fs::path& file) {
  if (auto written = system::write_file_atomically(file, json_text(job)); !written)
    return tl::unexpected(written.error());
  system::command c;
  c.arguments = {source_program().string(), file.string()};
  c.capture_at_end = true;
  const auto end = system::run(c);
  if (!end.succeeded())
    return tl::unexpected(fmt::format("the sources cannot be read: '{}' {}{}{}", c.arguments.front(),
                                      system::describe(end, c.timeout), end.err.empty() ? "" : ": ", end.err));
  std::vector<json> lines;
  try {
    for (std::size_t at = 0; at < end.out.size();) {
      const auto stop = std::min(end.out.find('\n', at), end.out.size());
      if (stop > at)
        lines.push_back(json::parse(end.out.begin() + static_cast<std::ptrdiff_t>(at),
                                    end.out.begin() + static_cast<std::ptrdiff_t>(stop)));
      at = stop + 1;
    }
  } catch (const json::exception& error) {
    return tl::unexpected(fmt::format("'{}' wrote what is no JSON: {}", c.arguments.front(), error.what()));
  }
  return lines;
}

}  // namespace morph::source_reader
