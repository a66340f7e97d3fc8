// Reading and writing saved pools.
#include "plugin/spec/engine/pool_file.hpp"

#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>

#include "morph/text.hpp"

namespace morph::engine {
namespace {

struct run_line {
  std::string executer;
  std::optional<std::string> out;
  std::string how, error;
  std::vector<std::pair<std::string, std::string>> verdicts;
};

struct case_line {
  std::string id, by, in;
  std::optional<std::string> expected;
  std::vector<std::string> from;
  std::vector<run_line> runs;
  std::string head_spec;
  int version = 0;  // of a head
};

bool read_run(text::reader& from, run_line& to, std::string& error) {
  if (!from.take('{')) return false;
  std::string name;
  do {
    if (!from.name(name) || !from.take(':')) return false;
    if (name == "executer") {
      if (!from.name(to.executer)) return false;
    } else if (name == "out") {
      to.out = std::string(from.value());
      if (to.out->empty()) return false;
    } else if (name == "how") {
      if (!from.name(to.how)) return false;
    } else if (name == "error") {
      if (!from.string(to.error)) return false;
    } else if (name == "verdicts") {
      if (!from.take('{')) return false;
      if (from.take_if('}')) continue;
      do {
        std::string relation, found;
        if (!from.name(relation) || !from.take(':') || !from.name(found)) return false;
        to.verdicts.emplace_back(relation, found);
      } while (from.take_if(','));
      if (!from.take('}')) return false;
    } else {
      return error = "a run has no field '" + name + "'; this version knows executer, out, how, error, verdicts", false;
    }
  } while (from.take_if(','));
  return from.take('}');
}

bool read_line(const std::string& line, case_line& to, std::string& error) {
  text::reader from(line);
  const auto good = [&] {
    if (!from.take('{')) return false;
    std::string name;
    do {
      if (!from.name(name) || !from.take(':')) return false;
      if (name == "id") {
        if (!from.name(to.id)) return false;
      } else if (name == "by") {
        if (!from.name(to.by)) return false;
      } else if (name == "in") {
        to.in = std::string(from.value());
        if (to.in.empty()) return false;
      } else if (name == "expected") {
        to.expected = std::string(from.value());
        if (to.expected->empty()) return false;
      } else if (name == "from") {
        if (!from.take('[')) return false;
        if (from.take_if(']')) continue;
        do {
          if (!from.name(to.from.emplace_back())) return false;
        } while (from.take_if(','));
        if (!from.take(']')) return false;
      } else if (name == "runs") {
        if (!from.take('[')) return false;
        if (from.take_if(']')) continue;
        do {
          if (!read_run(from, to.runs.emplace_back(), error)) return false;
        } while (from.take_if(','));
        if (!from.take(']')) return false;
      } else if (name == "morph") {
        std::string what;
        if (!from.name(what)) return false;
        if (to.version == 0) to.version = -1;
      } else if (name == "version") {
        if (!text::read_number(from, to.version)) return false;
      } else if (name == "spec") {
        if (!from.name(to.head_spec)) return false;
      } else {
        return error = "the field '" + name +
                       "' is unknown; this version knows id, by, from, in, expected, runs. Was the pool written by a "
                       "newer version of Morph?",
               false;
      }
    } while (from.take_if(','));
    return from.take('}') && from.end();
  }();
  if (!good && error.empty()) error = from.error();
  return good;
}

verdict verdict_of_name(const std::string& name, bool& known) {
  known = true;
  for (const verdict v : {verdict::pass, verdict::fail, verdict::not_applicable})
    if (name == verdict_name(v)) return v;
  known = false;
  return verdict::not_applicable;
}

/// Sets how the case ran by each executer, and what was said of it.
std::string take_runs(session& to, verdict_table& verdicts, const case_line& line, case_index at,
                      std::set<std::string>& dropped) {
  spec_base& spec = to.spec();
  const std::uint16_t operation = spec.operation_of(to.cases().type(at));
  for (const run_line& run : line.runs) {
    const auto& executers = spec.executers();
    const auto found =
        std::find_if(executers.begin(), executers.end(), [&](const auto& e) { return e.name == run.executer; });
    if (found == executers.end()) {
      dropped.insert("runs of the executer '" + run.executer + "', which the spec does not have");
      continue;
    }
    const auto executer = static_cast<std::uint16_t>(found - executers.begin());
    if (run.out) {
      const std::string error = spec.set_outcome(executer, operation, to.cases().input(at), ended::output, *run.out);
      if (!error.empty()) return "'out' is no output of this spec: " + error;
    } else if (!run.how.empty()) {
      bool known = false;
      for (const ended how : {ended::exception, ended::crash, ended::timeout})
        if (run.how == ended_name(how)) {
          known = true;
          (void)spec.set_outcome(executer, operation, to.cases().input(at), how, run.error);
        }
      if (!known) return "'how' is '" + run.how + "'; there are exception, crash, timeout";
    }
    for (const auto& said : run.verdicts) {
      const std::string& relation = said.first;  // Clang 14 captures no structured binding
      const std::string& name = said.second;
      bool known = false;
      const verdict v = verdict_of_name(name, known);
      if (!known) return "the verdict '" + name + "' is unknown; there are pass, fail, n/a";
      const auto& checks = to.checks();
      const auto check = std::find_if(checks.begin(), checks.end(), [&](const auto& c) { return c.name == relation; });
      if (check == checks.end())
        dropped.insert("verdicts of the relation '" + relation + "', which the spec does not have");
      else
        verdicts.set(at, executer, static_cast<std::size_t>(check - checks.begin()), v);
    }
  }
  return {};
}

}  // namespace

const char* verdict_name(verdict v) {
  return v == verdict::pass ? "pass" : v == verdict::fail ? "fail" : "n/a";
}

const char* ended_name(ended how) {
  switch (how) {
    case ended::output:
      return "output";
    case ended::exception:
      return "exception";
    case ended::crash:
      return "crash";
    case ended::timeout:
      return "timeout";
    case ended::not_run:
      break;
  }
  return "not run";
}

void verdict_table::set(case_index which, std::uint16_t executer, std::size_t check, verdict found) {
  auto& row = all_[{which, executer}];
  const auto at = std::find_if(row.begin(), row.end(), [&](const auto& each) { return each.first == check; });
  if (at == row.end()) {
    row.emplace_back(check, found);
  } else if (at->second != verdict::fail) {
    at->second = found == verdict::not_applicable ? at->second : found;  // of several rules of a relation
  }
}

const std::vector<std::pair<std::size_t, verdict>>& verdict_table::of(case_index which, std::uint16_t executer) const {
  static const std::vector<std::pair<std::size_t, verdict>> none;
  const auto at = all_.find({which, executer});
  return at == all_.end() ? none : at->second;
}

loaded_pool load_pool(session& to, verdict_table& verdicts, const std::string& file, bool of_any_spec,
                      bool as_written) {
  loaded_pool result;
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    result.error = "'" + file + "' cannot be read: " + std::strerror(errno);
    return result;
  }
  std::set<std::string> dropped;
  std::map<std::string, case_index> by_id;
  std::string text;
  std::size_t number = 0, edited = 0, of_no_list = 0;
  const auto fail = [&](const std::string& what) {
    result.error = file + ":" + std::to_string(number) + ": " + what;
    return result;
  };
  while (std::getline(in, text)) {
    ++number;
    const bool cut = in.eof();  // the last line has no newline
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    case_line line;
    std::string error;
    if (!read_line(text, line, error)) {
      if (cut)
        return fail("the line is cut off (" + error +
                    "); the file was not written to its end. Remove the line to go on with the " +
                    std::to_string(to.cases().size()) + " cases before it");
      return fail(error);
    }
    if (line.version != 0) {
      if (line.version != pool_version)
        return fail("the pool has version " + std::to_string(line.version) + "; this Morph reads version " +
                    std::to_string(pool_version));
      if (!of_any_spec && !line.head_spec.empty() && line.head_spec != to.spec().name())
        return fail("the pool is of the spec '" + line.head_spec + "', not of '" + to.spec().name() +
                    "'; --any-spec takes it if both declare the same");
      continue;
    }
    if (line.in.empty()) return fail("'in', the input, is missing");
    const input_index input = to.spec().read_input(line.in, error);
    if (input == nowhere) return fail("'in' is no input of this spec: " + error);
    std::vector<case_index> origins;
    for (const std::string& id : line.from) {
      const auto origin = by_id.find(id);
      if (origin == by_id.end())
        return fail("the origin '" + id +
                    "' is not in the pool, or comes later; cases stand behind what they were made from");
      origins.push_back(origin->second);
    }
    type_index type = 0;
    if (origins.empty()) {
      const auto& all = to.spec().makers();
      const auto maker = std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.name == line.by; });
      if (maker != all.end()) type = static_cast<type_index>(maker - all.begin());
      if (maker == all.end() && !line.by.empty()) {
        if (as_written) return fail("the spec has no list of seeds '" + line.by + "', which made this case");
        ++of_no_list;
      }
    } else {
      const auto& all = to.spec().datamorphisms();
      const auto at = std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.name == line.by; });
      if (at == all.end()) return fail("the spec has no datamorphism '" + line.by + "', which made this case");
      if (at->arity != origins.size())
        return fail("the datamorphism '" + line.by + "' takes " + std::to_string(at->arity) + " origins, not " +
                    std::to_string(origins.size()));
      type = to.spec().type_of(static_cast<std::size_t>(at - all.begin()));
    }
    const std::size_t before = to.cases().size();
    const case_index at = to.cases().add(type, input, to.spec().input_id(input), origins.data(), origins.size());
    if (as_written && to.cases().size() == before)
      return fail("the case " + id_text(to.cases().id(at)) + " stands here a second time; remove one");
    const std::string id = id_text(to.cases().id(at));
    by_id[id] = at;
    if (!line.id.empty()) by_id[line.id] = at;
    if (line.expected) {
      const std::uint32_t label = to.spec().read_label(*line.expected, error);
      if (label == nowhere) return fail("'expected' is no output of this spec: " + error);
      to.set_label(at, label);
    }
    if (as_written && !line.id.empty() && line.id != id)
      return fail("the case has the id " + id + ", not '" + line.id + "'; if the line was edited, give it that id");
    if (!line.id.empty() && line.id != id) {
      ++edited;
      continue;
    }
    if (error = take_runs(to, verdicts, line, at, dropped); !error.empty()) return fail(error);
  }
  if (edited > 0)
    result.warnings.push_back(std::to_string(edited) + (edited == 1 ? " case was" : " cases were") +
                              " edited; their runs and verdicts are dropped");
  if (of_no_list > 0)
    result.warnings.push_back(std::to_string(of_no_list) + (of_no_list == 1 ? " seed was" : " seeds were") +
                              " made by lists that the spec does not have, and count as of its first list");
  for (const std::string& each : dropped) result.warnings.push_back(each + ", are dropped");
  return result;
}

