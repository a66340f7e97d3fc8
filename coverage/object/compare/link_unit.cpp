// Resolution of symbols as linkers do it, and digests of data over all that it refers to.
#include "coverage/object/compare/link_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace morph::object {
namespace {

enum class effect_tag : char { outside, function, local_function, part, data, variable, replaceable };

void append(std::string& to, const digest& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Which names are defined, and which are wanted, while arguments are read one after the other.
class open_names {
 public:
  explicit open_names(name_numbers& names) : names_(names) {}

  void want(std::string_view name) { want(names_.add(name)); }
  void take(const std::shared_ptr<const object_print>& print) {
    const std::vector<std::uint32_t>& numbers = names_.of(print);
    for (const definition& d : print->definitions)
      if (d.binding != strength::local) at(numbers[d.name]) = state::defined;
    for (const wanted_name& w : print->wanted)
      if (!w.weak) want(numbers[w.name]);
  }
  bool defines_wanted(const std::shared_ptr<const object_print>& print) {
    const std::vector<std::uint32_t>& numbers = names_.of(print);
    return std::any_of(print->definitions.begin(), print->definitions.end(), [&](const definition& d) {
      return d.binding != strength::local && at(numbers[d.name]) == state::wanted;
    });
  }

 private:
  enum class state : std::uint8_t { unknown, wanted, defined };

  state& at(std::uint32_t number) {
    if (number >= states_.size()) states_.resize(names_.size());
    return states_[number];
  }
  void want(std::uint32_t number) {
    if (state& known = at(number); known == state::unknown) known = state::wanted;
  }

  name_numbers& names_;
  std::vector<state> states_;
};

}  // namespace

link_unit::link_unit(std::vector<link_item> items, link_options options, const link_unit* like)
    : options_(std::move(options)), names_(like != nullptr ? like->names_ : std::make_shared<name_numbers>()) {
  choose_members(items);
  for (std::uint32_t i = 0; i < objects_.size(); ++i) {
    base_.push_back(size());
    owner_.insert(owner_.end(), objects_[i].print->atoms.size(), i);
    paths_.push_back(digest_of(objects_[i].path));
  }
  number_names();
  choose_groups();
  choose_definitions();
  make_lists();
  fingerprint_data();
  same_objects_.assign(objects_.size(), none);
  if (like != nullptr) take_same(*like);
  fingerprint_functions();
}

void link_unit::take(const std::string& path, const link_member& member) {
  objects_.push_back({member.name.empty() ? path : fmt::format("{}({})", path, member.name), member.print});
}

void link_unit::choose_members(const std::vector<link_item>& items) {
  if (std::none_of(items.begin(), items.end(), [](const link_item& i) { return i.archive && !i.whole; })) {
    for (const link_item& item : items)
      for (const link_member& member : item.members) take(item.path, member);
    return;
  }
  open_names names(*names_);
  for (const auto& list : {std::cref(options_.roots), std::cref(options_.wanted)})
    for (const std::string& name : list.get()) names.want(name);
  std::vector<std::vector<bool>> taken;
  for (const link_item& item : items) taken.emplace_back(item.members.size());
  const auto take_wanted = [&](std::size_t i) {
    const link_item& item = items[i];
    bool any = false;
    for (bool again = true; again;) {
      again = false;
      for (std::size_t m = 0; m < item.members.size(); ++m) {
        const link_member& member = item.members[m];
        if (taken[i][m] || (item.archive && !item.whole && !names.defines_wanted(member.print))) continue;
        taken[i][m] = any = again = true;
        names.take(member.print);
        take(item.path, member);
      }
      again = again && item.archive && !item.whole;
    }
    return any;
  };
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < items.size(); ++i) again |= take_wanted(i);
  }
}

void link_unit::number_names() {
  for (const unit_object& o : objects_) numbers_.push_back(&names_->of(o.print));
  for (const auto& [name, of] : options_.aliases) names_->add(name);
  winners_.resize(names_->size());
}

void link_unit::choose_groups() {
  std::vector<std::uint32_t> owners(names_->size(), none);
  live_.resize(size(), true);
  for (std::uint32_t o = 0; o < objects_.size(); ++o) {
    const object_print& print = *objects_[o].print;
    for (std::uint32_t a = 0; a < print.atoms.size(); ++a) {
      const std::uint32_t group = print.atoms[a].group;
      if (group == none) continue;
      std::uint32_t& owner = owners[(*numbers_[o])[group]];
      if (owner == none) owner = o;
      live_[base_[o] + a] = owner == o;
    }
  }
}

