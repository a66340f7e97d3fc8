// Prints of objects that are there, or were recorded.
#include "plugin/changes/fingerprints.hpp"

#include <fmt/format.h>

#include "plugin/changes/link_roots.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/store/compression.hpp"

namespace morph::changes {
namespace {

using build::build_tree;
using store::linked_object;
using store::measured_link;

/// Where paths in the code begin: of the repository, the sources and the build, which may lie in each other.
std::vector<std::string> roots_of(const build::build_tree& tree) {
  std::vector<std::string> roots;
  if (const auto repo = git::repository::open(tree.source_dir)) roots.push_back(repo->root().string());
  roots.push_back(tree.source_dir.string());
  roots.push_back(tree.binary_dir.string());
  for (std::string& root : roots)
    while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  return roots;
}

constexpr std::string_view print_prefix = "print-";

}  // namespace

object::print_cache cache_of(const build::build_tree& tree) {
  return object::print_cache(tree.own_dir() / "objects", roots_of(tree),
                             build::has_blocks(tree) ? object::detail::blocks : object::detail::functions);
}

std::string packed(const std::string& bytes) {
  // Older stores have none, and equal prints are equal bytes.
  return store::compressed(bytes, store::check_sum::none);
}

result<measured_link> fingerprints::identify(const build::linked_file& link) {
  measured_link found{link.path, link.shared, {}, tree_.binary_dir.string(), link.options};
  object::digest_writer made_of;
  for (const build::link_input& input : link.inputs) {
    const auto item = cache_.identify(tree_.binary_dir / input.path, input.path);
    if (!item) return tl::unexpected(item.error());
    for (const object::link_member& member : item->members) {
      const std::string print = std::string(print_prefix) + object::hex(member.written);
      contents_.emplace(print, member.content);
      made_of.text(member.name);
      made_of.add(member.content);
      found.objects.push_back({input.path, member.name, item->archive, input.whole, print});
    }
  }
  found.made_of = object::hex(made_of.finish());
  return found;
}

result<std::shared_ptr<const object::object_print>> fingerprints::get(const linked_object& of) {
  if (const auto at = known_.find(of.print); at != known_.end()) return at->second;
  auto print = find(of);
  if (print) known_.emplace(of.print, *print);
  return print;
}

result<object::link_unit> fingerprints::unit(const measured_link& link, const std::vector<measured_link>& all,
                                             const object::link_unit* like) {
  std::vector<object::link_item> items;
  for (const linked_object& of : link.objects) {
    if (items.empty() || items.back().path != of.path || !of.archive)
      items.push_back({of.path, of.archive, of.whole, {}});
    const auto print = get(of);
    if (!print) return tl::unexpected(print.error());
    items.back().members.push_back({of.member, *print});
  }
  auto options = link_options_of(link, all, *this);
  if (!options) return tl::unexpected(options.error());
  return object::link_unit(std::move(items), std::move(*options), like);
}

result<std::shared_ptr<const object::object_print>> fingerprints::find(const linked_object& of) {
  const auto content = contents_.find(of.print);
  if (content != contents_.end())
    if (auto kept = cache_.load(content->second)) return kept;
  if (evidence_ != nullptr)
    if (const auto bytes = evidence_->blob(of.print)) {
      auto read = object::read_print(store::decompressed(*bytes).value_or(std::string()));
      if (!read) return tl::unexpected(read.error());
      return std::make_shared<const object::object_print>(std::move(*read));
    }
  const auto item = cache_.read(tree_.binary_dir / of.path, of.path);
  if (!item) return tl::unexpected(item.error());
  for (const object::link_member& member : item->members)
    if (member.name == of.member && of.print == std::string(print_prefix) + object::hex(member.written))
      return member.print;
  return tl::unexpected(fmt::format("what '{}' held is not recorded", of.path));
}

}  // namespace morph::changes
