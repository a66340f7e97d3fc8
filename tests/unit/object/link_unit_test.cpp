// A unit made like that of another build is the same unit, and compares the same.
#include "tests/unit/object/object_programs.hpp"

namespace morph::object_tests {
namespace {

using object::link_unit;

struct edit {
  std::string file;
  std::string text;
  std::set<std::string> same_objects;  // after it
};

const std::string shape_header =
    "struct shape { virtual int area() const { return 1; } virtual ~shape() {} };\n"
    "__attribute__((noipa)) inline int measured(const shape& s) { return s.area(); }\n";

// Objects that depend on each other by data, tables of virtual functions, weak definitions and a list of the linker.
const sources program{
    {"a_shape.cpp", shape_header + "int first() { shape s; return measured(s); }\n"},
    {"b_shape.cpp", shape_header + "int second() { shape s; return measured(s) + 1; }\n"},
    {"list.cpp", "__attribute__((section(\"items\"), used)) static int item = 1;\n"},
    {"reader.cpp",
     "extern int __start_items[], __stop_items[];\n"
     "long count() { return __stop_items - __start_items; }\n"},
    {"table.cpp", "extern const int table[2]; const int table[2] = {1, 2};\n"},
    {"user.cpp",
     "extern const int table[2]; int use() { return table[0]; }\n"
     "struct by_name { const int* of; }; extern const by_name here; const by_name here = {table};\n"},
    {"uses_user.cpp",
     "struct by_name { const int* of; }; extern const by_name here;\n"
     "const int* through() { return here.of; }\n"
     "namespace { int twice(int i) { return 2 * i; } }\nint four() { return twice(2); }\n"},
    {"weak.cpp", "__attribute__((weak)) int chosen() { return 1; }\nint call() { return chosen(); }\n"},
    {"z_main.cpp", "int call(); int main() { return call(); }\n"}};

std::set<std::string> all_but(std::set<std::string> changed) {
  std::set<std::string> all;
  for (const auto& [name, text] : program)
    if (changed.count(name) == 0) all.insert(name + ".o");
  return all;
}

const std::vector<edit> edits{
    {"z_main.cpp", "int call(); int main() { return call() + 1; }\n", all_but({"z_main.cpp"})},
    // By name and through another variable: who reads it differs too, though the object is the same.
    {"table.cpp", "extern const int table[2]; const int table[2] = {1, 3};\n",
     all_but({"table.cpp", "user.cpp", "uses_user.cpp"})},
    {"list.cpp", "__attribute__((section(\"items\"), used)) static int item = 2;\n",
     all_but({"list.cpp", "reader.cpp"})},
    // The first object loses what it had in common with the second.
    {"a_shape.cpp", "int first() { return 7; }\n", all_but({"a_shape.cpp", "b_shape.cpp"})},
    {"a_shape.cpp",
     "struct shape { virtual int area() const { return 2; } virtual int more() { return 3; } virtual ~shape() {} };\n"
     "int first() { shape s; return s.area(); }\n",
     all_but({"a_shape.cpp", "b_shape.cpp"})},
    {"z_main.cpp", "int call(); int chosen() { return 2; }\nint main() { return call(); }\n", all_but({"z_main.cpp"})}};

class a_program {
 public:
  explicit a_program(laboratory& lab, const way& how) : lab_(lab), how_(how) {
    for (const auto& [name, text] : program) items_.push_back(item(name, text));
  }
  const std::vector<object::link_item>& items() const { return items_; }
  /// With the same prints of all other files.
  std::vector<object::link_item> after(const edit& e) {
    std::vector<object::link_item> changed = items_;
    for (object::link_item& i : changed)
      if (i.path == e.file + ".o") i = item(e.file, e.text);
    return changed;
  }

 private:
  object::link_item item(const std::string& name, const std::string& text) {
    auto print = reader_.read(lab_.object(how_, name, text), name);
    if (!print) ADD_FAILURE() << print.error();
    return {name + ".o", false, false, {{"", std::make_shared<const object::object_print>(std::move(*print))}}};
  }

  laboratory& lab_;
  way how_;
  object::object_reader reader_;
  std::vector<object::link_item> items_;
};

TEST(LinkUnit, OneThatIsLikeAnotherIsTheSame) {
  laboratory lab;
  for (const way& how : {way{"g++", " -O0"}, way{"g++", " -O2 -ffunction-sections"}}) {
    a_program built(lab, how);
    const link_unit before(built.items());
    for (const edit& e : edits) {
      const std::vector<object::link_item> items = built.after(e);
      const link_unit whole(items), quick(items, {}, &before);
      ASSERT_EQ(whole.size(), quick.size());
      std::set<std::string> same;
      for (std::uint32_t o = 0; o < quick.objects().size(); ++o)
        if (quick.same_object(before, o) != object::none) same.insert(quick.objects()[o].path);
      EXPECT_EQ(same, e.same_objects) << e.text;
      for (object::unit_atom i = 0; i < quick.size(); ++i) {
        ASSERT_EQ(whole.is_live(i), quick.is_live(i));
        EXPECT_EQ(whole.fingerprint(i), quick.fingerprint(i)) << quick.name_of(i) << " after " << e.text;
      }
      const object::comparison expected = compare(before, whole), found = compare(before, quick);
      EXPECT_EQ(difference_of(found).text, difference_of(expected).text) << e.text;
      EXPECT_NE(difference_of(found).text, "") << e.text;
      EXPECT_EQ(found.compared, expected.compared) << e.text;
      EXPECT_EQ(found.added, expected.added) << e.text;
    }
    EXPECT_EQ(difference_of(compare(before, link_unit(built.items(), {}, &before))).text, "");
  }
}

// A name that all may use, in the middle of what only the object can name.
TEST(LinkUnit, ASharedNameWithinALocalFunctionIsNotGone) {
  laboratory lab;
  const sources files{{"a.cpp",
                       "__asm__(\".text\\n.type whole,@function\\nwhole: nop\\n.globl inside\\n\"\n"
                       "  \".type inside,@function\\ninside: ret\\n.size whole,.-whole\\n\");\n"}};
  const link_unit unit = lab.unit({"g++", " -O0"}, files, "", object::link_options::of(true));
  const object::comparison found = compare(unit, unit);
  EXPECT_EQ(difference_of(found).text, "");
  EXPECT_EQ(found.compared, 2U);
}

}  // namespace
}  // namespace morph::object_tests
