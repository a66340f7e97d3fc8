// The flow of initializers in one row, cut behind every variable that they set.
#include "coverage/object/read/initializers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "coverage/object/read/frameworks.hpp"
#include "coverage/object/read/test_factories.hpp"

namespace morph::object {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// What registering a test may refer to; anything else is a project's own initialization, whatever it takes.
bool is_of_frameworks(std::string_view name) {
  static constexpr std::array<std::string_view, 5> runtime_scopes{"9__gnu_cxx", "St", "Sa", "Ss", "L8__ioinit"};
  if (name.empty() || is_of_runtime(name)) return true;
  const std::string_view scoped = scoped_name(name);
  const auto begins = [&](std::string_view scope) { return scoped.starts_with(scope); };
  return std::any_of(runtime_scopes.begin(), runtime_scopes.end(), begins) ||
         std::any_of(
             framework_table.begin(), framework_table.end(),
             [&](const framework_symbols& f) { return std::any_of(f.scopes.begin(), f.scopes.end(), begins); }) ||
         contains_name_of_framework(name, &framework_symbols::parts);
}

bool is_of_one_test(std::string_view name) {
  return contains_name_of_framework(name, &framework_symbols::of_one_test) || !instance_of_values(name).empty();
}

/// Which fixture a test is of: a type, and what runs before and after all of its tests. Passed on, nothing of it runs.
bool is_of_fixture(std::string_view name) {
  static constexpr std::array<std::string_view, 6> types{
      "_ZN7testing8internal9GetTypeIdI",
      "_ZN7testing8internal13GetTestTypeIdEv",
      "_ZN7testing8internal12TypeIdHelperI",
      "_ZN7testing8internal16SuiteApiResolverI",
      "_ZN7testing8internal30ParameterizedTestSuiteRegistry25GetTestSuitePatternHolderI",
      "_ZN7testing8internal26ParameterizedTestSuiteInfoI"};
  return std::any_of(types.begin(), types.end(), [&](std::string_view type) { return name.starts_with(type); });
}

bool runs_around_fixture(std::string_view name) {
  static constexpr std::array<std::string_view, 4> functions{"14SetUpTestSuiteEv", "17TearDownTestSuiteEv",
                                                             "13SetUpTestCaseEv", "16TearDownTestCaseEv"};
  return std::any_of(functions.begin(), functions.end(),
                     [&](std::string_view function) { return name.ends_with(function); });
}

/// What <iostream> has every source do.
constexpr std::string_view of_streams = "_ZNSt8ios_base4InitC1Ev";

std::string_view name_of(const step& s) {
  return std::string_view(s.text).substr(0, s.text.find(' '));
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return name.starts_with(start); });
}

bool stores_number(const step& s) {
  return s.constant.has_value() || is_one_of(name_of(s), {"MOV8mi", "MOV16mi", "MOV32mi", "MOV64mi", "PUSH64i"});
}

// Of what refers to nothing. Which register or place of the frame holds a value is the compiler's choice, made for all
// of the function: what only moves it there does nothing. A jump to another function is a call at the end.
bool does_something(const step& s) {
  if (s.control == flow::end || s.control == flow::jump) return false;
  if (s.control != flow::next || stores_number(s)) return true;
  const std::string_view name = name_of(s);
  const bool moves =
      is_one_of(name, {"MOV", "LEA64r", "PUSH64r", "POP64r", "SUB64ri", "ADD64ri", "ENDBR64", "LEAVE64"});
  const bool zeroes = is_one_of(name, {"XOR32rr", "PXORrr", "XORPSrr", "VPXORrr", "VXORPSrr"});
  const bool through_register = contains(name, "rr") || is_one_of(name, {"PUSH64r", "POP64r", "ENDBR64", "LEAVE64"});
  return !zeroes && !(moves && (contains(s.text, " stack") || through_register));
}

