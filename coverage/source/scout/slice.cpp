// Pieces of a body, what each writes, and which of them a value needs.
#include "coverage/source/scout/slice.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "coverage/source/clang/walk.hpp"
#include "coverage/source/scout/constants.hpp"

namespace morph::source::scouting {
namespace {

using variables = std::set<const clang::ValueDecl*>;

constexpr std::size_t most_pieces = 2000;

/// Stands for all members of a fixture.
const clang::ValueDecl* const no_variable = nullptr;

bool is_of_function(const clang::ValueDecl& of) {
  const auto* const variable = clang::dyn_cast<clang::VarDecl>(&of);
  return (variable != nullptr && variable->isLocalVarDeclOrParm()) || clang::isa<clang::BindingDecl>(&of);
}

/// Variables that an expression leads to: `a.b[0]`, `*p`, `p->get()`, `&a`. The fixture is `no_variable`.
void add_roots(const clang::Expr* of, variables& to) {
  of = bare(of);
  if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(of)) {
    if (is_of_function(*name->getDecl())) to.insert(name->getDecl());
    if (const auto* const part = clang::dyn_cast<clang::BindingDecl>(name->getDecl()))
      to.insert(clang::cast<clang::ValueDecl>(part->getDecomposedDecl()));
  } else if (clang::isa<clang::CXXThisExpr>(of)) {
    to.insert(no_variable);
  } else if (const auto* const member = clang::dyn_cast<clang::MemberExpr>(of)) {
    add_roots(member->getBase(), to);
  } else if (const auto* const part = clang::dyn_cast<clang::ArraySubscriptExpr>(of)) {
    add_roots(part->getBase(), to);
  } else if (const auto* const unary = clang::dyn_cast<clang::UnaryOperator>(of)) {
    add_roots(unary->getSubExpr(), to);
  } else if (const auto* const cast = clang::dyn_cast<clang::ExplicitCastExpr>(of)) {
    add_roots(cast->getSubExpr(), to);
  } else if (const auto* const choice = clang::dyn_cast<clang::ConditionalOperator>(of)) {
    add_roots(choice->getTrueExpr(), to);
    add_roots(choice->getFalseExpr(), to);
  } else if (const auto* const call = clang::dyn_cast<clang::CXXMemberCallExpr>(of)) {
    add_roots(call->getImplicitObjectArgument(), to);
  } else if (const auto* const call = clang::dyn_cast<clang::CallExpr>(of)) {
    for (const clang::Expr* const each : call->arguments()) add_roots(each, to);
  } else if (const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(of)) {
    for (const clang::Expr* const each : made->arguments()) add_roots(each, to);
  } else if (const auto* const list = clang::dyn_cast<clang::InitListExpr>(of)) {
    for (const clang::Expr* const each : list->inits()) add_roots(each, to);
  }
}

bool may_lead_on(clang::QualType type) {
  return type->isReferenceType() || type->isPointerType() || type->isRecordType();
}

/// What a statement writes, reads and declares.
class effects {
 public:
  variables written, read;

  /// `aliases`: what references, pointers and objects lead to.
  effects(const std::vector<const clang::Stmt*>& of, std::map<const clang::ValueDecl*, variables>& aliases)
      : aliases_(aliases) {
    for (const clang::Stmt* const part : of)
      walk(part, {.statement = [this](const clang::Stmt& each) { return note(each), true; },
                  .declaration = [this](clang::Decl& each) { return declare(each), true; },
                  .implicit_code = true});
    for (bool grows = true; grows;) {
      grows = false;
      for (const clang::ValueDecl* const each : variables(written))
        if (const auto to = aliases_.find(each); to != aliases_.end())
          for (const clang::ValueDecl* const one : to->second) grows |= written.insert(one).second;
    }
  }

