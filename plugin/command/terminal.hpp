// What long work tells, on the terminal.
#pragma once

#include <spdlog/spdlog.h>

#include <optional>
#include <string>

#include "plugin/system/observer.hpp"
#include "plugin/system/progress.hpp"

namespace morph::command {

class terminal : public system::observer {
 public:
  explicit terminal(bool shows_progress) : shows_progress_(shows_progress) {}

  void status(const std::string& line) override { spdlog::info("{}", line); }
  void warn(const std::string& line) override { spdlog::warn("{}", line); }
  void detail(const std::string& line) override { spdlog::debug("{}", line); }
  void begin(std::size_t all, const std::string& unit) override { bar_.emplace(all, unit, shows_progress_); }
  void step(const std::string& doing) override {
    if (bar_) bar_->step(doing);
  }
  void reach(std::size_t done, const std::string& doing) override {
    if (bar_) bar_->reach(done, doing);
  }
  void end() override { bar_.reset(); }

 private:
  bool shows_progress_;
  std::optional<system::progress> bar_;
};

}  // namespace morph::command
