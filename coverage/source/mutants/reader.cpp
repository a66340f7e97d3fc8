// The visitor of a unit's syntax tree.
#include "coverage/source/mutants/reader.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <utility>

#include "coverage/mutation/merge.hpp"
#include "coverage/source/clang/names.hpp"
#include "coverage/source/mutants/arid.hpp"
#include "coverage/source/mutants/duplicated_functions.hpp"
#include "coverage/source/mutants/initial_value.hpp"
#include "coverage/source/mutants/operators.hpp"
#include "coverage/source/mutants/site.hpp"
#include "coverage/source/mutants/test_code.hpp"

namespace morph::source {

/// Walks over all that runs, instances of templates too, and passes by what has to stay constant or is not evaluated.
class reader : public clang::RecursiveASTVisitor<reader> {
  using base = clang::RecursiveASTVisitor<reader>;

 public:
  reader(clang::ASTContext& context, const file_choice& chosen, const std::vector<std::string>& names, bool extreme)
      : at_(context, chosen), sources_(context.getSourceManager()), tests_(context, chosen.root), extreme_(extreme) {
    for (const mutation_operator& each : operators())
      if (std::ranges::find(names, each.name) != names.end()) operators_.push_back(&each);
  }

  unit_findings run() {
    TraverseDecl(at_.context.getTranslationUnitDecl());
    unit_findings found;
    for (site::found_file& file : at_.files_) {
      mutation::put_in_order(file.places);
      found.files[file.path] = std::move(file.places);
    }
    found.left_out = std::move(at_.left_out_);
    return found;
  }

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }

  bool TraverseDecl(clang::Decl* of) {
    if (of == nullptr) return true;
    if (!llvm::isa<clang::TranslationUnitDecl>(of) && of->getLocation().isValid() &&
        sources_.isInSystemHeader(of->getLocation()))
      return true;
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(of);
    if (function == nullptr) return base::TraverseDecl(of);
    if (function->isConsteval() && !at_.at_compile_time_) {
      at_.leave_out("consteval");
      return at_compile_time([&] { return TraverseDecl(of); });
    }
    if (function->isDefaulted() || function->isDeleted() || function->isInvalidDecl()) return true;
    if (function->isThisDeclarationADefinition() && tests_.contains(*function)) return at_.leave_out("test code"), true;
    const auto saved = std::tuple(at_.function_, at_.in_instance_, at_.in_single_return_);
    at_.function_ = function;
    at_.in_instance_ = at_.in_instance_ || function->isTemplateInstantiation();
    at_.in_single_return_ = function->isConstexpr() && !at_.context.getLangOpts().CPlusPlus14;
    if (function->isThisDeclarationADefinition() && !at_.at_compile_time_) define(*function);
    const bool go_on = base::TraverseDecl(of);
    std::tie(at_.function_, at_.in_instance_, at_.in_single_return_) = saved;
    return go_on;
  }

  bool TraverseClassTemplateSpecializationDecl(clang::ClassTemplateSpecializationDecl* of) {
    const bool saved = at_.in_instance_;
    at_.in_instance_ = true;
    const bool go_on = base::TraverseClassTemplateSpecializationDecl(of);
    at_.in_instance_ = saved;
    return go_on;
  }

