// Values of described types as C++: examples, generators, and what keeps a type from being an input or an output.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace morph::authoring {

/// What morph-source describes (coverage/source/describe_types.hpp). A use is {"type", "spelled", "passed"}.
class described_types {
 public:
  explicit described_types(nlohmann::json types) : types_(std::move(types)) {}

  const nlohmann::json& of(const nlohmann::json& use) const { return types_.at(use.at("type").get<std::string>()); }
  std::string kind(const nlohmann::json& use) const { return of(use).at("kind"); }

  /// Uses of types that the header need not have.
  nlohmann::json string();
  nlohmann::json vector_of(const nlohmann::json& use);
  nlohmann::json optional_of(const nlohmann::json& use);

  /// Why a value of it cannot be written as text; empty if it can (plugin/include/morph/text.hpp says what can).
  std::string no_text(const nlohmann::json& use) const;
  /// Why it cannot be (a part of) an input: it has no text, no value is known, it cannot be copied. Empty if it can.
  std::string no_input(const nlohmann::json& use) const;

  /// The k-th example; any number will do, they come again. Nothing if none is known.
  std::optional<std::string> example(const nlohmann::json& use, unsigned k) const;
  std::optional<std::string> generator(const nlohmann::json& use) const;

 private:
  std::string no_record_text(const nlohmann::json& type) const;
  std::optional<std::string> joined_examples(const nlohmann::json& uses, unsigned k) const;
  std::optional<std::string> joined_generators(const nlohmann::json& uses) const;
  std::optional<std::string> record_example(const nlohmann::json& type, unsigned k) const;

  nlohmann::json types_;
};

/// What a user may write so that the type has a text.
std::string hooks_to_write(const nlohmann::json& type);

/// A type as the header spells it.
std::string spelled(const nlohmann::json& type);

}  // namespace morph::authoring
