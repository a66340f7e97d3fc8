// morph spec new: the specs that it writes compile without a warning, run, and hold; what it cannot write, and why.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* cmake_lists = R"(cmake_minimum_required(VERSION 3.25)
project(Things CXX)
add_compile_options(-Wall -Wextra -Werror)
add_subdirectory(src)
add_executable(tool tool.cpp)
)";

constexpr const char* header = R"(#pragma once
#include <array>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace things {

enum class color { red, green, blue };
struct point { double x = 0, y = 0; };
struct segment { point from, to; color drawn; };
struct two { std::string left, right; };

int compare(const std::string& a, const std::string& b);
double length(const segment& s);
double length(const point& p, const point& q);
void sort(std::vector<int>& values);
std::string shout(std::string text);
color next(color c);
bool both(bool a, bool b = true);
bool opposite(bool a);
std::optional<int> first(const std::optional<std::vector<int>>& values, short deflt);
std::variant<int, std::string> turn(std::variant<int, std::string> v, std::pair<int, int> range);
std::map<std::string, int> count(const std::set<std::string>& words, const std::map<std::string, int>& before);
std::size_t letters(std::string_view text, const char* wanted);
int sum(std::span<const int> values);
unsigned long checksum(const unsigned char* data, std::size_t size);
void print(std::ostream& to, const std::array<int, 3>& values);
std::unique_ptr<point> middle(std::tuple<float, unsigned char> a, std::filesystem::path file);
bool divide(int a, int b, int& result);
const char* name(color c) noexcept;
bool to_int(const char* text, int* value);
void halve(int* number, std::string* error);
enum manner { to_the_very_first_side, to_the_very_second_side, to_the_very_third_side, to_the_very_fourth_side };
manner opposite_of(manner of);
class view {
 public:
  view(const char* data, int len);
  int number_of(char c) const;

 private:
  const char* data_;
  int len_;
};
template <typename T>
T largest(T a, T b) { return a < b ? b : a; }

class counter {
 public:
  explicit counter(int start);
  int after(const std::vector<int>& steps) const;
  int add(int step);
  static int twice(int x);

 private:
  int hidden() const;
  int now_;
};

// What nothing can be made of.
class handle {
 public:
  handle(const handle&) = delete;

 private:
  handle() = default;
};
int of_handle(const handle& h);
int of_pointer(const double* values);
bool of_bytes(unsigned char* dest, unsigned long* dest_len);
bool of_many(double* values);
bool of_one_or_many(const double* from, int count, double* mean);
int of_declared(const struct unknown& u);
void nothing(int x);
int constant();
point* pointer_to(int x);
int only_in_tool(int x);
int grade(int points, const std::string& name);

}  // namespace things
)";

