// Partitions: which there are, and where an input lies.
#include "plugin/spec/engine/partitions.hpp"

#include <algorithm>
#include <set>

#include "plugin/spec/engine/arguments.hpp"

namespace morph::engine {
namespace {

/// Those of partitions() decide alone, where there are some.
std::vector<std::size_t> deciding(const spec_base& spec) {
  const auto& all = spec.categories();
  std::vector<std::size_t> made;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all[c].name.empty()) return {c};
    made.push_back(c);
  }
  return made;
}

std::string named(const declared_category& category) {
  return category.name.empty() ? std::string("the partitions") : "the category '" + category.name + "'";
}

/// Whether an input has a choice; else the error of a predicate that threw, if it did.
bool holds(const spec_base& spec, std::size_t category, std::size_t choice, input_index in, std::string& error) {
  std::string what = "an exception that is no std::exception";
  try {
    return spec.has_choice(category, choice, in);
  } catch (const std::exception& thrown) {
    what = thrown.what();
  } catch (...) {
  }
  const declared_category& of = spec.categories()[category];
  error = (of.name.empty() ? "the partition '" : "the category '" + of.name + "', choice '") + of.choices[choice] +
          "' threw for the input " + spec.show_input(in) + ": " + what;
  return false;
}

std::string unknown_choice(const spec_base& spec, const std::string& category, const std::string& choice) {
  std::vector<std::string> categories;
  for (const declared_category& each : spec.categories()) {
    if (!each.name.empty()) categories.push_back(each.name);
    if (each.name != category || category.empty()) continue;
    if (std::find(each.choices.begin(), each.choices.end(), choice) != each.choices.end()) return {};
    const std::string alike = most_alike(choice, each.choices);
    return "the category '" + category + "' has no choice '" + choice + "'" +
           (alike.empty() ? "" : "; did you mean '" + alike + "'?");
  }
  const std::string alike = most_alike(category, categories);
  return "there is no category '" + category + "'" + (alike.empty() ? "" : "; did you mean '" + alike + "'?");
}

}  // namespace

std::string problem_of_partitions(const spec_base& spec) {
  std::set<std::string> seen;
  if (spec.categories().size() > most_categories)
    return "it has " + std::to_string(spec.categories().size()) + " categories; " + std::to_string(most_categories) +
           " are the most";
  for (const declared_category& each : spec.categories()) {
    if (!seen.insert(each.name).second)
      return each.name.empty() ? "it declares partitions twice; put them into one list"
                               : "two categories are named '" + each.name + "'; rename one";
    if (each.choices.empty() || each.choices.size() > 0xffff)
      return named(each) + (each.name.empty() ? " have " : " has ") + std::to_string(each.choices.size()) +
             " choices; from 1 to 65,535 are possible";
    std::set<std::string> choices;
    for (const std::string& choice : each.choices) {
      if (choice.empty()) return named(each) + (each.name.empty() ? " have" : " has") + " a choice without a name";
      if (!choices.insert(choice).second)
        return "two choices of " + named(each) + " are named '" + choice + "'; rename one";
    }
  }
  for (const declared_exclusion& each : spec.exclusions()) {
    std::string error = unknown_choice(spec, each.category, each.choice);
    if (error.empty()) error = unknown_choice(spec, each.other_category, each.other_choice);
    if (error.empty() && each.category == each.other_category)
      error = "two choices of one category, '" + each.category + "', exclude each other anyway";
    if (!error.empty()) return "exclude(): " + error;
  }
  std::size_t frames = 1;
  for (const std::size_t c : deciding(spec)) {
    frames *= spec.categories()[c].choices.size();
    if (frames > most_frames)
      return "its categories have more than " + std::to_string(most_frames) +
             " frames; declare fewer, or say what the partitions are: s.partitions(...)";
  }
  if (!spec.categories().empty() && partitioning(spec).size() == 0) return "its exclusions leave no frame";
  return {};
}

