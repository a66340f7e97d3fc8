// Where control may go in a function, and what each way executes.
#include "coverage/object/read/blocks.hpp"

#include <elf.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "coverage/object/read/relocations.hpp"

namespace morph::object {
namespace {

constexpr std::size_t least_blocks = 4;
// Blocks may overlap: instructions in all of them, to those of the function.
constexpr std::size_t most_repeats = 16;

/// What happens to an exception that leaves a call. From the tables of the Itanium ABI, as GCC and Clang write them.
struct call_site {
  std::uint64_t begin, end;  // of the function
  std::uint64_t pad;         // 0: it goes on to the caller
  std::uint64_t action;      // 0: there are no types
};

class table_reader {
 public:
  explicit table_reader(std::string_view bytes) : left_(bytes) {}

  bool failed() const { return failed_; }
  bool at_end() const { return left_.empty(); }
  std::uint8_t byte() {
    if (left_.empty()) {
      failed_ = true;
      return 0;
    }
    const auto value = static_cast<std::uint8_t>(left_.front());
    left_.remove_prefix(1);
    return value;
  }
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t one = byte();
      value |= static_cast<std::uint64_t>(one & 0x7f) << shift;
      if ((one & 0x80) == 0) return value;
    }
    failed_ = true;
    return value;
  }
  table_reader part(std::uint64_t size) {
    if (size > left_.size()) failed_ = true;
    return table_reader(left_.substr(0, failed_ ? 0 : size));
  }

 private:
  std::string_view left_;
  bool failed_ = false;
};

/// None if the table is of another kind.
std::optional<std::vector<call_site>> read_call_sites(std::string_view table) {
  constexpr std::uint8_t omitted = 0xff, uleb128 = 0x01;
  table_reader all(table);
  if (all.byte() != omitted) return {};  // pads lie elsewhere
  if (all.byte() != omitted) all.uleb();
  if (all.byte() != uleb128) return {};
  table_reader sites = all.part(all.uleb());
  std::vector<call_site> found;
  while (!all.failed() && !sites.failed() && !sites.at_end()) {
    call_site one{};
    one.begin = sites.uleb();
    one.end = one.begin + sites.uleb();
    one.pad = sites.uleb();
    one.action = sites.uleb();
    found.push_back(one);
  }
  if (all.failed() || sites.failed()) return {};
  return found;
}

struct step {
  std::uint64_t at = 0, end = 0;  // in the section
  flow control = flow::next;
  std::optional<std::uint64_t> target;  // without a relocation
  std::uint32_t target_field = 0;       // in the instruction
  bool relocated = false;
};

class function_reader {
 public:
  function_reader(const cut_object& cut, const exception_tables& exceptions, reference_writer& references,
                  decoder& decode, object_print& print)
      : cut_(cut), exceptions_(exceptions), references_(references), decode_(decode), print_(print) {}

  void add(const piece& of) {
    piece_ = &of;
    bytes_ = cut_.section(of).bytes;
    if (bytes_.size() < of.end || of.runs_on || !read_steps() || !read_exceptions() || !find_begins()) return;
    std::vector<block> blocks;
    std::size_t steps = 0;
    for (const std::uint64_t begin : begins_) {
      blocks.push_back(block_from(begin, steps));
      if (steps > most_repeats * steps_.size()) return;
    }
    const auto first = static_cast<std::uint32_t>(print_.blocks.size());
    print_.blocks.insert(print_.blocks.end(), blocks.begin(), blocks.end());
    print_.blocked.push_back(
        {of.atom, static_cast<std::uint32_t>(of.end - of.begin), {first, static_cast<std::uint32_t>(blocks.size())}});
  }

 private:
  bool is_inside(std::uint64_t at) const { return piece_->begin <= at && at < piece_->end; }

  /// False if it may go where it does not say.
  bool read_steps() {
    steps_.clear();
    const auto& relocations = cut_.section(*piece_).relocations;
    for (std::uint64_t at = piece_->begin; at < piece_->end;) {
      const instruction one = decode_.decode(bytes_.substr(at, piece_->end - at), at);
      if (!one.known) return false;
      step s{at, at + one.size, decode_.control(), {}, 0, false};
      const auto [first, last] = cut_.relocations_in(piece_->section, s.at, s.end);
      s.relocated = first != last;
      const auto target = s.relocated ? std::nullopt : decode_.target();
      if (target) s.target = target->address, s.target_field = target->field;
      const bool inside = s.target && is_inside(*s.target);
      const bool goes = s.control == flow::branch || s.control == flow::jump;
      if (s.control == flow::unknown || (inside && !goes && *s.target != piece_->begin)) return false;
      if (s.control == flow::branch && !inside) return false;
      if (s.control == flow::jump && !inside && !leaves_for_good(s, relocations, first, last)) return false;
      steps_.push_back(s);
      at = s.end;
    }
    return true;
  }

  /// Whether it calls another function instead of coming back.
  bool leaves_for_good(const step& s, const std::vector<relocation>& relocations, std::size_t first,
                       std::size_t last) const {
    if (s.target) return !cut_.symbol_at(piece_->section, *s.target).empty() && *s.target != piece_->begin;
    if (last - first != 1) return false;
    const elf_symbol& to = cut_.object.symbols[relocations[first].symbol];
    return to.type != STT_SECTION && !to.name.empty() && to.name.find(".cold") == std::string_view::npos &&
           to.name.find(".part") == std::string_view::npos;
  }

  bool read_exceptions() {
    sites_.reset();
    const auto found = exceptions_.find({piece_->section, piece_->begin});
    if (found == exceptions_.end()) return true;
    const auto& [index, begin, end] = found->second;
    const std::string_view bytes = cut_.object.sections[index].bytes;
    if (begin >= end || end > bytes.size()) return false;
    sites_ = read_call_sites(bytes.substr(begin, end - begin));
    return sites_.has_value();
  }

