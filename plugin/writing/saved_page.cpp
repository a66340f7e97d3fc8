// Puts the data into the template.
#include "plugin/writing/saved_page.hpp"

#include "plugin/writing/markup.hpp"

namespace morph::writing {

extern const std::string_view saved_page_template;  // templates/saved_page.html with templates/studio in it

std::string in_script(std::string_view json) {
  std::string text;
  text.reserve(json.size() + json.size() / 64);
  for (const char c : json)
    if (c == '<')
      text += "\\u003c";  // a `<` of JSON is part of a string
    else
      text += c;
  return text;
}

std::string saved_page(std::string_view json) {
  const std::string data = in_script(json);
  return filled(saved_page_template, {{"data", data}});
}

}  // namespace morph::writing
