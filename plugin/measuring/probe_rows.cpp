// Tables for the runtime, and its rows as elements of the store.
#include "plugin/measuring/probe_rows.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <sstream>

#include "coverage/gcov/capture.hpp"
#include "coverage/gcov/stream_format.h"
#include "coverage/object/compare/blocks.hpp"
#include "coverage/probe/table.hpp"
#include "plugin/build/built_code.hpp"
#include "plugin/changes/fingerprints.hpp"
#include "plugin/measuring/common_functions.hpp"
#include "plugin/measuring/program_tables.hpp"
#include "plugin/measuring/shared_counts.hpp"
#include "plugin/measuring/test_inputs.hpp"
#include "plugin/system/checked_text.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/static_program.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;
using optimizer::requirement_kind;
using store::element;

/// Of functions whose source is not known: no object is compiled from it.
constexpr const char* of_no_file = "CMakeLists.txt";

/// Those whose sources are known. Their units are in the measurement then.
std::vector<std::string> register_units(const session& m, const build::built_code& built,
                                        const build::linked_file& link) {
  std::vector<std::string> objects;
  for (const std::string& object : built.objects_of(link))
    if (const auto files = m.dependencies.find(object); files != m.dependencies.end() && !files->second.empty()) {
      m.writer.unit(describe_unit(m, object, files->second));
      objects.push_back(object);
    }
  return objects;
}

/// Of the copy of a function that the linker takes.
struct known_function {
  const object::object_print* print = nullptr;
  const object::function_blocks* blocks = nullptr;
};

/// What is known of the functions of a program from the objects that it is linked of.
struct known_program {
  /// The main sources that define a symbol: a template may be in several.
  std::map<std::string, std::vector<std::string>, std::less<>> sources;
  std::optional<object::link_unit> unit;
  std::map<std::string, known_function, std::less<>> functions;  // whose blocks are known
};

class definitions {
 public:
  definitions(const session& m, const build::built_code& built)
      : m_(m), built_(built), cache_(changes::cache_of(m.twin)), prints_(cache_, m.twin, nullptr) {}

  known_program of(const build::linked_file& link) {
    known_program found;
    const auto recorded = prints_.identify(link);
    if (!recorded) return found;  // every function is then known by its name alone
    if (build::has_blocks(m_.twin)) add_blocks(*recorded, found);
    for (const store::linked_object& object : recorded->objects) {
      const auto print = prints_.get(object);
      const std::string file = source_of(object);
      if (!print || file.empty()) continue;
      const auto add = [&](std::uint32_t name) {
        auto& files = found.sources[std::string(probe::function_of((*print)->compiled_name(name)))];
        if (files.empty() || files.back() != file) files.push_back(file);
      };
      for (const object::definition& d : (*print)->definitions) add(d.name);
      for (const object::atom& atom : (*print)->atoms)
        if (atom.kind == object::atom_kind::function && atom.name != object::none) add(atom.name);
    }
    return found;
  }

 private:
  void add_blocks(const store::measured_link& recorded, known_program& to) {
    if (all_.empty())
      for (const build::linked_file& link : built_.links)
        if (auto one = prints_.identify(link)) all_.push_back(std::move(*one));
    auto unit = prints_.unit(recorded, all_);
    if (!unit) return;
    to.unit = std::move(*unit);
    std::set<std::string> several;
    for (std::uint32_t o = 0; o < to.unit->objects().size(); ++o) {
      const object::object_print& print = *to.unit->objects()[o].print;
      const auto add = [&](std::uint32_t name, std::uint32_t atom) {
        const object::function_blocks* const blocks = object::blocks_of(print, atom);
        if (blocks == nullptr || !to.unit->is_live(to.unit->atom_of(o, atom))) return;
        const std::string symbol(print.compiled_name(name));
        const auto [at, is_new] = to.functions.try_emplace(symbol, known_function{&print, blocks});
        if (!is_new && at->second.blocks != blocks) several.insert(symbol);
      };
      for (const object::definition& d : print.definitions) {
        const bool own = d.binding == object::strength::local;
        if (own || to.unit->find(*to.unit, o, d.name) == to.unit->atom_of(o, d.atom)) add(d.name, d.atom);
      }
    }
    for (const std::string& symbol : several) to.functions.erase(symbol);
  }

