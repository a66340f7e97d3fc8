// Goes through namespaces and public classes of chosen headers.
#include "coverage/source/describe/api.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "coverage/source/describe/nameable.hpp"
#include "coverage/source/describe/places.hpp"

namespace morph::source {
namespace {

bool is_left_out(const clang::FunctionDecl& function) {
  if (function.isImplicit() || function.isDeleted() || function.isDependentContext()) return true;
  if (function.getDescribedFunctionTemplate() != nullptr || !is_public(function)) return true;
  if (clang::isa<clang::CXXDestructorDecl, clang::CXXDeductionGuideDecl>(function)) return true;
  switch (function.getOverloadedOperator()) {
    case clang::OO_New:
    case clang::OO_Array_New:
    case clang::OO_Delete:
    case clang::OO_Array_Delete:
    case clang::OO_Coawait:
      return true;
    default:
      break;
  }
  if (const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&function))
    if (method->isMoveAssignmentOperator()) return true;
  const auto* const constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&function);
  return constructor != nullptr && (constructor->isMoveConstructor() || constructor->getParent()->isAbstract());
}

class collector {
 public:
  collector(clang::ASTContext& context, const file_choice& chosen)
      : context_(context),
        sources_(context.getSourceManager()),
        chosen_(chosen),
        policy_(context.getLangOpts()),
        places_(context, chosen) {}

  found_api take() {
    visit(*context_.getTranslationUnitDecl());
    add_headers();
    const auto by_place = [](const auto& a, const auto& b) { return a.place < b.place; };
    std::ranges::stable_sort(found_.classes, by_place);
    std::ranges::stable_sort(found_.callables, by_place);
    std::ranges::stable_sort(found_.without_instance, by_place);
    return std::move(found_);
  }

 private:
  void visit(const clang::DeclContext& in) {
    for (clang::Decl* const each : in.decls()) {
      if (const auto* const space = clang::dyn_cast<clang::NamespaceDecl>(each)) {
        if (!space->isStdNamespace()) visit(*space);
      } else if (clang::isa<clang::LinkageSpecDecl, clang::ExportDecl>(each)) {
        visit(*clang::cast<clang::DeclContext>(each));
      } else if (const auto* const other = clang::dyn_cast<clang::FriendDecl>(each)) {
        if (other->getFriendDecl() != nullptr) add_friend(*other->getFriendDecl());
      } else {
        add(*each);
      }
    }
  }

  void add(const clang::Decl& each) {
    if (const auto* const function = clang::dyn_cast<clang::FunctionDecl>(&each)) {
      add_function(*function);
    } else if (const auto* const pattern = clang::dyn_cast<clang::FunctionTemplateDecl>(&each)) {
      add_instances(*pattern);
    } else if (const auto* const classes = clang::dyn_cast<clang::ClassTemplateDecl>(&each)) {
      add_instances(*classes);
    } else if (const auto* const record = clang::dyn_cast<clang::CXXRecordDecl>(&each)) {
      if (record->getDefinition() != nullptr)
        add_class(*record->getDefinition(), place_in_choice(*record->getDefinition()));
    } else if (const auto* const inherited = clang::dyn_cast<clang::ConstructorUsingShadowDecl>(&each)) {
      add_inherited(*inherited);
    }
  }

  void add_friend(const clang::NamedDecl& of) {
    if (const auto* const function = clang::dyn_cast<clang::FunctionDecl>(&of)) {
      if (!clang::isa<clang::CXXMethodDecl>(*function)) add_function(*function);
    } else if (const auto* const pattern = clang::dyn_cast<clang::FunctionTemplateDecl>(&of)) {
      if (!clang::isa<clang::CXXMethodDecl>(*pattern->getTemplatedDecl())) add_instances(*pattern);
    }
  }

