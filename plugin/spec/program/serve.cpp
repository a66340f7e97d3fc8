// Answers questions about a pool in memory: mutants of these cases, metrics of those. A breeder asks, in another
// process.
//
//   about                 {"cases":2,"ids":[..],"origins":[[],[]],"datamorphisms":[{"name":"mid","arity":2}],
//                          "set filters":[..]}
//   mutate 99 0:1 3:4,7   {"made":[[2],[3]],"ids":[..],"origins":[[1],[4,7]]}  of datamorphism 0 on case 1, 3 on 4
//                          and 7, as long as there are fewer than 99 cases
//   measure 0 1 2         {"values":[1.5,"nan"]}         of the metrics of --by, in their order, for these cases
//   strengths 0 1 2       {"values":[1,0.5,0]}           a number for each case
//   filter 0 1 2          {"cases":[1,2]}                what all set filters of the spec leave
//   save 0 1 2            {"cases":3}                    to --out, with what they were made of
//
// Whatever else happens is {"error":".."}.
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <sstream>

#include "morph/text.hpp"
#include "plugin/spec/engine/activity.hpp"
#include "plugin/spec/engine/isolate.hpp"

namespace morph::engine {
namespace {

using members = std::vector<case_index>;

template <typename List, typename Write>
std::string list_text(const List& all, const Write& write) {
  std::string text = "[";
  for (const auto& each : all) {
    if (text.size() > 1) text += ',';
    write(text, each);
  }
  return text + "]";
}

std::string numbers_text(const std::vector<double>& all) {
  return list_text(all, [](std::string& to, double value) { text::write_floating(to, value); });
}
template <typename List>
std::string places_text(const List& all) {
  return list_text(all, [](std::string& to, case_index c) { to += std::to_string(c); });
}

class served_pool {
 public:
  served_pool(opened& at, const asked& what) : at_(at), what_(what), spec_(*at.of->spec), empty_(at.cases.cases()) {
    empty_.truncate(0);
  }

