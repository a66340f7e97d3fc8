// Our reading of Clang's notes and counters against its own llvm-cov, on programs that each supported version builds
// here as the twin does.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "coverage/gcov/clang_note.hpp"
#include "coverage/gcov/data.hpp"
#include "coverage/gcov/files.hpp"
#include "coverage/gcov/gcov_lines.hpp"
#include "coverage/gcov/note.hpp"
#include "coverage/gcov/program_model.hpp"
#include "tests/gcov_answers.hpp"
#include "tests/unit/gcov/gcov_support.hpp"
#include "tests/unit/runtime/runtime_programs.hpp"

namespace {

namespace fs = std::filesystem;
using namespace morph::gcov;
using gcov_answers::module_of;
using gcov_answers::place;
using gcov_support::run;
using gcov_support::temporary_folder;
using std::string;

const fs::path data_folder = fs::path(MORPH_SOURCE_DIR) / "tests/unit/data/gcov";

struct answers {
  std::map<place, std::int64_t> lines;
  std::multiset<std::pair<string, std::int64_t>> functions;  // and how often each was called
};

/// llvm-cov's intermediate format.
answers parse_answers(const string& text) {
  answers said;
  string file;
  std::istringstream in(text);
  for (string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    const string kind = line.substr(0, colon), rest = line.substr(colon + 1);
    const auto comma = rest.find(',');
    if (kind == "file") file = rest;
    if (kind == "lcount")
      said.lines[{file, static_cast<std::uint32_t>(std::stoul(rest))}] += std::stoll(rest.substr(comma + 1));
    if (kind == "function") {
      const auto second = rest.find(',', comma + 1);
      said.functions.emplace(rest.substr(second + 1), std::stoll(rest.substr(comma + 1)));
    }
  }
  return said;
}

template <class Set>
string difference(const Set& a, const Set& b) {
  Set only;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(only, only.end()));
  return testing::PrintToString(only);
}

/// Whether the lines of functions need the object's line table.
bool mixes_files(const string& version) {
  return std::stoi(version) < 19;
}

string twin_options(const string& version) {
  return "-std=c++17 -w -O0 -fprofile-arcs -ftest-coverage -fdebug-compilation-dir=/ -include " MORPH_SOURCE_DIR
         "/plugin/runtime/morph_clang_arcs.h -Xclang -fprofile-exclude-files=^/usr/ -Xclang -coverage-version=" +
         (mixes_files(version) ? string("A93M -gline-tables-only -gdwarf-4 -gz=none") : string("A93L"));
}

struct unit {
  string gcda;
  note notes;
  data counters;
  std::uint32_t version = 0;
  answers theirs;
};

class clang_version : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (run("command -v " + compiler() + " " + llvm_cov() + " >/dev/null").status != 0)
      GTEST_SKIP() << "not run: " << compiler() << " or its llvm-cov is not installed";
  }

  string compiler() const { return string("clang++-") + GetParam(); }
  string llvm_cov() const { return string("llvm-cov-") + GetParam(); }

  /// Compiles all sources of the folder, links them with Clang's own profiling library, and runs the program.
  std::vector<unit> build_and_run(const fs::path& sources, const string& options = "") {
    string objects;
    std::vector<string> stems;
    for (const auto& entry : fs::directory_iterator(sources)) {
      if (entry.path().extension() != ".cpp") continue;
      stems.push_back(entry.path().stem().string());
      const string object = (folder_.path() / (stems.back() + ".o")).string();
      expect_success(compiler() + " " + twin_options(GetParam()) + " " + options + " -c " + entry.path().string() +
                     " -o " + object);
      objects += " " + object;
    }
    expect_success(compiler() + " --coverage" + objects + " -o " + (folder_.path() / "program").string());
    expect_success((folder_.path() / "program").string());
    std::sort(stems.begin(), stems.end());
    std::vector<unit> units;
    for (const string& stem : stems) units.push_back(read(folder_.path() / (stem + ".gcda")));
    return units;
  }

  unit read(const fs::path& gcda) {
    unit made;
    made.gcda = gcda.string();
    const string note_path = fs::path(gcda).replace_extension(".gcno").string();
    const string bytes = read_file(made.gcda).value();
    made.notes = parse_note(read_file(note_path).value(), note_path).value();
    made.counters = parse_data(bytes, made.gcda).value();
    std::memcpy(&made.version, bytes.data() + 4, sizeof made.version);
    expect_success("cd " + folder_.path().string() + " && " + llvm_cov() + " gcov -i " + gcda.filename().string() +
                   " >/dev/null");
    made.theirs = parse_answers(read_file(made.gcda + ".gcov").value());
    return made;
  }

  void expect_success(const string& command) {
    const auto done = run(command + " 2>&1");
    EXPECT_EQ(done.status, 0) << command << '\n' << done.output;
  }

  temporary_folder folder_;
};

