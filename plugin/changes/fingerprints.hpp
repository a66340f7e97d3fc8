// Prints of objects by the names of their blobs in the store.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "coverage/object/compare/print_cache.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/build/link_lines.hpp"
#include "plugin/store/store.hpp"

namespace morph::changes {

/// Those of the build's own folder, where strings in the code count without the folders of the project.
object::print_cache cache_of(const build::build_tree& tree);

/// As a blob.
std::string packed(const std::string& bytes);

/// Prints by the names of their blobs: those of objects that are there still, else those that were recorded.
class fingerprints {
 public:
  fingerprints(object::print_cache& cache, const build::build_tree& tree, store::evidence_store* evidence)
      : cache_(cache), tree_(tree), evidence_(evidence) {}

  /// What a program is linked of now. An error says which object is not supported.
  result<store::measured_link> identify(const build::linked_file& link);

  result<std::shared_ptr<const object::object_print>> get(const store::linked_object& of);

  /// `all`: what is in the same build. `like`: what it is compared with.
  result<object::link_unit> unit(const store::measured_link& link, const std::vector<store::measured_link>& all,
                                 const object::link_unit* like = nullptr);

 private:
  result<std::shared_ptr<const object::object_print>> find(const store::linked_object& of);

  object::print_cache& cache_;
  const build::build_tree& tree_;
  store::evidence_store* evidence_;
  std::map<std::string, object::digest> contents_;  // of objects that are there
  std::map<std::string, std::shared_ptr<const object::object_print>> known_;
};

}  // namespace morph::changes
