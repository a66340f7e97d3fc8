// What a user of zlib relies on: nothing is lost, checksums can be put together, damage is noticed.
#include "codec.hpp"

#include <zlib.h>

#include <morph/morph.hpp>
#include <optional>
#include <string>
#include <utility>

namespace {

const auto any_bytes = morph::mapped(morph::vectors(3000, morph::integers(0, 255)), [](const std::vector<int>& from) {
  std::string made;
  for (const int byte : from) made += static_cast<char>(byte);
  return made;
});
/// The same few words in any order.
const auto text = morph::mapped(morph::strings(500, "0123"), [](const std::string& from) {
  const char* const words[] = {"packed ", "stream ", "of bytes, ", "window\n"};
  std::string made;
  for (const char c : from) made += words[c - '0'];
  return made;
});

std::string repeated(const std::string& bytes, int times) {
  std::string made;
  for (; times > 0; --times) made += bytes;
  return made;
}

}  // namespace

void packing_rules(morph::spec<Plain, Packed>& s) {
  const auto plain = [](auto bytes) {
    const auto pieces = morph::one_of<std::size_t>({0, 1, 13, 1000});
    return morph::draw(12, morph::made_of<Plain>(bytes, morph::integers(0, 9), morph::one_of({9, 15}), pieces));
  };
  s.seeds("few", {Plain{"", 6, 15, 0}, Plain{"a", 6, 15, 0}, Plain{std::string(3, '\0'), 0, 9, 1}});
  s.seeds("any bytes", plain(any_bytes));
  s.seeds("few letters", plain(morph::strings(3000, "ab\n")));
  s.seeds("text", plain(text));
  s.valid([](const Plain& p) { return 0 <= p.level && p.level <= 9 && 9 <= p.window && p.window <= 15; });

  s.relation("what was packed is unpacked", morph::all_cases,
             [](auto& c) { return unpack(c.output.bytes) == c.input.bytes; });
  const auto in_bound = [](auto& c) { return c.output.bytes.size() <= c.output.bound; };
  const auto small = [](auto& c) { return c.input.level == 0 && c.input.window < 15 && c.input.bytes.size() < 8; };
  s.relation(
      "the bound is kept", morph::all_cases, [=](auto& c) { return !small(c); }, in_bound);
  // Not by zlib 1.2.13: https://github.com/madler/zlib/issues/758
  s.relation("the bound is kept by few stored bytes", morph::all_cases, small, in_bound);

  const auto same_sums = [](auto& m, auto& o) {
    return m.output.adler == o.output.adler && m.output.crc == o.output.crc;
  };
  const auto same_stream = [](auto& m, auto& o) { return m.output.bytes == o.output.bytes; };
  const auto compresses = [](auto& m, auto&...) { return m.input.level > 0; };
  for (const std::size_t piece : {0u, 1u, 100u}) {
    const auto pieces =
        s.datamorph("in pieces of " + std::to_string(piece), [=](Plain p) { return p.piece = piece, p; });
    s.relation("checksums are of the bytes alone", pieces, same_sums);
    s.relation("pieces make the same stream", pieces, compresses, same_stream);
  }
  for (const int level : {0, 1, 4, 6, 9}) {
    const auto at_level = s.datamorph("level " + std::to_string(level), [=](Plain p) { return p.level = level, p; });
    s.relation("checksums are of the bytes alone", at_level, same_sums);
  }
  const auto wider = s.datamorph("widest window", [](Plain p) { return p.window = 15, p; });
  s.relation("checksums are of the bytes alone", wider, same_sums);
  s.relation("a wider window is hardly worse", wider, [](auto& m, auto& o) {
    return m.output.bytes.size() <= o.output.bytes.size() + o.output.bytes.size() / 10 + 16;
  });

  const auto flip = s.datamorph("flip a bit", [](Plain p) -> std::optional<Plain> {
    if (p.bytes.empty()) return std::nullopt;
    p.bytes[p.bytes.size() / 2] ^= 1;
    return p;
  });
  const auto swap = s.datamorph("swap the ends", [](Plain p) -> std::optional<Plain> {
    if (p.bytes.empty() || p.bytes.front() == p.bytes.back()) return std::nullopt;
    std::swap(p.bytes.front(), p.bytes.back());
    return p;
  });
  s.relation("other bytes have other checksums", {flip, swap},
             [](auto& m, auto& o) { return m.output.adler != o.output.adler && m.output.crc != o.output.crc; });
  s.statistical_relation("packing is repeatable", flip, 2, [](auto& flipped, auto& original) {
    return flipped[0].bytes == flipped[1].bytes && original[0].bytes == original[1].bytes;
  });

  const auto join = s.datamorph("join", [](const Plain& a, const Plain& b) {
    return Plain{a.bytes + b.bytes, a.level, a.window, a.piece};
  });
  s.relation("the checksums of parts make that of the whole", join, [](auto& m, auto& a, auto& b) {
    const auto length = static_cast<z_off_t>(b.input.bytes.size());
    return m.output.adler == adler32_combine(a.output.adler, b.output.adler, length) &&
           m.output.crc == crc32_combine(a.output.crc, b.output.crc, length);
  });
  s.relation(
      "packed together is hardly larger", join,
      [](auto&, auto& a, auto& b) { return a.input.level == b.input.level && a.input.window == b.input.window; },
      [](auto& m, auto& a, auto& b) {
        const auto parts = a.output.bytes.size() + b.output.bytes.size();
        return m.output.bytes.size() <= parts + parts / 4 + 16;
      });
  const auto often =
      s.datamorph("sixteen times", [](Plain p) { return p.bytes = repeated(p.bytes, 16), p.window = 15, p; });
  const auto thorough = [](auto& m, auto&) { return m.input.level >= 6; };
  s.relation("repetitions cost little", often, thorough, [](auto& m, auto& o) {
    return m.output.bytes.size() <= 2 * o.output.bytes.size() + o.input.bytes.size() / 4 + 12;
  });
}

