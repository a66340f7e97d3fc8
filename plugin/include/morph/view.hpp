// A pool with the values of its cases, as metrics, filters and analysers see it.
#pragma once

#include <limits>
#include <vector>

#include "morph/case.hpp"

namespace morph {

template <typename In, typename Out>
class spec;

template <typename In, typename Out>
class pool_view {
 public:
  class iterator {
   public:
    iterator(const pool_view& of, case_index at) : of_(&of), at_(at) {}
    test_case<In, Out> operator*() const { return (*of_)[at_]; }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const iterator& other) const { return at_ != other.at_; }
    bool operator==(const iterator& other) const { return at_ == other.at_; }

   private:
    const pool_view* of_;
    case_index at_;
  };

  pool_view(const spec<In, Out>& from, const pool& cases, std::uint16_t executer)
      : from_(&from), cases_(&cases), executer_(executer) {}

  std::size_t size() const { return cases_->size(); }
  test_case<In, Out> operator[](case_index at) const { return from_->view(*cases_, executer_, at); }
  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, static_cast<case_index>(size())}; }
  const pool& cases() const { return *cases_; }

  /// Distance to the nearest other case; infinite if there is none. Kept up as the pool grows: a case that is new costs
  /// as many distances as there are cases.
  double nearest(const test_case<In, Out>& of) const { return from_->nearest(*cases_)[of.position()]; }
  /// The mean of nearest() over all cases: how diverse they are.
  double mean_nearest() const {
    const std::vector<double>& each = from_->nearest(*cases_);
    double sum = 0;
    for (const double apart : each) sum += apart;
    return each.size() < 2 ? 0 : sum / static_cast<double>(each.size());
  }

 private:
  const spec<In, Out>* from_;
  const pool* cases_;
  std::uint16_t executer_;
};

}  // namespace morph
