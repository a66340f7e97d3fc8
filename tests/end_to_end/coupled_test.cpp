// Coupled branches of a person and a car (the example of the paper on Cling) in measured programs; which are covered
// was worked out by hand.
#include <gtest/gtest.h>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

void write_person(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Person CXX)
enable_testing()
find_package(Morph REQUIRED)
add_library(person person.cpp car.cpp)
foreach(name far near lazy)
  add_executable(${name}_test tests/${name}.cpp)
  target_link_libraries(${name}_test person)
  target_include_directories(${name}_test PRIVATE .)
  morph_add_suite(s_${name} TARGET ${name}_test FRAMEWORK none)
endforeach()
)");
  to.write("car.hpp", R"(#pragma once
class Car {
 public:
  explicit Car(int fuel) : fuel_(fuel) {}
  int fuel() const { return fuel_; }
  void drive();
  void refuel(int by);

 private:
  int fuel_;
};
)");
  to.write("car.cpp", R"(#include "car.hpp"

void Car::drive() {
  if (fuel_ > 150) {
    fuel_ -= 2;
  } else {
    fuel_ -= 1;
  }
}

void Car::refuel(int by) {
  if (by > 5) fuel_ += by;
}
)");
  to.write("person.hpp", R"(#pragma once
#include "car.hpp"
class Person {
 public:
  Person(int fuel, bool lazy) : car_(fuel), lazy_(lazy) {}
  void drive_home();
  void add_energy();

 private:
  Car car_;
  bool lazy_;
  int buses_ = 0;
};
)");
  to.write("person.cpp", R"(#include "person.hpp"

void Person::drive_home() {
  if (car_.fuel() < 100) {
    add_energy();
  } else {
    car_.drive();
  }
}

void Person::add_energy() {
  if (lazy_) {
    ++buses_;
  } else {
    car_.refuel(10);
  }
}
)");
  const char* const main = "#include \"person.hpp\"\nint main() {\n  Person person(%, %);\n  person.drive_home();\n";
  const auto program = [&](const char* fuel, const char* lazy, const char* more) {
    std::string text = main;
    text.replace(text.find('%'), 1, fuel);
    text.replace(text.find('%'), 1, lazy);
    return text + more + "}\n";
  };
  to.write("tests/far.cpp", program("200", "false", ""));
  to.write("tests/near.cpp", program("50", "false", ""));
  to.write("tests/lazy.cpp", program("10", "true", "  Car car(100);\n  car.drive();\n"));
}

class coupled_report : public testing::Test {
 protected:
  coupled_report() : p(measured().here()) { measured().restore(); }
  static workspace& measured() {
    static workspace made(write_person);
    return made;
  }
  json asked(const std::string& pair) const {
    const finished said = p.morph({"report", "coverage", "--coupled", pair, "--json"});
    EXPECT_EQ(said.exit, 0) << said.both();
    return json::parse(said.out);
  }
  /// "person.cpp:4 is false -> car.cpp:4 is true": "covered", and by whom.
  static std::map<std::string, std::string> states(const json& said) {
    std::map<std::string, std::string> made;
    for (const json& each : said.at("branches")) {
      const auto text = [](const json& of) {
        return fmt::format("{}:{} {}", of.at("file").get<std::string>(), of.at("line").get<int>(),
                           of.at("outcome").get<std::string>());
      };
      std::string state = each.at("state");
      for (const json& test : each.at("tests")) state += " " + test.get<std::string>();
      made[text(each.at("caller")) + " -> " + text(each.at("callee"))] = state;
    }
    return made;
  }
  project& p;
};

TEST_F(coupled_report, one_test_has_to_take_both_branches) {
  // `lazy` drives a car, and takes the bus: no pair is covered by that.
  EXPECT_EQ(states(asked("Person:Car")),
            (std::map<std::string, std::string>{{"person.cpp:4 is false -> car.cpp:4 is true", "covered far_test"},
                                                {"person.cpp:4 is false -> car.cpp:4 is false", "not covered"},
                                                {"person.cpp:12 is false -> car.cpp:12 is true", "covered near_test"},
                                                {"person.cpp:12 is false -> car.cpp:12 is false", "not covered"}}));
  const finished all = p.morph({"report", "coverage", "--coupled"});
  EXPECT_EQ(all.exit, 0) << all.both();
  EXPECT_NE(all.out.find("50.0\n"), std::string::npos) << all.out;
}