bool only_moves(const step& s) {
  if (!s.refers.empty() || s.control == flow::end || s.control == flow::jump || s.control == flow::branch) return true;
  return s.control == flow::next &&
         is_one_of(name_of(s), {"MOV",     "VMOV",     "LEA",      "CMP",     "TEST",    "XOR32rr", "XORPSrr", "PXORrr",
                                "VPXORrr", "VXORPSrr", "PUNPCK",   "VPUNPCK", "PINSR",   "VPINSR",  "PUSH64",  "POP64",
                                "SUB64r",  "CMOV",     "XCHG16ar", "ADD64r",  "ENDBR64", "LEAVE64", "NOOP"});
}

struct placed_step {
  const step* what;
  std::uint32_t function;  // the call of it, numbered
  bool last = false;       // of that call
};

// Follows the normal flow: what only exceptions reach ends in terminate(), before main() there is nobody to catch.
class flattener {
 public:
  explicit flattener(const std::vector<initializer_function>& functions) : functions_(functions) {}

  bool add(std::uint32_t function);
  const std::vector<placed_step>& row() const { return row_; }
  const std::set<std::uint32_t>& seen() const { return seen_; }

 private:
  std::optional<std::vector<bool>> reached(const initializer_function& function) const;

  const std::vector<initializer_function>& functions_;
  std::vector<placed_step> row_;
  std::set<std::uint32_t> seen_;
  std::uint32_t calls_ = 0;
};

std::optional<std::size_t> step_at(const initializer_function& function, std::uint64_t address) {
  const auto found = std::lower_bound(function.steps.begin(), function.steps.end(), address,
                                      [](const step& s, std::uint64_t value) { return s.address < value; });
  if (found == function.steps.end() || found->address != address) return {};
  return static_cast<std::size_t>(found - function.steps.begin());
}

std::optional<std::vector<bool>> flattener::reached(const initializer_function& function) const {
  std::vector<bool> reached(function.steps.size());
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    if (i >= reached.size() || reached[i]) continue;
    reached[i] = true;
    const step& s = function.steps[i];
    if (s.control == flow::unknown) return {};
    // A jump to another function is a call at the end.
    if ((s.control == flow::branch || s.control == flow::jump) && s.refers.empty()) {
      const auto found = s.target ? step_at(function, *s.target) : std::nullopt;
      if (!found) return {};
      open.push_back(*found);
    }
    if (s.control != flow::jump && s.control != flow::end) open.push_back(i + 1);
  }
  return reached;
}

bool flattener::add(std::uint32_t function) {
  if (!seen_.insert(function).second) return false;
  const initializer_function& f = functions_[function];
  if (f.steps.empty()) return false;
  const auto reaches = reached(f);
  if (!reaches) return false;
  const std::uint32_t call = calls_++;
  for (std::size_t i = 0; i < f.steps.size(); ++i) {
    if (!(*reaches)[i]) continue;
    const step& s = f.steps[i];
    const auto inner = std::find_if(s.refers.begin(), s.refers.end(), [](const auto& r) { return r.calls != none; });
    if (inner == s.refers.end()) {
      row_.push_back({&s, call});
    } else if (!add(inner->calls)) {
      return false;
    }
  }
  if (!row_.empty()) row_.back().last = true;
  return true;
}

struct piece {
  std::size_t begin, end;
  std::string_view variable;  // empty: no test is registered
  bool of_streams = false;
};

bool sets_variable(const placed_step& at) {
  return std::any_of(at.what->refers.begin(), at.what->refers.end(),
                     [](const auto& r) { return r.stored || r.name == "__cxa_atexit"; });
}

bool only_frameworks(const std::vector<placed_step>& row, std::size_t begin, std::size_t end) {
  const bool reports = std::any_of(row.begin() + static_cast<std::ptrdiff_t>(begin),
                                   row.begin() + static_cast<std::ptrdiff_t>(end), [](const placed_step& s) {
                                     return std::any_of(s.what->refers.begin(), s.what->refers.end(),
                                                        [](const auto& r) { return is_report_of_google_test(r.name); });
                                   });
  for (std::size_t i = begin; i < end; ++i)
    for (const step_reference& r : row[i].what->refers) {
      const bool is_passed = row[i].what->control == flow::next && runs_around_fixture(r.name);
      const bool is_printed = reports && is_print_of_text(r.name);
      if ((!is_of_frameworks(r.name) && !is_passed && !is_printed) || (r.stored && !is_registration(r.name)))
        return false;
    }
  return true;
}