constexpr const char* source = R"(#include "things.hpp"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <ostream>
namespace things {
int compare(const std::string& a, const std::string& b) { return a < b ? -1 : b < a ? 1 : 0; }
double length(const segment& s) { return std::hypot(s.to.x - s.from.x, s.to.y - s.from.y); }
double length(const point& p, const point& q) { return std::hypot(p.x - q.x, p.y - q.y); }
void sort(std::vector<int>& values) { std::sort(values.begin(), values.end()); }
std::string shout(std::string text) { return text + "!"; }
color next(color c) { return c == color::red ? color::green : c == color::green ? color::blue : color::red; }
bool both(bool a, bool b) { return a && b; }
bool opposite(bool a) { return !a; }
std::optional<int> first(const std::optional<std::vector<int>>& values, short deflt) {
  if (!values) return std::nullopt;
  return values->empty() ? deflt : values->front();
}
std::variant<int, std::string> turn(std::variant<int, std::string> v, std::pair<int, int> range) {
  if (v.index() == 0) return std::to_string(range.first);
  return range.second;
}
std::map<std::string, int> count(const std::set<std::string>& words, const std::map<std::string, int>& before) {
  auto all = before;
  for (const auto& each : words) ++all[each];
  return all;
}
std::size_t letters(std::string_view text, const char* wanted) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [&](char c) { return std::string_view(wanted).find(c) != std::string_view::npos; }));
}
int sum(std::span<const int> values) { return std::accumulate(values.begin(), values.end(), 0); }
unsigned long checksum(const unsigned char* data, std::size_t size) { return std::accumulate(data, data + size, 0UL); }
void print(std::ostream& to, const std::array<int, 3>& values) { to << values[0] << values[1] << values[2]; }
std::unique_ptr<point> middle(std::tuple<float, unsigned char> a, std::filesystem::path file) {
  if (file.empty()) return nullptr;
  return std::make_unique<point>(point{std::get<0>(a), 1.0 * std::get<1>(a)});
}
bool divide(int a, int b, int& result) {
  if (b == 0) return false;
  result = a / b;
  return true;
}
const char* name(color c) noexcept { return c == color::red ? "red" : nullptr; }
counter::counter(int start) : now_(start) {}
int counter::after(const std::vector<int>& steps) const { return std::accumulate(steps.begin(), steps.end(), now_); }
int counter::add(int step) { return now_ += step; }
int counter::twice(int x) { return 2 * x; }
int counter::hidden() const { return now_; }
int of_handle(const handle&) { return 1; }
bool to_int(const char* text, int* value) {
  *value = static_cast<int>(std::string_view(text).size());
  return *value > 0;
}
void halve(int* number, std::string* error) {
  if (*number % 2 != 0) *error = "odd";
  *number /= 2;
}
manner opposite_of(manner of) { return static_cast<manner>(3 - of); }
view::view(const char* data, int len) : data_(data), len_(len) {}
int view::number_of(char c) const { return static_cast<int>(std::count(data_, data_ + len_, c)); }
bool of_bytes(unsigned char*, unsigned long*) { return true; }
bool of_many(double*) { return true; }
bool of_one_or_many(const double*, int, double*) { return true; }
int of_pointer(const double* values) { return values == nullptr ? 0 : 1; }
void nothing(int) {}
int constant() { return 3; }
point* pointer_to(int) { return nullptr; }
int grade(int points, const std::string& name) { return points >= 50 && name != "nobody" ? 1 : 0; }
}  // namespace things
)";

void write_things(const project& to) {
  to.write("CMakeLists.txt", cmake_lists);
  to.write("src/CMakeLists.txt",
           "add_library(things things.cpp)\ntarget_compile_features(things PUBLIC cxx_std_20)\n"
           "target_include_directories(things PUBLIC .)\n"
           "add_library(other other.cpp)\n");
  to.write("src/things.hpp", header);
  to.write("src/things.cpp", source);
  // Names the functions, but defines none.
  to.write("src/other.cpp", "#include \"things.hpp\"\nint other() { return things::counter::twice(1); }\n");
  to.write(
      "tool.cpp",
      "#include \"src/things.hpp\"\nnamespace things { int only_in_tool(int x) { return x; } }\nint main() { return "
      "things::only_in_tool(0); }\n");
}

/// A project that is configured by CMake alone: nothing of Morph is in it yet.
class spec_new : public testing::Test {
 protected:
  spec_new() : p_(folder_.path() / "things", folder_.path() / "home") {
    write_things(p_);
    p_.configure();
  }

  finished make(const std::string& name, const std::string& function, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"spec", "new", name, "--header", "src/things.hpp", "--function", function};
    words.insert(words.end(), more.begin(), more.end());
    return p_.morph(words);
  }

  void expect_refused(const std::string& function, const std::string& why, std::vector<std::string> more = {},
                      int exit = 2) const {
    const finished run = make("refused", function, more);
    EXPECT_EQ(run.exit, exit) << run.both();
    EXPECT_NE(run.err.find(why), std::string::npos) << run.both();
    EXPECT_FALSE(fs::exists(p_.root() / "refused.spec.cpp"));
    EXPECT_EQ(p_.read("CMakeLists.txt"), cmake_lists);
  }

  scratch_folder folder_;
  project p_;
};

struct wanted_spec {
  std::string name, function;
  std::vector<std::string> more;
  std::string input;  // members, as --json tells them
  std::size_t least_datamorphisms;
};