TEST_F(coupled_report, functions_that_changed_are_left_out_and_lines_follow) {
  p.replace("car.cpp", "by > 5", "by > 6");
  p.replace("person.cpp", "#include \"person.hpp\"\n", "#include \"person.hpp\"\n\n");
  EXPECT_EQ(states(asked("Person:Car")),
            (std::map<std::string, std::string>{{"person.cpp:5 is false -> car.cpp:4 is true", "covered far_test"},
                                                {"person.cpp:5 is false -> car.cpp:4 is false", "not covered"},
                                                {"person.cpp:13 is false -> car.cpp:12 is true", "changed"},
                                                {"person.cpp:13 is false -> car.cpp:12 is false", "changed"}}));
}

TEST_F(coupled_report, the_whole_report_has_their_figure) {
  const finished text = p.morph({"report", "coverage"});
  EXPECT_EQ(text.exit, 0) << text.both();
  EXPECT_NE(text.out.find("\n\ncoupled branches: 2 of 4 covered (50.0 %)\n"), std::string::npos) << text.out;
  const auto totals = [&](const names& more) {
    names words{"report", "coverage", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return json::parse(p.morph(words).out).at("totals").at("coupled_branches");
  };
  EXPECT_EQ(totals({}), (json{{"covered", 2}, {"not_covered", 2}, {"not_mapped", 0}, {"changed", 0}}));
  // Both members count, or none.
  EXPECT_EQ(totals({"--without", "car.cpp"}),
            (json{{"covered", 0}, {"not_covered", 0}, {"not_mapped", 0}, {"changed", 0}}));
  p.replace("car.cpp", "by > 5", "by > 6");
  EXPECT_EQ(totals({}), (json{{"covered", 1}, {"not_covered", 1}, {"not_mapped", 0}, {"changed", 2}}));
}

TEST_F(coupled_report, what_a_test_is_kept_for_names_them) {
  const finished text = p.morph({"optimize", "--keep", "coupled", "--why", "near_test"});
  EXPECT_EQ(text.exit, 0) << text.both();
  EXPECT_EQ(text.out.substr(0, text.out.find("\nof ")),
            "near_test is kept\nno other test covers:\n"
            "  coupled: person.cpp:12 lazy_ is false -> car.cpp:12 by > 5 is true\n");
  const finished said = p.morph({"optimize", "--keep", "coupled", "--why", "far_test", "--json"});
  EXPECT_EQ(json::parse(said.out).at("alone"),
            (json{{"coupled", {"person.cpp:4 car_.fuel() < 100 is false -> car.cpp:4 fuel_ > 150 is true"}}}));
}

TEST_F(coupled_report, says_what_is_wrong_with_a_pair) {
  const auto refused = [&](const char* pair) {
    const finished said = p.morph({"report", "coverage", "--coupled", pair});
    EXPECT_EQ(said.exit, 2) << said.both();
    return said.err;
  };
  EXPECT_NE(refused("Persn:Car")
                .find("there is no class 'Persn' with functions in the project's sources; did you "
                      "mean 'Person'?"),
            std::string::npos);
  EXPECT_NE(refused("Person:wheel.cpp").find("name two classes, or two files"), std::string::npos);
  EXPECT_NE(refused("Car:Person").find("'Car' never calls 'Person'; it calls no class of the project"),
            std::string::npos);
  EXPECT_NE(refused("Person").find("'Person' is no CALLER:CALLEE"), std::string::npos);
}

/// More sources than a summary waits for.
void write_person_and_others(const project& to) {
  write_person(to);
  std::string sources;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
    to.write(fmt::format("{}.cpp", name), fmt::format("int {0}() {{ return 1; }}\n", name));
    sources += fmt::format(" {}.cpp", name);
  }
  to.replace("CMakeLists.txt", "person.cpp car.cpp", "person.cpp car.cpp" + sources);
}

TEST(coupled_figure, waits_until_many_sources_were_read) {
  workspace made(write_person_and_others);
  const project& p = made.here();
  const std::string note =
      "coupled branches are not counted: 9 sources are not read yet; `morph report coverage --coupled` reads them";
  EXPECT_NE(p.morph({"report", "coverage"}).out.find("note: " + note + "\n"), std::string::npos);
  const json whole = json::parse(p.morph({"report", "coverage", "--json"}).out);
  EXPECT_TRUE(whole.at("totals").at("coupled_branches").is_null());
  EXPECT_EQ(whole.at("notes").back(), note);
  EXPECT_EQ(p.morph({"report", "coverage", "--coupled"}).exit, 0);
  EXPECT_NE(p.morph({"report", "coverage"}).out.find("coupled branches: 2 of 4 covered (50.0 %)\n"), std::string::npos);
}

}  // namespace
}  // namespace morph::end_to_end
