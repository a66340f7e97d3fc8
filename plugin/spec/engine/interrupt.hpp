// SIGINT and SIGTERM as a wish to end: what works looks from time to time, and ends as a limit would end it.
#pragma once

#include <signal.h>
#include <sys/types.h>

namespace morph::engine {

/// While it lives both are noted, in this process and those that it makes; then they are what they were before.
class interrupt_catcher {
 public:
  interrupt_catcher();
  interrupt_catcher(const interrupt_catcher&) = delete;
  interrupt_catcher& operator=(const interrupt_catcher&) = delete;
  ~interrupt_catcher();

 private:
  struct sigaction before_[2];
};
bool interrupted();

/// Who works for this process gets what this one gets; -1: nobody.
void pass_interrupts_to(pid_t worker);

}  // namespace morph::engine