answers answers_of_ours(const unit& u) {
  const auto counts = gcov_counts(u.notes, u.counters);
  if (!counts) throw std::runtime_error(counts.error());
  answers ours;
  for (const auto& line : counts->lines) ours.lines[{u.notes.files[line.file], line.line}] += line.count;
  for (const auto& f : counts->functions) ours.functions.emplace(u.notes.functions[f.function].symbol, f.count);
  return ours;
}

TEST_P(clang_version, lines_counts_and_functions_are_those_of_llvm_cov) {
  for (const char* program : {"control_flow", "several_units", "branching"})
    for (const char* options : {"", "-O2 -fprofile-update=atomic"}) {
      for (const unit& u : build_and_run(data_folder / program, options)) {
        SCOPED_TRACE(string(options) + " " + u.gcda);
        const answers ours = answers_of_ours(u);
        ASSERT_FALSE(u.theirs.lines.empty());
        EXPECT_EQ(difference(ours.lines, u.theirs.lines), "{}") << "of ours";
        EXPECT_EQ(difference(u.theirs.lines, ours.lines), "{}") << "of llvm-cov";
        EXPECT_EQ(difference(ours.functions, u.theirs.functions), "{}") << "of ours";
        EXPECT_EQ(difference(u.theirs.functions, ours.functions), "{}") << "of llvm-cov";
      }
      for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove_all(entry.path());
    }
}

struct executed_places {
  std::set<place> executable, executed, supposed;
  std::set<string> functions;
  std::map<string, std::pair<std::uint32_t, std::uint32_t>> extents;
};

// By file name; as a measurement would have it.
executed_places by_model(const std::vector<unit>& units) {
  program_model model;
  std::uint32_t next_id = 0;
  std::vector<counter> row;
  for (const unit& u : units) {
    const auto added = model.add(module_of(u.gcda, u.version, u.counters, next_id, row));
    EXPECT_TRUE(added) << added.error();
  }
  const auto place_of = [&](std::uint32_t line) {
    return place{fs::path(model.files()[model.lines()[line].file]).filename().string(), model.lines()[line].line};
  };
  executed_places all;
  const executed found = model.convert(row);
  for (std::uint32_t i = 0; i < model.lines().size(); ++i) all.executable.insert(place_of(i));
  for (const auto line : found.lines) all.executed.insert(place_of(line));
  for (const auto line : found.supposed) all.supposed.insert(place_of(line));
  for (const auto f : found.functions) all.functions.insert(model.functions()[f].symbol);
  for (const auto& f : model.functions()) all.extents[f.symbol] = {f.start_line, f.end_line};
  return all;
}