  std::string source_of(const store::linked_object& object) const {
    std::set<std::string> paths{object.path};
    if (!object.member.empty()) {
      const auto named = built_.objects_named(object.path, object.member);
      paths = {named.begin(), named.end()};
    }
    for (const std::string& path : paths) {
      const auto files = m_.dependencies.find(path);
      if (files == m_.dependencies.end() || files->second.empty()) continue;
      if (std::string name = name_of_source(m_, files->second.front()); !name.empty()) return name;
    }
    return {};
  }

  const session& m_;
  const build::built_code& built_;
  object::print_cache cache_;
  changes::fingerprints prints_;
  std::vector<store::measured_link> all_;
};

probe::blocked_functions blocked_functions_of(const known_program& known) {
  probe::blocked_functions all;
  for (const auto& [symbol, function] : known.functions) {
    probe::blocked_function& one = all[symbol];
    one.size = function.blocks->size;
    for (std::uint32_t b = 1; b < function.blocks->blocks.count; ++b)
      one.begins.push_back(function.print->blocks[function.blocks->blocks.first + b].begin);
  }
  return all;
}

result<probe_names> make_table(const fs::path& tables, const std::string& key, std::string_view bytes,
                               const fs::path& file, const known_program& known, const probe::symbols& of_every_test) {
  const auto table = probe::make_table(bytes, file.string(), of_every_test, blocked_functions_of(known));
  if (!table) return tl::unexpected(table.error());
  if (auto written = system::write_file_atomically(table_file(tables, key), table->bytes); !written)
    return tl::unexpected(written.error());
  probe_names names;
  names.table = system::check_sum(table->bytes);
  names.functions.resize(table->functions.size());
  const auto add = [&](std::size_t function, std::string symbol, std::string_view defined) {
    const auto at = known.sources.find(defined);
    names.functions[function].push_back(
        {std::move(symbol), at != known.sources.end() ? at->second : std::vector<std::string>{of_no_file}});
  };
  std::set<std::uint32_t> with_blocks;  // addresses
  for (const probe::probed_function& f : table->functions)
    if (f.block != 0 && f.kind != morph_probe::probe_kind::none) with_blocks.insert(f.address - f.block);
  for (std::size_t i = 0; i < table->functions.size(); ++i) {
    const probe::probed_function& f = table->functions[i];
    // Of what has no probe it is not known who enters it: a change of it concerns those who refer to it.
    if (f.is_of_every_test) names.of_every_test.push_back(static_cast<std::uint32_t>(i));
    if (f.kind == morph_probe::probe_kind::none && !f.is_of_every_test) continue;
    for (const std::string_view name : f.names) {
      const std::string_view symbol = probe::function_of(name);
      if (f.block == 0) add(i, std::string(symbol), symbol);
      const auto blocks = known.functions.find(name);
      if (blocks == known.functions.end() || !with_blocks.contains(f.address - f.block)) continue;
      add(i, object::block_name(*blocks->second.print, *blocks->second.blocks, f.block), symbol);
    }
  }
  return names;
}

/// Another version of Morph may have made what is there.
bool is_whole(const fs::path& table, const probe_names& names) {
  const auto bytes = system::read_file(table);
  return bytes && bytes->starts_with(std::string_view(morph_probe::table_magic, sizeof morph_probe::table_magic)) &&
         system::check_sum(*bytes) == names.table;
}

}  // namespace

result<fs::path> probe_runtime() {
  fs::path runtime = (system::own_executable().parent_path() / MORPH_PROBE_RUNTIME).lexically_normal();
  std::error_code none;
  if (runtime.string().find_first_of(" :") != std::string::npos)
    return tl::unexpected(fmt::format(
        "the loader takes a blank or a colon in '{}' for the end of a name; install Morph in another folder",
        runtime.string()));
  if (fs::exists(runtime, none)) return runtime;
  return tl::unexpected(
      fmt::format("'{}', which records what tests enter, is not there; install Morph whole", runtime.string()));
}