void link_unit::choose_definitions() {
  const auto restrict = [&](std::uint32_t number, visibility seen) {
    winners_[number].seen = std::max(winners_[number].seen, seen);
  };
  for (std::uint32_t o = 0; o < objects_.size(); ++o) {
    const object_print& print = *objects_[o].print;
    const std::vector<std::uint32_t>& mine = *numbers_[o];
    for (const definition& d : print.definitions) {
      const unit_atom found = base_[o] + d.atom;
      if (d.binding == strength::local) continue;
      restrict(mine[d.name], d.seen);
      if (!live_[found]) continue;
      winner& best = winners_[mine[d.name]];
      if (d.binding > best.binding) best.atom = found, best.binding = d.binding;
    }
    for (const wanted_name& w : print.wanted) {
      restrict(mine[w.name], w.seen);
      winners_[mine[w.name]].wanted = true;
    }
  }
  for (const auto& [name, of] : options_.aliases)
    if (winner& alias = winners_[names_->find(name)]; alias.atom == none)
      if (const auto found = find(of)) alias.atom = *found;
}

void link_unit::make_lists() {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (unit_atom i = 0; i < size(); ++i) {
    const std::uint32_t name = at(i).list;
    if (name == none || !live_[i]) continue;
    const auto [it, added] = numbers.try_emplace(print_of(i).names[name], static_cast<std::uint32_t>(lists_.size()));
    if (added) lists_.emplace_back();
    lists_[it->second].push_back(i);
  }
  for (const auto& [section, list] : numbers)
    for (const std::string_view end : {"__start_", "__stop_"})
      if (const std::uint32_t name = names_->find(std::string(end).append(section)); name < winners_.size())
        winners_[name].list = list;
}

std::string_view link_unit::name_of(unit_atom index) const {
  const std::uint32_t name = at(index).name;
  return name == none ? std::string_view() : print_of(index).names[name];
}

std::string_view link_unit::compiled_name_of(unit_atom index) const {
  const std::uint32_t name = at(index).name;
  return name == none ? std::string_view() : print_of(index).compiled_name(name);
}

std::optional<unit_atom> link_unit::find(std::string_view name) const {
  const std::uint32_t number = names_->find(name);
  if (number >= winners_.size() || winners_[number].atom == none) return {};
  return winners_[number].atom;
}

std::optional<unit_atom> link_unit::find(const link_unit& of, std::uint32_t object, std::uint32_t name) const {
  if (of.names_ != names_) return find(of.objects_[object].print->names[name]);
  const std::uint32_t number = (*of.numbers_[object])[name];
  if (number >= winners_.size() || winners_[number].atom == none) return {};
  return winners_[number].atom;
}

visibility link_unit::visibility_of(std::string_view name) const {
  const std::uint32_t number = names_->find(name);
  return number < winners_.size() ? winners_[number].seen : visibility::usual;
}

bool link_unit::is_strong(std::string_view name) const {
  const std::uint32_t number = names_->find(name);
  return number < winners_.size() && winners_[number].binding == strength::strong;
}

bool link_unit::wants(std::string_view name) const {
  const std::uint32_t number = names_->find(name);
  return number < winners_.size() && winners_[number].wanted;
}

resolved link_unit::resolve_name(std::uint32_t number) const {
  // Of a name that came with another unit nothing is known here.
  if (number >= winners_.size()) return {};
  const winner& found = winners_[number];
  if (found.atom != none)
    return {at(found.atom).kind == atom_kind::function ? destination::function : destination::data, found.atom};
  return found.list == none ? resolved{} : resolved{destination::list, found.list};
}

// By a definition of the program, or of a library that is loaded before.
bool link_unit::may_be_replaced(std::uint32_t number) const {
  return options_.shared && number < winners_.size() && winners_[number].seen == visibility::usual;
}

resolved link_unit::resolve(std::uint32_t object, std::uint32_t reference) const {
  if ((reference & by_name) != 0) return resolve_name((*numbers_[object])[reference & ~by_name]);
  const unit_atom to = base_[object] + reference;
  return {at(to).kind == atom_kind::function ? destination::function : destination::data, to};
}

