// What each program mutant makes of each source and relation of a spec, once: strategies are replayed on that table.
// table OUT MUTANTS SOURCES WANTED: MUTANTS has lines `node alternative function name`; so many that are hard to kill
// are wanted. Without arguments nothing is done (a suite of `morph mutate`, for its build); else as any program of
// specs.
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <morph/morph.hpp>
#include <set>
#include <sstream>

#include "plugin/spec/engine/engine.hpp"
#include "plugin/spec/engine/partitions.hpp"
#include "plugin/spec/engine/specs.hpp"
#include "plugin/spec/program/program.hpp"

// Of the mutation twin's run time; not there in a plain build.
extern "C" {
extern unsigned char morph_node[] __attribute__((weak));
extern unsigned morph_alternative __attribute__((weak));
}

namespace {

using namespace morph;

struct pair_of {
  input_index source, follow_up;
  std::size_t rule;
  case_index made;  // in the pool
};

struct mutant {
  unsigned node, alternative, function;
  std::string name;
};

enum found : unsigned char { unknown = 0, holds = 1, violated = 2, not_applicable = 3 };

template <typename T>
void put(std::FILE* to, const T& value) {
  if (std::fwrite(&value, sizeof value, 1, to) != 1) std::abort();
}

/// Runs the pairs from `begin` on, in this process.
void judge(spec_base& spec, const pool& cases, const std::vector<pair_of>& pairs, std::size_t begin, std::size_t end,
           unsigned char* to, std::uint32_t* at) {
  for (std::size_t i = begin; i < end; ++i) {
    *at = static_cast<std::uint32_t>(i);
    const pair_of& each = pairs[i];
    spec.run(0, 0, &each.source, 1);
    spec.run(0, 0, &each.follow_up, 1);
    verdict one = verdict::not_applicable;
    const bool ended = spec.how(0, 0, each.source) == ended::output && spec.how(0, 0, each.follow_up) == ended::output;
    if (ended) spec.check(each.rule, 0, cases, &each.made, 1, &one);
    to[i] = !ended || one == verdict::fail ? violated : one == verdict::pass ? holds : not_applicable;
  }
}

/// In other processes, since mutants crash, which is a violation. False if that takes more than so many seconds of CPU.
bool judged(spec_base& spec, const pool& cases, const std::vector<pair_of>& pairs, std::size_t begin, std::size_t end,
            unsigned char* to, std::uint32_t* at, const mutant& active, double seconds) {
  std::size_t crashes = 0;
  while (begin < end) {
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
      const rlimit memory{rlim_t{2} << 30, rlim_t{2} << 30}, core{0, 0};
      setrlimit(RLIMIT_AS, &memory);
      setrlimit(RLIMIT_CORE, &core);
      const itimerval limit{{0, 0}, {static_cast<time_t>(seconds), static_cast<suseconds_t>(seconds * 1e6) % 1000000}};
      setitimer(ITIMER_PROF, &limit, nullptr);
      if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
      morph_alternative = active.alternative;
      morph_node[active.node] = morph_node[active.function] = 1;
      judge(spec, cases, pairs, begin, end, to, at);
      _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) return false;
    to[*at] = violated;
    begin = *at + 1;
    // So many are too easy to find anyway.
    if (++crashes > (end - *at) / 4 + 40) std::fill(to + begin, to + end, violated), begin = end;
  }
  return true;
}

