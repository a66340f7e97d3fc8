// One page, or, if that is too long, a page and its parts.
#include "plugin/offline/assemble.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "plugin/contract/formats.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/writing/saved_page.hpp"

namespace morph::offline {
namespace {

using nlohmann::json;

/// As it is if it is JSON, else a string.
std::string value_of(const std::string& output) {
  return json::accept(output) ? output : json_text(output);
}

class assembly {
 public:
  assembly(const about& of, bool splits) : of_(of), splits_(splits) {}

  assembled make(const collected& what) {
    std::string text = json_text({{"schema", contract::saved_schema},
                                  {"version", of_.version},
                                  {"repository", of_.repository},
                                  {"build", of_.build},
                                  {"at", of_.at}});
    text.pop_back();
    if (!of_.screens.empty()) text += ",\"screens\":" + json_text(of_.screens);
    text += ",\"documents\":[";
    for (const document& each : what.documents) text += (&each == what.documents.data() ? "" : ",") + text_of(each);
    text += "],\"sources\":" + sources(what.sources) + ",\"parts\":[";
    for (const named_text& part : parts_) text += (&part == parts_.data() ? "" : ",") + json_text(part.name);
    return {writing::saved_page(text + "]}"), std::move(parts_)};
  }

 private:
  std::size_t add_part(const std::string& value) {
    const std::size_t number = parts_.size();
    parts_.push_back(
        {fmt::format("{}.{}.js", of_.stem, number + 1), fmt::format("morphPart({},{});\n", number, value)});
    return number;
  }

  std::string text_of(const document& each) {
    std::string text = json_text({{"arguments", each.arguments}, {"exit", each.exit}, {"messages", each.messages}});
    text.pop_back();
    const bool goes_apart = splits_ && each.output.size() > of_.longest / 20;
    if (goes_apart) return text + fmt::format(",\"part\":{}}}", add_part(value_of(each.output)));
    return text + ",\"output\":" + value_of(each.output) + "}";
  }

  std::string sources(const std::vector<source>& all) {
    json listed = json::object(), texts = json::object();
    std::size_t bytes = 0;
    const auto close = [&] {
      if (texts.empty()) return;
      const std::size_t number = add_part(json_text(texts));
      for (const auto& [path, text] : texts.items()) listed[path] = {{"part", number}};
      texts = json::object();
      bytes = 0;
    };
    for (const source& each : all) {
      (splits_ ? texts : listed)[each.path] = each.text;
      bytes += each.text.size();
      if (splits_ && bytes > of_.longest / 4) close();
    }
    close();
    return json_text(listed);
  }

  const about& of_;
  bool splits_;
  std::vector<named_text> parts_{};
};

}  // namespace

assembled assemble(const collected& what, const about& of) {
  assembled whole = assembly(of, false).make(what);
  if (whole.page.size() <= of.longest) return whole;
  return assembly(of, true).make(what);
}

}  // namespace morph::offline