MORPH_SPEC(packing, Plain, Packed, s) {
  packing_rules(s);
  s.execute(pack);
}
MORPH_SPEC(packing_wrong, Plain, Packed, s) {
  packing_rules(s);
  s.execute(pack_wrong);
}

MORPH_SPEC(unpacking, std::string, std::optional<std::string>, s) {
  s.execute(unpack);
  const auto streams = [](auto bytes) {
    return morph::draw(20, morph::mapped(morph::made_of<Plain>(bytes, morph::integers(0, 9), morph::one_of({9, 15}),
                                                               morph::one_of<std::size_t>({0})),
                                         [](const Plain& from) { return pack(from).bytes; }));
  };
  s.seeds("any bytes", streams(any_bytes));
  s.seeds("text", streams(text));

  const auto refused = [](auto& m, auto&) { return !m.output; };
  const auto same_or_refused = [](auto& m, auto& o) { return !m.output || m.output == o.output; };
  for (const double part : {0.0, 0.01, 0.3, 0.5, 0.9, 0.999}) {
    const auto at = [=](const std::string& p) {
      return static_cast<std::size_t>(part * static_cast<double>(p.size()));
    };
    const auto name = std::to_string(static_cast<int>(part * 1000)) + "/1000";
    const auto cut = s.datamorph("cut at " + name, [=](const std::string& p) { return p.substr(0, at(p)); });
    s.relation("a truncated stream is refused", cut, refused);
    const auto flip = s.datamorph("flip a bit at " + name, [=](std::string p) -> std::optional<std::string> {
      if (p.empty()) return std::nullopt;
      p[at(p)] ^= 4;
      return p;
    });
    const auto drop = s.datamorph("drop a byte at " + name, [=](std::string p) -> std::optional<std::string> {
      if (p.empty()) return std::nullopt;
      return p.erase(at(p), 1);
    });
    s.relation("what is unpacked of a damaged stream is what was packed", {flip, drop}, same_or_refused);
  }
  const auto behind = s.datamorph("something behind", [](const std::string& p) { return p + "behind"; });
  s.relation("what stands behind a stream is ignored", behind, [](auto& m, auto& o) { return m.output == o.output; });
}
