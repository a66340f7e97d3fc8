// Compiling and running tests with the project's own library.
#include "plugin/generate/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "coverage/mutation/compiler_messages.hpp"
#include "plugin/build/compiling.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::generate {
namespace {

namespace fs = std::filesystem;

constexpr int runs = 5;
constexpr int seconds_between_runs = 34'567'890;  // as they see it: another day of another year, another hour
constexpr int most_rounds = 30;
constexpr std::chrono::seconds most_time{60};

/// Of a program with these tests and no others.
std::string main_for(const std::string& framework, const std::string& include) {
  if (framework == "gtest")
    return fmt::format(
        "#include {}\nint main(int count, char** arguments) {{\n  testing::InitGoogleTest(&count, arguments);\n"
        "  return RUN_ALL_TESTS();\n}}\n",
        include);
  if (framework == "doctest") return fmt::format("#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include {}\n", include);
  if (include.find("catch_") != std::string::npos)
    return "#include <catch2/catch_session.hpp>\nint main(int count, char** arguments) { return "
           "Catch::Session().run(count, "
           "arguments); }\n";
  return fmt::format("#define CATCH_CONFIG_MAIN\n#include {}\n", include);
}

class verifier {
 public:
  verifier(const build::build_tree& tree, const call_program& program, std::vector<test_case>& tests,
           const std::function<std::string(const std::vector<test_case>&)>& text)
      : tree_(tree), program_(program), tests_(tests), text_(text), folder_(tree.own_dir() / "generate" / "tests") {}

  result<verification> all() {
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    const std::string include = program_.tests ? program_.tests->include : "<gtest/gtest.h>";
    const std::string framework = program_.tests ? program_.tests->framework : "gtest";
    if (auto written = system::write_file_atomically(folder_ / "main.cpp", main_for(framework, include)); !written)
      return tl::unexpected(written.error());
    std::string log;
    if (!compile("main", log)) {
      made_.why =
          log.find("No such file") != std::string::npos || log.find("file not found") != std::string::npos
              ? fmt::format("no test program of the build includes a test framework, and there is no {}", include)
              : "a program of tests cannot be compiled: " + log.substr(0, 300);
      return made_;
    }
    if (auto built = build(); !built) return tl::unexpected(built.error());
    if (!made_.why.empty()) return made_;
    made_.has_other_times = build_other_time();
    for (int run = 0; run < runs && !tests_.empty(); ++run)
      if (leave_out(failing(framework, run)) > 0) {
        // The others once more from the beginning: tests of one process may depend on each other.
        if (auto built = build(); !built) return tl::unexpected(built.error());
        if (!made_.why.empty()) return made_;
        if (++restarts_ < most_rounds) run = -1;
      }
    made_.is_done = true;
    if (!tests_.empty() && !has_sanitizer() && !system::interrupted())
      if (auto sanitized = sanitize(framework); !sanitized) return tl::unexpected(sanitized.error());
    return made_;
  }

 private:
  bool has_sanitizer() const {
    return std::ranges::any_of(program_.link_head,
                               [](const std::string& each) { return each.starts_with("-fsanitize"); });
  }

  /// A library that is loaded before the tests.
  bool build_other_time() const {
    if (has_sanitizer()) return false;  // these want to be loaded first
    std::vector<std::string> words{program_.link_head.front()};
    for (const std::string& each : program_.link_head)
      if (each.starts_with("-m")) words.push_back(each);
    words.insert(words.end(), {"-std=c++11", "-shared", "-fPIC", "-w"});
    words.insert(words.end(),
                 {(runtime_folder() / "morph_other_time.cpp").string(), "-o", other_time().string(), "-ldl"});
    std::string ignored;
    return build::run_compiler(words, folder_.string(), ignored);
  }
  fs::path other_time() const { return folder_ / "other_time.so"; }

  bool compile(const std::string& name, std::string& log) const {
    return compile(program_.as, folder_ / (name + ".cpp"), folder_ / (name + ".o"), {}, log);
  }

  bool compile(const build::compile_unit& as, const fs::path& source, const fs::path& object,
               const std::vector<std::string>& options, std::string& log) const {
    std::vector<std::string> words = options_of(as);
    words.insert(words.end(), options.begin(), options.end());
    // Tests include what lies beside them.
    const fs::path beside = program_.tests ? program_.tests->source : fs::path(program_.as.file);
    words.insert(words.end(), {"-iquote", beside.parent_path().string()});
    words.insert(words.end(), {"-w", "-c", source.string(), "-o", object.string()});
    return build::run_compiler(words, as.directory, log);
  }

  /// Memory errors that no run has shown. Only what is under test is compiled so.
  result<void> sanitize(const std::string& framework) {
    const std::vector<std::string> options{"-fsanitize=address", "-g"};
    std::vector<std::string> words = program_.link_head;
    words.emplace_back("-fsanitize=address");
    words.push_back((folder_ / "main.o").string());
    std::string log;
    bool all = compile(program_.as, folder_ / "tests.cpp", folder_ / "tests-asan.o", options, log);
    words.push_back((folder_ / "tests-asan.o").string());
    for (std::size_t i = 0; i < program_.sources.size() && all; ++i) {
      const fs::path object = folder_ / fmt::format("unit{}-asan.o", i);
      all = compile(program_.sources[i], program_.sources[i].file, object, options, log);
      words.push_back(object.string());
    }
    words.insert(words.end(), program_.link_rest.begin(), program_.link_rest.end());
    if (!program_.tests) words.insert(words.end(), {"-lgtest", "-pthread"});
    words.insert(words.end(), {"-o", (folder_ / "tests-asan").string()});
    if (!all || !build::run_compiler(words, tree_.binary_dir.string(), log)) return {};
    made_.is_sanitized = true;
    const auto names = failing(framework, 0, "tests-asan");
    made_.unsanitary = names.size();
    if (names.empty()) return {};
    leave_out(names);
    made_.failed -= made_.unsanitary;
    return {};
  }

