// From the slice of an assertion to code: inputs for constants, guards for assertions, a comparison for the target.
#include "coverage/source/scout/codify.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "coverage/source/clang/walk.hpp"
#include "coverage/source/scout/constants.hpp"
#include "coverage/source/scout/edited_text.hpp"
#include "coverage/source/scout/slice.hpp"
#include "coverage/source/scout/used.hpp"

namespace morph::source::scouting {
namespace {

constexpr std::size_t most_inputs = 10;

/// Such values stand for nothing in particular: equal ones need not be one input.
bool is_trivial(const std::string& text) {
  static const std::set<std::string> known{"0", "1", "2", "-1", "0u", "1u", "0U", "1U", "0.0", "1.0", "true", "false", "\"\""};
  return known.contains(text);
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_letter = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
  return false;
}

/// The comparison's function in <morph/comparison.hpp>.
std::string comparing_function(const written_assertion& of) {
  const bool is_text = of.function.find("STR") != std::string::npos;
  if (is_text) return of.by == "!=" ? "is_other_text" : of.by == "==" ? "is_same_text" : "";
  if (of.function == "CmpHelperFloatingPointEQ") return "is_almost";
  static const std::map<std::string, std::string> known{{"==", "is_equal"},    {"!=", "is_unequal"}, {"<", "is_less"},
                                                        {"<=", "is_at_most"},  {">", "is_more"},     {">=", "is_at_least"},
                                                        {"near", "is_near"}};
  const auto found = known.find(of.by);
  return found != known.end() ? found->second : "";
}

/// A function, from the test or a helper to the one that has the assertion.
struct level {
  const clang::FunctionDecl* function = nullptr;
  const clang::CallExpr* call = nullptr;  // of it, in the level before
  std::vector<const clang::Expr*> arguments{};
  clang::FileID file{};
  slice kept{};
};

class codifier {
 public:
  /// Of the last `count` functions that lead to the assertion.
  codifier(const found_relation& of, const std::vector<frame>& frames, std::size_t count, const reader& reading,
           const section_path& path, clang::ASTContext& context)
      : of_(of), reading_(reading), path_(path), context_(context), sources_(context.getSourceManager()),
        text_(sources_, context.getLangOpts()) {
    for (std::size_t i = frames.size() - count; i < frames.size(); ++i)
      levels_.push_back({.function = frames[i].function, .call = frames[i].call, .arguments = frames[i].arguments});
  }

  codified make() {
    const auto asserted = reading_.assertions().find(of_.at);
    if (asserted == reading_.assertions().end()) return refuse("its assertion is of another kind");
    target_ = asserted->second;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      level& each = levels_[i];
      const auto body = text_.range_of(each.function->getBody()->getSourceRange());
      if (!body) return refuse("a macro has written a function that leads to it");
      each.file = body->file;
      const slice_target target{of_.at, i + 1 < levels_.size() ? levels_[i + 1].call : nullptr};
      each.kept = slice_of(*each.function, target, path_, reading_.assertions(), context_);
      if (!each.kept.has_target) return refuse("its assertion stands inside of another statement");
      if (each.kept.needs_fixture && !find_fixture(*each.function))
        return refuse("it uses members of a class that is no fixture");
      now_ = i;
      collect_code(each.kept.pieces);
      if (i + 1 < levels_.size())
        for (const clang::Expr* const one : levels_[i + 1].arguments) add_side(one);
    }
    for (const clang::Expr* const each : {target_.left, target_.right, target_.tolerance}) add_side(each, true);
    made_.given = is_said("in") ? "given" : "in";
    if (!lift_parameters()) return std::move(made_);
    for (const level& each : levels_) lift_loops(each.kept.pieces);
    lift_constants();
    if (made_.inputs.empty()) return refuse("it has no input that could be another: neither a literal nor a parameter");
    for (now_ = 0; now_ < levels_.size(); ++now_) bind_types(*levels_[now_].function);
    now_ = 0;
    emit(levels_[0].kept.pieces, 0, false);
    if (is_in_loop_) {
      made_.lines.insert(made_.lines.begin(), "morph::comparison last;");
      made_.lines.emplace_back("return last;");
    }
    made_.lines.insert(made_.lines.begin(), prologue_.begin(), prologue_.end());
    if (!made_.refused.empty()) return std::move(made_);
    std::vector<const clang::Stmt*> all;
    for (const code_part& each : code_) all.push_back(each.of);
    const used_declarations used = used_by(all, types_, context_);
    if (!used.refused.empty()) return refuse(used.refused);
    made_.uses = used.of_source;
    made_.has_framework |= used.has_framework || !made_.fixture.empty();
    made_.scopes = scopes_of(*levels_[0].function->getCanonicalDecl());
    return std::move(made_);
  }

