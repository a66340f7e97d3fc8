// Uniting measurements and stores.
#include "plugin/store/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace morph::store {
namespace {

namespace fs = std::filesystem;
using optimizer::requirement_kind;

auto facts_of(const measured_test& t) {
  return std::tie(t.measured, t.at, t.how, t.detail, t.incomplete, t.wall_us, t.cpu_us, t.carried_from, t.name);
}

template <typename Number>
void unite_numbers(std::vector<Number>& all, const std::vector<Number>& more) {
  std::vector<Number> merged;
  std::set_union(all.begin(), all.end(), more.begin(), more.end(), std::back_inserter(merged));
  all = std::move(merged);
}

/// Numbers by the order of keys, once all keys are known.
template <typename Key>
void number(std::map<Key, std::uint32_t>& keys) {
  std::uint32_t next = 0;
  for (auto& [key, id] : keys) id = next++;
}

class union_of {
 public:
  explicit union_of(std::vector<evidence> parts) : parts_(std::move(parts)), of_(parts_.size()) {}

  evidence make() {
    unite_info();
    unite_files();
    unite_programs();
    unite_functions();
    unite_units();
    unite_inputs();
    for (const evidence& part : parts_) all_.links = std::max(all_.links, part.links);  // equal if builds are
    unite_tests();
    unite_classes();
    all_.info.complete = std::all_of(all_.tests.begin(), all_.tests.end(), [](const auto& t) { return t.measured; });
    return std::move(all_);
  }

 private:
  /// From a part's numbers to those of the whole.
  struct numbers {
    std::vector<std::uint32_t> files, programs, functions, units, inputs, tests;
  };

  void unite_info() {
    const auto newest = std::max_element(parts_.begin(), parts_.end(), [](const evidence& a, const evidence& b) {
      return std::tie(a.info.created, a.info.taken_from.commit) < std::tie(b.info.created, b.info.taken_from.commit);
    });
    all_.info = newest->info;
    all_.info.id = 0;
  }

  void unite_files() {
    std::map<std::string, std::uint32_t> ids;
    for (const evidence& part : parts_)
      for (const std::string& path : part.files) ids.try_emplace(path);
    number(ids);
    for (const auto& [path, id] : ids) all_.files.push_back(path);
    all_.executable_lines.resize(ids.size());
    all_.branches.resize(ids.size());
    all_.conditions.resize(ids.size());
    all_.decisions.resize(ids.size());
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (std::size_t f = 0; f < parts_[p].files.size(); ++f) {
        const std::uint32_t id = ids.at(parts_[p].files[f]);
        of_[p].files.push_back(id);
        unite_numbers(all_.executable_lines[id], parts_[p].executable_lines[f]);
        unite_numbers(all_.branches[id], parts_[p].branches[f]);
        unite_numbers(all_.conditions[id], parts_[p].conditions[f]);
        unite_numbers(all_.decisions[id], parts_[p].decisions[f]);
      }
  }

  void unite_programs() {
    std::map<std::pair<std::string, std::string>, std::uint32_t> ids;
    for (const evidence& part : parts_)
      for (const auto& program : part.programs) ids.try_emplace({program.suite, program.target});
    number(ids);
    for (const auto& [key, id] : ids) all_.programs.push_back({key.first, key.second});
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const auto& program : parts_[p].programs) of_[p].programs.push_back(ids.at({program.suite, program.target}));
  }