const std::vector<wanted_spec> wanted{
    {"compares", "compare", {}, "std::string a, std::string b", 3},
    {"compares_two", "things::compare", {"--input", "things::two"}, "std::string left, std::string right", 3},
    {"segments", "length(const things::segment&)", {}, "things::segment", 4},
    {"distances", "length(const point&, const point&)", {}, "things::point p, things::point q", 3},
    {"sorts", "sort", {}, "std::vector<int>", 4},
    {"shouts", "shout", {}, "std::string", 3},
    {"nexts", "next", {}, "things::color", 1},
    {"boths", "both", {}, "bool a", 1},
    {"opposites", "opposite", {}, "bool a", 1},
    {"firsts", "first", {}, "std::optional<std::vector<int>> values, short deflt", 3},
    {"turns", "turn", {}, "std::variant<int, std::string> v, std::pair<int, int> range", 2},
    {"counts", "count", {}, "std::set<std::string> words, std::map<std::string, int> before", 4},
    {"letters_of", "letters", {}, "std::string text, std::string wanted", 3},
    {"sums", "sum", {}, "std::vector<int>", 4},
    {"checksums", "checksum", {}, "std::string", 3},
    {"prints", "print", {}, "std::array<int, 3>", 2},
    {"middles", "middle", {}, "std::tuple<float, unsigned char> a, std::filesystem::path file", 1},
    {"divides", "divide", {}, "int a, int b", 3},
    {"names", "name", {}, "things::color", 1},
    {"to_ints", "to_int", {}, "std::string", 3},
    {"halves", "halve", {}, "int number, std::string error", 3},
    {"opposites_of", "opposite_of", {}, "things::manner", 1},
    {"views", "view::number_of", {}, "std::string view_data, char c", 3},
    {"largests", "things::largest<int>", {}, "int a, int b", 3},
    {"afters", "counter::after", {}, "int counter_start, std::vector<int> steps", 4},
    {"adds", "counter::add", {}, "int counter_start, int step", 3},
    {"twices", "counter::twice", {"--input", "long"}, "long", 2},
};

constexpr std::size_t parts = 4;

/// What most types are in is enough for other compilers.
const std::set<std::string> with_clang{"turns", "counts", "middles", "segments", "views", "firsts"};

class written_specs : public spec_new, public testing::WithParamInterface<std::size_t> {
 protected:
  /// The target of the spec that is written.
  std::string written(const wanted_spec& each) {
    SCOPED_TRACE(each.function);
    std::vector<std::string> more = each.more;
    more.insert(more.end(), {"--json"});
    const finished run = make(each.name, each.function, more);
    if (run.exit != 0) throw std::runtime_error(run.both());
    const json made = json::parse(run.out);
    std::string members;
    for (const json& m : made.at("input"))
      members += (members.empty() ? "" : ", ") + m.at("type").get<std::string>() +
                 (m.at("name") == "" ? "" : " " + m.at("name").get<std::string>());
    EXPECT_EQ(members, each.input);
    EXPECT_GE(made.at("datamorphisms"), each.least_datamorphisms);
    EXPECT_EQ(made.at("link"), names{"things"});
    EXPECT_EQ(made.at("include"), "things.hpp");
    std::istringstream lines(made.at("text").get<std::string>());
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(line.size() <= 120 || line.starts_with("//")) << line;
    return made.at("target");
  }

  void build_and_run(const fs::path& build, const std::vector<std::string>& targets) {
    ASSERT_FALSE(targets.empty());
    std::vector<std::string> command{"cmake", "--build", build.string(), "--target"};
    command.insert(command.end(), targets.begin(), targets.end());
    const finished built = p_.run(command);
    ASSERT_EQ(built.exit, 0) << built.both();
    for (const std::string& target : targets) {
      const finished run = p_.run({(build / target).string()});
      EXPECT_EQ(run.exit, 0) << target << ":\n" << run.both();
      EXPECT_NE(run.out.find("the same input gives the same output"), std::string::npos) << run.out;
      EXPECT_NE(run.out.find("TODO: "), std::string::npos) << run.out;
    }
  }
};

