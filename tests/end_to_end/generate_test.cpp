// morph generate: tests of a class are found, compile, pass and can be written; what goes wrong is told, and the user's
// tree stays as it is.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* parcel_header = R"(#pragma once
#include <stdexcept>
#include <string>
#include <vector>
namespace post {
enum class zone { near, far, abroad };
class parcel {
 public:
  explicit parcel(int grams);
  void label(const std::string& text);
  void seal() { sealed_ = true; }
  int price(zone to) const;
  std::string remark() const;
  void add(const parcel& inner);
  parcel split(int part);
  int grams() const { return grams_; }

 private:
  int grams_;
  bool sealed_ = false;
  std::string label_;
};
}  // namespace post
)";

constexpr const char* parcel_source = R"(#include "parcel.h"
namespace post {
parcel::parcel(int grams) : grams_(grams) {
  if (grams <= 0) throw std::invalid_argument("no weight");
}
void parcel::label(const std::string& text) {
  if (sealed_ && text == "FRAGILE")
    label_ = "too late";
  else
    label_ = text;
}
int parcel::price(zone to) const {
  int price = grams_ > 31500 ? 100 : 5;
  switch (to) {
    case zone::near: break;
    case zone::far: price += 2; break;
    case zone::abroad: price *= 3; break;
  }
  return price;
}
std::string parcel::remark() const {
  if (label_ == "too late") return sealed_ ? "ask the sender" : "never";
  if (grams_ == 4711) return "sweet";
  return label_;
}
void parcel::add(const parcel& inner) {
  if (!sealed_) grams_ += inner.grams_;
}
parcel parcel::split(int part) {
  const int rest = grams_ % part;
  return parcel(rest > 0 ? rest : grams_ / part);
}
}  // namespace post
)";

/// A caller and what it calls, after the paper on coupled branches.
constexpr const char* courier_header = R"(#pragma once
namespace post {
class van {
 public:
  void refuel(int litres);
  int litres() const { return litres_; }

 private:
  int litres_ = 0;
};
class courier {
 public:
  void rest() { tired_ = false; }
  int drive_home(int miles);

 private:
  void add_energy(int litres);
  van van_;
  bool tired_ = true;
};
}  // namespace post
)";

constexpr const char* courier_source = R"(#include "courier.h"
namespace post {
void van::refuel(int litres) {
  litres_ += litres;
  if (litres_ > 400) litres_ = 400;
}
int courier::drive_home(int miles) {
  if (van_.litres() < miles) add_energy(miles);
  return van_.litres();
}
void courier::add_energy(int litres) {
  if (!tired_) van_.refuel(litres);
}
}  // namespace post
)";

/// What takes objects that no header makes: of an abstract class, of fields, behind smart pointers and functions.
constexpr const char* office_header = R"(#pragma once
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>
namespace post {
class carrier {
 public:
  virtual ~carrier() = default;
  virtual int speed(const std::string& city) const = 0;
  virtual const char* name() const = 0;
  virtual void rest() = 0;
};
struct address {
  std::string city;
  int zip;
};
struct limits {
  limits() : most(3), least(0) {}
  int most;
  int least;
};
class office {
 public:
  void hire(std::unique_ptr<carrier> one);
  void share(std::shared_ptr<carrier> one);
  int deliver(const address& to) const;
  int count(const std::vector<address>& all, const limits& within) const;
  int sort(const std::function<int(int)>& rank) const;
  int stamp(const void* bytes, std::size_t size) const;
  int read(std::FILE* from) const;
  int start(int argc, const char* const* argv) const;

 private:
  std::unique_ptr<carrier> one_;
  std::shared_ptr<carrier> other_;
};
}  // namespace post
)";

