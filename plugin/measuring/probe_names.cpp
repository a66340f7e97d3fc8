// Names as CBOR, and as elements.
#include "plugin/measuring/probe_names.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "plugin/measuring/program_tables.hpp"
#include "plugin/measuring/test_inputs.hpp"
#include "plugin/system/checked_text.hpp"
#include "plugin/system/files.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using optimizer::requirement_kind;

}  // namespace

fs::path table_file(const fs::path& folder, const std::string& key) {
  return folder / (key + ".probes");
}

fs::path names_file(const fs::path& folder, const std::string& key) {
  return folder / (key + ".names");
}

result<void> write_names(const fs::path& file, const probe_names& names) {
  std::map<std::string, std::size_t> numbers;
  json sources = json::array(), functions = json::array();
  for (const auto& function : names.functions) {
    json all = json::array();
    for (const probed_name& name : function) {
      json of = json::array({name.symbol});
      for (const std::string& source : name.sources) {
        const auto [at, added] = numbers.try_emplace(source, sources.size());
        if (added) sources.push_back(source);
        of.push_back(at->second);
      }
      all.push_back(std::move(of));
    }
    functions.push_back(std::move(all));
  }
  const auto bytes = json::to_cbor({{"functions", std::move(functions)},
                                    {"sources", std::move(sources)},
                                    {"objects", names.objects},
                                    {"of_every_test", names.of_every_test},
                                    {"table", names.table}});
  return system::write_file_atomically(file,
                                       system::with_check({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

result<probe_names> read_names(const fs::path& file) {
  const auto bytes = system::read_file(file);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto content = system::checked_content(*bytes);
  if (!content) return tl::unexpected(fmt::format("'{}' is damaged", file.string()));
  try {
    const json read = json::from_cbor(*content);
    const auto sources = read.at("sources").get<std::vector<std::string>>();
    probe_names names;
    names.objects = read.at("objects").get<std::vector<std::string>>();
    names.table = read.at("table").get<std::uint64_t>();
    names.of_every_test = read.value("of_every_test", names.of_every_test);
    for (const json& all : read.at("functions")) {
      auto& function = names.functions.emplace_back();
      for (const json& of : all) {
        probed_name& name = function.emplace_back(probed_name{of.at(0).get<std::string>(), {}});
        for (std::size_t i = 1; i < of.size(); ++i) name.sources.push_back(sources.at(of[i].get<std::size_t>()));
      }
    }
    return names;
  } catch (const std::exception& error) {
    return tl::unexpected(fmt::format("'{}' is damaged: {}", file.string(), error.what()));
  }
}

std::vector<store::element> elements_of(const probed_name& name, store::measurement_writer& writer) {
  std::vector<store::element> made;
  for (const std::string& source : name.sources)
    made.push_back(store::make_element(requirement_kind::function, 0,
                                       writer.function({name.symbol, writer.file(source), 0, 0, false})));
  return made;
}

probe_elements elements_of(const probe_names& names, store::measurement_writer& writer) {
  probe_elements made;
  made.functions.resize(names.functions.size());
  for (std::size_t i = 0; i < names.functions.size(); ++i) {
    for (const probed_name& name : names.functions[i]) add_elements(made.functions[i], elements_of(name, writer));
    sort_set(made.functions[i]);
  }
  for (const std::string& object : names.objects)
    if (const auto unit = writer.unit_of(object))
      made.units.push_back(store::make_element(requirement_kind::unit, 0, *unit));
  sort_set(made.units);
  for (const std::uint32_t f : names.of_every_test)
    if (f < made.functions.size())
      made.of_every_test.insert(made.of_every_test.end(), made.functions[f].begin(), made.functions[f].end());
  return made;
}

bool add_entered(const probe_elements& of, const std::vector<std::uint32_t>& functions,
                 std::vector<store::element>& to) {
  for (const auto* const all : {&of.units, &of.of_every_test}) to.insert(to.end(), all->begin(), all->end());
  for (const std::uint32_t f : functions) {
    if (f >= of.functions.size()) return false;
    to.insert(to.end(), of.functions[f].begin(), of.functions[f].end());
  }
  return true;
}

}  // namespace morph::measuring