partitioning::partitioning(const spec_base& spec) : spec_(&spec), of_partition_(deciding(spec)) {
  const auto& categories = spec.categories();
  for (const declared_exclusion& each : spec.exclusions()) {
    excluded_pair made{};
    for (std::uint16_t c = 0; c < categories.size(); ++c)
      for (std::uint16_t choice = 0; choice < categories[c].choices.size(); ++choice) {
        if (categories[c].name == each.category && categories[c].choices[choice] == each.choice) made.one = {c, choice};
        if (categories[c].name == each.other_category && categories[c].choices[choice] == each.other_choice)
          made.other = {c, choice};
      }
    excluded_.push_back(made);
  }
  if (of_partition_.empty()) {
    names_.emplace_back("all inputs");
    frames_.push_back(0);
    return;
  }
  placed frame;
  for (;;) {
    std::string name;
    for (const std::size_t c : of_partition_)
      name += (name.empty() ? "" : ", ") + (categories[c].name.empty() ? "" : categories[c].name + "=") +
              categories[c].choices[frame.choices[c]];
    // What partitions do not go by is no part of a frame.
    const bool is_one = excluded_in(frame, of_partition_) == nullptr;
    frames_.push_back(is_one ? static_cast<std::uint32_t>(names_.size()) : nowhere);
    if (is_one) names_.push_back(std::move(name));
    // The last category counts fastest.
    std::size_t at = of_partition_.size();
    for (; at > 0; --at) {
      const std::size_t c = of_partition_[at - 1];
      if (++frame.choices[c] < categories[c].choices.size()) break;
      frame.choices[c] = 0;
    }
    if (at == 0) return;
  }
}

const partitioning::excluded_pair* partitioning::excluded_in(const placed& where,
                                                             const std::vector<std::size_t>& categories) const {
  const auto counts = [&](std::uint16_t c) {
    return std::find(categories.begin(), categories.end(), c) != categories.end();
  };
  for (const excluded_pair& each : excluded_)
    if (counts(each.one.category) && counts(each.other.category) &&
        where.choices[each.one.category] == each.one.choice && where.choices[each.other.category] == each.other.choice)
      return &each;
  return nullptr;
}

std::string partitioning::place(input_index in, placed& to) const {
  const auto& categories = spec_->categories();
  for (std::size_t c = 0; c < categories.size(); ++c) {
    const bool by_name = !categories[c].name.empty();
    std::size_t found = categories[c].choices.size();
    for (std::size_t choice = 0; choice < categories[c].choices.size(); ++choice) {
      std::string error;
      if (!holds(*spec_, c, choice, in, error)) {
        if (!error.empty()) return error;
        continue;
      }
      if (found != categories[c].choices.size())
        return "the input " + spec_->show_input(in) +
               (by_name ? " has two choices of the category '" + categories[c].name + "'" : " lies in two partitions") +
               ": '" + categories[c].choices[found] + "' and '" + categories[c].choices[choice] +
               "'; let one leave out what is of the other";
      found = choice;
    }
    if (found == categories[c].choices.size())
      return "the input " + spec_->show_input(in) +
             (by_name ? " has no choice of the category '" + categories[c].name + "'" : " lies in no partition") +
             "; add one for what is left";
    to.choices[c] = static_cast<std::uint16_t>(found);
  }
  for (const excluded_pair& each : excluded_)
    if (to.choices[each.one.category] == each.one.choice && to.choices[each.other.category] == each.other.choice)
      return "the input " + spec_->show_input(in) + " is '" + categories[each.one.category].choices[each.one.choice] +
             "' of '" + categories[each.one.category].name + "' and '" +
             categories[each.other.category].choices[each.other.choice] + "' of '" +
             categories[each.other.category].name + "', of which exclude() says that no input is both";
  std::size_t frame = 0;
  for (const std::size_t c : of_partition_) frame = frame * categories[c].choices.size() + to.choices[c];
  to.partition = frames_[frame];
  return {};
}

unsigned partitioning::difference(const placed& a, const placed& b) const {
  unsigned number = 0;
  for (std::size_t c = 0; c < spec_->categories().size(); ++c) number += a.choices[c] != b.choices[c] ? 1 : 0;
  return number;
}

}  // namespace morph::engine
