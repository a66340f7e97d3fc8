// Compressing and uncompressing: texts of repeated parts.
#include <snappy.h>

#include <algorithm>
#include <morph/morph.hpp>

namespace {

struct repeated {
  std::string part;
  int times;
  std::string tail;
};
struct packed {
  std::string text;
  long size = 0;
  bool valid = false;
};

std::string text_of(const repeated& r) {
  std::string made;
  for (int i = 0; i < r.times; ++i) made += r.part;
  return made + r.tail;
}

packed pack(const repeated& r) {
  const std::string text = text_of(r);
  std::string small;
  packed made;
  snappy::Compress(text.data(), text.size(), &small);
  made.size = static_cast<long>(small.size());
  std::size_t told = 0;
  made.valid = snappy::IsValidCompressedBuffer(small.data(), small.size()) &&
               snappy::GetUncompressedLength(small.data(), small.size(), &told) && told == text.size();
  if (told < 10'000'000) snappy::Uncompress(small.data(), small.size(), &made.text);
  return made;
}

int length_of(const repeated& r) {
  return static_cast<int>(r.part.size()) * r.times + static_cast<int>(r.tail.size());
}

}  // namespace

MORPH_SPEC(snappy, repeated, packed, s) {
  s.execute(pack);
  s.seeds("random", [](morph::random_source& random) {
    std::vector<repeated> all;
    const auto text = [&](std::uint64_t longest, std::uint64_t letters) {
      std::string made(random.below(longest + 1), ' ');
      for (char& c : made) c = static_cast<char>('!' + random.below(letters));
      return made;
    };
    for (int i = 0; i < 200; ++i)
      all.push_back({text(random.below(3) == 0 ? 300 : 20, 1 + random.below(90)), static_cast<int>(random.below(40)),
                     text(random.below(3) == 0 ? 400 : 30, 1 + random.below(90))});
    return all;
  });
  s.distance_by([](const repeated& a, const repeated& b) {
    return morph::distance(a.part, b.part) + std::abs(a.times - b.times) + morph::distance(a.tail, b.tail);
  });

  s.category("part", [](const repeated& r) { return r.part.size(); },
             {{"none", [](std::size_t n) { return n == 0; }},
              {"to 4", [](std::size_t n) { return 1 <= n && n <= 4; }},
              {"to 60", [](std::size_t n) { return 5 <= n && n <= 60; }},
              {"long", [](std::size_t n) { return n > 60; }}});
  s.category("times", &repeated::times,
             {{"none", [](int n) { return n == 0; }},
              {"some", [](int n) { return 1 <= n && n <= 10; }},
              {"many", [](int n) { return n > 10; }}});
  s.category("tail", [](const repeated& r) { return r.tail.size(); },
             {{"none", [](std::size_t n) { return n == 0; }},
              {"short", [](std::size_t n) { return 1 <= n && n <= 60; }},
              {"long", [](std::size_t n) { return n > 60; }}});
  s.category("length", length_of,
             {{"below 15", [](int n) { return n < 15; }},
              {"to 256", [](int n) { return 15 <= n && n <= 256; }},
              {"to 2048", [](int n) { return 256 < n && n <= 2048; }},
              {"more", [](int n) { return n > 2048; }}});

  const auto ends = [](const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
  };
  s.relation("once more at the front",
             s.datamorph("once more",
                         [](repeated r) {
                           ++r.times;
                           return r;
                         }),
             [=](auto& m, auto& o) { return m.output.valid == o.output.valid && ends(m.output.text, o.output.text); });
  s.relation("twice is two of it",
             s.datamorph("twice",
                         [](repeated r) -> std::optional<repeated> {
                           if (length_of(r) > 20000) return std::nullopt;
                           return repeated{text_of(r), 2, ""};
                         }),
             [](auto& m, auto& o) { return m.output.valid && m.output.text == o.output.text + o.output.text; });
  s.relation("backwards",
             s.datamorph("backwards",
                         [](const repeated& r) {
                           return repeated{std::string(r.tail.rbegin(), r.tail.rend()), 1, [&] {
                                             std::string made;
                                             for (int i = 0; i < r.times; ++i)
                                               made.append(r.part.rbegin(), r.part.rend());
                                             return made;
                                           }()};
                         }),
             [](auto& m, auto& o) {
               return m.output.valid && std::string(m.output.text.rbegin(), m.output.text.rend()) == o.output.text;
             });
  s.relation("told otherwise",
             s.datamorph("told otherwise",
                         [](const repeated& r) {
                           return repeated{"", 0, text_of(r)};
                         }),
             [](auto& m, auto& o) { return m.output.size == o.output.size && m.output.text == o.output.text; });
  s.relation("without the tail it is a beginning",
             s.datamorph("no tail",
                         [](repeated r) {
                           r.tail.clear();
                           return r;
                         }),
             [](auto& m, auto& o) { return m.output.valid && o.output.text.rfind(m.output.text, 0) == 0; });
  s.relation("other letters",
             s.datamorph("other letters",
                         [](repeated r) {
                           for (std::string* const each : {&r.part, &r.tail})
                             for (char& c : *each) c = static_cast<char>(c ^ 0x80);
                           return r;
                         }),
             [](auto& m, auto& o) {
               return m.output.text.size() == o.output.text.size() &&
                      std::equal(m.output.text.begin(), m.output.text.end(), o.output.text.begin(),
                                 [](char a, char b) { return a == static_cast<char>(b ^ 0x80); });
             });
  s.relation(
      "one letter more costs little",
      s.datamorph("one letter",
                  [](repeated r) {
                    r.tail += '~';
                    return r;
                  }),
      [](auto& m, auto& o) { return m.output.text == o.output.text + "~" && m.output.size <= o.output.size + 64; });
}