  void unite_functions() {
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::uint32_t> ids;
    const auto key_of = [&](std::size_t p, const measured_function& f) {
      return std::tuple(f.symbol, of_[p].files[f.file], f.start_line);
    };
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const auto& f : parts_[p].functions) ids.try_emplace(key_of(p, f));
    number(ids);
    for (const auto& [key, id] : ids)
      all_.functions.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), 0, true});
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const auto& f : parts_[p].functions) {
        const std::uint32_t id = ids.at(key_of(p, f));
        of_[p].functions.push_back(id);
        measured_function& known = all_.functions[id];
        known.end_line = std::max(known.end_line, f.end_line);
        known.artificial = known.artificial && f.artificial;
      }
  }

  void unite_units() {
    std::map<std::string, std::uint32_t> ids;
    for (const evidence& part : parts_)
      for (const auto& unit : part.units) ids.try_emplace(unit.object);
    number(ids);
    constexpr std::uint32_t unknown = ~std::uint32_t{0};
    for (const auto& [object, id] : ids) all_.units.push_back({object, unknown, {}, false});
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const auto& unit : parts_[p].units) {
        const std::uint32_t id = ids.at(unit.object);
        of_[p].units.push_back(id);
        measured_unit& known = all_.units[id];
        known.source = std::min(known.source, of_[p].files[unit.source]);
        known.blind = known.blind || unit.blind;
        std::vector<std::uint32_t> dependencies;
        for (const std::uint32_t file : unit.dependencies) dependencies.push_back(of_[p].files[file]);
        std::sort(dependencies.begin(), dependencies.end());
        unite_numbers(known.dependencies, dependencies);
      }
  }

  void unite_inputs() {
    std::map<std::tuple<measured_input::kind, std::string, std::optional<std::string>>, std::uint32_t> ids;
    for (const evidence& part : parts_)
      for (const auto& input : part.inputs) ids.try_emplace({input.what, input.name, input.digest});
    number(ids);
    for (const auto& [key, id] : ids) all_.inputs.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key)});
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const auto& input : parts_[p].inputs)
        of_[p].inputs.push_back(ids.at({input.what, input.name, input.digest}));
  }

  void unite_tests() {
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> ids;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const auto& test : parts_[p].tests) ids.try_emplace({of_[p].programs[test.program], test.case_name});
    number(ids);
    all_.tests.resize(ids.size());
    for (const auto& [key, id] : ids) {
      all_.tests[id].program = key.first;
      all_.tests[id].case_name = key.second;
    }
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const auto& test : parts_[p].tests) {
        const std::uint32_t program = of_[p].programs[test.program];
        const std::uint32_t id = ids.at({program, test.case_name});
        of_[p].tests.push_back(id);
        measured_test& known = all_.tests[id];
        if (test.is_startup()) {
          unite_startup(known, test);
          continue;
        }
        const bool unsteady = known.unsteady || test.unsteady;
        if (facts_of(known) < facts_of(test)) {
          known = test;
          known.program = program;
        }
        known.unsteady = unsteady;
      }
  }

  /// What may be missing in one may be missing in all.
  static void unite_startup(measured_test& known, const measured_test& test) {
    known.measured = known.measured || test.measured;
    known.at = std::max(known.at, test.at);
    known.how = std::max(known.how, test.how);
    known.detail = std::max(known.detail, test.detail);
    known.incomplete |= test.incomplete;
    known.wall_us = std::max(known.wall_us, test.wall_us);
    known.cpu_us = std::max(known.cpu_us, test.cpu_us);
    known.carried_from = std::max(known.carried_from, test.carried_from);
  }

  /// Of the part whose facts the test keeps. What it read is as it was then.
  bool has_the_inputs(std::size_t part, std::uint32_t test) const {
    const measured_test& own = parts_[part].tests[test];
    return own.measured && (own.is_startup() || facts_of(own) == facts_of(all_.tests[of_[part].tests[test]]));
  }

  element translate(std::size_t part, element x) const {
    const numbers& to = of_[part];
    switch (kind_of(x)) {
      case requirement_kind::function:
        return make_element(kind_of(x), 0, to.functions[number_of(x)]);
      case requirement_kind::unit:
        return make_element(kind_of(x), 0, to.units[number_of(x)]);
      case requirement_kind::input:
        return make_element(kind_of(x), 0, to.inputs[number_of(x)]);
      default:
        return make_element(kind_of(x), to.files[owner_of(x)], number_of(x));
    }
  }

  using class_mentions = std::vector<std::pair<element, std::uint32_t>>;  // sorted

  /// In how many parts each test has an element.
  static std::map<std::uint32_t, int> parts_with(element x, const class_mentions& class_of,
                                                 const std::vector<std::vector<std::uint32_t>>& tests_of) {
    std::map<std::uint32_t, int> parts;
    for (const auto& [of, c] : std::ranges::equal_range(class_of, x, {}, [](const auto& pair) { return pair.first; }))
      for (const std::uint32_t test : tests_of[c]) ++parts[test];
    return parts;
  }

  /// The tests that have no part in which they ran the whole line.
  static std::vector<std::uint32_t> tests_of_unshown(element x, const class_mentions& class_of,
                                                     const std::vector<std::vector<std::uint32_t>>& tests_of) {
    const auto ran = parts_with(make_element(requirement_kind::line, owner_of(x), number_of(x)), class_of, tests_of);
    std::vector<std::uint32_t> tests;
    for (const auto& [test, parts] : parts_with(x, class_of, tests_of))
      if (const auto all = ran.find(test); all == ran.end() || all->second <= parts) tests.push_back(test);
    return tests;
  }

  /// What a test executed, as far as tests are selected by it.
  static bool is_code(element x) {
    const requirement_kind kind = kind_of(x);
    return kind == requirement_kind::line || kind == requirement_kind::function || kind == requirement_kind::unit;
  }

  /// Tests of which one part has in its row what another one lacks. What start-up rows have says nothing of a test:
  /// they grow with every part.
  class differences {
   public:
    explicit differences(const union_of& all) : all_(all), rows_(all.all_.tests.size(), 0) {
      for (std::size_t p = 0; p < all.parts_.size(); ++p)
        for (std::size_t t = 0; t < all.parts_[p].tests.size(); ++t)
          rows_[all.of_[p].tests[t]] += all.parts_[p].tests[t].measured ? 1U : 0U;
    }

    /// `classes`: those that have an element.
    void add(const std::vector<std::uint32_t>& classes, const std::vector<std::vector<std::uint32_t>>& tests_of,
             const std::vector<std::size_t>& part_of) {
      std::vector<std::pair<std::uint32_t, std::size_t>> with;  // test, part
      for (const std::uint32_t c : classes)
        for (const std::uint32_t test : tests_of[c])
          if (rows_[test] > 1 && !all_.all_.tests[test].is_startup()) with.emplace_back(test, part_of[c]);
      std::sort(with.begin(), with.end());
      with.erase(std::unique(with.begin(), with.end()), with.end());
      for (std::size_t i = 0, end; i < with.size(); i = end) {
        for (end = i; end < with.size() && with[end].first == with[i].first;) ++end;
        if (end - i != rows_[with[i].first]) found_.insert(with[i].first);
      }
    }

    const std::set<std::uint32_t>& found() const { return found_; }

   private:
    const union_of& all_;
    std::vector<std::size_t> rows_;  // by test: parts that have one
    std::set<std::uint32_t> found_;
  };

  /// By classes and not by rows, which together may be a thousand times as large.
  void unite_classes() {
    std::vector<std::vector<std::uint32_t>> tests_of;  // by class of any part
    std::vector<std::size_t> part_of;
    class_mentions class_of;  // every mention of an element
    const auto add_class = [&](std::size_t p, const element_class& c, bool of_inputs) {
      std::vector<std::uint32_t> tests;
      for (const std::uint32_t test : c.tests)
        if (of_inputs ? has_the_inputs(p, test) : parts_[p].tests[test].measured) tests.push_back(of_[p].tests[test]);
      if (tests.empty()) return;
      std::sort(tests.begin(), tests.end());
      for (const element x : c.elements)
        if ((kind_of(x) == requirement_kind::input) == of_inputs)
          class_of.emplace_back(translate(p, x), static_cast<std::uint32_t>(tests_of.size()));
      tests_of.push_back(std::move(tests));
      part_of.push_back(p);
    };
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const element_class& c : parts_[p].classes)
        for (const bool of_inputs : {false, true}) add_class(p, c, of_inputs);
    std::sort(class_of.begin(), class_of.end());
    differences between(*this);
    std::set<std::vector<std::uint32_t>> compared;
    std::map<std::vector<std::uint32_t>, std::size_t> of_mentions, of_tests;  // -> index of all_.classes
    for (std::size_t i = 0; i < class_of.size();) {
      std::vector<std::uint32_t> mentions;
      const element x = class_of[i].first;
      const auto class_with = [&](const std::vector<std::uint32_t>& tests) {
        const auto [same, is_new] = of_tests.try_emplace(tests, all_.classes.size());
        if (is_new) all_.classes.push_back({tests, {}});
        return same->second;
      };
      for (; i < class_of.size() && class_of[i].first == x; ++i)
        if (mentions.empty() || mentions.back() != class_of[i].second) mentions.push_back(class_of[i].second);
      if (parts_.size() > 1 && is_code(x) && compared.insert(mentions).second) between.add(mentions, tests_of, part_of);
      if (kind_of(x) == requirement_kind::unshown) {
        if (const auto tests = tests_of_unshown(x, class_of, tests_of); !tests.empty())
          all_.classes[class_with(tests)].elements.push_back(x);
        continue;
      }
      const auto [known, added] = of_mentions.try_emplace(mentions);
      if (added) {
        std::vector<std::uint32_t> tests;
        for (const std::uint32_t c : mentions) unite_numbers(tests, tests_of[c]);
        known->second = class_with(tests);
      }
      all_.classes[known->second].elements.push_back(x);
    }
    for (const std::uint32_t test : between.found()) all_.tests[test].unsteady = true;
  }

  std::vector<evidence> parts_;
  std::vector<numbers> of_;
  evidence all_;
};