TEST_P(clang_version, the_model_executes_what_llvm_cov_says) {
  const auto units = build_and_run(data_folder / "branching");
  const executed_places ours = by_model(units);
  std::set<place> executable, executed;
  for (const unit& u : units)
    for (const auto& [at, count] : u.theirs.lines) {
      const place here{fs::path(at.first).filename().string(), at.second};
      executable.insert(here);
      if (count != 0) executed.insert(here);
    }
  EXPECT_EQ(difference(ours.executable, executable), "{}");
  // A case that only leads to the next one has no code of its own.
  const std::set<place> without_code{{"choose.cpp", 15}};
  const bool has_table = mixes_files(GetParam());
  EXPECT_EQ(difference(executable, ours.executable), has_table ? testing::PrintToString(without_code) : "{}");
  EXPECT_EQ(difference(executed, ours.executed), has_table ? testing::PrintToString(without_code) : "{}");
}

std::set<std::uint32_t> lines_in(const std::set<place>& places, const string& file) {
  std::set<std::uint32_t> lines;
  for (const auto& [name, line] : places)
    if (name == file) lines.insert(line);
  return lines;
}

// Clang before 19 gives lines of other files to the function's own. From 17 on lines that follow those of another file
// in one block are left out, and Clang 19 leaves out all that follow any of them.
TEST_P(clang_version, lines_of_other_files_are_not_given_to_the_file_of_the_function) {
  const fs::path sources = folder_.path() / "src";
  folder_.write("src/part.inc", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n  n += 20;\n  if (n > 21)\n    n = 22;\n");
  folder_.write("src/member.hpp",
                "inline int six() { return 6; }\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
                "struct holder { int a = six(); int b; holder(); };  // line 25\n");
  folder_.write("src/main.cpp", R"(#include "member.hpp"
holder::holder() {
  b = 3;
}
int part(int n) {
#include "part.inc"
  return n;
}
int main() { holder h; return part(h.a + h.b) - 22; }







)");
  const auto units = build_and_run(sources);
  const executed_places found = by_model(units);
  const bool mixes = mixes_files(GetParam()), leaves_out = std::stoi(GetParam()) >= 17;
  std::set<std::uint32_t> lines{2, 3, 4, 5, 7, 9};
  if (leaves_out) lines = {2, 3, 5, 9};
  if (!mixes) lines = {2, 5, 9};
  EXPECT_EQ(lines_in(found.executable, "main.cpp"), lines);
  EXPECT_EQ(lines_in(found.executed, "main.cpp"), lines);
  EXPECT_EQ(lines_in(found.executable, "member.hpp"), (std::set<std::uint32_t>{1}));
  EXPECT_EQ(lines_in(found.executable, "part.inc"), (std::set<std::uint32_t>{}));
  if (!mixes) return;
  EXPECT_EQ(found.extents.at("_Z4parti"), (std::pair{5U, leaves_out ? 5U : 7U}));
  const unit& u = units.front();
  EXPECT_NE(u.theirs.lines.count({(sources / "main.cpp").string(), 21}), 0U) << "llvm-cov is right: no need to correct";
  fs::remove(folder_.path() / "main.o");
  program_model model;
  std::uint32_t next_id = 0;
  std::vector<counter> row;
  const auto added = model.add(module_of(u.gcda, u.version, u.counters, next_id, row));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error(), "cannot read '" + (folder_.path() / "main.o").string() +
                               "': No such file or directory; the lines of its notes need it: rebuild the twin");
}

// From 17 on, notes of one instance of a template may lack lines that those of another have.
TEST_P(clang_version, lines_that_notes_leave_out_of_one_instance_count_with_it_as_in_another) {
  folder_.write(
      "src/member.hpp",
      "inline int six() { return 6; }\nstruct holder { int a = six(); operator int() const { return a; } };\n");
  folder_.write("src/part.hpp", R"(template <class T>
int part(T x) {
  T y{};
  int n = y + x;
  if (n > 21)
    n = 22;
  if constexpr (sizeof(T) == 1)
    n = 23;
  return n;
}
)");
  folder_.write("src/main.cpp",
                "#include \"member.hpp\"\n#include \"part.hpp\"\nint main() { return part(holder()) - 12; }\n");
  folder_.write("src/other.cpp", "#include \"part.hpp\"\nint other() { return part(1) + part(true); }\n");
  const auto units = build_and_run(folder_.path() / "src");
  const executed_places found = by_model(units);
  const auto executed = lines_in(found.executed, "part.hpp"), supposed = lines_in(found.supposed, "part.hpp");
  for (const std::uint32_t line : {2U, 3U, 4U, 5U, 9U}) EXPECT_EQ(executed.count(line), 1U) << line;
  EXPECT_EQ(supposed.count(8), 1U);  // which no report may show
  std::set<std::uint32_t> shown, theirs;
  std::ranges::set_difference(executed, supposed, std::inserter(shown, shown.end()));
  for (const unit& u : units)
    for (const auto& [at, count] : u.theirs.lines)
      if (count != 0 && fs::path(at.first).filename() == "part.hpp") theirs.insert(at.second);
  EXPECT_EQ(shown, theirs);
}

