// Documents about specs: each block of C++ compiles and does what its fence says, and each console block shows what a
// reader who did what stands before it would see.
//
//   ```cpp                     a whole source file, after <morph/morph.hpp>; its relations hold
//   ```cpp violated            the same, but one of them does not
//   ```cpp part                shown, not compiled
//   ```cpp versions.hpp        a file of the document's project
//   ```cpp versions.hpp add    goes before the closing brace at the end of that file
//   ```diff versions.cpp       changes that file
//   ```console                 `$ build/NAME ...`: that program, built of the NAME.cpp and the other .cpp files so far
//
// Durations are not compared. For the compiler, sources stand in the folder that the document says.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct block {
  std::vector<std::string> fence;
  std::size_t line = 0;  // of its first line of text
  std::string text;

  bool is(std::size_t word, const std::string& what) const { return fence.size() > word && fence[word] == what; }
  bool names_a_file() const { return fence.size() > 1 && fence[1].find('.') != std::string::npos; }
};

std::string content(const fs::path& file) {
  std::ifstream from(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), std::istreambuf_iterator<char>()};
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

std::vector<block> blocks_of(const std::string& document) {
  std::vector<block> made;
  std::istringstream lines(content(fs::path(MORPH_DOCS) / document));
  bool inside = false;
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.rfind("```", 0) != 0) {
      if (inside) made.back().text += line + '\n';
      continue;
    }
    inside = !inside;
    if (!inside) continue;
    std::istringstream words(line.substr(3));
    made.push_back({{std::istream_iterator<std::string>(words), {}}, number + 1, ""});
  }
  EXPECT_FALSE(inside) << document << ": the last fence is not closed";
  return made;
}

struct ran {
  int status;
  std::string output;
};
/// In that folder, by a shell.
ran run(const fs::path& folder, const std::string& command) {
  const fs::path to = folder / "output.txt";
  const int status = std::system(("cd '" + folder.string() + "' && { " + command + "\n} > output.txt 2>&1").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(to)};
}

std::string compiling(const std::string& source, const std::string& object) {
  return MORPH_COMPILE " -I. -c " + source + " -o " + object;
}

std::string linking(const std::string& objects, const std::string& program) {
  return MORPH_COMPILE " " + objects + " " MORPH_LIBRARIES " -o " + program;
}

/// Empty, or what is wrong with it.
std::string problem_of(const block& of, const std::string& document, const fs::path& folder) {
  const std::string place = document + ":" + std::to_string(of.line) + ": ";
  const bool includes = of.text.find("#include <morph/") != std::string::npos;
  write(folder / "block.cpp", (includes ? "" : "#include <morph/morph.hpp>\n") + ("#line " + std::to_string(of.line)) +
                                  " \"docs/specs/" + document + "\"\n" + of.text);
  const std::string build = compiling("block.cpp", "block.o") + " && " + linking("block.o", "block");
  if (const ran compiled = run(folder, build); compiled.status != 0)
    return place + "the block does not compile:\n" + compiled.output;
  const int wanted = of.is(1, "violated") ? 1 : 0;
  const ran seen = run(folder, "./block");
  if (seen.status == wanted && seen.output.find("warning: ") == std::string::npos) return {};
  return place + "the block ends with status " + std::to_string(seen.status) + ", not " + std::to_string(wanted) +
         ", or with a warning:\n" + seen.output;
}

/// How many were tried.
std::size_t check_blocks(const std::string& document) {
  std::vector<block> all;
  for (const block& each : blocks_of(document))
    if (each.is(0, "cpp") && (each.fence.size() == 1 || each.is(1, "violated"))) all.push_back(each);
  std::vector<std::string> problems(all.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < all.size(); i = next++)
      problems[i] = problem_of(all[i], document, fs::path(MORPH_SCRATCH) / document / std::to_string(i));
  };
  std::thread other(work);
  work();
  other.join();
  for (const std::string& each : problems)
    if (!each.empty()) ADD_FAILURE() << each;
  return all.size();
}

std::string without_durations(const std::string& text) {
  static const std::regex duration(", [-+.e0-9]+ m?s\n");
  return std::regex_replace(text, duration, ", (time)\n");
}

