// Reading the blocks of the shared memory.
#include "plugin/measuring/shared_counts.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "plugin/runtime/morph_shared.h"

namespace morph::measuring {
namespace {

using morph_runtime::counter_span;
using morph_runtime::shared_block;

std::string_view bytes_of(const shared_block& block) {
  return {morph_runtime::contents_of(block), block.bytes};
}

/// A layout, by its description, and its counts so far.
using layouts = std::map<std::string, std::vector<std::uint64_t>, std::less<>>;

struct description {
  std::vector<counter_span> spans;
  std::string_view modules;  // for each a length and the payload of its record
};

/// What morph_shared.cpp writes.
description describe(std::string_view bytes) {
  std::uint64_t sizes[2] = {};
  std::memcpy(sizes, bytes.data(), sizeof sizes);
  description d;
  d.spans.resize(sizes[1]);
  std::memcpy(d.spans.data(), bytes.data() + sizeof sizes, sizes[1] * sizeof(counter_span));
  d.modules = bytes.substr(sizeof sizes + sizes[1] * sizeof(counter_span), sizes[0]);
  return d;
}

void add_counts(const description& of, std::string_view pages, std::vector<std::uint64_t>& counts) {
  for (const counter_span& span : of.spans) {
    if (counts.size() < span.first_id + span.count) counts.resize(span.first_id + span.count);
    for (std::uint32_t i = 0; i < span.count; ++i) {
      std::uint64_t count = 0;
      std::memcpy(&count, pages.data() + span.offset + i * sizeof count, sizeof count);
      std::uint64_t& sum = counts[span.first_id + i];
      sum = span.is_masks != 0 ? sum | count : sum + count;
    }
  }
}

void add_modules(std::string_view modules, std::uint32_t first_id, std::vector<gcov::module_record>& to) {
  std::string stream(morph_stream::magic);
  const auto put = [&](std::uint32_t value) { stream.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(morph_stream::format_version);
  while (!modules.empty()) {
    std::uint32_t length = 0;
    std::memcpy(&length, modules.data(), sizeof length);
    stream.push_back(static_cast<char>(morph_stream::module));
    put(length);
    stream += modules.substr(sizeof length, length);
    modules.remove_prefix(sizeof length + length);
  }
  gcov::stream_reader reader;
  reader.feed(stream);
  while (true) {
    auto record = reader.next();
    if (!record || !*record) return;
    auto* module = std::get_if<gcov::module_record>(&**record);
    if (module == nullptr) return;
    for (auto& function : module->functions) {
      function.first_id += first_id;
      function.first_mask_id += function.masks > 0 ? first_id : 0;
    }
    to.push_back(std::move(*module));
  }
}

/// Whether something that a command started lives on. What has ended is done with.
bool has_left_processes() {
  pid_t ended = 0;
  do ended = ::waitpid(-1, nullptr, WNOHANG);
  while (ended > 0);
  return ended == 0;
}

}  // namespace

void take_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

result<void> offer_shared_memory() {
  static const morph_runtime::counter_layout nothing_of_our_own;
  static const bool created = morph_runtime::create_shared_memory(&nothing_of_our_own);
  take_orphans();
  if (!created) return tl::unexpected(fmt::format("no shared memory: {}", std::strerror(errno)));
  return {};
}

shared_counts take_shared_counts() {
  shared_counts taken;
  taken.incomplete = morph_runtime::not_shared();
  if (has_left_processes()) taken.incomplete |= morph_stream::made_process;
  layouts found;
  const std::size_t blocks = morph_runtime::shared_blocks();
  bool in_use = false;
  for (std::size_t i = 0; i < blocks; ++i) {
    const shared_block& block = morph_runtime::block_at(i);
    in_use = in_use || morph_runtime::is_in_use(block);
    if (block.ready == 0) taken.incomplete |= morph_stream::made_process;
    if (block.ready == 0 || block.layout == morph_runtime::describes) continue;
    const std::string_view layout = bytes_of(morph_runtime::block_at(block.layout));
    add_counts(describe(layout), bytes_of(block), found[std::string(layout)]);
  }
  std::uint32_t next_id = 0;
  for (const auto& [layout, counts] : found) {
    add_modules(describe(layout).modules, next_id, taken.modules);
    for (std::uint32_t i = 0; i < counts.size(); ++i)
      if (counts[i] != 0) taken.counters.push_back({next_id + i, counts[i]});
    next_id += static_cast<std::uint32_t>(counts.size());
  }
  std::size_t bytes = 0;
  const char* const names = morph_runtime::names_read(&bytes);
  taken.variables = gcov::split_names({names, bytes});
  morph_runtime::forget_names();
  // A process that the command left behind goes on counting: its blocks stay, and what comes is doubtful.
  if (in_use)
    taken.incomplete |= morph_stream::made_process;
  else if (blocks != 0 || taken.incomplete != 0)
    morph_runtime::forget_blocks();
  return taken;
}

}  // namespace morph::measuring