 private:
  struct code_part {
    const clang::Stmt* of = nullptr;
    std::size_t level = 0;
    bool has_inputs = true;     // constants in it may be inputs
    bool is_asserted = false;   // these, only where they are inputs elsewhere
  };

  codified refuse(std::string why) {
    codified none;
    none.refused = std::move(why);
    return none;
  }

  // ---- where it stands

  /// A test's class is made by a macro, and derived from what the user wrote.
  bool find_fixture(const clang::FunctionDecl& function) {
    const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
    if (method == nullptr) return false;
    clang::QualType type = method->getThisType()->getPointeeType();
    if (method->getParent()->getBeginLoc().isMacroID()) {
      if (method->getParent()->getNumBases() == 0) return false;
      type = method->getParent()->bases_begin()->getType();
    }
    const clang::CXXRecordDecl* const around = type->getAsCXXRecordDecl();
    if (around == nullptr || around->getQualifiedNameAsString().starts_with("testing::")) return false;
    if (!made_.fixture.empty()) return true;
    made_.fixture = name_of(type);
    made_.is_fixture_of_gtest = is_of_gtest(*around);
    types_.push_back(around);
    return true;
  }

  static bool is_of_gtest(const clang::CXXRecordDecl& of) {
    if (of.getQualifiedNameAsString() == "testing::Test") return true;
    return of.hasDefinition() && std::ranges::any_of(of.bases(), [](const clang::CXXBaseSpecifier& each) {
             const auto* const base = each.getType()->getAsCXXRecordDecl();
             return base != nullptr && is_of_gtest(*base);
           });
  }

  std::string name_of(clang::QualType type) const {
    clang::PrintingPolicy policy(context_.getLangOpts());
    policy.SuppressUnwrittenScope = true;
    policy.SuppressTagKeyword = true;
    policy.Bool = true;
    return type.getCanonicalType().getUnqualifiedType().getAsString(policy);
  }

  /// Names of a template's parameters, and of what a typed test has for them.
  void bind_types(const clang::FunctionDecl& function) {
    const auto bind = [&](const clang::TemplateParameterList& names, const clang::TemplateArgumentList& values) {
      for (unsigned i = 0; i < names.size() && i < values.size(); ++i) {
        if (values[i].getKind() != clang::TemplateArgument::Type) continue;
        std::string name = names.getParam(i)->getNameAsString();
        if (name == "gtest_TypeParam_") name = "TypeParam";
        if (name.empty() || !is_said(name)) continue;
        if (!bound_.insert(name).second) continue;
        prologue_.push_back("using " + name + " = " + name_of(values[i].getAsType()) + ';');
        if (const auto* const tag = values[i].getAsType()->getAsTagDecl()) types_.push_back(tag);
      }
    };
    if (const auto* const pattern = function.getTemplateInstantiationPattern();
        pattern != nullptr && function.getTemplateSpecializationArgs() != nullptr &&
        pattern->getDescribedFunctionTemplate() != nullptr)
      bind(*pattern->getDescribedFunctionTemplate()->getTemplateParameters(), *function.getTemplateSpecializationArgs());
    if (const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&function))
      if (const auto* const instance = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(method->getParent()))
        bind(*instance->getSpecializedTemplate()->getTemplateParameters(), instance->getTemplateArgs());
  }

