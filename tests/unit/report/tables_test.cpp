// Tables for other programs, byte by byte, and what `morph optimize --export` puts into them.
#include "plugin/report/tables.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <map>

#include "plugin/optimize/tables.hpp"
#include "tests/unit/optimizer/cover_problems.hpp"

namespace morph::optimize {
namespace {

using namespace std::string_literals;
using report::csv_line;
using report::npy_array;
using texts = std::vector<std::string>;

TEST(Tables, a_field_is_quoted_if_a_reader_would_not_take_it_for_one) {
  EXPECT_EQ(csv_line(texts{"a", "", "b c", "'d'", "e;f", "1.5"}), "a,,b c,'d',e;f,1.5\n");
  EXPECT_EQ(csv_line(texts{"a,b", "c"}), "\"a,b\",c\n");
  EXPECT_EQ(csv_line(texts{"say \"a\""}), "\"say \"\"a\"\"\"\n");
  EXPECT_EQ(csv_line(texts{"a\nb", "a\rb", "\r\n"}), "\"a\nb\",\"a\rb\",\"\r\n\"\n");
  EXPECT_EQ(csv_line(texts{"", "a", ""}), ",a,\n");
  EXPECT_EQ(csv_line(texts{}), "\n");
}

/// The header as numpy.lib.format describes it: magic, version, its length, a dictionary, blanks, a line's end.
std::string header(const std::string& dictionary, std::size_t size) {
  return "\x93NUMPY\x01\x00"s + static_cast<char>(size - 10) + '\0' + dictionary +
         std::string(size - 11 - dictionary.size(), ' ') + '\n';
}

TEST(Tables, an_array_is_numpys_format) {
  EXPECT_EQ(npy_array(std::vector<std::uint64_t>{}),
            header("{'descr': '<u8', 'fortran_order': False, 'shape': (0,), }", 128));
  EXPECT_EQ(npy_array(std::vector<std::uint32_t>{1, 0x01020304, 0xFFFFFFFF}),
            header("{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }", 128) +
                "\x01\x00\x00\x00\x04\x03\x02\x01\xFF\xFF\xFF\xFF"s);
  EXPECT_EQ(
      npy_array(std::vector<std::uint64_t>{0x0102030405060708}),
      header("{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }", 128) + "\x08\x07\x06\x05\x04\x03\x02\x01"s);
  EXPECT_EQ(npy_array(std::vector<std::int64_t>{-2, std::numeric_limits<std::int64_t>::max()}),
            header("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }", 128) +
                "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"s);
}

TEST(Tables, the_data_of_an_array_begin_at_a_multiple_of_64) {
  for (const std::size_t size : {1U, 10U, 1'000U, 1'000'000U}) {
    const std::string bytes = npy_array(std::vector<std::uint32_t>(size));
    const std::size_t length = static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ((10 + length) % 64, 0U);
    EXPECT_EQ(bytes.size(), 10 + length + 4 * size);
    EXPECT_EQ(bytes[10 + length - 1], '\n');
  }
}

class OptimizeTables : public testing::Test {
 protected:
  /// Lines 0 and 1 have equal tests; a branch weighs 10; test 2 is as test 0.
  OptimizeTables() {
    instance.matrix = optimizer::matrix_of({{0, 1, 2}, {2, 3}, {0, 1, 2}}, {1'250'000, 7, 2'000'001},
                                           {{"lines", 3}, {"a, \"b\"", 2}});
    instance.group_weights = {1, 10};
    instance.tests = {"Area.OfSquare", "a, \"name\"\nof words", "Ünicode"};
    problem = weigh(std::make_shared<const optimizer::cover_matrix>(instance.matrix), instance.group_weights);
    for (const report::table_file& file :
         tables_of(instance, problem, optimizer::roles_of(problem), {0b011}, {"Scale.Skips"}))
      files[file.suffix] = file.content;
  }
  optimizer::instance_file instance;
  optimizer::cover_problem problem;
  std::map<std::string, std::string> files;
};

TEST_F(OptimizeTables, have_a_row_a_test) {
  EXPECT_EQ(files.at(".tests.csv"),
            "name,seconds,covers,alone,kept,same_as,always\n"
            "Area.OfSquare,1.250000,3,0,true,,false\n"
            "\"a, \"\"name\"\"\nof words\",0.000007,11,10,true,,false\n"
            "Ünicode,2.000001,3,0,false,Area.OfSquare,false\n"
            "Scale.Skips,,,,true,,true\n");
}

TEST_F(OptimizeTables, have_a_row_a_class) {
  std::istringstream lines(files.at(".classes.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "class,tests,weight,weight.lines,\"weight.a, \"\"b\"\"\"");
  std::multiset<std::string> rows;  // without their numbers, which are the matrix's
  for (std::size_t c = 0; std::getline(lines, line); ++c) {
    const std::string number = std::to_string(c) + ",";
    EXPECT_EQ(line.substr(0, number.size()), number);
    rows.insert(line.substr(number.size()));
  }
  EXPECT_EQ(rows, (std::multiset<std::string>{"2,2,2,0", "3,1,1,0", "1,10,0,10"}));
}

TEST_F(OptimizeTables, have_the_matrix_as_arrays) {
  EXPECT_EQ(files.size(), 6U);
  EXPECT_EQ(files.at(".indptr.npy"), npy_array(std::vector<std::uint64_t>{0, 2, 4, 6}));
  EXPECT_EQ(files.at(".indices.npy"), npy_array(instance.matrix.classes));
  EXPECT_EQ(files.at(".costs.npy"), npy_array(std::vector<std::int64_t>{1'250'000, 7, 2'000'001}));
  EXPECT_EQ(files.at(".weights.npy"), npy_array(problem.weight));
}

}  // namespace
}  // namespace morph::optimize
