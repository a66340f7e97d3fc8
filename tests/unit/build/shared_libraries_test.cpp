// Shared libraries of programs: what the loader would find, and which build it is.
#include "plugin/build/shared_libraries.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "plugin/system/files.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;
using test_support::temporary_folder;

void compile(const temporary_folder& folder, const std::string& arguments) {
  const std::string command = "cd '" + folder.path().string() + "' && '" MORPH_CXX_COMPILER "' " + arguments;
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

/// Paths below the folder, without it.
std::vector<std::string> found_in(const temporary_folder& folder, const std::string& variable = "") {
  std::vector<std::string> found;
  for (const needed_library& library : needed_libraries(folder / "program", variable))
    if (const std::string path = library.path.string(); path.starts_with(folder.path().string()))
      found.push_back(path.substr(folder.path().string().size() + 1) + (library.by_variable ? " by variable" : ""));
  return found;
}

TEST(SharedLibraries, AreFoundByRunpathByVariableAndThroughOthers) {
  const temporary_folder folder;
  folder.write("inner.cpp", "int inner() { return 1; }\n");
  folder.write("outer.cpp", "int inner();\nint outer() { return inner(); }\n");
  folder.write("main.cpp", "int outer();\nint main() { return outer(); }\n");
  fs::create_directories(folder / "lib");
  fs::create_directories(folder / "other");
  compile(folder, "-shared -fPIC -o lib/libinner.so.1 -Wl,-soname,libinner.so.1 inner.cpp");
  compile(folder, "-shared -fPIC -o lib/libouter.so.1 -Wl,-soname,libouter.so.1 outer.cpp lib/libinner.so.1");
  compile(folder,
          "-o program main.cpp lib/libouter.so.1 -Wl,-rpath-link,lib -Wl,--enable-new-dtags '-Wl,-rpath,$ORIGIN/lib'");
  // The RUNPATH of a program does not hold for what its libraries need.
  EXPECT_EQ(found_in(folder), std::vector<std::string>{"lib/libouter.so.1"});
  EXPECT_EQ(found_in(folder, folder.path().string() + "/lib"),
            (std::vector<std::string>{"lib/libinner.so.1 by variable", "lib/libouter.so.1 by variable"}));
  compile(folder,
          "-o program main.cpp lib/libouter.so.1 -Wl,-rpath-link,lib -Wl,--disable-new-dtags '-Wl,-rpath,$ORIGIN/lib'");
  EXPECT_EQ(found_in(folder), (std::vector<std::string>{"lib/libinner.so.1", "lib/libouter.so.1"}));
  fs::rename(folder / "lib/libinner.so.1", folder / "other/libinner.so.1");
  EXPECT_EQ(found_in(folder, "/nowhere:" + folder.path().string() + "/other"),
            (std::vector<std::string>{"lib/libouter.so.1", "other/libinner.so.1 by variable"}));
}

TEST(SharedLibraries, OfTheSystemAreFoundInTheLoadersCache) {
  const temporary_folder folder;
  folder.write("main.cpp", "#include <iostream>\nint main() { std::cout << 1; }\n");
  compile(folder, "-o program main.cpp");
  std::string names;
  for (const needed_library& library : needed_libraries(folder / "program", ""))
    names += library.path.filename().string() + " ";
  EXPECT_NE(names.find("libstdc++.so.6 "), std::string::npos) << names;
  EXPECT_NE(names.find("libc.so.6 "), std::string::npos) << names;
  EXPECT_NE(names.find("libm.so.6 "), std::string::npos) << names;  // which libstdc++ needs
}

TEST(SharedLibraries, AreToldApartByBuildIdOrContent) {
  const temporary_folder folder;
  folder.write("a.cpp", "int a() { return 1; }\n");
  for (const char* id : {"sha1", "none"}) {
    const std::string options = std::string("-shared -fPIC -Wl,--build-id=") + id;
    compile(folder, options + " -o liba.so a.cpp");
    const auto first = library_identities().of(folder / "liba.so");
    ASSERT_TRUE(first);
    EXPECT_EQ(first->starts_with("build id "), std::string(id) == "sha1") << *first;
    EXPECT_EQ(build_id_of(folder / "liba.so").has_value(), std::string(id) == "sha1");
    compile(folder, options + " -o liba.so a.cpp");
    EXPECT_EQ(library_identities().of(folder / "liba.so"), first);
    compile(folder, options + " -DOTHER=2 -O2 -o liba.so a.cpp");
    EXPECT_NE(library_identities().of(folder / "liba.so"), first);
  }
  EXPECT_EQ(library_identities().of(folder / "missing.so"), std::nullopt);
}

TEST(SharedLibraries, AreReadAgainOnlyWhenSizeOrTimeDiffer) {
  const temporary_folder folder;
  folder.write("liba.so", "not an ELF file");
  const auto time = fs::last_write_time(folder / "liba.so");
  const auto first = library_identities(folder / "cache.json").of(folder / "liba.so");
  ASSERT_TRUE(first);
  folder.write("liba.so", "NOT an ELF file");
  fs::last_write_time(folder / "liba.so", time);
  EXPECT_EQ(library_identities(folder / "cache.json").of(folder / "liba.so"), first);
  fs::last_write_time(folder / "liba.so", time + std::chrono::seconds(1));
  EXPECT_NE(library_identities(folder / "cache.json").of(folder / "liba.so"), first);
  folder.write("cache.json", "[\"damaged\"");
  EXPECT_NE(library_identities(folder / "cache.json").of(folder / "liba.so"), std::nullopt);
}

TEST(SharedLibraries, OfWhatIsNoProgramAreNone) {
  const temporary_folder folder;
  folder.write("main.cpp", "int main() {}\n");
  compile(folder, "-o program main.cpp");
  std::string bytes = *system::read_file(folder / "program");
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    folder.write("cut", bytes.substr(0, size));
    needed_libraries(folder / "cut", "");
    library_identities().of(folder / "cut");
  }
  for (std::size_t at = 0; at < 1024; at += 3) {
    std::string broken = bytes;
    broken[at] = static_cast<char>(~broken[at]);
    folder.write("broken", broken);
    needed_libraries(folder / "broken", "");
  }
  EXPECT_TRUE(needed_libraries(folder / "main.cpp", "").empty());
  EXPECT_TRUE(needed_libraries(folder / "missing", "").empty());
}

