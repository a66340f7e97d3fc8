// Object code as it is read: archives, bad input, and keeping what was read.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "coverage/object/read/archive.hpp"
#include "tests/unit/object/object_programs.hpp"

namespace morph::object_tests {
namespace {

using object::link_unit;

// Archives.

TEST(ObjectArchive, OnlyWantedMembersAreLinked) {
  laboratory lab;
  lab.object(unoptimized, "main.cpp", "int used();\nint main() { return used(); }\n");
  lab.object(unoptimized, "used.cpp", "int deep();\nint used() { return deep(); }\n");
  lab.object(unoptimized, "unused.cpp", "int unused() { return 3; }\n");
  lab.object(unoptimized, "deep.cpp", "int deep() { return 2; }\n");
  const std::string at = lab.folder().path().string();
  lab.run("cd " + at +
          " && ar crs lib.a deep.cpp.o unused.cpp.o used.cpp.o && ar crsT thin.a deep.cpp.o unused.cpp.o used.cpp.o "
          "2>/dev/null");
  for (const char* const name : {"lib.a", "thin.a"}) {
    object::print_cache cache;
    std::vector<object::link_item> items{*cache.read(lab.folder() / "main.cpp.o", "main.cpp.o")};
    const auto archive = cache.read(lab.folder() / name, name);
    ASSERT_TRUE(archive) << archive.error();
    items.push_back(*archive);
    const link_unit unit(items);
    std::set<std::string> taken;
    for (const object::unit_object& o : unit.objects()) taken.insert(o.path);
    EXPECT_EQ(taken, (std::set<std::string>{"main.cpp.o", fmt::format("{}(deep.cpp.o)", name),
                                            fmt::format("{}(used.cpp.o)", name)}));
    items[1].whole = true;
    EXPECT_TRUE(link_unit(items).find("_Z6unusedv"));
  }
}

// Bad input.

struct bad {
  std::string what, commands, message;
};

TEST(ObjectInput, WhatCannotBeComparedSaysWhy) {
  const std::vector<bad> all{
      {"bitcode", "clang++-19 -flto -c a.cpp -o bad.o", "bitcode"},
      {"slim", "g++ -flto -c a.cpp -o bad.o", "-flto"},
      {"fat", "g++ -flto -ffat-lto-objects -c a.cpp -o bad.o", "-flto"},
      {"stripped",
       "g++ -c a.cpp -o bad.o && strip bad.o && objcopy --remove-section .symtab bad.o 2>/dev/null; strip -s bad.o",
       ""},
      {"machine", "clang++-19 --target=riscv64-linux-gnu -c a.cpp -o bad.o", "machine"},
      {"width", "clang++-19 --target=i386-linux-gnu -c a.cpp -o bad.o", "64-bit"},
      {"order", "clang++-19 --target=aarch64_be-linux-gnu -c a.cpp -o bad.o", "little-endian"},
      {"linked", "g++ -shared -fPIC a.cpp -o bad.o", "linked"},
      {"format", "clang++-19 --target=x86_64-apple-macos -c a.cpp -o bad.o", "no ELF"},
      {"text", "cp a.cpp bad.o", "no ELF"},
      {"empty", ": > bad.o", "no ELF"},
      {"folder", "mkdir bad.o", "no file"},
      {"none", "true", "No such file"},
  };
  for (const bad& one : all) {
    laboratory lab;
    lab.folder().write("a.cpp", "int f(int x) { return x + 1; }\n");
    lab.run("cd '" + lab.folder().path().string() + "' && { " + one.commands + "; }");
    object::print_cache cache;
    const auto read = cache.read(lab.folder() / "bad.o", "bad.o");
    if (read && one.message.empty()) continue;  // stripped, but for what relocations need
    ASSERT_FALSE(read) << one.what;
    EXPECT_NE(read.error().find("'bad.o'"), std::string::npos) << one.what << ": " << read.error();
    EXPECT_NE(read.error().find(one.message), std::string::npos) << one.what << ": " << read.error();
  }
}

// libLLVMSupport.a of Debian has one, of a source for other machines.
TEST(ObjectInput, OfASourceWithoutCodeItNeedsNoSymbols) {
  laboratory lab;
  lab.folder().write("a.cpp", "#ifdef ANOTHER_MACHINE\nint f() { return 1; }\n#endif\n");
  lab.run("cd '" + lab.folder().path().string() + "' && g++ -c a.cpp && strip -s a.o");
  object::print_cache cache;
  const auto read = cache.read(lab.folder() / "a.o", "a.o");
  EXPECT_TRUE(read) << read.error();
}

TEST(ObjectInput, CutAtAnyLengthItIsAnError) {
  laboratory lab;
  const std::string whole =
      lab.object(unoptimized, "a.cpp", "#include <string>\nstd::string f(int x) { return std::to_string(x); }\n");
  lab.run("cd '" + lab.folder().path().string() + "' && ar crs lib.a a.cpp.o");
  object::object_reader reader;
  ASSERT_TRUE(reader.read(whole, "a.o"));
  for (std::size_t size = 0; size < whole.size(); size += size < 256 ? 1 : 97)
    EXPECT_FALSE(reader.read(std::string_view(whole).substr(0, size), "a.o")) << size;
  const std::string archive = lab.bytes("lib.a");
  EXPECT_TRUE(object::is_archive(archive));
  int accepted = 0;
  for (std::size_t size = 0; size + 2 < archive.size(); size += size < 512 ? 1 : 997) {
    lab.folder().write("cut.a", archive.substr(0, size));
    object::print_cache cache;
    // An archive that ends behind a whole member is whole.
    const auto read = cache.read(lab.folder() / "cut.a", "cut.a");
    if (read && !read->members.empty()) ++accepted;
  }
  EXPECT_EQ(accepted, 0);
}

TEST(ObjectInput, ManyAndLongNames) {
  laboratory lab;
  std::string many;
  for (int i = 0; i < 100000; ++i)
    many += fmt::format(".globl f{0}\n.type f{0},@function\nf{0}: call f{1}\n ret\n.size f{0},.-f{0}\n", i,
                        (i * 7) % 100000);
  const std::string name(65536, 'n');
  many += fmt::format(".globl {0}\n.type {0},@function\n{0}: call f1\n ret\n.size {0},.-{0}\n", name);
  lab.folder().write("many.s", many);
  lab.run("cd '" + lab.folder().path().string() + "' && as many.s -o many.o");
  object::print_cache cache(lab.folder() / "kept");
  const auto read = cache.read(lab.folder() / "many.o", "many.o");
  ASSERT_TRUE(read) << read.error();
  const link_unit unit({*read});
  EXPECT_TRUE(unit.find("f99999"));
  EXPECT_TRUE(unit.find(name));
  EXPECT_TRUE(compare(unit, unit).changes.empty());
}

// Keeping.

TEST(ObjectPrint, WrittenAndReadItIsTheSame) {
  laboratory lab;
  object::object_reader reader;
  const auto print = reader.read(lab.object(unoptimized, "a.cpp", google_tests), "a.o");
  ASSERT_TRUE(print) << print.error();
  ASSERT_FALSE(print->segments.empty());
  const std::string bytes = object::write_print(*print);
  const auto again = object::read_print(bytes);
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->atoms, print->atoms);
  EXPECT_EQ(again->references, print->references);
  EXPECT_EQ(again->constants, print->constants);
  EXPECT_EQ(again->definitions, print->definitions);
  EXPECT_EQ(again->wanted, print->wanted);
  EXPECT_EQ(again->segments, print->segments);
  EXPECT_EQ(again->compiled, print->compiled);
  EXPECT_EQ(write_print(*again), bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50)
    EXPECT_FALSE(object::read_print(std::string_view(bytes).substr(0, size)));
  std::string other = bytes;
  other[bytes.size() / 2] = static_cast<char>(other[bytes.size() / 2] ^ 1);
  EXPECT_FALSE(object::read_print(other));
  other = bytes;
  other[8] = 99;
  EXPECT_EQ(object::read_print(other).error(), "its schema is 99, not 9");
}

void make_old(const std::filesystem::path& file) {
  // The time of the last change of the inode cannot be set, so that only waiting would do: the answer is by content.
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
}

TEST(ObjectCache, OnlyWhatChangedIsReadAgain) {
  laboratory lab;
  lab.object(unoptimized, "a.cpp", "int a() { return 1; }\n");
  lab.object(unoptimized, "b.cpp", "int b() { return 1; }\n");
  const auto kept = lab.folder() / "kept";
  const auto read_all = [&] {
    object::print_cache cache(kept);
    EXPECT_TRUE(cache.read(lab.folder() / "a.cpp.o", "a.o"));
    EXPECT_TRUE(cache.read(lab.folder() / "b.cpp.o", "b.o"));
    return cache.figures();
  };
  EXPECT_EQ(read_all().read, 2U);
  EXPECT_EQ(read_all().read, 0U);
  lab.object(unoptimized, "b.cpp", "int b() { return 2; }\n");
  EXPECT_EQ(read_all().read, 1U);
  EXPECT_EQ(read_all().read, 0U);
  make_old(lab.folder() / "a.cpp.o");
  EXPECT_EQ(read_all().read, 0U);
  for (const auto& file : std::filesystem::directory_iterator(kept))
    std::ofstream(file.path(), std::ios::binary) << "half";
  EXPECT_EQ(read_all().read, 2U) << "what is damaged is made again";
  std::filesystem::remove_all(kept);
  std::ofstream(kept) << "no folder";
  EXPECT_EQ(read_all().read, 2U) << "a folder that cannot be written costs only time";
}

TEST(ObjectCache, ManyMayShareAFolder) {
  laboratory lab;
  lab.object(unoptimized, "a.cpp", google_tests);
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] {
      for (int k = 0; k < 3; ++k) {
        object::print_cache cache(lab.folder() / "kept");
        const auto read = cache.read(lab.folder() / "a.cpp.o", "a.o");
        EXPECT_TRUE(read) << read.error();
      }
    });
  for (std::thread& one : all) one.join();
}