TEST_P(written_specs, compile_without_a_warning_run_and_hold) {
  std::vector<std::string> targets;
  for (std::size_t i = GetParam(); i < wanted.size(); i += parts) targets.push_back(written(wanted[i]));
  build_and_run(p_.build_dir(), targets);
}

INSTANTIATE_TEST_SUITE_P(part, written_specs, testing::Range<std::size_t>(0, parts));

class written_specs_elsewhere : public written_specs {};

TEST_P(written_specs_elsewhere, hold_with_other_compilers) {
  std::vector<std::string> targets;
  for (const wanted_spec& each : wanted)
    if (with_clang.contains(each.name)) targets.push_back(written(each));
  ASSERT_EQ(targets.size(), with_clang.size());
  for (const char* clang : {"clang++-14", "clang++-19"}) {
    if (p_.run({"sh", "-c", std::string("command -v ") + clang}).exit != 0) continue;
    SCOPED_TRACE(clang);
    const fs::path build = p_.root() / clang;
    p_.must_run({"cmake", "-S", ".", "-B", build.string(), "-G", "Ninja", std::string("-DCMAKE_CXX_COMPILER=") + clang,
                 "-DCMAKE_PREFIX_PATH=" MORPH_PREFIX});
    build_and_run(build, targets);
  }
}

INSTANTIATE_TEST_SUITE_P(all, written_specs_elsewhere, testing::Values(0));

TEST_F(spec_new, seeds_lie_at_the_borders_of_what_the_function_compares_with) {
  const finished run = make("grades", "grade", {"--dry-run", "--json"});
  ASSERT_EQ(run.exit, 0) << run.both();
  const std::string text = json::parse(run.out).at("text");
  const auto borders = text.find("s.seeds(\"borders\"");
  ASSERT_NE(borders, std::string::npos) << text;
  for (const char* const input : {"{50, \"abc\"}", "{49, \"abc\"}", "{51, \"abc\"}", "{1, \"nobody\"}"})
    EXPECT_NE(text.find(input, borders), std::string::npos) << input << " in\n" << text;
}

TEST_F(spec_new, seeds_are_what_the_tests_of_the_project_pass) {
  p_.write("tests.cpp",
           "#include \"things.hpp\"\n"
           "void grades() {\n  for (int points : {77, 12}) things::grade(points, \"some\\none\");\n"
           "  const std::string name = \"me\";\n  things::grade(-4, name);\n  things::grade(77, \"some\\none\");\n}\n"
           "void adds(int unknown) { things::grade(unknown, \"a\"); }\n"
           "int main() {\n  things::counter c(5);\n  c.after({1, 2});\n  c.add(3);\n  c.after({9});\n"
           "  things::length(things::segment{{1, 2}, {3.5, 4}, things::color::blue});\n}\n");
  p_.write("CMakeLists.txt",
           std::string(cmake_lists) + "add_executable(tests tests.cpp)\ntarget_link_libraries(tests things)\n");
  const auto seeds = [&](const std::string& function) {
    const finished run = make("seeded", function, {"--dry-run", "--json"});
    EXPECT_EQ(run.exit, 0) << run.both();
    const std::string text = json::parse(run.out).at("text");
    const auto at = text.find("s.seeds(\"from the tests\", ");
    return at == std::string::npos ? text : text.substr(at, text.find(");\n", at) - at);
  };
  EXPECT_EQ(seeds("grade"),
            "s.seeds(\"from the tests\", std::vector<seeded_input>{\n      seeded_input{12, \"some\\none\"},\n"
            "      seeded_input{77, \"some\\none\"},\n      seeded_input{-4, \"me\"}}");
  // The object as its constructor made it, not as another call left it.
  EXPECT_EQ(seeds("counter::after"),
            "s.seeds(\"from the tests\", std::vector<seeded_input>{seeded_input{5, std::vector<int>{1, 2}}}");
  EXPECT_EQ(seeds("length(const things::segment&)"),
            "s.seeds(\"from the tests\", std::vector<seeded_input>{\n      things::segment{things::point{1.0, 2.0}, "
            "things::point{3.5, 4.0}, things::color::blue}}");
}

