// What survivors change in what tests do: functions of a known symptom, and what gdb shows of calls.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "keeper.hpp"
#include "planted.hpp"
#include "project.hpp"

namespace morph::end_to_end {
namespace {

finished observe(const project& p, std::vector<std::string> arguments = {}) {
  std::vector<std::string> command{MORPH_SYMPTOMS, p.build_dir().string(), "--most", "1000", "--runs", "3"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return p.run(command);
}

nlohmann::json observed(const project& p, std::vector<std::string> arguments = {}) {
  const finished done = observe(p, std::move(arguments));
  EXPECT_EQ(done.exit, 0) << done.both();
  return done.exit == 0 ? nlohmann::json::parse(done.out) : nlohmann::json::array();
}

/// What is written in the line of a body, `src/planted.cpp:3:40:xt`, in front of it.
std::string head_at(const project& p, const std::string& id) {
  const auto colon = id.find(':'), second = id.find(':', colon + 1);
  std::istringstream text(p.read(id.substr(0, colon)));
  std::string line;
  for (int left = std::stoi(id.substr(colon + 1)); left > 0; --left) std::getline(text, line);
  return line.substr(0, static_cast<std::size_t>(std::stoi(id.substr(second + 1))) - 1);
}

nlohmann::json seen_by(const std::string& test, std::uint64_t calls, std::uint32_t depth) {
  return nlohmann::json::array({{{"name", test}, {"calls", calls}, {"depth", depth}}});
}

/// The functions of the sources, by what their names begin with.
std::map<std::string, std::set<std::string>> planted(const project& p) {
  std::map<std::string, std::set<std::string>> made;
  const std::regex name("\\b(weak_|lost_|same_)\\w+");
  for (const char* file : {"include/planted.hpp", "src/planted.cpp", "include/more.hpp", "src/more.cpp"}) {
    const std::string text = p.read(file);
    for (std::sregex_iterator each(text.begin(), text.end(), name), end; each != end; ++each)
      made[each->str(1)].insert(each->str());
  }
  return made;
}

class observed_mutants : public testing::Test {
 protected:
  observed_mutants() : p(measured().here()) {}
  ~observed_mutants() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_planted);
    return shared;
  }
  project& p;
};

TEST_F(observed_mutants, have_the_symptoms_that_were_planted) {
  const std::string status = p.git({"status", "--porcelain"});
  const finished judged = p.morph({"mutate", "--operators", "xt"});
  ASSERT_EQ(judged.exit, 0) << judged.both();
  const auto all = observed(p);
  const std::map<std::string, std::string> symptoms{
      {"weak_", "weak-oracle"}, {"lost_", "no-propagation"}, {"same_", "no-infection"}};
  std::map<std::string, std::set<std::string>> found;  // by symptom: functions
  for (const auto& m : all) {
    const std::string line = head_at(p, m.at("id"));
    for (const auto& [mark, symptom] : symptoms) {
      const auto at = line.find(mark);
      if (at == std::string::npos) continue;
      EXPECT_EQ(m.at("symptom"), symptom) << line << '\n' << m.dump(1);
      found[mark].insert(line.substr(at, line.find_first_of("(:", at) - at));
      break;
    }
  }
  for (const auto& [mark, functions] : planted(p)) {
    EXPECT_EQ(found[mark], functions);
    EXPECT_GE(functions.size(), 20U) << mark;
  }
  EXPECT_EQ(p.git({"status", "--porcelain"}), status);

  // What it says of some of them.
  for (const auto& m : all) {
    const std::string line = head_at(p, m.at("id"));
    if (line.find("weak_bump") != std::string::npos) {
      const auto& first = m.at("differences").at(0);
      EXPECT_EQ(first.at("level"), "test");
      EXPECT_EQ(first.at("expression"), "c");
      EXPECT_EQ(first.at("property"), ".bumped_");
      EXPECT_EQ(first.at("original"), "3");
      EXPECT_EQ(first.at("mutated"), "0");
      EXPECT_EQ(first.at("private"), true);
      EXPECT_EQ(m.at("tests"), seen_by("Counter.Bumps", 1, 1));
    } else if (line.find("weak_inside") != std::string::npos) {
      EXPECT_EQ(m.at("tests"), seen_by("Counter.Bumps", 1, 2));
    } else if (line.find("lost_often") != std::string::npos) {
      EXPECT_EQ(m.at("tests"), seen_by("Free.IsOften", 100000, 2));
      EXPECT_EQ(m.at("differences").at(0).at("original"), "5");
      EXPECT_EQ(m.at("differences").at(0).at("instruction").at("line"), 48);
    } else if (line.find("lost_throw") != std::string::npos) {
      EXPECT_EQ(m.at("differences").at(0).at("property"), "exception");
      EXPECT_EQ(m.at("differences").at(0).at("original"), "std::invalid_argument(\"lost\")");
    } else if (line.find("lost_name") != std::string::npos) {
      EXPECT_NE(m.at("not_read").dump().find("in other threads"), std::string::npos);
    } else if (line.find("same_rate") != std::string::npos) {
      EXPECT_EQ(m.at("operands"), nlohmann::json{"amount: 5"});
    }
  }
}

TEST_F(observed_mutants, with_the_text_of_the_original_differ_in_nothing) {
  ASSERT_EQ(p.morph({"mutate", "--operators", "xt"}).exit, 0);
  const auto all = observed(p, {"--null"});
  EXPECT_GT(all.size(), 20U);
  for (const auto& m : all) EXPECT_TRUE(m.at("differences").empty()) << m.dump(1);
}

TEST_F(observed_mutants, are_judged_as_before) {
  const auto states = [&] {
    const auto result = nlohmann::json::parse(p.morph({"mutate", "--operators", "xt", "--fresh", "--json"}).out);
    std::map<std::string, std::string> made;
    for (const auto& m : result.at("mutants"))
      made[m.at("file").dump() + m.at("line").dump() + m.at("replacement").dump()] = m.at("state");
    return made;
  };
  const auto before = states();
  ASSERT_FALSE(before.empty());
  observed(p);
  EXPECT_EQ(states(), before);
}

/// Types, tests and programs that cannot be observed as others are.
void write_awkward(const project& to) {
  write_planted(to);
  to.write("include/planted.hpp", R"(#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
namespace plant {
struct pinned {
  pinned() = default;
  pinned(const pinned&) = delete;
  pinned(pinned&&) = delete;
  void lost_touch();
  int shown() const { return 1; }
  std::mutex lock;
  std::atomic<int> atom{0};
  volatile int port = 0;
  union {
    int whole;
    float part;
  } either{};
  int& reference = plain;
  pinned* self = this;
  int* gone = reinterpret_cast<int*>(8);
  const char* no_text = reinterpret_cast<const char*>(16);
  std::shared_ptr<pinned> cycle;
  int plain = 0;
  std::vector<bool> many;
};
pinned same_pinned();
void touch(pinned& which);
template <typename T>
struct far_off {
  void lost_far();
  T plain = 0;
};
class counted {
 public:
  void same_release();
 private:
  ~counted() = default;
  int uses_ = 1;
};
void lost_grow(pinned& which);
int lost_often(int n);
bool is_often(int n);
int lost_anywhere(int n);
struct die {
  int face = 0;
  void lost_throw(unsigned seed) { face = static_cast<int>(seed % 1000000) + 1; thrown = 7; }
  int thrown = 0;
};
int same_face(unsigned seed);
}
)");
  to.write("src/planted.cpp", R"(#include "planted.hpp"
namespace plant {
void pinned::lost_touch() { plain = 5; atom = 2; port = 3; either.whole = 4; }
void touch(pinned& which) { which.lost_touch(); which.plain = 0; }
pinned same_pinned() { return {}; }
template <typename T>
void far_off<T>::lost_far() {
  plain = 5;
}
template struct far_off<int>;
void counted::same_release() { if (--uses_ == 0) delete this; }
void lost_grow(pinned& which) { which.many.resize(std::size_t{1} << 30); }
int lost_often(int n) { return n + 5; }
bool is_often(int n) {
  bool all = true;
  for (int i = 0; i < n; ++i) all = all && lost_often(i) > -1;
  return all;
}
int lost_anywhere(int n) { return n * 2; }
int same_face(unsigned seed) { return static_cast<int>(seed % 1000000) + 1; }
}
)");
  to.write("tests/planted_test.cpp", R"(#include <gtest/gtest.h>
#include <cstdlib>
#include <random>
#include <thread>
#include "planted.hpp"
using namespace plant;
extern "C" __attribute__((weak)) unsigned char morph_observes;
static bool is_anywhere(int n) { return lost_anywhere(n) >= 0; }
static bool is_pinned() { return same_pinned().shown() == 1; }
static bool is_far() {
  far_off<int> f;
  f.lost_far();
  return true;
}
static void release() { (new counted)->same_release(); }
static bool is_thrown() {
  plant::die d;
  d.lost_throw(std::random_device{}());
  return same_face(std::random_device{}()) >= 0;
}
static bool grows() {
  pinned p;
  lost_grow(p);
  return true;
}
static bool is_touched() {
  pinned p;
  p.cycle = std::shared_ptr<pinned>(&p, [](pinned*) {});
  touch(p);
  p.cycle.reset();
  return p.plain == 0;
}
TEST(Awkward, FarOff) { EXPECT_TRUE(is_far()); }
TEST(Awkward, Pinned) { EXPECT_TRUE(is_touched()); EXPECT_TRUE(is_pinned()); }
TEST(Awkward, IsRandom) { EXPECT_TRUE(is_thrown()); }
TEST(Awkward, Releases) { release(); }
TEST(Awkward, IsLarge) { EXPECT_TRUE(grows()); }
TEST(Awkward, IsOften) { EXPECT_TRUE(is_often(1000002)); }
TEST(Awkward, Runs) { EXPECT_TRUE(is_anywhere(1)); }
TEST(Awkward, RunsInAThread) { std::thread([] { EXPECT_TRUE(is_anywhere(2)); }).join(); }
TEST(AwkwardDeathTest, Dies) { EXPECT_DEATH(if (is_anywhere(3)) std::abort(), ""); }
TEST(Awkward, FailsAlways) { EXPECT_FALSE(is_anywhere(4)); }
TEST(Awkward, FailsWhereItIsObserved) {
  EXPECT_TRUE(is_anywhere(5));
  EXPECT_TRUE(&morph_observes == nullptr || morph_observes == 0);
}
)");
}

class awkward_code : public testing::Test {
 protected:
  awkward_code() : p(measured().here()) {}
  ~awkward_code() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_awkward);
    return shared;
  }
  project& p;
};