TEST(LoaderCache, IsReadBehindAnOlderOneAndNeverPastItsEnd) {
  std::string cache = "ld.so-1.7.0" + std::string(5, '\0');
  std::string table = "glibc-ld.so.cache1.1";
  const auto number = [&](std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) table += static_cast<char>(value >> (8 * i));
  };
  number(2, 4);
  for (int i = 0; i < 6; ++i) number(0, 4);
  const std::size_t strings = table.size() + 2 * 24;
  for (const std::size_t at : {strings, strings + 20}) {
    number(0x303, 4);
    number(at, 4);
    number(at + 10, 4);
    number(0, 12);
  }
  table += std::string("liba.so.1\0/l/a.so.1\0liba.so.2\0/l/a.so.2\0", 40);
  EXPECT_EQ(paths_in_loader_cache(cache + table, "liba.so.2"), std::vector<std::string>{"/l/a.so.2"});
  EXPECT_EQ(paths_in_loader_cache(table, "liba.so.1"), std::vector<std::string>{"/l/a.so.1"});
  EXPECT_EQ(paths_in_loader_cache(cache + table, "liba.so"), std::vector<std::string>());
  for (std::size_t size = 0; size <= table.size(); ++size)
    paths_in_loader_cache(cache + table.substr(0, size), "liba.so.1");
}

}  // namespace
}  // namespace morph::build
