// Tests of hypotheses: textbook values, how often they are wrong, and what they notice.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "morph/random.hpp"
#include "morph/statistics.hpp"

namespace {

using morph::random_source;
using morph::same_distribution;
using morph::same_mean;
using morph::same_rate;
using morph::two_sided_t;
using sample = std::vector<double>;

constexpr double pi = 3.14159265358979323846;

/// By Box and Muller.
sample normal(random_source& random, std::size_t size, double mean, double deviation) {
  sample made;
  while (made.size() < size)
    made.push_back(mean + deviation * std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * pi * random.unit()));
  return made;
}
sample uniform(random_source& random, std::size_t size, double low, double high) {
  sample made;
  while (made.size() < size) made.push_back(low + (high - low) * random.unit());
  return made;
}

/// Of 2,000 times that `differ` is asked.
template <typename F>
int times_out_of_2000(F differ) {
  random_source random(42);
  int made = 0;
  for (int i = 0; i < 2000; ++i) made += differ(random) ? 1 : 0;
  return made;
}

TEST(SpecStatistics, TwoSidedTAsInTables) {
  EXPECT_NEAR(two_sided_t(12.706, 1), 0.05, 1e-5);
  EXPECT_NEAR(two_sided_t(4.303, 2), 0.05, 1e-5);
  EXPECT_NEAR(two_sided_t(2.571, 5), 0.05, 1e-4);
  EXPECT_NEAR(two_sided_t(3.169, 10), 0.01, 1e-5);
  EXPECT_NEAR(two_sided_t(2.042, 30), 0.05, 1e-4);
  EXPECT_NEAR(two_sided_t(-2.042, 30), 0.05, 1e-4);
  EXPECT_NEAR(two_sided_t(3.291, 120), 0.001313, 1e-5);
}

TEST(SpecStatistics, TwoSidedTInClosedForm) {
  for (const double t : {0.1, 1.0, 3.0, 50.0}) {
    EXPECT_NEAR(two_sided_t(t, 1), 1 - 2 / pi * std::atan(t), 1e-13) << t;
    EXPECT_NEAR(two_sided_t(t, 2), 1 - t / std::sqrt(2 + t * t), 1e-13) << t;
  }
  EXPECT_EQ(two_sided_t(0, 7), 1);
  EXPECT_EQ(two_sided_t(std::numeric_limits<double>::infinity(), 7), 0);
}

TEST(SpecStatistics, TwoSidedTOfManyDegreesIsNormal) {
  for (const double degrees : {1e5, 1e7, 1e9})
    for (const double t : {0.01, 1.0, 1.959964, 4.0})
      EXPECT_NEAR(two_sided_t(t, degrees), std::erfc(t / std::sqrt(2)), 1e-5) << t << " " << degrees;
}

// ---- the same mean

TEST(SpecStatistics, SameMeanIsRarelyWrong) {
  for (const double error : {0.05, 0.01}) {
    const int wrong = times_out_of_2000([error](random_source& random) {
      return !same_mean(normal(random, 30, 5, 1), normal(random, 50, 5, 3), error);
    });
    EXPECT_NEAR(wrong / 2000.0, error, 0.015) << "of variances that differ";
  }
}

TEST(SpecStatistics, SameMeanNoticesADifference) {
  const int noticed = times_out_of_2000(
      [](random_source& random) { return !same_mean(normal(random, 100, 5, 1), normal(random, 100, 5.6, 1), 0.01); });
  EXPECT_GT(noticed, 1800) << "of 0.6 standard deviations";
}

TEST(SpecStatistics, SameMeanOfConstants) {
  EXPECT_TRUE(same_mean(sample(30, 0.1), sample(70, 0.1), 0.05));
  EXPECT_TRUE(same_mean(sample(3, 1e300), sample(7, 1e300), 0.05));
  EXPECT_FALSE(same_mean(sample(30, 0.1), sample(70, 0.2), 1e-9));
  EXPECT_TRUE(same_mean({1}, {2}, 0.05)) << "nothing is known";
  EXPECT_TRUE(same_mean({}, {}, 0.05));
}