result<probe_tables> make_probe_tables(const session& m, const store::evidence* base) {
  const auto built = build::read_built_code(m.twin, {});
  if (!built) return tl::unexpected(fmt::format("{}; build '{}' first", built.error(), m.twin.binary_dir.string()));
  const fs::path tables = m.twin.own_dir() / "probes";
  std::error_code none;
  fs::create_directories(tables, none);
  probe_tables made;
  definitions defined(m, *built);
  // One table in sixteen has all probes: what not every test enters any more is noticed there.
  const auto unprobed = [&](const build::linked_file& link, const std::string& key) {
    return base == nullptr || key.starts_with('0') ? probe::symbols()
                                                   : functions_of_every_test(*base, m.twin, link.path);
  };
  // Programs that are equal have one table, and what is in one of them may be in the other.
  std::map<std::string, std::vector<const build::linked_file*>> equal;  // by key
  const auto add = [&](const std::string& key, const std::vector<const build::linked_file*>& links) -> result<void> {
    std::vector<std::string> objects;
    for (const build::linked_file* const link : links)
      for (std::string& object : register_units(m, *built, *link)) objects.push_back(std::move(object));
    auto names = read_names(names_file(tables, key));
    if (names && !is_whole(table_file(tables, key), *names)) names = tl::unexpected(std::string());
    if (!names || names->objects != objects) {
      const fs::path file = m.twin.binary_dir / links.front()->path;
      const auto bytes = system::read_file(file);
      if (!bytes) return tl::unexpected(bytes.error());
      if (probe::refuses_other_libraries(*bytes)) made.refusing = file.string();
      known_program known = defined.of(*links.front());
      for (const build::linked_file* const other : std::span(links).subspan(1))
        for (auto& [symbol, files] : defined.of(*other).sources) {
          auto& all = known.sources[symbol];
          all.insert(all.end(), files.begin(), files.end());
        }
      names = make_table(tables, key, *bytes, file, known, unprobed(*links.front(), key));
      if (!names) return tl::unexpected(names.error());
      names->objects = objects;
      if (auto written = write_names(names_file(tables, key), *names); !written) return written;
    }
    probe_elements elements = elements_of(*names, m.writer);
    const std::uint32_t table = elements.number = static_cast<std::uint32_t>(made.files.size());
    for (std::size_t i = 0; i < names->functions.size(); ++i) {
      const auto& function = names->functions[i];
      const auto is_block = [](const probed_name& name) { return store::is_block(name.symbol); };
      const bool has_blocks = std::ranges::any_of(function, is_block);
      for (const probed_name& name : function) {
        auto& of_name = made.by_symbol[name.symbol];
        const auto add_all = [&](const std::vector<element>& all) {
          for (const element x : all) of_name.push_back({x, table});
        };
        // Who had a function is known to have had its other names, but nothing of its blocks.
        if (!has_blocks) {
          add_all(elements.functions[i]);
          continue;
        }
        for (const probed_name& other : function)
          if (&other == &name || (!is_block(name) && !is_block(other))) add_all(elements_of(other, m.writer));
      }
    }
    made.files[key] = std::move(elements);
    return {};
  };
  const auto leave_out = [&](const build::linked_file& link, const std::string& why) {
    m.told.warn(fmt::format("{}; tests that run it always run", why));
    made.without.merge(built->objects_of(link));
  };
  for (const build::linked_file& link : built->links) {
    const fs::path file = m.twin.binary_dir / link.path;
    const auto bytes = system::read_file(file);
    const auto key = bytes ? probe::key_of(*bytes, file.string()) : tl::unexpected(bytes.error());
    if (key) {
      made.keys[link.path] = *key;
      equal[*key].push_back(&link);
    } else {
      leave_out(link, key.error());
    }
  }
  for (const auto& [key, links] : equal)
    if (auto added = add(key, links); !added)
      for (const build::linked_file* const link : links) leave_out(*link, added.error());
  for (auto& [symbol, named] : made.by_symbol) {
    std::sort(named.begin(), named.end());
    named.erase(std::unique(named.begin(), named.end()), named.end());
  }
  for (const auto& file : fs::directory_iterator(tables, none))
    if (!made.files.contains(file.path().stem().string())) fs::remove(file.path(), none);
  return made;
}

result<probe_rows> probe_rows::make(const session& m) {
  auto runtime = probe_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  auto tables = make_probe_tables(m);
  if (!tables) return tl::unexpected(tables.error());
  probe_rows made;
  made.of_ = std::move(*tables);
  made.runtime_ = std::move(*runtime);
  made.tables_ = m.twin.own_dir() / "probes";
  made.rows_ = m.twin.own_dir() / "measure" / "rows";
  made.build_ = m.twin.binary_dir;
  std::error_code none;
  fs::remove_all(made.rows_, none);
  fs::create_directories(made.rows_, none);
  take_orphans();
  return made;
}