TEST_F(awkward_code, has_an_answer_each) {
  ASSERT_EQ(p.morph({"mutate", "--operators", "xt"}).exit, 0);
  const finished done = observe(p);
  ASSERT_EQ(done.exit, 0) << done.both();
  EXPECT_NE(done.err.find("'Awkward.FailsAlways' is not observed: fails without a mutant"), std::string::npos)
      << done.err;
  std::map<std::string, nlohmann::json> by_function;
  for (const auto& m : nlohmann::json::parse(done.out)) {
    const std::string line = head_at(p, m.at("id"));
    for (const char* const each : {"lost_touch", "lost_far", "same_pinned", "same_release", "lost_grow", "lost_often",
                                   "lost_anywhere", "lost_throw", "same_face"})
      if (line.find(each) != std::string::npos) by_function[each] = m;
  }
  const auto says = [&](const std::string& function, const std::string& what) {
    EXPECT_NE(by_function[function].dump().find(what), std::string::npos) << function << ": " << what << '\n'
                                                                          << by_function[function].dump(1);
  };
  says("lost_touch", "\"property\":\"this->plain\"");
  says("lost_touch", "\"property\":\"this->atom\"");
  says("lost_far", "\"property\":\"this->plain\"");
  for (const char* const each : {"this->port: volatile", "this->either: a union", "this->reference: a reference"})
    says("lost_touch", each);
  EXPECT_EQ(by_function["lost_touch"].dump().find("this->lock"), std::string::npos) << "a mutex has no value";
  says("same_release", "this: the body ends its life");
  says("lost_grow", "\"original\":\"1073741824\"");
  says("lost_often", "\"calls\":1000002");
  says("lost_often", "test 'Awkward.IsOften': calls behind the first 1000000 of 1000002");
  says("lost_anywhere", "test 'Awkward.FailsWhereItIsObserved': it does not pass while it is observed");
  says("lost_anywhere", "test 'Awkward.RunsInAThread': what 1 calls and evaluations in other threads saw");
  says("lost_anywhere", "AwkwardDeathTest.Dies");
  says("lost_throw", "\"property\":\"this->thrown\"");
  says("lost_throw", "test 'Awkward.IsRandom': this->face, which is not the same in each run");
  says("same_face", "test 'Awkward.IsRandom': result, which is not the same in each run");
  for (const auto& m : observed(p, {"--null"})) EXPECT_TRUE(m.at("differences").empty()) << m.dump(1);
}

