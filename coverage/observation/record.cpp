// Reads lines. Numbers of names and paths in a record are its own.
#include "coverage/observation/record.hpp"

#include <charconv>
#include <string>

namespace morph::observation {
namespace {

class words {
 public:
  explicit words(std::string_view line) : rest_(line) {}

  template <typename Number>
  bool number(Number& to, int base = 10) {
    const auto end = std::min(rest_.find(' '), rest_.size());
    const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + end, to, base);
    if (error != std::errc() || stop != rest_.data() + end) return false;
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return true;
  }
  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

void replace_all(std::string& in, std::string_view what, std::string_view by) {
  for (auto at = in.find(what); at != std::string::npos; at = in.find(what, at + by.size()))
    in.replace(at, what.size(), by);
}

std::string as_cpp(std::string_view written) {
  std::string name(written);
  replace_all(name, "->.", "->");
  for (const std::string_view receiver : {"this", "given this"})
    if (name.starts_with(receiver) && name.size() > receiver.size() && name[receiver.size()] == '.')
      name.replace(receiver.size(), 1, "->");
  return name;
}

constexpr std::string_view given = "given ";

class reader {
 public:
  reader(property_names& names, test_record& to) : names_(names), to_(to) {}

  bool line(char what, words of) {
    switch (what) {
      case 'O':
        return begins(of);
      case 'p':
        return value(of);
      case 'u':
        return not_read(of);
      case 'R':
        return other(of);
      case 'C':
        return count(of);
      case 'N':
        return name(of);
      case 'P':
        return path(of);
      case 'M':
        return module(of);
      case 'T':
        return of.number(to_.in_other_threads);
      default:
        return false;
    }
  }

 private:
  bool begins(words of) {
    seen_event event;
    if (!of.number(event.point) || !of.number(event.number) || !of.number(event.instruction) ||
        !of.number(event.path) || event.path >= to_.addresses.size())
      return false;
    const auto [known, is_new] = places_.try_emplace({event.point, event.number}, to_.events.size());
    if (is_new) to_.events.push_back(event);
    current_ = known->second;
    return true;
  }

  bool has_name(std::uint32_t number) const { return number > 0 && number <= own_names_.size(); }

  bool value(words of) {
    std::uint32_t number = 0;
    seen_value seen;
    if (to_.events.empty() || !of.number(number) || !has_name(number) || !of.number(seen.digest, 16)) return false;
    seen.name = own_names_[number - 1];
    seen.text = of.rest();
    seen_event& event = to_.events[current_];
    (names_.of(seen.name).text.starts_with(given) ? event.given : event.values).push_back(std::move(seen));
    return true;
  }

  bool not_read(words of) {
    std::uint32_t number = 0;
    if (to_.events.empty() || !of.number(number) || !has_name(number)) return false;
    const std::string& name = names_.of(own_names_[number - 1]).text;
    if (!name.starts_with(given)) to_.not_read.emplace(std::pair(to_.events[current_].point, name), of.rest());
    return true;
  }

  bool other(words of) {
    std::uint32_t point = 0, number = 0;
    std::uint64_t digest = 0;
    if (!of.number(point) || !of.number(number) || !has_name(number) || !of.number(digest, 16)) return false;
    to_.others[{point, own_names_[number - 1]}] = digest;
    return true;
  }

  bool count(words of) {
    std::uint32_t point = 0;
    return of.number(point) && of.number(to_.counts[point]);
  }

  bool name(words of) {
    std::uint32_t number = 0, is_private = 0;
    if (!of.number(number) || number != own_names_.size() + 1 || !of.number(is_private)) return false;
    own_names_.push_back(names_.number_of(of.rest(), is_private != 0));
    return true;
  }

  bool path(words of) {
    std::uint32_t number = 0;
    if (!of.number(number) || number != to_.addresses.size()) return false;
    std::vector<std::uint64_t> addresses;
    while (!of.at_end())
      if (!of.number(addresses.emplace_back(), 16)) return false;
    to_.addresses.push_back(std::move(addresses));
    to_.paths.emplace_back();
    return true;
  }

  bool module(words of) {
    loaded_module made;
    if (!of.number(made.base, 16)) return false;
    made.file = of.rest();
    to_.modules.push_back(std::move(made));
    to_.is_whole = true;  // they come last
    return true;
  }

  property_names& names_;
  test_record& to_;
  std::vector<std::uint32_t> own_names_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> places_;
  std::size_t current_ = 0;
};

}  // namespace

std::uint32_t property_names::number_of(std::string_view written, bool is_private) {
  const std::string key = std::string(written) + (is_private ? "!" : "");
  const auto [known, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back({as_cpp(written), is_private});
  return known->second;
}

std::optional<test_record> read_record(std::string_view text, property_names& names) {
  test_record made;
  reader into(names, made);
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    if (end == std::string_view::npos) break;  // the process ended here
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.size() < 2 || line[1] != ' ' || !into.line(line[0], words(line.substr(2)))) return std::nullopt;
  }
  return made;
}

}  // namespace morph::observation
