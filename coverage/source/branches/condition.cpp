// Kinds of conditions by their syntax and types.
#include "coverage/source/branches/condition.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

namespace morph::source {
namespace {

constexpr std::size_t longest_text = 80;

bool is_number(clang::QualType type) {
  return (type->isArithmeticType() && !type->isAnyComplexType()) || type->isEnumeralType();
}

std::optional<operand_kind> string_kind(clang::QualType type) {
  type = type.getNonReferenceType();
  if (const auto* record = type->getAsCXXRecordDecl()) {
    const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    if (instance == nullptr || !instance->isInStdNamespace() || instance->getIdentifier() == nullptr) return {};
    const clang::TemplateArgument& of = instance->getTemplateArgs().get(0);
    if (of.getKind() != clang::TemplateArgument::Type || !of.getAsType()->isCharType()) return {};
    if (instance->getName() == "basic_string") return operand_kind::string;
    if (instance->getName() == "basic_string_view") return operand_kind::view;
    return {};
  }
  if (type->isDependentType()) return {};
  const bool is_text = type->isPointerType()
                           ? type->getPointeeType()->isCharType()
                           : type->isArrayType() && type->getArrayElementTypeNoTypeQual()->isCharType();
  return is_text ? std::optional(operand_kind::pointer) : std::nullopt;
}

struct comparison {
  clang::BinaryOperatorKind op;
  const clang::Expr* left;
  const clang::Expr* right;
  clang::SourceLocation at;
  bool is_built_in;
};

std::optional<comparison> comparison_in(const clang::Expr& of) {
  if (const auto* plain = llvm::dyn_cast<clang::BinaryOperator>(&of)) {
    if (!plain->isComparisonOp() || plain->getOpcode() == clang::BO_Cmp) return {};
    return comparison{plain->getOpcode(), plain->getLHS(), plain->getRHS(), plain->getOperatorLoc(), true};
  }
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(&of)) {
    const auto form = rewritten->getDecomposedForm();
    if (form.Opcode != clang::BO_EQ && form.Opcode != clang::BO_NE) return {};
    return comparison{form.Opcode, form.LHS, form.RHS, rewritten->getOperatorLoc(), false};
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&of)) {
    const auto op = call->getOperator();
    if ((op != clang::OO_EqualEqual && op != clang::OO_ExclaimEqual) || call->getNumArgs() != 2) return {};
    return comparison{op == clang::OO_EqualEqual ? clang::BO_EQ : clang::BO_NE, call->getArg(0), call->getArg(1),
                      call->getOperatorLoc(), false};
  }
  return {};
}

/// As it is spelled, without what the compiler adds.
const clang::Expr& spelled(const clang::Expr& of) {
  return *of.IgnoreUnlessSpelledInSource();
}

class describer_of_site {
 public:
  describer_of_site(const decision& of, const clang::ASTContext& context, const written_file& file)
      : of_(of), context_(context), file_(file) {}

