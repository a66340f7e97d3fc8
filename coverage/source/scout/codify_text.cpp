// The lines of a function: kept statements, guards for assertions, a comparison for the one that is meant.
#include <algorithm>
#include <map>

#include "coverage/source/clang/walk.hpp"
#include "coverage/source/scout/codifier.hpp"

namespace morph::source::scouting {
namespace {

/// The comparison's function in <morph/comparison.hpp>.
std::string comparing_function(const written_assertion& of) {
  const bool is_text = of.function.find("STR") != std::string::npos;
  if (is_text) return of.by == "!=" ? "is_other_text" : of.by == "==" ? "is_same_text" : "";
  if (of.function == "CmpHelperFloatingPointEQ") return "is_almost";
  static const std::map<std::string, std::string> known{
      {"==", "is_equal"}, {"!=", "is_unequal"},  {"<", "is_less"},   {"<=", "is_at_most"},
      {">", "is_more"},   {">=", "is_at_least"}, {"near", "is_near"}};
  const auto found = known.find(of.by);
  return found != known.end() ? found->second : "";
}

}  // namespace

void codifier::line(int depth, const std::string& text) {
  if (text.find("R\"") != std::string::npos) {  // ends of lines are part of a value
    made_.lines.push_back(std::string(static_cast<std::size_t>(2 * depth), ' ') + text);
    return;
  }
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n');; end = text.find('\n', begin)) {
    std::string one = text.substr(begin, end == std::string::npos ? end : end - begin);
    const auto first = one.find_first_not_of(" \t");
    one.erase(0, first == std::string::npos ? one.size() : first);
    made_.lines.push_back(std::string(static_cast<std::size_t>(2 * depth + (begin > 0 ? 4 : 0)), ' ') + one);
    if (end == std::string::npos) return;
    begin = end + 1;
  }
}

std::string codifier::text_of(const clang::Stmt& of) {
  const auto where = text_.range_of(of.getSourceRange());
  if (!where) {
    made_.refused = "a part of it is written by a macro";
    return "";
  }
  return text_.text(*where);
}

std::string codifier::side(const clang::Expr& of) {
  const auto where = text_.range_of(of.getSourceRange());
  const clang::SourceLocation macro = now_asserted_;
  if (!where || (where->file == sources_.getFileID(macro) && where->begin == sources_.getFileOffset(macro))) {
    made_.refused = "its assertion is written by a macro of the project";
    return "";
  }
  return text_.text(*where);
}

text_range codifier::first_argument(const text_range& call, const std::string& text) {
  const auto open = text.find('(');
  if (open == std::string::npos) return call;
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\'') {
      const char quote = text[i];
      while (++i < text.size() && text[i] != quote) i += text[i] == '\\' ? 1 : 0;
      continue;
    }
    if (text[i] == '(' || text[i] == '{' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == '}' || text[i] == ']') --depth;
    if (depth == 0 || (depth == 1 && text[i] == ','))
      return {call.file, call.begin + static_cast<unsigned>(open) + 1, call.begin + static_cast<unsigned>(i)};
  }
  return call;
}

std::string codifier::expected_statement(const clang::Stmt& of) {
  const auto whole = text_.range_of(of.getSourceRange());
  if (!whole || !of.getBeginLoc().isMacroID() || sources_.isMacroArgExpansion(of.getBeginLoc())) return "";
  const std::string text = text_.original(*whole), name = text.substr(0, text.find('('));
  if (name.find("THROW") == std::string::npos && name.find("FATAL_FAILURE") == std::string::npos) return "";
  const std::string ran = text_.text(first_argument(*whole, text));
  const bool has_to_pass = name.find("NO") != std::string::npos;
  return has_to_pass ? ran + ';' : "try { " + ran + "; } catch (...) {}";
}