  const step* step_at(std::uint64_t at) const {
    const auto found = std::lower_bound(steps_.begin(), steps_.end(), at,
                                        [](const step& s, std::uint64_t value) { return s.at < value; });
    return found == steps_.end() || found->at != at ? nullptr : &*found;
  }

  bool find_begins() {
    begins_ = {piece_->begin};
    pads_.clear();
    for (const step& s : steps_) {
      if (s.control != flow::branch && s.control != flow::jump) continue;
      if (s.target && is_inside(*s.target)) begins_.push_back(*s.target);
      if (s.control == flow::branch && s.end < piece_->end) begins_.push_back(s.end);
    }
    if (sites_)
      for (const call_site& site : *sites_)
        if (site.pad != 0) pads_.push_back(piece_->begin + site.pad);
    begins_.insert(begins_.end(), pads_.begin(), pads_.end());
    std::sort(begins_.begin(), begins_.end());
    begins_.erase(std::unique(begins_.begin(), begins_.end()), begins_.end());
    return begins_.size() >= least_blocks &&
           std::all_of(begins_.begin(), begins_.end(), [&](std::uint64_t at) { return step_at(at) != nullptr; });
  }

  std::uint32_t place(std::uint64_t at) const { return static_cast<std::uint32_t>(at - piece_->begin); }

  block block_from(std::uint64_t begin, std::size_t& steps) {
    block made;
    made.begin = place(begin);
    made.is_landing_pad = std::find(pads_.begin(), pads_.end(), begin) != pads_.end() ? 1 : 0;
    described_.clear();
    to_.clear();
    for (const step* s = step_at(begin); s != nullptr; s = step_at(s->end)) {
      ++steps;
      describe(*s);
      if (s->control == flow::branch || s->control == flow::jump) {
        if (s->target && is_inside(*s->target)) made.target = place(*s->target);
        if (s->control == flow::branch && s->end < piece_->end) made.next = place(s->end);
        break;
      }
      if (s->control == flow::end) break;
    }
    made.content = described_.finish();
    made.references = references_.keep(to_);
    return made;
  }

  /// The instruction, without where in the function it goes.
  void describe(const step& s) {
    std::string code(bytes_.substr(s.at, s.end - s.at));
    const auto clear = [&](std::uint64_t field, std::uint64_t size) {
      for (std::uint64_t i = field; i < std::min<std::uint64_t>(field + size, code.size()); ++i) code[i] = 0;
    };
    const bool goes = s.control == flow::branch || s.control == flow::jump;
    if (goes && s.target && is_inside(*s.target)) return describe_way(code);
    const auto& relocations = cut_.section(*piece_).relocations;
    const auto [first, last] = cut_.relocations_in(piece_->section, s.at, s.end);
    for (std::size_t i = first; i < last; ++i) {
      described_.number(relocations[i].offset - s.at);
      described_.number(relocations[i].type);
      references_.describe(piece_->section, i, piece_->begin, described_, to_);
      clear(relocations[i].offset - s.at, field_size(cut_.object.target, relocations[i].type));
    }
    if (s.target) {
      references_.describe_place(piece_->section, *s.target, false, described_, to_);
      clear(s.target_field, code.size());
    }
    described_.text(code);
    if (s.control == flow::call) describe_exceptions(s);
  }

  /// Short and long forms are the same way.
  void describe_way(std::string_view code) {
    std::size_t at = 0;
    while (at + 1 < code.size() && (code[at] == '\x2e' || code[at] == '\x3e' || code[at] == '\xf2')) ++at;
    const auto opcode = static_cast<std::uint8_t>(code[at]);
    if (opcode == 0xe9 || opcode == 0xeb) return described_.text("jump");
    if ((opcode & 0xf0) == 0x70) return described_.number(opcode & 0xfU);
    if (opcode == 0x0f && at + 1 < code.size())
      return described_.number(static_cast<std::uint8_t>(code[at + 1]) & 0xfU);
    described_.text(code.substr(0, code.size() - 1));
  }

  void describe_exceptions(const step& s) {
    if (!sites_) return described_.text("passes");
    const auto site = std::find_if(sites_->begin(), sites_->end(), [&](const call_site& one) {
      return one.begin <= place(s.at) && place(s.at) < one.end;
    });
    if (site == sites_->end()) return described_.text("ends");
    described_.text(site->pad == 0 ? "passes" : site->action == 0 ? "cleans" : "catches");
    if (site->action != 0) described_.add(print_.atoms[piece_->atom].exceptions);
  }

  const cut_object& cut_;
  const exception_tables& exceptions_;
  reference_writer& references_;
  decoder& decode_;
  object_print& print_;
  const piece* piece_ = nullptr;
  std::string_view bytes_;
  std::vector<step> steps_;
  std::optional<std::vector<call_site>> sites_;
  std::vector<std::uint64_t> begins_, pads_;
  digest_writer described_;
  std::vector<std::uint32_t> to_;
};

}  // namespace

void add_blocks(const cut_object& cut, const exception_tables& exceptions, reference_writer& references,
                decoder& decode, object_print& print) {
  if (cut.object.target != machine::x86_64) return;
  function_reader functions(cut, exceptions, references, decode, print);
  for (const piece& p : cut.pieces) {
    if (!p.function || p.atom == none) continue;
    const atom& a = print.atoms[p.atom];
    if (!a.is(atom::unconditional) && !a.is(atom::unnamed) && !a.is(atom::initializer)) functions.add(p);
  }
}

}  // namespace morph::object
