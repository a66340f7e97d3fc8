// Runs of the example programs, and what their reports say.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spec_examples {

using nlohmann::json;

struct program_end {
  int status = -1;
  std::string text;
};

/// By the shell, in the folder of the example, with `input` as the standard input.
inline program_end run(const std::string& folder, const std::string& command, const std::string& input = "") {
  const std::string line = "cd '" + folder + "' && printf '" + input + "' | " + command + " 2>&1";
  program_end made;
  std::FILE* const pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return made;
  std::array<char, 4096> some;
  for (std::size_t count; (count = std::fread(some.data(), 1, some.size(), pipe)) > 0;)
    made.text.append(some.data(), count);
  const int status = ::pclose(pipe);
  made.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return made;
}

/// What became of one spec.
struct spec_report {
  int status = -1;
  json all;

  const json& relation(const std::string& name) const {
    static const json none;
    for (const json& each : all["relations"])
      if (each["name"] == name) return each;
    return none;
  }
  std::uint64_t number(const std::string& relation_name, const char* what) const {
    const json& of = relation(relation_name);
    return of.is_null() ? ~std::uint64_t{0} : of[what].get<std::uint64_t>();
  }
  /// The relations that are violated, and how often.
  std::map<std::string, std::uint64_t> failing() const {
    std::map<std::string, std::uint64_t> made;
    for (const json& each : all["relations"])
      if (each["fail"] != 0) made[each["name"]] = each["fail"];
    return made;
  }
  /// The relations that never applied. Not all seeds have expected outputs.
  std::vector<std::string> idle() const {
    std::vector<std::string> made;
    for (const json& each : all["relations"])
      if (each["pass"] == 0 && each["fail"] == 0 && each["name"] != "expected output") made.push_back(each["name"]);
    return made;
  }
};

inline spec_report run_spec(const std::string& folder, const std::string& program, const std::string& spec,
                            const std::string& options) {
  const program_end ended = run(folder, program + " --json --spec " + spec + " " + options);
  const json report = json::parse(ended.text, nullptr, false);
  if (report.is_discarded()) return {ended.status, json::object({{"relations", json::array()}, {"text", ended.text}})};
  return {ended.status, report["specs"][0]};
}

class temporary_file {
 public:
  temporary_file() {
    std::string name = (std::filesystem::temp_directory_path() / "morph-pool-XXXXXX").string();
    const int file = ::mkstemp(name.data());
    if (file < 0) std::abort();
    ::close(file);
    std::filesystem::remove(name);
    path_ = name;
  }
  ~temporary_file() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The cases of a saved pool; its first line is no case.
inline std::vector<json> cases_of(const std::string& pool) {
  std::ifstream file(pool);
  std::vector<json> made;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) made.push_back(json::parse(line));
  return made;
}

/// Of what is declared: lines that are not blank, from the first one that begins with `first` on.
inline std::size_t lines_of_spec(const std::string& path, const std::string& first) {
  std::ifstream file(path);
  std::size_t count = 0;
  bool begun = false;
  for (std::string line; std::getline(file, line);) {
    begun = begun || line.rfind(first, 0) == 0;
    if (begun && line.find_first_not_of(" \t") != std::string::npos) ++count;
  }
  return count;
}

}  // namespace spec_examples