int tabulate(const char* out, const char* list, std::size_t sources, std::size_t wanted) {
  std::vector<engine::made_spec> specs;
  if (const std::string error = engine::make_specs(specs); !error.empty()) return std::puts(error.c_str()), 2;
  spec_base& spec = *specs[0].spec;
  const engine::partitioning parts(spec);
  std::vector<std::uint64_t> identities{1};
  for (const auto& each : spec.datamorphisms()) identities.push_back(hash_of_bytes(each.name));
  pool cases(identities);

  // Sources: distinct ones.
  std::vector<input_index> inputs;
  std::set<input_index> seen;
  for (std::uint64_t batch = 0; inputs.size() < sources && batch < 1000; ++batch) {
    std::vector<made_seed> made;
    spec.make_seeds(0, batch, made);
    for (const made_seed& each : made)
      if (inputs.size() < sources && seen.insert(each.input).second) inputs.push_back(each.input);
  }
  // Relations, of one source each.
  std::vector<pair_of> pairs;
  std::size_t rules = 0;
  std::vector<engine::placed> where;  // of sources, then by source and rule
  const auto place = [&](input_index in) {
    engine::placed at;
    if (const std::string error = parts.place(in, at); !error.empty()) std::puts(error.c_str()), std::exit(2);
    return at;
  };
  for (const input_index in : inputs) where.push_back(place(in));
  std::vector<std::vector<std::size_t>> pair_at;  // by source, by rule; ~0: does not apply
  for (const input_index in : inputs) {
    const case_index origin = cases.add(0, in, spec.input_id(in), nullptr, 0);
    pair_at.emplace_back();
    rules = 0;
    for (std::size_t r = 0; r < spec.rules().size(); ++r) {
      if (spec.rules()[r].about != scope::datamorphism) continue;
      ++rules;
      std::vector<made_input> made;
      std::uint64_t rejected = 0, threw = 0;
      spec.make_mutants(spec.rules()[r].datamorphism, 0, cases, &origin, 1, made, rejected, threw);
      pair_at.back().push_back(made.empty() ? ~std::size_t{0} : pairs.size());
      where.push_back(made.empty() ? engine::placed{} : place(made[0].input));
      if (made.empty()) continue;
      const auto type = spec.type_of(spec.rules()[r].datamorphism);
      pairs.push_back({in, made[0].input, r, cases.add(type, made[0].input, spec.input_id(made[0].input), &origin, 1)});
    }
  }
  void* const shared = mmap(nullptr, pairs.size() + 64, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* const at = static_cast<std::uint32_t*>(shared);
  auto* const verdicts = static_cast<unsigned char*>(shared) + 64;

  // Without a mutant, every relation holds.
  if (fork() == 0) {
    judge(spec, cases, pairs, 0, pairs.size(), verdicts, at);
    _exit(0);
  }
  int status = 0;
  wait(&status);
  std::vector<std::size_t> wrong(spec.rules().size(), 0);
  std::size_t not_checked = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    wrong[pairs[i].rule] += verdicts[i] == violated || verdicts[i] == unknown;
    not_checked += verdicts[i] == not_applicable;
    if (verdicts[i] == violated && wrong[pairs[i].rule] == 1)
      std::fprintf(stderr, "wrong relation '%s' for %s -> %s\n",
                   spec.relations()[spec.rules()[pairs[i].rule].relation].name.c_str(),
                   spec.show_input(pairs[i].source).c_str(), spec.show_input(pairs[i].follow_up).c_str());
  }
  std::size_t all_wrong = 0;
  for (std::size_t r = 0; r < wrong.size(); ++r) all_wrong += wrong[r];
  std::printf("%s: %zu sources, %zu relations, %zu pairs, %zu not applicable, %zu violated without a mutant\n",
              spec.name().c_str(), inputs.size(), rules, pairs.size(), not_checked, all_wrong);
  if (list == std::string("-")) return 0;
  if (all_wrong > 0) return 1;
  const std::vector<unsigned char> original(verdicts, verdicts + pairs.size());

  std::FILE* const file = std::fopen(out, "wb");
  if (file == nullptr) return 3;
  put(file, static_cast<std::uint32_t>(inputs.size()));
  put(file, static_cast<std::uint32_t>(rules));
  put(file, static_cast<std::uint32_t>(spec.categories().size()));
  for (const auto& each : spec.categories()) put(file, static_cast<std::uint32_t>(each.choices.size()));
  const auto put_place = [&](const engine::placed& one) {
    for (std::size_t c = 0; c < spec.categories().size(); ++c) put(file, static_cast<unsigned char>(one.choices[c]));
  };
  for (const engine::placed& each : where) put_place(each);
  for (const auto& by_rule : pair_at)
    for (const std::size_t pair : by_rule) put(file, static_cast<unsigned char>(pair != ~std::size_t{0}));
  std::vector<float> apart(inputs.size() * inputs.size(), 0);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      apart[i * inputs.size() + j] = apart[j * inputs.size() + i] =
          static_cast<float>(spec.distance(inputs[i], inputs[j]));
  std::fwrite(apart.data(), sizeof(float), apart.size(), file);

  std::ifstream mutants(list);
  std::string line;
  std::size_t tried = 0, kept = 0, none = 0, easy = 0, endless = 0, rare = 0;
  while (kept < wanted && std::getline(mutants, line)) {
    mutant one;
    std::istringstream words(line);
    words >> one.node >> one.alternative >> one.function;
    std::getline(words >> std::ws, one.name);
    ++tried;
    std::memset(verdicts, 0, pairs.size());
    // A look at some first.
    const auto rate = [&](std::size_t end) {
      std::size_t failed = 0;
      for (std::size_t i = 0; i < end; ++i) failed += verdicts[i] == violated;
      return static_cast<double>(failed) / static_cast<double>(end);
    };
    const std::size_t few = std::min<std::size_t>(pairs.size(), 150 * rules);
    if (!judged(spec, cases, pairs, 0, few, verdicts, at, one, 0.3)) {
      ++endless;
      continue;
    }
    if (rate(few) == 0 || rate(few) > 0.2) {
      ++(rate(few) == 0 ? none : easy);
      continue;
    }
    if (!judged(spec, cases, pairs, few, pairs.size(), verdicts, at, one, 3)) {
      ++endless;
      continue;
    }
    const double all = rate(pairs.size());
    if (all < 0.0005 || all > 0.1) {
      ++(all > 0.1 ? easy : rare);
      continue;
    }
    ++kept;
    put(file, static_cast<std::uint32_t>(one.name.size()));
    std::fwrite(one.name.data(), 1, one.name.size(), file);
    for (const auto& by_rule : pair_at)
      for (const std::size_t pair : by_rule)
        put(file, pair == ~std::size_t{0} ? static_cast<unsigned char>(not_applicable) : verdicts[pair]);
  }
  std::fclose(file);
  std::printf(
      "%s: %zu mutants tried, %zu violate nothing in 150 sources, %zu more than 10 %%, %zu less than 0.05 %%, %zu "
      "do not end, %zu kept\n",
      spec.name().c_str(), tried, none, easy, rare, endless, kept);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 1) return 0;
  if (std::string_view(arguments[1]) != "table") return morph::spec_main(count, arguments);
  return tabulate(arguments[2], arguments[3], std::strtoul(arguments[4], nullptr, 10),
                  std::strtoul(arguments[5], nullptr, 10));
}