constexpr const char* office_source = R"(#include "office.h"
#include <cstring>
namespace post {
void office::hire(std::unique_ptr<carrier> one) { one_ = std::move(one); }
void office::share(std::shared_ptr<carrier> one) { other_ = std::move(one); }
int office::deliver(const address& to) const {
  if (!one_) return other_ ? 7 : 0;
  if (to.zip == 10115 && !to.city.empty()) return 1;
  if (one_->speed(to.city) > 100) return 2;
  return 3;
}
int office::count(const std::vector<address>& all, const limits& within) const {
  if (within.most < within.least) return -1;
  return all.empty() ? 0 : 1;
}
int office::sort(const std::function<int(int)>& rank) const { return rank(1) == 77 ? 1 : 2; }
int office::stamp(const void* bytes, std::size_t size) const {
  return size > 2 && static_cast<const char*>(bytes)[0] == 'Q' ? 1 : 2;
}
int office::read(std::FILE* from) const { return std::fgetc(from) == '#' ? 1 : 2; }
int office::start(int argc, const char* const* argv) const { return argc > 1 && std::strlen(argv[1]) > 2 ? 1 : 2; }
}  // namespace post
)";

/// A mutant of the constant is seen by one observation alone, and not by the first ones; another one depends on today.
constexpr const char* seal_header = R"(#pragma once
#include <ctime>
namespace post {
class seal {
 public:
  void print(int copies) { printed_ += copies > 0 ? copies : 0; ink_ = 40; }
  bool is_used() const { return printed_ != 0; }
  bool is_valid() const { return true; }
  int printed() const { return printed_; }
  int width() const { return 3; }
  int ink() const { return ink_; }
  int year() const { const std::time_t now = std::time(nullptr); return 1900 + std::localtime(&now)->tm_year; }

 private:
  int printed_ = 0;
  int ink_ = 7;
};
}  // namespace post
)";

/// What generated calls had better not do.
constexpr const char* wild_header = R"(#pragma once
namespace wild {
class beast {
 public:
  void write_file();
  void connect();
  void leave(int status);
  int read_input();
  int recurse(int depth);
  void grow();
  void start();
};
class hidden {
  hidden();
 public:
  int value() const { return value_ > 3 ? 1 : 2; }
  int value_;
};
}  // namespace wild
)";

constexpr const char* wild_source = R"(#include "wild.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>
namespace wild {
void beast::write_file() { std::ofstream(WILD_FILE) << "here"; }
void beast::connect() { if (socket(AF_INET, SOCK_STREAM, 0) >= 0) write_file(); }
void beast::leave(int status) { if (status > 2) std::exit(status); }
int beast::read_input() { return std::getchar() == EOF ? 1 : 0; }
int beast::recurse(int depth) { return depth == 12345678 ? 0 : recurse(depth + 1) + 1; }
void beast::grow() { std::vector<char*> all; while (true) all.push_back(new char[1 << 28]); }  // untouched: no time runs out
void beast::start() { if (fork() == 0) { write_file(); _exit(0); } }
}  // namespace wild
)";

/// No search finds a valid code: how near one is cannot be seen.
constexpr const char* stamp_header = R"(#pragma once
#include <string>
namespace post {
class stamp {
 public:
  explicit stamp(const std::string& code) : code_(code) {}
  void cancel() { canceled_ = true; }
  int worth() const;
  template <typename Sum>
  int pays(const Sum& sum) const {
    if (sum > Sum(3)) return 0;
    return worth();
  }

 private:
  std::string code_;
  bool canceled_ = false;
};
}  // namespace post
)";

constexpr const char* stamp_source = R"(#include "stamp.h"
namespace post {
int stamp::worth() const {
  unsigned sum = 0;
  for (const char c : code_) sum = sum * 16777619U ^ static_cast<unsigned char>(c);
  const bool is_valid = sum == 1041769265U;
  if (!is_valid) return 0;
  return canceled_ ? 1 : 2;
}
}  // namespace post
)";