/// Of one content and configuration, wherever it stands.
using mentions = std::vector<std::pair<evidence_store*, std::int64_t>>;

result<void> write_measurement(const mentions& places, evidence_store& to,
                               std::optional<std::int64_t> in_place_of = std::nullopt) {
  std::vector<evidence> parts;
  for (const auto& [store, id] : places) {
    auto part = store->load(id);
    if (!part) return tl::unexpected(part.error());
    parts.push_back(std::move(*part));
  }
  std::map<std::string, std::string> blobs;
  for (const override_file& file : parts.front().info.taken_from.overrides) {
    if (!file.blob || blobs.count(*file.blob) != 0) continue;
    auto content = places.front().first->blob(*file.blob);
    if (!content) return tl::unexpected(content.error());
    blobs[*file.blob] = std::move(*content);
  }
  const auto copy_print = [&](const std::string& print) -> result<void> {
    std::string why;
    for (const auto& [store, id] : places) {
      auto content = store->blob(print);
      if (content) return blobs[print] = std::move(*content), result<void>();
      why = content.error();
    }
    return tl::unexpected(why);
  };
  evidence all = unite(std::move(parts));
  for (const measured_link& link : all.links)
    for (const linked_object& object : link.objects)
      if (blobs.count(object.print) == 0)
        if (auto copied = copy_print(object.print); !copied) return tl::unexpected(copied.error());
  return to.add(all, blobs, in_place_of);
}

