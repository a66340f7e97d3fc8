// What is known of units from earlier runs, and reading the others.
#include "plugin/mutating/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "coverage/mutation/merge.hpp"
#include "coverage/mutation/places_json.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/system/process.hpp"

namespace morph::mutating {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int most_checks = 12;

/// Contents of files by their hashes, each read once. Files of the system go by size and time.
class file_hashes {
 public:
  explicit file_hashes(const source_reader::source_request& request)
      : source_(request.source.string()), mirror_(request.mirror.string() + "/") {}

  const std::string& of(const std::string& path) {
    const auto [known, is_new] = hashes_.try_emplace(path);
    if (!is_new) return known->second;
    const std::string there = path.starts_with(mirror_) ? source_ + "/" + path.substr(mirror_.size()) : path;
    if (there.starts_with("/usr/")) {
      std::error_code none;
      return known->second = fmt::format("{} {}", fs::file_size(there, none), system::modification_time(there));
    }
    const auto text = system::read_file(there);
    return known->second = text ? git::blob_hash(*text) : "missing";
  }

 private:
  std::string source_;
  std::string mirror_;
  std::map<std::string, std::string> hashes_;
};

struct known_unit {
  std::string key;                                 // of its command and the operators
  std::map<std::string, std::string> consists_of;  // path: hash
  std::map<std::string, std::string> files;        // path in the mirror: hash of its places
  std::map<std::string, std::uint32_t> left_out;
  std::vector<std::string> errors;
  std::string checked;  // hash of all that it was compiled from when it was found right
};

/// What is kept between runs.
struct source_state {
  std::map<std::string, known_unit> units;
  std::map<std::string, mutation::file_places> places;  // by hash
  std::map<std::string, mutation::node_block> blocks;
  std::map<std::string, std::vector<mutation::alternative_id>> dropped;  // by path and hash of settled places
  std::map<std::string, std::vector<rejected_part>> rejected;            // of these, what the project's compiler did
};

fs::path state_file(const source_reader::source_request& request) {
  return request.state / "sources.json";
}

/// A state that cannot be read is none.
source_state load_state(const source_reader::source_request& request) {
  source_state state;
  const auto text = system::read_file(state_file(request));
  if (!text) return state;
  try {
    const json from = json::parse(*text);
    if (from.at("schema") != contract::mutation_state_schema) return {};
    for (const auto& [unit, u] : from.at("units").items())
      state.units[unit] = {u.at("key"),      u.at("consists_of"), u.at("files"),
                           u.at("left_out"), u.at("errors"),      u.at("checked")};
    for (const auto& [hash, places] : from.at("places").items()) {
      auto parsed = mutation::from_json(places);
      if (!parsed) return {};
      state.places.emplace(hash, std::move(*parsed));
    }
    for (const auto& [path, block] : from.at("blocks").items()) state.blocks[path] = {block.at(0), block.at(1)};
    for (const auto& [key, list] : from.at("dropped").items())
      for (const auto& each : list) state.dropped[key].push_back({each.at(0), each.at(1)});
    const json rejected = from.value("rejected", json::object());
    for (const auto& [key, list] : rejected.items())
      for (const auto& each : list)
        state.rejected[key].push_back({each.at(0), each.at(1), each.at(2), each.at(3), each.at(4)});
  } catch (const json::exception&) {
    return {};
  }
  return state;
}

result<void> save_state(const source_reader::source_request& request, const source_state& state) {
  json units = json::object(), places = json::object(), blocks = json::object(), dropped = json::object(),
       rejected = json::object();
  std::set<std::string> used;
  for (const auto& [name, u] : state.units) {
    units[name] = {{"key", u.key},           {"consists_of", u.consists_of}, {"files", u.files},
                   {"left_out", u.left_out}, {"errors", u.errors},           {"checked", u.checked}};
    for (const auto& [path, hash] : u.files) used.insert(hash);
  }
  for (const std::string& hash : used) places[hash] = mutation::to_json(state.places.at(hash));
  for (const auto& [path, block] : state.blocks) blocks[path] = {block.first, block.room};
  for (const auto& [key, list] : state.dropped) {
    json each = json::array();
    for (const auto& id : list) each.push_back({id.place, id.number});
    dropped[key] = std::move(each);
  }
  for (const auto& [key, list] : state.rejected)
    for (const rejected_part& part : list)
      rejected[key].push_back({part.path, part.line, part.what, part.mutants, part.why});
  return system::write_file_atomically(state_file(request), json_text(json{{"schema", contract::mutation_state_schema},
                                                                           {"units", units},
                                                                           {"places", places},
                                                                           {"blocks", blocks},
                                                                           {"dropped", dropped},
                                                                           {"rejected", rejected}}));
}

std::string dropped_key(const mutation::mutated_file& file) {
  return file.path + ' ' + git::blob_hash(json_text(mutation::to_json(file.places)));
}

/// Of files that this run leaves as they are, what is known stays.
void keep_dropped_of(const mutated_sources& sources, const std::set<std::string>& as_they_are, source_state& state) {
  const auto is_gone = [&](const auto& known) { return !as_they_are.contains(known.first); };
  std::erase_if(state.dropped, is_gone);
  std::erase_if(state.rejected, is_gone);
  for (const mutation::mutated_file& file : sources.files) {
    if (file.dropped.empty()) continue;
    const std::string key = dropped_key(file);
    state.dropped[key] = file.dropped;
    for (const rejected_part& part : sources.rejected_parts)
      if (part.path == file.path) state.rejected[key].push_back(part);
  }
}

class unit_reader {
 public:
  unit_reader(const source_reader::source_request& request, system::observer& told)
      : request_(request),
        told_(told),
        hashes_(request),
        state_(load_state(request)),
        options_(source_reader::header_options(request.compiler)) {
    std::error_code none;
    const fs::path program = source_reader::source_program();
    reader_ = fmt::format("{} {}", fs::file_size(program, none), system::modification_time(program));
  }

