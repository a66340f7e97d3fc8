// Types of the JSON model as parameters, results and classes.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plugin/generate/model.hpp"

namespace morph::generate {

/// A type as people write it: `const char *` -> `const char*`.
std::string tight(std::string type);

/// Reads `types` and `classes` of a line of JSON. Classes are those of the project first; types that calls need beside
/// them (containers of objects, classes that only pointers name) become classes when they are asked for.
class type_reader {
 public:
  explicit type_reader(const nlohmann::json& line);

  std::vector<modelled_class>& classes() { return classes_; }
  /// By the name in the table.
  std::optional<std::uint32_t> known_class(const std::string& name) const;
  bool has_public_fields(const std::string& name) const;
  const nlohmann::json* type_named(const std::string& name) const;
  const nlohmann::json* type_of(const nlohmann::json& use) const;

  /// `before`: the parameters before it, `all`: the uses of all.
  std::optional<parameter> parameter_of(const nlohmann::json& use, const std::vector<parameter>& before,
                                        const nlohmann::json& all);
  returned result_of(const nlohmann::json& use);
  /// Of a value that literals make.
  std::optional<parameter> plain_value(const nlohmann::json& type, const nlohmann::json& use) const;

  /// A class that is no class of the project: what it consists of.
  struct further_class {
    std::uint32_t number = 0;
    std::string type{};  // in the table
  };
  const std::vector<further_class>& further() const { return further_; }
  /// Of a type that can stand for objects: a class of the project, or one more.
  std::optional<std::uint32_t> class_of(const nlohmann::json& use);

 private:
  void add_bases(const std::string& name, std::vector<std::uint32_t>& to) const;
  modelled_class class_named(const std::string& name, const nlohmann::json& from) const;
  bool refers(const nlohmann::json& type) const;
  bool has_public_pointers(const nlohmann::json& type) const;
  bool is_container_of_objects(const nlohmann::json& type);
  std::optional<parameter> behind_pointer(parameter made, const nlohmann::json& use, const nlohmann::json& type);
  std::optional<parameter> counted(parameter made, const nlohmann::json& use, const nlohmann::json& type);
  std::optional<parameter> length(parameter made, const std::vector<parameter>& before, const nlohmann::json& use,
                                  const nlohmann::json& all) const;
  std::optional<parameter> to_pointer(parameter made, std::size_t place, const nlohmann::json& use,
                                      const nlohmann::json& type);
  static parameter counted_texts(parameter made, std::size_t place, const nlohmann::json& use);
  std::optional<parameter> plain_parameter(parameter made, const nlohmann::json& type, const nlohmann::json& use);
  std::optional<parameter> held(parameter made, const nlohmann::json& type);
  std::optional<parameter> stream(parameter made, const nlohmann::json& type, bool is_written) const;
  std::optional<parameter> callback(parameter made, const nlohmann::json& type) const;

  const nlohmann::json& types_;
  const nlohmann::json& named_;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<modelled_class> classes_;
  std::vector<further_class> further_;
};

}  // namespace morph::generate