  /// An error if a name is none of a metric.
  std::string prepare() {
    std::string error;
    executer_ = executer_of(at_, what_, error);
    if (!error.empty()) return error;
    for (const std::string& name : what_.by) {
      const auto& all = spec_.set_metrics();
      const auto found = std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.name == name; });
      if (found != all.end()) {
        metrics_.push_back(static_cast<std::size_t>(found - all.begin()));
        has_outputs_ = true;
      } else if (name == "diversity") {
        metrics_.push_back(diversity);
      } else if (name == "borders") {
        metrics_.push_back(borders);
        has_outputs_ = true;
      } else {
        std::vector<std::string> names{"diversity", "borders"};
        for (const auto& each : all) names.push_back(each.name);
        const std::string alike = most_alike(name, names);
        std::string known;
        for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
        return "the spec has no set metric '" + name + "'; " +
               (alike.empty() ? "there are: " + known : "did you mean '" + alike + "'?");
      }
    }
    if (!what_.sort.empty()) {
      const auto& all = spec_.case_metrics();
      const auto found = std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.name == what_.sort; });
      if (found == all.end()) return "the spec has no case metric '" + what_.sort + "'";
      strength_ = static_cast<std::size_t>(found - all.begin());
      has_outputs_ = true;
    }
    at_.cases.work_in(nullptr, spec_.outputs_have_text() ? run_isolated : run_here);
    execute(0);
    return {};
  }

  std::string answer(const std::string& question) {
    std::istringstream words(question);
    std::string verb;
    words >> verb;
    if (verb == "about") return about();
    if (verb == "mutate") return mutate(words);
    members of;
    for (std::string word; words >> word;) {
      case_index c = 0;
      if (!into_number(c)(word).empty() || c >= at_.cases.cases().size())
        return error_text("'" + word + "' is no case of the pool");
      of.push_back(c);
    }
    std::sort(of.begin(), of.end());
    of.erase(std::unique(of.begin(), of.end()), of.end());
    if (verb == "measure") {
      std::vector<double> values;
      for (const std::size_t metric : metrics_) values.push_back(measured(metric, of));
      return problem_.empty() ? "{\"values\":" + numbers_text(values) + "}" : error_text(take_problem());
    }
    if (verb == "strengths") {
      const std::vector<double> values = strengths(of);
      return problem_.empty() ? "{\"strengths\":" + numbers_text(values) + "}" : error_text(take_problem());
    }
    if (verb == "filter") return "{\"cases\":" + places_text(filtered(of)) + "}";
    if (verb == "save") {
      at_.cases.done();
      const std::string error = save_pool(at_.cases, at_.verdicts, what_.out.empty() ? what_.pool : what_.out, &of);
      return error.empty() ? "{\"cases\":" + std::to_string(of.size()) + "}" : error_text(error);
    }
    return error_text("'" + verb + "' is no question; there are: about, mutate, measure, strengths, filter, save");
  }

  static std::string error_text(const std::string& what) {
    std::string text = "{\"error\":";
    text::write_string(text, what);
    return text + "}";
  }

 private:
  static constexpr std::size_t diversity = ~std::size_t{0}, borders = diversity - 1;
  static constexpr std::size_t most_kept_distances = 4000;  // of so many cases all are kept: 32 MB
  static constexpr std::size_t most_classes = 64;

  std::string take_problem() {
    std::string taken;
    taken.swap(problem_);
    return taken;
  }

  std::string cases_from(case_index first) const {
    const pool& cases = at_.cases.cases();
    std::string ids = "[", origins = "[";
    for (case_index c = first; c < cases.size(); ++c) {
      ids += (c == first ? "\"" : ",\"") + id_text(cases.id(c)) + "\"";
      origins += (c == first ? "" : ",") + places_text(cases.origins(c));
    }
    return "\"ids\":" + ids + "],\"origins\":" + origins + "]";
  }

  std::string about() const {
    const auto named = [](const auto& all) {
      return list_text(all, [](std::string& to, const auto& each) { text::write_string(to, each.name); });
    };
    return "{\"cases\":" + std::to_string(at_.cases.cases().size()) + "," + cases_from(0) + ",\"datamorphisms\":" +
           list_text(spec_.datamorphisms(),
                     [](std::string& to, const declared_datamorphism& d) {
                       to += "{\"name\":";
                       text::write_string(to, d.name);
                       to += ",\"arity\":" + std::to_string(d.arity) + "}";
                     }) +
           ",\"set filters\":" + named(spec_.set_filters()) + "}";
  }

  void execute(case_index first) {
    if (has_outputs_ || spec_.uses_runs()) at_.cases.execute(first, static_cast<case_index>(at_.cases.cases().size()));
  }

  std::string mutate(std::istringstream& words) {
    pool& cases = at_.cases.cases();
    const auto before = static_cast<case_index>(cases.size());
    std::vector<members> made_of;
    std::string word;
    std::size_t most = 0;
    if (!(words >> word) || !into_number(most)(word).empty())
      return error_text("mutate needs how many cases there may be, before what is to be made");
    while (words >> word) {
      const std::size_t colon = word.find(':');
      std::size_t d = 0;
      if (colon == std::string::npos || !into_number(d)(word.substr(0, colon)).empty() ||
          d >= spec_.datamorphisms().size())
        return error_text("'" + word + "' names no datamorphism by its number");
      members sources;
      std::istringstream list(word.substr(colon + 1));
      for (std::string number; std::getline(list, number, ',');) {
        case_index c = 0;
        if (!into_number(c)(number).empty() || c >= before)
          return error_text("'" + number + "' is no case of the pool");
        sources.push_back(c);
      }
      if (sources.size() != spec_.datamorphisms()[d].arity)
        return error_text("the datamorphism '" + spec_.datamorphisms()[d].name + "' takes " +
                          std::to_string(spec_.datamorphisms()[d].arity) + " cases, not " +
                          std::to_string(sources.size()));
      std::vector<made_input> made;
      std::uint64_t rejected = 0, threw = 0;
      (void)spec_.take_error();
      spec_.make_mutants(d, executer_, cases, sources.data(), 1, made, rejected, threw);
      if (const std::string error = spec_.take_error(); !error.empty())
        return error_text("the datamorphism '" + spec_.datamorphisms()[d].name + "' threw: " + error);
      members& of_this = made_of.emplace_back();
      for (const made_input& each : made) {
        const std::size_t there = cases.size();
        const case_index c =
            cases.add(spec_.type_of(d), each.input, spec_.input_id(each.input), sources.data(), sources.size());
        if (c == there && there >= most)
          cases.truncate(there);
        else
          of_this.push_back(c);
      }
    }
    execute(before);
    return "{\"made\":" + list_text(made_of, [](std::string& to, const members& each) { to += places_text(each); }) +
           "," + cases_from(before) + "}";
  }

  double distance(case_index a, case_index b) {
    const pool& cases = at_.cases.cases();
    if (a < b) std::swap(a, b);
    if (a >= most_kept_distances) return spec_.distance(cases.input(a), cases.input(b));
    const std::size_t row = std::size_t{a} * (a - 1) / 2;
    if (distances_.size() < row + a) distances_.resize(row + a, -1);
    float& kept = distances_[row + b];
    if (kept < 0) kept = static_cast<float>(spec_.distance(cases.input(a), cases.input(b)));
    return kept;
  }

  std::vector<double> nearest(const members& of) {
    std::vector<double> least(of.size(), of.size() < 2 ? 0 : std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < of.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const double apart = distance(of[i], of[j]);
        least[i] = std::min(least[i], apart);
        least[j] = std::min(least[j], apart);
      }
    return least;
  }

  /// What a run gave, as a class of outputs.
  std::uint32_t class_of(case_index c) {
    while (classes_.size() <= c) {
      const auto each = static_cast<case_index>(classes_.size());
      const input_index input = at_.cases.cases().input(each);
      const std::uint16_t operation = spec_.operation_of(at_.cases.cases().type(each));
      const ended how = spec_.how(executer_, operation, input);
      std::string text = std::to_string(operation) + " " + ended_name(how);
      if (how == ended::output)
        text += " " + (spec_.outputs_have_text() ? spec_.text_of_output(executer_, operation, input)
                                                 : spec_.show_output(executer_, operation, input));
      classes_.push_back(known_classes_.emplace(text, known_classes_.size()).first->second);
    }
    return classes_[c];
  }

  struct border {
    double apart = std::numeric_limits<double>::infinity();
    std::size_t a = 0, b = 0;  // places among the members
  };
  /// Of each pair of classes that the members have, the two cases that are nearest to each other.
  std::map<std::pair<std::uint32_t, std::uint32_t>, border> borders_of(const members& of) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, border> all;
    for (std::size_t i = 0; i < of.size() && problem_.empty(); ++i) {
      class_of(of[i]);
      if (known_classes_.size() > most_classes)
        problem_ = "borders lie between classes of outputs, and there are more than " + std::to_string(most_classes) +
                   " different outputs; breed towards another metric";
    }
    for (std::size_t i = 0; i < of.size() && problem_.empty(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const std::uint32_t a = class_of(of[i]), b = class_of(of[j]);
        if (a == b) continue;
        border& best = all[{std::min(a, b), std::max(a, b)}];
        if (const double apart = distance(of[i], of[j]); apart < best.apart) best = {apart, i, j};
      }
    return all;
  }

  /// The cases alone, as a pool, and where each is in it. What they were made of is in it as far as it is among them.
  struct part_of_pool {
    pool cases;
    std::map<case_index, case_index> places;
  };
  part_of_pool pool_of(const members& of) {
    const pool& cases = at_.cases.cases();
    part_of_pool made{empty_, {}};
    for (const case_index c : of) {
      members origins;
      for (const case_index origin : cases.origins(c))
        if (const auto found = made.places.find(origin); found != made.places.end()) origins.push_back(found->second);
      made.places[c] =
          made.cases.add(cases.type(c), cases.input(c), spec_.input_id(cases.input(c)), origins.data(), origins.size());
    }
    spec_.forget_nearest();
    return made;
  }

  double measured(std::size_t metric, const members& of) {
    if (metric == diversity) {
      double sum = 0;
      for (const double apart : nearest(of)) sum += apart;
      return of.size() < 2 ? 0 : sum / static_cast<double>(of.size());
    }
    if (metric == borders) {
      double sum = 0;
      for (const auto& each : borders_of(of)) sum += 1 / (1 + each.second.apart);
      return sum;
    }
    return spec_.set_metric(metric, executer_, pool_of(of).cases);
  }

  std::vector<double> strengths(const members& of) {
    std::vector<double> values(of.size(), 0);
    if (strength_) {
      const part_of_pool part = pool_of(of);
      for (std::size_t i = 0; i < of.size(); ++i)
        values[i] = spec_.case_metric(*strength_, executer_, part.cases, part.places.at(of[i]));
      return values;
    }
    for (const std::size_t metric : metrics_) {
      if (metric == diversity) {
        const std::vector<double> apart = nearest(of);
        for (std::size_t i = 0; i < of.size(); ++i) values[i] += apart[i];
      } else if (metric == borders) {
        for (const auto& each : borders_of(of)) {
          values[each.second.a] += 1 / (1 + each.second.apart);
          values[each.second.b] += 1 / (1 + each.second.apart);
        }
      }
    }
    return values;
  }

  members filtered(const members& of) {
    members left = of;
    for (std::size_t f = 0; f < spec_.set_filters().size(); ++f) {
      const part_of_pool part = pool_of(left);
      std::vector<bool> stays(part.cases.size(), false);
      for (const case_index c : spec_.set_filter(f, executer_, part.cases))
        if (c < stays.size()) stays[c] = true;
      members kept;
      for (const case_index c : left)
        if (stays[part.places.at(c)]) kept.push_back(c);
      left = std::move(kept);
    }
    return left;
  }

  opened& at_;
  const asked& what_;
  spec_base& spec_;
  pool empty_;
  std::uint16_t executer_ = 0;
  std::vector<std::size_t> metrics_;
  std::optional<std::size_t> strength_;
  bool has_outputs_ = false;  // somebody looks at them
  std::string problem_;
  std::vector<float> distances_;  // of case a to b < a at a(a-1)/2 + b; below 0: not known yet
  std::vector<std::uint32_t> classes_;
  std::map<std::string, std::uint32_t> known_classes_;
};

}  // namespace

