// Which measurements go, and which blobs with them.
#include "plugin/store/bounds.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "plugin/store/tables.hpp"

namespace morph::store {
namespace {

std::uint64_t pragma(database& db, const char* name) {
  statement s = db.prepare(fmt::format("PRAGMA {}", name));
  s.step();
  return static_cast<std::uint64_t>(s.integer(0));
}

/// Of the file, once the transaction is committed.
std::uint64_t bytes_of(database& db) {
  return (pragma(db, "page_count") - pragma(db, "freelist_count")) * pragma(db, "page_size");
}

/// Removes measurements one by one. A blob goes with the last measurement that names it.
class removal {
 public:
  removal(database& db, const std::vector<measurement_info>& all) : db_(db) {
    for (const measurement_info& m : all)
      for (const std::string& name : blobs_of(m)) ++uses_[name];
  }

  void remove(const measurement_info& m) {
    statement s = db_.prepare("DELETE FROM blob WHERE hash=?");
    for (const std::string& name : blobs_of(m))
      if (--uses_[name] == 0) s.bind(1, name).execute();
    remove_measurement(db_, m.id);
  }

 private:
  std::set<std::string> blobs_of(const measurement_info& m) const {
    std::set<std::string> names;
    for (const override_file& file : m.taken_from.overrides)
      if (file.blob) names.insert(*file.blob);
    for (const measured_link& link : read_links(db_, m.id))
      for (const linked_object& object : link.objects) names.insert(object.print);
    return names;
  }

  database& db_;
  std::map<std::string, std::size_t> uses_;
};

}  // namespace

std::vector<measurement_info> remove_oldest(database& db, const store_bounds& bounds) {
  transaction t(db);
  std::vector<measurement_info> all = read_infos(db), kept, gone;
  std::map<std::string, std::size_t> of_configuration;
  for (const measurement_info& m : all)
    (of_configuration[m.configuration]++ < bounds.measurements ? kept : gone).push_back(m);
  if (gone.empty() && bytes_of(db) <= bounds.bytes) return gone;
  removal from(db, all);
  for (const measurement_info& m : gone) from.remove(m);
  while (kept.size() > 1 && bytes_of(db) > bounds.bytes) {
    from.remove(kept.back());
    gone.push_back(std::move(kept.back()));
    kept.pop_back();
  }
  t.commit();
  return gone;
}

}  // namespace morph::store