  bool is_said(const std::string& word) const {
    return std::ranges::any_of(code_, [&](const code_part& each) {
      const auto where = text_.range_of(each.of->getSourceRange());
      return where && has_word(text_.original(*where), word);
    });
  }

  // ---- what is kept

  void collect_code(std::vector<piece>& of) {
    for (piece& each : of) {
      if (each.how == piece::kind::assertion && !each.is_needed) each.is_needed = is_guard(each);
      if (!each.is_needed) continue;
      if (each.how == piece::kind::statement) code_.push_back({each.of, now_});
      if (each.how == piece::kind::assertion) {
        const written_assertion& asserted = assertion_of(each);
        add_side(asserted.left, true);
        add_side(asserted.right, true);
      }
      if (each.how == piece::kind::controlled)
        for (const clang::Stmt* const part : each.of->children())
          if (part != nullptr && clang::isa<clang::Expr, clang::DeclStmt>(part)) code_.push_back({part, now_, false});
      collect_code(each.inside);
      collect_code(each.otherwise);
    }
  }

  void add_side(const clang::Expr* of, bool is_asserted = false) {
    if (of != nullptr) code_.push_back({of, now_, true, is_asserted});
  }

  const written_assertion& assertion_of(const piece& of) const {
    return reading_.assertions().at(sources_.getExpansionLoc(of.of->getBeginLoc()));
  }

