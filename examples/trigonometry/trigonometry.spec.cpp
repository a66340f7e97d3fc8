// Identities of the standard library's trigonometric functions: once with one absolute bound for everything, which
// floating-point numbers cannot keep, and once away from the poles of tan, to nine digits.
#include <cmath>
#include <morph/morph.hpp>
#include <string>
#include <vector>

struct Trig {
  double sin, cos, tan;
  friend bool operator==(const Trig& a, const Trig& b) { return morph::near(a, b, morph::absolute{1e-12}); }
};

template <typename Tolerance, typename Applies>
void trigonometric_rules(morph::spec<double, Trig>& s, Tolerance tolerance, Applies tan_applies) {
  const double pi = std::acos(-1.0);
  const auto trig = [](double sin, double cos, double tan) { return Trig{sin, cos, tan}; };
  s.execute([](double x) { return Trig{std::sin(x), std::cos(x), std::tan(x)}; });
  s.seeds("random", morph::uniform(0.0, 2 * pi, 20));
  s.seeds("special values", [=] {
    const double a = 0.5, b = std::sqrt(0.5), c = std::sqrt(0.75), d = std::sqrt(3.0), e = 1 / d, pole = HUGE_VAL;
    const double twelfths[] = {0, 2, 3, 4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 22, 24};
    const double sines[] = {0, a, b, c, 1, c, b, a, 0, -a, -b, -c, -1, -c, -b, -a, 0};
    const double cosines[] = {1, c, b, a, 0, -a, -b, -c, -1, -c, -b, -a, 0, a, b, c, 1};
    const double tangents[] = {0, e, 1, d, pole, -d, -1, -e, 0, e, 1, d, -pole, -d, -1, -e, 0};
    std::vector<morph::seed<double, Trig>> made;
    for (std::size_t i = 0; i < std::size(sines); ++i)
      made.emplace_back(twelfths[i] * pi / 12, trig(sines[i], cosines[i], tangents[i]));
    std::erase_if(made, [=](const auto& each) { return !tan_applies(*each.expected); });
    return made;
  });

  const auto identities = [&](const std::string& of, auto mutants, auto expected) {
    const auto gives = [=](double Trig::*f) {
      return [=](auto& m, auto&... x) { return near(m.output.*f, expected(x.output...).*f, tolerance); };
    };
    s.relation("sin(" + of + ")", mutants, gives(&Trig::sin));
    s.relation("cos(" + of + ")", mutants, gives(&Trig::cos));
    const auto applies = [=](auto&... cases) { return (tan_applies(cases.output) && ...); };
    s.relation("tan(" + of + ")", mutants, applies, gives(&Trig::tan));
  };
  identities("pi/2 + x", s.datamorph("halfPiPlus", [=](double x) { return pi / 2 + x; }),
             [=](Trig x) { return trig(x.cos, -x.sin, -1 / x.tan); });
  identities("pi/2 - x", s.datamorph("halfPiMinus", [=](double x) { return pi / 2 - x; }),
             [=](Trig x) { return trig(x.cos, x.sin, 1 / x.tan); });
  identities("pi + x", s.datamorph("piPlus", [=](double x) { return pi + x; }),
             [=](Trig x) { return trig(-x.sin, -x.cos, x.tan); });
  identities("pi - x", s.datamorph("piMinus", [=](double x) { return pi - x; }),
             [=](Trig x) { return trig(x.sin, -x.cos, -x.tan); });
  identities("2 pi + x", s.datamorph("twoPiPlus", [=](double x) { return 2 * pi + x; }), [](Trig x) { return x; });
  identities("2 pi - x", s.datamorph("twoPiMinus", [=](double x) { return 2 * pi - x; }),
             [=](Trig x) { return trig(-x.sin, x.cos, -x.tan); });
  identities("-x", s.datamorph("negate", [](double x) { return -x; }),
             [=](Trig x) { return trig(-x.sin, x.cos, -x.tan); });
  identities("2 x", s.datamorph("twice", [](double x) { return 2 * x; }), [=](Trig x) {
    return trig(2 * x.sin * x.cos, x.cos * x.cos - x.sin * x.sin, 2 * x.tan / (1 - x.tan * x.tan));
  });
  identities("x + y", s.datamorph("sum", [](double x, double y) { return x + y; }), [=](Trig x, Trig y) {
    return trig(x.sin * y.cos + x.cos * y.sin, x.cos * y.cos - x.sin * y.sin, (x.tan + y.tan) / (1 - x.tan * y.tan));
  });
  identities("x - y", s.datamorph("diff", [](double x, double y) { return x - y; }), [=](Trig x, Trig y) {
    return trig(x.sin * y.cos - x.cos * y.sin, x.cos * y.cos + x.sin * y.sin, (x.tan - y.tan) / (1 + x.tan * y.tan));
  });
}

MORPH_SPEC(as_the_paper, double, Trig, s) {
  trigonometric_rules(s, morph::absolute{1e-12}, [](const Trig&) { return true; });
}
MORPH_SPEC(away_from_the_poles, double, Trig, s) {
  trigonometric_rules(s, morph::within{1e-9}, [](const Trig& x) { return std::abs(x.cos) > 0.01; });
}