void link_unit::append_effect(std::string& to, std::uint32_t object, std::uint32_t group,
                              std::uint32_t reference) const {
  const resolved r = resolve(object, reference);
  const auto tag = [&](effect_tag t) { to += static_cast<char>(t); };
  if (r.where == destination::outside) return tag(effect_tag::outside);
  if (r.where == destination::list) {
    tag(effect_tag::data);
    return append(to, fingerprints_[size() + r.to]);
  }
  const atom& target = at(r.to);
  if ((reference & by_name) != 0 && may_be_replaced((*numbers_[object])[reference & ~by_name]))
    tag(effect_tag::replaceable);
  const bool own = (reference & by_name) == 0 && target.is(atom::local);
  // What belongs to one COMDAT group comes from one object.
  const bool together = group != none && target.group == group;
  if (r.where == destination::function) {
    if (!own) return tag(effect_tag::function);
    tag(together ? effect_tag::part : effect_tag::local_function);
    return append(to, together ? target.content : paths_[object]);
  }
  if (own && target.is(atom::writable) && !together) {
    tag(effect_tag::variable);
    append(to, paths_[object]);
  } else {
    tag(effect_tag::data);
  }
  append(to, fingerprints_[r.to]);
}

void link_unit::append_effects(std::string& to, std::uint32_t object, std::uint32_t group,
                               const range& references) const {
  const std::vector<std::uint32_t>& all = objects_[object].print->references;
  for (std::uint32_t i = 0; i < references.count; ++i) append_effect(to, object, group, all[references.first + i]);
}

digest link_unit::effect(unit_atom from, std::uint32_t reference) const {
  std::string bytes;
  append_effect(bytes, owner_[from], at(from).group, reference);
  return digest_of(bytes);
}

digest link_unit::combined(unit_atom index) const {
  const atom& of = at(index);
  std::string bytes;
  constexpr std::size_t of_effect = 1 + sizeof(digest);
  bytes.reserve(2 * sizeof(digest) + 2 * of_effect * of.references.count);
  append(bytes, of.content);
  append(bytes, of.exceptions);
  append_effects(bytes, owner_[index], of.group, of.references);
  return digest_of(bytes);
}

digest link_unit::relaxed_fingerprint(unit_atom index) const {
  const atom& of = at(index);
  std::string bytes;
  append(bytes, of.relaxed);
  append(bytes, of.exceptions);
  for (std::uint32_t i = 0; i < of.references.count; ++i) {
    const std::uint32_t reference = print_of(index).references[of.references.first + i];
    if (const auto part = part_of(owner_[index], of.group, reference)) {
      bytes += static_cast<char>(effect_tag::part);
      append(bytes, at(*part).relaxed);
    } else {
      append_effect(bytes, owner_[index], of.group, reference);
    }
  }
  return digest_of(bytes);
}

std::optional<unit_atom> link_unit::part_of(std::uint32_t object, std::uint32_t group, std::uint32_t reference) const {
  if (group == none || (reference & by_name) != 0) return std::nullopt;
  const resolved r = resolve(object, reference);
  if (r.where != destination::function || !at(r.to).is(atom::local) || at(r.to).group != group) return std::nullopt;
  return r.to;
}

std::vector<unit_atom> link_unit::parts_of(unit_atom index) const {
  const atom& of = at(index);
  std::vector<unit_atom> parts;
  for (std::uint32_t i = 0; i < of.references.count; ++i)
    if (const auto part = part_of(owner_[index], of.group, print_of(index).references[of.references.first + i]))
      parts.push_back(*part);
  return parts;
}

digest link_unit::fingerprint_as(std::uint32_t object, const segment& of, const digest& content) const {
  std::string bytes;
  append(bytes, content);
  append_effects(bytes, object, none, of.references);
  return digest_of(bytes);
}

digest link_unit::event_fingerprint(std::uint32_t object, const segment& of) const {
  std::string bytes;
  append(bytes, of.events);
  append_effects(bytes, object, none, of.event_references);
  return digest_of(bytes);
}

// A node is an atom, or a list behind all atoms.
std::vector<std::uint32_t> link_unit::data_edges(std::uint32_t node) const {
  if (node >= size()) return lists_[node - size()];
  std::vector<std::uint32_t> to;
  const range& references = at(node).references;
  for (std::uint32_t i = 0; i < references.count; ++i) {
    const resolved r = resolve(owner_[node], print_of(node).references[references.first + i]);
    if (r.where == destination::data) to.push_back(r.to);
    if (r.where == destination::list) to.push_back(size() + r.to);
  }
  return to;
}

