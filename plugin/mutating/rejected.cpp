// From a compiler's message to the mutants, functions and files that are left out for it.
#include "plugin/mutating/rejected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace morph::mutating {
namespace {

namespace fs = std::filesystem;
using mutation::mutated_file;

constexpr int most_by_place = 4;     // times that a step may fail before its functions go
constexpr int most_by_function = 6;  // and before its files do

/// One step that failed, and what can be left out because of it.
class failed_build_step {
 public:
  failed_build_step(mutated_sources& sources, const source_reader::source_request& request,
                    const std::vector<build::compile_unit>& commands, const fs::path& binary,
                    const mutation::failed_step& step)
      : sources_(sources), request_(request), step_(step), errors_(mutation::read_errors(step.text)) {
    folders_.insert(request.mirror);
    folders_.insert(binary);
    // Compilers that are started through a cache may be told relative paths.
    for (const build::compile_unit& unit : commands) folders_.insert(unit.directory);
    for (mutated_file& file : sources.files) by_path_[request.mirror / file.path] = &file;
    find_files(commands, binary);
    for (const mutation::compiler_error& error : errors_)
      for (const mutation::message_place& at : error.places)
        for (mutated_file* const file : files_named(at.file)) texts_.try_emplace(file, file->rewritten());
  }

  std::vector<rejected_part> drop(int failures) {
    if (is_of_our_symbols()) drop_files();
    if (parts_.empty() && failures < most_by_place) drop_places();
    if (parts_.empty() && failures < most_by_function) drop_functions();
    if (parts_.empty()) drop_files();
    return std::move(parts_);
  }

 private:
  /// The files that are mutated and compiled in the step: its unit's own ones, then what it includes; of a program
  /// those of its objects.
  void find_files(const std::vector<build::compile_unit>& commands, const fs::path& binary) {
    const fs::path output = (binary / step_.output).lexically_normal();
    const auto object_of = [](const build::compile_unit& unit) {
      return (fs::path(unit.directory) / unit.object).lexically_normal();
    };
    for (const build::compile_unit& unit : commands)
      if (!unit.object.empty() && object_of(unit) == output) units_.push_back(&unit);
    if (units_.empty())
      for (const build::compile_unit& unit : commands)
        if (!unit.object.empty() && is_named(object_of(unit), binary)) units_.push_back(&unit);
    for (const build::compile_unit* unit : units_) add_file(unit->file);
    own_ = files_.size();
    for (const build::compile_unit* unit : units_)
      if (const auto content = sources_.contents.find(build::name_of(*unit)); content != sources_.contents.end())
        for (const auto& [path, hash] : content->second.files) add_file(path);
    // Of a unit of another language it is not known what it includes; of another step nothing.
    if (files_.empty())
      for (mutated_file& file : sources_.files)
        if (units_.empty() || !build::is_source(file.path)) add(&file);
  }

  /// By the linker's command, its messages, or the rules of its target.
  bool is_named(const fs::path& object, const fs::path& binary) const {
    const std::string path = object.lexically_relative(binary).string(),
                      in_archive = '(' + object.filename().string() + ')';
    for (const std::string* text : {&step_.command, &step_.text})
      if (text->find(path) != std::string::npos || text->find(in_archive) != std::string::npos) return true;
    return step_.command.ends_with(".dir/") && path.starts_with(step_.command);
  }

  void add(mutated_file* file) {
    if (std::ranges::find(files_, file) == files_.end()) files_.push_back(file);
  }
  void add_file(const std::string& path) {
    if (const auto known = by_path_.find(fs::path(path).lexically_normal()); known != by_path_.end())
      add(known->second);
  }

  std::vector<mutated_file*> files_named(const std::string& name) const {
    std::vector<mutated_file*> named;
    for (const fs::path& folder : folders_)
      if (const auto file = by_path_.find((folder / name).lexically_normal());
          file != by_path_.end() && std::ranges::find(named, file->second) == named.end())
        named.push_back(file->second);
    return named;
  }

  /// Where nothing defines what mutants look at, no mutant can be.
  bool is_of_our_symbols() const {
    return std::ranges::any_of(errors_,
                               [](const mutation::compiler_error& error) {
                                 return error.text.find("morph_node") != std::string::npos ||
                                        error.text.find("morph_at_node") != std::string::npos;
                               }) ||
           step_.text.find("undefined reference to `morph_") != std::string::npos;
  }

  const mutation::rewritten_source& text_of(const mutated_file& file) const { return texts_.at(&file); }

