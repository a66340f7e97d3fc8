// Documents of XML, read and printed: the same document, told otherwise.
#include <tinyxml2.h>

#include <morph/morph.hpp>

namespace {

struct document {
  std::vector<int> genes;
  bool blanks, single_quotes, references, comment, wrapped;
};
struct read_back {
  int error = 0;
  std::string text;   // as it is printed, compact
  std::string again;  // a deep copy of it
  long elements = 0, attributes = 0, sum = 0;
};

class writer {
 public:
  explicit writer(const document& d) : d_(d) {}
  std::string text() {
    const std::string root = element(0);
    return (d_.wrapped ? "<top>" + root + "</top>" : root) + (d_.comment ? "<!-- end -->" : "");
  }

 private:
  int next() { return at_ < d_.genes.size() ? d_.genes[at_++] : 0; }
  std::string characters(int gene) const {
    static const char* const words[] = {"a",
                                        "some text",
                                        "12",
                                        "-7.5",
                                        "true",
                                        "&lt;&amp;&gt;",
                                        "&quot;x&apos;",
                                        "\xc3\xa4",
                                        "&#228;",
                                        "long long long long long long text"};
    const std::string text = words[gene % 10];
    if (!d_.references || gene % 10 > 4) return text;
    std::string made;
    for (const char c : text)
      made += c == ' ' ? std::string(" ")
                       : "&#x" + std::string(1, "0123456789abcdef"[c / 16]) + "0123456789abcdef"[c % 16] + ";";
    return made;
  }
  std::string element(int depth) {
    static const char* const names[] = {"a", "item", "b-c", "x.y", "ns:n", "_u"};
    static const char* const attributes[] = {"id", "n", "long-name", "x:y"};
    const std::string name = names[next() % 6], quote = d_.single_quotes ? "'" : "\"";
    std::string made = "<" + name;
    const int number = next() % 4;
    for (int i = 0; i < number; ++i)
      made += (d_.blanks ? "\n  " : " ") + std::string(attributes[i]) + (d_.blanks ? " = " : "=") + quote +
              characters(next()) + quote;
    if (depth > 4 || next() % 4 == 0) return made + (d_.blanks ? " />" : "/>");
    made += ">";
    bool was_text = false;
    for (int i = next() % 5; i > 0; --i) {
      const int kind = next() % 8;
      const bool is_text = kind < 3;
      if (is_text && was_text) continue;
      was_text = is_text;
      if (is_text)
        made += characters(next());
      else if (kind == 3)
        made += "<!-- c" + std::to_string(next()) + " -->";
      else if (kind == 4)
        made += "<![CDATA[<" + std::to_string(next()) + ">]]>";
      else
        made += element(depth + 1);
    }
    return made + "</" + name + (d_.blanks ? " " : "") + ">";
  }
  const document& d_;
  std::size_t at_ = 0;
};

void count(const tinyxml2::XMLElement* element, read_back& to) {
  for (; element != nullptr; element = element->NextSiblingElement()) {
    ++to.elements;
    to.sum += element->IntText(1) + (element->BoolText(false) ? 10 : 0);
    for (const tinyxml2::XMLAttribute* each = element->FirstAttribute(); each != nullptr; each = each->Next()) {
      ++to.attributes;
      to.sum += each->IntValue() + static_cast<long>(std::string(each->Value()).size());
      if (element->Attribute(each->Name(), each->Value()) == nullptr) to.sum += 1000;
    }
    if (element->LastChildElement() != nullptr && element->LastChildElement()->Parent() != element) to.sum += 10000;
    count(element->FirstChildElement(), to);
  }
}

read_back told(const document& d) {
  const std::string text = writer(d).text();
  tinyxml2::XMLDocument parsed, copied;
  read_back made;
  made.error = parsed.Parse(text.c_str(), text.size());
  if (made.error != 0) return made;
  tinyxml2::XMLPrinter printer(nullptr, true), second(nullptr, true);
  parsed.Print(&printer);
  made.text = printer.CStr();
  parsed.DeepCopy(&copied);
  copied.Print(&second);
  made.again = second.CStr();
  count(parsed.RootElement(), made);
  return made;
}

bool same(const read_back& a, const read_back& b) {
  return a.error == b.error && a.text == b.text && a.again == b.again && a.elements == b.elements &&
         a.attributes == b.attributes && a.sum == b.sum;
}

}  // namespace

MORPH_SPEC(tinyxml2, document, read_back, s) {
  s.execute(told);
  s.seeds("random", [](morph::random_source& random) {
    std::vector<document> all;
    for (int i = 0; i < 200; ++i) {
      document d{{}, random.below(4) == 0, random.below(4) == 0, random.below(4) == 0, random.below(6) == 0, false};
      for (std::uint64_t k = 1 + random.below(random.below(3) == 0 ? 80 : 14); k > 0; --k)
        d.genes.push_back(static_cast<int>(random.below(1000)));
      all.push_back(d);
    }
    return all;
  });

  s.category("root", [](const document& d) { return d.genes.size() > 1 ? d.genes[1] % 4 : 0; },
             {{"no attributes", [](int n) { return n == 0; }}, {"attributes", [](int n) { return n > 0; }}});
  s.category("size", [](const document& d) { return d.genes.size(); },
             {{"tiny", [](std::size_t n) { return n <= 5; }},
              {"small", [](std::size_t n) { return 5 < n && n <= 14; }},
              {"large", [](std::size_t n) { return n > 14; }}});
  s.category("blanks", &document::blanks, {{"yes", [](bool b) { return b; }}, {"no", [](bool b) { return !b; }}});
  s.category("quotes", &document::single_quotes,
             {{"single", [](bool b) { return b; }}, {"double", [](bool b) { return !b; }}});
  s.category("references", &document::references,
             {{"yes", [](bool b) { return b; }}, {"no", [](bool b) { return !b; }}});
  s.category("wrapped", &document::wrapped, {{"yes", [](bool b) { return b; }}, {"no", [](bool b) { return !b; }}});

  const auto equal = [](auto& m, auto& o) { return same(m.output, o.output); };
  s.relation("blanks",
             s.datamorph("blanks",
                         [](document d) {
                           d.blanks = !d.blanks;
                           return d;
                         }),
             equal);
  s.relation("quotes",
             s.datamorph("quotes",
                         [](document d) {
                           d.single_quotes = !d.single_quotes;
                           return d;
                         }),
             equal);
  s.relation("references",
             s.datamorph("references",
                         [](document d) {
                           d.references = !d.references;
                           return d;
                         }),
             equal);
  s.relation("a comment behind it",
             s.datamorph("comment",
                         [](document d) -> std::optional<document> {
                           if (d.comment) return std::nullopt;
                           d.comment = true;
                           return d;
                         }),
             [](auto& m, auto& o) {
               return m.output.text == o.output.text + "<!-- end -->" &&
                      m.output.again == o.output.again + "<!-- end -->" && m.output.elements == o.output.elements &&
                      m.output.sum == o.output.sum;
             });
  s.relation("an element around it",
             s.datamorph("wrap",
                         [](document d) -> std::optional<document> {
                           if (d.wrapped || d.comment) return std::nullopt;
                           d.wrapped = true;
                           return d;
                         }),
             [](auto& m, auto& o) {
               return m.output.text == "<top>" + o.output.text + "</top>" &&
                      m.output.elements == o.output.elements + 1 && m.output.attributes == o.output.attributes &&
                      m.output.sum == o.output.sum + 1;
             });
}
