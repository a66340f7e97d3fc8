// Two renamings put a state in place of another; what a process that was killed in between has left is put right.
#include "plugin/build/twin_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "plugin/build/twin.hpp"
#include "plugin/system/files.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

struct states {
  fs::path in_place;  // whichever it is
  fs::path judging;   // while the observed one is in place
  fs::path observed;  // while the judging one is
  fs::path begun;     // a copy that is not whole
};

states states_of(const build_tree& tree) {
  const fs::path folder = twin_folder(tree);
  const auto beside = [&](const char* what) { return fs::path(folder.string() + what); };
  return {folder, beside("-judging"), beside("-observed"), beside("-begun")};
}

/// Compilers, archivers and linkers make such a file anew; of all others a program may write into what is there.
bool is_made_anew(const fs::directory_entry& file) {
  constexpr std::array<std::string_view, 5> kinds{".o", ".a", ".so", ".gch", ".pch"};
  const std::string kind = file.path().extension().string();
  return std::ranges::find(kinds, kind) != kinds.end() ||
         (kind.empty() && (file.status().permissions() & fs::perms::owner_exec) != fs::perms::none);
}

/// The configuration, and the times of what is built.
std::string description_of(const build_tree& tree, const fs::path& state) {
  std::set<std::string> built;
  for (const auto& each : fs::recursive_directory_iterator(state))
    if (each.is_regular_file() && !each.is_symlink() && is_made_anew(each))
      built.insert(fmt::format("{} {}\n", system::modification_time(each.path()), each.path().string()));
  std::string all = system::read_file(tree.own_dir() / "mutation-cache.cmake").value_or("");
  for (const std::string& each : built) all += each;
  return all;
}

/// Of the judging state, when the observed one was made of it.
fs::path origin_file(const fs::path& observed) {
  return observed / "made-of";
}

void copy_state(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (const auto& each : fs::recursive_directory_iterator(from)) {
    const fs::path there = to / each.path().lexically_relative(from);
    if (each.is_symlink()) {
      fs::copy_symlink(each.path(), there);
    } else if (each.is_directory()) {
      fs::create_directory(there);
    } else if (each.is_regular_file()) {
      std::error_code no_links;
      if (is_made_anew(each)) fs::create_hard_link(each.path(), there, no_links);
      if (is_made_anew(each) && !no_links) continue;
      fs::copy_file(each.path(), there);
      fs::last_write_time(there, each.last_write_time());
    }
  }
}

tl::unexpected<std::string> refused(const states& of, const fs::filesystem_error& error) {
  return tl::unexpected(fmt::format("the states of the mutation twin '{}': {}", of.in_place.string(), error.what()));
}

}  // namespace

result<void> put_judging_twin(const build_tree& tree) {
  const states of = states_of(tree);
  try {
    fs::remove_all(of.begun);
    if (!fs::exists(of.judging)) return {};
    if (fs::exists(of.in_place)) {
      fs::remove_all(of.observed);
      fs::rename(of.in_place, of.observed);
    }
    fs::rename(of.judging, of.in_place);
  } catch (const fs::filesystem_error& error) {
    return refused(of, error);
  }
  return {};
}

result<void> put_observed_twin(const build_tree& tree) {
  if (auto put = put_judging_twin(tree); !put) return put;
  const states of = states_of(tree);
  try {
    const std::string origin = description_of(tree, of.in_place);
    if (system::read_file(origin_file(of.observed)).value_or("") != origin) {
      fs::remove_all(of.observed);
      copy_state(of.in_place, of.begun);
      if (auto written = system::write_file_atomically(origin_file(of.begun), origin); !written) return written;
      fs::rename(of.begun, of.observed);
    }
    fs::rename(of.in_place, of.judging);
    fs::rename(of.observed, of.in_place);
  } catch (const fs::filesystem_error& error) {
    return refused(of, error);
  }
  return {};
}

}  // namespace morph::build
