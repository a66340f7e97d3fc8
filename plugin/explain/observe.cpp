// Nothing observes mutants yet.
#include "plugin/explain/observe.hpp"

namespace morph::explain {

result<std::vector<observation::observed_mutant>> observe(const build::build_tree& /*tree*/,
                                                          const std::vector<std::string>& /*mutants*/,
                                                          const request& /*asked*/, system::observer& /*told*/) {
  return tl::unexpected(std::string("this version of Morph cannot observe what mutants change"));
}

}  // namespace morph::explain