bool is_table_of_factory(std::string_view name) {
  return name.starts_with("_ZTVN7testing8internal15TestFactoryImplI");
}

bool calls_destructor(const step& s) {
  return s.control == flow::call && s.refers.size() == 1 && is_of_frameworks(s.refers[0].name) &&
         (s.refers[0].name.ends_with("D1Ev") || s.refers[0].name.ends_with("D2Ev"));
}

class cutter {
 public:
  explicit cutter(const std::vector<placed_step>& row) : row_(row) {
    const auto refers = [&](std::string_view part) {
      return std::any_of(row.begin(), row.end(), [&](const placed_step& s) {
        return std::any_of(s.what->refers.begin(), s.what->refers.end(),
                           [&](const step_reference& r) { return contains(r.name, part); });
      });
    };
    // Variables that nobody reads, and destructors that do nothing, need not be there.
    ends_with_call_ = !refers("DOCTEST_ANON_VAR_") && !refers("5Catch7AutoRegD");
  }

  std::vector<piece> pieces();

 private:
  std::size_t end_of_prologue(std::size_t begin) const;
  std::size_t end_of_variable(std::size_t at) const;
  std::optional<std::size_t> end_of_release(std::size_t at) const;
  std::size_t end_of_call(std::size_t begin) const;
  bool registers_one(std::size_t begin, std::size_t end) const;
  bool calls_registration(std::size_t at) const;
  bool is_kept_behind(std::size_t call) const;
  piece made(std::size_t begin, std::size_t end) const;

  const std::vector<placed_step>& row_;
  bool ends_with_call_ = false;
};

// A function's first steps, with GCC's test of the priority.
std::size_t cutter::end_of_prologue(std::size_t begin) const {
  std::size_t end = begin;
  const std::uint32_t function = row_[begin].function;
  for (std::size_t i = begin; i < row_.size() && i < begin + 24; ++i) {
    const step& s = *row_[i].what;
    if (row_[i].function != function || !s.refers.empty() || s.control == flow::jump || s.control == flow::end) break;
    const bool frame = s.text.starts_with("PUSH64r") || s.text.starts_with("MOV64rr RBP RSP") ||
                       s.text.starts_with("SUB64ri") || s.text.starts_with("ENDBR64") || s.control == flow::branch;
    if (frame && (s.control == flow::branch || end == i)) end = i + 1;
  }
  return end;
}

// Of a branch around a call that gives memory back, and nothing else: the step behind the call.
std::optional<std::size_t> cutter::end_of_release(std::size_t at) const {
  const step& branch = *row_[at].what;
  if (branch.control != flow::branch || !branch.target || !branch.refers.empty()) return {};
  bool releases = false;
  for (std::size_t i = at + 1; i < row_.size() && row_[i].function == row_[at].function; ++i) {
    const step& s = *row_[i].what;
    const bool leads_there = s.control == flow::jump && s.refers.empty() && s.target == branch.target;
    if (s.address == *branch.target || leads_there) return releases ? std::optional(i) : std::nullopt;
    const bool is_call = s.control == flow::call && s.refers.size() == 1 && s.refers[0].name.starts_with("_ZdlPv");
    if (!is_call && (!s.refers.empty() || s.control != flow::next)) return {};
    releases |= is_call;
  }
  return {};
}

