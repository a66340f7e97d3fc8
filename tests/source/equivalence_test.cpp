// Which mutants of an annotated source mean the same as the original: `// same: text ;; text` behind their line.
#include "coverage/source/mutants/equivalence.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "coverage/mutation/merge.hpp"
#include "coverage/mutation/overlay.hpp"
#include "coverage/source/mutants/reader.hpp"

namespace morph::source {
namespace {

namespace fs = std::filesystem;

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A source of the corpus, rewritten in a folder of its own.
class rewritten_corpus : public testing::Test {
 protected:
  rewritten_corpus() : folder_(fs::temp_directory_path() / ("morph_equivalence_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~rewritten_corpus() override { fs::remove_all(folder_); }

  unit_comparison compare(const std::string& name, const std::vector<std::string>& operators,
                          const std::vector<std::string>& options = {}) {
    const std::string original = std::string(MORPH_CORPUS) + "/" + name;
    mutation::file_places places;
    parse({MORPH_CORPUS, original, {"c++", "-std=c++17"}}, {"/nowhere", {"/nowhere"}}, {},
          [&](clang::ASTContext& context, const std::vector<parse_error>& errors) {
            places = read_unit(context, {MORPH_CORPUS, {}}, operators, false, errors).files.begin()->second;
          });
    mutation::settle_places(places);
    mutants.clear();
    file = {name, read(original), std::move(places)};
    for (std::uint32_t p = 0; p < file.places.places.size(); ++p)
      for (std::uint32_t k = 0; k < file.places.places[p].alternatives.size(); ++k)
        mutants.push_back({file.node_of(p), file.switch_of(p), k + 1});
    const fs::path path = folder_ / name;
    std::ofstream(path) << file.rewritten().text;
    std::vector<std::string> command{"c++", "-std=c++17", "-include", MORPH_RUNTIME};
    command.insert(command.end(), options.begin(), options.end());
    return compare_code({folder_, path, std::move(command)}, {folder_, {folder_}}, {}, mutants);
  }

  const mutation::place& place_of(std::size_t mutant) const { return file.places.places[mutants[mutant].node]; }
  std::string text_of(std::size_t mutant) const {
    return place_of(mutant).alternatives[mutants[mutant].alternative - 1].text;
  }
  std::string line_of(std::size_t mutant) const {
    const auto begin = file.source.rfind('\n', place_of(mutant).begin) + 1;
    return file.source.substr(begin, file.source.find('\n', begin) - begin);
  }

  mutation::mutated_file file;
  std::vector<compared_mutant> mutants;

 private:
  fs::path folder_;
};

using names = std::vector<std::string>;

const names some_operators{"ror", "bor", "aor", "crp"};

TEST_F(rewritten_corpus, has_mutants_that_mean_the_same) {
  const unit_comparison found = compare("equivalence.cc", some_operators);
  for (const parse_error& error : found.errors) ADD_FAILURE() << error.line << ": " << error.text;
  ASSERT_EQ(found.mutants.size(), mutants.size());
  std::set<std::string> noted, seen;
  for (std::size_t at = 0; (at = file.source.find("// same: ", at)) != std::string::npos;) {
    at += 9;
    std::string texts = file.source.substr(at, file.source.find('\n', at) - at) + " ;; ";
    for (std::size_t cut; (cut = texts.find(" ;; ")) != std::string::npos; texts.erase(0, cut + 4))
      noted.insert(texts.substr(0, cut));
  }
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const bool is_noted = line_of(i).find(text_of(i), line_of(i).find("// same: ")) != std::string::npos &&
                          line_of(i).find("// same: ") != std::string::npos;
    EXPECT_EQ(found.mutants[i].is_original, is_noted) << line_of(i) << ": " << text_of(i);
    if (found.mutants[i].is_original) seen.insert(text_of(i));
  }
  EXPECT_EQ(seen, noted);
}

TEST_F(rewritten_corpus, has_mutants_that_mean_the_same_as_each_other) {
  const unit_comparison found = compare("equivalence.cc", some_operators);
  const auto code_of = [&](const std::string& text) {
    for (std::size_t i = 0; i < mutants.size(); ++i)
      if (line_of(i).find("at_least(unsigned n)") != std::string::npos && text_of(i) == text)
        return found.mutants[i].code;
    return text + " is no mutant";
  };
  EXPECT_EQ(code_of("n > 2"), code_of("static_cast<int>(2 + 1)"));
  EXPECT_NE(code_of("n > 2"), code_of("n == 2"));
}

TEST_F(rewritten_corpus, has_no_mutants_that_mean_the_same_by_what_an_option_forbids_to_assume) {
  const auto same = [&](const std::vector<std::string>& options) {
    const unit_comparison found = compare("assumptions.cc", {"ror"}, options);
    for (const parse_error& error : found.errors) ADD_FAILURE() << error.line << ": " << error.text;
    std::set<std::string> texts;
    for (std::size_t i = 0; i < mutants.size(); ++i)
      if (found.mutants[i].is_original) texts.insert(text_of(i));
    return texts;
  };
  using texts = std::set<std::string>;
  EXPECT_EQ(same({}), (texts{"n < n + 1", "true", "false"}));
  EXPECT_EQ(same({"-fno-delete-null-pointer-checks"}), (texts{"n < n + 1", "true"}));
  for (const char* defined : {"-fwrapv", "-ftrapv", "-fno-strict-overflow", "-fsanitize=signed-integer-overflow",
                              "-fsanitize=address,signed-integer-overflow,bounds-strict"}) {
    EXPECT_FALSE(same({defined}).contains("true")) << defined;
    EXPECT_TRUE(same({defined}).contains("false")) << defined;
  }
  for (const names& fast : {names{"-ffast-math"}, names{"-Ofast"}, names{"-O0", "-Ofast"}})
    EXPECT_EQ(same(fast), (texts{"n < n + 1", "true", "x < x", "x > x", "false"})) << fast.front();
  EXPECT_EQ(same({"-Ofast", "-O2"}), same({}));
  EXPECT_EQ(same({"-Ofast", "-fno-finite-math-only"}), same({}));
}

TEST_F(rewritten_corpus, is_not_compared_if_it_does_not_compile) {
  const unit_comparison found = compare("broken.cc", some_operators);
  EXPECT_FALSE(found.errors.empty());
  ASSERT_EQ(found.mutants.size(), mutants.size());
  for (const mutant_code& m : found.mutants) EXPECT_TRUE(m.code.empty() && !m.is_original);
}

}  // namespace
}  // namespace morph::source