constexpr const char* stamp_test = R"(#include <gtest/gtest.h>
#include "stamp.h"
static post::stamp of(const std::string& code) { return post::stamp(code); }
TEST(Stamp, IsWorthNothingIfItIsNotValid) { EXPECT_EQ(of("-").worth(), 0); }
TEST(Stamp, IsWorthMoreIfItIsNew) {
  post::stamp one = of("AX-93-Q7");
  EXPECT_EQ(one.worth(), 2);
  EXPECT_EQ(one.pays(2L), 2);
}
)";

void write_parcels(const project& p) {
  p.write("src/parcel.h", parcel_header);
  p.write("src/parcel.cpp", "#include \"seal.h\"\n" + std::string(parcel_source));
  p.write("src/seal.h", seal_header);
  p.write("src/stamp.h", stamp_header);
  p.write("src/stamp.cpp", stamp_source);
  p.write("tests/stamp_test.cpp", stamp_test);
  p.write("office/office.h", office_header);
  p.write("office/office.cpp", office_source);
  p.write("src/courier.h", courier_header);
  p.write("src/courier.cpp", courier_source);
  p.write("src/wild.h", wild_header);
  p.write("src/wild.cpp", wild_source);
  p.write("tests/parcel_test.cpp",
          "#include <gtest/gtest.h>\n#include \"parcel.h\"\n"
          "TEST(Parcel, Weighs) { EXPECT_EQ(post::parcel(3).grams(), 3); }\n");
  p.write("tests/CMakeLists.txt",
          "add_executable(parcel_tests parcel_test.cpp stamp_test.cpp)\n"
          "target_link_libraries(parcel_tests post beasts GTest::gtest_main)\n"
          "morph_add_suite(parcels TARGET parcel_tests)\n");
  p.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(parcels CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
enable_testing()
add_library(post STATIC src/parcel.cpp src/courier.cpp src/stamp.cpp office/office.cpp)
target_include_directories(post PUBLIC src office)
add_library(beasts STATIC src/wild.cpp)
target_include_directories(beasts PUBLIC src)
target_compile_definitions(beasts PRIVATE WILD_FILE="${CMAKE_BINARY_DIR}/written")
target_compile_options(beasts PRIVATE -fno-exceptions -fno-rtti)
add_subdirectory(tests)
)");
  p.start_repository();
  p.configure();
  p.build();
}

class generated : public testing::Test {
 protected:
  generated() : p(shared().here()) { shared().restore(); }

  static workspace& shared() {
    static workspace made;
    static const bool is_written = [] {
      write_parcels(made.here());
      made.save();
      return true;
    }();
    static_cast<void>(is_written);
    return made;
  }

  finished generate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "generate");
    return p.morph(arguments);
  }

  json generated_for(const std::string& unit, std::vector<std::string> arguments, int exit) const {
    arguments.insert(arguments.begin(), {"--unit", unit, "--json"});
    const finished done = generate(arguments);
    EXPECT_EQ(done.exit, exit) << done.both();
    return json::parse(done.out);
  }

  project& p;
};

TEST_F(generated, tests_reach_every_branch_and_are_written_where_the_projects_are) {
  const json found = generated_for("parcel", {"--sequences", "60000", "--write"}, 1);
  EXPECT_EQ(found.at("unit"), "post::parcel");
  EXPECT_EQ(found.at("branches").at("reached"), found.at("branches").at("all")) << found.at("goals");
  EXPECT_EQ(
      found.at("verified"),
      json::parse(R"({"done": true, "why": "", "uncompilable": 0, "failed": 0, "sanitized": true, "other_times": true,
                      "unsanitary": 0})"));
  const std::string source = p.read("tests/parcel_generated_test.cpp");
  EXPECT_NE(source.find("\"FRAGILE\""), std::string::npos) << source;
  EXPECT_NE(source.find("4711"), std::string::npos) << source;
  EXPECT_NE(source.find(", std::invalid_argument);"), std::string::npos) << source;
  EXPECT_EQ(p.git({"status", "--porcelain"}), " M tests/CMakeLists.txt\n?? tests/parcel_generated_test.cpp");
  p.configure();
  p.build();
  const finished done = p.ctest({"-L", "morph"});
  EXPECT_EQ(done.exit, 0) << done.both();
  EXPECT_NE(done.out.find("ParcelGenerated."), std::string::npos) << done.out;

  // The division by zero that its sources do not guard against.
  ASSERT_FALSE(found.at("findings").empty());
  EXPECT_EQ(found.at("findings")[0].at("callable"), "post::parcel::split(int)");
  EXPECT_EQ(found.at("findings")[0].at("what"), "it was killed by signal 8 (Floating point exception)");
  EXPECT_EQ(found.at("findings")[0].at("class"), "likely fault");
}