int serve(opened& at, const asked& what) {
  // What the code under test prints is no answer, and what it reads no question.
  std::fflush(stdout);
  const int to = ::dup(1), from = ::dup(0), nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  std::FILE* const answers = ::dup2(2, 1) < 0 ? nullptr : ::fdopen(to, "w");
  std::FILE* const questions = ::dup2(nothing, 0) < 0 ? nullptr : ::fdopen(from, "r");
  if (answers == nullptr || questions == nullptr)
    return complain(environment, "the standard input and output cannot be kept for questions and answers");
  served_pool served(at, what);
  if (const std::string error = served.prepare(); !error.empty()) {
    std::fputs((served_pool::error_text(error) + "\n").c_str(), answers);
    std::fclose(answers);
    return usage;
  }
  std::string question;
  for (int c = std::fgetc(questions); c != EOF; c = std::fgetc(questions)) {
    if (c != '\n') {
      question += static_cast<char>(c);
      continue;
    }
    std::string said;
    try {
      said = served.answer(question);
    } catch (const std::exception& error) {
      said = served_pool::error_text(std::string("what the spec declares threw: ") + error.what());
    }
    std::fputs((said + "\n").c_str(), answers);
    std::fflush(answers);
    question.clear();
  }
  std::fclose(answers);
  return fine;
}

}  // namespace morph::engine