  void add_function(const clang::FunctionDecl& function) {
    const clang::FunctionDecl& first = *function.getCanonicalDecl();
    if (is_left_out(first) || !seen_.insert({&first, nullptr}).second) return;
    const auto place = place_in_choice(first);
    if (!place) {
      seen_.erase({&first, nullptr});  // a later declaration may be
      return;
    }
    const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&first);
    found_.callables.push_back({&first, method != nullptr ? method->getParent() : nullptr, *place});
  }

  void add_inherited(const clang::ConstructorUsingShadowDecl& of) {
    const auto* const constructor = clang::dyn_cast<clang::CXXConstructorDecl>(of.getTargetDecl());
    const auto* const to = clang::dyn_cast<clang::CXXRecordDecl>(of.getDeclContext());
    if (constructor == nullptr || to == nullptr || to->isAbstract() || is_left_out(*constructor) ||
        constructor->isCopyOrMoveConstructor() || constructor->getNumParams() == 0)
      return;
    const auto place = place_in_choice(of);
    if (place && seen_.insert({constructor, to}).second) found_.callables.push_back({constructor, to, *place});
  }

  void add_instances(const clang::FunctionTemplateDecl& pattern) {
    if (!is_public(pattern)) return;
    if (!seen_.insert({pattern.getCanonicalDecl(), nullptr}).second) return;
    const auto place = place_in_choice(pattern);
    if (!place || pattern.getTemplatedDecl()->isDeleted() || is_of_no_use(*pattern.getTemplatedDecl())) return;
    bool has_instance = false;
    for (const clang::FunctionDecl* const each : pattern.specializations()) {
      const bool has_own_text = each->getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization;
      const bool is_used = each->getPointOfInstantiation().isValid();  // overload resolution does not look at bodies
      if (has_own_text) has_instance = true;
      if (has_own_text || !is_used || is_left_out(*each)) continue;
      if (!can_be_named(*each->getTemplateSpecializationArgs())) continue;
      has_instance = true;
      if (!seen_.insert({each->getCanonicalDecl(), nullptr}).second) continue;
      const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(each);
      found_.callables.push_back({each, method != nullptr ? method->getParent() : nullptr, *place});
    }
    if (!has_instance) found_.without_instance.push_back({&pattern, *place});
  }

  static bool is_of_no_use(const clang::FunctionDecl& pattern) {
    return clang::isa<clang::CXXDeductionGuideDecl>(pattern) || pattern.isImplicit();
  }

  void add_instances(const clang::ClassTemplateDecl& pattern) {
    if (!seen_.insert({pattern.getCanonicalDecl(), nullptr}).second || !is_public(pattern)) return;
    const auto place = place_in_choice(pattern);
    if (!place) return;
    bool has_instance = false;
    for (clang::ClassTemplateSpecializationDecl* const each : pattern.specializations()) {
      const clang::CXXRecordDecl* const whole = each->getDefinition();
      if (whole == nullptr || !can_be_named(each->getTemplateArgs())) continue;
      has_instance = true;
      // An explicit instantiation lies where the source asks for it, but a header has its text.
      add_class(*whole, each->isExplicitSpecialization() ? place_in_choice(*whole) : place);
    }
    const auto* const definition = pattern.getTemplatedDecl()->getDefinition();
    if (!has_instance && definition != nullptr) found_.without_instance.push_back({&pattern, *place});
  }

  void add_class(const clang::CXXRecordDecl& whole, const std::optional<place_in_header>& place) {
    if (whole.isDependentContext() || whole.isImplicit() || whole.isLambda() || !whole.isCompleteDefinition()) return;
    if (!place || !unnameable_part(whole, policy_).empty() || !seen_.insert({&whole, nullptr}).second) return;
    found_.classes.push_back({&whole, *place});
    if (!whole.hasUserDeclaredConstructor() && !whole.isAbstract())
      found_.callables.push_back({nullptr, &whole, *place});
    visit(whole);
  }

  bool can_be_named(const clang::TemplateArgumentList& arguments) {
    return std::ranges::all_of(arguments.asArray(),
                               [&](const clang::TemplateArgument& each) { return can_be_named(each); });
  }

  bool can_be_named(const clang::TemplateArgument& argument) {
    switch (argument.getKind()) {
      case clang::TemplateArgument::Type:
        return unnameable_part(argument.getAsType(), policy_).empty();
      case clang::TemplateArgument::Pack:
        return std::ranges::all_of(argument.pack_elements(),
                                   [&](const clang::TemplateArgument& each) { return can_be_named(each); });
      case clang::TemplateArgument::Declaration:
        return is_public(*argument.getAsDecl()) && is_in_header(*argument.getAsDecl());
      case clang::TemplateArgument::Template:
        return is_public(*argument.getAsTemplate().getAsTemplateDecl());
      default:
        return argument.getKind() == clang::TemplateArgument::Integral ||
               argument.getKind() == clang::TemplateArgument::NullPtr;
    }
  }

  std::optional<place_in_header> place_in_choice(const clang::Decl& declaration) { return places_.of(declaration); }

  void add_headers() {
    std::set<std::string> all;
    for (auto i = sources_.fileinfo_begin(); i != sources_.fileinfo_end(); ++i) {
      std::string name = one_name(file_name(i->first));
      if (chosen_.contains(name)) all.insert(std::move(name));
    }
    for (unsigned i = 0; i < sources_.local_sloc_entry_size(); ++i) {
      const auto& entry = sources_.getLocalSLocEntry(i);
      if (!entry.isFile()) continue;
      const auto file = entry.getFile().getContentCache().OrigEntry;
      if (!file) continue;
      const std::string name = one_name(file->getName());
      const clang::SourceLocation from = entry.getFile().getIncludeLoc();
      if (from.isInvalid() && !has_header_as_main()) all.erase(name);
    }
    found_.headers.assign(all.begin(), all.end());
    found_.included_by_main = included_by_main(sources_, chosen_);
  }

  bool has_header_as_main() const {
    const auto main = sources_.getFileEntryRefForID(sources_.getMainFileID());
    return main && is_header_name(main->getName());
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const file_choice& chosen_;
  clang::PrintingPolicy policy_;
  header_places places_;
  std::set<std::pair<const clang::Decl*, const clang::Decl*>> seen_;
  found_api found_;
};

}  // namespace

found_api api_of(clang::ASTContext& context, const file_choice& chosen) {
  return collector(context, chosen).take();
}

}  // namespace morph::source