TEST_F(spec_new, a_function_that_cannot_be_found_is_named_with_what_there_is) {
  expect_refused("compar", "has no function 'compar'; did you mean 'things::compare'?");
  expect_refused("qqqqqqqq", "has no function 'qqqqqqqq'; there are: ");
  expect_refused("length",
                 "there are 2 functions 'length'; say which: --function 'things::length(const things::segment &)'");
  expect_refused("length(int)", "there is no 'length(int)'; there are:\n  things::length(const things::segment &)\n");
  expect_refused(
      "largest",
      "is a template, of which there are many functions; say which instance: --function 'things::largest<int>'");
  expect_refused("things::largest<void>", "is no one function of");
  expect_refused("counter::hidden", "'things::counter::hidden() const' is private");
}

TEST_F(spec_new, what_can_be_no_input_or_output_is_told_with_what_to_write) {
  expect_refused("of_handle", "'things::handle' is no aggregate");
  expect_refused("of_handle", "std::tuple</* its parts */> morph_save(const handle& value)");
  expect_refused("of_pointer", "'values' is a pointer, which does not say to how many values");
  expect_refused("of_bytes", "'dest' is a pointer, which does not say to how many values");
  expect_refused("of_many", "'values' is a pointer, which does not say to how many values");
  expect_refused("of_one_or_many", "'mean' is a pointer, which does not say to how many values");
  expect_refused("of_declared", "is declared only, not defined; take a header that defines it");
  expect_refused("nothing", "there is no output that could be looked at");
  expect_refused("constant", "takes nothing that could be varied");
  expect_refused("pointer_to", "gives a pointer, which is no output by itself");
  expect_refused("compare",
                 "'int' is not what 'things::compare(const std::string &, const std::string &)' takes, which is "
                 "std::string a, std::string b",
                 {"--input", "int"});
  expect_refused("compare", "--input 'thing' is no type that", {"--input", "thing"});
  expect_refused("opposite", "the input of a spec cannot be bool", {"--input", "bool"});
}

TEST_F(spec_new, a_header_that_does_not_parse_is_told_with_its_place) {
  p_.write("src/things.hpp", "#pragma once\nint compare(strang a);\n");
  expect_refused("compare", "src/things.hpp' does not parse:\n  " + (p_.root() / "src/things.hpp").string() +
                                ":2: unknown type name 'strang'");
  p_.write("src/things.hpp", "#pragma once\nint compare(TEXT a);\n");
  EXPECT_EQ(make("compares", "compare", {"--dry-run", "--", "-DTEXT=int"}).exit, 0);
  const finished missing = p_.morph({"spec", "new", "refused", "--header", "no.hpp", "--function", "f"});
  EXPECT_EQ(missing.exit, 2);
  EXPECT_NE(missing.err.find("the header 'no.hpp' is not there: it is no file here, and none in the "),
            std::string::npos)
      << missing.err;
  const finished folder = p_.morph({"spec", "new", "refused", "--header", "src", "--function", "f"});
  EXPECT_NE(folder.err.find("--header 'src' is a folder"), std::string::npos) << folder.err;
}

TEST_F(spec_new, names_files_and_targets_that_are_taken_stay_as_they_are) {
  const finished bad = make("2 words", "compare");
  EXPECT_EQ(bad.exit, 2);
  EXPECT_NE(
      bad.err.find(
          "'2 words' is no name for a spec, which is an identifier of C++ and no keyword; 'spec_2_words' would be one"),
      std::string::npos)
      << bad.err;
  EXPECT_EQ(make("class", "compare").exit, 2);
  expect_refused("compare", "there is a target 'tool' already, at ", {"--target", "tool"});
  expect_refused("compare", "there is a target 'things' already, at ", {"--target", "things"});

  EXPECT_EQ(make("compares", "compare").exit, 0);
  const std::string lists = p_.read("CMakeLists.txt");
  EXPECT_EQ(lists, std::string(cmake_lists) +
                       "\nenable_testing()\nfind_package(Morph REQUIRED)\nmorph_add_spec(compares_spec SOURCES "
                       "compares.spec.cpp LINK things)\n");
  p_.write("compares.spec.cpp", "// mine\n");
  const finished again = make("compares", "compare");
  EXPECT_EQ(again.exit, 2);
  EXPECT_NE(again.err.find("compares.spec.cpp' is there already, and stays as it is; --force overwrites it"),
            std::string::npos)
      << again.err;
  EXPECT_EQ(p_.read("compares.spec.cpp"), "// mine\n");
  EXPECT_EQ(make("compares", "compare", {"--force"}).exit, 0);
  EXPECT_NE(p_.read("compares.spec.cpp").find("MORPH_SPEC(compares, compares_input, compares_output, s)"),
            std::string::npos);
  EXPECT_EQ(p_.read("CMakeLists.txt"), lists);
}