TEST(ObjectCache, AnObjectThatChangesWhileItIsReadIsNotBelieved) {
  laboratory lab;
  const std::string small = lab.object(unoptimized, "a.cpp", "int a() { return 1; }\n");
  const std::string large = lab.object(unoptimized, "a.cpp", google_tests);
  const auto file = lab.folder() / "a.cpp.o";
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; !done; ++i) std::ofstream(file, std::ios::binary) << (i % 2 == 0 ? small : large);
  });
  for (int i = 0; i < 200; ++i) {
    object::print_cache cache(lab.folder() / "kept");
    const auto read = cache.read(file, "a.o");
    EXPECT_TRUE(read || read.error().find("'a.o'") != std::string::npos) << read.error();
  }
  done = true;
  writer.join();
  object::print_cache cache(lab.folder() / "kept"), fresh;
  const auto kept = cache.read(file, "a.o"), read = fresh.read(file, "a.o");
  ASSERT_EQ(kept.has_value(), read.has_value());
  EXPECT_TRUE(!read || object::write_print(*kept->members[0].print) == object::write_print(*read->members[0].print));
}

TEST(ObjectNames, SuffixesOfClones) {
  EXPECT_EQ(object::without_clone_suffix("_Z1fv.constprop.0"), "_Z1fv");
  EXPECT_EQ(object::without_clone_suffix("_Z1fv.isra.0.cold"), "_Z1fv");
  EXPECT_EQ(object::without_clone_suffix("_Z1fv.part.3.lto_priv.12"), "_Z1fv");
  EXPECT_EQ(object::without_clone_suffix("counter.3"), "counter.3");
  EXPECT_EQ(object::without_clone_suffix("_Z1fv"), "_Z1fv");
  EXPECT_EQ(object::without_clone_suffix(".cold"), ".cold");
}

}  // namespace
}  // namespace morph::object_tests