TEST_F(generated, assertions_are_chosen_by_mutants_and_hold_on_other_days) {
  const json found = generated_for("post::seal", {"--sequences", "2000"}, 0);
  const json& mutation = found.at("mutation");
  EXPECT_EQ(mutation.at("done"), true) << mutation;
  EXPECT_EQ(mutation.at("not_judged"), 0) << mutation;
  EXPECT_GT(mutation.at("by_assertions"), 0) << mutation;
  EXPECT_LE(mutation.at("killed"), mutation.at("mutants")) << mutation;
  std::size_t kills = 0;
  for (const json& each : found.at("tests")) kills += each.at("kills").get<std::size_t>();
  EXPECT_GE(kills, mutation.at("killed").get<std::size_t>());
  // Of what can be asked about a seal behind print(), ink() alone tells that the constant is another one.
  const std::string source = found.at("source");
  EXPECT_NE(source.find(".ink(), 40)"), std::string::npos) << source;
  EXPECT_EQ(source.find(".year(), "), std::string::npos) << source;
  EXPECT_EQ(found.at("verified").at("failed"), 0) << found.at("verified");
  EXPECT_EQ(found.at("verified").at("other_times"), true);
}

TEST_F(generated, tests_are_a_patch_and_equal_for_equal_seeds) {
  const std::vector<std::string> asked{"--unit", "src/parcel.cpp", "--sequences", "500", "--seed", "7"};
  const finished once = generate(asked), twice = generate(asked);
  EXPECT_EQ(p.git({"status", "--porcelain"}), "");
  const auto patch = once.out.find("diff --git");
  ASSERT_NE(patch, std::string::npos) << once.both();
  EXPECT_EQ(once.out.substr(patch), twice.out.substr(twice.out.find("diff --git")));
  p.write("build/tests.patch", once.out);
  p.git({"apply", "build/tests.patch"});
  EXPECT_EQ(p.git({"status", "--porcelain"}), " M tests/CMakeLists.txt\n?? tests/parcel_generated_test.cpp");
  p.git({"reset", "-q", "--hard"});
  p.write("tests/parcel_generated_test.cpp", "// mine\n");
  const finished refused = generate(asked);
  EXPECT_EQ(refused.exit, 3) << refused.both();
  EXPECT_NE(refused.err.find("is there, and `morph generate` has not written it"), std::string::npos) << refused.err;
  p.remove("tests/parcel_generated_test.cpp");
}