TEST(SpecStatistics, AMeanThatIsNoNumberIsNotTheSame) {
  EXPECT_FALSE(same_mean({1, 2, std::nan("")}, {1, 2, 3}, 0.05));
}

// ---- the same distribution

TEST(SpecStatistics, SameDistributionIsRarelyWrong) {
  const int wrong = times_out_of_2000([](random_source& random) {
    return !same_distribution(uniform(random, 60, 0, 1), uniform(random, 90, 0, 1), 0.05);
  });
  EXPECT_LE(wrong, 2000 * 0.05 + 30);
  EXPECT_GE(wrong, 2000 * 0.02) << "nor is it blind";
}

TEST(SpecStatistics, SameDistributionNoticesAnotherShape) {
  const int noticed = times_out_of_2000([](random_source& random) {
    return !same_distribution(normal(random, 200, 0, 1), normal(random, 200, 0, 2), 0.01);
  });
  EXPECT_GT(noticed, 1800) << "of the same mean";
}

TEST(SpecStatistics, SameDistributionOfDiscreteValues) {
  EXPECT_TRUE(same_distribution({1, 2, 2, 3}, {2, 3, 1, 2}, 0.05));
  EXPECT_FALSE(same_distribution(sample(100, 1), sample(100, 2), 1e-9));
  EXPECT_TRUE(same_distribution({}, {}, 0.05));
  EXPECT_FALSE(same_distribution({}, {1}, 0.05));
}

TEST(SpecStatistics, WhatIsNoNumberIsAValueLikeOthers) {
  const double nan = std::nan("");
  sample some = {nan, 3, 1, nan, 2};
  EXPECT_TRUE(same_distribution(some, {1, nan, 2, 3, nan}, 0.05));
  EXPECT_FALSE(same_distribution(sample(100, nan), sample(100, 2), 1e-9));
}

// ---- the same rate

TEST(SpecStatistics, SameRateAsInTheTeaExperiment) {
  EXPECT_TRUE(same_rate(3, 4, 1, 4, 0.48)) << "two-sided p is 34/70 = 0.4857";
  EXPECT_FALSE(same_rate(3, 4, 1, 4, 0.49));
  EXPECT_TRUE(same_rate(4, 4, 0, 4, 0.028)) << "2/70 = 0.02857";
  EXPECT_FALSE(same_rate(4, 4, 0, 4, 0.029));
  EXPECT_TRUE(same_rate(0, 10, 0, 20, 0.999));
  EXPECT_TRUE(same_rate(0, 0, 5, 9, 0.999)) << "nothing is known";
}

TEST(SpecStatistics, SameRateIsRarelyWrongAndNotices) {
  const auto successes = [](random_source& random, int runs, double rate) {
    std::size_t made = 0;
    for (int i = 0; i < runs; ++i) made += random.unit() < rate ? 1 : 0;
    return made;
  };
  const int wrong = times_out_of_2000([&](random_source& random) {
    return !same_rate(successes(random, 80, 0.3), 80, successes(random, 120, 0.3), 120, 0.05);
  });
  EXPECT_LE(wrong, 2000 * 0.05 + 30);
  EXPECT_GE(wrong, 2000 * 0.02);
  const int noticed = times_out_of_2000([&](random_source& random) {
    return !same_rate(successes(random, 200, 0.3), 200, successes(random, 200, 0.5), 200, 0.01);
  });
  EXPECT_GT(noticed, 1800);
}

TEST(SpecStatistics, ManyChecksShareAnError) {
  EXPECT_EQ(morph::shared_error(0.01, 100), 0.0001);
  EXPECT_EQ(morph::shared_error(0.01, 0), 0.01);
}

TEST(SpecStatistics, SamplesMoveAndStretch) {
  EXPECT_EQ(morph::plus({1, 2}, 0.5), (sample{1.5, 2.5}));
  EXPECT_EQ(morph::times({1, -2}, 3), (sample{3, -6}));
}

}  // namespace