/// A project that grows from block to block.
class told_project {
 public:
  told_project(std::string document, std::string shown_folder)
      : document_(std::move(document)),
        shown_folder_(std::move(shown_folder)),
        folder_(fs::path(MORPH_SCRATCH) / document_ / "project") {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "build");
  }

  /// How many programs were run.
  std::size_t play() {
    std::size_t runs = 0;
    for (const block& each : blocks_of(document_)) {
      const std::string place = document_ + ":" + std::to_string(each.line) + ": ";
      if (each.is(0, "console")) {
        check(each, place);
        ++runs;
      } else if (each.is(0, "diff")) {
        change(each, place);
      } else if (each.is(0, "cpp") && each.is(2, "add")) {
        std::string& file = files_[each.fence[1]];
        const std::size_t brace = file.rfind("}\n");
        if (brace == file.npos || brace + 2 != file.size())
          ADD_FAILURE() << place << each.fence[1] << " does not end in a brace";
        else
          file.insert(brace, each.text);
        built_.clear();
      } else if (each.is(0, "cpp") && each.names_a_file()) {
        files_[each.fence[1]] = each.text;
        built_.clear();
      }
    }
    return runs;
  }

 private:
  void change(const block& by, const std::string& place) {
    std::string before, after;
    std::istringstream lines(by.text);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) line = " ";
      if (line[0] != '+') before += line.substr(1) + '\n';
      if (line[0] != '-') after += line.substr(1) + '\n';
    }
    std::string& file = files_[by.fence[1]];
    const std::size_t at = file.find(before);
    if (at == file.npos)
      ADD_FAILURE() << place << by.fence[1] << " has not what the diff changes";
    else
      file.replace(at, before.size(), after);
    built_.clear();
  }

  bool build(const std::string& program, const std::string& place) {
    std::string headers, objects, command;
    for (const auto& [name, text] : files_)
      if (fs::path(name).extension() != ".cpp") write(folder_ / name, text), headers += name + '\n' + text;
    for (const auto& [name, text] : files_) {
      if (fs::path(name).extension() != ".cpp") continue;
      objects += name + ".o ";
      if (std::exchange(compiled_of_[name], headers + text) == headers + text) continue;
      write(folder_ / name, "#line 1 \"" + shown_folder_ + "/" + name + "\"\n" + text);
      command += compiling(name, name + ".o") + " && ";
    }
    const ran compiled = run(folder_, command + linking(objects, "build/" + program));
    EXPECT_EQ(compiled.status, 0) << place << "what stands before does not compile:\n" << compiled.output;
    if (compiled.status == 0) built_ = program;
    return compiled.status == 0;
  }

  void check(const block& of, const std::string& place) {
    const std::string start = "$ build/";
    const std::size_t end = of.text.find('\n');
    if (of.text.rfind(start, 0) != 0) {
      ADD_FAILURE() << place << "a console block begins with `" << start << "`";
      return;
    }
    const std::string command = of.text.substr(2, end - 2);
    const std::string program =
        command.substr(6, command.find(' ') == command.npos ? command.npos : command.find(' ') - 6);
    if (built_ != program && !build(program, place)) return;
    const ran seen = run(folder_, command);
    EXPECT_EQ(without_durations(seen.output), without_durations(of.text.substr(end + 1)))
        << place << "`" << command << "` says something else now; paste it";
    EXPECT_EQ(seen.status, seen.output.find("\" is violated") == seen.output.npos ? 0 : 1) << place;
  }

  std::string document_, shown_folder_;
  fs::path folder_;
  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> compiled_of_;  // what each source's object was made of
  std::string built_;
};

TEST(SpecDocs, EachBlockOfTheRelationsHolds) {
  EXPECT_GE(check_blocks("relations.md"), 8u);
}

TEST(SpecDocs, EachBlockOfTheReferenceHolds) {
  EXPECT_GE(check_blocks("reference.md"), 1u);
}

TEST(SpecDocs, ExplorationShowsWhatAReaderSees) {
#if defined(__clang__) && __clang_major__ < 18
  GTEST_SKIP() << "not run: this compiler does not tell the names of members, which the documents show";
#endif
  EXPECT_GE(check_blocks("explore.md"), 2u);
  EXPECT_GE(told_project("explore.md", "/home/me/rates").play(), 1u);
}

TEST(SpecDocs, TheReferenceShowsWhatAReaderSees) {
  EXPECT_GE(told_project("reference.md", "/home/me/sorting").play(), 1u);
}

TEST(SpecDocs, AdaptiveExecutionShowsWhatAReaderSees) {
#if defined(__clang__) && __clang_major__ < 18
  GTEST_SKIP() << "not run: this compiler does not tell the names of members, which the documents show";
#endif
  EXPECT_GE(told_project("adaptive.md", "/home/me/parcels").play(), 1u);
}

TEST(SpecDocs, TheTutorialShowsWhatAReaderSees) {
#if defined(__clang__) && __clang_major__ < 18
  GTEST_SKIP() << "not run: this compiler does not tell the names of members, which the documents show";
#endif
  EXPECT_GE(told_project("tutorial.md", "/home/me/versions").play(), 8u);
}

TEST(SpecDocs, TheDocumentOfNewShowsWhatAReaderSees) {
#if defined(__clang__) && __clang_major__ < 18
  GTEST_SKIP() << "not run: this compiler does not tell the names of members, which the documents show";
#endif
  EXPECT_GE(told_project("new.md", "/home/me/words").play(), 3u);
}

}  // namespace
