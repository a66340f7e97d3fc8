// Charts, and text in markup.
#include "plugin/writing/drawing.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "plugin/writing/markup.hpp"

namespace morph::writing {
namespace {

TEST(Markup, EscapesWhatMarkupMeans) {
  EXPECT_EQ(escaped("a<b> & \"c\"\n\x01"), "a&lt;b&gt; &amp; &quot;c&quot;\n ");
}

TEST(Markup, FillsATemplateAndLeavesAloneWhatIsPutIn) {
  EXPECT_EQ(filled("<h1>@title@</h1>@body@", {{"body", "@title@"}, {"title", "A"}, {"none", "x"}}),
            "<h1>A</h1>@title@");
}

TEST(Drawing, IsADocumentOfElementsInTheirOrder) {
  drawing made(20, 10, "font-size=\"3\"");
  made.line({0, 1}, {2.5, 1.126}, "stroke=\"black\"");
  made.circle({1, 2}, 3, "");
  made.polygon(std::vector<point>{{0, 0}, {1, 0}}, "fill=\"red\"", "a<b");
  made.text({4, 5}, "", "x & y");
  EXPECT_EQ(made.document(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 20 10\" font-size=\"3\">\n"
            "<rect x=\"0\" y=\"0\" width=\"20\" height=\"10\" fill=\"#ffffff\"/>\n"
            "<line x1=\"0\" y1=\"1\" x2=\"2.5\" y2=\"1.13\" stroke=\"black\"/>\n"
            "<circle cx=\"1\" cy=\"2\" r=\"3\"/>\n"
            "<polygon points=\"0,0 1,0\" fill=\"red\"><title>a&lt;b</title></polygon>\n"
            "<text x=\"4\" y=\"5\">x &amp; y</text>\n"
            "</svg>\n");
}

TEST(Drawing, ScalesValues) {
  const scale down{.least = 0, .most = 4, .from = 100, .to = 0};
  EXPECT_EQ(down.at(1), 75);
  EXPECT_EQ((scale{3, 3, 10, 20}.at(3)), 10);
}

TEST(Drawing, HasFourToTenRoundSteps) {
  EXPECT_DOUBLE_EQ(round_step(10), 2);
  EXPECT_DOUBLE_EQ(round_step(0.5), 0.1);
  EXPECT_DOUBLE_EQ(round_step(7), 1);
}

}  // namespace
}  // namespace morph::writing