// Destructors of what was passed come behind the store, then (GCC 13 and later) what was made for it if an exception
// left it behind.
std::size_t cutter::end_of_variable(std::size_t at) const {
  std::size_t end = at + 1;
  for (std::size_t i = end; i < row_.size() && row_[i].function == row_[at].function; ++i) {
    const step& s = *row_[i].what;
    if (calls_destructor(s))
      end = i + 1;
    else if (s.control == flow::jump && s.target && i + 1 < row_.size() && *s.target == row_[i + 1].what->address)
      continue;
    else if (const auto behind = end_of_release(i))
      end = *behind, i = end - 1;
    else if (!s.refers.empty() || s.control != flow::next)
      break;
  }
  return end;
}

std::size_t cutter::end_of_call(std::size_t begin) const {
  std::size_t end = begin;
  while (end < row_.size() && row_[end].function == row_[begin].function) ++end;
  return end;
}

// Clang makes a function of each variable. GCC makes one of all, which may be of one test and of std::cout.
bool cutter::registers_one(std::size_t begin, std::size_t end) const {
  if (end == begin || !row_[end - 1].last || !only_frameworks(row_, begin, end)) return false;
  std::set<std::string_view> variables;
  bool has_others = false;
  for (std::size_t i = begin; i < end; ++i)
    for (const step_reference& r : row_[i].what->refers) {
      if (is_registration(r.name)) variables.insert(r.name);
      has_others |= r.name == of_streams;
    }
  return variables.size() == 1 && !has_others;
}

bool cutter::calls_registration(std::size_t at) const {
  const auto& refers = row_[at].what->refers;
  return std::any_of(refers.begin(), refers.end(), [](const step_reference& r) { return registers_test(r.name); });
}

// Optimizers leave out the variable of a test in an unnamed namespace, which nobody reads. Of a shared library it may
// be reached through a table.
bool cutter::is_kept_behind(std::size_t call) const {
  for (std::size_t i = call + 1; i < row_.size() && row_[i].function == row_[call].function; ++i) {
    if (calls_registration(i)) return false;
    const auto& refers = row_[i].what->refers;
    if (std::any_of(refers.begin(), refers.end(),
                    [](const auto& r) { return is_of_google_test(r.name) || (r.stored && is_registration(r.name)); }))
      return true;
  }
  return false;
}

piece cutter::made(std::size_t begin, std::size_t end) const {
  piece p{begin, end, {}};
  if (!only_frameworks(row_, begin, end)) return p;
  std::string_view function;
  bool calls = false, starts_streams = false, has_others = false;
  for (std::size_t i = begin; i < end; ++i) {
    calls |= calls_registration(i);
    has_others |= row_[i].what->refers.empty() && does_something(*row_[i].what);
    for (const step_reference& r : row_[i].what->refers) {
      if (is_registration(r.name)) p.variable = r.name;
      if (is_of_one_test(r.name) && !is_table_of_factory(function)) function = r.name;
      starts_streams |= r.name == of_streams;
      has_others |= !is_start_of_streams(r.name);
    }
  }
  if (p.variable.empty() && calls) p.variable = function;
  p.of_streams = starts_streams && !has_others;
  return p;
}

std::vector<piece> cutter::pieces() {
  std::vector<piece> pieces;
  std::size_t begin = 0;
  const auto cut = [&](std::size_t end) {
    if (end > begin) pieces.push_back(made(begin, end));
    begin = end;
  };
  std::uint32_t function = none;
  for (std::size_t i = 0; i < row_.size();) {
    const bool enters = row_[i].function != function;
    function = row_[i].function;
    if (enters) {
      cut(i);
      const std::size_t end = end_of_call(i);
      if (registers_one(i, end)) {
        cut(i = end);
        continue;
      }
      if (const std::size_t prologue = end_of_prologue(i); prologue > i) {
        cut(i = prologue);
        continue;
      }
    }
    const bool sets = sets_variable(row_[i]) || (ends_with_call_ && calls_registration(i) && !is_kept_behind(i)),
               last = row_[i].last;
    i = sets ? end_of_variable(i) : i + 1;
    if (sets || last) cut(i);
  }
  cut(row_.size());
  return pieces;
}