 private:
  void declare(clang::Decl& of) {
    const auto* const variable = clang::dyn_cast<clang::VarDecl>(&of);
    if (variable == nullptr || !variable->isLocalVarDecl()) return;
    written.insert(variable);
    if (const auto* const parts = clang::dyn_cast<clang::DecompositionDecl>(variable))
      for (const clang::BindingDecl* const each : parts->bindings()) written.insert(each);
    if (variable->getInit() == nullptr || !may_lead_on(variable->getType())) return;
    variables& leads_to = aliases_[variable];
    const clang::Expr* const first = bare(variable->getInit());
    if (variable->getType()->isRecordType()) {
      // An object writes through the references and pointers that it was made of.
      walk(first, {.statement = [&](const clang::Stmt& each) {
             if (const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(&each)) {
               const llvm::ArrayRef<const clang::Expr*> arguments(made->getArgs(), made->getNumArgs());
               add_written_arguments(*made->getConstructor(), arguments, leads_to);
               if (may_hold_on(made->getType())) add_handles(arguments, leads_to);
             }
             if (const auto* const call = clang::dyn_cast<clang::CallExpr>(&each);
                 call != nullptr && call->getDirectCallee() != nullptr) {
               const llvm::ArrayRef<const clang::Expr*> arguments(call->getArgs(), call->getNumArgs());
               add_written_arguments(*call->getDirectCallee(), arguments, leads_to);
               if (!may_hold_on(call->getType())) return true;
               add_handles(arguments, leads_to);
               if (const auto* const member = clang::dyn_cast<clang::CXXMemberCallExpr>(call))
                 add_handles({member->getImplicitObjectArgument()}, leads_to);
             }
             return true;
           }});
    } else if (!variable->getType()->getPointeeType().isConstQualified()) {
      add_roots(first, leads_to);
    }
    leads_to.erase(variable);
  }

  /// An object of a class that is not the standard library's: a statement of a database, a node of a tree.
  static bool may_hold_on(clang::QualType type) {
    if (type->isReferenceType() || type->isPointerType()) type = type->getPointeeType();
    const auto* const of = type->getAsCXXRecordDecl();
    return of != nullptr && !of->isInStdNamespace() && !of->isLambda();
  }

  /// Whoever is given a constant handle may write what stands behind it.
  static void add_handles(llvm::ArrayRef<const clang::Expr*> arguments, variables& to) {
    for (const clang::Expr* const each : arguments)
      if (may_hold_on(each->getType())) add_roots(each, to);
  }

  static void add_written_arguments(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments,
                                    variables& to) {
    const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&callee);
    const unsigned before =
        method != nullptr && !method->isStatic() && arguments.size() > callee.getNumParams() ? 1 : 0;
    const clang::FunctionDecl* const pattern = callee.getTemplateInstantiationPattern();
    const unsigned named = pattern != nullptr ? pattern->getNumParams() : 0;
    for (unsigned i = before; i < arguments.size(); ++i) {
      // What is handed on (`T&&` of a template) is not changed as such, unless it is moved.
      if (named > 0 && is_handed_on(pattern->getParamDecl(std::min(i - before, named - 1))->getType()) &&
          bare(arguments[i])->isLValue())
        continue;
      if (i - before >= callee.getNumParams() || may_write(callee.getParamDecl(i - before)->getType()) ||
          callee.getParamDecl(i - before)->getType()->isRValueReferenceType())
        add_roots(arguments[i], to);
    }
  }