// Data that refers to itself, by whatever way: the digest of one covers all, in an order that depends on names, and on
// places only where there are none.
void link_unit::close_component(const std::vector<std::uint32_t>& members) {
  const auto list_digest = [&](std::uint32_t node) {
    digest_writer all;
    for (const unit_atom a : lists_[node - size()]) all.add(fingerprints_[a]);
    return all.finish();
  };
  if (members.size() == 1 && members[0] >= size()) {
    fingerprints_[members[0]] = list_digest(members[0]);
    return;
  }
  if (members.size() == 1) {
    // Its own digest is still empty where it refers to itself.
    fingerprints_[members[0]] = combined(members[0]);
    return;
  }
  std::vector<std::uint32_t> sorted = members;
  const auto key = [&](std::uint32_t node) {
    return std::pair(node < size() ? name_of(node) : std::string_view(), node);
  };
  std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < sorted.size(); ++i) fingerprints_[sorted[i]] = {i + 1, 0};
  digest_writer all;
  for (const std::uint32_t node : sorted) all.add(node < size() ? combined(node) : list_digest(node));
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    digest_writer one;
    one.add(all.finish());
    one.number(i);
    fingerprints_[sorted[i]] = one.finish();
  }
}

// Tarjan's strongly connected components, without recursion.
void link_unit::fingerprint_data() {
  const auto count = static_cast<std::uint32_t>(size() + lists_.size());
  fingerprints_.resize(count);
  std::vector<std::uint32_t> order(count, none), low(count, 0);
  std::vector<bool> open(count, false);
  std::vector<std::uint32_t> stack;
  struct frame {
    std::uint32_t node;
    std::vector<std::uint32_t> edges;
    std::size_t next;
  };
  std::vector<frame> frames;
  std::uint32_t counter = 0;
  const auto enter = [&](std::uint32_t node) {
    order[node] = low[node] = counter++;
    open[node] = true;
    stack.push_back(node);
    frames.push_back({node, data_edges(node), 0});
  };
  for (std::uint32_t root = 0; root < count; ++root) {
    if (order[root] != none || (root < size() && (!live_[root] || at(root).kind != atom_kind::data))) continue;
    enter(root);
    while (!frames.empty()) {
      frame& top = frames.back();
      if (top.next < top.edges.size()) {
        const std::uint32_t to = top.edges[top.next++];
        if (order[to] == none)
          enter(to);
        else if (open[to])
          low[top.node] = std::min(low[top.node], order[to]);
        continue;
      }
      const std::uint32_t node = top.node;
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] != order[node]) continue;
      const auto begin = std::find(stack.rbegin(), stack.rend(), node).base() - 1;
      const std::vector<std::uint32_t> members(begin, stack.end());
      stack.erase(begin, stack.end());
      for (const std::uint32_t m : members) open[m] = false;
      close_component(members);
    }
  }
}

void link_unit::fingerprint_functions() {
  for (std::uint32_t o = 0; o < objects_.size(); ++o) {
    if (same_objects_[o] != none) continue;
    const std::vector<atom>& atoms = objects_[o].print->atoms;
    for (std::uint32_t a = 0; a < atoms.size(); ++a)
      if (const unit_atom i = base_[o] + a; live_[i] && atoms[a].kind != atom_kind::data)
        fingerprints_[i] = combined(i);
  }
}

// An object that is there as it was, and whose references lead to the same: only data is followed to what it holds.
void link_unit::take_same(const link_unit& like) {
  like_ = like.self_;
  std::unordered_map<std::string_view, std::uint32_t> objects;
  for (std::uint32_t o = 0; o < like.objects_.size(); ++o) objects.emplace(like.objects_[o].path, o);
  std::vector<char> same_names(winners_.size());
  for (std::uint32_t n = 0; n < winners_.size(); ++n) {
    const resolved was = like.resolve_name(n), is = resolve_name(n);
    if (was.where != is.where || like.may_be_replaced(n) != may_be_replaced(n)) continue;
    same_names[n] = was.where == destination::data ? like.fingerprints_[was.to] == fingerprints_[is.to]
                    : was.where == destination::list
                        ? like.fingerprints_[like.size() + was.to] == fingerprints_[size() + is.to]
                        : true;
  }
  for (std::uint32_t o = 0; o < objects_.size(); ++o) {
    const auto found = objects.find(objects_[o].path);
    if (found == objects.end() || like.objects_[found->second].print != objects_[o].print) continue;
    const object_print& print = *objects_[o].print;
    const unit_atom was = like.base_[found->second], is = base_[o];
    bool same = true;
    for (std::uint32_t a = 0; same && a < print.atoms.size(); ++a)
      same = like.live_[was + a] == live_[is + a] &&
             (print.atoms[a].kind != atom_kind::data || like.fingerprints_[was + a] == fingerprints_[is + a]);
    for (const std::uint32_t r : print.references)
      if (same && (r & by_name) != 0) same = same_names[(*numbers_[o])[r & ~by_name]] != 0;
    if (!same) continue;
    same_objects_[o] = found->second;
    std::copy_n(like.fingerprints_.begin() + was, print.atoms.size(), fingerprints_.begin() + is);
  }
}

}  // namespace morph::object
