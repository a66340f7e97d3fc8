// A program or shared library as its linker sees it: which object defines what, and the fingerprint of each function.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/object/read/name_numbers.hpp"
#include "coverage/object/read/object_print.hpp"

namespace morph::object {

struct link_member {
  std::string name;  // within its archive
  std::shared_ptr<const object_print> print;
  digest content{};  // of the object's bytes and the reader's roots, if a cache read it
  digest written{};  // of the print
};

/// An argument of the linker. An object has one member without a name.
struct link_item {
  std::string path;  // as both builds name it: relative to the build tree
  bool archive = false;
  bool whole = false;  // --whole-archive
  std::vector<link_member> members;
};

struct link_options {
  /// What is wanted before any object is read; archives may define it.
  std::vector<std::string> roots{"main"};
  /// A shared library: others may call what it defines.
  bool shared = false;
  /// What archives may define as well, though nobody outside uses it by that.
  std::vector<std::string> wanted{};
  /// A name, and the one that it stands for unless an object defines it.
  std::vector<std::pair<std::string, std::string>> aliases{};

  static link_options of(bool shared) {
    return {shared ? std::vector<std::string>() : std::vector<std::string>{"main"}, shared, {}, {}};
  }
};

struct unit_object {
  std::string path;  // libx.a(member.o) of an archive
  std::shared_ptr<const object_print> print;
};

/// An atom of a unit by number; valid with its unit.
using unit_atom = std::uint32_t;

/// Where a reference leads: to an atom, to the list that the linker makes of a section, or out of the unit.
enum class destination : std::uint8_t { outside, function, data, list };
struct resolved {
  destination where = destination::outside;
  unit_atom to = none;  // an atom, or the number of a list
};

/// Members of archives are taken as GNU ld takes them, in the order of the arguments; what then is still undefined is
/// looked for in all archives again, as in --start-group and lld. Of COMDAT groups, weak and common symbols the first
/// object wins, after strong ones. Costs about 1 us a function; of an object that `like`, the unit of another build,
/// has too, by the same print, only what differs.
class link_unit {
 public:
  explicit link_unit(std::vector<link_item> items, link_options options = {}, const link_unit* like = nullptr);

  const link_options& options() const { return options_; }
  const std::vector<unit_object>& objects() const { return objects_; }
  unit_atom size() const { return static_cast<unit_atom>(owner_.size()); }

  std::uint32_t object_of(unit_atom index) const { return owner_[index]; }
  const object_print& print_of(unit_atom index) const { return *objects_[owner_[index]].print; }
  const atom& at(unit_atom index) const { return print_of(index).atoms[index - base_[owner_[index]]]; }
  unit_atom atom_of(std::uint32_t object, std::uint32_t index) const { return base_[object] + index; }
  /// Empty without one.
  std::string_view name_of(unit_atom index) const;
  /// As the compiler named it, and as it is in the counters' notes.
  std::string_view compiled_name_of(unit_atom index) const;
  /// False of what the linker drops with the group of another object.
  bool is_live(unit_atom index) const { return live_[index]; }

  /// The definition that the linker takes of a name that objects share.
  std::optional<unit_atom> find(std::string_view name) const;
  /// The same by a name of an object of a unit, which may be another one.
  std::optional<unit_atom> find(const link_unit& of, std::uint32_t object, std::uint32_t name) const;
  /// Who may name it: what the strictest of all objects says.
  visibility visibility_of(std::uint32_t object, std::uint32_t name) const {
    return winners_[(*numbers_[object])[name]].seen;
  }
  visibility visibility_of(std::string_view name) const;
  /// Whether the definition of a name that objects share is no weak one.
  bool is_strong(std::string_view name) const;
  /// Whether an object of the unit refers to that name without defining it.
  bool wants(std::string_view name) const;
  resolved resolve(std::uint32_t object, std::uint32_t reference) const;
  const std::vector<unit_atom>& list(std::uint32_t index) const { return lists_[index]; }

  /// All that the code of a function, or a variable's first value, consists of; of functions that it calls the names.
  const digest& fingerprint(unit_atom index) const { return fingerprints_[index]; }
  /// The same without constants that may be numbers of lines.
  digest relaxed_fingerprint(unit_atom index) const;
  /// Local functions of its COMDAT group that it refers to, in the order of the references: what they consist of counts
  /// as a part of it.
  std::vector<unit_atom> parts_of(unit_atom index) const;
  digest fingerprint(std::uint32_t object, const segment& of) const { return fingerprint_as(object, of, of.content); }
  digest relaxed_fingerprint(std::uint32_t object, const segment& of) const {
    return fingerprint_as(object, of, of.relaxed);
  }
  /// Of a segment's events.
  digest event_fingerprint(std::uint32_t object, const segment& of) const;
  /// What a reference of `from` adds to its fingerprint.
  digest effect(unit_atom from, std::uint32_t reference) const;

  /// The object of the unit that it was made like, of which all fingerprints are the same and the same atoms live; none
  /// if there is none, or if `like` is another unit.
  std::uint32_t same_object(const link_unit& like, std::uint32_t object) const {
    return like_ != nullptr && like_ == like.self_ ? same_objects_[object] : none;
  }

 private:
  void take(const std::string& path, const link_member& member);
  void choose_members(const std::vector<link_item>& items);
  void number_names();
  void choose_groups();
  void choose_definitions();
  void make_lists();
  void fingerprint_data();
  void fingerprint_functions();
  void take_same(const link_unit& like);
  void close_component(const std::vector<std::uint32_t>& members);
  std::vector<std::uint32_t> data_edges(std::uint32_t node) const;
  void append_effects(std::string& to, std::uint32_t object, std::uint32_t group, const range& references) const;
  void append_effect(std::string& to, std::uint32_t object, std::uint32_t group, std::uint32_t reference) const;
  digest combined(unit_atom index) const;
  /// The function that a reference of a group leads to, if it is local and of the same group.
  std::optional<unit_atom> part_of(std::uint32_t object, std::uint32_t group, std::uint32_t reference) const;
  digest fingerprint_as(std::uint32_t object, const segment& of, const digest& content) const;

  struct winner {
    unit_atom atom = none;
    strength binding = strength::local;
    bool wanted = false;
    visibility seen = visibility::usual;
    std::uint32_t list = none;  // that it is the begin or the end of
  };
  resolved resolve_name(std::uint32_t number) const;
  bool may_be_replaced(std::uint32_t number) const;

  link_options options_;
  std::vector<unit_object> objects_;
  std::vector<digest> paths_;
  std::vector<unit_atom> base_;
  std::vector<std::uint32_t> owner_;
  std::vector<bool> live_;
  std::shared_ptr<name_numbers> names_;                     // shared with the unit that it is like
  std::vector<const std::vector<std::uint32_t>*> numbers_;  // of names, by object
  std::vector<winner> winners_;                             // by number of the name
  std::vector<std::vector<unit_atom>> lists_;
  std::vector<digest> fingerprints_;  // of atoms, then of lists
  std::vector<std::uint32_t> same_objects_;
  std::shared_ptr<const int> self_ = std::make_shared<const int>(), like_;  // told apart by address
};

}  // namespace morph::object