  void note(const clang::Stmt& of) {
    if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(&of);
        name != nullptr && is_of_function(*name->getDecl()))
      read.insert(name->getDecl());
    if (clang::isa<clang::CXXThisExpr>(of)) read.insert(no_variable);
    if (const auto* const binary = clang::dyn_cast<clang::BinaryOperator>(&of);
        binary != nullptr && binary->isAssignmentOp())
      add_roots(binary->getLHS(), written);
    if (const auto* const unary = clang::dyn_cast<clang::UnaryOperator>(&of);
        unary != nullptr && unary->isIncrementDecrementOp())
      add_roots(unary->getSubExpr(), written);
    if (const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(&of))
      add_written_arguments(*made->getConstructor(), {made->getArgs(), made->getNumArgs()}, written);
    if (const auto* const lambda = clang::dyn_cast<clang::LambdaExpr>(&of))
      for (const clang::LambdaCapture& each : lambda->captures()) {
        if (each.capturesVariable()) {
          read.insert(each.getCapturedVar());
          if (each.getCaptureKind() == clang::LCK_ByRef) written.insert(each.getCapturedVar());
        } else if (each.capturesThis()) {
          read.insert(no_variable);
        }
      }
    const auto* const call = clang::dyn_cast<clang::CallExpr>(&of);
    if (call == nullptr) return;
    const clang::FunctionDecl* const callee = call->getDirectCallee();
    const llvm::ArrayRef<const clang::Expr*> arguments(call->getArgs(), call->getNumArgs());
    const auto* const method = clang::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    const bool changes = method == nullptr || (!method->isStatic() && !method->isConst());
    if (const auto* const member = clang::dyn_cast<clang::CXXMemberCallExpr>(call)) {
      if (changes) add_roots(member->getImplicitObjectArgument(), written);
    } else if (clang::isa<clang::CXXOperatorCallExpr>(call) && method != nullptr && changes && !arguments.empty()) {
      add_roots(arguments[0], written);
    }
    if (callee != nullptr)
      add_written_arguments(*callee, arguments, written);
    else
      for (const clang::Expr* const each : arguments) add_roots(each, written);
  }

  std::map<const clang::ValueDecl*, variables>& aliases_;
};

class slicer {
 public:
  slicer(const slice_target& target, const section_path& path,
         const std::map<clang::SourceLocation, written_assertion>& assertions, clang::ASTContext& context)
      : context_(context),
        sources_(context.getSourceManager()),
        at_(target.at),
        call_(target.call),
        path_(path),
        assertions_(assertions) {}

