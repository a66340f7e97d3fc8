// As much of GitHub Actions, GitLab CI and Jenkins as runs the recipes in templates/: their files are read as the
// services read them, conditions and cache keys are evaluated, and every shell step of a job runs in a fresh clone.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "project.hpp"

namespace morph::end_to_end {

/// What happened in the hosted repository.
struct ci_event {
  enum class kind { pull_request, push, schedule } how = kind::push;
  std::string revision = "main";  // what is checked out: a branch, or the merge of one
  std::string base;               // commit of the main branch that a pull request started from
  bool labelled = false;          // asks for everything as the recipe's first lines say
  bool variable = false;          // MORPH_POLICY = all is set for the repository
};

struct ci_run {
  bool passed = true;
  std::vector<std::string> jobs;   // that ran
  std::vector<std::string> steps;  // shell texts that ran
  std::string output;
  std::filesystem::path clone;  // where the last job ran
  std::string shown;  // GitHub: the summary of the job; GitLab: its files in merge requests; Jenkins: the description
};

/// Keeps what jobs save from one run to the next. A step of a kind that it does not know throws.
class ci_service {
 public:
  ci_service(std::filesystem::path origin, std::filesystem::path work, variables environment)
      : origin_(std::move(origin)), work_(std::move(work)), environment_(std::move(environment)) {}
  virtual ~ci_service() = default;
  virtual ci_run run(const ci_event& event) = 0;

 protected:
  /// A clone of the revision, with so many commits of history (0: all of it), in a folder of its own.
  std::filesystem::path check_out(const std::string& revision, int depth);
  /// Whether the shell text succeeded.
  bool shell(ci_run& run, const std::vector<std::string>& interpreter, const std::string& text,
             const variables& additional) const;
  void save(const std::string& key, const std::filesystem::path& clone, const std::string& path);
  /// The entry of this key, else the newest one whose key starts with one of the prefixes, in their order.
  void restore(const std::vector<std::string>& keys, const std::vector<std::string>& prefixes,
               const std::filesystem::path& clone, const std::string& path) const;
  const variables& environment() const { return environment_; }
  const std::filesystem::path& work() const { return work_; }
  int run_number() const { return runs_; }

 private:
  std::filesystem::path origin_, work_;
  variables environment_;
  struct kept {
    std::string key;
    int run = 0;
    std::map<std::string, std::string> files;  // path, content
  };
  std::vector<kept> kept_;  // oldest first
  int runs_ = 0;
};

std::unique_ptr<ci_service> make_github(const std::string& recipe, std::filesystem::path origin,
                                        std::filesystem::path work, variables environment);
std::unique_ptr<ci_service> make_gitlab(const std::string& recipe, std::filesystem::path origin,
                                        std::filesystem::path work, variables environment);
std::unique_ptr<ci_service> make_jenkins(const std::string& recipe, std::filesystem::path origin,
                                         std::filesystem::path work, variables environment);

}  // namespace morph::end_to_end
