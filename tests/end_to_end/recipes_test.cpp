// The CI recipes: every shell step of every job, in clones of a small project that is hosted nearby.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/shm.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "ci_services.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

using maker = std::unique_ptr<ci_service> (*)(const std::string&, fs::path, fs::path, variables);
struct service_case {
  const char* name;
  const char* recipe;
  maker make;
  friend std::ostream& operator<<(std::ostream& out, const service_case& s) { return out << s.name; }
};

void write_project(const project& to) {
  to.write("CMakeLists.txt",
           "cmake_minimum_required(VERSION 3.25)\nproject(shapes CXX)\nenable_testing()\n"
           "find_package(Morph REQUIRED)\nadd_library(shapes area.cpp length.cpp)\n"
           "foreach(name area length)\n  add_executable(${name} ${name}_test.cpp)\n"
           "  target_link_libraries(${name} shapes)\nendforeach()\n"
           "morph_add_suite(all TARGET area length FRAMEWORK none)\n");
  to.write("area.cpp", "int area(int a, int b) {\n  return a * b;\n}\n");
  to.write("length.cpp", "int length(int a, int b) {\n  return a + b;\n}\n");
  to.write("area_test.cpp", "int area(int, int);\nint main() { return area(2, 3) == 6 ? 0 : 1; }\n");
  to.write("length_test.cpp", "int length(int, int);\nint main() { return length(2, 3) == 5 ? 0 : 1; }\n");
}

/// Of GitHub's program and of GitLab's service: comments of one pull request, a file each in the folder HOSTED.
constexpr const char* fake_gh = R"sh(#!/bin/sh
set -e
case "$GH_TOKEN $*" in
  "secret api --paginate repos/me/shapes/issues/7/comments --jq "*)
    for each in "$HOSTED"/*; do
      id=${each##*/}
      if ! command -v jq > /dev/null; then
        if [ "$id" != 1 ] && grep -q '^### Morph: ' "$each"; then echo "$id"; fi
        continue
      fi
      who=Bot
      if [ "$id" = 1 ]; then who=User; fi
      jq -n --argjson id "$id" --arg who "$who" --rawfile body "$each" '[{$id, user: {type: $who}, $body}]' | jq -r "$5"
    done ;;
  "secret api --silent --method PATCH repos/me/shapes/issues/comments/"*" -F body=@build/morph-summary.md")
    cp build/morph-summary.md "$HOSTED/${5##*/}" ;;
  "secret api --silent repos/me/shapes/issues/7/comments -F body=@build/morph-summary.md")
    cp build/morph-summary.md "$HOSTED/$(($(ls "$HOSTED" | wc -l) + 1))" ;;
  *) echo "gh does not know: $*" >&2; exit 1 ;;
esac
)sh";
constexpr const char* fake_curl = R"sh(#!/bin/sh
set -e
notes=https://gitlab.example/api/v4/projects/9/merge_requests/merged/notes
for last; do :; done
case "$* " in
  *"--header PRIVATE-TOKEN: secret $notes?per_page=100 ")
    for each in "$HOSTED"/*; do printf '{"id":%s,"type":null,"body":"%s"},' "${each##*/}" "$(head -n 1 "$each")"; done ;;
  *"--request PUT --data-urlencode body@build/morph-summary.md $notes/"*)
    cp build/morph-summary.md "$HOSTED/${last##*/}" ;;
  *"--request POST --data-urlencode body@build/morph-summary.md $notes ")
    cp build/morph-summary.md "$HOSTED/$(($(ls "$HOSTED" | wc -l) + 1))" ;;
  *) echo "curl does not know: $*" >&2; exit 1 ;;
esac
)sh";

class recipes : public testing::TestWithParam<service_case> {
 protected:
  recipes() : origin_(folder_.path() / "origin", folder_.path() / "home") {
    fs::create_directories(folder_.path() / "jobs");
    write_project(origin_);
    origin_.start_repository();
    write_program("gh", fake_gh);
    write_program("curl", fake_curl);
    fs::create_directories(hosted_);
    write_bytes(hosted_ / "1", of_a_person_);
    variables environment = origin_.environment();
    environment["PATH"] = (folder_.path() / "bin").string() + ":" MORPH_PREFIX "/bin:" + std::getenv("PATH");
    environment["HOSTED"] = hosted_.string();
    environment["MORPH_NOTE_TOKEN"] = "secret";
    environment["CMAKE_PREFIX_PATH"] = MORPH_PREFIX;
    environment["CXX"] = MORPH_CXX_COMPILER;
    service_ = GetParam().make(read_bytes(std::string(MORPH_SOURCE_DIR "/templates/") + GetParam().recipe),
                               origin_.root(), folder_.path() / "jobs", environment);
    environment_ = environment;
  }

