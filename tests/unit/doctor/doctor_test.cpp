// What `morph doctor` makes of the facts, and how it prints them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plugin/doctor/rows.hpp"

namespace morph::doctor {
namespace {

constexpr std::uintmax_t megabyte = 1'000'000;

TEST(Doctor, OnlyComparedCompilersCanBeMeasured) {
  EXPECT_EQ(judge_compiler("GNU 12.2.0", "memory").how, row_state::fine);
  EXPECT_EQ(judge_compiler("GNU 12.2.0", "off").how, row_state::note);
  const check_row other = judge_compiler("GNU 10.2.1", "files");
  EXPECT_EQ(other.how, row_state::note);
  EXPECT_NE(other.detail.find("read by its own gcov"), std::string::npos);
  const check_row none = judge_compiler("Clang 10.0.1", "none");
  EXPECT_EQ(none.how, row_state::problem);
  EXPECT_NE(none.advice.find("GCC 9 or later"), std::string::npos);
}

TEST(Doctor, GcovIsOfTheCompilersVersion) {
  const std::string library = "/usr/lib/gcc/x86_64-linux-gnu/12/libgcov.a";
  EXPECT_EQ(judge_gcov("GNU 12.2.0", "gcov-12", "gcov (Debian 12.2.0-14) 12.2.0\nCopyright", library, "memory").how,
            row_state::fine);
  EXPECT_EQ(judge_gcov("GNU 12.2.0", "gcov", "gcov (Debian 11.3.0-12) 11.3.0", library, "memory").detail,
            "libgcov is there; 'gcov' is of version 11");
  EXPECT_EQ(judge_gcov("GNU 12.2.0", "gcov", "", library, "memory").how, row_state::note);
  EXPECT_EQ(judge_gcov("GNU 12.2.0", "gcov", "", library, "files").how, row_state::problem);
  // What GCC prints of a file that it does not have.
  EXPECT_EQ(judge_gcov("GNU 12.2.0", "gcov", "gcov (GCC) 12.2.0", "libgcov.a", "memory").how, row_state::problem);
}

TEST(Doctor, ClangHasItsProfilingLibrary) {
  EXPECT_EQ(judge_clang_library("Clang 16.0.6", "/usr/lib/clang/16/lib/linux/libclang_rt.profile-x86_64.a").how,
            row_state::fine);
  // What Clang prints of a file that it does not have.
  const check_row row = judge_clang_library("Clang 16.0.6", "libclang_rt.profile.a");
  EXPECT_EQ(row.how, row_state::problem);
  EXPECT_NE(row.advice.find("libclang-rt-16-dev"), std::string::npos);
}

TEST(Doctor, LlvmCovIsOfTheCompilersVersionWhereItReadsTheCounters) {
  const std::string debian = "Debian LLVM version 13.0.1\n  \n  Optimized build.\n", upstream = "LLVM version 20.1.2\n";
  EXPECT_EQ(judge_llvm_cov("Clang 13.0.1", "/usr/bin/llvm-cov-13", debian).how, row_state::fine);
  EXPECT_EQ(judge_llvm_cov("Clang 20.1.2", "llvm-cov", upstream).how, row_state::fine);
  const check_row other = judge_llvm_cov("Clang 13.0.1", "llvm-cov", upstream);
  EXPECT_EQ(other.how, row_state::problem);
  EXPECT_EQ(other.detail, "'llvm-cov' is of version 20");
  const check_row missing = judge_llvm_cov("Clang 13.0.1", "/usr/bin/llvm-cov", "");
  EXPECT_EQ(missing.how, row_state::problem);
  EXPECT_EQ(missing.detail, "no program '/usr/bin/llvm-cov'");
  EXPECT_NE(missing.advice.find("llvm-13"), std::string::npos);
}

TEST(Doctor, SaysWhichSolverProvesOptima) {
  EXPECT_EQ(judge_solver("libCbcSolver.so.3").detail, "libCbcSolver.so.3, for `morph optimize`");
  EXPECT_EQ(judge_solver("libCbcSolver.so.3").how, row_state::fine);
  const check_row none = judge_solver("");
  EXPECT_EQ(none.how, row_state::note);
  EXPECT_NE(none.advice.find("coinor-libcbc-dev"), std::string::npos);
}

TEST(Doctor, ProgramAndModuleAreOneVersion) {
  EXPECT_EQ(judge_version("morph", "0.1.0", "0.1.0").how, row_state::fine);
  EXPECT_EQ(judge_version("morph", "0.2.0", "0.1.0").detail,
            "0.2.0, but the build tree was configured for morph 0.1.0");
  EXPECT_EQ(judge_version("morph", "0.2.0", "0.1.0").how, row_state::problem);
}

TEST(Doctor, SpaceIsComparedWithWhatMeasuringNeeds) {
  EXPECT_EQ(judge_space(2 * megabyte, megabyte).how, row_state::fine);
  EXPECT_EQ(judge_space(megabyte, megabyte).how, row_state::fine);
  EXPECT_EQ(judge_space(megabyte - 1, megabyte).how, row_state::problem);
  EXPECT_EQ(judge_space(5 * megabyte, 0).detail, "5.0 MB free, measuring needs no more");
}

TEST(Doctor, TimeIsDividedByProcessors) {
  EXPECT_EQ(judge_time(140, 2.5, 2, false).detail,
            "compiling the twin takes about 70 s on 2 processors; running every test about 2.5 s");
  EXPECT_EQ(judge_time(140, {}, 2, true).detail,
            "the twin needs no compiling; how long the tests run is not known yet");
  EXPECT_NE(judge_time({}, {}, 2, false).detail.find("not known (it is with Ninja"), std::string::npos);
}

TEST(Doctor, RowsArePrintedAlike) {
  const std::vector<check_row> rows{{row_state::fine, "git", "here", ""},
                                    {row_state::problem, "evidence", "none", "measure"}};
  EXPECT_EQ(rows_as_text(rows),
            "fine     git       here\n"
            "problem  evidence  none; measure\n");
  const auto json = nlohmann::json::parse(rows_as_json(rows));
  EXPECT_EQ(json, nlohmann::json::parse(R"({"schema":"morph.doctor/2","checks":[
    {"verdict":"fine","check":"git","detail":"here","advice":null},
    {"verdict":"problem","check":"evidence","detail":"none","advice":"measure"}]})"));
  EXPECT_TRUE(has_problem(rows));
  EXPECT_FALSE(has_problem({{row_state::fine, "a", "", ""}, {row_state::note, "b", "", "c"}}));
}

}  // namespace
}  // namespace morph::doctor