  std::string macro_of(const written_assertion& of) const {
    return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(of.at, of.at), sources_, context_.getLangOpts()).str();
  }

  /// What has to be true before a test goes on, of values that the relation is about.
  bool is_guard(const piece& of) const {
    const written_assertion& asserted = assertion_of(of);
    const std::string macro = macro_of(asserted);
    const bool stops = macro.find("ASSERT") != std::string::npos || macro.find("REQUIRE") != std::string::npos;
    if (!stops || !is_condition(asserted)) return false;
    auto read = read_by(*asserted.left);
    if (asserted.right != nullptr) read.merge(read_by(*asserted.right));
    return !read.empty() && std::ranges::all_of(read, [&](const auto* each) { return levels_[now_].kept.needed.contains(each); });
  }

  static bool is_null(const clang::Expr* of) {
    return clang::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(bare(of));
  }
  bool is_condition(const written_assertion& of) const {
    return of.right == nullptr || is_null(of.left) || is_null(of.right);
  }

  // ---- inputs

  std::string add_input(std::string name, const input_type& type, std::vector<std::string> examples) {
    while (name.ends_with('_')) name.pop_back();
    if (name.starts_with('_')) name.clear();  // of a library
    if (name.empty()) name = "value";
    const std::string base = name;
    for (int i = 2; std::ranges::find(made_.inputs, name, &codified_input::name) != made_.inputs.end(); ++i)
      name = base + std::to_string(i);
    made_.inputs.push_back({name, type.name, std::move(examples)});
    return made_.given + '.' + name;
  }

  void declare(const clang::VarDecl& variable, const input_type& type, const std::string& input, std::vector<std::string>& to) const {
    const std::string name = variable.getNameAsString();
    if (type.how == input_type::access::itself)
      to.push_back((variable.getType().getNonReferenceType().isConstQualified() ? "const auto " : "auto ") + name + " = " + input + ';');
    else
      to.push_back((type.how == input_type::access::pointer ? "const char* " : "std::string_view ") + name + " = " + input +
                   (type.how == input_type::access::pointer ? ".c_str();" : ";"));
  }

  /// Of the outermost function; those of the others have what they are called with.
  bool lift_parameters() {
    const clang::FunctionDecl& function = *levels_[0].function;
    for (unsigned i = 0; i < function.getNumParams(); ++i) {
      const clang::ParmVarDecl* const each = function.getParamDecl(i);
      if (!levels_[0].kept.needed.contains(each)) continue;
      const auto type = input_type_of(each->getType(), context_);
      if (!type) {
        made_ = refuse("its helper takes a '" + name_of(each->getType().getNonReferenceType()) + "'");
        return false;
      }
      std::vector<std::string> examples;
      if (i < levels_[0].arguments.size()) examples = examples_of(*levels_[0].arguments[i]);
      declare(*each, *type, add_input(each->getNameAsString(), *type, std::move(examples)), prologue_);
    }
    return lift_test_parameter();
  }

  /// A round is as good as all others: what the loop gives it is an input.
  void lift_loops(const std::vector<piece>& in) {
    for (const piece& each : in) {
      if (each.how == piece::kind::lifted) {
        const clang::VarDecl& variable = *variable_of_loop(*each.of);
        if (std::ranges::any_of(levels_, [&](const level& one) { return one.kept.needed.contains(&variable); }))
          lifted_[each.of] = add_input(variable.getNameAsString(), *input_type_of(variable.getType(), context_), rounds_of(*each.of));
      }
      lift_loops(each.inside);
    }
  }

  /// Elements of a written list; of a counter where it begins, and where it ends if that is known.
  std::vector<std::string> rounds_of(const clang::Stmt& loop) const {
    std::vector<std::string> made;
    if (const auto* const range = clang::dyn_cast<clang::CXXForRangeStmt>(&loop)) {
      const clang::Expr* table = bare(range->getRangeInit());
      if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(table))
        if (const auto* const variable = clang::dyn_cast<clang::VarDecl>(name->getDecl()); variable != nullptr && variable->getInit() != nullptr)
          table = bare(variable->getInit());
      walk(table, {.statement =
                       [&](const clang::Stmt& each) {
                         const auto* list = clang::dyn_cast<clang::InitListExpr>(&each);
                         if (list == nullptr || !made.empty()) return true;
                         if (!list->isSemanticForm()) list = list->getSemanticForm();
                         for (const clang::Expr* const one : list->inits())
                           for (std::string& text : examples_of(*one)) made.push_back(std::move(text));
                         return true;
                       },
                   .implicit_code = true});
      return made;
    }
    const auto number = [&](const clang::Expr* of) -> std::optional<std::int64_t> {
      clang::Expr::EvalResult known;
      if (of == nullptr || of->isValueDependent() || !of->EvaluateAsRValue(known, context_) || !known.Val.isInt() ||
          !known.Val.getInt().isRepresentableByInt64())
        return std::nullopt;
      return known.Val.getInt().getExtValue();
    };
    const auto& counting = clang::cast<clang::ForStmt>(loop);
    const auto begin = number(variable_of_loop(loop)->getInit());
    const auto* const ends = counting.getCond() != nullptr ? clang::dyn_cast<clang::BinaryOperator>(bare(counting.getCond())) : nullptr;
    if (!begin) return made;
    made.push_back(std::to_string(*begin));
    const std::int64_t end = ends != nullptr && ends->isRelationalOp() ? number(ends->getRHS()).value_or(*begin) : *begin;
    if (end > *begin + 1)
      for (const std::int64_t each : {*begin + 1, *begin + (end - *begin) / 2, end - 1}) made.push_back(std::to_string(each));
    return made;
  }

  /// GetParam() of TEST_P.
  bool lift_test_parameter() {
    std::string input;
    bool is_refused = false;
    for (const code_part& each : code_)
      walk(each.of, {.statement = [&](const clang::Stmt& one) {
             const auto* const call = clang::dyn_cast<clang::CallExpr>(&one);
             const auto* const callee = call != nullptr ? call->getDirectCallee() : nullptr;
             if (callee == nullptr || callee->getIdentifier() == nullptr || callee->getName() != "GetParam") return true;
             const auto type = input_type_of(call->getType(), context_);
             const auto where = text_.range_of(call->getSourceRange());
             if (!type || !where) {
               is_refused = true;
               return true;
             }
             if (input.empty()) input = add_input("parameter", *type, {});
             text_.replace(*where, written(*type, input));
             return true;
           }});
    if (is_refused) made_ = refuse("the parameter of its test is of a type that no values are known of");
    return !is_refused;
  }

  /// A constant, or a variable that is declared with one.
  std::vector<std::string> examples_of(const clang::Expr& of) const {
    std::vector<std::string> made;
    if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(bare(&of)))
      if (const auto* const variable = clang::dyn_cast<clang::VarDecl>(name->getDecl());
          variable != nullptr && variable->getInit() != nullptr && !clang::isa<clang::DeclRefExpr>(bare(variable->getInit()))) {
        find_constants(variable->getInit(), context_, text_, [&](const found_constant& each) { made.push_back(each.text); });
        if (made.size() > 1) made.clear();
        return made;
      }
    const auto whole = text_.range_of(of.getSourceRange());
    find_constants(&of, context_, text_, [&](const found_constant& each) {
      if (whole && each.where.begin == whole->begin && each.where.end == whole->end) made.push_back(each.text);
    });
    return made;
  }

  /// Constants up to the first call are inputs; later ones only where they are the same as one before.
  void lift_constants() {
    const auto limit = end_of_first_call();
    std::vector<found_constant> sources, later;
    std::set<std::pair<clang::FileID, unsigned>> seen;
    for (const code_part& each : code_)
      find_constants(each.has_inputs ? each.of : nullptr, context_, text_, [&](const found_constant& one) {
        if (!seen.insert({one.where.file, one.where.begin}).second || one.where.file != levels_[each.level].file) return;
        const bool is_source = !each.is_asserted && std::pair(each.level, one.where.begin) < limit;
        (is_source ? sources : later).push_back(one);
      });
    // Where all is in one expression, what the first call is given stands in the assertion.
    const bool is_in_assertion = sources.empty() && made_.inputs.empty();
    if (is_in_assertion) {
      for (const found_constant& each : later)
        if (std::pair(levels_.size() - 1, each.where.begin) < limit) sources.push_back(each);
      std::erase_if(later, [&](const found_constant& each) { return std::pair(levels_.size() - 1, each.where.begin) < limit; });
    }
    const auto key = [](const found_constant& of) { return std::pair(of.text, of.type.name); };
    std::map<std::pair<std::string, std::string>, std::string> shared;
    for (const found_constant& each : later)
      if (!is_trivial(each.text)) shared.try_emplace(key(each), "");
    std::map<std::string, std::set<input_type::access>> taken;
    for (const std::vector<found_constant>* const part : {&sources, &later})
      for (const found_constant& each : *part) {
        const auto same = shared.find(key(each));
        if (part == &later && (same == shared.end() || same->second.empty())) continue;
        std::string input = same != shared.end() ? same->second : "";
        if (input.empty()) {
          if (made_.inputs.size() >= most_inputs) continue;
          input = add_input(each.name, each.type, {each.text});
          if (same != shared.end()) same->second = input;
        } else if (part == &later) {
          made_.shares_constants = true;
        }
        taken[input].insert(each.type.how);
        if (each.length) {
          text_.replace(each.where, input + ".data()");
          text_.replace(*each.length, input + ".size()");
        } else {
          text_.replace(each.where, each.is_in_brackets ? '(' + input + ')' : written(each.type, input));
        }
      }
    // A text of C ends at the first of these, and others do not.
    for (const auto& [input, how] : taken)
      if (how.size() > 1 && how.contains(input_type::access::pointer))
        prologue_.push_back("if (" + input + ".find('\\0') != std::string::npos) return {};");
  }

  /// The level, and the place in its file.
  std::pair<std::size_t, unsigned> end_of_first_call() const {
    const invocation& first = reading_.terms().call(of_.between.first);
    const auto site = first.site != nullptr ? text_.range_of(first.site->getSourceRange()) : std::nullopt;
    for (std::size_t i = 0; i < levels_.size() && site; ++i)
      if (const auto body = text_.range_of(levels_[i].function->getBody()->getSourceRange()); body && body->contains(*site))
        return {i, site->end};
    return {levels_.size() - 1, sources_.getFileOffset(of_.at)};
  }

  // ---- text

  void line(int depth, const std::string& text) {
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

  std::string text_of(const clang::Stmt& of) {
    const auto where = text_.range_of(of.getSourceRange());
    if (!where) {
      made_.refused = "a part of it is written by a macro";
      return "";
    }
    return text_.text(*where);
  }

  /// Of an assertion: written in its own brackets, and not by the macro.
  std::string side(const clang::Expr& of) {
    const auto where = text_.range_of(of.getSourceRange());
    const clang::SourceLocation macro = now_asserted_;
    if (!where || (where->file == sources_.getFileID(macro) && where->begin == sources_.getFileOffset(macro))) {
      made_.refused = "its assertion is written by a macro of the project";
      return "";
    }
    return text_.text(*where);
  }

  /// Of a macro's call.
  static text_range first_argument(const text_range& call, const std::string& text) {
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

  /// EXPECT_NO_THROW(...), CHECK_THROWS_AS(..., ...): what they run.
  std::string expected_statement(const clang::Stmt& of) {
    const auto whole = text_.range_of(of.getSourceRange());
    if (!whole || !of.getBeginLoc().isMacroID() || sources_.isMacroArgExpansion(of.getBeginLoc())) return "";
    const std::string text = text_.original(*whole), name = text.substr(0, text.find('('));
    if (name.find("THROW") == std::string::npos && name.find("FATAL_FAILURE") == std::string::npos) return "";
    const std::string ran = text_.text(first_argument(*whole, text));
    const bool has_to_pass = name.find("NO") != std::string::npos;
    return has_to_pass ? ran + ';' : "try { " + ran + "; } catch (...) {}";
  }

  std::string statement(const clang::Stmt& of) {
    if (std::string expected = expected_statement(of); !expected.empty()) return expected;
    std::string made = text_of(of);
    if (clang::isa<clang::Expr>(of)) made += ';';
    // The function is called with other inputs each time.
    if (clang::isa<clang::DeclStmt>(of)) {
      if (made.starts_with("static ")) made.erase(0, 7);
      if (made.starts_with("constexpr ") && has_word(made, made_.given)) made.replace(0, 9, "const");
    }
    return made;
  }

  void emit(const std::vector<piece>& pieces, int depth, bool in_loop) {
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

  void emit_lifted(const piece& of, int depth, bool in_loop) {
    const clang::VarDecl& variable = *variable_of_loop(*of.of);
    const auto type = input_type_of(variable.getType(), context_);
    std::vector<std::string> lines;
    if (const auto input = lifted_.find(of.of); input != lifted_.end()) declare(variable, *type, input->second, lines);
    line(depth, "{");
    for (const std::string& each : lines) line(depth + 1, each);
    emit(of.inside, depth + 1, in_loop);
    line(depth, "}");
  }

  void emit_controlled(const piece& of, int depth, bool in_loop) {
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

  static bool has_target(const piece& of) {
    const auto is_one = [](const piece& each) { return each.how == piece::kind::target || has_target(each); };
    return std::ranges::any_of(of.inside, is_one) || std::ranges::any_of(of.otherwise, is_one);
  }

  /// The helper's parameters with what it is called with, and its code.
  void emit_call(int depth, bool in_loop) {
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
      const clang::Expr* const given = i < inner.arguments.size() && !clang::isa<clang::CXXDefaultArgExpr>(inner.arguments[i])
                                           ? inner.arguments[i]
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

  /// What calls nothing has no effect.
  static bool has_effect(const clang::Expr& of) {
    bool made = false;
    walk(&of, {.statement = [&](const clang::Stmt& each) {
           made |= clang::isa<clang::CallExpr, clang::CXXConstructExpr>(each);
           return true;
         }});
    return made;
  }

  void emit_assertion(const written_assertion& of, int depth) {
    now_asserted_ = of.at;
    if (!is_condition(of)) {
      for (const clang::Expr* const each : {of.left, of.right})
        if (has_effect(*each) && of.by != "matches") line(depth, "(void)(" + side(*each) + ");");
      if (of.by == "matches" && has_effect(*of.left)) line(depth, "(void)(" + side(*of.left) + ");");
      return;
    }
    const std::string left = side(*of.left);
    const bool has_to_be_false = of.is_negated || macro_of(of).ends_with("_FALSE");
    std::string condition = left;
    if (of.right != nullptr) condition = left + ' ' + of.by + ' ' + side(*of.right);
    if (!has_to_be_false) condition = "!(" + condition + ')';
    line(depth, "if (" + condition + ") return {};");
  }

  void emit_target(int depth, bool in_loop) {
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
        call = "morph::" + function + '(' + left + ", " + side(*target_.right) + (target_.tolerance != nullptr ? ", " + side(*target_.tolerance) : "") + ')';
      }
    }
    if (!in_loop) return line(depth, "return " + call + ';');
    is_in_loop_ = true;
    line(depth, "last = " + call + ';');
    line(depth, "if (last.fails()) return last;");
  }

  const found_relation& of_;
  const reader& reading_;
  const section_path& path_;
  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  edited_text text_;
  codified made_{};
  std::vector<level> levels_{};
  std::size_t now_ = 0;  // the level that is worked on
  written_assertion target_{};
  clang::SourceLocation now_asserted_{};
  std::vector<code_part> code_{};            // all that is kept
  std::vector<const clang::Decl*> types_{};  // that it needs by name
  std::set<std::string> bound_{};
  std::vector<std::string> prologue_{};
  std::map<const clang::Stmt*, std::string> lifted_{};
  bool is_in_loop_ = false;
};

/// From the test to the function whose body has the assertion.
std::vector<frame> frames_to(const found_relation& of, const clang::SourceManager& sources) {
  std::vector<frame> made;
  std::size_t count = 0;
  for (const frame& each : of.frames) {
    made.push_back(each);
    const clang::Stmt* const body = each.function->getBody();
    if (body == nullptr) continue;
    const auto begin = sources.getExpansionLoc(body->getBeginLoc()), end = sources.getExpansionRange(body->getEndLoc()).getEnd();
    if (!sources.isBeforeInTranslationUnit(of.at, begin) && !sources.isBeforeInTranslationUnit(end, of.at)) count = made.size();
  }
  made.resize(count);
  return made;
}

bool is_lambda(const frame& of) {
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(of.function);
  return method != nullptr && method->getParent()->isLambda();
}

}  // namespace

codified codify(const found_relation& of, const reader& reading, const section_path& path, clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  const std::vector<frame> frames = frames_to(of, sources);
  if (frames.empty()) return {.refused = "its assertion stands in a macro"};
  // As few functions as have the first call, and can be given values.
  const invocation& first = reading.terms().call(of.between.first);
  const edited_text text(sources, context.getLangOpts());
  const auto site = first.site != nullptr ? text.range_of(first.site->getSourceRange()) : std::nullopt;
  std::size_t least = 1;
  for (std::size_t count = 1; count <= frames.size() && site; ++count) {
    const auto body = text.range_of(frames[frames.size() - count].function->getBody()->getSourceRange());
    if (!body || !body->contains(*site)) continue;
    least = count;
    break;
  }
  if (std::any_of(frames.end() - static_cast<std::ptrdiff_t>(least), frames.end(), is_lambda))
    return {.refused = "its assertion stands in a lambda"};
  codified made;
  for (std::size_t count = least; count <= frames.size(); ++count) {
    if (is_lambda(frames[frames.size() - count])) return {.refused = "its assertion stands in a lambda"};
    if (count > 1 && frames[frames.size() - count + 1].call == nullptr) break;
    made = codifier(of, frames, count, reading, path, context).make();
    if (made.refused.empty()) return made;
  }
  if (made.refused.empty()) made.refused = "its helper is called by a framework";
  return made;
}

}  // namespace morph::source::scouting
