// morph mutate on projects and machines that make it hard.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

/// Of all that lies in a folder, but for build trees: kind, rights, time and bytes.
std::map<std::string, std::string> facts_of(const fs::path& folder) {
  std::map<std::string, std::string> facts;
  for (auto i = fs::recursive_directory_iterator(folder); i != fs::recursive_directory_iterator(); ++i) {
    if (fs::exists(i->path() / "CMakeCache.txt")) {
      i.disable_recursion_pending();
      continue;
    }
    struct stat of {};
    ::lstat(i->path().c_str(), &of);
    std::string& fact = facts[i->path().string()];
    fact = std::to_string(of.st_mode) + ' ';
    if (!i->path().lexically_relative(folder).string().starts_with(".git"))
      fact += std::to_string(of.st_mtim.tv_sec) + '.' + std::to_string(of.st_mtim.tv_nsec) + ' ';
    if (S_ISREG(of.st_mode)) fact += read_bytes(i->path());
  }
  return facts;
}

// ---- sources

/// Carriage returns, tabs, UTF-8, a byte order mark; headers that are precompiled, and one that a program of the
/// project makes; an operator that one compiler knows and another does not.
void write_hard(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Hard CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_executable(generator tools/generator.cpp)
add_custom_command(OUTPUT limits.hpp COMMAND generator ${CMAKE_CURRENT_SOURCE_DIR}/limits.txt limits.hpp
  DEPENDS generator limits.txt)
add_custom_command(OUTPUT made.cpp COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/made.txt made.cpp
  DEPENDS made.txt)
add_library(hard src/price.cpp src/count.cpp ${CMAKE_CURRENT_BINARY_DIR}/limits.hpp
  ${CMAKE_CURRENT_BINARY_DIR}/made.cpp)
target_include_directories(hard PUBLIC include ${CMAKE_CURRENT_BINARY_DIR})
target_precompile_headers(hard PRIVATE include/hard.hpp <vector>)
add_executable(hard_tests tests/price_test.cpp tests/count_test.cpp)
target_link_libraries(hard_tests hard GTest::gtest_main)
morph_add_suite(hard TARGET hard_tests)
)");
  to.write("limits.txt", "100\n");
  to.write("made.txt", "int made(int n) {\n  return n > 3 ? n + 3 : n;\n}\n");
  to.write("tools/generator.cpp", R"(#include <fstream>
int main(int, char** arguments) {
  std::ifstream in(arguments[1]);
  int limit = 0;
  in >> limit;
  std::ofstream(arguments[2]) << "constexpr int many = " << limit << ";\n";
}
)");
  to.write("include/hard.hpp", R"(#pragma once
#include <string>
struct money { long of; };
int price(int pieces, int each);
int count_down(int n); int made(int n);
std::string name(int n);
money change(money paid, money cost);
inline int twice(int n) { return n + n; }
)");
  to.write("src/price.cpp",
           "\xEF\xBB\xBF#include \"limits.hpp\"\r\n"
           "int price(int pieces, int each) {\r\n"
           "\tint all = pieces * each;\t/* тысяча € */ if (all > many) all = all - 1;\r\n"
           "\treturn all;\r\n"
           "}\r\n"
           "std::string name(int n) {\r\n"
           "\treturn n > 1 ? \"Stücke\" : \"штука\";\r\n"
           "}\r\n"
           "inline money operator-(money a, money b) { return {a.of - b.of}; }\r\n"
           "#if defined(__clang__) && __clang_major__ > 16\r\n"
           "money operator+(money a, money b);\r\n"
           "#endif\r\n"
           "money change(money paid, money cost) {\r\n"
           "\t/* тысяча рублей, и сколько из них сдачи, € */ return\tpaid - cost;\r\n"
           "}\r\n");
  to.write("src/count.cpp",
           "int count_down(int n) {\r\n"
           "\tint steps = 0;\r\n"
           "\twhile (n > 0) { --n; \\\r\n"
           "\t\t++steps; }\r\n"
           "\treturn twice(steps) / 2;\r\n"
           "}");
  to.write("tests/price_test.cpp", R"(#include <gtest/gtest.h>
#include "hard.hpp"
TEST(Price, OfFew) { EXPECT_EQ(price(3, 4), 12); }
TEST(Price, OfMany) { EXPECT_EQ(price(30, 4), 119); }
TEST(Change, OfTen) { EXPECT_EQ(change({10}, {4}).of, 6); }
)");
  to.write("tests/count_test.cpp", R"(#include <gtest/gtest.h>
#include "hard.hpp"
TEST(Count, Down) { EXPECT_EQ(count_down(4), 4); }
TEST(Made, OfFour) { EXPECT_EQ(made(4), 7); }
TEST(Name, OfOne) { EXPECT_EQ(name(1), "штука"); }
)");
  // Paths as a cache with a base folder makes them, messages as a German compiler writes them.
  to.write("relative.sh", R"(#!/bin/sh
for word; do
  shift
  case "$word" in /*.cpp) word=$(realpath --relative-to=. "$word") ;; esac
  set -- "$@" "$word"
done
case "${LC_ALL:-$LC_MESSAGES}" in C*) exec "$@" ;; esac
messages=$("$@" 2>&1)
status=$?
echo "$messages" | sed 's/error:/Fehler:/' >&2
exit $status
)");
  fs::permissions(to.root() / "relative.sh", fs::perms::owner_all);
}

class mutants_of_hard_sources : public testing::Test {
 protected:
  mutants_of_hard_sources() {
    write_hard(p);
    p.start_repository();
  }
  workspace made;
  project& p = made.here();
};

TEST_F(mutants_of_hard_sources, are_found_where_they_are) {
  p.set_variable("LC_ALL", "de_DE.UTF-8");
  p.configure({"-DCMAKE_CXX_COMPILER_LAUNCHER=" + (p.root() / "relative.sh").string()});
  const auto before = facts_of(p.root());
  const found_mutants found = mutate(p);
  EXPECT_EQ(found.json.at("rejected_units"), nlohmann::json::array());
  EXPECT_EQ(found.json.at("units"), 3);
  EXPECT_EQ(found.json.at("rejected_by_compiler"), 1);  // paid + cost
  const auto states = found.states();
  EXPECT_EQ(states.at("include/hard.hpp:8 aor n - n"), "killed");       // precompiled
  EXPECT_EQ(states.at("src/price.cpp:3 ror all >= many"), "survived");  // generated
  EXPECT_EQ(states.at("src/price.cpp:3 aor all + 1"), "killed");        // behind tabs and UTF-8
  EXPECT_EQ(states.at("src/price.cpp:7 crp \"\""), "killed");
  EXPECT_EQ(states.at("src/count.cpp:4 inc --steps"), "killed");  // behind a line that goes on
  EXPECT_EQ(states.count("src/price.cpp:14 aor paid + cost"), 0U);
  EXPECT_EQ(states.at("src/price.cpp:9 aor a.of + b.of"), "killed");
  for (const auto& m : found.json.at("mutants")) {
    EXPECT_EQ(m.at("file").get<std::string>().find("made.cpp"), std::string::npos) << m;  // the build makes it
    if (m.at("replacement") == "all >= many") {
      EXPECT_EQ(m.at("original"), "all > many");
    }
  }
  EXPECT_EQ(facts_of(p.root()), before);

  // A source that the build makes has changed: its tests run again, with the mutants that they reach.
  p.write("made.txt", "int made(int n) {\n  return n > 3 ? 3 + n : n;\n}\n");
  const found_mutants remade = mutate(p);
  EXPECT_GT(remade.ran(), 3);
  EXPECT_EQ(remade.states(), states);

  // What generates it has changed.
  p.write("limits.txt", "12\n");
  const auto changed = facts_of(p.root());
  const found_mutants again = mutate(p);
  EXPECT_EQ(again.json.at("units_read"), 1);
  EXPECT_EQ(again.states().at("src/price.cpp:3 ror all >= many"), "killed");
  EXPECT_EQ(facts_of(p.root()), changed);

  // Of several sources in one, and by another build program, they are the same.
  p.write("limits.txt", "100\n");
  p.remove("build");
  p.configure({"-G", "Unix Makefiles", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_COLOR_DIAGNOSTICS=ON"});
  const auto in_unity = facts_of(p.root());
  const found_mutants united = mutate(p);
  EXPECT_EQ(united.states(), states);
  EXPECT_EQ(united.json.at("units"), 2);
  EXPECT_EQ(united.json.at("not_compilable").get<int>() + united.json.at("rejected_by_compiler").get<int>(), 1);
  EXPECT_EQ(facts_of(p.root()), in_unity);
}

/// A part of a repository, with sources beside it, and beside the repository.
TEST(mutants_of_a_part, see_what_lies_beside_it) {
  workspace made;
  const project& p = made.here();
  const project part(p.root() / "parts" / "shop", made.folder() / "home");
  write_shop(part);
  p.write("shared/tax.cpp", "int tax(int price) {\n  return price / 5;\n}\n");
  p.write("../rounding/round.cpp", "int rounded(int price) {\n  return price / 10 * 10;\n}\n");
  part.replace("CMakeLists.txt", "src/count.cpp", "src/count.cpp ../../shared/tax.cpp ../../../rounding/round.cpp");
  part.replace("src/price.cpp", "return price / 2;", "return rounded(price) - tax(price);");
  part.replace("include/shop.hpp", "#pragma once", "#pragma once\nint tax(int price);\nint rounded(int price);");
  part.replace("tests/shop_test.cpp", "{ discount(8); }", "{ EXPECT_EQ(discount(99), 71); }");
  p.start_repository();
  part.configure();
  const auto all = [&] { return std::pair(facts_of(p.root()), facts_of(made.folder() / "rounding")); };
  const auto before = all();
  const found_mutants found = mutate(part);
  const auto states = found.states();
  EXPECT_EQ(states.at("src/price.cpp:11 aor rounded(price) + tax(price)"), "killed");
  for (const auto& m : found.json.at("mutants"))
    EXPECT_EQ(m.at("file").get<std::string>().find("tax.cpp"), std::string::npos) << m;
  EXPECT_EQ(mutate(part).ran(), 0);
  EXPECT_EQ(all(), before);

  p.write("shared/tax.cpp", "int tax(int price) {\n  return price / 5 + 0;\n}\n");
  const found_mutants again = mutate(part);
  EXPECT_GT(again.ran(), 10);
  EXPECT_EQ(again.states(), states);
}

// ---- tests

class mutants_of_a_shop : public testing::Test {
 protected:
  mutants_of_a_shop() {
    write_shop(p);
    p.start_repository();
    p.configure();
  }
  workspace made;
  project& p = made.here();
};

TEST_F(mutants_of_a_shop, meet_no_temporary_file_of_another) {
  p.replace("tests/shop_test.cpp", "TEST(Larger", R"(const fs::path temporary = fs::temp_directory_path();
const bool is_made = fs::create_directory(temporary / "made before the first test");
TEST(Note, IsNew) {
  EXPECT_TRUE(is_made && fs::exists(temporary / "made before the first test"));
  ASSERT_FALSE(fs::exists(temporary / "notes"));
  fs::create_directory(temporary / "notes");
  std::ofstream(temporary / "notes" / "first") << "discount";
  fs::permissions(temporary / "notes", fs::perms::owner_read);
  discount(8);
}
TEST(Larger)");
  p.replace("tests/shop_test.cpp", "#include <gtest/gtest.h>",
            "#include <gtest/gtest.h>\n#include <filesystem>\n#include <fstream>\nnamespace fs = std::filesystem;");
  const fs::path users = made.folder() / "temporary";
  fs::create_directory(users);
  p.set_variable("TMPDIR", users.string());
  p.write("build/.morph/mutation/tmp/007/notes/first", "of a run that was killed");
  const found_mutants found = mutate(p, {"-j", "2"});
  EXPECT_EQ(found.json.at("left_out_tests"), nlohmann::json::array());
  EXPECT_EQ(found.json.at("tests"), 6);
  EXPECT_EQ(found.states().at("src/price.cpp:11 aor price * 2"), "survived");
  EXPECT_EQ(found.states(), mutate(p, {"-j", "1", "--fresh"}).states());
  EXPECT_TRUE(fs::is_empty(users));
  EXPECT_FALSE(fs::exists(p.build_dir() / ".morph/mutation/tmp"));
}

TEST_F(mutants_of_a_shop, stand_in_50000_lines) {
  std::string table = "static const int table[] = {\n", functions;
  for (int i = 0; i < 49'000; ++i) table += std::to_string(i % 7) + ",\n";
  for (int i = 0; i < 250; ++i)
    functions +=
        "int of_" + std::to_string(i) + "(int n) {\n  int all = n;\n  if (n > 4) all += table[n];\n  return all;\n}\n";
  p.write("src/large.cpp", table + "};\n" + functions);
  p.replace("CMakeLists.txt", "src/count.cpp", "src/count.cpp src/large.cpp");
  p.replace("tests/shop_test.cpp", "TEST(Larger",
            "int of_249(int n);\nTEST(Of, Five) { EXPECT_EQ(of_249(5), 10); }\nTEST(Larger");
  p.configure();
  const found_mutants found = mutate(p, {"--operators", "ror,xt"});
  const auto states = found.states();
  EXPECT_EQ(states.at("src/large.cpp:50250 ror n >= 4"), "survived");
  EXPECT_EQ(states.at("src/large.cpp:50250 ror false"), "killed");
  EXPECT_EQ(states.at("src/large.cpp:49003 xt return 0;"), "not covered");
}

TEST_F(mutants_of_a_shop, need_a_test) {
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(add_executable(no_tests tests/no_test.cpp)
target_link_libraries(no_tests shop GTest::gtest_main)
morph_add_suite(nothing TARGET no_tests)
)");
  p.write("tests/no_test.cpp", "#include <gtest/gtest.h>\n");
  p.configure();
  EXPECT_EQ(mutate(p).json.at("not_run"), nlohmann::json::array({"suite 'nothing': 'no_tests' has no tests"}));
  p.write("tests/shop_test.cpp", "#include <gtest/gtest.h>\n");
  const finished run = p.morph({"mutate"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find("no suite can judge mutants: suite 'shop': 'shop_tests' has no tests; suite 'nothing': "
                         "'no_tests' has no tests"),
            std::string::npos)
      << run.both();
}

// ---- machines

TEST_F(mutants_of_a_shop, need_no_right_to_write_the_sources) {
  const bool superuser = ::geteuid() == 0;
  const auto as_a_guest = [&](std::vector<std::string> command) {
    if (superuser) command.insert(command.begin(), {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
    return p.run(command);
  };
  if (superuser) {
    p.set_variable("CCACHE_DISABLE", "1");  // its folder is ours
    p.must_run({"chmod", "a+x", made.folder().string()});
    p.must_run({"chown", "-R", "65534:65534", p.build_dir().string()});
    p.must_run({"git", "config", "--global", "--add", "safe.directory", p.root().string()});
    p.must_run({"chmod", "-R", "a+rwX", (made.folder() / "home").string()});
  }
  const auto allow = [&](const std::string& what) {
    p.must_run({"sh", "-c", "find . -path ./build -prune -o -exec chmod " + what + " {} +"});
  };
  allow("a-w,a+rX");
  const auto before = facts_of(p.root());
  const finished first = as_a_guest(p.morph_command({"mutate", "--json"}));
  ASSERT_EQ(first.exit, 0) << first.both();
  EXPECT_EQ(facts_of(p.root()), before);
  allow("u+w");
  p.replace("tests/shop_test.cpp", "count_down(4), 4", "count_down(5), 5");
  p.replace("src/price.cpp", "pieces * each", "each * pieces");
  allow("a-w");
  const auto changed = facts_of(p.root());
  const finished second = as_a_guest(p.morph_command({"mutate", "--json"}));
  allow("u+w");
  ASSERT_EQ(second.exit, 0) << second.both();
  const found_mutants found{nlohmann::json::parse(second.out)};
  EXPECT_EQ(found.states().at("src/price.cpp:4 aor each + pieces"), "killed");
  allow("a-w");
  EXPECT_EQ(facts_of(p.root()), changed);
  allow("u+w");
}

TEST_F(mutants_of_a_shop, wait_until_there_is_room) {
  const std::string twin = (p.build_dir() / "morph-twin").string();
  fs::create_directories(twin);
  const auto with_room = [&](const std::string& script) {
    names command{"unshare", "--mount"};
    if (::geteuid() != 0) command.emplace_back("--map-root-user");
    command.insert(command.end(), {"sh", "-c", "mount -t tmpfs -o size=16k small '" + twin + "' && " + script});
    return p.run(command);
  };
  if (with_room("true").exit != 0) GTEST_SKIP() << "not run: no file system can be mounted here";
  p.set_variable("CCACHE_DISABLE", "1");
  p.replace("tests/shop_test.cpp", "TEST(Larger", "char large[3 << 20] = {1};\nTEST(Larger");
  const auto before = facts_of(p.root());
  const std::string morph = MORPH_PREFIX "/bin/morph mutate --json --build '" + p.build_dir().string() + "'";
  const std::string more = "; mount -o remount,size=";
  const std::string room = " '" + twin + "'; ";
  const finished end = with_room(morph + " >mirror.out 2>&1; echo $?" + more + "2m" + room + morph +
                                 " >build.out 2>&1; echo $?" + more + "300m" + room + morph + " >all.out; echo $?");
  EXPECT_EQ(end.out, "3\n3\n0\n") << end.err;
  EXPECT_NE(p.read("mirror.out").find("No space left on device"), std::string::npos) << p.read("mirror.out");
  EXPECT_NE(p.read("mirror.out").find("make room in the build tree, then run it again"), std::string::npos);
  EXPECT_NE(
      p.read("build.out").find("make room in the temporary folder (TMPDIR) and in the build tree, then run it again"),
      std::string::npos)
      << p.read("build.out");
  const found_mutants found{nlohmann::json::parse(p.read("all.out"))};
  for (const char* output : {"mirror.out", "build.out", "all.out"}) p.remove(output);
  EXPECT_EQ(found.json.at("not_compilable"), 0);
  EXPECT_EQ(found.states(), mutate(p, {"--fresh"}).states());
  EXPECT_EQ(facts_of(p.root()), before);
}

/// Processes that wait before a gate, and tell of themselves by a bell.
class mutants_of_a_killed_run : public mutants_of_a_shop {
 protected:
  mutants_of_a_killed_run() {
    for (const fs::path& path : {gate_, bell_})
      if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("mkfifo failed");
    rung_ = ::open(bell_.c_str(), O_RDWR | O_CLOEXEC);
    p.write("wait.sh", "#!/bin/sh\nif [ -p '" + gate_.string() + "' ]; then echo $$ >'" + bell_.string() +
                           "'; read word <'" + gate_.string() + "'; fi\nexec \"$@\"\n");
    fs::permissions(p.root() / "wait.sh", fs::perms::owner_all);
    p.commit();
  }
  ~mutants_of_a_killed_run() override { ::close(rung_); }

  /// Kills it when a process waits, and returns when this one has ended, too.
  void kill_while_one_waits() {
    running mutating(p.morph_command({"mutate", "-j", "1"}), p.root(), p.environment());
    std::array<char, 16> word{};
    ASSERT_GT(::read(rung_, word.data(), word.size() - 1), 0);
    const int waiting = static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(word.data()), 0));
    ASSERT_GE(waiting, 0) << word.data();
    mutating.send(SIGKILL);
    EXPECT_EQ(mutating.wait().exit, -SIGKILL);
    pollfd ended{waiting, POLLIN, 0};
    EXPECT_EQ(::poll(&ended, 1, 20'000), 1) << "a process of the killed run lives on";
    ::close(waiting);
    fs::remove(gate_);
  }

  fs::path gate_ = made.folder() / "gate";
  fs::path bell_ = made.folder() / "bell";
  int rung_ = -1;
};

TEST_F(mutants_of_a_killed_run, are_built_by_the_next_one) {
  p.remove("build");
  p.configure({"-G", "Unix Makefiles", "-DCMAKE_CXX_COMPILER_LAUNCHER=" + (p.root() / "wait.sh").string()});
  const auto before = facts_of(p.root());
  kill_while_one_waits();
  const auto states = mutate(p).states();
  EXPECT_EQ(states.at("src/price.cpp:4 aor pieces + each"), "killed");
  EXPECT_EQ(states, mutate(p, {"--fresh"}).states());
  EXPECT_EQ(facts_of(p.root()), before);
}

TEST_F(mutants_of_a_killed_run, are_judged_by_the_next_one) {
  fs::rename(gate_, made.folder() / "closed");
  p.replace("tests/shop_test.cpp", "TEST(Discount, IsCalled) {",
            R"(TEST(Discount, IsCalled) {
  const char* mutant = std::getenv("MORPH_MUTANT");
  const char* number = mutant != nullptr ? std::strchr(mutant, ':') : nullptr;
  if (number != nullptr && std::strcmp(number, ":0") != 0 && access(")" +
                gate_.string() + R"(", F_OK) == 0) {
    std::ofstream(")" +
                bell_.string() + R"(") << getpid() << std::flush;
    std::ifstream(")" +
                gate_.string() + R"(").get();
  }
)");
  p.replace(
      "tests/shop_test.cpp", "#include <gtest/gtest.h>",
      "#include <gtest/gtest.h>\n#include <unistd.h>\n#include <cstdlib>\n#include <cstring>\n#include <fstream>");
  mutate(p);
  fs::rename(made.folder() / "closed", gate_);
  p.replace("src/price.cpp", "price / 2", "price / 3");
  const auto before = facts_of(p.root());
  kill_while_one_waits();
  const found_mutants found = mutate(p);
  for (const auto& m : found.json.at("mutants"))
    if (m.at("ran") > 0) {
      EXPECT_TRUE(m.at("file") == "src/price.cpp" && (m.at("line") == 10 || m.at("line") == 11)) << m;  // discount()
    }
  EXPECT_GT(found.ran(), 3);
  EXPECT_EQ(found.states(), mutate(p, {"--fresh"}).states());
  EXPECT_EQ(facts_of(p.root()), before);
}

}  // namespace
}  // namespace morph::end_to_end