std::string codifier::statement(const clang::Stmt& of) {
  if (std::string expected = expected_statement(of); !expected.empty()) return expected;
  std::string made = text_of(of);
  if (!made.ends_with(';') && !made.ends_with('}')) made += ';';
  if (clang::isa<clang::Expr>(of) && made.ends_with('}')) made += ';';
  // The function is called with other inputs each time.
  if (clang::isa<clang::DeclStmt>(of)) {
    if (made.starts_with("static ")) made.erase(0, 7);
    if (made.starts_with("constexpr ") && has_word(made, made_.given)) made.replace(0, 9, "const");
  }
  return made;
}

void codifier::emit(const std::vector<piece>& pieces, int depth, bool in_loop) {
  for (const piece& each : pieces) {
    if (!each.is_needed) continue;
    switch (each.how) {
      case piece::kind::statement:
        line(depth, statement(*each.of));
        break;
      case piece::kind::assertion:
        emit_assertion(assertion_of(each), depth);
        break;
      case piece::kind::block:
        line(depth, "{");
        emit(each.inside, depth + 1, in_loop);
        line(depth, "}");
        break;
      case piece::kind::lifted:
        emit_lifted(each, depth, in_loop);
        break;
      case piece::kind::controlled:
        emit_controlled(each, depth, in_loop);
        break;
      case piece::kind::target:
        if (now_ + 1 < levels_.size())
          emit_call(depth, in_loop);
        else
          emit_target(depth, in_loop);
        break;
    }
  }
}

void codifier::emit_lifted(const piece& of, int depth, bool in_loop) {
  const clang::VarDecl& variable = *variable_of_loop(*of.of);
  const auto type = input_type_of(variable.getType(), context_);
  std::vector<std::string> lines;
  if (const auto input = lifted_.find(of.of); input != lifted_.end()) declare(variable, *type, input->second, lines);
  line(depth, "{");
  for (const std::string& each : lines) line(depth + 1, each);
  emit(of.inside, depth + 1, in_loop);
  line(depth, "}");
}

void codifier::emit_controlled(const piece& of, int depth, bool in_loop) {
  clang::SourceLocation end;
  bool is_loop = true;
  if (const auto* const condition = clang::dyn_cast<clang::IfStmt>(of.of)) {
    end = condition->getRParenLoc();
    is_loop = false;
  } else if (const auto* const loop = clang::dyn_cast<clang::ForStmt>(of.of)) {
    end = loop->getRParenLoc();
  } else if (const auto* const again = clang::dyn_cast<clang::WhileStmt>(of.of)) {
    end = again->getRParenLoc();
  } else {
    end = clang::cast<clang::CXXForRangeStmt>(of.of)->getRParenLoc();
  }
  const auto where = text_.range_of({of.of->getBeginLoc(), end});
  if (!where) {
    made_.refused = "a part of it is written by a macro";
    return;
  }
  line(depth, text_.text(*where) + " {");
  emit(of.inside, depth + 1, in_loop || is_loop);
  if (std::ranges::any_of(of.otherwise, &piece::is_needed)) {
    line(depth, "} else {");
    emit(of.otherwise, depth + 1, in_loop);
  }
  line(depth, "}");
  if (!is_loop && !is_in_loop_ && has_target(of)) line(depth, "return {};");
}

bool codifier::has_target(const piece& of) {
  const auto is_one = [](const piece& each) { return each.how == piece::kind::target || has_target(each); };
  return std::ranges::any_of(of.inside, is_one) || std::ranges::any_of(of.otherwise, is_one);
}

