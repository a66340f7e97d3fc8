// Numbers as text and back: what is the same number, written otherwise.
#include <double-conversion/double-conversion.h>

#include <morph/morph.hpp>

namespace {

struct decimal {
  std::string digits;
  int point;     // digits before it
  int exponent;  // of ten
  bool negative;
};
struct written {
  std::string shortest, fixed, precise, scientific;
  bool operator==(const written&) const = default;
};

std::string text_of(const decimal& d) {
  return (d.negative ? "-" : "") + d.digits.substr(0, static_cast<std::size_t>(d.point)) + "." +
         d.digits.substr(static_cast<std::size_t>(d.point)) + "e" + std::to_string(d.exponent);
}

written as_text(const decimal& d) {
  using namespace double_conversion;
  const StringToDoubleConverter reader(StringToDoubleConverter::NO_FLAGS, 0, 0, "Infinity", "NaN");
  const std::string text = text_of(d);
  int used = 0;
  const double value = reader.StringToDouble(text.data(), static_cast<int>(text.size()), &used);
  const DoubleToStringConverter& writer = DoubleToStringConverter::EcmaScriptConverter();
  char space[400];
  const auto told = [&](auto make) {
    StringBuilder to(space, sizeof space);
    return make(to) ? std::string(to.Finalize()) : (to.Finalize(), std::string("none"));
  };
  return {told([&](auto& to) { return writer.ToShortest(value, &to); }),
          told([&](auto& to) { return writer.ToFixed(value, 6, &to); }),
          told([&](auto& to) { return writer.ToPrecision(value, 12, &to); }),
          told([&](auto& to) { return writer.ToExponential(value, 9, &to); })};
}

int number_of_digits(const decimal& d) {
  return static_cast<int>(d.digits.size());
}
/// Of the first digit.
int size_of(const decimal& d) {
  return d.point + d.exponent;
}

std::string without_sign(const std::string& text) {
  return text[0] == '-' ? text.substr(1) : text;
}

}  // namespace

MORPH_SPEC(double_conversion, decimal, written, s) {
  s.execute(as_text);
  s.seeds("random", [](morph::random_source& random) {
    std::vector<decimal> all;
    for (int i = 0; i < 200; ++i) {
      decimal d{"", 0, 0, random.below(2) == 0};
      const std::uint64_t length = 1 + random.below(random.below(3) == 0 ? 30 : 17);
      for (std::uint64_t k = 0; k < length; ++k) d.digits += static_cast<char>('0' + random.below(10));
      d.digits[0] = static_cast<char>('1' + random.below(9));
      d.point = static_cast<int>(1 + random.below(length));
      const int spread = random.below(4) == 0 ? 300 : 12;
      d.exponent = static_cast<int>(random.below(static_cast<std::uint64_t>(2 * spread + 1))) - spread;
      all.push_back(d);
    }
    return all;
  });
  s.distance_by([](const decimal& a, const decimal& b) { return morph::edit_distance(text_of(a), text_of(b)); });

  s.category("digits", number_of_digits,
             {{"few", [](int n) { return n <= 7; }},
              {"to 17", [](int n) { return 7 < n && n <= 17; }},
              {"many", [](int n) { return n > 17; }}});
  s.category("size", size_of,
             {{"tiny", [](int n) { return n <= -30; }},
              {"small", [](int n) { return -30 < n && n <= 0; }},
              {"usual", [](int n) { return 0 < n && n <= 20; }},
              {"huge", [](int n) { return n > 20; }}});
  s.category("point", [](const decimal& d) { return d.point == number_of_digits(d); },
             {{"behind", [](bool behind) { return behind; }}, {"within", [](bool behind) { return !behind; }}});
  s.category("exponent", [](const decimal& d) { return d.exponent; },
             {{"none", [](int e) { return e == 0; }},
              {"negative", [](int e) { return e < 0; }},
              {"positive", [](int e) { return e > 0; }}});
  s.category("sign", [](const decimal& d) { return d.negative; },
             {{"minus", [](bool n) { return n; }}, {"plus", [](bool n) { return !n; }}});

  const auto same = [](auto& m, auto& o) { return m.output == o.output; };
  s.relation("zeros behind",
             s.datamorph("zeros behind",
                         [](decimal d) {
                           d.digits += "000";
                           return d;
                         }),
             same);
  s.relation("zeros before",
             s.datamorph("zeros before",
                         [](decimal d) {
                           d.digits = "00" + d.digits;
                           d.point += 2;
                           return d;
                         }),
             same);
  s.relation("many zeros",
             s.datamorph("many zeros",
                         [](decimal d) {
                           d.digits += std::string(25, '0');
                           return d;
                         }),
             same);
  s.relation("moved to the left",
             s.datamorph("point to the left",
                         [](decimal d) -> std::optional<decimal> {
                           if (d.point < 2) return std::nullopt;
                           --d.point;
                           ++d.exponent;
                           return d;
                         }),
             same);
  s.relation("moved to the end",
             s.datamorph("point to the end",
                         [](decimal d) -> std::optional<decimal> {
                           if (d.point == number_of_digits(d)) return std::nullopt;
                           d.exponent -= number_of_digits(d) - d.point;
                           d.point = number_of_digits(d);
                           return d;
                         }),
             same);
  s.relation("mirrored",
             s.datamorph("other sign",
                         [](decimal d) {
                           d.negative = !d.negative;
                           return d;
                         }),
             [](auto& m, auto& o) {
               return without_sign(m.output.shortest) == without_sign(o.output.shortest) &&
                      without_sign(m.output.precise) == without_sign(o.output.precise) &&
                      without_sign(m.output.scientific) == without_sign(o.output.scientific) &&
                      without_sign(m.output.fixed) == without_sign(o.output.fixed);
             });
  s.relation("ten times as much",
             s.datamorph("times ten",
                         [](decimal d) {
                           ++d.exponent;
                           return d;
                         }),
             [](auto& m, auto& o) {
               // The digits that count may differ where the number is rounded to binary: the first eight do not.
               return m.output.scientific.substr(0, 5) == o.output.scientific.substr(0, 5) ||
                      o.output.scientific.find("9999") != std::string::npos ||
                      o.output.scientific.find("000") != std::string::npos;
             });
}
