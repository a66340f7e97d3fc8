// The updates of test profiles.
#include "plugin/spec/adaptive/profile.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "plugin/spec/engine/number_text.hpp"

namespace morph::engine {
namespace {

/// All but those of which `p` is 0 already lose it; the sum of what is left.
double take_from_all(probabilities& p, double taken) {
  double left = 0;
  for (double& each : p) each = std::max(0.0, each - taken);
  for (const double each : p) left += each;
  return left;
}

std::string listed(const std::vector<std::string>& names) {
  std::string all;
  for (std::size_t i = 0; i < names.size() && i < 10; ++i) all += (i == 0 ? "" : ", ") + names[i];
  return names.size() > 10 ? all + ", ..." : all;
}

}  // namespace

void reward(probabilities& p, std::size_t i, double taken) {
  if (p.size() < 2) return;
  p[i] = 0;
  p[i] = std::max(0.0, 1 - take_from_all(p, taken));  // rounding may leave a little less than 0
}

void punish(probabilities& p, std::size_t i, double delta) {
  if (p.size() < 2) return;
  const double left = std::max(0.0, p[i] - delta);
  // The papers print p'_i here where p_i < delta, which is 0 then, so that mass is lost.
  const double given = (p[i] - left) / static_cast<double>(p.size() - 1);
  for (double& each : p) each += given;
  p[i] = left;
}

void reward(probabilities& p, std::size_t source, std::size_t follow_up, double taken) {
  if (source == follow_up) return reward(p, source, taken);
  if (p.size() < 3) return;
  const double of_source = p[source], of_follow_up = p[follow_up];
  p[source] = p[follow_up] = 0;
  const double gained = std::max(0.0, 1 - take_from_all(p, taken) - of_source - of_follow_up) / 2;
  p[source] = of_source + gained;
  p[follow_up] = of_follow_up + gained;
}

void punish(probabilities& p, std::size_t source, std::size_t follow_up, double delta) {
  if (source == follow_up) return punish(p, source, delta);
  if (p.size() < 3) return;
  const double of_source = std::max(0.0, p[source] - delta), of_follow_up = std::max(0.0, p[follow_up] - delta);
  const double given = (p[source] - of_source + p[follow_up] - of_follow_up) / static_cast<double>(p.size() - 2);
  for (double& each : p) each += given;
  p[source] = of_source;
  p[follow_up] = of_follow_up;
}

void stay(probabilities& row, std::size_t i, double gamma) {
  if (row.size() < 2) return;
  const double taken = gamma * row[i] / static_cast<double>(row.size() - 1);
  row[i] = 0;
  double others = 0;
  for (double& each : row) each = each > taken ? each - taken : each;
  for (const double each : row) others += each;
  row[i] = std::max(0.0, 1 - others);
}

void leave(probabilities& row, std::size_t i, double tau) {
  if (row.size() < 2) return;
  const double part = tau / static_cast<double>(row.size() - 1);
  const double given = part * (1 - row[i]);
  if (row[i] <= given) return;
  const double left = row[i] - given;
  for (double& each : row) each *= 1 + part;
  row[i] = left;
}

profile::profile(profile_rule rule, parameters with, probabilities start, std::vector<std::uint64_t> bounds)
    : rule_(rule), with_(with), p_(std::move(start)), bounds_(std::move(bounds)) {
  if (rule_ == profile_rule::mapt) rows_.assign(p_.size(), p_);
  if (rule_ == profile_rule::rapt) {
    rewards_.assign(p_.size(), 0);
    punishments_.assign(p_.size(), 0);
  }
}

std::size_t profile::draw(random_source& random) {
  if (holds_) return held_;
  const probabilities& p = now();
  if (with_.floor > 0 && random.unit() < with_.floor) return random.below(p.size());
  double left = random.unit();
  std::size_t last = 0;  // that has a probability, where rounding leaves a little
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] <= 0) continue;
    last = i;
    left -= p[i];
    if (left < 0) break;
  }
  return last;
}

void profile::update(const tested& what) {
  const auto others = static_cast<double>(p_.size() - 1);
  switch (rule_) {
    case profile_rule::fixed:
      return;
    case profile_rule::drt:
    case profile_rule::mdrt:
      if (what.source == what.follow_up) {
        if (what.violated)
          reward(p_, what.source, with_.epsilon / others);
        else
          punish(p_, what.source, with_.delta);
      } else if (rule_ == profile_rule::mdrt) {
        if (what.violated)
          reward(p_, what.source, what.follow_up, 2 * with_.epsilon / (others - 1));
        else
          punish(p_, what.source, what.follow_up, with_.delta);
      }
      return;
    case profile_rule::mapt:
      last_ = what.source;
      for (const std::size_t i : {what.source, what.follow_up}) {
        if (what.violated)
          stay(rows_[i], i, with_.gamma);
        else
          leave(rows_[i], i, with_.tau);
        if (what.source == what.follow_up) break;
      }
      return;
    case profile_rule::rapt:
      return update_rapt(what);
  }
}

void profile::update_rapt(const tested& what) {
  const std::size_t i = what.source;
  if (what.violated) {
    ++rewards_[i];
    punishments_[i] = 0;
    last_hit_ = what.follow_up;
    held_ = i;
    holds_ = true;
    return;
  }
  holds_ = false;
  ++punishments_[i];
  const auto others = static_cast<double>(p_.size() - 1);
  if (rewards_[i] != 0) {
    const double grown = (1 + std::log(static_cast<double>(rewards_[i]))) * with_.epsilon;
    reward(p_, i, last_hit_, grown / (i == last_hit_ ? others : others - 1));
    rewards_[i] = 0;
    return;
  }
  const bool exhausted = i < bounds_.size() && punishments_[i] == bounds_[i];
  if (exhausted)
    punish(p_, i, p_[i]);
  else
    punish(p_, i, what.follow_up, with_.delta);
}

std::string problem_of(const probabilities& p, const std::vector<std::string>& names) {
  if (p.size() != names.size())
    return "the profile has " + std::to_string(p.size()) + (p.size() == 1 ? " number" : " numbers") +
           ", and there are " + std::to_string(names.size()) + " partitions: " + listed(names);
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!(p[i] >= 0 && p[i] <= 1))
      return "the profile gives '" + names[i] + "' the probability " + number_text(p[i], "%.9g") +
             "; it has to be from 0 to 1";
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  if (std::abs(sum - 1) > 1e-6)
    return "the profile sums to " + number_text(sum, "%.9g") + "; its numbers have to sum to 1";
  return {};
}

std::string problem_of(const parameters& with) {
  const auto wrong = [](const char* name, double value, const char* rule) {
    return std::string(name) + " is " + number_text(value, "%.9g") + "; it has to be " + rule;
  };
  if (!(with.epsilon > 0 && with.epsilon < 1)) return wrong("epsilon", with.epsilon, "above 0 and below 1");
  if (!(with.delta >= 0 && with.delta < 1)) return wrong("delta", with.delta, "from 0 to below 1");
  if (!(with.gamma > 0 && with.gamma < 1)) return wrong("gamma", with.gamma, "above 0 and below 1");
  if (!(with.tau > 0 && with.tau < 1)) return wrong("tau", with.tau, "above 0 and below 1");
  if (!(with.floor >= 0 && with.floor <= 1)) return wrong("floor", with.floor, "from 0 to 1");
  return {};
}

}  // namespace morph::engine