// Where the frame keeps something changes with every variable: places are numbered as they appear.
void append_with_numbered_places(std::string& to, std::string_view text,
                                 std::map<std::string_view, std::size_t>& places) {
  for (std::size_t at = 0;;) {
    const std::size_t found = text.find(" stack", at);
    to += text.substr(at, found - at);
    if (found == std::string_view::npos) return;
    const std::size_t end = std::min(text.find(' ', found + 1), text.size());
    const auto number = places.emplace(text.substr(found, end - found), places.size()).first->second;
    fmt::format_to(std::back_inserter(to), " place{}", number);
    at = end;
  }
}

class segment_writer {
 public:
  segment_writer(const std::vector<placed_step>& row, const std::vector<piece>& pieces, object_print& print)
      : row_(row), print_(print) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].function >= calls_.size()) calls_.resize(row[i].function + 1);
      calls_[row[i].function].push_back(i);
    }
    for (const piece& p : pieces)
      if (p.variable.empty() && !p.of_streams) staying_.push_back(p.begin);
  }

  segment write(const piece& p);

 private:
  std::string target_of(const piece& p, std::size_t from) const;
  void add_event(const step& s, digest_writer& events, std::vector<std::uint32_t>& references) const;

  const std::vector<placed_step>& row_;
  object_print& print_;
  std::vector<std::vector<std::size_t>> calls_;  // their steps, by address
  std::vector<std::size_t> staying_;             // where pieces begin that neither register a test nor start streams
};

// Within a piece: how many steps away. Else whether it is the next step, or how many pieces that stay are between:
// those of tests come and go.
std::string segment_writer::target_of(const piece& p, std::size_t from) const {
  const std::vector<std::size_t>& call = calls_[row_[from].function];
  const std::uint64_t target = *row_[from].what->target;
  const auto found = std::lower_bound(call.begin(), call.end(), target, [&](std::size_t i, std::uint64_t address) {
    return row_[i].what->address < address;
  });
  if (found == call.end() || row_[*found].what->address != target) return " away";
  const std::size_t to = *found;
  if (to >= p.begin && to < p.end)
    return fmt::format(" {}", static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from));
  const auto leads_there = [&](const placed_step& s) {
    return s.function == row_[from].function && s.what->control == flow::jump && s.what->target == target;
  };
  if (to == p.end || (to > p.end && leads_there(row_[p.end]))) return " behind";
  const auto before = [&](std::size_t i) {
    return std::upper_bound(staying_.begin(), staying_.end(), i) - staying_.begin();
  };
  return fmt::format(" over {}", before(to) - before(from));
}

void segment_writer::add_event(const step& s, digest_writer& events, std::vector<std::uint32_t>& references) const {
  for (const step_reference& r : s.refers) {
    if (r.is_ambient) continue;
    events.text(r.stored ? "stores" : "refers");
    events.add(r.identity);
    references.insert(references.end(), r.references.begin(), r.references.end());
  }
  if (!s.refers.empty() || !does_something(s)) return;
  const std::string_view name = name_of(s);
  events.text(name);
  if (s.constant) return events.text("");
  std::string numbers;
  for (std::size_t at = name.size(); at < s.text.size();) {
    const std::size_t end = std::min(s.text.find(' ', at + 1), s.text.size());
    const std::string_view word = std::string_view(s.text).substr(at + 1, end - at - 1);
    if (!word.empty() && word.find_first_not_of("-0123456789") == std::string_view::npos && word != "-")
      numbers.append(" ").append(word);
    at = end;
  }
  const bool in_frame = stores_number(s) && contains(s.text, " stack");
  events.text(in_frame && numbers.starts_with(" 1 ") ? std::string_view(numbers).substr(2) : numbers);
}