  result<void> build() {
    for (int round = 0; round < most_rounds; ++round) {
      if (system::interrupted()) return tl::unexpected(std::string("interrupted"));
      const std::string text = text_(tests_);
      if (auto written = system::write_file_atomically(folder_ / "tests.cpp", text); !written) return written;
      std::string log;
      if (compile("tests", log)) break;
      if (!leave_out_at(text, log)) {
        made_.why = "the tests do not compile: " + log.substr(0, 300);
        return {};
      }
    }
    std::vector<std::string> words = program_.link_head;
    words.insert(words.end(), {(folder_ / "main.o").string(), (folder_ / "tests.o").string()});
    words.insert(words.end(), program_.link_tail.begin(), program_.link_tail.end());
    if (!program_.tests) words.insert(words.end(), {"-lgtest", "-pthread"});
    words.insert(words.end(), {"-o", (folder_ / "tests").string()});
    std::string log;
    if (!build::run_compiler(words, tree_.binary_dir.string(), log))
      made_.why = "the tests cannot be linked: " + log.substr(0, 300);
    return {};
  }

  /// The tests around the lines of errors.
  bool leave_out_at(const std::string& text, const std::string& log) {
    std::set<std::string> names;
    for (const auto& places : mutation::errors_in(log))
      for (const auto& place : places)
        if (fs::path(place.file).filename() == "tests.cpp") names.insert(test_at(text, place.line));
    names.erase("");
    const std::size_t before = tests_.size();
    std::erase_if(tests_, [&](const test_case& each) { return names.contains(each.name); });
    made_.uncompilable += before - tests_.size();
    return tests_.size() < before;
  }

  /// The name in the last line before it that begins a test.
  static std::string test_at(const std::string& text, std::uint32_t line) {
    static const std::regex head("^TEST\\([^,]*, (\\w+)\\)|^TEST_CASE\\(\"\\S+ (\\w+)\"\\)");
    std::string name;
    std::size_t at = 0;
    for (std::uint32_t i = 1; i <= line && at < text.size(); ++i) {
      const auto end = std::min(text.find('\n', at), text.size());
      std::smatch found;
      const std::string now = text.substr(at, end - at);
      if (std::regex_search(now, found, head)) name = found[1].matched ? found[1] : found[2];
      at = end + 1;
    }
    return name;
  }

  /// Which tests fail. If the program crashes, those that fail alone.
  std::set<std::string> failing(const std::string& framework, int run, const char* program = "tests") const {
    std::set<std::string> names;
    const auto end = start(program, framework, "", run);
    if (end.succeeded()) return names;
    for (const test_case& each : tests_)
      if (!start(program, framework, each.name, run).succeeded()) names.insert(each.name);
    // Each passes alone: they disturb each other, and nobody knows which.
    if (names.empty() && !tests_.empty()) names.insert(tests_.back().name);
    return names;
  }

  system::process_end start(const std::string& program, const std::string& framework, const std::string& only,
                            int run) const {
    const bool has_shadow = has_sanitizer() || program != "tests";
    system::command c{
        .arguments = {"sh", "-c", has_shadow ? "exec \"$0\" \"$@\"" : "ulimit -v 4194304; exec \"$0\" \"$@\"",
                      (folder_ / program).string()},
        .directory = program_.folder.string()};
    c.timeout = most_time;
    c.capture_at_end = true;
    c.environment = {{"MALLOC_PERTURB_", std::to_string(run * 60)}, {"ASAN_OPTIONS", "detect_leaks=0"}};
    if (made_.has_other_times && !has_shadow && run > 0) {
      c.environment.emplace_back("LD_PRELOAD", other_time().string());
      c.environment.emplace_back("MORPH_OTHER_TIME", std::to_string(run * seconds_between_runs));
    }
    if (framework == "gtest") {
      if (run > 0)
        c.arguments.insert(c.arguments.end(), {"--gtest_shuffle", fmt::format("--gtest_random_seed={}", run)});
      if (!only.empty()) c.arguments.push_back("--gtest_filter=*." + only);
    } else if (framework == "catch2") {
      if (run > 0) c.arguments.insert(c.arguments.end(), {"--order", "rand", "--rng-seed", std::to_string(run)});
      if (!only.empty()) c.arguments.push_back("* " + only);
    } else {
      if (run > 0) c.arguments.insert(c.arguments.end(), {"--order-by=rand", fmt::format("--rand-seed={}", run)});
      if (!only.empty()) c.arguments.push_back("--test-case=* " + only);
    }
    return system::run(c);
  }

  std::size_t leave_out(const std::set<std::string>& names) {
    const std::size_t before = tests_.size();
    std::erase_if(tests_, [&](const test_case& each) { return names.contains(each.name); });
    made_.failed += before - tests_.size();
    return before - tests_.size();
  }

  const build::build_tree& tree_;
  const call_program& program_;
  std::vector<test_case>& tests_;
  const std::function<std::string(const std::vector<test_case>&)>& text_;
  fs::path folder_;
  int restarts_ = 0;
  verification made_;
};

}  // namespace

result<verification> verify(const build::build_tree& tree, const call_program& program, std::vector<test_case>& tests,
                            const std::function<std::string(const std::vector<test_case>&)>& text,
                            system::observer& told) {
  if (tests.empty()) return verification{true, {}, 0, 0};
  told.status(fmt::format("compiling and running {} test{} five times", tests.size(), tests.size() == 1 ? "" : "s"));
  return verifier(tree, program, tests, text).all();
}

}  // namespace morph::generate
