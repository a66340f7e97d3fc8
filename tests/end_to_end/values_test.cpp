// Values of the user's own for `morph generate`: functions in headers called NAME.values.hpp.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

constexpr const char* bank_header = R"(#pragma once
#include <string>
namespace bank {
class account {
 public:
  explicit account(const std::string& iban);  // throws std::invalid_argument if its check digits are wrong
  bool pay(int cents);
  int balance() const { return cents_; }
  void take_in(int cents) { cents_ += cents > 0 ? cents : 0; }

 private:
  std::string iban_;
  int cents_ = 0;
};
class teller {
 public:
  int greet(const account& customer) const;
};
}  // namespace bank
)";

constexpr const char* bank_source = R"(#include "bank.h"

#include <cctype>
#include <stdexcept>

namespace bank {

account::account(const std::string& iban) : iban_(iban) {
  if (iban.size() < 15) throw std::invalid_argument("too short");
  int rest = 0;
  for (const char c : iban.substr(4) + iban.substr(0, 4)) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) throw std::invalid_argument("no letter, no digit");
    rest = std::isdigit(static_cast<unsigned char>(c)) != 0 ? (rest * 10 + c - '0') % 97 : (rest * 100 + c - 'A' + 10) % 97;
  }
  if (rest != 1) throw std::invalid_argument("wrong check digits");
}

bool account::pay(int cents) {
  if (cents <= 0 || cents > cents_) return false;
  cents_ -= cents;
  return true;
}

int teller::greet(const account& customer) const {
  if (customer.balance() > 1000000) return 2;
  return customer.balance() > 0 ? 1 : 0;
}

}  // namespace bank
)";

constexpr const char* bank_values = R"(#pragma once
#include <string>

#include "bank.h"

namespace bank_values {

inline std::string iban(unsigned seed) {
  static const char* const all[] = {"DE89370400440532013000", "GB82WEST12345698765432"};
  return all[seed % 2];
}

inline bank::account with_savings(int cents) {
  bank::account made("DE89370400440532013000");
  made.take_in(cents);
  return made;
}

}  // namespace bank_values
)";

class values : public testing::Test {
 protected:
  values() : p_(folder_.path() / "bank", folder_.path() / "home") {
    p_.write("src/bank.h", bank_header);
    p_.write("src/bank.cpp", bank_source);
    p_.write("tests/bank_test.cpp",
             "#include <gtest/gtest.h>\n#include \"bank.h\"\nTEST(Teller, IsThere) { bank::teller one; (void)one; }\n");
    p_.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(bank CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
enable_testing()
add_library(bank STATIC src/bank.cpp)
target_include_directories(bank PUBLIC src)
add_executable(bank_tests tests/bank_test.cpp)
target_link_libraries(bank_tests bank GTest::gtest_main)
morph_add_suite(bank TARGET bank_tests)
)");
    p_.start_repository();
    p_.configure();
    p_.build();
  }

  finished generate(std::vector<std::string> more, const char* sequences = "3000") const {
    more.insert(more.begin(), {"generate", "--unit", "src/bank.cpp", "--sequences", sequences, "--without-mutants"});
    return p_.morph(more);
  }

  scratch_folder folder_;
  project p_;
};

TEST_F(values, of_the_user_reach_what_a_search_does_not) {
  const auto reached = [](const json& found) { return found.at("branches").at("reached").get<int>(); };
  const json without = json::parse(generate({"--json"}).out);
  EXPECT_LT(reached(without), without.at("branches").at("all").get<int>());

  p_.write("tests/bank.values.hpp", bank_values);
  const json with = json::parse(generate({"--json"}).out);
  EXPECT_EQ(reached(with), with.at("branches").at("all").get<int>()) << with.at("goals");
  EXPECT_EQ(with.at("values"), json::parse(R"({"functions": 2, "literals": 2})"));
  EXPECT_EQ(with.at("verified").at("uncompilable"), 0);
  EXPECT_EQ(with.at("verified").at("failed"), 0);
  // A text as itself, an object by the function that makes it, and its header beside the test.
  const std::string source = with.at("source");
  for (const char* const each : {"#include \"bank.values.hpp\"\n", "bank_values::with_savings("})
    EXPECT_NE(source.find(each), std::string::npos) << each << '\n' << source;
  EXPECT_TRUE(source.find("\"DE89370400440532013000\"") != std::string::npos ||
              source.find("\"GB82WEST12345698765432\"") != std::string::npos)
      << source;
  EXPECT_EQ(source.find("bank_values::iban("), std::string::npos) << source;
}

// The unit does not find Morph's headers by itself. Two digits of a drawn number make it valid.
TEST_F(values, are_drawn_by_generators_of_specs) {
  p_.write("tests/bank.values.hpp", R"(#pragma once
#include <morph/generate.hpp>
#include <string>
namespace bank_values {
inline std::string iban(unsigned seed) {
  morph::random_source random(seed);
  const std::string number = std::to_string(morph::integers(100000000000, 999999999999)(random));
  int rest = 0;
  for (const char c : number + "131400") rest = (rest * 10 + c - '0') % 97;
  const std::string digits = std::to_string(98 - rest);
  return "DE" + std::string(2 - digits.size(), '0') + digits + number;
}
}  // namespace bank_values
)");
  const json found = json::parse(generate({"--json"}, "300").out);
  EXPECT_EQ(found.at("values"), json::parse(R"({"functions": 1, "literals": 32})"));
  EXPECT_EQ(found.at("verified").at("uncompilable"), 0);
  EXPECT_NE(found.at("source").get<std::string>().find("\"DE"), std::string::npos) << found.at("source");
}

TEST_F(values, that_do_not_compile_are_told_and_left_out) {
  p_.write("tests/bank.values.hpp", "#pragma once\ninline strang iban(unsigned);\n");
  p_.write("tests/gone.values.hpp", "#pragma once\n#include \"gone.hpp\"\ninline int cents(unsigned) { return 1; }\n");
  const finished done = generate({}, "300");
  EXPECT_EQ(done.exit, 0) << done.both();
  for (const char* const each : {"tests/bank.values.hpp", "tests/gone.values.hpp"})
    EXPECT_NE(done.err.find("'" + std::string(each) + "' is not used: it does not compile as 'src/bank.cpp' does"),
              std::string::npos)
        << done.err;
}

}  // namespace
}  // namespace morph::end_to_end
