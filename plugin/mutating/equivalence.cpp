// Answers that are known by unit, and questions for the others.
#include "plugin/mutating/equivalence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "plugin/contract/formats.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/mutating/names.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"

namespace morph::mutating {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// As coverage/source/equivalence.hpp has it, of one mutant in one unit.
struct known_code {
  std::string code;
  bool is_original = false;
};

struct known_comparison {
  std::string content;                      // digest of the unit
  bool failed = false;                      // nothing can be said of it
  std::map<std::string, known_code> codes;  // by `node:alternative`; empty code: none in this unit
};

using comparisons = std::map<std::string, known_comparison>;  // by unit

fs::path comparisons_file(const source_reader::source_request& request) {
  return request.state / "equivalence.json";
}

/// What cannot be read is forgotten.
comparisons load(const source_reader::source_request& request) {
  comparisons known;
  const auto text = system::read_file(comparisons_file(request));
  if (!text) return known;
  try {
    const json from = json::parse(*text);
    if (from.at("schema") != contract::equivalence_schema) return {};
    for (const auto& [unit, u] : from.at("units").items()) {
      known_comparison& of = known[unit];
      u.at("content").get_to(of.content);
      u.at("failed").get_to(of.failed);
      for (const auto& [mutant, code] : u.at("codes").items()) of.codes[mutant] = {code.at(0), code.at(1)};
    }
  } catch (const json::exception&) {
    return {};
  }
  return known;
}

result<void> save(const source_reader::source_request& request, const comparisons& known) {
  json units = json::object();
  for (const auto& [unit, of] : known) {
    json codes = json::object();
    for (const auto& [mutant, code] : of.codes) codes[mutant] = {code.code, code.is_original};
    units[unit] = {{"content", of.content}, {"failed", of.failed}, {"codes", std::move(codes)}};
  }
  return system::write_file_atomically(
      comparisons_file(request), json{{"schema", contract::equivalence_schema}, {"units", std::move(units)}}.dump());
}

class comparer {
 public:
  comparer(const source_reader::source_request& request, const mutated_sources& sources,
           const std::vector<mutant_place>& mutants)
      : request_(request), sources_(sources), mutants_(mutants), known_(load(request)) {
    for (std::size_t f = 0; f < sources.files.size(); ++f)
      file_of_[(request.mirror / sources.files[f].path).string()] = f;
    for (std::size_t i = 0; i < mutants.size(); ++i) in_file_[mutants[i].file].push_back(i);
  }

  result<std::vector<equivalence>> run(system::observer& told) {
    std::vector<source_reader::source_question> questions;
    std::set<std::string> present;
    for (const build::compile_unit& unit : request_.units) {
      const std::string name = build::name_of(unit);
      present.insert(name);
      const auto content = sources_.contents.find(name);
      if (content == sources_.contents.end()) continue;
      known_comparison& known = known_[name];
      if (std::string now = digest(content->second); known.content != now) known = {std::move(now), false, {}};
      if (auto asked = not_yet_compared(content->second, known); !asked.empty())
        questions.push_back({&unit, std::move(asked)});
    }
    std::erase_if(known_, [&](const auto& each) { return !present.contains(each.first); });
    if (!questions.empty()) {
      told.status(fmt::format("comparing the code of {} in {} of {} sources",
                              system::counted(mutants_.size(), "mutant"), questions.size(), request_.units.size()));
      if (auto compared = compare(questions, told); !compared) return tl::unexpected(compared.error());
      if (auto saved = save(request_, known_); !saved) return tl::unexpected(saved.error());
    }
    return conclude();
  }

 private:
  std::string id_of(const mutant_place& m) const {
    return fmt::format("{}:{}", sources_.files[m.file].node_of(m.place), m.alternative + 1);
  }

  /// Equal for units whose rewritten text differs in comments and blanks alone.
  std::string digest(const unit_content& unit) {
    std::string all = unit.key;
    for (const auto& [path, hash] : unit.files) {
      const auto file = file_of_.find(path);
      all += path + ' ' + (file == file_of_.end() ? hash : digest_of(file->second)) + '\n';
    }
    return git::blob_hash(all);
  }

  const std::string& digest_of(std::size_t index) {
    const auto [digest, is_new] = digests_.try_emplace(index);
    if (!is_new) return digest->second;
    const mutation::mutated_file& file = sources_.files[index];
    std::string all = fmt::format("{} {}", content_digest(file.source), file.first_node);
    for (const mutation::alternative_id& id : file.dropped) all += fmt::format(" {}:{}", id.place, id.number);
    return digest->second = std::move(all);
  }

