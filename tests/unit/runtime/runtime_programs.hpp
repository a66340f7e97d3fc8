// The programs that the tests of the runtime measure: sources, and a folder where each compiler's are built once.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace morph::runtime_tests {

std::string contents(const std::filesystem::path& path);

/// What a shell command prints, or "(failed)" and that.
std::string output_of(const std::string& command);

bool is_present(const std::string& compiler);
bool is_supported_gcc(const std::string& compiler);
bool is_clang(const std::string& compiler);
bool is_supported_clang(const std::string& compiler);

/// Those that were compared with their own llvm-cov.
inline constexpr const char* measured_clangs[] = {"14", "15", "16", "17", "18", "19"};

/// The programs of one compiler, kept beside the test executable, keyed by everything that they are made of: each test
/// may run in a process of its own.
class workshop {
 public:
  explicit workshop(std::string compiler);

  const std::filesystem::path& folder() const { return folder_; }
  bool clang() const { return clang_; }

  /// A program of GoogleTest cases; it hides its __gcov_master, so that library.so has one of its own.
  std::filesystem::path cases() const;
  /// A program without a framework; `objects` are made while nobody else builds.
  std::filesystem::path process(const std::string& name,
                                const std::function<std::string(const workshop&)>& objects) const;
  std::filesystem::path program() const;

  std::string object(const std::string& name, const std::string& flags = "",
                     const std::string& instrument = "--coverage") const;
  std::filesystem::path shared(const std::string& name, const std::string& more = "") const;
  /// For a shared object; of GCC's only one that is loaded later needs it.
  std::string module() const;

 private:
  std::string clang_options() const;
  std::string profiling() const;
  std::string runtime() const;
  std::string runtime_object(const std::string& name) const;
  std::filesystem::path made(const std::string& name, const std::function<std::string()>& link) const;
  void run(const std::string& arguments, const std::filesystem::path& product) const;

  std::string compiler_;
  bool clang_;
  std::filesystem::path folder_;
};

}  // namespace morph::runtime_tests