TEST_F(generated, objects_are_made_that_no_header_makes) {
  const json found = generated_for("post::office", {"--sequences", "30000", "--write"}, 0);
  EXPECT_EQ(found.at("branches").at("reached"), found.at("branches").at("all")) << found.at("goals");
  EXPECT_EQ(found.at("callables").at("now"), found.at("callables").at("all")) << found.at("refused");
  EXPECT_EQ(found.at("verified"),
            json::parse(R"({"done": true, "why": "", "uncompilable": 0, "failed": 0, "sanitized": true, "unsanitary": 0,
                          "other_times": true})"));
  const std::string source = p.read("tests/office_generated_test.cpp");
  for (const char* const each :
       {"struct carrier_stub : post::carrier {", "  void rest() override {}\n", "->speed_answers.values = {",
        "post::address address{\"", "std::unique_ptr<carrier_stub> carrier(new carrier_stub);", "std::move(carrier)",
        "limits.", "[](int) -> int { return 77; }", "std::tmpfile()", "[] = {\"program\", \""})
    EXPECT_NE(source.find(each), std::string::npos) << each << '\n' << source;
  EXPECT_EQ(source.find("name_answers"), std::string::npos) << source;  // nothing asks for it
  p.configure();
  p.build();
  const finished done = p.ctest({"-L", "morph", "-R", "OfficeGenerated"});
  EXPECT_EQ(done.exit, 0) << done.both();
  // Nothing that the tests make is lost.
  const finished alone = run({(p.build_dir() / ".morph/generate/tests/tests-asan").string()}, p.build_dir(),
                             {{"ASAN_OPTIONS", "detect_leaks=1"}});
  EXPECT_EQ(alone.exit, 0) << alone.both();
}

TEST_F(generated, inputs_come_from_existing_tests_and_from_the_last_run) {
  const auto reached = [](const json& found) { return found.at("branches").at("reached").get<int>(); };
  const json alone = generated_for("post::stamp", {"--sequences", "2000", "--without-tests"}, 0);
  EXPECT_LT(reached(alone), alone.at("branches").at("all").get<int>());
  EXPECT_EQ(alone.at("inputs").at("sources"), 0);
  // A branch that no test of the project takes, behind an input that one of them has.
  const json found = generated_for("post::stamp", {"--sequences", "2000"}, 0);
  EXPECT_EQ(reached(found), found.at("branches").at("all").get<int>()) << found.at("goals");
  EXPECT_EQ(found.at("inputs").at("sources"), 2);
  EXPECT_EQ(found.at("inputs").at("tests"), 3);
  EXPECT_EQ(found.at("inputs").at("left_out"), json::object());

  const json again = generated_for("post::stamp", {"--sequences", "600", "--without-tests", "--resume"}, 0);
  // But for the instance of a template, which only the tests have.
  EXPECT_GT(reached(again), reached(alone));
  EXPECT_GT(again.at("resumed"), 0);
  const std::string kept = "build/.morph/generate/post__stamp.sequences";
  EXPECT_NE(p.read(kept).find("post::stamp::stamp(const std::string &) <- \"AX-93-Q7\""), std::string::npos)
      << p.read(kept);
  p.write(kept, "no sequences\n");
  const finished warned = generate({"--unit", "post::stamp", "--sequences", "60", "--resume"});
  EXPECT_EQ(warned.exit, 0) << warned.both();
  EXPECT_NE(warned.err.find("post__stamp.sequences' is not used: line 1: not 'morph generate sequences 1'"),
            std::string::npos)
      << warned.err;
  EXPECT_NE(warned.out.find(" recipes of 3 tests\n"), std::string::npos) << warned.out;
}

TEST_F(generated, calls_change_nothing_outside_of_their_process) {
  const json found = generated_for("wild::beast", {"--sequences", "200"}, 1);
  EXPECT_FALSE(fs::exists(p.build_dir() / "written"));
  EXPECT_EQ(p.git({"status", "--porcelain"}), "");
  EXPECT_GT(found.at("sequences").at("ended"), 0);
  EXPECT_GT(found.at("sequences").at("refused"), 0);
  EXPECT_GT(found.at("sequences").at("crashed"), 0);
  const auto is_found = [&](const std::string& callable, const std::string& what) {
    for (const json& each : found.at("findings"))
      if (each.at("callable") == callable && each.at("what").get<std::string>().starts_with(what)) return true;
    return false;
  };
  EXPECT_TRUE(is_found("wild::beast::recurse(int)", "it was killed by signal 11")) << found.at("findings");
  EXPECT_TRUE(is_found("wild::beast::leave(int)", "it ended the program with exit status")) << found.at("findings");
}