  json not_yet_compared(const unit_content& unit, const known_comparison& known) const {
    json asked = json::array();
    if (known.failed) return asked;
    for (const auto& [path, hash] : unit.files) {
      const auto file = file_of_.find(path);
      if (file == file_of_.end()) continue;
      const auto here = in_file_.find(file->second);
      if (here == in_file_.end()) continue;
      for (const std::size_t i : here->second) {
        const mutant_place& m = mutants_[i];
        const mutation::mutated_file& of = sources_.files[m.file];
        if (!known.codes.contains(id_of(m)))
          asked.push_back({of.node_of(m.place), of.switch_of(m.place), m.alternative + 1});
      }
    }
    return asked;
  }

  result<void> compare(const std::vector<source_reader::source_question>& questions, system::observer& told) {
    const fs::path staging = request_.state / "compared";
    std::error_code none;
    fs::remove_all(staging, none);
    for (const mutation::mutated_file& file : sources_.files)
      if (auto written = system::write_file_atomically(staging / file.path, file.rewritten().text); !written)
        return written;
    const auto lines =
        source_reader::ask_source_program(request_, source_reader::header_options(request_.compiler), questions,
                                          {staging.string(), request_.source.string()}, "compare");
    fs::remove_all(staging, none);
    if (!lines) return tl::unexpected(lines.error());
    try {
      for (const json& line : *lines) {
        const source_reader::source_question& asked = questions.at(line.at("unit").get<std::size_t>());
        known_comparison& known = known_.at(build::name_of(*asked.unit));
        known.failed = !line.at("errors").empty();
        if (known.failed)
          told.detail(
              fmt::format("'{}' cannot be compared: {}", asked.unit->file, line.at("errors").at(0).at("text").dump()));
        if (known.failed) continue;
        for (const json& m : asked.mutants)
          known.codes.try_emplace(fmt::format("{}:{}", m.at(0).get<unsigned>(), m.at(2).get<unsigned>()));
        for (const json& code : line.at("codes")) {
          const json& m = asked.mutants.at(code.at(0).get<std::size_t>());
          known.codes[fmt::format("{}:{}", m.at(0).get<unsigned>(), m.at(2).get<unsigned>())] = {code.at(1),
                                                                                                 code.at(2)};
        }
      }
    } catch (const json::exception& error) {
      return tl::unexpected(fmt::format("what was compared is not understood: {}", error.what()));
    }
    return {};
  }

  std::vector<equivalence> conclude() const {
    std::vector<equivalence> found(mutants_.size());
    std::vector<bool> failed(sources_.files.size(), false);
    std::map<std::size_t, std::vector<const known_comparison*>> units;  // by file
    for (const auto& [name, known] : known_) {
      const auto content = sources_.contents.find(name);
      if (content == sources_.contents.end()) continue;
      for (const auto& [path, hash] : content->second.files)
        if (const auto file = file_of_.find(path); file != file_of_.end()) {
          units[file->second].push_back(&known);
          failed[file->second] = failed[file->second] || known.failed;
        }
    }
    std::map<std::tuple<std::size_t, std::uint32_t, std::string>, std::size_t> same;
    for (std::size_t i = 0; i < mutants_.size(); ++i) {
      const mutant_place& m = mutants_[i];
      if (failed[m.file]) continue;
      const std::string id = id_of(m);
      std::string everywhere;
      bool is_original = true;
      for (const known_comparison* unit : units[m.file]) {
        const auto code = unit->codes.find(id);
        if (code == unit->codes.end()) continue;
        if (!code->second.code.empty()) is_original = is_original && code->second.is_original;
        everywhere += code->second.code + '\n';
      }
      if (everywhere.find_first_not_of('\n') == std::string::npos) continue;
      found[i].is_equivalent = is_original;
      const auto [first, is_new] =
          same.try_emplace({m.file, sources_.files[m.file].switch_of(m.place), std::move(everywhere)}, i);
      if (!is_new && !is_original) found[i].same_as = first->second;
    }
    return found;
  }

  const source_reader::source_request& request_;
  const mutated_sources& sources_;
  const std::vector<mutant_place>& mutants_;
  comparisons known_;
  std::map<std::string, std::size_t> file_of_;               // by path in the mirror
  std::map<std::size_t, std::vector<std::size_t>> in_file_;  // mutants
  std::map<std::size_t, std::string> digests_;
};

}  // namespace

result<std::vector<equivalence>> find_equivalents(const source_reader::source_request& request,
                                                  const mutated_sources& sources,
                                                  const std::vector<mutant_place>& mutants, system::observer& told) {
  return comparer(request, sources, mutants).run(told);
}

}  // namespace morph::mutating
