// Servers of one test program, which answer side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "coverage/mutation/server.hpp"

namespace morph::mutation {

struct server_question {
  morph_mutants::request what{};
  std::vector<morph_mutants::test_turn> turns;
  std::size_t about = 0;
};

/// One job after another to whichever server is idle.
class server_group {
 public:
  static expected<server_group> start(const mutant_program& program, unsigned count);

  const mutant_server& first() const { return servers_.front(); }

  /// `next` gives questions to a server while there are any; `take` hears each answer, and may ask again about the
  /// same.
  expected<void> run(const std::function<std::optional<server_question>(std::size_t server)>& next,
                     const std::function<std::optional<server_question>(std::size_t server, std::size_t about,
                                                                        const mutant_answer&)>& take);

 private:
  std::vector<mutant_server> servers_;
  std::function<bool()> interrupted_;
};

}  // namespace morph::mutation