TEST_F(generated, tests_of_a_pair_take_branches_of_both_classes) {
  const finished done = generate({"--pair", "courier:post::van", "--sequences", "20000", "--json", "--write"});
  ASSERT_EQ(done.exit, 0) << done.both();
  const json found = json::parse(done.out);
  EXPECT_EQ(found.at("pair"), json::parse(R"({"caller": "post::courier", "callee": "post::van"})"));
  EXPECT_EQ(found.at("coupled"), json::parse(R"({"covered": 2, "all": 2, "unseen": 0})"));
  for (const json& each : found.at("pairs")) {
    EXPECT_EQ(each.at("caller").at("line"), 12) << each;
    EXPECT_EQ(each.at("callee").at("line"), 5) << each;
    EXPECT_TRUE(each.at("covered").get<bool>()) << each;
  }
  const std::string source = p.read("tests/courier_with_van_generated_test.cpp");
  EXPECT_NE(source.find("TEST(CourierWithVanGenerated, " + found.at("pairs")[0].at("test").get<std::string>()),
            std::string::npos)
      << source;
  EXPECT_NE(source.find("src/courier.cpp:12: !tired_ is true; src/courier.cpp:5: litres_ > 400 is false"),
            std::string::npos)
      << source;
  p.configure();
  p.build();
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(generated, all_pairs_of_the_project_become_one_patch) {
  const finished done = generate({"--pairs", "auto", "--sequences", "20000"});
  EXPECT_EQ(done.exit, 0) << done.both();
  EXPECT_NE(done.out.find("post::courier:post::van: 2 of 2 coupled branches (100.0 %)\n"), std::string::npos)
      << done.out;
  EXPECT_NE(done.out.find("1 pair of classes: 2 of 2 coupled branches (100.0 %)\n"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("+TEST(CourierWithVanGenerated, "), std::string::npos) << done.out;
  EXPECT_EQ(p.git({"status", "--porcelain"}), "");
}

TEST_F(generated, all_pairs_of_the_project_are_listed) {
  // A test without a framework calls, too, and so does a class that no test can name.
  const std::string caller = R"(#include "courier.h"
namespace { struct driver { int go(post::courier& c, int m) { return m > 3 ? c.drive_home(m) : 0; } }; }
)";
  p.write("src/helper.cpp", caller + "int helped(post::courier& c) { return driver().go(c, 5); }\n");
  p.write("tests/test_drive.cpp", R"(#include "courier.h"
struct test_drive { int go(post::courier& c, int m) { return m > 3 ? c.drive_home(m) : 0; } };
int driven(test_drive& d, post::courier& c) { return d.go(c, 5); }
)");
  p.replace("CMakeLists.txt", "src/courier.cpp ", "src/courier.cpp src/helper.cpp tests/test_drive.cpp ");
  p.configure();
  const finished done = generate({"--pairs", "list"});
  EXPECT_EQ(done.exit, 0) << done.both();
  EXPECT_EQ(done.out,
            "  coupled branches  call sites  decisions  pair\n"
            "                 2           3          3  post::courier:post::van\n");
  const json listed = json::parse(generate({"--pairs", "list", "--json"}).out).at("pairs");
  EXPECT_EQ(listed.at(0).at("callee"), "post::van");
  EXPECT_EQ(listed.at(0).at("coupled_branches"), 2);
}

TEST_F(generated, searches_for_a_pair_are_compared) {
  const std::vector<std::string> all{"pairs", "both", "branches", "mosa", "whole-suite", "novelty", "random"};
  const std::vector<std::string> arguments{
      "--pair",      "courier:van", "--compare",       fmt::format("{}", fmt::join(all, ",")),
      "--sequences", "1500",        "--without-tests", "--json"};
  const finished done = generate(arguments);
  ASSERT_EQ(done.exit, 0) << done.both();
  const json found = json::parse(done.out);
  EXPECT_EQ(found.at("pairs").size(), 2U);
  EXPECT_EQ(found.at("interrupted"), false);
  std::vector<std::string> names;
  for (const json& each : found.at("searches")) {
    names.push_back(each.at("search"));
    EXPECT_LE(each.at("sequences"), 1500) << each;
    EXPECT_GT(each.at("cpu_seconds"), 0) << each;
    EXPECT_EQ(each.at("generations").back().at("sequences"), each.at("sequences")) << each;
    const std::set<int> covered = each.at("covered"), executed = each.at("executed");
    EXPECT_TRUE(std::ranges::includes(executed, covered)) << each;
    if (names.back() == "pairs") {
      EXPECT_EQ(covered.size(), 2U) << each;
    }
    // It ends when it has all branches: no pair is a reason to go on, or to keep a test.
    if (names.back() == "branches") {
      EXPECT_LT(each.at("tests"), 10) << each;
    }
    // It goes on until it has all pairs or its limit, and all its sequences are tests.
    if (names.back() == "random") {
      EXPECT_EQ(each.at("tests"), each.at("sequences")) << each;
      EXPECT_TRUE(covered.size() == 2 || each.at("sequences") == 1500) << each;
    }
  }
  EXPECT_EQ(names, all);
  json again = json::parse(generate(arguments).out);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const char* each : {"covered", "selected", "executed", "generations", "tests"})
      EXPECT_EQ(again["searches"][i][each], found["searches"][i][each]) << all[i] << ' ' << each;
  EXPECT_EQ(p.git({"status", "--porcelain"}), "");
}

