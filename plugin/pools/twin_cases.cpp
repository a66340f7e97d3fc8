// Runs a suite of specs in its twin on cases instead of relations.
#include "plugin/pools/twin_cases.hpp"

#include <fmt/format.h>

#include <ctime>
#include <map>
#include <utility>

#include "coverage/mutation/temporary_files.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/store/store.hpp"
#include "plugin/workspace/suites.hpp"

namespace morph::pools {

namespace fs = std::filesystem;

result<build::suite> with_cases(const build::suite& from, const cases_to_run& cases, const fs::path& folder) {
  mutation::remove_folder(folder);
  fs::create_directories(folder);
  const fs::path ids = folder / "ids";
  std::string text;
  for (const std::string& id : cases.ids) text += id + '\n';
  if (auto written = system::write_file_atomically(ids, text); !written) return tl::unexpected(written.error());
  build::suite made = from;
  std::erase_if(made.environment, [](const std::string& entry) { return entry.starts_with("MORPH_SPEC_CASE"); });
  made.environment.push_back("MORPH_SPEC_CASES=" + fs::absolute(cases.pool).string());
  made.environment.push_back("MORPH_SPEC_CASE_IDS=" + ids.string());
  return made;
}

result<std::shared_ptr<twin_cases>> twin_cases::open(const build::build_tree& tree, const build::suite& suite,
                                                     system::observer& told) {
  auto repo = git::repository::open(tree.source_dir);
  if (!repo) return tl::unexpected(repo.error());
  auto lock = system::lock_file(tree.own_dir() / "measure.lock", system::if_locked::refuse);
  if (!lock)
    return tl::unexpected(fmt::format("{}; is another `morph measure` at work in this build tree?", lock.error()));
  told.status(fmt::format("building the instrumented twin in '{}'", tree.twin_dir().string()));
  auto twin = build::build_twin(tree, {});
  if (!twin) return tl::unexpected(twin.error());
  if (twin->find_suite(suite.name) == nullptr)
    return tl::unexpected(fmt::format("the instrumented twin has no suite '{}'", suite.name));
  auto dependencies = build::read_dependencies(*twin);
  if (!dependencies) return tl::unexpected(dependencies.error());
  return std::shared_ptr<twin_cases>(new twin_cases(tree, suite.name, std::move(*twin), std::move(*dependencies),
                                                    std::move(*repo), std::move(*lock), told));
}

twin_cases::twin_cases(const build::build_tree& tree, std::string suite, build::build_tree twin,
                       build::dependency_map dependencies, git::repository repo, system::file_lock lock,
                       system::observer& told)
    : tree_(tree),
      suite_(std::move(suite)),
      twin_(std::move(twin)),
      dependencies_(std::move(dependencies)),
      repo_(std::move(repo)),
      kinds_(repo_.root(), tree.ignore),
      outside_(twin_),
      lock_(std::move(lock)),
      told_(told) {
  for (const workspace::listed_suite& each : workspace::list_suites(tree))
    for (const frameworks::listed_program& of : each.programs)
      for (const frameworks::listed_case& test : of.cases)
        test_files_.insert(fs::path(test.file).lexically_normal().string());
}

twin_cases::~twin_cases() {
  mutation::remove_folder(folder());
}

result<const store::evidence*> twin_cases::run(const cases_to_run& cases) {
  if (found_ && cases == last_) return &*found_;
  found_.reset();
  const auto suite = with_cases(*twin_.find_suite(suite_), cases, folder());
  if (!suite) return tl::unexpected(suite.error());
  // A store that is forgotten: rows of cases that somebody else may never see.
  auto store = store::evidence_store::open_for_writing((folder() / "rows.db").string());
  if (!store) return tl::unexpected(store.error());
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  auto writer = store->begin({"breeding", "", {}}, tree_.configuration, now.tv_sec);
  if (!writer) return tl::unexpected(writer.error());
  std::vector<frameworks::listed_case> listed;
  for (const std::string& id : cases.ids) {
    const std::string name = cases.spec + "." + id;
    listed.push_back({name, name, "", 0, false});
  }
  const build::test_program& program = suite->programs.front();
  measuring::register_tests(*writer, *suite, program, listed);
  std::vector<store::test_outcome> outcomes;
  measuring::session m{twin_,
                       dependencies_,
                       repo_,
                       kinds_,
                       outside_,
                       *writer,
                       [] {},
                       outcomes,
                       told_,
                       measuring::isolation::fork,
                       tree_.binary_dir,
                       now,
                       false};
  const auto measured = measuring::measure_program(m, *suite, program, listed);
  if (!measured) return tl::unexpected(measured.error());
  writer->finish();
  auto facts = store->load(writer->measurement());
  if (!facts) return tl::unexpected(facts.error());
  last_ = cases;
  found_ = std::move(*facts);
  return &*found_;
}

bool twin_cases::is_under_test(const std::string& path) const {
  return test_files_.count((repo_.root() / path).lexically_normal().string()) == 0;
}

std::vector<std::optional<std::size_t>> places_of(const report::coverage& covered,
                                                  const std::vector<std::string>& ids) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < ids.size(); ++i) places[ids[i]] = i;
  std::vector<std::optional<std::size_t>> of_test;
  for (const report::reported_test& test : covered.tests) {
    const auto found = places.find(test.facts.case_name.substr(test.facts.case_name.rfind('.') + 1));
    of_test.push_back(found == places.end() ? std::nullopt : std::optional(found->second));
  }
  return of_test;
}

}  // namespace morph::pools
