// What a spec declares: its relations by name, what is wrong with it, the specs of a program, runs by several threads.
#include "morph/declared.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include "morph/spec.hpp"
#include "plugin/spec/engine/partitions.hpp"

namespace morph {

std::uint64_t hash_of_bytes(std::string_view bytes) {
  word_hash made(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = std::min<std::size_t>(8, bytes.size() - at); i-- > 0;)
      word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
    made.add(word);
  }
  return made.value();
}

std::uint16_t spec_base::add_relation(std::string name, std::string message, const char* file, int line) {
  for (std::size_t r = 0; r < relations_.size(); ++r)
    if (relations_[r].name == name) return static_cast<std::uint16_t>(r);
  relations_.push_back({std::move(name), std::move(message), file, line});
  return static_cast<std::uint16_t>(relations_.size() - 1);
}

bool spec_base::uses_runs() const {
  return std::any_of(datamorphisms_.begin(), datamorphisms_.end(), [](const auto& d) { return d.uses_runs; });
}

bool spec_base::may_have_labels() const {
  return std::any_of(makers_.begin(), makers_.end(), [](const auto& m) { return m.may_have_labels; });
}

std::string spec_base::problem() const {
  if (executers_.empty())
    return "it has no executer; bind the program under test: s.execute([](const input& in) { return ...; })";
  if (makers_.empty()) return "it has no seeds; give it some: s.seeds(\"literal\", {...})";
  const auto twice = [](const auto& all) {
    std::set<std::string> seen;
    for (const auto& each : all)
      if (!seen.insert(each.name).second) return each.name;
    return std::string();
  };
  if (const std::string name = twice(datamorphisms_); !name.empty())
    return "two datamorphisms are named '" + name + "'; cases are told apart by the name of what made them: rename one";
  if (const std::string name = twice(makers_); !name.empty())
    return "two lists of seeds are named '" + name + "'; rename one";
  if (const std::string name = twice(executers_); !name.empty())
    return "two executers are named '" + name + "'; name them: s.execute(\"name\", ...)";
  for (const auto& relation : relations_)
    if (relation.name.empty() || relation.name.find('\n') != std::string::npos)
      return "the name of the relation at " + relation.file + ":" + std::to_string(relation.line) +
             " is empty or has several lines; it becomes the name of a test";
  for (const char* const taken : {"expected output", "every run ends", "executers agree"})
    for (const auto& relation : relations_)
      if (relation.name == taken)
        return "the relation '" + relation.name + "' has the name of a built-in one; rename it";
  if (makers_.size() + datamorphisms_.size() > 0xffff || rules_.size() > 0xffff)
    return "it has more than 65,535 datamorphisms or relations";
  return engine::problem_of_partitions(*this);
}

std::vector<registered_spec>& registered_specs() {
  static std::vector<registered_spec> all;
  return all;
}

namespace {
count_host_failures the_host = nullptr;
}
void set_host(count_host_failures count) {
  the_host = count;
}
count_host_failures host() {
  return the_host;
}

namespace detail {

bool add_spec(const char* name, std::unique_ptr<spec_base> (*make)(const char*), const char* file, int line) {
  registered_specs().push_back({name, file, line, make});
  return true;
}

void run_parallel(std::size_t count, void (*part)(void*, std::size_t, std::size_t), void* context) {
  const std::size_t threads = std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), count / 16);
  if (threads < 2) return part(context, 0, count);
  // Small parts, taken in turn: runs may take very different times.
  const std::size_t size = std::max<std::size_t>(1, count / (threads * 8));
  std::size_t next = 0;
  const auto work = [&] {
    for (;;) {
      const std::size_t begin = __atomic_fetch_add(&next, size, __ATOMIC_RELAXED);
      if (begin >= count) return;
      part(context, begin, std::min(count, begin + size));
    }
  };
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
  work();
  for (std::thread& each : others) each.join();
}

}  // namespace detail
}  // namespace morph