std::string spec_of_pool(const std::string& file, std::string& spec) {
  std::ifstream in(file, std::ios::binary);
  std::string line, error;
  if (!in || !std::getline(in, line)) return "'" + file + "' cannot be read: it is not there, or empty";
  case_line head;
  if (!read_line(line, head, error)) return file + ":1: " + error;
  spec = head.head_spec;
  return {};
}

std::string pool_line(session& from, const verdict_table& verdicts, case_index which) {
  spec_base& spec = from.spec();
  const pool& cases = from.cases();
  std::string to = "{\"id\":\"" + id_text(cases.id(which)) + "\",\"by\":";
  text::write_string(to, spec.type_name(cases.type(which)));
  if (cases.origins(which).size() > 0) {
    to += ",\"from\":[";
    for (std::size_t i = 0; i < cases.origins(which).size(); ++i)
      to += (i == 0 ? "\"" : ",\"") + id_text(cases.id(cases.origins(which)[i])) + "\"";
    to += ']';
  }
  to += ",\"in\":" + spec.text_of_input(cases.input(which));
  if (cases.order(which) == 0 && from.label_of(which) != nowhere)
    to += ",\"expected\":" + spec.text_of_label(from.label_of(which));
  std::string runs;
  const std::uint16_t operation = spec.operation_of(cases.type(which));
  for (std::uint16_t e = 0; e < spec.executers().size(); ++e) {
    const ended how = spec.how(e, operation, cases.input(which));
    const auto& said = verdicts.of(which, e);
    if (how == ended::not_run && said.empty()) continue;
    runs += runs.empty() ? "{\"executer\":" : ",{\"executer\":";
    text::write_string(runs, spec.executers()[e].name);
    if (how == ended::output && spec.outputs_have_text()) {
      runs += ",\"out\":" + spec.text_of_output(e, operation, cases.input(which));
    } else if (how != ended::not_run && how != ended::output) {
      runs += std::string(",\"how\":\"") + ended_name(how) + "\",\"error\":";
      text::write_string(runs, spec.error(e, operation, cases.input(which)));
    }
    if (!said.empty()) {
      runs += ",\"verdicts\":{";
      for (std::size_t i = 0; i < said.size(); ++i) {
        if (i > 0) runs += ',';
        text::write_string(runs, from.checks()[said[i].first].name);
        runs += std::string(":\"") + verdict_name(said[i].second) + "\"";
      }
      runs += '}';
    }
    runs += '}';
  }
  if (!runs.empty()) to += ",\"runs\":[" + runs + "]";
  return to + "}";
}

std::string save_pool(session& from, const verdict_table& verdicts, const std::string& file,
                      const std::vector<case_index>* only) {
  std::vector<bool> wanted(from.cases().size(), only == nullptr);
  if (only != nullptr) {
    for (const case_index c : *only) wanted[c] = true;
    // Origins come before what is made of them.
    for (std::size_t c = wanted.size(); c-- > 0;)
      if (wanted[c])
        for (const case_index origin : from.cases().origins(static_cast<case_index>(c))) wanted[origin] = true;
  }
  const std::string beside = file + ".new";
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  std::string head = "{\"morph\":\"pool\",\"version\":" + std::to_string(pool_version) + ",\"spec\":";
  text::write_string(head, from.spec().name());
  out << head << "}\n";
  for (std::size_t c = 0; c < wanted.size(); ++c)
    if (wanted[c]) out << pool_line(from, verdicts, static_cast<case_index>(c)) << '\n';
  out.close();
  if (!out) return "'" + beside + "' cannot be written: " + std::strerror(errno);
  if (::rename(beside.c_str(), file.c_str()) != 0) return "'" + file + "' cannot be replaced: " + std::strerror(errno);
  return {};
}

}  // namespace morph::engine