  result<mutated_sources> run() {
    const auto units = std::span(request_.units);
    if (auto read = read_units(units.first(request_.production), ""); !read) return tl::unexpected(read.error());
    const bool reads_tests = is_of_headers();
    if (reads_tests)
      if (auto read = read_units(units.subspan(request_.production), " of tests"); !read)
        return tl::unexpected(read.error());
    std::set<std::string> present;
    for (const build::compile_unit& unit : units.first(reads_tests ? units.size() : request_.production))
      present.insert(build::name_of(unit));
    std::erase_if(state_.units, [&](const auto& known) { return present.count(known.first) == 0; });
    if (auto united = unite(); !united) return tl::unexpected(united.error());
    result_.nodes = mutation::assign_nodes(result_.files, state_.blocks);
    if (auto checked = check(); !checked) return tl::unexpected(checked.error());
    if (auto saved = save_state(request_, state_); !saved) return tl::unexpected(saved.error());
    return std::move(result_);
  }

 private:
  std::string key_of(const build::compile_unit& unit) const {
    std::string all = fmt::format("{}\n{}\n{}\n", reader_, unit.directory, request_.extreme);
    for (const auto* list : {&unit.arguments, &request_.operators, &request_.except, &options_})
      for (const std::string& each : *list) all += each + '\n';
    return git::blob_hash(all);
  }

  /// It lacked a file that may be there now, or something went wrong.
  static bool may_be_read_now(const known_unit& unit) {
    return std::ranges::any_of(unit.errors, [](const std::string& error) {
      return error.ends_with("file not found") || error.find("Clang crashed") != std::string::npos;
    });
  }

  bool is_known(const build::compile_unit& unit) {
    const auto known = state_.units.find(build::name_of(unit));
    if (known == state_.units.end() || known->second.key != key_of(unit) || may_be_read_now(known->second))
      return false;
    return std::ranges::all_of(known->second.consists_of,
                               [&](const auto& file) { return hashes_.of(file.first) == file.second; });
  }

  result<std::vector<json>> run_clang(const std::vector<const build::compile_unit*>& units,
                                      const std::vector<std::string>& from, const char* task) {
    std::vector<source_reader::source_question> questions;
    for (const build::compile_unit* unit : units) questions.push_back({unit});
    return source_reader::ask_source_program(request_, options_, questions, from, task);
  }

  /// Whether headers hold more places than the sources of the production code.
  bool is_of_headers() {
    std::map<std::string, std::size_t> places;  // by path: one unit may see more of a header than another
    for (const build::compile_unit* unit : units_)
      for (const auto& [path, hash] : known_of(*unit).files) {
        std::size_t& most = places[path];
        most = std::max(most, state_.places.at(hash).places.size());
      }
    std::size_t in_headers = 0, in_sources = 0;
    for (const auto& [path, count] : places) (build::is_source(path) ? in_sources : in_headers) += count;
    return in_headers >= in_sources;
  }

  known_unit& known_of(const build::compile_unit& unit) { return state_.units.at(build::name_of(unit)); }

