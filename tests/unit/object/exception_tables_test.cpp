// Tables of exceptions that are not where an object says.
#include "coverage/object/read/exception_tables.hpp"

#include "tests/unit/object/object_programs.hpp"

namespace morph::object_tests {
namespace {

// A function that runs before main(), so that what it catches is asked for.
std::string with_table_at(const std::string& place) {
  return "__asm__(\".data\\n.byte 255,255,255,255\\n.section .gcc_except_table,\\\"a\\\"\\ntable: .byte "
         "255,255,1,0\\n.text\\n\"\n"
         "  \".type _GLOBAL__sub_I_f,@function\\n_GLOBAL__sub_I_f: .cfi_startproc\\n\"\n"
         "  \".cfi_personality 0,__gxx_personality_v0\\n.cfi_lsda 0," +
         place +
         "\\n\"\n"
         "  \"ret\\n.cfi_endproc\\n.size _GLOBAL__sub_I_f,.-_GLOBAL__sub_I_f\\n\"\n"
         "  \".section .init_array,\\\"aw\\\"\\n.quad _GLOBAL__sub_I_f\\n.text\\n\");\n";
}

TEST(ExceptionTables, OneOutOfItsSectionCatches) {
  laboratory lab;
  object::object_reader reader;
  for (const auto& [place, known] :
       {std::pair("table", true), std::pair("table-1", false), std::pair("table-0x70000000000000", false)}) {
    const std::string bytes = lab.object({"g++", " -O0"}, "a.cpp", with_table_at(place));
    const auto object = object::read_elf(bytes, "a.o");
    ASSERT_TRUE(object) << object.error();
    const auto tables = object::find_exception_tables(*object);
    ASSERT_EQ(tables.size(), 1U) << place;
    EXPECT_EQ(object::catches(*object, tables.begin()->second), !known) << place;
    EXPECT_TRUE(reader.read(bytes, "a.o"));
  }
}

}  // namespace
}  // namespace morph::object_tests