  void note(const mutated_file& file, std::uint32_t line, std::string what, std::size_t mutants,
            const std::string& why) {
    if (mutants > 0) parts_.push_back({file.path, line, std::move(what), mutants, why});
  }

  struct place_in_file {
    mutated_file* file;
    mutation::message_place at;
    std::optional<std::uint32_t> byte;  // of the rewritten text, if the column is known
  };

  std::vector<place_in_file> places_of(const mutation::compiler_error& error) {
    std::vector<place_in_file> found;
    for (const mutation::message_place& at : error.places)
      for (mutated_file* const file : files_named(at.file))
        found.push_back(
            {file, at, at.column == 0 ? std::nullopt : mutation::offset_of(text_of(*file), at.line, at.column)});
    return found;
  }

  const mutation::emitted_span* span_at(const place_in_file& at) const {
    return at.byte ? mutation::innermost(text_of(*at.file), *at.byte) : nullptr;
  }

  bool drop_span(const place_in_file& at, const std::string& why) {
    const std::size_t before = at.file->mutants();
    mutation::drop_at(*at.file, text_of(*at.file), *at.byte);
    note(*at.file, at.at.line, {}, before - at.file->mutants(), why);
    return before != at.file->mutants();
  }

  bool drop_between(const place_in_file& at, std::pair<std::uint32_t, std::uint32_t> bytes, const std::string& why) {
    if (handled_.contains({at.file, bytes.first})) return true;
    const std::size_t mutants = mutation::drop_between(*at.file, bytes);
    note(*at.file, at.at.line, {}, mutants, why);
    if (mutants > 0) handled_.insert({at.file, bytes.first});
    return mutants > 0;
  }

  bool drop_arguments(const place_in_file& at, const std::string& why) {
    if (!at.byte) return false;
    return drop_between(at, mutation::arguments_at(at.file->source, mutation::original_of(text_of(*at.file), *at.byte)),
                        why);
  }

  bool drop_statement(const place_in_file& at, const std::string& why) {
    return drop_between(at,
                        at.byte ? mutation::statement_at(*at.file, mutation::original_of(text_of(*at.file), *at.byte))
                                : mutation::statements_at_line(*at.file, at.at.line),
                        why);
  }

  /// An alternative is at fault before the arguments of the call that a message names, these before the rest of its
  /// statement, and that before what is around it. What is left out because of an earlier error needs no other reason.
  void drop_place(const mutation::compiler_error& error) {
    const auto places = places_of(error);
    for (const place_in_file& each : places)
      if (const auto* span = span_at(each); span != nullptr && !span->is_original) {
        drop_span(each, error.text);
        return;
      }
    for (const place_in_file& each : places)
      if (drop_arguments(each, error.text)) return;
    for (const place_in_file& each : places)
      if (drop_statement(each, error.text)) return;
    for (const place_in_file& each : places)
      if (span_at(each) != nullptr && drop_span(each, error.text)) return;
  }

  /// "max" of "undefined reference to `limits<level>::max() const'"; empty if the error is another one.
  static std::string undefined_name(const std::string& text) {
    if (text.find("undefined ") != 0) return {};
    std::string symbol;  // without arguments of templates
    int depth = 0;
    for (const char c : text.substr(text.find_first_of("`:") + 1)) {
      depth += c == '<' ? 1 : 0;
      if (depth == 0 && c == '(') break;
      if (depth == 0) symbol += c;
      depth -= c == '>' && depth > 0 ? 1 : 0;
    }
    const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const auto end = std::find_if(symbol.rbegin(), symbol.rend(), is_of_name);
    const auto begin = std::find_if_not(end, symbol.rend(), is_of_name);
    return {begin.base(), end.base()};
  }

  /// Linkers know little of places, and what is missing: who names it only in an alternative is at fault.
  bool drop_naming(const mutation::compiler_error& error) {
    const std::string name = undefined_name(error.text);
    bool is_found = names_.contains(name);
    if (name.empty() || is_found) return is_found;
    for (mutated_file* const file : files_)
      for (const std::uint32_t begin : mutation::drop_naming(*file, name)) {
        const auto line = 1 + std::count(file->source.begin(), file->source.begin() + begin, '\n');
        note(*file, static_cast<std::uint32_t>(line), {}, 1, error.text);
        is_found = true;
      }
    if (is_found) names_.insert(name);
    return is_found;
  }

