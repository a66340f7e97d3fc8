// The cases that breeding works on: a program of specs keeps them and makes mutants, rows say what they cover.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "optimizer/pagmo/breeding_entry.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/pools/case_rows.hpp"
#include "plugin/pools/spec_process.hpp"

namespace morph::pools {

struct archive_request {
  std::string program;  // of the specs
  std::string pool, spec, executer, case_metric;
  std::vector<std::string> towards;
  std::filesystem::path scratch;  // a pool that is written again and again
};

/// Throws what a failure says as std::runtime_error; stop() tells the code then.
class bred_archive {
 public:
  static contract::outcome<std::unique_ptr<bred_archive>> open(const build::build_tree& tree, const build::suite& suite,
                                                               const archive_request& what, system::observer& told);

  const std::vector<std::string>& datamorphisms() const { return datamorphisms_; }
  bool has_filters() const { return has_filters_; }
  /// Whether anything says which cases are strong.
  bool knows_strengths() const { return knows_strengths_; }
  std::uint32_t cases() const { return static_cast<std::uint32_t>(ids_.size()); }
  const std::vector<std::string>& ids() const { return ids_; }

  /// Refers to this.
  optimizer::breeding_ground ground(std::uint32_t most_cases,
                                    std::optional<std::chrono::steady_clock::time_point> deadline);
  /// With what they were made of; to the scratch file. How many are there then.
  std::size_t save(const optimizer::case_set& cases);
  const contract::failure& stop() const { return stop_; }

 private:
  struct metric {
    std::string name;
    std::unique_ptr<row_source> rows;       // else the program tells
    std::vector<requirement_row> of_cases;  // by case
  };

  bred_archive(const archive_request& what) : what_(what) {}
  [[noreturn]] void fail(int code, const std::string& why);
  nlohmann::json ask(const std::string& question);
  void take_cases(const nlohmann::json& answer);
  void measure_new_cases();
  std::vector<optimizer::case_set> mate(const std::vector<optimizer::mating>& matings, std::uint32_t most_cases);
  std::vector<double> measure(const optimizer::case_set& cases);
  std::vector<double> strengths(const optimizer::case_set& cases);

  archive_request what_;
  std::unique_ptr<spec_process> program_;
  std::vector<metric> metrics_;
  bool asks_for_metrics_ = false;
  bool knows_strengths_ = false, has_filters_ = false;
  std::vector<std::string> datamorphisms_;
  std::vector<unsigned> arities_;
  std::vector<std::string> ids_;
  std::vector<optimizer::case_set> origins_;
  std::vector<std::uint32_t> seen_;  // by requirement: by which question
  std::uint32_t question_ = 0;
  std::map<optimizer::case_set, std::vector<double>> known_;
  contract::failure stop_;
};

}  // namespace morph::pools
