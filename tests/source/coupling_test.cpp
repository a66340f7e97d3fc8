// Coupled branches of small sources, worked out by hand: the examples of the paper (listings 1 and 2, figures 3 and 4)
// as C++.
//
// A branch is written as `function condition=outcome`, a pair as `caller | callee`.
#include "coverage/coupling/coupling.hpp"

#include <clang/AST/ASTContext.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "coverage/source/branches/branches.hpp"
#include "coverage/source/clang/parse.hpp"

namespace morph::coupling {
namespace {

using lines = std::vector<std::string>;

branch_graph read(const std::string& text) {
  const std::string folder = std::filesystem::path(testing::TempDir()).parent_path().string();
  const std::string path =
      folder + "/" + testing::UnitTest::GetInstance()->current_test_info()->name() + std::string("-coupled.cpp");
  std::ofstream(path) << text;
  nlohmann::json unit;
  const auto result =
      source::parse({folder, path, {"c++", "-std=c++17", path}}, {"/nowhere", {"/nowhere"}}, {},
                    [&](clang::ASTContext& context, const std::vector<source::parse_error>& errors) {
                      unit["files"] = source::to_json(source::read_branches(context, {folder, {}}, errors));
                      unit["classes"] = source::to_json(source::read_classes(context, {folder, {}}));
                    });
  for (const source::parse_error& error : result.errors) ADD_FAILURE() << error.line << ": " << error.text;
  std::filesystem::remove(path);
  return graph_of({unit});
}

std::string named(const branch_graph& graph, const branch_id& of) {
  const function& f = graph.functions[of.function];
  const std::string short_name = f.name.substr(0, f.name.find('('));
  if (of.is_entry()) return short_name + " entry";
  return short_name + ' ' + f.sites[of.site].text + '=' + std::to_string(of.outcome);
}

lines pairs_of(const branch_graph& graph, const std::string& caller, const std::string& callee,
               const options& by = {}) {
  lines made;
  for (const coupled_pair& each : coupled(graph, {caller}, {callee}, by).pairs)
    made.push_back(named(graph, each.caller) + " | " + named(graph, each.callee));
  return made;
}

/// Listing 1; of Car what figure 3 shows: `refuel` has one condition, `drive` none.
const std::string persons = R"(
class Car {
 public:
  int fuelAmount = 0;
  void drive() { fuelAmount = 0; }
  void refuel() { if (fuelAmount > 50) fuelAmount = 100; else fuelAmount = 50; }
};
class HybridCar : public Car {
 public:
  void recharge() { if (fuelAmount < 7) fuelAmount = 7; }
};
class Person {
  Car car;
 protected:
  bool lazy = false;
  void takeBus() { if (bus > 3) bus = 0; }
  int bus = 0;
 public:
  virtual ~Person() {}
  void driveToHome() { if (car.fuelAmount < 100) { addEnergy(); } else { car.drive(); } }
  virtual void addEnergy() { if (lazy) { takeBus(); } else { car.refuel(); } }
};
int stations();
class GreenPerson : public Person {
  HybridCar car;
 public:
  void addEnergy() override {
    if (lazy) { takeBus(); } else if (chargerAvailable()) { car.recharge(); } else { car.refuel(); }
  }
 private:
  bool chargerAvailable() { if (stations() > 0) { return true; } return false; }
};
)";

TEST(CoupledBranches, OfPersonAndCarAreThoseOfThePaper) {
  EXPECT_EQ(pairs_of(read(persons), "Person", "Car"),
            (lines{"Person::addEnergy lazy=0 | Car::refuel fuelAmount > 50=0",
                   "Person::addEnergy lazy=0 | Car::refuel fuelAmount > 50=1"}));
}

TEST(CoupledBranches, CountCallSitesOfCalleesWithoutBranches) {
  const branch_graph graph = read(persons);
  const coupled_branches found = coupled(graph, {"Person"}, {"Car"});
  ASSERT_EQ(found.sites.size(), 2U);  // drive and refuel
  EXPECT_EQ(found.sites_without_branch, 0U);
  EXPECT_EQ(found.sites[0].callee.size() + found.sites[1].callee.size(), 2U);
}

TEST(CoupledBranches, OfAnInheritedMethodAreFoundByTheObjectThatItIsCalledOn) {
  EXPECT_EQ(pairs_of(read(persons), "GreenPerson", "HybridCar"),
            (lines{"GreenPerson::addEnergy chargerAvailable()=0 | Car::refuel fuelAmount > 50=0",
                   "GreenPerson::addEnergy chargerAvailable()=0 | Car::refuel fuelAmount > 50=1",
                   "GreenPerson::addEnergy chargerAvailable()=1 | HybridCar::recharge fuelAmount < 7=0",
                   "GreenPerson::addEnergy chargerAvailable()=1 | HybridCar::recharge fuelAmount < 7=1"}));
}

TEST(CoupledBranches, OfASuperClassThatCallsWhatTheSubClassRedefines) {
  EXPECT_EQ(pairs_of(read(persons), "Person", "GreenPerson"),
            (lines{"Person::driveToHome car.fuelAmount < 100=1 | GreenPerson::addEnergy lazy=0",
                   "Person::driveToHome car.fuelAmount < 100=1 | GreenPerson::addEnergy lazy=1",
                   "Person::driveToHome car.fuelAmount < 100=1 | GreenPerson::addEnergy chargerAvailable()=0",
                   "Person::driveToHome car.fuelAmount < 100=1 | GreenPerson::addEnergy chargerAvailable()=1",
                   "Person::driveToHome car.fuelAmount < 100=1 | GreenPerson::chargerAvailable stations() > 0=0",
                   "Person::driveToHome car.fuelAmount < 100=1 | GreenPerson::chargerAvailable stations() > 0=1"}));
}

TEST(CoupledBranches, OfASubClassThatCallsWhatItInheritsAndDoesNotRedefine) {
  EXPECT_EQ(pairs_of(read(persons), "GreenPerson", "Person"),
            (lines{"GreenPerson::addEnergy lazy=1 | Person::takeBus bus > 3=0",
                   "GreenPerson::addEnergy lazy=1 | Person::takeBus bus > 3=1"}));
}

TEST(CoupledBranches, OfASubClassLeaveOutACallOfWhatItRedefines) {
  const branch_graph graph = read(
      "struct B { int n = 0; virtual void m() { if (n > 1) n = 0; } };\n"
      "struct D : B { void m() override { if (n > 5) B::m(); } };");
  EXPECT_EQ(coupled(graph, {"D"}, {"B"}).sites.size(), 0U);
}

TEST(CoupledBranches, OfASuperClassLeaveOutCallsOfWhatTheSubClassDoesNotRedefine) {
  const branch_graph graph = read(
      "struct B { int n = 0; virtual void m(); void f(); };\n"
      "struct D : B { void m() override { if (n > 5) n = 0; } void own() { if (n > 6) n = 0; } };\n"
      "void B::f() { if (n > 1) B::m(); if (n > 2) static_cast<D*>(this)->own(); }");
  EXPECT_EQ(coupled(graph, {"B"}, {"D"}).sites.size(), 0U);
}

TEST(CoupledBranches, OfACallerThatInheritsAreThoseOfItsBaseToo) {
  const branch_graph graph = read(
      "struct E { int n = 0; void e() { if (n > 1) n = 0; } };\n"
      "struct B { E e; int a = 0; void f() { if (a > 2) v(); } virtual void v() { if (a > 3) e.e(); } };\n"
      "struct D : B { void v() override { e.e(); } };");
  EXPECT_EQ(pairs_of(graph, "D", "E"), (lines{"B::f a > 2=1 | E::e n > 1=0", "B::f a > 2=1 | E::e n > 1=1"}));
  EXPECT_EQ(pairs_of(graph, "B", "E"), (lines{"B::v a > 3=1 | E::e n > 1=0", "B::v a > 3=1 | E::e n > 1=1"}));
}

TEST(CoupledBranches, OfConstructorsDestructorsAndOperators) {
  const std::string callee =
      "struct E { int n; E(int a) : n(a) { if (a > 1) n = 0; } ~E() { if (n > 2) n = 0; } "
      "bool operator==(int b) const { if (b > 3) return true; return n == 4; } };\n";
  EXPECT_EQ(pairs_of(read(callee + "struct R { void f(int a) { if (a > 7) E e(a); } };"), "R", "E"),
            (lines{"R::f a > 7=1 | E::E a > 1=0", "R::f a > 7=1 | E::E a > 1=1", "R::f a > 7=1 | E::~E n > 2=0",
                   "R::f a > 7=1 | E::~E n > 2=1"}));
  EXPECT_EQ(pairs_of(read(callee + "struct R { void f(E* e) { if (e != nullptr) delete e; } };"), "R", "E"),
            (lines{"R::f e != nullptr=1 | E::~E n > 2=0", "R::f e != nullptr=1 | E::~E n > 2=1"}));
  EXPECT_EQ(pairs_of(read(callee + "struct R { bool f(const E& e, int a) { return a > 7 && e == 1; } };"), "R", "E"),
            (lines{"R::f a > 7=1 | E::operator== b > 3=0", "R::f a > 7=1 | E::operator== b > 3=1"}));
}

TEST(CoupledBranches, OfAMemberAreThoseOfConstructorAndDestructorAtTheCallsOfTheOwners) {
  const branch_graph graph = read(
      "struct E { int n; E(int a) : n(a) { if (a > 1) n = 0; } ~E() { if (n > 2) n = 0; } };\n"
      "struct R { E e; R(int a) : e(a > 5 ? 1 : 2) {} ~R() {} };");
  const coupled_branches found = coupled(graph, {"R"}, {"E"});
  EXPECT_EQ(found.sites.size(), 2U);
  EXPECT_EQ(found.sites_without_branch, 2U);
}

TEST(CoupledBranches, OfLambdasBelongToTheirMethod) {
  const branch_graph graph = read(
      "struct E { int n = 0; void e() { auto l = [&](int a) { if (a > 1) n = 0; }; l(n); } };\n"
      "struct R { E e; void f(int b) { auto l = [&](int a) { if (a > 2) e.e(); }; if (b > 3) l(b); } };");
  EXPECT_EQ(pairs_of(graph, "R", "E").size(), 2U);
  EXPECT_EQ(graph.functions[coupled(graph, {"R"}, {"E"}).sites[0].function].within.has_value(), true);
}

TEST(CoupledBranches, LeadToALambdaThatIsCalled) {
  const branch_graph graph = read(
      "struct E { int n = 0; void e() { if (n > 1) n = 0; } };\n"
      "struct R { E e; void f(int b) { auto l = [&] { e.e(); }; if (b > 3) l(); } };");
  EXPECT_EQ(pairs_of(graph, "R", "E"), (lines{"R::f b > 3=1 | E::e n > 1=0", "R::f b > 3=1 | E::e n > 1=1"}));
}

TEST(CoupledBranches, OfACallBehindAThrowKeepTheBranchThatGoesOn) {
  EXPECT_EQ(pairs_of(read("struct E { int n = 0; void e() { if (n > 1) n = 0; } };\n"
                          "struct R { E e; void f(int b) { if (b > 3) throw 1; e.e(); } };"),
                     "R", "E"),
            (lines{"R::f b > 3=0 | E::e n > 1=0", "R::f b > 3=0 | E::e n > 1=1"}));
}

TEST(CoupledBranches, LeaveOutCallsThatAnExceptionLeadsTo) {
  EXPECT_EQ(pairs_of(read("void h(); struct E { int n = 0; void g() { if (n > 1) n = 0; } "
                          "void e() { try { h(); } catch (...) { g(); } } };\n"
                          "struct R { E e; void f(int b) { if (b > 3) e.e(); } };"),
                     "R", "E"),
            lines{});
}

TEST(CoupledBranches, OfTemplatesAreThoseOfTheirPatterns) {
  EXPECT_EQ(
      pairs_of(read("template <class T> struct B { T n = 0; virtual void v() = 0; void f() { if (n > 1) v(); } };\n"
                    "struct D : B<int> { void v() override { if (n > 2) n = 0; } };"),
               "B", "D"),
      (lines{"B::f n > 1=1 | D::v n > 2=0", "B::f n > 1=1 | D::v n > 2=1"}));
  EXPECT_EQ(pairs_of(read("template <class T> struct E { T n = 0; void e(T a) { if (a > n) n = a; } };\n"
                          "struct R { E<int> e; void f(int b) { if (b > 3) e.e(b); } };"),
                     "R", "E"),
            (lines{"R::f b > 3=1 | E::e a > n=0", "R::f b > 3=1 | E::e a > n=1"}));
}

TEST(CoupledBranches, OfFilesAreThoseOfAllTheirFunctions) {
  branch_graph graph = read(
      "struct E { int n = 0; void e() { if (n > 1) n = 0; } };\n"
      "static void g(E& e) { e.e(); }\n"
      "void f(E& e, int b) { if (b > 3) g(e); }");
  lines made;
  for (const coupled_pair& each : coupled(graph, {graph.functions[0].file, true}, {"E"}).pairs)
    made.push_back(named(graph, each.caller) + " | " + named(graph, each.callee));
  EXPECT_EQ(made, (lines{"f b > 3=1 | E::e n > 1=0", "f b > 3=1 | E::e n > 1=1"}));
}

TEST(CoupledBranches, MakeCandidatesOfClassesThatBothDecide) {
  lines made;
  for (const candidate& each : candidates(read(persons)))
    made.push_back(each.caller + ':' + each.callee + ' ' + std::to_string(each.sites) + ' ' +
                   std::to_string(each.pairs) + ' ' + std::to_string(each.complexity));
  EXPECT_EQ(made, (lines{"GreenPerson:HybridCar 2 4 7", "GreenPerson:Car 2 2 6", "GreenPerson:Person 1 2 8",
                         "Person:Car 2 2 4", "Person:GreenPerson 1 6 8"}));
}

TEST(CoupledBranches, AreCoveredFromTheMethodsThatLeadToTheCalls) {
  const branch_graph graph = read(persons);
  lines made;
  for (const std::uint32_t f : covering_functions(graph, {"Person"}, coupled(graph, {"Person"}, {"Car"})))
    made.push_back(graph.functions[f].name);
  EXPECT_EQ(made, (lines{"Person::driveToHome()", "Person::addEnergy()"}));
}

}  // namespace
}  // namespace morph::coupling
