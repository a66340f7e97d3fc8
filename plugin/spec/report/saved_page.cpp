// The data of the page: one document, as text.
#include "plugin/spec/report/saved_page.hpp"

#include "morph/text.hpp"
#include "plugin/writing/saved_page.hpp"

namespace morph::engine {

std::string result_page(std::string_view screen, const std::vector<std::string>& arguments, std::string_view json) {
  std::string data = "{\"schema\":\"morph.saved/1\",\"repository\":\"\",\"screens\":[";
  text::write_string(data, screen);
  data += "],\"documents\":[{\"arguments\":[";
  for (const std::string& word : arguments) {
    if (&word != arguments.data()) data += ',';
    text::write_string(data, word);
  }
  data += "],\"output\":";
  text::write_string(data, json);
  return writing::saved_page(data + "}]}");
}

bool is_page(std::string_view file) {
  return file.ends_with(".html");
}

}  // namespace morph::engine