  bool TraverseStmt(clang::Stmt* of) {
    if (of == nullptr) return true;
    if (is_statement(*of) && is_arid(*of, at_.context)) return at_.leave_out("logging or assertion"), true;
    if (llvm::isa<clang::CoroutineSuspendExpr>(of)) return at_.leave_out("coroutine"), true;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(of)) {
      if (expression->containsErrors()) return true;
      at_.look_at(expression);
      for (const mutation_operator* each : operators_)
        if (each->at_expression != nullptr) each->at_expression(*expression, at_);
    }
    statements_within(*of);
    at_.around_.push_back(of);
    const bool go_on = base::TraverseStmt(of);
    at_.around_.pop_back();
    return go_on;
  }

  // ---- what compilers alone evaluate

  bool TraverseConstantExpr(clang::ConstantExpr* of) {
    at_.leave_out("constant");
    return at_compile_time([&] { return base::TraverseConstantExpr(of); });
  }
  /// Clang 22 asks in addition whether the qualifier of a type is to be visited; so for those below.
  bool TraverseTypeLoc(clang::TypeLoc of, auto... with_qualifier) {
    if (at_.in_instance_) return true;  // its template says the same
    return at_compile_time([&] { return base::TraverseTypeLoc(of, with_qualifier...); });
  }
  bool TraverseStaticAssertDecl(clang::StaticAssertDecl* of) {
    return at_compile_time([&] { return TraverseStmt(of->getAssertExpr()); });
  }
  bool TraverseEnumConstantDecl(clang::EnumConstantDecl* of) {
    return at_compile_time([&] { return base::TraverseEnumConstantDecl(of); });
  }
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& of) {
    return at_compile_time([&] { return base::TraverseTemplateArgumentLoc(of); });
  }
  bool TraverseCaseStmt(clang::CaseStmt* of) {
    return at_compile_time([&] { return TraverseStmt(of->getLHS()) && TraverseStmt(of->getRHS()); }) &&
           TraverseStmt(of->getSubStmt());
  }
  /// It may be called at run time, too, or not.
  bool TraverseLambdaExpr(clang::LambdaExpr* of) { return at_.at_compile_time_ || base::TraverseLambdaExpr(of); }

  // ---- what stays as it is, or is not evaluated

  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc, auto...) { return true; }
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc, auto...) { return true; }
  bool TraverseVariableArrayTypeLoc(clang::VariableArrayTypeLoc, auto...) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr*) { return true; }
  bool TraverseCXXTypeidExpr(clang::CXXTypeidExpr*) { return true; }
  bool TraverseUserDefinedLiteral(clang::UserDefinedLiteral*) { return true; }
  bool TraverseConceptDecl(clang::ConceptDecl*) { return true; }
  bool TraverseRequiresExpr(clang::RequiresExpr*) { return true; }
  bool TraverseStmtExpr(clang::StmtExpr*) { return at_.leave_out("statement expression"), true; }
  bool TraverseParmVarDecl(clang::ParmVarDecl*) { return true; }
  bool TraverseFieldDecl(clang::FieldDecl* of) {
    if (of->hasInClassInitializer()) at_.leave_out("initializer of a member");
    return of->getTypeSourceInfo() == nullptr || TraverseTypeLoc(of->getTypeSourceInfo()->getTypeLoc());
  }
  bool TraverseAttributedStmt(clang::AttributedStmt* of) { return TraverseStmt(of->getSubStmt()); }
  bool TraverseAttr(clang::Attr*) { return true; }
  bool TraverseOffsetOfExpr(clang::OffsetOfExpr*) { return true; }
  /// Constraints say which operands are constants, memory, registers: what stands there is part of the instructions.
  bool TraverseGCCAsmStmt(clang::GCCAsmStmt*) { return at_.leave_out("inline assembler"), true; }
  bool TraverseShuffleVectorExpr(clang::ShuffleVectorExpr* of) {
    return TraverseStmt(of->getExpr(0)) && (of->getNumSubExprs() < 2 || TraverseStmt(of->getExpr(1)));
  }

  /// Builtins of compilers want constants in places that their types do not tell; functions of libraries do not.
  bool TraverseCallExpr(clang::CallExpr* of) {
    if (!is_builtin_of_compilers(*of)) return base::TraverseCallExpr(of);
    for (clang::Expr* each : of->arguments()) {
      const clang::Expr* const plain = each->IgnoreParenCasts();
      if (llvm::isa<clang::StringLiteral>(plain) || (!each->isValueDependent() && each->isEvaluatable(at_.context)))
        at_.leave_out("constant of a builtin");
      else
        TraverseStmt(each);
    }
    return true;
  }

  bool TraverseVarDecl(clang::VarDecl* of) {
    if (tests_.contains(*of)) return true;
    const clang::Expr* const value = of->getInit();
    const bool is_constexpr = of->isConstexpr() || of->hasAttr<clang::ConstInitAttr>();
    // What is computed before the program starts has no moment in which a mutant could be on.
    const bool is_constant = value != nullptr && !value->isValueDependent() &&
                             ((of->hasGlobalStorage() && of->hasConstantInitialization()) ||
                              (!value->containsErrors() && of->mightBeUsableInConstantExpressions(at_.context) &&
                               of->evaluateValue() != nullptr));
    if (!is_constexpr && !is_constant) {
      note_initial_value(*of);
      return base::TraverseVarDecl(of);
    }
    at_.leave_out(is_constexpr ? "constexpr" : "constant");
    return at_compile_time([&] { return base::TraverseVarDecl(of); });
  }

  bool TraverseIfStmt(clang::IfStmt* of) {
    if (!of->isConstexpr() && !of->isConsteval()) return base::TraverseIfStmt(of);
    return TraverseStmt(of->getInit()) && at_compile_time([&] { return TraverseStmt(of->getCond()); }) &&
           TraverseStmt(of->getThen()) && TraverseStmt(of->getElse());
  }

  bool TraverseInitListExpr(clang::InitListExpr* of) {
    clang::InitListExpr* const semantic = of->isSemanticForm() ? of : of->getSemanticForm();
    for (clang::Expr* each : (semantic == nullptr ? of : semantic)->inits()) {
      // A constant that is narrowed in braces is legal as such only.
      if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(each);
          cast != nullptr &&
          (cast->getCastKind() == clang::CK_IntegralCast || cast->getCastKind() == clang::CK_IntegralToFloating ||
           cast->getCastKind() == clang::CK_FloatingCast || cast->getCastKind() == clang::CK_FloatingToIntegral)) {
        at_.leave_out("narrowed in braces");
        continue;
      }
      TraverseStmt(each);
    }
    return true;
  }

 private:
  bool is_builtin_of_compilers(const clang::CallExpr& call) const {
    const clang::FunctionDecl* const callee = call.getDirectCallee();
    const unsigned id = callee == nullptr ? 0 : callee->getBuiltinID();
    return id != 0 && !at_.context.BuiltinInfo.isPredefinedLibFunction(id);
  }

  void note_initial_value(const clang::VarDecl& variable) {
    if (at_.at_compile_time_ || variable.getIdentifier() == nullptr || !only_sets_memory(variable)) return;
    if (const auto where = at_.range(variable.getSourceRange()); where && !where->in_macro)
      at_.files_[where->file].places.initial_values.push_back({where->begin, where->end, variable.getName().str()});
  }

  bool at_compile_time(auto traverse) {
    const bool saved = std::exchange(at_.at_compile_time_, true);
    const bool go_on = traverse();
    at_.at_compile_time_ = saved;
    return go_on;
  }

  /// Not a part of an expression.
  bool is_statement(const clang::Stmt&) const {
    return at_.around_.empty() || !llvm::isa<clang::Expr>(at_.around_.back());
  }

  void define(const clang::FunctionDecl& function) {
    const auto* body = function.getBody();
    // A member of an explicit instantiation stands where its template does, with the template's parameters.
    const auto* const pattern = function.getTemplateInstantiationPattern();
    const clang::FunctionDecl& written = pattern == nullptr ? function : *pattern;
    const auto where = body == nullptr ? std::nullopt : at_.range(written.getSourceRange());
    if (!where || where->in_macro) return;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    const bool is_lambda = method != nullptr && method->getParent()->isLambda();
    if (is_lambda) return;
    const std::string_view untouched = extreme_ ? transform_body(function, at_) : std::string_view();
    const auto twice = can_stand_twice(function, at_.context) ? at_.range(*body) : std::nullopt;
    at_.files_[where->file].places.functions.push_back(
        {where->begin, where->end, sources_.getExpansionLineNumber(function.getLocation()),
         sources_.getExpansionLineNumber(function.getEndLoc()), function_name(function), std::string(untouched),
         twice && !twice->in_macro && twice->end == where->end ? twice->begin : 0, function.isConstexpr()});
  }

  void stands_alone(const clang::Stmt* of) {
    if (of == nullptr || is_arid(*of, at_.context)) return;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(of); expression != nullptr && expression->containsErrors())
      return;
    const auto* returning = llvm::dyn_cast<clang::ReturnStmt>(of);
    at_.look_at(returning != nullptr ? returning->getRetValue() : nullptr);
    for (const mutation_operator* each : operators_)
      if (each->at_statement != nullptr) each->at_statement(*of, at_);
  }

  void decides(const clang::Expr* of) {
    if (of == nullptr || of->containsErrors()) return;
    at_.look_at(of);
    for (const mutation_operator* each : operators_)
      if (each->at_condition != nullptr) each->at_condition(*of, at_);
  }

  void statements_within(const clang::Stmt& of) {
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&of)) {
      for (const clang::Stmt* each : block->body()) stands_alone(each);
    } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&of)) {
      if (!branch->isConstexpr() && !branch->isConsteval() && branch->getConditionVariable() == nullptr)
        decides(branch->getCond());
      stands_alone(branch->getThen());
      stands_alone(branch->getElse());
    } else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(&of)) {
      if (counted->getConditionVariable() == nullptr) decides(counted->getCond());
      stands_alone(counted->getBody());
    } else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&of)) {
      if (loop->getConditionVariable() == nullptr) decides(loop->getCond());
      stands_alone(loop->getBody());
    } else if (const auto* last = llvm::dyn_cast<clang::DoStmt>(&of)) {
      decides(last->getCond());
      stands_alone(last->getBody());
    } else if (const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(&of)) {
      stands_alone(range->getBody());
    } else if (const auto* choice = llvm::dyn_cast<clang::SwitchCase>(&of)) {
      stands_alone(choice->getSubStmt());
    } else if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(&of)) {
      decides(either->getCond());
    }
  }

  site at_;
  const clang::SourceManager& sources_;
  test_code tests_;
  bool extreme_;
  std::vector<const mutation_operator*> operators_;
};

unit_findings read_unit(clang::ASTContext& context, const file_choice& chosen, const std::vector<std::string>& names,
                        bool extreme, const std::vector<parse_error>& errors) {
  unit_findings found = reader(context, chosen, names, extreme).run();
  for (const parse_error& error : errors) {
    const auto file = found.files.find(error.file);
    if (file == found.files.end()) continue;
    for (const mutation::function_extent& function : file->second.functions) {
      if (error.offset < function.begin || error.offset >= function.end) continue;
      const auto gone = std::erase_if(file->second.places, [&](const mutation::place& p) {
        return function.begin <= p.begin && p.end <= function.end;
      });
      if (gone > 0) ++found.left_out["function that Clang rejects"];
    }
  }
  return found;
}

}  // namespace morph::source
