// morph generate: tests of a class are found, compile, pass and can be written; what goes wrong is told, and the user's
// tree stays as it is.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

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
void beast::grow() { std::vector<std::vector<char>> all; while (true) all.emplace_back(1 << 28, 'a'); }
void beast::start() { if (fork() == 0) { write_file(); _exit(0); } }
}  // namespace wild
)";

void write_parcels(const project& p) {
  p.write("src/parcel.h", parcel_header);
  p.write("src/parcel.cpp", parcel_source);
  p.write("office/office.h", office_header);
  p.write("office/office.cpp", office_source);
  p.write("src/wild.h", wild_header);
  p.write("src/wild.cpp", wild_source);
  p.write("tests/parcel_test.cpp",
          "#include <gtest/gtest.h>\n#include \"parcel.h\"\n"
          "TEST(Parcel, Weighs) { EXPECT_EQ(post::parcel(3).grams(), 3); }\n");
  p.write("tests/CMakeLists.txt",
          "add_executable(parcel_tests parcel_test.cpp)\n"
          "target_link_libraries(parcel_tests post beasts GTest::gtest_main)\n"
          "morph_add_suite(parcels TARGET parcel_tests)\n");
  p.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(parcels CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
enable_testing()
add_library(post STATIC src/parcel.cpp office/office.cpp)
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
      json::parse(R"({"done": true, "why": "", "uncompilable": 0, "failed": 0, "sanitized": true, "unsanitary": 0})"));
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
  EXPECT_EQ(
      found.at("verified"),
      json::parse(R"({"done": true, "why": "", "uncompilable": 0, "failed": 0, "sanitized": true, "unsanitary": 0})"));
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

TEST_F(generated, what_cannot_be_is_told) {
  const auto error = [&](const std::vector<std::string>& arguments, int exit) {
    const finished done = generate(arguments);
    EXPECT_EQ(done.exit, exit) << done.both();
    EXPECT_EQ(done.out, "");
    return done.err;
  };
  EXPECT_NE(error({"--unit", "post::parcle"}, 3)
                .find("there is no class 'post::parcle' with functions in the project's sources"),
            std::string::npos);
  const std::string hidden = error({"--unit", "wild::hidden"}, 3);
  EXPECT_NE(hidden.find("nothing of 'wild::hidden' can be called"), std::string::npos) << hidden;
  EXPECT_NE(error({}, 2).find("--unit"), std::string::npos);
  p.write("src/parcel.cpp", std::string(parcel_source) + "int broken( {\n");
  const std::string broken = error({"--unit", "post::parcel"}, 3);
  EXPECT_NE(broken.find("parcel.cpp"), std::string::npos) << broken;
}

}  // namespace
}  // namespace morph::end_to_end