void probe_rows::begin(system::command& c) {
  // A new one for each: what an earlier test has left behind may still write to its own.
  row_ = rows_ / std::to_string(started_++);
  std::string preload = runtime_.string();
  const char* inherited = std::getenv("LD_PRELOAD");
  std::string others = inherited == nullptr ? "" : inherited;
  for (const auto& [name, value] : c.environment)
    if (name == "LD_PRELOAD") others = value.value_or("");
  if (!others.empty()) preload += ':' + others;
  if (system::is_static_program(c.arguments.front()))
    c.arguments.insert(c.arguments.begin(), system::tracer_beside(runtime_));
  c.environment.emplace_back("LD_PRELOAD", preload);
  c.environment.emplace_back("MORPH_PROBES", tables_.string());
  c.environment.emplace_back("MORPH_PROBES_ROW", row_.string());
  c.environment.emplace_back("MORPH_PROBES_BUILD", build_.string() + '/');
}

result<spool::series_file> probe_rows::begin_series(system::command& c, std::span<const spool::series_member> members) {
  const fs::path path = rows_ / "series";
  auto made = spool::series_file::make(path, members);
  if (!made) return made;
  c.environment.emplace_back("MORPH_PROBES_SERIES", path.string());
  c.environment.emplace_back("LD_BIND_NOW", "1");
  return made;
}

std::map<std::uint32_t, probe_rows::row_of_series> probe_rows::take_series() {
  std::map<std::uint32_t, row_of_series> rows;
  for (auto& [number, said] : spool::read_series(row_)) {
    row_of_series& made = rows[number];
    for (const auto& [key, functions] : said.entered)
      if (!add_table(key, functions, made.did)) made.did.incomplete |= morph_stream::no_probes;
    sort_set(made.did.elements);
    made.did.variables = std::move(said.variables);
    if (!said.incomplete.empty()) made.did.incomplete |= morph_stream::no_probes;
    made.did.why = said.incomplete.substr(0, said.incomplete.find('\n'));
    if (said.left_processes) made.did.incomplete |= morph_stream::made_process;
    said.entered.clear();
    made.said = std::move(said);
  }
  const bool is_known = std::any_of(rows.begin(), rows.end(), [](const auto& row) {
    return (row.second.did.incomplete & morph_stream::made_process) != 0;
  });
  // Of the program itself: of which test is not known.
  if (has_left_processes() && !is_known)
    for (auto& [number, made] : rows) made.did.incomplete |= morph_stream::made_process;
  std::error_code none;
  fs::remove_all(row_, none);
  return rows;
}

bool probe_rows::add_table(const std::string& key, const std::vector<std::uint32_t>& functions, row& to) const {
  const auto known = of_.files.find(key);
  return known != of_.files.end() && add_entered(known->second, functions, to.elements);
}

// One that ended behind its test may have lost the listener of its files with that, and done less than it does alone.
bool probe_rows::has_left_processes() {
  bool found = false;
  for (pid_t ended; (ended = ::waitpid(-1, nullptr, WNOHANG)) > 0;) found |= left_.erase(ended) == 0;
  const auto children = system::read_file(fmt::format("/proc/self/task/{}/children", ::getpid()));
  std::istringstream pids(children ? *children : "");
  for (pid_t pid; pids >> pid;) {
    if (!left_.insert(pid).second) continue;  // of an earlier test
    found = true;
  }
  return found;
}

probe_rows::row probe_rows::take() {
  row made;
  std::error_code none;
  bool has_recorded = false;
  for (const auto& file : fs::directory_iterator(row_, none)) {
    const auto known = of_.files.find(file.path().stem().string());
    const auto bytes = system::read_file(file.path());
    if (file.path().filename() == "incomplete") {
      made.incomplete |= morph_stream::no_probes;
      if (bytes) made.why = bytes->substr(0, bytes->find('\n'));
    } else if (file.path().filename() == "variables") {
      if (bytes) made.variables = gcov::split_names(*bytes);
    } else if (known == of_.files.end() || !bytes || bytes->size() != known->second.functions.size()) {
      made.incomplete |= morph_stream::no_probes;
    } else {
      has_recorded = true;
      std::vector<std::uint32_t> functions;
      for (std::uint32_t i = 0; i < bytes->size(); ++i)
        if ((*bytes)[i] != 0) functions.push_back(i);
      add_entered(known->second, functions, made.elements);
    }
  }
  sort_set(made.elements);
  if (!has_recorded) made.incomplete |= morph_stream::no_counters;
  if (has_left_processes()) made.incomplete |= morph_stream::made_process;
  fs::remove_all(row_, none);
  return made;
}

}  // namespace morph::measuring