  slice of(const clang::FunctionDecl& function) {
    slice made;
    made.pieces = pieces_of(function.getBody());
    made.has_target = found_;
    std::vector<piece*> all;
    collect(made.pieces, all);
    if (all.size() > most_pieces) {
      made.is_too_long = true;
      return made;
    }
    std::vector<effects> done;
    for (const piece* const each : all) {
      if (const auto* const range = clang::dyn_cast<clang::CXXForRangeStmt>(each->of)) lead_into(*range);
      done.emplace_back(own_parts(*each), aliases_);
    }
    variables needed;
    // Files are read by what nobody sees, and types have names that any statement may say.
    for (piece* const each : all)
      if (each->how == piece::kind::statement && (writes_file(*each->of) || declares_type(*each->of)))
        each->is_needed = true;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i]->is_needed) {
        needed.insert(done[i].read.begin(), done[i].read.end());
        if (all[i]->how != piece::kind::target) needed.insert(done[i].written.begin(), done[i].written.end());
      }
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t i = all.size(); i-- > 0;) {  // as values depend on those before
        if (all[i]->is_needed || all[i]->how == piece::kind::block || all[i]->how == piece::kind::lifted) continue;
        const bool writes =
            std::ranges::any_of(done[i].written, [&](const auto* each) { return needed.contains(each); });
        if (!writes) continue;
        all[i]->is_needed = grows = true;
        needed.insert(done[i].read.begin(), done[i].read.end());
        // What it writes is its business, but a name has to be declared.
        for (const auto* const each : done[i].written) needed.insert(each);
      }
      for (piece& each : made.pieces) grows |= need_around(each, needed);
    }
    made.needs_fixture = needed.erase(no_variable) > 0;
    made.needed = std::move(needed);
    return made;
  }

 private:
  static bool declares_type(const clang::Stmt& of) {
    const auto* const declared = clang::dyn_cast<clang::DeclStmt>(&of);
    return declared != nullptr && std::ranges::any_of(declared->decls(), [](const clang::Decl* each) {
             return clang::isa<clang::TypeDecl, clang::UsingDecl, clang::UsingDirectiveDecl, clang::NamespaceAliasDecl>(
                 each);
           });
  }

  static bool writes_file(const clang::Stmt& of) {
    bool made = false;
    walk(&of, {.declaration = [&](clang::Decl& each) {
      const auto* const variable = clang::dyn_cast<clang::VarDecl>(&each);
      if (variable != nullptr)
        for (const char* const stream : {"std::basic_ofstream", "std::basic_fstream"})
          made |= class_name(variable->getType()) == stream;
      return true;
    }});
    return made;
  }

  /// What is written to the element is written to the table.
  void lead_into(const clang::CXXForRangeStmt& of) {
    const clang::VarDecl* const element = of.getLoopVariable();
    const clang::QualType type = element->getType();
    if (type->isReferenceType() && !type->getPointeeType().isConstQualified())
      add_roots(of.getRangeInit(), aliases_[element]);
  }

  /// Without the pieces in it.
  static std::vector<const clang::Stmt*> own_parts(const piece& of) {
    std::vector<const clang::Stmt*> made;
    const auto add = [&](const clang::Stmt* part) {
      if (part != nullptr) made.push_back(part);
    };
    if (of.how != piece::kind::lifted && of.how != piece::kind::controlled) {
      add(of.of);
    } else if (const auto* const condition = clang::dyn_cast<clang::IfStmt>(of.of)) {
      add(condition->getCond());
    } else if (const auto* const loop = clang::dyn_cast<clang::ForStmt>(of.of)) {
      add(loop->getInit());
      if (of.how == piece::kind::lifted) return made;
      add(loop->getCond());
      add(loop->getInc());
    } else if (const auto* const again = clang::dyn_cast<clang::WhileStmt>(of.of)) {
      add(again->getConditionVariableDeclStmt());
      add(again->getCond());
    } else {
      const auto& range = *clang::cast<clang::CXXForRangeStmt>(of.of);
      add(range.getLoopVarStmt());
      if (of.how == piece::kind::controlled) add(range.getRangeInit());
    }
    return made;
  }

  /// Without `break` and `continue` a loop is another one.
  static bool need_jumps(std::vector<piece>& in) {
    bool grows = false;
    for (piece& each : in) {
      if (each.how == piece::kind::statement && clang::isa<clang::BreakStmt, clang::ContinueStmt>(each.of) &&
          !each.is_needed)
        each.is_needed = grows = true;
      const bool is_inner_loop = each.how == piece::kind::lifted ||
                                 (each.how == piece::kind::controlled && !clang::isa<clang::IfStmt>(each.of));
      if (is_inner_loop) continue;
      grows |= need_jumps(each.inside);
      grows |= need_jumps(each.otherwise);
    }
    return grows;
  }

  /// Statements around needed ones are needed, with their conditions.
  static bool need_around(piece& of, variables& needed) {
    bool grows = false, has_needed = false;
    for (std::vector<piece>* const part : {&of.inside, &of.otherwise})
      for (piece& each : *part) {
        grows |= need_around(each, needed);
        has_needed |= each.is_needed;
      }
    if (has_needed && !of.is_needed) of.is_needed = grows = true;
    if (!of.is_needed || of.how != piece::kind::controlled) return grows;
    if (!clang::isa<clang::IfStmt>(of.of)) grows |= need_jumps(of.inside);
    const std::size_t before = needed.size();
    for (const clang::Stmt* const part : own_parts(of)) {
      const variables read = read_by(*part);
      needed.insert(read.begin(), read.end());
    }
    return grows || needed.size() > before;
  }

  static void collect(std::vector<piece>& of, std::vector<piece*>& to) {
    for (piece& each : of) {
      to.push_back(&each);
      collect(each.inside, to);
      collect(each.otherwise, to);
    }
  }

  bool spans_target(const clang::Stmt& of) const {
    const clang::SourceLocation begin = sources_.getExpansionLoc(of.getBeginLoc());
    const clang::SourceLocation end = sources_.getExpansionRange(of.getEndLoc()).getEnd();
    return sources_.getFileID(begin) == sources_.getFileID(at_) && !sources_.isBeforeInTranslationUnit(at_, begin) &&
           !sources_.isBeforeInTranslationUnit(end, at_);
  }

  std::vector<piece> pieces_of(const clang::Stmt* of) {
    std::vector<piece> made;
    if (of == nullptr) return made;
    if (const auto* const block = clang::dyn_cast<clang::CompoundStmt>(of)) {
      for (const clang::Stmt* const each : block->body()) {
        if (found_ && rounds_ == 0) break;  // the next round begins with what stands behind
        add(*each, made);
      }
    } else {
      add(*of, made);
    }
    return made;
  }

  void add(const clang::Stmt& of, std::vector<piece>& to) {
    const bool is_macro = of.getBeginLoc().isMacroID() && !sources_.isMacroArgExpansion(of.getBeginLoc());
    const clang::SourceLocation begin = sources_.getExpansionLoc(of.getBeginLoc());
    const auto* const expression = clang::dyn_cast<clang::Expr>(&of);
    if (call_ != nullptr ? expression != nullptr && bare(expression) == call_ : is_macro && begin == at_) {
      found_ = true;
      return to.push_back({.how = piece::kind::target, .of = &of, .is_needed = true});
    }
    if (const auto* const block = clang::dyn_cast<clang::CompoundStmt>(&of); block != nullptr && !is_macro) {
      piece made{.how = piece::kind::block, .of = &of};
      made.inside = pieces_of(block);
      return to.push_back(std::move(made));
    }
    if (const auto* const condition = clang::dyn_cast<clang::IfStmt>(&of)) {
      if (path_.contains(condition)) {
        piece made{.how = piece::kind::block, .of = &of};
        made.inside = pieces_of(condition->getThen());
        return to.push_back(std::move(made));
      }
      if (is_section(*condition)) return;
      if (!is_macro && condition->getInit() == nullptr && condition->getConditionVariable() == nullptr &&
          condition->getCond() != nullptr) {
        piece made{.how = piece::kind::controlled, .of = &of};
        made.inside = pieces_of(condition->getThen());
        if (!found_) made.otherwise = pieces_of(condition->getElse());
        return to.push_back(std::move(made));
      }
    }
    const clang::Stmt* body = nullptr;
    if (const auto* const loop = clang::dyn_cast<clang::ForStmt>(&of)) body = loop->getBody();
    if (const auto* const again = clang::dyn_cast<clang::WhileStmt>(&of)) body = again->getBody();
    if (const auto* const range = clang::dyn_cast<clang::CXXForRangeStmt>(&of)) body = range->getBody();
    if (body != nullptr && !is_macro) {
      const bool is_lifted = spans_target(of) && can_be_lifted(of, *body);
      piece made{.how = is_lifted ? piece::kind::lifted : piece::kind::controlled, .of = &of};
      if (!is_lifted) ++rounds_;
      made.inside = pieces_of(body);
      if (!is_lifted) --rounds_;
      return to.push_back(std::move(made));
    }
    if (spans_target(of)) {
      // Inside of something else: a switch, a block of try, a label. A target is a statement of its own.
      if (is_macro || clang::isa<clang::Expr, clang::DeclStmt>(of)) return;
      for (const clang::Stmt* const each : of.children())
        if (each != nullptr && !found_) add(*each, to);
      return;
    }
    const bool is_assertion = is_macro && assertions_.contains(begin);
    to.push_back({.how = is_assertion ? piece::kind::assertion : piece::kind::statement, .of = &of});
  }

  /// Its variable can have any value, and no round depends on another.
  bool can_be_lifted(const clang::Stmt& loop, const clang::Stmt& body) {
    const clang::VarDecl* const variable = variable_of_loop(loop);
    if (variable == nullptr || !input_type_of(variable->getType(), context_)) return false;
    bool is_index = false;
    const auto reads = [&](const clang::Expr* of) { return read_by(*of).contains(variable); };
    variables declared;
    walk(&body, {.statement =
                     [&](const clang::Stmt& each) {
                       if (const auto* const part = clang::dyn_cast<clang::ArraySubscriptExpr>(&each))
                         is_index |= reads(part->getIdx());
                       if (const auto* const call = clang::dyn_cast<clang::CallExpr>(&each);
                           call != nullptr && call->getNumArgs() > 0 && call->getDirectCallee() != nullptr) {
                         const auto* const name = call->getDirectCallee()->getIdentifier();
                         const bool is_at = name != nullptr && name->isStr("at");
                         const bool is_subscript =
                             call->getDirectCallee()->getOverloadedOperator() == clang::OO_Subscript;
                         if (is_at || is_subscript) is_index |= reads(call->getArg(call->getNumArgs() - 1));
                       }
                       return true;
                     },
                 .declaration =
                     [&](clang::Decl& each) {
                       if (const auto* const value = clang::dyn_cast<clang::ValueDecl>(&each)) declared.insert(value);
                       return true;
                     }});
    if (is_index && variable->getType()->isIntegerType()) return false;
    std::map<const clang::ValueDecl*, variables> aliases;
    const effects of_round({&body}, aliases);
    return std::ranges::all_of(of_round.written,
                               [&](const auto* each) { return each == variable || declared.contains(each); });
  }

  static bool is_section(const clang::IfStmt& of) {
    if (of.getConditionVariable() == nullptr) return false;
    const std::string name = class_name(of.getConditionVariable()->getType());
    return name == "Catch::Section" || name == "doctest::detail::Subcase";
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  clang::SourceLocation at_;
  const clang::CallExpr* call_ = nullptr;
  const section_path& path_;
  const std::map<clang::SourceLocation, written_assertion>& assertions_;
  std::map<const clang::ValueDecl*, variables> aliases_{};
  bool found_ = false;
  int rounds_ = 0;  // loops that are read, and stay
};

}  // namespace