// Blocks whose callee throws: by what leaves them alone, they were never entered.
TEST_P(clang_version, blocks_count_whose_callee_throws) {
  folder_.write("src/main.cpp", R"(static int inner(int n) {
  if (n > 2) throw n;
  return n;
}
static int joined(int n, bool early) {
  if (early)
    n -= 1;
  if (inner(n) == 1)
    return 2;
  return 3;
}
static int looped(int n) {
  while (n < 2 || inner(n))
    ++n;
  return 3;
}
int main() {
  try { joined(3, false); } catch (int) {}
  try { looped(3); } catch (int) {}
  int cleaned(int n, bool early);
  try { cleaned(3, false); } catch (int) {}
  return 0;
}
struct cleaner { ~cleaner() {} };
int cleaned(int n, bool early) {
  cleaner at_end;
  if (early)
    n -= 1;
  inner(n);
  inner(n - 1);
  return n;
}
)");
  const auto found = by_model(build_and_run(folder_.path() / "src"));
  EXPECT_EQ(found.functions,
            (std::set<string>{"_ZL5inneri", "_ZL6joinedib", "_ZL6loopedi", "_Z7cleanedib", "_ZN7cleanerD2Ev", "main"}));
  EXPECT_EQ(lines_in(found.executed, "main.cpp"),
            (std::set<std::uint32_t>{1, 2, 5, 6, 8, 12, 13, 17, 18, 19, 21, 22, 23, 24, 25, 27, 29, 32}));
}

TEST_P(clang_version, blocks_that_were_not_entered_do_not_count) {
  folder_.write("src/main.cpp", R"(static int choose(int a, int b) {
  if (a && b)
    return 1;
  else
    a += b;
  if (a > 5 || b > 5)
    return 2;
  for (int i = 0; i < 3; ++i) {
    if (i == 1)
      continue;
    if (a > 100)
      break;
    a += i;
  }
  switch (a) {
    case 1:
    case 2:
      b = 7;
      break;
    case 3:
      b = 8;
    default:
      b += 1;
  }
  do {
    b -= 2;
    if (b > 100)
      return 3;
  } while (b > 3);
  return b > 50 ? 4
                : 0;
}
int main() {
  return choose(0, 1);
}
)");
  const auto found = by_model(build_and_run(folder_.path() / "src"));
  std::set<std::uint32_t> left;
  for (const auto line : lines_in(found.executable, "main.cpp"))
    if (found.executed.count({"main.cpp", line}) == 0) left.insert(line);
  EXPECT_EQ(left, (std::set<std::uint32_t>{3, 7, 12, 18, 19, 28}));
}

TEST_P(clang_version, functions_count_with_options_that_know_no_library) {
  folder_.write("src/main.cpp",
                "static void leave() { throw 1; }\nstatic int outer(int n) {\n  leave();\n  return n > 2 ? 1 : 2;\n}\n"
                "extern \"C\" int main() {\n  try { return outer(1); } catch (...) { return 0; }\n}\n");
  const auto found = by_model(build_and_run(folder_.path() / "src", "-fno-builtin -ffreestanding"));
  EXPECT_EQ(found.functions.count("_ZL5outeri"), 1U);
}