segment segment_writer::write(const piece& p) {
  digest_writer content, relaxed, shape;
  segment made;
  if (const std::string left_out = variable_of_factory(p.variable); !left_out.empty())
    made.variable = print_.names.add(left_out);
  else if (!p.variable.empty())
    made.variable = print_.names.add(p.variable);
  made.of_frameworks = only_frameworks(row_, p.begin, p.end);
  made.of_streams = p.of_streams;
  made.only_moves = std::all_of(row_.begin() + static_cast<std::ptrdiff_t>(p.begin),
                                row_.begin() + static_cast<std::ptrdiff_t>(p.end),
                                [](const placed_step& s) { return only_moves(*s.what); });
  made.references.first = static_cast<std::uint32_t>(print_.references.size());
  made.constants.first = static_cast<std::uint32_t>(print_.constants.size());
  std::map<std::string_view, std::size_t> places;
  digest_writer events;
  std::vector<std::uint32_t> event_references;
  std::set<std::string_view> callees;
  std::string text;
  for (std::size_t i = p.begin; i < p.end; ++i) {
    const step& s = *row_[i].what;
    text.clear();
    append_with_numbered_places(text, s.text, places);
    if (s.target && s.refers.empty()) text += target_of(p, i);
    std::string_view without_constant = text;
    if (s.constant) {
      print_.constants.push_back(*s.constant);
      const std::string number = fmt::format(" {}", *s.constant);
      if (without_constant.ends_with(number)) without_constant.remove_suffix(number.size());
    }
    add_event(s, events, event_references);
    content.text(text);
    relaxed.text(without_constant);
    shape.text(without_constant);
    for (const step_reference& r : s.refers) {
      content.add(r.identity);
      relaxed.add(r.identity);
      const bool of_one_test = r.name.empty() || is_of_one_test(r.name) || is_registration(r.name);
      const bool of_fixture = is_of_fixture(r.name) || (made.of_frameworks && runs_around_fixture(r.name));
      shape.text(of_one_test ? "a test's" : of_fixture ? "a fixture's" : r.name);
      if (!of_one_test && !of_fixture) callees.insert(r.name);
      print_.references.insert(print_.references.end(), r.references.begin(), r.references.end());
    }
  }
  made.content = content.finish();
  made.relaxed = relaxed.finish();
  made.shape = shape.finish();
  made.references.count = static_cast<std::uint32_t>(print_.references.size()) - made.references.first;
  made.constants.count = static_cast<std::uint32_t>(print_.constants.size()) - made.constants.first;
  if (!events.empty()) made.events = events.finish();
  made.event_references = {static_cast<std::uint32_t>(print_.references.size()),
                           static_cast<std::uint32_t>(event_references.size())};
  print_.references.insert(print_.references.end(), event_references.begin(), event_references.end());
  digest_writer names;
  for (const std::string_view name : callees) names.text(name);
  made.callees = names.finish();
  return made;
}

}  // namespace

std::string_view scoped_name(std::string_view name) {
  for (const std::string_view prefix : {"_ZTV", "_ZTT", "_ZTI", "_ZTS", "_ZGVZ", "_ZGV", "_ZZ", "_Z"})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      if (name.starts_with('N')) name.remove_prefix(name.starts_with("NK") ? 2 : 1);
      return name;
    }
  return {};
}

bool is_of_runtime(std::string_view name) {
  static constexpr std::array<std::string_view, 8> names{
      "memset", "memcpy", "_Znwm", "_ZdlPv", "_ZdlPvm", "_Unwind_Resume", "__dso_handle", "__stack_chk_fail"};
  return name.starts_with("__cxa_") || std::find(names.begin(), names.end(), name) != names.end();
}

bool is_initializer_name(std::string_view name) {
  return name.starts_with("_GLOBAL__sub_I_") || name.starts_with("_GLOBAL__I_") ||
         name.starts_with("__cxx_global_var_init") || name.starts_with("_Z41__static_initialization_and_destruction_0");
}

bool is_of_google_test(std::string_view variable) {
  return variable.ends_with("_Test10test_info_E") || contains(variable, "gtest_registering_dummy_") ||
         (contains(variable, "gtest_") && (contains(variable, "_dummy_") || contains(variable, "_registered_")));
}