TEST_F(spec_new, the_library_of_a_header_that_another_one_includes_is_found) {
  p_.write("src/all/everything.hpp", "#pragma once\n#include \"../things.hpp\"\n");
  p_.write("tool.cpp", "#include \"src/all/everything.hpp\"\nint main() { return things::compare(\"a\", \"a\"); }\n");
  const finished run = p_.morph({"spec", "new", "compares", "--header", "src/all/everything.hpp", "--function",
                                 "compare", "--dry-run", "--json"});
  ASSERT_EQ(run.exit, 0) << run.both();
  EXPECT_EQ(json::parse(run.out).at("link"), names{"things"});
  EXPECT_EQ(json::parse(run.out).at("include"), "all/everything.hpp");
}

TEST_F(spec_new, what_has_to_be_linked_is_found_or_asked_for) {
  expect_refused("only_in_tool", "only the program tool compiles 'only_in_tool', and programs cannot be linked", {}, 3);
  expect_refused("compare", "--link tool: that is a program, which cannot be linked", {"--link", "tool"}, 3);
  const finished none = make("compares", "compare", {"--link", "none", "--dry-run", "--json"});
  ASSERT_EQ(none.exit, 0) << none.both();
  EXPECT_EQ(json::parse(none.out).at("link"), json::array());
  EXPECT_EQ(json::parse(none.out).at("include"), "src/things.hpp");
  EXPECT_FALSE(json::parse(none.out).at("written"));
  EXPECT_FALSE(fs::exists(p_.root() / "compares.spec.cpp"));

  const auto without_build = [&](std::vector<std::string> more) {
    std::vector<std::string> words{MORPH_PREFIX "/bin/morph", "spec",       "new",    "refused", "--header",
                                   "src/things.hpp",          "--function", "compare"};
    words.insert(words.end(), more.begin(), more.end());
    return p_.run(words);
  };
  fs::remove_all(p_.build_dir());
  const finished unknown = without_build({});
  EXPECT_EQ(unknown.exit, 3);
  EXPECT_NE(unknown.err.find("there is no build tree of the project around"), std::string::npos) << unknown.err;
  const finished linked = without_build({"--link", "things"});
  EXPECT_EQ(linked.exit, 0) << linked.both();
  EXPECT_NE(linked.out.find("cmake -B build -DMorph_DIR=" MORPH_PREFIX "/lib/cmake/Morph\n"), std::string::npos)
      << linked.out;
}

TEST_F(spec_new, folders_that_cannot_take_it_are_told) {
  fs::create_directories(p_.root() / "../elsewhere");
  const std::string elsewhere = (folder_.path() / "elsewhere").string();
  expect_refused("compare", "there is no CMakeLists.txt in '" + elsewhere + "' or above it", {"--into", elsewhere});
  expect_refused("compare", "--into 'nowhere' is not a folder", {"--into", "nowhere"});
  EXPECT_EQ(make("compares", "compare", {"--into", elsewhere, "--no-cmake"}).exit, 0);
  EXPECT_TRUE(fs::exists(elsewhere + "/compares.spec.cpp"));
  const finished read_only = make("compares", "compare", {"--into", "/proc", "--no-cmake"});
  EXPECT_EQ(read_only.exit, 3) << read_only.both();
  EXPECT_NE(read_only.err.find("/proc/compares.spec.cpp"), std::string::npos) << read_only.err;
  if (::geteuid() == 0) GTEST_SKIP() << "not run: nothing is forbidden to root";
  fs::create_directories(p_.root() / "closed");
  fs::permissions(p_.root() / "closed", fs::perms::owner_read | fs::perms::owner_exec);
  const finished closed = make("compares", "compare", {"--into", "closed"});
  EXPECT_EQ(closed.exit, 3) << closed.both();
  EXPECT_EQ(p_.read("CMakeLists.txt"), cmake_lists);
}