void codifier::emit_call(int depth, bool in_loop) {
  const level& inner = levels_[now_ + 1];
  std::vector<std::string> lines;
  const auto is_parameter = [&](const std::string& text) {
    return std::ranges::any_of(inner.function->parameters(), [&](const clang::ParmVarDecl* each) {
      return !each->getName().empty() && has_word(text, each->getNameAsString());
    });
  };
  for (unsigned i = 0; i < inner.function->getNumParams(); ++i) {
    const clang::ParmVarDecl* const each = inner.function->getParamDecl(i);
    if (!inner.kept.needed.contains(each)) continue;
    const clang::Expr* const given =
        i < inner.arguments.size() && !clang::isa<clang::CXXDefaultArgExpr>(inner.arguments[i]) ? inner.arguments[i]
                                                                                                : each->getDefaultArg();
    const auto type = each->getTypeSourceInfo() != nullptr
                          ? text_.range_of(each->getTypeSourceInfo()->getTypeLoc().getSourceRange())
                          : std::nullopt;
    if (given == nullptr || !type) {
      made_.refused = "a parameter of its helper cannot be written";
      return;
    }
    std::string written_type = text_.original(*type);
    if (each->getType().getNonReferenceType().isConstQualified() && written_type.find("const") == std::string::npos)
      written_type = "const " + written_type;
    std::string value = text_of(*given);
    if (is_parameter(value)) {  // it would be itself
      const std::string name = "given_" + each->getNameAsString();
      line(depth, "auto&& " + name + " = " + value + ';');
      value = name;
    }
    lines.push_back(written_type + ' ' + each->getNameAsString() + " = " + value + ';');
  }
  line(depth, "{");
  for (const std::string& each : lines) line(depth + 1, each);
  ++now_;
  emit(levels_[now_].kept.pieces, depth + 1, in_loop);
  --now_;
  line(depth, "}");
}

bool codifier::has_effect(const clang::Expr& of) const {
  const auto written = written_by(of);
  return std::ranges::any_of(written, [&](const clang::ValueDecl* each) {
    return each == nullptr ? levels_[now_].kept.needs_fixture : levels_[now_].kept.needed.contains(each);
  });
}

void codifier::emit_assertion(const written_assertion& of, int depth) {
  now_asserted_ = of.at;
  if (!is_condition(of)) {
    for (const clang::Expr* const each : {of.left, of.right}) {
      const bool is_matcher = of.by == "matches" && each == of.right;
      if (is_matcher || !has_effect(*each)) continue;
      const bool is_call =
          clang::isa<clang::CallExpr>(bare(each)) && !clang::isa<clang::CXXOperatorCallExpr>(bare(each));
      line(depth, is_call ? side(*each) + ';' : "(void)(" + side(*each) + ");");
    }
    return;
  }
  const std::string left = side(*of.left);
  const bool has_to_be_false = of.is_negated || macro_of(of).ends_with("_FALSE");
  std::string condition = left;
  if (of.right != nullptr) condition = left + ' ' + of.by + ' ' + side(*of.right);
  if (!has_to_be_false) condition = "!(" + condition + ')';
  line(depth, "if (" + condition + ") return {};");
}

void codifier::emit_target(int depth, bool in_loop) {
  std::string call;
  now_asserted_ = target_.at;
  const std::string left = side(*target_.left);
  if (target_.right == nullptr) {
    const bool has_to_be_false = target_.is_negated || macro_of(target_).ends_with("_FALSE");
    call = std::string(has_to_be_false ? "morph::is_false(" : "morph::is_true(") + left + ')';
  } else {
    const std::string function = comparing_function(target_);
    if (target_.by == "matches") {
      const bool is_of_catch = target_.function == "handleExpr";
      call = is_of_catch ? "morph::is_true((" + side(*target_.right) + ").match(" + left + "))"
                         : "morph::is_true(testing::Value(" + left + ", " + side(*target_.right) + "))";
      made_.has_framework = true;
    } else if (function.empty()) {
      made_.refused = "it compares by '" + target_.by + "'";
      return;
    } else {
      call = "morph::" + function + '(' + left + ", " + side(*target_.right) +
             (target_.tolerance != nullptr ? ", " + side(*target_.tolerance) : "") + ')';
    }
  }
  if (!in_loop) return line(depth, "return " + call + ';');
  is_in_loop_ = true;
  line(depth, "last = " + call + ';');
  line(depth, "if (last.fails()) return last;");
}

}  // namespace morph::source::scouting
