// Lists, removes and empties folders.
#include "coverage/mutation/temporary_files.hpp"

#include <system_error>

namespace morph::mutation {

namespace fs = std::filesystem;

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) return;
  // Tests of what cannot be written leave such folders.
  const auto permit = [](const fs::path& path) {
    std::error_code none;
    if (fs::symlink_status(path, none).type() == fs::file_type::directory)
      fs::permissions(path, fs::perms::owner_all, fs::perm_options::add, none);
  };
  permit(folder);
  for (auto i = fs::recursive_directory_iterator(folder, error); !error && i != fs::recursive_directory_iterator();
       i.increment(error))
    permit(i->path());
  fs::remove_all(folder, error);
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (auto i = fs::directory_iterator(folder, error); !error && i != fs::directory_iterator(); i.increment(error))
    names.insert(i->path().filename().string());
  return names;
}

void empty_folder(const fs::path& folder, const std::set<std::string>& but) {
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(folder, error))) {
    fs::remove(folder, error);
    fs::create_directories(folder, error);
  }
  for (const std::string& name : names_in(folder))
    if (!but.contains(name)) remove_folder(folder / name);
}

}  // namespace morph::mutation