  result<void> read_units(std::span<const build::compile_unit> units, const char* of) {
    std::vector<const build::compile_unit*> to_read;
    for (const build::compile_unit& unit : units) {
      const bool known = is_known(unit);
      if (!known && request_.unwanted.contains(build::name_of(unit))) continue;
      units_.push_back(&unit);
      if (!known) to_read.push_back(&unit);
    }
    result_.units += units.size();
    result_.units_read += to_read.size();
    if (to_read.empty()) return {};
    told_.status(fmt::format("reading {} of {} sources{}", to_read.size(), units.size(), of));
    const auto lines = run_clang(to_read, {request_.source.string()}, "read");
    if (!lines) return tl::unexpected(lines.error());
    try {
      for (const json& line : *lines) {
        const build::compile_unit& unit = *to_read.at(line.at("unit").get<std::size_t>());
        known_unit known;
        known.key = key_of(unit);
        for (const std::string path : line.at("consists_of")) known.consists_of[path] = hashes_.of(path);
        known.left_out = line.at("left_out").get<std::map<std::string, std::uint32_t>>();
        for (const json& error : line.at("errors"))
          known.errors.push_back(fmt::format("{}:{}: {}", error.at("file").get<std::string>(),
                                             error.at("line").get<std::uint32_t>(),
                                             error.at("text").get<std::string>()));
        for (const json& file : line.at("files")) {
          auto parsed = mutation::from_json(file);
          if (!parsed) return tl::unexpected(parsed.error());
          const std::string hash = git::blob_hash(json_text(mutation::to_json(*parsed)));
          known.files[file.at("path")] = hash;
          state_.places.emplace(hash, std::move(*parsed));
        }
        state_.units[build::name_of(unit)] = std::move(known);
      }
    } catch (const std::exception& error) {
      return tl::unexpected(fmt::format("what was read of the sources is not understood: {}", error.what()));
    }
    return {};
  }

  bool is_left_out(const std::string& path) const {
    const auto is_in = [&](const std::vector<std::string>& globs) {
      return std::ranges::any_of(globs, [&](const std::string& glob) { return system::matches_glob(glob, path); });
    };
    return is_in(request_.without) ||
           (!request_.only.empty() && !is_in(request_.only) && !request_.rewritten.contains(path));
  }

  result<void> unite() {
    std::map<std::string, std::set<std::string>> versions;  // path: hashes of places
    for (const build::compile_unit* unit : units_) {
      const known_unit& known = known_of(*unit);
      for (const auto& [path, hash] : known.files) versions[path].insert(hash);
      for (const auto& [reason, count] : known.left_out) result_.left_out[reason] += count;
      if (!known.errors.empty())
        result_.rejected.push_back({build::name_of(*unit), known.errors.front(), known.errors.size()});
    }
    const std::string root = request_.mirror.string() + "/";
    for (const auto& [path, hashes] : versions) {
      mutation::mutated_file file;
      file.path = path.substr(root.size());
      for (const std::string& hash : hashes) {
        const mutation::file_places& more = state_.places.at(hash);
        file.places.places.insert(file.places.places.end(), more.places.begin(), more.places.end());
        file.places.functions.insert(file.places.functions.end(), more.functions.begin(), more.functions.end());
        file.places.compile_time.insert(file.places.compile_time.end(), more.compile_time.begin(),
                                        more.compile_time.end());
        file.places.initial_values.insert(file.places.initial_values.end(), more.initial_values.begin(),
                                          more.initial_values.end());
      }
      mutation::put_in_order(file.places);
      if (const auto count = mutation::mutants_at_compile_time(file.places); count > 0)
        result_.compile_time_only[file.path] = count;
      file.places.compile_time.clear();
      if (const auto crossing = mutation::settle_places(file.places); crossing > 0)
        result_.left_out["crosses another place"] += static_cast<std::uint32_t>(crossing);
      if (file.places.places.empty() && file.places.functions.empty()) continue;
      if (is_left_out(file.path)) {
        if (!file.places.places.empty()) kept_as_they_are_.insert(dropped_key(file));
        for (const mutation::place& p : file.places.places) result_.in_files_left_out += p.alternatives.size();
        file.places.places.clear();
        if (file.places.functions.empty()) continue;
      }
      auto text = system::read_file(request_.source / file.path);
      if (!text) return tl::unexpected(text.error());
      file.source = std::move(*text);
      if (file.places.places.empty()) {
        result_.without_mutants.push_back(std::move(file));
        continue;
      }
      for (const mutation::place& p : file.places.places) result_.candidates += p.alternatives.size();
      result_.files.push_back(std::move(file));
    }
    return {};
  }

  /// All that a unit is compiled from now: equal if nothing in it was rewritten otherwise.
  std::string compiled_from(const known_unit& unit, const std::map<std::string, std::string>& rewritten) {
    std::string all = unit.key;
    for (const auto& [path, hash] : unit.consists_of) {
      const auto other = rewritten.find(path);
      all += path + ' ' + (other != rewritten.end() ? other->second : hash) + '\n';
    }
    return git::blob_hash(all);
  }

