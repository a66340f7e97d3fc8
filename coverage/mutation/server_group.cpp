// Waits for whichever server answers first.
#include "coverage/mutation/server_group.hpp"

#include <poll.h>

#include <algorithm>

namespace morph::mutation {

expected<server_group> server_group::start(const mutant_program& program, unsigned count) {
  server_group group;
  group.interrupted_ = program.interrupted;
  for (unsigned i = 0; i < count; ++i) {
    auto server = mutant_server::start(program, {}, i);
    if (!server) return tl::unexpected(server.error().message);
    group.servers_.push_back(std::move(*server));
  }
  return group;
}

expected<void> server_group::run(
    const std::function<std::optional<server_question>(std::size_t server)>& next,
    const std::function<std::optional<server_question>(std::size_t server, std::size_t about, const mutant_answer&)>&
        take) {
  std::vector<std::optional<std::size_t>> busy(servers_.size());
  const auto put = [&](std::size_t server, const std::optional<server_question>& q) -> expected<void> {
    busy[server].reset();
    if (!q) return {};
    busy[server] = q->about;
    return servers_[server].ask(q->what, q->turns);
  };
  for (std::size_t i = 0; i < servers_.size(); ++i)
    if (auto asked = put(i, next(i)); !asked) return asked;
  while (std::ranges::any_of(busy, [](const auto& b) { return b.has_value(); })) {
    std::vector<pollfd> ready;
    for (std::size_t i = 0; i < servers_.size(); ++i)
      ready.push_back({busy[i] ? servers_[i].descriptor() : -1, POLLIN, 0});
    ::poll(ready.data(), ready.size(), -1);
    if (interrupted_()) return {};
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      if (!busy[i] || ready[i].revents == 0) continue;
      const auto answer = servers_[i].take_answer();
      if (!answer) return tl::unexpected(answer.error());
      auto more = take(i, *busy[i], *answer);
      if (auto asked = put(i, more ? more : next(i)); !asked) return asked;
    }
  }
  return {};
}

}  // namespace morph::mutation