TEST_F(observed_mutants, leave_the_twin_as_it_was) {
  ASSERT_EQ(p.morph({"mutate", "--operators", "xt"}).exit, 0);
  const std::string program = "build/morph-twin/mutation/build/planted_tests";
  const auto changed = [&] { return std::filesystem::last_write_time(p.root() / program); };
  const std::string before = p.read(program);
  const auto at = changed();
  observed(p);
  EXPECT_EQ(p.read(program), before);
  ASSERT_EQ(p.morph({"mutate", "--operators", "xt"}).exit, 0);
  EXPECT_EQ(changed(), at);  // nothing was built

  // The next time, what is observed is built already; what was ended in between is put right.
  const std::string observing = "build/morph-twin/mutation-observed/build/planted_tests";
  const auto observed_at = std::filesystem::last_write_time(p.root() / observing);
  observed(p);
  EXPECT_EQ(std::filesystem::last_write_time(p.root() / observing), observed_at);
  std::filesystem::rename(p.root() / "build/morph-twin/mutation", p.root() / "build/morph-twin/mutation-judging");
  std::filesystem::rename(p.root() / "build/morph-twin/mutation-observed", p.root() / "build/morph-twin/mutation");
  ASSERT_EQ(p.morph({"mutate", "--operators", "xt"}).exit, 0);
  EXPECT_EQ(p.read(program), before);
}