bool registers_test(std::string_view callee) {
  return contains_name_of_framework(callee, &framework_symbols::registers);
}

bool is_of_strings(std::string_view name) {
  return is_one_of(name, {"_ZNSaIc", "_ZNSt15__new_allocatorIc", "_ZNSt7__cxx1112basic_stringIc",
                          "_ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"});
}

bool is_of_google_tests_registration(std::string_view name) {
  return name.empty() || is_of_runtime(name) || is_of_strings(name) || is_of_test_or_fixture(name) ||
         is_one_of(name,
                   {"_ZN7testing8UnitTest11GetInstanceEv", "_ZN7testing8UnitTest27parameterized_test_registryEv",
                    "_ZN7testing8internal12CodeLocation", "_ZN7testing8internal23MakeAndRegisterTestInfoE",
                    "_ZN7testing8internal21TypeParameterizedTest", "_ZN7testing8internal26TypeParameterizedTestSuite",
                    "_ZN7testing8internal20TypedTestSuitePState", "_ZN7testing8internal13GenerateNames",
                    "_ZN7testing8internal15TestFactory", "_ZN7testing8internal8GTestLog",
                    "_ZN7testing8internal6IsTrueEb", "_ZTVN7testing8internal15TestFactory"});
}

bool is_of_registration(std::string_view name) {
  static constexpr std::array<std::string_view, 2> scopes{"5Catch", "7doctest"};
  // What changes how all tests run.
  static constexpr std::array<std::string_view, 4> others{"istener", "eporter", "ranslator", "FLAGS_gtest_"};
  if (is_of_google_tests_registration(name) || is_start_of_streams(name)) return true;
  const std::string_view scoped = scoped_name(name);
  const bool is_other =
      std::any_of(others.begin(), others.end(), [&](std::string_view part) { return contains(name, part); });
  return !is_other &&
         (contains_name_of_framework(name, &framework_symbols::parts) ||
          std::any_of(scopes.begin(), scopes.end(), [&](std::string_view scope) { return scoped.starts_with(scope); }));
}

bool is_of_test_or_fixture(std::string_view name) {
  return is_of_google_test(name) || is_of_one_test(name) || is_of_fixture(name) || runs_around_fixture(name);
}

bool is_start_of_streams(std::string_view name) {
  return name == of_streams || name == "_ZNSt8ios_base4InitD1Ev" || name == "_ZStL8__ioinit" ||
         name == "__cxa_atexit" || name == "__dso_handle";
}

bool is_report_of_google_test(std::string_view name) {
  return name.starts_with("_ZN7testing8internal8GTestLog");
}

bool is_print_of_text(std::string_view name) {
  return name == "_ZSt4cerr" || name == "_ZNSolsEi" ||
         is_one_of(name, {"_ZSt16__ostream_insertIcSt11char_traitsIcEE",
                          "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_E"});
}

bool is_registration(std::string_view variable) {
  return is_of_google_test(variable) || contains_name_of_framework(variable, &framework_symbols::registrations);
}

initializer_row take_apart(const std::vector<initializer_function>& functions, const std::vector<std::uint32_t>& roots,
                           object_print& print) {
  flattener flat(functions);
  for (const std::uint32_t root : roots)
    if (!flat.add(root)) return {};
  const std::vector<piece> pieces = cutter(flat.row()).pieces();
  segment_writer writer(flat.row(), pieces, print);
  initializer_row made;
  for (const piece& p : pieces) made.segments.push_back(writer.write(p));
  made.functions.assign(flat.seen().begin(), flat.seen().end());
  for (const placed_step& s : flat.row())
    for (const step_reference& r : s.what->refers)
      for (const std::uint32_t to : r.references)
        if ((to & by_name) == 0) made.referred.push_back(to);
  std::sort(made.referred.begin(), made.referred.end());
  made.referred.erase(std::unique(made.referred.begin(), made.referred.end()), made.referred.end());
  return made;
}

}  // namespace morph::object