TEST_F(generated, pairs_that_cannot_be_are_told) {
  const auto error = [&](const std::vector<std::string>& arguments, int exit) {
    const finished done = generate(arguments);
    EXPECT_EQ(done.exit, exit) << done.both();
    return done.err;
  };
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(error({"--pair", "courier"}, 2), "'courier' is not two classes; write CALLER:CALLEE");
  says(error({"--pair", "courier:van", "--unit", "van"}, 2), "--unit");
  says(error({"--unit", "courier", "--compare", "pairs"}, 2), "--pair");
  says(error({"--pair", "courier:van", "--compare", "annealing"}, 2), "annealing");
  says(error({"--pair", "courier:van", "--compare", "pairs", "--write"}, 2), "--write");
  says(error({"--pair", "courier:vam"}, 2),
       "there is no class 'vam' with functions in the project's sources; did you mean 'post::van'?");
  says(error({"--pair", "van:courier"}, 2),
       "'post::van' never calls 'post::courier'; it calls no class of the project");
  says(error({"--pair", "courier:parcel"}, 2), "'post::courier' never calls 'post::parcel'; it calls post::van");
}

TEST_F(generated, what_cannot_be_is_told) {
  const auto error = [&](const std::vector<std::string>& arguments, int exit) {
    const finished done = generate(arguments);
    EXPECT_EQ(done.exit, exit) << done.both();
    EXPECT_EQ(done.out, "");
    return done.err;
  };
  EXPECT_NE(error({"--unit", "post::parcle"}, 2)
                .find("there is no class 'post::parcle' with functions in the project's sources"),
            std::string::npos);
  const std::string hidden = error({"--unit", "wild::hidden"}, 3);
  EXPECT_NE(hidden.find("nothing of 'wild::hidden' can be called"), std::string::npos) << hidden;
  EXPECT_NE(error({}, 2).find("--unit"), std::string::npos);
  p.write("src/parcel.cpp", std::string(parcel_source) + "int broken( {\n");
  const std::string broken = error({"--unit", "post::parcel"}, 3);
  EXPECT_NE(broken.find("parcel.cpp"), std::string::npos) << broken;
  const std::string of_pair = error({"--pair", "parcel:nothing"}, 3);
  EXPECT_NE(of_pair.find("parcel.cpp"), std::string::npos) << of_pair;
}

}  // namespace
}  // namespace morph::end_to_end