/// What two stores say differently of one verdict must not depend on which is asked first.
result<std::vector<test_outcome>> unite_outcomes(std::span<evidence_store* const> stores) {
  std::map<std::tuple<std::string, std::string, std::int64_t, std::string, bool>, test_outcome> all;
  for (evidence_store* store : stores) {
    const auto outcomes = store->outcomes();
    if (!outcomes) return tl::unexpected(outcomes.error());
    for (const test_outcome& o : *outcomes) {
      const auto [at, added] = all.try_emplace({o.name, o.configuration, o.at, o.source, o.failed}, o);
      if (!added && std::tie(at->second.content, at->second.seconds) < std::tie(o.content, o.seconds)) at->second = o;
    }
  }
  std::vector<test_outcome> list;
  for (auto& [key, o] : all) list.push_back(std::move(o));
  return list;
}

result<std::vector<audit>> unite_audits(std::span<evidence_store* const> stores) {
  const auto key = [](const audit& a) { return std::tie(a.configuration, a.content, a.base, a.at); };
  const auto facts = [](const audit& a) {
    return std::tie(a.commit, a.tests, a.selected, a.failed, a.full_us, a.selected_us, a.missed, a.found_first,
                    a.found_among);
  };
  std::vector<audit> all;
  for (evidence_store* store : stores) {
    auto audits = store->audits();
    if (!audits) return tl::unexpected(audits.error());
    all.insert(all.end(), audits->begin(), audits->end());
  }
  std::sort(all.begin(), all.end(),
            [&](const audit& a, const audit& b) { return key(a) != key(b) ? key(a) < key(b) : facts(a) > facts(b); });
  all.erase(std::unique(all.begin(), all.end(), [&](const audit& a, const audit& b) { return key(a) == key(b); }),
            all.end());
  return all;
}

}  // namespace

