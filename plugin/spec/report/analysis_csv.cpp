// Quotes fields, and appends rows to a file.
#include "plugin/spec/report/analysis_csv.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <initializer_list>

namespace morph::engine {
namespace {

void add_row(std::string& to, std::initializer_list<const std::string*> fields) {
  bool first = true;
  for (const std::string* each : fields) {
    if (!first) to += ',';
    first = false;
    if (each->find_first_of(",\"\r\n") == std::string::npos) {
      to += *each;
      continue;
    }
    to += '"';
    for (const char c : *each) to.append(c == '"' ? 2 : 1, c);
    to += '"';
  }
  to += '\n';
}

}  // namespace

std::string as_csv(const std::string& label, const std::string& spec, const std::string& executer,
                   const std::vector<analysis>& all) {
  const std::string nothing, text = "text";
  std::string rows;
  for (const analysis& each : all) {
    if (!each.text.empty()) add_row(rows, {&label, &spec, &executer, &each.title, &nothing, &text, &each.text});
    for (const auto& row : each.rows)
      for (std::size_t i = 1; i < row.size() && i < each.columns.size(); ++i)
        add_row(rows, {&label, &spec, &executer, &each.title, &row[0], &each.columns[i], &row[i]});
  }
  return rows;
}

std::string append_csv(const std::string& file, const std::string& rows) {
  const std::string head = analysis_csv_head;
  std::string first;
  {
    std::ifstream before(file, std::ios::binary);
    std::getline(before, first);
  }
  if (!first.empty() && first + "\n" != head)
    return "'" + file + "' holds something else; rows are added to files that begin with " +
           head.substr(0, head.size() - 1);
  std::ofstream to(file, std::ios::binary | std::ios::app);
  to << (first.empty() ? head : "") << rows;
  to.close();
  return to ? std::string() : "'" + file + "' cannot be written: " + std::strerror(errno);
}

}  // namespace morph::engine
