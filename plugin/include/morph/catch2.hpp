// Specs in a program of Catch2: a spec is a test case with the tag [spec], each relation a section of it, and CHECK and
// REQUIRE inside relations count. Version 3; version 2 with CATCH_CONFIG_EXTERNAL_INTERFACES.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_version_macros.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#elif __has_include(<catch2/catch.hpp>)
#ifndef CATCH_CONFIG_EXTERNAL_INTERFACES
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#endif
#include <catch2/catch.hpp>
#endif

#include <string>

#include "morph/generate.hpp"    // IWYU pragma: export
#include "morph/host.hpp"        // IWYU pragma: export
#include "morph/near.hpp"        // IWYU pragma: export
#include "morph/statistics.hpp"  // IWYU pragma: export

namespace morph::host_catch2 {

inline std::uint64_t& failed_assertions() {
  static std::uint64_t number = 0;
  return number;
}
inline std::uint64_t number_of_failures() {
  return failed_assertions();
}

#if CATCH_VERSION_MAJOR >= 3
struct failure_counter : Catch::EventListenerBase {
  using EventListenerBase::EventListenerBase;
  void assertionEnded(const Catch::AssertionStats& stats) override {
    if (!stats.assertionResult.isOk()) ++failed_assertions();
  }
};
inline const Catch::ListenerRegistrar<failure_counter> failure_counter_is_there{"morph"};
#else
struct failure_counter : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  bool assertionEnded(const Catch::AssertionStats& stats) override {
    if (!stats.assertionResult.isOk()) ++failed_assertions();
    return true;
  }
};
inline const Catch::ListenerRegistrar<failure_counter> failure_counter_is_there;
#endif

inline void run(const char* name, std::unique_ptr<spec_base> (*make)(const char*), const char* file, int line) {
  hosted_spec of(name, make, file, line);
  for (std::size_t t = 0; t < of.tests().size(); ++t) {
    const std::string relation = of.tests()[t].name;
    DYNAMIC_SECTION(relation) {
      const std::string text = [&] {
        const host_guard counted(number_of_failures);
        return of.run(t, true);
      }();
      if (!of.warnings().empty()) WARN(of.warnings());
      if (text.empty()) {
        SUCCEED();
      } else {
        FAIL_CHECK(text);
      }
    }
  }
}

}  // namespace morph::host_catch2

#undef MORPH_SPEC
/// As in spec.hpp, for Catch2.
#define MORPH_SPEC(NAME, IN, OUT, s)                                                                            \
  static void morph_spec_##NAME(morph::spec<IN, OUT>&);                                                         \
  TEST_CASE(#NAME, "[spec]") {                                                                                  \
    morph::host_catch2::run(#NAME, &morph::detail::make_spec<IN, OUT, &morph_spec_##NAME>, __FILE__, __LINE__); \
  }                                                                                                             \
  static void morph_spec_##NAME([[maybe_unused]] morph::spec<IN, OUT>& s)
