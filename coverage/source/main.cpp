// morph-source: reads translation units for `morph mutate` and `morph generate`, and headers for `morph spec new`.
// Given the file of a JSON job, writes a line of JSON a unit, in any order. A program of its own: Clang takes 40 ms to
// load, and may crash; each worker is a process.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <new>
#include <nlohmann/json.hpp>

#include "coverage/mutation/places_json.hpp"
#include "coverage/source/access/access.hpp"
#include "coverage/source/branches/branches.hpp"
#include "coverage/source/clang/parse.hpp"
#include "coverage/source/describe/callables.hpp"
#include "coverage/source/describe/describe.hpp"
#include "coverage/source/mutants/equivalence.hpp"
#include "coverage/source/mutants/reader.hpp"
#include "coverage/source/observe/observe.hpp"
#include "coverage/source/placing/placing.hpp"
#include "coverage/source/recipes/recipes.hpp"
#include "coverage/source/scout/scout.hpp"

namespace {

using nlohmann::json;
using namespace morph;

constexpr std::size_t most_workers = 256;

/// What workers share: the unit that is taken next, and which one each is at.
struct shared_state {
  std::atomic<std::size_t> next{0};
  std::array<std::atomic<std::size_t>, most_workers> at{};
};

struct job {
  source::mirrored_tree tree;
  std::vector<std::string> options;
  source::file_choice chosen;
  std::vector<std::string> operators;
  bool extreme = false;
  std::string task;  // read: places; check: errors alone; compare: the code of mutants;
                     // describe: what a header offers; callables: what generated code could call; branches: where
                     // functions branch; recipes: what tests call; scout: relations in tests; observe: points that see
                     // what runs; access: what tests can call; place: where assertions can stand
  std::string wanted;  // the function to describe
  source::observed_code observed;
  std::vector<source::unit> units;
  std::vector<std::vector<source::compared_mutant>> mutants;  // of each unit
  std::size_t workers = 1;
  std::vector<std::vector<source::asked_expression>> expressions;  // of each unit
};

job job_of(const json& from) {
  job made{{from.at("mirror"), from.at("from")},
           from.at("options"),
           {from.at("root"), from.at("except")},
           from.at("operators"),
           from.at("extreme"),
           from.at("task"),
           from.value("wanted", ""),
           {},
           {},
           {},
           from.at("workers"),
           {}};
  for (const json& each : from.at("units")) {
    made.units.push_back({each.at("directory"), each.at("file"), each.at("arguments")});
    made.mutants.emplace_back();
    for (const json& m : each.at("mutants")) made.mutants.back().push_back({m.at(0), m.at(1), m.at(2)});
    made.expressions.emplace_back();
    if (const auto asked = each.find("expressions"); asked != each.end())
      for (const json& e : *asked) made.expressions.back().push_back({e.at(0), e.at(1), e.at(2)});
  }
  if (const auto observed = from.find("observed"); observed != from.end()) {
    for (const json& each : observed->at("functions"))
      made.observed.functions.emplace(each.at(0).get<std::string>(), each.at(1).get<std::uint32_t>());
    made.observed.tests = observed->at("tests");
  }
  made.workers = std::clamp<std::size_t>(made.workers, 1, most_workers);
  return made;
}

json errors_of(const std::vector<source::parse_error>& errors) {
  json list = json::array();
  for (const auto& e : errors) {
    json instantiated_at = json::array();
    for (const auto& each : e.instantiated_at)
      instantiated_at.push_back({{"file", each.file}, {"offset", each.offset}});
    list.push_back({{"file", e.file},
                    {"offset", e.offset},
                    {"line", e.line},
                    {"text", e.text},
                    {"instantiated_at", std::move(instantiated_at)}});
  }
  return list;
}

void write_line(const json& line) {
  const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  for (std::size_t done = 0; done < text.size();) {
    const auto written = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) ::_exit(3);
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

/// Of mutants that the unit has code of: number, the code's name, whether it is the original's.
json compare(const job& todo, std::size_t number) {
  const auto result = source::compare_code(todo.units[number], todo.tree, todo.options, todo.mutants[number]);
  json codes = json::array();
  for (std::size_t i = 0; i < result.mutants.size(); ++i)
    if (const auto& m = result.mutants[i]; !m.code.empty()) codes.push_back({i, m.code, m.is_original});
  return {{"unit", number}, {"codes", std::move(codes)}, {"errors", errors_of(result.errors)}};
}

/// What `read` makes of a unit, with its number and errors.
template <typename Reading>
json numbered(std::size_t number, const Reading& read) {
  std::vector<source::parse_error> errors;
  json line = read(errors);
  line["unit"] = number;
  line["errors"] = errors_of(errors);
  return line;
}

json describe_header(const job& todo, std::size_t number) {
  return numbered(number, [&](std::vector<source::parse_error>& errors) {
    return source::describe(todo.units[number], todo.tree, todo.options, todo.wanted, errors);
  });
}

json describe_callables(const job& todo, std::size_t number) {
  return numbered(number, [&](std::vector<source::parse_error>& errors) {
    return source::callables_of(todo.units[number], todo.tree, todo.options, todo.chosen, errors);
  });
}

json find_recipes(const job& todo, std::size_t number) {
  return numbered(number, [&](std::vector<source::parse_error>& errors) {
    return source::recipes_of(todo.units[number], todo.tree, todo.options, todo.chosen, errors);
  });
}

json find_relations(const job& todo, std::size_t number) {
  return numbered(number, [&](std::vector<source::parse_error>& errors) {
    return source::scout(todo.units[number], todo.tree, todo.options, todo.chosen, errors);
  });
}

json read_or_check(const job& todo, std::size_t number) {
  const source::unit& unit = todo.units[number];
  json line{{"unit", number}, {"files", json::array()}, {"left_out", json::object()}};
  const auto result = source::parse(unit, todo.tree, todo.options, [&](auto& context, const auto& errors) {
    if (todo.task != "read") return;
    auto found = source::read_unit(context, todo.chosen, todo.operators, todo.extreme, errors);
    for (const auto& [path, places] : found.files) {
      json file = mutation::to_json(places);
      file["path"] = path;
      line["files"].push_back(std::move(file));
    }
    line["left_out"] = found.left_out;
  });
  line["errors"] = errors_of(result.errors);
  line["consists_of"] = result.files;
  return line;
}

json find_branches(const job& todo, std::size_t number) {
  json line{{"unit", number}, {"files", json::array()}};
  const auto result =
      source::parse(todo.units[number], todo.tree, todo.options, [&](auto& context, const auto& errors) {
        line["files"] = source::to_json(source::read_branches(context, todo.chosen, errors));
        line["classes"] = source::to_json(source::read_classes(context, todo.chosen));
      });
  line["errors"] = errors_of(result.errors);
  line["consists_of"] = result.files;
  return line;
}

json find_points(const job& todo, std::size_t number) {
  json line{{"unit", number}, {"files", json::object()}, {"rows", json::array()}, {"not_read", json::array()}};
  const auto result = source::parse(todo.units[number], todo.tree, todo.options, [&](auto& context, const auto&) {
    const source::unit_points found = source::find_points(context, todo.chosen, todo.observed);
    for (const auto& [path, points] : found.files)
      for (const observation::point& each : points) line["files"][path].push_back(observation::to_json(each));
    for (const observation::row& each : found.rows) line["rows"].push_back({each.type, each.text});
    for (const auto& [where, why] : found.not_read) line["not_read"].push_back({where.first, where.second, why});
  });
  line["errors"] = errors_of(result.errors);
  return line;
}

json find_access(const job& todo, std::size_t number) {
  json line{{"unit", number}, {"functions", json::array()}};
  const auto result = source::parse(todo.units[number], todo.tree, todo.options, [&](auto& context, const auto&) {
    line["functions"] = source::to_json(source::read_access(context, todo.chosen));
  });
  line["errors"] = errors_of(result.errors);
  return line;
}

json place(const job& todo, std::size_t number) {
  json line{{"unit", number}, {"places", json::array()}};
  const auto result = source::parse(todo.units[number], todo.tree, todo.options, [&](auto& context, const auto&) {
    line["places"] = source::to_json(source::place_assertions(context, todo.expressions[number]));
  });
  line["errors"] = errors_of(result.errors);
  return line;
}

void work(const job& todo, shared_state& shared, std::size_t worker) {
  while (true) {
    const std::size_t unit = shared.next++;
    if (unit >= todo.units.size()) return;
    shared.at[worker] = unit + 1;
    write_line(todo.task == "compare"     ? compare(todo, unit)
               : todo.task == "describe"  ? describe_header(todo, unit)
               : todo.task == "callables" ? describe_callables(todo, unit)
               : todo.task == "branches"  ? find_branches(todo, unit)
               : todo.task == "observe"   ? find_points(todo, unit)
               : todo.task == "recipes"   ? find_recipes(todo, unit)
               : todo.task == "scout"     ? find_relations(todo, unit)
               : todo.task == "access"    ? find_access(todo, unit)
               : todo.task == "place"     ? place(todo, unit)
                                          : read_or_check(todo, unit));
    shared.at[worker] = 0;
  }
}

/// Lines of several workers would interleave: each has a file, which is copied when the worker has ended.
class worker_output {
 public:
  worker_output() : file_(std::tmpfile()) {
    if (file_ == nullptr) throw std::system_error(errno, std::generic_category(), "a temporary file");
  }
  worker_output(const worker_output&) = delete;
  worker_output& operator=(const worker_output&) = delete;
  ~worker_output() { std::fclose(file_); }

  void become_output() const { ::dup2(::fileno(file_), STDOUT_FILENO); }

  /// Complete lines only: a worker that crashed may have left a part of one.
  void copy_out() const {
    std::string all;
    std::array<char, 65536> buffer{};
    ::lseek(::fileno(file_), 0, SEEK_SET);
    for (ssize_t got; (got = ::read(::fileno(file_), buffer.data(), buffer.size())) > 0;)
      all.append(buffer.data(), static_cast<std::size_t>(got));
    const auto end = all.rfind('\n');
    if (end != std::string::npos) std::cout << std::string_view(all).substr(0, end + 1) << std::flush;
  }

 private:
  std::FILE* file_;
};

struct worker {
  pid_t process = 0;
  std::unique_ptr<worker_output> output;
};

void start(worker& one, std::size_t number, const job& todo, shared_state& shared) {
  one.output = std::make_unique<worker_output>();
  one.process = ::fork();
  if (one.process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (one.process != 0) return;
  one.output->become_output();
  work(todo, shared, number);
  ::_exit(0);
}

void run(const job& todo) {
  void* const memory = ::mmap(nullptr, sizeof(shared_state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "shared memory");
  auto& shared = *new (memory) shared_state;
  std::vector<worker> workers(std::min(todo.workers, std::max<std::size_t>(todo.units.size(), 1)));
  for (std::size_t i = 0; i < workers.size(); ++i) start(workers[i], i, todo, shared);
  for (std::size_t left = workers.size(); left > 0;) {
    int status = 0;
    const pid_t ended = ::wait(&status);
    if (ended < 0 && errno == EINTR) continue;
    if (ended < 0) break;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if (workers[i].process != ended) continue;
      workers[i].output->copy_out();
      const std::size_t at = shared.at[i].exchange(0);
      if (at == 0) {
        --left;
        continue;
      }
      const std::string how = WIFSIGNALED(status) ? std::string("signal ") + std::to_string(WTERMSIG(status))
                                                  : std::string("exit status ") + std::to_string(WEXITSTATUS(status));
      write_line({{"unit", at - 1},
                  {"files", json::array()},
                  {"left_out", json::object()},
                  {"consists_of", json::array()},
                  {"errors", {{{"file", ""}, {"offset", 0}, {"line", 0}, {"text", "Clang crashed (" + how + ")"}}}}});
      start(workers[i], i, todo, shared);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  try {
    std::ifstream file(count == 2 ? arguments[1] : "");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    run(job_of(json::parse(text)));
    return 0;
  } catch (const json::exception& error) {
    std::cerr << "morph-source: not a job: " << error.what()
              << "; `morph mutate` and `morph spec new` start this program\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "morph-source: " << error.what() << '\n';
    return 3;
  }
}