const clang::VarDecl* variable_of_loop(const clang::Stmt& loop) {
  if (const auto* const range = clang::dyn_cast<clang::CXXForRangeStmt>(&loop)) {
    const clang::VarDecl* const variable = range->getLoopVariable();
    return clang::isa<clang::DecompositionDecl>(variable) ? nullptr : variable;
  }
  const auto* const counting = clang::dyn_cast<clang::ForStmt>(&loop);
  const auto* const first =
      counting != nullptr ? clang::dyn_cast_or_null<clang::DeclStmt>(counting->getInit()) : nullptr;
  if (first == nullptr || !first->isSingleDecl()) return nullptr;
  const auto* const variable = clang::dyn_cast<clang::VarDecl>(first->getSingleDecl());
  return variable != nullptr && variable->getType()->isIntegerType() ? variable : nullptr;
}

std::set<const clang::ValueDecl*> read_by(const clang::Stmt& of) {
  std::map<const clang::ValueDecl*, variables> none;
  return effects({&of}, none).read;
}

std::set<const clang::ValueDecl*> written_by(const clang::Stmt& of) {
  std::map<const clang::ValueDecl*, variables> none;
  return effects({&of}, none).written;
}

slice slice_of(const clang::FunctionDecl& function, const slice_target& target, const section_path& path,
               const std::map<clang::SourceLocation, written_assertion>& assertions, clang::ASTContext& context) {
  return slicer(target, path, assertions, context).of(function);
}

}  // namespace morph::source::scouting