  void write_program(const std::string& name, const std::string& text) const {
    const fs::path file = folder_.path() / "bin" / name;
    fs::create_directories(file.parent_path());
    write_bytes(file, text);
    fs::permissions(file, fs::perms::owner_all);
  }

  ci_run push() {
    ci_run run = service_->run({ci_event::kind::push, "main", "", false, false});
    EXPECT_EQ(run.jobs.size(), 1U);
    return run;
  }
  ci_run nightly() {
    ci_run run = service_->run({ci_event::kind::schedule, "main", "", false, false});
    EXPECT_EQ(run.jobs.size(), 1U);
    return run;
  }
  /// The change is committed on a branch; what runs is the merge of it, as services make it.
  ci_run pull_request(const std::function<void()>& change, const std::string& message = "a change",
                      bool labelled = false, bool variable = false) {
    origin_.git({"checkout", "--quiet", "-B", "feature", "main"});
    change();
    origin_.commit(message);
    origin_.git({"checkout", "--quiet", "-B", "merged", "main"});
    origin_.git({"merge", "--quiet", "--no-ff", "--message", "Merge the branch", "feature"});
    origin_.git({"checkout", "--quiet", "main"});
    ci_run run =
        service_->run({ci_event::kind::pull_request, "merged", origin_.git({"rev-parse", "main"}), labelled, variable});
    EXPECT_EQ(run.jobs.size(), 1U);
    return run;
  }
  std::function<void()> area_is_written_otherwise() {
    return [this] { origin_.replace("area.cpp", "a * b", "b * a"); };
  }
  names reasons(const ci_run& run, const std::string& test) const {
    const finished end = end_to_end::run({MORPH_PREFIX "/bin/morph", "plan", "--json"}, run.clone, environment_);
    return plan_view(nlohmann::json::parse(end.out)).reasons(test);
  }

  const names everything_{"all.plan", "area", "length"};
  const names area_only_{"all.plan", "area"};
  scratch_folder folder_;
  const fs::path hosted_ = folder_.path() / "hosted";
  const std::string of_a_person_ =
      GetParam().recipe == std::string("github.yml") ? "### Morph: who is that?\n" : "Nice.\n";
  project origin_;
  std::unique_ptr<ci_service> service_;
  variables environment_;
};

TEST_P(recipes, go_from_nothing_known_to_few_tests_and_back_to_everything) {
  const ci_run first = pull_request(area_is_written_otherwise());
  EXPECT_TRUE(first.passed) << first.output;
  EXPECT_EQ(sorted(started(first.output)), everything_) << first.output;
  EXPECT_NE(first.output.find("recorded 2 verdicts, 0 of them failures"), std::string::npos) << first.output;

  const ci_run main = push();
  EXPECT_TRUE(main.passed) << main.output;
  EXPECT_NE(main.output.find("it is known what 2 of 2 tests executed"), std::string::npos) << main.output;

  // A branch that has the recorded commit behind it; some commits later.
  origin_.write("README.md", "Shapes.\n");
  origin_.commit("a text");
  const ci_run few = pull_request(area_is_written_otherwise());
  EXPECT_TRUE(few.passed) << few.output;
  EXPECT_EQ(sorted(started(few.output)), area_only_) << few.output;
  // Nobody vouches for what a change says of itself: it is kept apart.
  EXPECT_EQ(read_bytes(few.clone / ".morph/evidence.db"), read_bytes(main.clone / ".morph/evidence.db"));
  EXPECT_TRUE(fs::exists(few.clone / ".morph/overlay.db"));

  EXPECT_EQ(sorted(started(pull_request(area_is_written_otherwise(), "a change", true).output)), everything_);
  EXPECT_EQ(sorted(started(pull_request(area_is_written_otherwise(), "a change", false, true).output)), everything_);
  EXPECT_EQ(sorted(started(pull_request(area_is_written_otherwise(), "a change\n\nMorph: all\n").output)), everything_);

  const ci_run night = nightly();
  EXPECT_TRUE(night.passed) << night.output;
  EXPECT_EQ(sorted(started(night.output)), everything_);
  EXPECT_NE(night.output.find("recorded 2 verdicts"), std::string::npos) << night.output;
  EXPECT_NE(night.output.find("audit: 0 of 2 tests failed, 0 of them would not have run"), std::string::npos)
      << night.output;

  // Nobody has to run again what the change cannot affect.
  origin_.replace("area.cpp", "a * b", "b * a");
  origin_.commit("the change is merged");
  const ci_run merged = push();
  EXPECT_TRUE(merged.passed) << merged.output;
  EXPECT_EQ(sorted(started(merged.output)), area_only_) << merged.output;
  EXPECT_NE(merged.output.find("it is known what 2 of 2 tests executed"), std::string::npos) << merged.output;
}