  described_site described() {
    if (const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(of_.terminator)) {
      loop(*range);
    } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(of_.terminator)) {
      switched(*choice);
    } else if (llvm::isa<clang::BinaryConditionalOperator>(of_.terminator)) {
      unseen(of_.terminator->getSourceRange(), "?: without a middle");
    } else if (const auto* variable = declared_variable()) {
      declared(*variable);
    } else {
      condition();
    }
    return std::move(made_);
  }

 private:
  const clang::VarDecl* declared_variable() const {
    // A part of a condition that declares a variable is no declaration: its terminator is the `&&` or `||`.
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(of_.terminator)) return branch->getConditionVariable();
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(of_.terminator)) return loop->getConditionVariable();
    if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(of_.terminator)) return counted->getConditionVariable();
    return nullptr;
  }

  void place(byte_range at) {
    branch_site& site = made_.site;
    site.range = at;
    site.line = file_.line(at.begin);
    site.text = file_.text(at, longest_text);
  }

  /// Where it stands, macros included: it is not rewritten there.
  void place_around(clang::SourceRange at) {
    place(file_.surroundings(at).value_or(byte_range{of_.function_begin, of_.function_begin}));
  }

  void unseen(clang::SourceRange at, const char* why) {
    made_.site.kind = site_kind::unseen;
    made_.site.why = why;
    place_around(at);
  }

  /// False if it cannot be: then the site is unseen.
  bool place_or_unseen(clang::SourceRange at) {
    const auto found = file_.range(at);
    if (found) {
      place(*found);
    } else {
      const bool is_macro = at.getBegin().isMacroID() || at.getEnd().isMacroID();
      unseen(at, is_macro ? "part of a macro" : "across files or lines of preprocessing");
    }
    return found.has_value();
  }

  void loop(const clang::CXXForRangeStmt& of) {
    const clang::SourceRange head(of.getForLoc(), of.getRParenLoc());
    made_.site.body = behind_brace(of.getBody());
    if (made_.site.body == 0) return unseen(head, "body without braces");
    made_.site.kind = site_kind::loop;
    place_around(head);
  }

  std::uint32_t behind_brace(const clang::Stmt* of) const {
    const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(of);
    return block == nullptr ? 0 : file_.behind(block->getLBracLoc());
  }

  void switched(const clang::SwitchStmt& of) {
    if (of.getConditionVariable() != nullptr)
      return unseen(of.getConditionVariable()->getSourceRange(), "declares what it switches on");
    const clang::Expr& value = spelled(*of.getCond());
    if (!place_or_unseen(value.getSourceRange())) return;
    if (value.isTypeDependent()) return unseen(value.getSourceRange(), "type depends on a template");
    const clang::QualType type = value.getType();
    if (!type->isIntegralOrEnumerationType()) return unseen(value.getSourceRange(), "class that is converted");
    made_.site.kind = site_kind::choice;
    for (const clang::SwitchCase* each = of.getSwitchCaseList(); each != nullptr; each = each->getNextSwitchCase())
      made_.site.has_default = made_.site.has_default || llvm::isa<clang::DefaultStmt>(each);
    for (const clang::CaseStmt* each : cases_of(of)) {
      const clang::Expr& label = *each->getLHS();
      if (each->getRHS() != nullptr) return unseen(value.getSourceRange(), "range of cases");
      if (label.isValueDependent()) return unseen(value.getSourceRange(), "case depends on a template");
      const auto number = label.EvaluateKnownConstInt(context_);
      llvm::SmallString<24> digits;
      number.toString(digits, 10);
      const auto where = file_.surroundings(label.getSourceRange());
      made_.site.cases.emplace_back(digits.str().str(), where ? file_.text(*where, longest_text) : digits.str().str());
    }
  }

  void declared(const clang::VarDecl& variable) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(of_.terminator);
    if (branch == nullptr) return unseen(variable.getSourceRange(), "loop that declares its condition");
    made_.site.then = behind_brace(branch->getThen());
    if (made_.site.then == 0) return unseen(variable.getSourceRange(), "declares its condition; no braces");
    made_.site.otherwise = behind_brace(branch->getElse());
    made_.site.kind = site_kind::declared;
    place_around(variable.getSourceRange());
  }

  void condition() {
    const clang::Expr* const whole = &spelled(*of_.condition);
    // Under `!` a comparison has a distance, its negation has none.
    const clang::Expr* inner = whole;
    bool is_negated = false;
    for (const auto* no = llvm::dyn_cast<clang::UnaryOperator>(inner);
         no != nullptr && no->getOpcode() == clang::UO_LNot; no = llvm::dyn_cast<clang::UnaryOperator>(inner)) {
      inner = &spelled(*no->getSubExpr());
      is_negated = !is_negated;
    }
    if (compared(*inner)) {
      made_.is_negated = is_negated;
      return;
    }
    made_.site = {};
    // Parentheses may be what makes it the whole of a macro.
    const bool is_bare = file_.range(whole->getSourceRange()).has_value();
    if (place_or_unseen((is_bare ? whole : of_.condition)->getSourceRange())) made_.site.kind = site_kind::truth;
  }

  bool compared(const clang::Expr& of) {
    const auto found = comparison_in(of);
    if (!found || of.isTypeDependent() || found->left->isTypeDependent() || found->right->isTypeDependent())
      return false;
    const clang::QualType left_type = spelled(*found->left).getType(), right_type = spelled(*found->right).getType();
    branch_site& site = made_.site;
    if (found->is_built_in) {
      for (const clang::QualType type : {found->left->getType(), found->right->getType(), left_type, right_type})
        if (!is_number(type)) return false;
      site.kind = site_kind::compare;
    } else {
      const auto left_kind = string_kind(left_type), right_kind = string_kind(right_type);
      if (!left_kind || !right_kind) return false;
      if (left_kind == operand_kind::pointer && right_kind == operand_kind::pointer) return false;
      site.kind = site_kind::text;
      site.left_kind = *left_kind;
      site.right_kind = *right_kind;
    }
    // Not `spelled`: parentheses around an operand are its.
    const auto whole = file_.range(of.getSourceRange());
    const auto left = file_.range(found->left->getSourceRange()), right = file_.range(found->right->getSourceRange());
    const std::uint32_t behind_op = file_.behind(found->at);
    if (!whole || !left || !right || behind_op == 0) return false;
    const auto op = clang::BinaryOperator::getOpcodeStr(found->op);
    const auto op_range = file_.range(found->at);
    if (!op_range || left->end > op_range->begin || op_range->end > right->begin) return false;
    place(*whole);
    site.op = op.str();
    site.left = *left;
    site.right = *right;
    site.op_range = *op_range;
    return true;
  }

  const decision& of_;
  const clang::ASTContext& context_;
  const written_file& file_;
  described_site made_;
};

}  // namespace

described_site describe_site(const decision& of, const clang::ASTContext& context, const written_file& file) {
  return describer_of_site(of, context, file).described();
}

std::vector<const clang::CaseStmt*> cases_of(const clang::SwitchStmt& of) {
  std::vector<const clang::CaseStmt*> found;
  for (const clang::SwitchCase* each = of.getSwitchCaseList(); each != nullptr; each = each->getNextSwitchCase())
    if (const auto* one = llvm::dyn_cast<clang::CaseStmt>(each)) found.push_back(one);
  std::ranges::reverse(found);  // Clang has the last first
  return found;
}

}  // namespace morph::source