TEST_F(observed_mutants, that_are_not_there_are_asked_for_first) {
  const finished none = observe(p);
  EXPECT_EQ(none.exit, 3);
  EXPECT_NE(none.err.find("run `morph mutate` first"), std::string::npos) << none.err;
  ASSERT_EQ(p.morph({"mutate", "--operators", "xt"}).exit, 0);
  p.replace("src/planted.cpp", "return n + 5", "return n + 6");
  const finished other = observe(p);
  EXPECT_EQ(other.exit, 3);
  EXPECT_NE(other.err.find("'src/planted.cpp' is not what `morph mutate` judged; run `morph mutate` first"),
            std::string::npos)
      << other.err;
}

// ---- beside gdb

struct watched_function {
  std::string name;
  std::vector<std::pair<std::string, std::string>> properties;  // as Morph names them, and as gdb does
};

const std::vector<watched_function>& watched() {
  static const std::string text = "._M_dataplus._M_p";
  static const std::vector<watched_function> all{
      {"count", {{"result", "made"}, {"this->total", "total"}, {"this->count_", "count_"}, {"this->small_", "small_"}}},
      {"weigh", {{"result", "made"}, {"this->weight_", "weight_"}, {"this->corner_.y", "corner_.y"}}},
      {"paint", {{"result", "made"}, {"this->is_painted_", "is_painted_"}, {"this->colour_", "colour_"}}},
      {"name", {{"result", "made" + text}, {"this->name_", "name_" + text}}},
      {"place",
       {{"result.x", "made.x"},
        {"result.y", "made.y"},
        {"this->corner_.x", "corner_.x"},
        {"this->corner_.y", "corner_.y"}}},
      {"swap", {{"argument a", "a"}, {"argument b", "b"}, {"this->large_", "large_"}}},
      {"mark", {{"result", "made"}, {"this->mark_", "mark_"}}},
      {"rate", {{"result", "made"}, {"argument rest", "rest"}}},
      {"narrow", {{"result", "made"}, {"this->narrow_", "narrow_"}}},
      {"sum", {{"result", "made"}, {"argument to.x", "to.x"}, {"argument to.y", "to.y"}, {"this->total", "total"}}},
  };
  return all;
}