measurement_identity identity_of(const measurement_info& m) {
  measurement_identity id{m.configuration, m.taken_from.tree, {}};
  for (const override_file& file : m.taken_from.overrides) std::get<2>(id).emplace_back(file.path, file.blob);
  return id;
}

evidence unite(std::vector<evidence> parts) {
  return union_of(std::move(parts)).make();
}

result<store_totals> write_union(std::span<evidence_store* const> stores,
                                 const std::function<bool(const measurement_info&)>& keep, const std::string& path) {
  std::map<measurement_identity, mentions> measurements;
  for (evidence_store* store : stores) {
    const auto infos = store->measurements();
    if (!infos) return tl::unexpected(infos.error());
    for (const measurement_info& m : *infos)
      if (keep(m)) measurements[identity_of(m)].emplace_back(store, m.id);
  }
  const auto outcomes = unite_outcomes(stores);
  if (!outcomes) return tl::unexpected(outcomes.error());
  const auto audits = unite_audits(stores);
  if (!audits) return tl::unexpected(audits.error());

  auto written = evidence_store::open_for_writing(path);
  if (!written) return tl::unexpected(written.error());
  store_totals totals{measurements.size(), outcomes->size(), audits->size()};
  for (const auto& [id, places] : measurements)
    if (auto added = write_measurement(places, *written); !added) return tl::unexpected(added.error());
  if (auto added = written->add_outcomes(*outcomes); !added) return tl::unexpected(added.error());
  for (const audit& a : *audits)
    if (auto added = written->add_audit(a); !added) return tl::unexpected(added.error());
  return totals;
}

result<void> add_measurements(evidence_store& from, evidence_store& to) {
  const auto offered = from.measurements(), there = to.measurements();
  if (!offered || !there) return tl::unexpected(!offered ? offered.error() : there.error());
  for (const measurement_info& m : *offered) {
    const auto same = std::find_if(there->begin(), there->end(),
                                   [&](const measurement_info& other) { return identity_of(other) == identity_of(m); });
    mentions places{{&from, m.id}};
    if (same == there->end()) {
      if (auto added = write_measurement(places, to); !added) return added;
      continue;
    }
    if (same->complete) continue;
    const auto rows = from.recorded(m), rows_there = to.recorded(*same);
    if (!rows || !rows_there) return tl::unexpected(!rows ? rows.error() : rows_there.error());
    if (!m.complete && *rows == *rows_there) continue;
    places.emplace_back(&to, same->id);
    if (auto added = write_measurement(places, to, same->id); !added) return added;
  }
  return {};
}

result<store_totals> replace_by_union(const std::string& target, std::span<evidence_store* const> stores,
                                      const std::function<bool(const measurement_info&)>& keep) {
  std::error_code error;
  const fs::path real = fs::exists(target, error) ? fs::canonical(target, error) : fs::path(target);
  const std::string path = real.string() + ".new";
  for (const std::string& left : {path, path + "-journal"}) fs::remove(left, error);  // by one that was cut off
  auto totals = write_union(stores, keep, path);
  if (totals) {
    if (const auto before = fs::status(real, error); !error && fs::exists(before))
      fs::permissions(path, before.permissions(), error);
    fs::rename(path, real, error);
    if (error)
      totals = tl::unexpected(fmt::format("evidence store '{}' cannot be replaced: {}", target, error.message()));
  }
  if (!totals)
    for (const std::string& left : {path, path + "-journal"}) fs::remove(left, error);
  return totals;
}

}  // namespace morph::store
