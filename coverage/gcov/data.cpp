// The parser of .gcda files.
#include "coverage/gcov/data.hpp"

#include <algorithm>

#include "coverage/gcov/records.hpp"

namespace morph::gcov {

tl::expected<data, std::string> parse_data(std::string_view bytes, std::string_view path) {
  record_reader records(bytes, path, "counters");
  const auto header = records.header(magic::data);
  if (!header) return tl::unexpected(header.error());
  data result{header->gcc, header->stamp, header->checksum, {}};
  bool in_function = false;
  for (;;) {
    auto found = records.next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return result;
    record& entry = **found;
    byte_reader& in = entry.payload;
    if (entry.tag == tag::function) {
      // libgcov writes an empty record for a function whose copy from another unit was linked.
      in_function = entry.length > 0;
      if (!in_function) continue;
      data_function next;
      next.ident = in.u32();
      next.lineno_checksum = in.u32();
      next.cfg_checksum = in.u32();
      if (in.failed()) return records.damaged("a function record is cut off");
      result.functions.push_back(std::move(next));
    } else if (entry.tag == tag::arc_counters || entry.tag == tag::condition_counters) {
      if (!in_function) return records.damaged("counters without a function");
      if (entry.length % 8 != 0) return records.damaged("a list of counters that is no multiple of eight bytes");
      auto& function = result.functions.back();
      const bool of_arcs = entry.tag == tag::arc_counters;
      auto& number = of_arcs ? function.counters : function.masks;
      auto& values = of_arcs ? function.values : function.mask_values;
      if (number != 0) return records.damaged("two lists of counters of one kind for one function");
      number = entry.length / 8;
      if (entry.zeros) continue;
      values.resize(number);
      std::generate(values.begin(), values.end(), [&] { return in.u64(); });
    }
  }
}

}  // namespace morph::gcov
