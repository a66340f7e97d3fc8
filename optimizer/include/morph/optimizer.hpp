// Morph::optimizer: which of many tests to run. All that the library offers, in one header.
//
// A test covers requirements (lines, branches, killed mutants, clauses of a specification) and takes time. Requirements
// are in groups, which may weigh differently; those that exactly the same tests cover are folded into one class.
//
//   cover/problem.hpp        matrix_builder makes a cover_matrix of rows; weigh() makes a cover_problem of it
//   cover/front.hpp          front_search: the best sets over a range of budgets; cover/budgets.hpp spreads these
//   cover/core.hpp           core_of(): what is left of covering everything when all that is certain is decided
//   cover/bound.hpp          cover_bound: what no set within a budget exceeds; set_cover_lower_bound(): what every one
//                            costs that covers everything
//   cover/greedy.hpp         greedy_path(): additional greedy per cost; cover/lazy_greedy.hpp for values of your own
//   cover/state.hpp          cover_state: a set under change, for searches of your own; cover/test_set.hpp: a set as
//   bits cover/instance_file.hpp  a problem as a text: read_instance(), write_instance() cover/times.hpp cover_times():
//   a cheap set that covers everything several times exact/exact.hpp          optima proven by CBC, where it is
//   installed reduction.hpp            minimal_set(): the cheapest set that covers everything. best_within(): the most
//   within a
//                            budget. roles_of(): what only one test covers, which tests cover the same
//   detection.hpp            how many tests of an order find a fault, by known faults; which tests do
//   order.hpp                orders of tests that find faults early
//   history.hpp              how likely tests are to fail, by earlier verdicts; APFD, APFDc, NAPFD
//
// Costs are microseconds, but any unit will do: whole numbers, whose sum stays below 2^52, as that of the weights does.
// Equal inputs, seeds and moves give equal sets on every machine; a proof has five or ten seconds of wall clock.
// Nothing is printed, no file is opened, no environment is read. Arguments that break a rule throw
// std::invalid_argument or std::out_of_range; texts that cannot be read are errors as values.
//
// Of four tests the two that cover all six requirements in the least time; greedy alone takes the last two:
//
//   #include <iostream>
//   #include <memory>
//   #include <morph/optimizer.hpp>
//   #include <vector>
//
//   int main() {
//     using namespace morph::optimizer;
//     matrix_builder rows({{"lines", 6}});
//     rows.add_test(3000, std::vector<std::uint32_t>{0, 1, 2});
//     rows.add_test(3000, std::vector<std::uint32_t>{3, 4, 5});
//     rows.add_test(3000, std::vector<std::uint32_t>{0, 5});
//     rows.add_test(3500, std::vector<std::uint32_t>{1, 2, 3, 4});
//     const cover_problem problem = weigh(std::make_shared<const cover_matrix>(std::move(rows).finish()));
//
//     const reduced_set cheapest = minimal_set(problem);
//     for (std::uint32_t test = 0; test < problem.matrix->test_count(); ++test)
//       if (has(cheapest.set.tests, test)) std::cout << "test " << test << '\n';
//     std::cout << cheapest.set.cost_us << " us; greedy: " << greedy_path(problem).back().cost_us << " us\n";
//   }
//
// It prints: test 0, test 1, "6000 us; greedy: 6500 us".
#pragma once

#include "optimizer/cover/bound.hpp"
#include "optimizer/cover/budgets.hpp"
#include "optimizer/cover/core.hpp"
#include "optimizer/cover/front.hpp"
#include "optimizer/cover/greedy.hpp"
#include "optimizer/cover/instance_file.hpp"
#include "optimizer/cover/lazy_greedy.hpp"
#include "optimizer/cover/problem.hpp"
#include "optimizer/cover/state.hpp"
#include "optimizer/cover/test_set.hpp"
#include "optimizer/cover/times.hpp"
#include "optimizer/detection.hpp"
#include "optimizer/exact/exact.hpp"
#include "optimizer/history.hpp"
#include "optimizer/matrix/density.hpp"
#include "optimizer/matrix/fold.hpp"
#include "optimizer/matrix/matrix.hpp"
#include "optimizer/matrix/random.hpp"
#include "optimizer/order.hpp"
#include "optimizer/reduction.hpp"
