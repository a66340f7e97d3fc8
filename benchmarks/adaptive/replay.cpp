// Replays adaptive execution on tables of verdicts (table.cpp), through the engine itself: a spec whose inputs are
// places in the table. replay TABLE SUBJECT SEEDS STEPS: a line for each mutant, strategy and seed, with tabs between
// subject, mutant, share of violated pairs, strategy, seed, F, F2 (- where STEPS were not enough).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <morph/morph.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plugin/spec/adaptive/adaptive.hpp"

namespace {

using namespace morph;
using engine::adaptive_options;
using engine::relation_choice;
using engine::source_choice;

struct table {
  std::uint32_t sources = 0, relations = 0, categories = 0;
  std::vector<std::uint32_t> choices;   // by category
  std::vector<unsigned char> placed;    // by input, by category
  std::vector<unsigned char> applies;   // by source, by relation
  std::vector<float> apart;             // by source, by source
  std::vector<unsigned char> verdicts;  // of one mutant: by source, by relation
};

template <typename T>
bool take(std::ifstream& from, T* to, std::size_t number) {
  return static_cast<bool>(from.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(number * sizeof(T))));
}

template <std::size_t... I>
void add_category(spec<int, int>& s, const table& of, std::size_t c, std::index_sequence<I...>) {
  s.category(std::to_string(c), {part_of<int>{std::to_string(I), [&of, c](int in) {
                                                return of.placed[static_cast<std::size_t>(in) * of.categories + c] == I;
                                              }}...});
}

void declare(spec<int, int>& s, const table& of) {
  s.execute([](int in) { return in; });
  std::vector<int> seeds;
  for (std::uint32_t i = 0; i < of.sources; ++i) seeds.push_back(static_cast<int>(i));
  s.seeds("sources", seeds);
  s.distance_by([&of](int a, int b) -> double { return of.apart[static_cast<std::size_t>(a) * of.sources + b]; });
  for (std::size_t c = 0; c < of.categories; ++c) switch (of.choices[c]) {
      case 1:
        add_category(s, of, c, std::make_index_sequence<1>());
        break;
      case 2:
        add_category(s, of, c, std::make_index_sequence<2>());
        break;
      case 3:
        add_category(s, of, c, std::make_index_sequence<3>());
        break;
      case 4:
        add_category(s, of, c, std::make_index_sequence<4>());
        break;
      case 5:
        add_category(s, of, c, std::make_index_sequence<5>());
        break;
      default:
        std::abort();
    }
  for (std::uint32_t r = 0; r < of.relations; ++r) {
    const auto follow_up = s.datamorph(std::to_string(r), [&of, r](int in) -> std::optional<int> {
      const std::size_t at = static_cast<std::size_t>(in) * of.relations + r;
      return of.applies[at] != 0 ? std::optional<int>(static_cast<int>(of.sources + at)) : std::nullopt;
    });
    s.relation(std::to_string(r), follow_up, [&of](auto& m, auto&) {
      const unsigned char found = of.verdicts[static_cast<std::size_t>(m.input) - of.sources];
      return found == 2 ? verdict::fail : found == 1 ? verdict::pass : verdict::not_applicable;
    });
  }
}

struct strategy_of {
  const char* name;
  source_choice sources;
  relation_choice relations;
  bool paper = false;
};
constexpr strategy_of strategies[] = {
    {"random+uniform", source_choice::random, relation_choice::uniform},
    {"art+uniform", source_choice::art, relation_choice::uniform},
    {"uniform+uniform", source_choice::uniform, relation_choice::uniform},
    {"drt+uniform", source_choice::drt, relation_choice::uniform},
    {"mdrt+uniform", source_choice::mdrt, relation_choice::uniform},
    {"mapt+uniform", source_choice::mapt, relation_choice::uniform},
    {"rapt+uniform", source_choice::rapt, relation_choice::uniform},
    {"mdrt+m-amt, as published", source_choice::mdrt, relation_choice::m_amt, true},
    {"random+pbmr", source_choice::random, relation_choice::pbmr},
    {"art+pbmr", source_choice::art, relation_choice::pbmr},
    {"uniform+pbmr", source_choice::uniform, relation_choice::pbmr},
    {"drt+pbmr", source_choice::drt, relation_choice::pbmr},
    {"mdrt+pbmr", source_choice::mdrt, relation_choice::pbmr},
    {"mapt+pbmr", source_choice::mapt, relation_choice::pbmr},
    {"rapt+pbmr", source_choice::rapt, relation_choice::pbmr},
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return std::puts("replay TABLE SUBJECT SEEDS STEPS"), 2;
  std::ifstream file(arguments[1], std::ios::binary);
  table of;
  bool good = take(file, &of.sources, 1) && take(file, &of.relations, 1) && take(file, &of.categories, 1);
  if (!good) return std::puts("the table cannot be read"), 3;
  const std::size_t pairs = std::size_t{of.sources} * of.relations;
  of.choices.resize(of.categories);
  of.placed.resize((of.sources + pairs) * of.categories);
  of.applies.resize(pairs);
  of.apart.resize(std::size_t{of.sources} * of.sources);
  of.verdicts.resize(pairs);
  good = take(file, of.choices.data(), of.choices.size()) && take(file, of.placed.data(), of.placed.size()) &&
         take(file, of.applies.data(), pairs) && take(file, of.apart.data(), of.apart.size());
  if (!good) return std::puts("the table ends early"), 3;
  const std::uint64_t seeds = std::strtoull(arguments[3], nullptr, 10);
  for (std::uint32_t size = 0; take(file, &size, 1);) {
    std::string name(size, ' ');
    if (!take(file, name.data(), size) || !take(file, of.verdicts.data(), pairs)) return 3;
    std::size_t violated = 0, applies = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      violated += of.verdicts[i] == 2;
      applies += of.applies[i];
    }
    for (const strategy_of& each : strategies)
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        spec<int, int> s("table");
        declare(s, of);
        engine::options how;
        how.seed = seed;
        how.shrink = false;
        how.violations_shown = 0;
        adaptive_options by;
        by.sources = each.sources;
        by.relations = each.relations;
        by.most_steps = std::strtoull(arguments[4], nullptr, 10);
        by.most_violations = 2;
        if (each.paper) by.with.delta = by.with.epsilon, by.with.floor = 0;
        engine::session at_work(s, how);
        engine::adaptive_summary found;
        if (const std::string error = run_adaptively(at_work, how, by, {}, {}, found); !error.empty())
          return std::puts(error.c_str()), 4;
        std::printf("%s\t%s\t%.5f\t%s\t%llu\t%s\t%s\n", arguments[2], name.c_str(),
                    static_cast<double>(violated) / static_cast<double>(applies), each.name,
                    static_cast<unsigned long long>(seed), found.f ? std::to_string(*found.f).c_str() : "-",
                    found.f2 ? std::to_string(*found.f2).c_str() : "-");
      }
  }
}