TEST_P(clang_version, notes_that_leave_out_counters_are_refused) {
  folder_.write("src/main.cpp", "int main() {\n  return 0;\n}\n");
  const auto units = build_and_run(folder_.path() / "src", "-DMORPH_RUNTIME_CLANG_ARCS_H");
  program_model model;
  std::uint32_t next_id = 0;
  std::vector<counter> row;
  const auto added =
      model.add(module_of(units.front().gcda, units.front().version, units.front().counters, next_id, row));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error(),
            "'" + (folder_.path() / "main.gcno").string() +
                "' does not count the calls of 'main': it was compiled without the options of the twin, and "
                "lacks counters that exceptions and exit() make necessary; rebuild the twin");
}

// What a change of object code can be traced to: whatever has a symbol of its own is counted, also what the compiler
// writes (copies, destructors). Left out is only what leads to a function that is counted, and what every start runs.
TEST_P(clang_version, functions_without_counters_are_known) {
  folder_.write("src/main.cpp", R"(#include <memory>
#include <string>
#include <vector>
struct left { virtual ~left() = default; std::string l; };
struct right { virtual ~right() = default; virtual int value() { return 2; } int r = 2; };
struct both : left, right { int value() override { return r; } };
struct base { explicit base(int) {} std::string t; };
struct derived : base { using base::base; std::vector<int> u; };
struct parts { std::string a[2]; both b; derived d{1}; std::unique_ptr<int> p; };
struct plain { int x; bool operator==(const plain& o) const { return x == o.x; } };
template <class T> struct box { T value; };
thread_local std::string per_thread = "x";
static std::string names[2] = {"a", "b"};
int call(int (*f)(int)) { return f(2); }
int main() {
  parts one, two;
  one = std::move(two);
  parts three(std::move(one));
  both b, c = b;
  b = c;
  right* r = new both(b);
  box<both> boxed{b}, again = boxed;
  auto held = [again](int n) { return again.value.r + n; };
  auto copied = held;
  plain p{1}, q = p;
  const int sum = r->value() + copied(1) + call([](int n) { return n; }) + (p == q) + int(per_thread.size() + names[0].size());
  delete r;
  return sum == 0;
}
)");
  const auto units = build_and_run(folder_.path() / "src");
  std::set<string> noted;
  for (const auto& f : units.front().notes.functions) noted.insert(f.symbol);
  for (const char* made : {"_ZN5partsC2Ev", "_ZN5partsC2EOS_", "_ZN5partsaSEOS_", "_ZN5partsD2Ev", "_ZN4bothC2ERKS_",
                           "_ZN4bothaSERKS_", "_ZN4bothD0Ev", "_ZN7derivedD2Ev"})
    EXPECT_EQ(noted.count(made), 1U) << made;
  const std::set<string> known{"_ZThn",
                               "_ZTW",
                               "_ZTH",
                               "__tls_init",
                               "_GLOBAL__sub_I_main",
                               "__cxx_global_array_dtor",
                               "__clang_call_terminate",
                               "__llvm_gcov_init",
                               "__llvm_gcov_reset",
                               "__llvm_gcov_writeout",
                               "_ZL",
                               "morph_count_every_arc"};
  std::istringstream in(run("nm --defined-only " + (folder_.path() / "main.o").string()).output);
  std::size_t symbols = 0;
  for (string address, kind, name; in >> address >> kind >> name;) {
    const bool of_library =
        name.find("St") != string::npos || name.starts_with("_ZNSa") || name.find("gnu_cxx") != string::npos;
    if (kind.find_first_of("tTW") == string::npos || of_library || noted.count(name) != 0) continue;
    ++symbols;
    EXPECT_EQ(known.count(name.substr(0, name.find_first_of("0123456789."))), 1U) << name;
  }
  EXPECT_GT(symbols, known.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(measured, clang_version, testing::ValuesIn(morph::runtime_tests::measured_clangs));

}  // namespace