TEST_F(spec_new, a_template_of_ones_own_takes_the_place_of_morphs) {
  p_.write(
      "own.cpp",
      "// ours @name@ a@b.c @ @name\n@includes@\n@types@static @output@ call_@name@(const @input@& in) {\n@call@}\n");
  EXPECT_EQ(make("compares", "compare", {"--template", "own.cpp", "--no-cmake"}).exit, 0);
  const std::string made = p_.read("compares.spec.cpp");
  EXPECT_EQ(made.find("// ours compares a@b.c @ @name\n#include \"things.hpp\"\n"), 0U) << made;
  p_.write("own.cpp", "\n\n@nam@\n");
  expect_refused("compare", "'own.cpp': line 3 of the template: there is no '@nam@'; there are ",
                 {"--template", "own.cpp"});
  expect_refused("compare", "no.cpp", {"--template", "no.cpp"});
  p_.write("own.cpp", "int x = y;\n");
  expect_refused("compare", "does not compile, and nothing is written:", {"--template", "own.cpp"});
  const finished printed = p_.run({MORPH_PREFIX "/bin/morph", "spec", "new", "--print-template"});
  EXPECT_EQ(printed.exit, 0);
  EXPECT_EQ(printed.out, read_bytes(MORPH_SOURCE_DIR "/templates/spec.cpp.in"));
}

/// Of docs/specs/new.md; tests of documents run what the spec in it does.
std::string told(const std::string& fence) {
  const std::string text = read_bytes(MORPH_SOURCE_DIR "/docs/specs/new.md");
  const auto begin = text.find("```" + fence + "\n");
  if (begin == std::string::npos) return "no block '" + fence + "'";
  const auto at = begin + fence.size() + 4;
  return text.substr(at, text.find("```", at) - at);
}

TEST_F(spec_new, the_document_shows_what_is_written) {
  const project words(folder_.path() / "words", folder_.path() / "home");
  words.write("words.hpp", told("cpp words.hpp"));
  words.write("words.cpp", told("cpp words.cpp"));
  words.write("CMakeLists.txt", told("cmake CMakeLists.txt"));
  words.configure();
  const finished run =
      words.run({MORPH_PREFIX "/bin/morph", "spec", "new", "counts", "--header", "words.hpp", "--function", "words"});
  EXPECT_EQ(run.exit, 0) << run.both();
  EXPECT_EQ(run.out, told("text"));
  EXPECT_EQ(words.read("counts.spec.cpp"), told("cpp counts.spec.cpp"));
}

TEST_F(spec_new, errors_are_json_where_that_is_asked_for) {
  const finished run = make("refused", "compar", {"--json"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(json::parse(run.out).at("errors")[0].get<std::string>().find("did you mean"), std::string::npos) << run.out;
}

/// The program that reads headers is beside another `morph` only where both are installed.
TEST_F(spec_new, without_the_program_that_reads_headers_nothing_is_done) {
  const fs::path bin = folder_.path() / "alone" / "bin";
  fs::create_directories(bin);
  fs::copy_file(MORPH_PREFIX "/bin/morph", bin / "morph");
  const finished run = p_.run({(bin / "morph").string(), "spec", "new", "refused", "--header", "src/things.hpp",
                               "--function", "compare", "--build", p_.build_dir().string()});
  EXPECT_EQ(run.exit, 3) << run.both();
  EXPECT_NE(run.err.find("morph-source', which reads headers with Clang, is not there; install Morph whole"),
            std::string::npos)
      << run.err;
}

}  // namespace
}  // namespace morph::end_to_end
