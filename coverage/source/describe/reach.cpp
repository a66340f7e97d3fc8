// The fixpoint: levels of types by what makes them, levels of callables by what they take.
#include "coverage/source/describe/reach.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "coverage/source/describe/roles.hpp"

namespace morph::source {
namespace {

using nlohmann::json;

constexpr int never = std::numeric_limits<int>::max();

int after(int level) {
  return level == never ? never : level + 1;
}

/// The implementation's own, as iterators are: made without a value they are of no use.
bool is_reserved(std::string_view name) {
  const auto end = name.find('<');
  const std::string_view bare = name.substr(0, end);
  const auto colon = bare.rfind("::");
  return name.starts_with("__") || bare.substr(colon == bare.npos ? 0 : colon + 2).starts_with('_');
}

class fixpoint {
 public:
  fixpoint(json& callables, json& classes, const json& types)
      : callables_(callables), classes_(classes), types_(types) {}

  std::vector<unreachable_callable> run() {
    settle();
    for (auto& [name, each] : classes_.items()) {
      if (!each.value("stub", false) || level(seen_, name) != never) continue;
      each["by_stub"] = true;
      stubs_.insert(name);
    }
    for (const std::string& each : stubs_) lower(seen_, each, 1);
    settle();
    std::vector<unreachable_callable> left;
    for (std::size_t i = 0; i < callables_.size(); ++i) {
      const int reached = of_callable(callables_[i]);
      callables_[i]["reachable"] = reached != never;
      callables_[i]["level"] = reached == never ? -1 : reached;
      if (reached == never) left.push_back({i, missing(callables_[i])});
    }
    for (auto& [name, each] : classes_.items()) {
      const int reached = level(seen_, name);
      each["level"] = reached == never ? -1 : reached;
    }
    return left;
  }

 private:
  using levels = std::map<std::string, int, std::less<>>;

  static int level(const levels& of, const std::string& type) {
    const auto at = of.find(type);
    return at == of.end() ? never : at->second;
  }

  void lower(levels& of, const std::string& type, int to) {
    if (to == never) return;
    const auto [at, is_new] = of.try_emplace(type, to);
    if (!is_new && at->second <= to) return;
    at->second = to;
    changed_ = true;
    if (&of == &owned_) lower(seen_, type, to);
    const auto known = classes_.find(type);
    if (known == classes_.end()) return;
    for (const json& base : known->at("bases"))  // a pointer to the base owns it as well
      lower(&of == &owned_ || &of == &owned_below_ ? owned_below_ : seen_, base.get<std::string>(), to);
  }

  void settle() {
    do {
      changed_ = false;
      for (const json& each : callables_) add_outputs(each, after(of_callable(each)));
      for (const auto& [name, type] : types_.items())
        if (type.at("kind") == "record" && !classes_.contains(name)) add_foreign(name, type);
    } while (changed_);
  }

  void add_outputs(const json& callable, int at) {
    if (at == never) return;
    if (callable.at("kind") == "constructor") return lower(owned_, callable.at("class").get<std::string>(), at);
    const json& result = callable.at("result");
    const std::string made = result.at("type");
    if (result.at("passed") == "value") {
      lower(owned_, made, at);
      const json& type = types_.at(made);
      if (type.at("kind") == "owner" && !type.at("of").empty())
        lower(seen_, type.at("of")[0].at("type").get<std::string>(), at);
    } else {
      lower(seen_, made, at);
    }
    for (const json& each : callable.at("parameters"))
      if (each.at("passed").get<std::string>().ends_with("_to_pointer") && each.at("role") == "out")
        lower(seen_, each.at("type").get<std::string>(), at);
  }

  /// Of the standard library or another one: by the constructors that the table of types has.
  void add_foreign(const std::string& name, const json& type) {
    if (is_reserved(name) || !type.value("complete", false) || type.value("abstract", false)) return;
    if (type.value("default", false)) return lower(owned_, name, 0);
    for (const json& constructor : type.value("constructors", json::array())) {
      int needs = 0;
      for (const json& each : constructor)
        if (!each.at("has_default")) needs = std::max(needs, of_use(each));
      lower(owned_, name, after(needs));
    }
  }

  int of_callable(const json& callable) const {
    int needs = 0;
    if (const json* const receiver = receiver_of(callable)) needs = level(seen_, receiver->get<std::string>());
    for (const json& each : callable.at("parameters"))
      if (!each.at("has_default")) needs = std::max(needs, of_parameter(each));
    return needs;
  }

  static const json* receiver_of(const json& callable) {
    const std::string kind = callable.at("kind");
    const bool has_one = kind == "method" || kind == "conversion" || (kind == "operator" && callable.at("member"));
    return has_one ? &callable.at("class") : nullptr;
  }

  std::string missing(const json& callable) const {
    if (const json* const receiver = receiver_of(callable); receiver && level(seen_, *receiver) == never)
      return *receiver;
    for (const json& each : callable.at("parameters"))
      if (!each.at("has_default") && of_parameter(each) == never) return each.at("type");
    return {};
  }

  int of_parameter(const json& use) const {
    const std::string role = use.at("role");
    return is_one_of(role, {"out", "stream", "file", "callback", "any", "length"}) ? 0 : of_use(use);
  }

  int of_use(const json& use) const {
    const std::string type = use.at("type"), passed = use.at("passed");
    return is_one_of(passed, {"value", "move"}) ? of_value(type) : of_object(type);
  }

  /// Something that a pointer or a reference can refer to.
  int of_object(const std::string& type) const {
    if (types_.at(type).at("kind") == "record") return level(seen_, type);
    return std::min(of_kind(type), level(seen_, type));
  }

  int of_value(const std::string& type) const {
    if (types_.at(type).at("kind") != "record") return std::min(of_kind(type), level(owned_, type));
    const int copied = types_.at(type).value("copyable", false) ? after(level(seen_, type)) : never;
    return std::min(level(owned_, type), copied);
  }

  int of_kind(const std::string& name) const {
    const json& type = types_.at(name);
    const std::string kind = type.at("kind");
    if (kind == "record" || kind == "other" || kind == "raw_pointer") return never;
    if (kind == "owner") return of_owner(type);
    if (!is_one_of(kind, {"sequence", "set", "map", "array", "optional", "variant", "tuple", "span", "initializer_list",
                          "c_array"}))
      return 0;
    const bool is_variant = kind == "variant";
    int needs = is_variant ? never : 0;
    for (const json& each : type.at("of"))
      needs = is_variant ? std::min(needs, of_use(each)) : std::max(needs, of_use(each));
    return needs;
  }

  int of_owner(const json& type) const {
    if (type.at("of").empty()) return never;
    const std::string of = type.at("of")[0].at("type");
    if (types_.at(of).at("kind") != "record") return of_kind(of);
    return std::min({level(owned_, of), level(owned_below_, of), stubs_.contains(of) ? 1 : never});
  }

  json& callables_;
  json& classes_;
  const json& types_;
  levels seen_;         // some object exists, that others may own
  levels owned_;        // an object of the type itself can be made
  levels owned_below_;  // one of a type derived from it
  std::set<std::string> stubs_;
  bool changed_ = false;
};

}  // namespace

std::vector<unreachable_callable> add_levels(json& callables, json& classes, const json& types) {
  return fixpoint(callables, classes, types).run();
}

}  // namespace morph::source
