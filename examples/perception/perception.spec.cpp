// Four recognisers of objects, and what they should make of images that were changed: inputs are files.
#include <cstdio>
#include <map>
#include <morph/morph.hpp>

#include "recognisers.hpp"

using perception::image_pair;

namespace {

constexpr int objects = 20;

/// Of the mutants, by what made them.
struct row {
  int cases = 0, recognised = 0;
  double sum = 0, least = 2, most = -1;
};

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

}  // namespace

MORPH_SPEC(perception, image_pair, double, s) {
  s.execute("pixels", perception::by_pixels).thread_safe();
  s.execute("moments", perception::by_moments).thread_safe();
  s.execute("search", perception::by_search).thread_safe();
  s.execute_command("histogram", PERCEPTION_HISTOGRAM " {}");

  s.seeds("same object", [] {
    std::vector<image_pair> made;
    for (int i = 0; i < objects; ++i) made.push_back({perception::object_file(i), perception::object_file(i)});
    return made;
  });
  s.seeds("different objects", [](morph::random_source& random) {
    std::vector<image_pair> made;
    for (int i = 0; i < objects; ++i) {
      const int other = (i + 1 + static_cast<int>(random.below(objects - 1))) % objects;
      made.push_back({perception::object_file(i), perception::object_file(other)});
    }
    return made;
  });

  const auto is_same = [](const image_pair& pair) {
    return perception::object_of(pair.target) == perception::object_of(pair.subject);
  };
  s.relation(
      "an object is itself", morph::seeds, [=](auto& c) { return is_same(c.input); },
      [](auto& c) { return c.output > 0.999; });
  for (const perception::change& each : perception::all_changes()) {
    const auto changed = s.datamorph(each.name, [&each](const image_pair& pair) {
      return image_pair{pair.target, perception::changed_file(pair.subject, each)};
    });
    s.relation(
        "an object that is recognised is recognised when it is changed", changed,
        [=](auto&, auto& o) { return is_same(o.input) && o.output >= 0.5; },
        [](auto& m, auto&) { return m.output >= 0.5; });
    s.relation(
        "objects that are told apart are told apart when one is changed", changed,
        [=](auto&, auto& o) { return !is_same(o.input) && o.output < 0.5; },
        [](auto& m, auto&) { return m.output < 0.5; });
  }

  s.analyser("similarity", [](auto& pool) {
    std::map<std::string, row> rows;
    for (const auto& c : pool) {
      if (!c.has_output()) continue;
      row& to = rows[c.is_seed() ? "(none)" : c.type()];
      ++to.cases, to.sum += c.output, to.recognised += c.output >= 0.5 ? 1 : 0;
      to.least = std::min(to.least, c.output), to.most = std::max(to.most, c.output);
    }
    morph::analysis made{
        "similarity by datamorphism", {"changed by", "cases", "mean", "least", "most", "same"}, {}, ""};
    for (const auto& [name, of] : rows)
      made.rows.push_back({name, std::to_string(of.cases), digits(of.sum / of.cases), digits(of.least), digits(of.most),
                           std::to_string(of.recognised)});
    return made;
  });
  s.analyser("rows", [](auto& pool) {
    morph::analysis made{"every case", {"target", "subject", "changed by", "similarity"}, {}, ""};
    for (const auto& c : pool)
      made.rows.push_back({c.input.target, c.input.subject, c.is_seed() ? "" : c.type(), digits(c.output)});
    return made;
  });
}