  void drop_places() {
    for (const mutation::compiler_error& error : errors_) {
      if (error.is_crash)
        drop_function(error);
      else if (!drop_naming(error))
        drop_place(error);
    }
  }

  void drop_function(const mutation::compiler_error& error) {
    for (const mutation::message_place& at : error.places)
      for (mutated_file* const file : files_named(at.file))
        note(*file, at.line, function_at(*file, at.line), mutation::drop_functions(*file, at.line), error.text);
    for (const std::string& name : error.functions)
      for (mutated_file* const file : files_)
        note(*file, line_named(*file, name), name, mutation::drop_functions(*file, std::string_view(name)), error.text);
  }

  void drop_functions() {
    for (const mutation::compiler_error& error : errors_) drop_function(error);
  }

  static std::string function_at(const mutated_file& file, std::uint32_t line) {
    const mutation::function_extent* found = nullptr;
    for (const auto& f : file.places.functions)
      if (f.line <= line && line <= f.end_line && (found == nullptr || f.line >= found->line)) found = &f;
    return found == nullptr ? std::string() : found->name;
  }
  static std::uint32_t line_named(const mutated_file& file, const std::string& name) {
    for (const auto& f : file.places.functions)
      if (name.find(f.name.substr(0, f.name.find('('))) != std::string::npos) return f.line;
    return 0;
  }

  /// Those that messages name, else the unit's own, else one after the other: what is not at fault stays as long as
  /// that is possible.
  void drop_files() {
    std::vector<mutated_file*> named;
    for (const mutation::compiler_error& error : errors_)
      for (const mutation::message_place& at : error.places)
        for (mutated_file* const file : files_named(at.file)) named.push_back(file);
    if (is_of_our_symbols()) named = files_;
    for (mutated_file* const file : named) drop_file(*file);
    if (!parts_.empty()) return;
    for (std::size_t i = 0; i < own_; ++i) drop_file(*files_[i]);
    if (!parts_.empty()) return;
    for (mutated_file* const file : files_) drop_file(*file);
  }

  void drop_file(mutated_file& file) {
    note(file, 0, "*", mutation::drop_all(file), errors_.empty() ? last_line() : errors_.front().text);
  }

  std::string last_line() const {
    std::string_view text = step_.text;
    while (text.ends_with('\n')) text.remove_suffix(1);
    const auto begin = text.rfind('\n');
    return std::string(text.substr(begin == std::string_view::npos ? 0 : begin + 1));
  }

  mutated_sources& sources_;
  const source_reader::source_request& request_;
  const mutation::failed_step& step_;
  std::vector<mutation::compiler_error> errors_;
  std::set<fs::path> folders_;
  std::map<fs::path, mutated_file*> by_path_;
  std::vector<const build::compile_unit*> units_;
  std::vector<mutated_file*> files_;
  std::size_t own_ = 0;
  std::map<const mutated_file*, mutation::rewritten_source> texts_;  // as they were compiled
  std::set<std::pair<const mutated_file*, std::uint32_t>> handled_;  // statements
  std::set<std::string> names_;                                      // that are defined nowhere
  std::vector<rejected_part> parts_;
};

}  // namespace

std::vector<rejected_part> rejections::drop(mutated_sources& sources, const std::string& log) {
  std::vector<rejected_part> all;
  // Places in messages are of the text that was compiled, whatever another step has had left out.
  using dropped_list = std::vector<mutation::alternative_id>;
  std::vector<dropped_list> compiled, dropped;
  for (const mutated_file& file : sources.files) compiled.push_back(file.dropped);
  dropped = compiled;
  for (const mutation::failed_step& step : mutation::failed_steps_in(log)) {
    auto parts = failed_build_step(sources, request_, commands_, binary_, step).drop(failures_[step.output]++);
    for (std::size_t f = 0; f < sources.files.size(); ++f) {
      dropped_list& now = sources.files[f].dropped;
      if (now.size() == compiled[f].size()) continue;
      dropped_list both;
      std::ranges::set_union(dropped[f], now, std::back_inserter(both));
      dropped[f] = std::move(both);
      now = compiled[f];
    }
    for (rejected_part& part : parts)
      if (std::ranges::find(all, part) == all.end()) all.push_back(std::move(part));
  }
  for (std::size_t f = 0; f < sources.files.size(); ++f) sources.files[f].dropped = std::move(dropped[f]);
  sources.rejected_parts.insert(sources.rejected_parts.end(), all.begin(), all.end());
  return all;
}

}  // namespace morph::mutating
