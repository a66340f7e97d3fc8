// Documents of JSON, read and written: the same document, told otherwise.
#include <json/json.h>

#include <algorithm>
#include <memory>
#include <morph/morph.hpp>
#include <sstream>

namespace {

/// What a document is made of, and how it is written.
struct document {
  std::vector<int> genes;
  bool blanks, comments, escapes, backwards, wrapped;
};
struct read_back {
  bool good = false;
  std::string text;    // written without blanks
  std::string styled;  // read once more from a styled text, and written as above
  long values = 0, sum = 0;
};

class writer {
 public:
  explicit writer(const document& d) : d_(d) {}
  std::string text() {
    const std::string made = value(0);
    return d_.wrapped ? "[" + blank() + made + blank() + "]" : made;
  }

 private:
  int next() { return at_ < d_.genes.size() ? d_.genes[at_++] : 0; }
  std::string blank() const { return d_.comments ? " /* so */ " : d_.blanks ? " \n\t" : ""; }
  /// jsoncpp 1.9.5 does not read comments everywhere in objects, nor in an empty array.
  std::string plain_blank() const { return d_.blanks ? " \n\t" : ""; }
  std::string quoted(int gene) const {
    static const char* const words[] = {
        "",          "a", "key", "with blank", "\\\"quoted\\\"", "line\\nbreak", "\\\\", "\\u00e4", "\\ud83d\\ude00",
        "0123456789"};
    std::string text = words[gene % 10];
    if (d_.escapes && gene % 10 < 4) {
      std::string made;
      for (const char c : text) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
        made += escape;
      }
      text = made;
    }
    return "\"" + text + "\"";
  }
  std::string value(int depth) {
    const int gene = next();
    const int kind = depth > 4 ? gene % 6 : gene % 9;
    switch (kind) {
      case 0:
        return "null";
      case 1:
        return gene % 2 == 0 ? "true" : "false";
      case 2:
        return std::to_string(next() * 7919 - 400000);
      case 3:
        return std::to_string(next()) + "." + std::to_string(next());
      case 4:
      case 5:
        return quoted(next());
      case 6: {
        int i = next() % 5;
        if (i == 0) return "[]";
        std::string made = "[" + blank();
        for (; i > 0; --i) made += value(depth + 1) + blank() + (i > 1 ? "," + blank() : "");
        return made + "]";
      }
      default:
        break;
    }
    std::vector<std::string> members;
    for (int i = next() % 5; i > 0; --i) {
      const std::string name = quoted(static_cast<int>(members.size()) + 1);
      members.push_back(name + plain_blank() + ":" + plain_blank() + value(depth + 1));
    }
    if (d_.backwards) std::reverse(members.begin(), members.end());
    if (members.empty()) return "{}";
    std::string made = "{" + plain_blank();
    for (std::size_t i = 0; i < members.size(); ++i)
      made += (i > 0 ? "," + plain_blank() : "") + members[i] + plain_blank();
    return made + "}";
  }
  const document& d_;
  std::size_t at_ = 0;
};

void count(const Json::Value& value, read_back& to) {
  ++to.values;
  if (value.isInt()) to.sum += value.asInt();
  if (value.isString()) to.sum += static_cast<long>(value.asString().size());
  if (value.isObject())
    for (const std::string& name : value.getMemberNames()) count(value[name], to);
  if (value.isArray())
    for (Json::ArrayIndex i = 0; i < value.size(); ++i) count(value[i], to);
}

bool parse(const std::string& text, Json::Value& to) {
  const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
  std::string errors;
  return reader->parse(text.data(), text.data() + text.size(), &to, &errors);
}

read_back told(const document& d) {
  const std::string text = writer(d).text();
  Json::Value value, again;
  read_back made;
  made.good = parse(text, value);
  if (!made.good) return made;
  Json::StreamWriterBuilder compact;
  compact["indentation"] = "";
  compact["commentStyle"] = "None";
  made.text = Json::writeString(compact, value);
  Json::StreamWriterBuilder styled;
  styled["commentStyle"] = "None";
  if (parse(Json::writeString(styled, value), again)) made.styled = Json::writeString(compact, again);
  count(value, made);
  return made;
}

bool same(const read_back& a, const read_back& b) {
  return a.good == b.good && a.text == b.text && a.styled == b.styled && a.values == b.values && a.sum == b.sum;
}

}  // namespace

MORPH_SPEC(jsoncpp, document, read_back, s) {
  s.execute(told);
  s.seeds("random", [](morph::random_source& random) {
    std::vector<document> all;
    for (int i = 0; i < 200; ++i) {
      document d{{}, random.below(4) == 0, random.below(6) == 0, random.below(4) == 0, false, false};
      for (std::uint64_t k = 1 + random.below(random.below(3) == 0 ? 60 : 12); k > 0; --k)
        d.genes.push_back(static_cast<int>(random.below(1000)));
      all.push_back(d);
    }
    return all;
  });

  s.category("kind", [](const document& d) { return d.genes[0] % 9; },
             {{"word", [](int k) { return k <= 1; }},
              {"number", [](int k) { return k == 2 || k == 3; }},
              {"string", [](int k) { return k == 4 || k == 5; }},
              {"array", [](int k) { return k == 6; }},
              {"object", [](int k) { return k > 6; }}});
  s.category("size", [](const document& d) { return d.genes.size(); },
             {{"small", [](std::size_t n) { return n <= 12; }}, {"large", [](std::size_t n) { return n > 12; }}});
  s.category("blanks", &document::blanks, {{"yes", [](bool b) { return b; }}, {"no", [](bool b) { return !b; }}});
  s.category("comments", &document::comments, {{"yes", [](bool b) { return b; }}, {"no", [](bool b) { return !b; }}});
  s.category("escapes", &document::escapes, {{"yes", [](bool b) { return b; }}, {"no", [](bool b) { return !b; }}});
  s.category("wrapped", &document::wrapped, {{"yes", [](bool b) { return b; }}, {"no", [](bool b) { return !b; }}});

  const auto equal = [](auto& m, auto& o) { return same(m.output, o.output); };
  s.relation("blanks",
             s.datamorph("blanks",
                         [](document d) {
                           d.blanks = !d.blanks;
                           return d;
                         }),
             equal);
  s.relation("comments",
             s.datamorph("comments",
                         [](document d) {
                           d.comments = !d.comments;
                           return d;
                         }),
             equal);
  s.relation("escapes",
             s.datamorph("escapes",
                         [](document d) {
                           d.escapes = !d.escapes;
                           return d;
                         }),
             equal);
  s.relation("order of members",
             s.datamorph("backwards",
                         [](document d) {
                           d.backwards = !d.backwards;
                           return d;
                         }),
             equal);
  s.relation("wrapped",
             s.datamorph("wrap",
                         [](document d) -> std::optional<document> {
                           if (d.wrapped) return std::nullopt;
                           d.wrapped = true;
                           return d;
                         }),
             [](auto& m, auto& o) {
               return m.output.good == o.output.good && m.output.text == "[" + o.output.text + "]" &&
                      m.output.values == o.output.values + 1 && m.output.sum == o.output.sum;
             });
  s.relation("genes that are not read",
             s.datamorph("more genes",
                         [](document d) {
                           // A value takes as many as it needs; that of no genes is null.
                           d.genes.insert(d.genes.end(), {0, 0, 0});
                           return d;
                         }),
             equal);
}
