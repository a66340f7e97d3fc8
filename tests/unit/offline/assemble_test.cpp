// Pages and their parts.
#include "plugin/offline/assemble.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plugin/offline/write.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::offline {
namespace {

using nlohmann::json;

json data_in(const std::string& page) {
  const std::string mark = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin), nullptr, false);
}

collected example() {
  return {.documents = {{{"plan"}, 0, {"a note"}, R"({"tests":["</script>"]})"},
                        {{"store", "export"}, 0, {}, "{\"a\":1}\n{\"b\":2}\n"},
                        {{"report", "mutation"}, 3, {}, ""}},
          .sources = {{"a.cpp", "int \xe9;\n</script>"}},
          .left_out = {"long.cpp"}};
}

TEST(Assemble, APageHasDocumentsAndSources) {
  const json data = data_in(assemble(example(), {.version = "1", .repository = "/r", .build = "/b", .at = "now"}).page);
  EXPECT_EQ(data["schema"], "morph.saved/1");
  EXPECT_EQ(data["repository"], "/r");
  EXPECT_EQ(data["documents"][0]["output"]["tests"][0], "</script>");
  EXPECT_EQ(data["documents"][0]["messages"][0], "a note");
  EXPECT_EQ(data["documents"][1]["output"], "{\"a\":1}\n{\"b\":2}\n");
  EXPECT_EQ(data["documents"][2]["exit"], 3);
  EXPECT_EQ(data["documents"][2]["output"], "");
  EXPECT_EQ(data["sources"]["a.cpp"], "int \xef\xbf\xbd;\n</script>");
  EXPECT_TRUE(data["parts"].empty());
  EXPECT_FALSE(data.contains("screens"));
}

TEST(Assemble, ALongOneIsSplit) {
  collected what = example();
  what.documents[0].output = '"' + std::string(1000, 'x') + '"';
  const assembled made = assemble(what, {.stem = "night", .longest = 2000});
  const json data = data_in(made.page);
  ASSERT_EQ(made.parts.size(), 2U);
  EXPECT_EQ(data["parts"], (json{"night.1.js", "night.2.js"}));
  EXPECT_EQ(made.parts[0].text, "morphPart(0,\"" + std::string(1000, 'x') + "\");\n");
  EXPECT_EQ(data["documents"][0]["part"], 0);
  EXPECT_FALSE(data["documents"][0].contains("output"));
  EXPECT_EQ(data["documents"][1]["output"], what.documents[1].output);
  EXPECT_EQ(data["sources"]["a.cpp"]["part"], 1);
  EXPECT_EQ(made.parts[1].text, "morphPart(1,{\"a.cpp\":\"int \xef\xbf\xbd;\\n</script>\"});\n");
}

TEST(Assemble, AnEqualPageHasEqualBytes) {
  EXPECT_EQ(assemble(example(), {}).page, assemble(example(), {}).page);
}

TEST(WritePage, RemovesPartsOfAnEarlierOne) {
  const test_support::temporary_folder at;
  EXPECT_EQ(stem_of("a/b.html"), "b");
  EXPECT_EQ(stem_of("a/b.htm"), "b.htm");
  ASSERT_TRUE(write({"long", {{"r.1.js", "morphPart(0,1);\n"}, {"r.2.js", "morphPart(1,1);\n"}}}, at / "r.html"));
  at.write("r.3.js", "another's");
  ASSERT_TRUE(write({"short", {}}, at / "r.html"));
  EXPECT_FALSE(std::filesystem::exists(at / "r.1.js"));
  EXPECT_FALSE(std::filesystem::exists(at / "r.2.js"));
  EXPECT_TRUE(std::filesystem::exists(at / "r.3.js"));
}

TEST(WritePage, SaysWhatWasWritten) {
  const json said = json::parse(as_json({"page", {{"r.1.js", "12345"}}}, example(), "out/r.html"));
  EXPECT_EQ(said["schema"], "morph.report-html/1");
  EXPECT_EQ(said["bytes"], 4);
  EXPECT_EQ(said["parts"], (json::array({{{"file", "out/r.1.js"}, {"bytes", 5}}})));
  EXPECT_EQ(said["documents"][2]["exit"], 3);
  EXPECT_EQ(said["left_out"][0], "long.cpp");
}

}  // namespace
}  // namespace morph::offline