/// By function, property and the number of the call in the whole program.
using seen_values = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

int last_line_of(const std::string& source, const std::string& function) {
  std::istringstream lines(source);
  std::string line;
  bool is_inside = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    is_inside = is_inside || line.find(" keeper::" + function + "(") != std::string::npos;
    if (is_inside && line == "}") return number;
  }
  return 0;
}

std::string gdb_script(const std::string& source) {
  std::string script = "set pagination off\nset width 0\nset print elements 0\nset confirm off\n";
  for (const auto& each : watched()) {
    script += "break keeper.cpp:" + std::to_string(last_line_of(source, each.name)) + "\ncommands\nsilent\n";
    for (const auto& [property, expression] : each.properties)
      script += "echo \\n@" + each.name + "|" + property + "|\noutput " + expression + "\n";
    script += "echo \\n\ncontinue\nend\n";
  }
  return script + "run\n";
}

/// gdb's `97 'a'`, `0x5555 "text"` and `(int &) @0x5555: 7` as literals alone.
std::string literal_shown(const std::string& shown) {
  if (shown.find("&) @") != std::string::npos) return shown.substr(shown.find(": ") + 2);
  const auto at = shown.find_first_of("'\"");
  return at == std::string::npos || at == 0 || shown[at - 1] != ' ' ? shown : shown.substr(at);
}

seen_values shown_by_gdb(const std::string& output) {
  seen_values made;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != '@') continue;
    const auto first = line.find('|'), second = line.find('|', first + 1);
    made[line.substr(1, first - 1)][line.substr(first + 1, second - first - 1)].push_back(
        literal_shown(line.substr(second + 1)));
  }
  return made;
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

/// Both write as many digits as are needed, in different ways.
bool is_same(const std::string& function, const std::string& one, const std::string& other) {
  if (one == other || !is_number(one) || !is_number(other)) return one == other;
  if (function == "narrow") return std::strtof(one.c_str(), nullptr) == std::strtof(other.c_str(), nullptr);
  return std::strtod(one.c_str(), nullptr) == std::strtod(other.c_str(), nullptr);
}

TEST(observed_calls, are_as_gdb_shows_them) {
  workspace here(write_kept);
  project& p = here.here();
  p.write("gdb.txt", gdb_script(p.read("src/keeper.cpp")));
  const finished gdb = p.run({"gdb", "-nx", "-batch", "-x", "gdb.txt", (p.build_dir() / "kept_tests").string()});
  const seen_values shown = shown_by_gdb(gdb.out);
  if (shown.empty()) GTEST_SKIP() << "not run: gdb, which does not stop in programs here\n" << gdb.both();

  ASSERT_EQ(p.morph({"mutate", "--operators", "xt"}).exit, 0);
  std::set<std::pair<std::string, std::string>> calls;  // function and test
  int fields = 0;
  for (const auto& mutant : observed(p))
    for (const auto& each : mutant.at("differences")) {
      const std::string whole = each.at("expression"), property = each.at("property"), test = each.at("test");
      const std::string begin = "kept::keeper::";
      ASSERT_EQ(whole.substr(0, begin.size()), begin) << each.dump(1);
      const std::string function = whole.substr(begin.size(), whole.find('(') - begin.size());
      const auto& values = shown.at(function).at(property);
      ASSERT_EQ(values.size(), 5U) << function << ' ' << property;
      const std::string& value = values.at(static_cast<std::size_t>(test.back() - '1'));
      EXPECT_TRUE(is_same(function, each.at("original"), value)) << value << '\n' << each.dump(1);
      calls.emplace(function, test);
      ++fields;
    }
  EXPECT_EQ(calls.size(), 50U);
  EXPECT_GE(fields, 150);
}

}  // namespace
}  // namespace morph::end_to_end