TEST_P(recipes, a_failure_that_plans_would_have_missed_makes_the_night_red) {
  // Memory that processes share: no plan can know (docs/limitations.md).
  const key_t storm = ::getpid();
  origin_.write("length_test.cpp",
                fmt::format("#include <sys/shm.h>\nint length(int, int);\n"
                            "int main() {{ return length(2, 3) == 5 && shmget({}, 0, 0) < 0 ? 0 : 1; }}\n",
                            storm));
  origin_.commit("a test that looks at the machine");
  EXPECT_TRUE(push().passed);
  const int memory = ::shmget(storm, 1, IPC_CREAT | 0600);
  ASSERT_GE(memory, 0);
  const ci_run change = pull_request(area_is_written_otherwise());
  EXPECT_TRUE(change.passed) << change.output;
  EXPECT_EQ(sorted(started(change.output)), area_only_) << change.output;
  const ci_run night = nightly();
  ::shmctl(memory, IPC_RMID, nullptr);
  EXPECT_FALSE(night.passed);
  EXPECT_NE(night.output.find("audit: 1 of 2 tests failed, 1 of them would not have run"), std::string::npos)
      << night.output;
  EXPECT_NE(night.output.find("Morph 0.1.0 did not select 'length', which failed."), std::string::npos) << night.output;
}

TEST_P(recipes, a_failure_ends_the_job_is_recorded_and_stays_selected) {
  origin_.replace("area.cpp", "a * b", "a - b");
  origin_.commit("a fault");
  const ci_run red = push();
  EXPECT_FALSE(red.passed);
  EXPECT_EQ(failed(red.output), names{"area"}) << red.output;
  EXPECT_NE(red.output.find("recorded 2 verdicts, 1 of them failures"), std::string::npos) << red.output;
  EXPECT_NE(red.output.find("it is known what 1 of 2 tests executed"), std::string::npos) << red.output;

  const ci_run next = pull_request([this] { origin_.write("README.md", "Shapes.\n"); });
  EXPECT_FALSE(next.passed);
  EXPECT_EQ(sorted(started(next.output)), area_only_) << next.output;
  EXPECT_EQ(reasons(next, "area").front(), "failed-recently");
}

TEST_P(recipes, a_pull_request_gets_one_summary) {
  const bool has_comments = std::string(GetParam().name) != "jenkins";
  EXPECT_EQ(push().shown, "");
  const ci_run green = pull_request(area_is_written_otherwise());
  EXPECT_TRUE(green.passed) << green.output;
  EXPECT_NE(green.shown.find("Morph: 1 test passed"), std::string::npos) << green.shown << green.output;
  if (has_comments) {
    EXPECT_NE(green.shown.find("\n\n**Selected** 1 of 2 tests (affected, baseline "), std::string::npos) << green.shown;
    ASSERT_TRUE(fs::exists(hosted_ / "2")) << green.output;
    EXPECT_EQ(read_bytes(hosted_ / "2"), green.shown);
  }

  const ci_run red = pull_request([this] { origin_.replace("area.cpp", "a * b", "a - b"); });
  EXPECT_FALSE(red.passed);
  EXPECT_NE(red.shown.find("Morph: 1 of 1 test failed"), std::string::npos) << red.shown << red.output;
  if (has_comments) {
    EXPECT_EQ(read_bytes(hosted_ / "2"), red.shown);
  }
  EXPECT_FALSE(fs::exists(hosted_ / "3"));
  EXPECT_EQ(read_bytes(hosted_ / "1"), of_a_person_);
}

TEST_P(recipes, a_comment_that_cannot_be_written_makes_no_job_red) {
  for (const char* const each : {"gh", "curl"}) write_program(each, "#!/bin/sh\nexit 22\n");
  const ci_run run = pull_request(area_is_written_otherwise());
  EXPECT_TRUE(run.passed) << run.output;
  EXPECT_NE(run.shown.find("Morph: 2 tests passed"), std::string::npos) << run.shown;
}

INSTANTIATE_TEST_SUITE_P(templates, recipes,
                         testing::Values(service_case{"github", "github.yml", make_github},
                                         service_case{"gitlab", "gitlab-ci.yml", make_gitlab},
                                         service_case{"jenkins", "Jenkinsfile", make_jenkins}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace morph::end_to_end
