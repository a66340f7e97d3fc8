// Signals that end what works in good order.
#include "plugin/spec/engine/interrupt.hpp"

namespace morph::engine {
namespace {

volatile sig_atomic_t is_interrupted = 0;
volatile sig_atomic_t has_worker = 0;
volatile pid_t worker_process = -1;

void note(int signal) {
  is_interrupted = 1;
  // A terminal tells all of its group; `kill` tells this one alone. Twice does no harm.
  if (has_worker != 0) ::kill(worker_process, signal);
}

}  // namespace

interrupt_catcher::interrupt_catcher() : before_{} {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_[0]);
  sigaction(SIGTERM, &action, &before_[1]);
}

interrupt_catcher::~interrupt_catcher() {
  sigaction(SIGINT, &before_[0], nullptr);
  sigaction(SIGTERM, &before_[1], nullptr);
  is_interrupted = 0;
}

bool interrupted() {
  return is_interrupted != 0;
}

void pass_interrupts_to(pid_t worker) {
  has_worker = 0;
  worker_process = worker;
  if (worker <= 0) return;
  has_worker = 1;
  if (is_interrupted != 0) ::kill(worker, SIGTERM);  // it came between making the worker and this
}

}  // namespace morph::engine
