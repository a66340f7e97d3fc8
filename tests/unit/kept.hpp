// What tests make by real compilers: made once for all entries, however many run at a time, and kept for the next run.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>

namespace morph::test_support {

/// Where the shell finds a program; empty where it is not installed.
inline std::filesystem::path installed(const std::string& program) {
  std::istringstream folders(std::getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path place = std::filesystem::path(folder) / program;
    if (::access(place.c_str(), X_OK) == 0) return place;
  }
  return {};
}

/// Differs when another version of a file is installed.
inline std::string version_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto real = std::filesystem::canonical(file, error);
  if (error) return {};
  const auto time = std::filesystem::last_write_time(real).time_since_epoch().count();
  return real.string() + ' ' + std::to_string(time) + ' ';
}

/// A folder beside the test program for everything that `key` stands for. `make` fills it; of a test that failed
/// nothing is kept.
inline std::filesystem::path kept(const std::string& room, const std::string& key,
                                  const std::function<void(const std::filesystem::path&)>& make) {
  std::ostringstream name;
  name << std::hex << std::hash<std::string>()(key);
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kept" / room / name.str();
  std::filesystem::create_directories(folder);
  const int lock = ::open((folder / "made").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ::flock(lock, LOCK_EX);
  if (::lseek(lock, 0, SEEK_END) == 0) {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().filename() != "made") std::filesystem::remove_all(entry);
    make(folder);
    if (!::testing::Test::HasFailure() && ::write(lock, "\n", 1) != 1) ADD_FAILURE() << "cannot write " << folder;
  }
  ::close(lock);
  return folder;
}

}  // namespace morph::test_support