  result<void> check() {
    const fs::path staging = request_.state / "staging";
    std::error_code none;
    fs::remove_all(staging, none);
    std::map<std::string, std::size_t> by_path;
    for (std::size_t i = 0; i < result_.files.size(); ++i) {
      mutation::mutated_file& file = result_.files[i];
      by_path[(request_.mirror / file.path).string()] = i;
      const std::string key = dropped_key(file);
      if (const auto known = state_.dropped.find(key); known != state_.dropped.end()) file.dropped = known->second;
      if (const auto known = state_.rejected.find(key); known != state_.rejected.end())
        result_.rejected_parts.insert(result_.rejected_parts.end(), known->second.begin(), known->second.end());
    }
    std::vector<mutation::rewritten_source> texts(result_.files.size());
    std::vector<bool> stale(result_.files.size(), true);
    std::map<std::string, std::string> rewritten;  // path in the mirror: hash
    // A unit that is right stays so when some of what it was checked with is dropped.
    std::set<const build::compile_unit*> right;
    for (int round = 0; round < most_checks; ++round) {
      for (std::size_t i = 0; i < result_.files.size(); ++i) {
        if (!stale[i]) continue;
        stale[i] = false;
        texts[i] = result_.files[i].rewritten();
        if (auto written = system::write_file_atomically(staging / result_.files[i].path, texts[i].text); !written)
          return tl::unexpected(written.error());
        rewritten[(request_.mirror / result_.files[i].path).string()] = git::blob_hash(texts[i].text);
      }
      std::vector<const build::compile_unit*> to_check;
      for (const build::compile_unit* unit : units_) {
        const known_unit& known = known_of(*unit);
        if (right.contains(unit)) continue;
        if (known.checked == compiled_from(known, rewritten))
          right.insert(unit);
        else
          to_check.push_back(unit);
      }
      if (to_check.empty()) break;
      told_.status(fmt::format("checking {} of {} rewritten sources", to_check.size(), units_.size()));
      const auto lines = run_clang(to_check, {staging.string(), request_.source.string()}, "check");
      if (!lines) return tl::unexpected(lines.error());
      for (const json& line : *lines) {
        std::size_t ours = 0;
        for (const json& error : line.at("errors")) {
          std::vector<mutation::rewritten_byte> at;
          const auto add = [&](const json& byte) {
            if (const auto file = by_path.find(byte.at("file").get<std::string>()); file != by_path.end())
              at.push_back({&result_.files[file->second], &texts[file->second], byte.at("offset")});
          };
          add(error);
          for (const json& byte : error.value("instantiated_at", json::array())) add(byte);
          if (!mutation::drop_cause(at)) continue;
          told_.detail(fmt::format("{}: {}", error.at("file").get<std::string>(), error.at("text").get<std::string>()));
          for (const mutation::rewritten_byte& byte : at)
            stale[static_cast<std::size_t>(byte.file - result_.files.data())] = true;
          ++ours;
        }
        // What remains was there before, or cannot be told from it: the project's compiler will say.
        if (ours == 0) right.insert(to_check.at(line.at("unit").get<std::size_t>()));
      }
    }
    for (const build::compile_unit* unit : right) {
      known_unit& known = known_of(*unit);
      known.checked = compiled_from(known, rewritten);
    }
    for (const mutation::mutated_file& file : result_.files) result_.dropped += file.dropped.size();
    for (const build::compile_unit* unit : units_)
      result_.contents[build::name_of(*unit)] = {known_of(*unit).key, known_of(*unit).consists_of};
    keep_dropped_of(result_, kept_as_they_are_, state_);
    fs::remove_all(staging, none);
    return {};
  }

  const source_reader::source_request& request_;
  system::observer& told_;
  std::vector<const build::compile_unit*> units_;  // that are known, now or before
  file_hashes hashes_;
  source_state state_;
  std::vector<std::string> options_;
  std::string reader_;  // the program that reads sources: another one may find others
  mutated_sources result_;
  std::set<std::string> kept_as_they_are_;  // files without mutants in this run, as the state calls them
};

}  // namespace

result<mutated_sources> read_sources(const source_reader::source_request& request, system::observer& told) {
  return unit_reader(request, told).run();
}

result<void> keep_dropped(const source_reader::source_request& request, const mutated_sources& sources) {
  source_state state = load_state(request);
  std::set<std::string> others;
  for (const auto& [key, dropped] : state.dropped)
    if (std::ranges::none_of(sources.files, [&](const auto& file) { return key.starts_with(file.path + ' '); }))
      others.insert(key);
  keep_dropped_of(sources, others, state);
  return save_state(request, state);
}

}  // namespace morph::mutating
