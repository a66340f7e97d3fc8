// Ranges by Clang's lexer, names fully qualified.
#include "coverage/source/observe/written.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/QualTypeNames.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace morph::source {
namespace {

bool can_be_named(const clang::TagDecl& tag);

bool can_be_named(clang::QualType type) {
  type = type.getCanonicalType();
  while (type->isPointerType() || type->isReferenceType()) type = type->getPointeeType();
  const auto* tag = type->getAsTagDecl();
  return tag == nullptr || can_be_named(*tag);
}

bool can_be_named(const clang::TagDecl& tag) {
  if (!tag.getIdentifier() || tag.getParentFunctionOrMethod() != nullptr) return false;
  for (const clang::DeclContext* around = tag.getDeclContext(); around != nullptr; around = around->getParent())
    if (const auto* outer = llvm::dyn_cast<clang::TagDecl>(around); outer != nullptr && !can_be_named(*outer))
      return false;
  if (const auto* of_template = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&tag))
    for (const clang::TemplateArgument& each : of_template->getTemplateArgs().asArray())
      if (each.getKind() == clang::TemplateArgument::Type && !can_be_named(each.getAsType())) return false;
  return true;
}

}  // namespace

const std::string& written_code::file_of(clang::FileID id) {
  const auto [known, is_new] = files_.try_emplace(id);
  if (!is_new) return known->second;
  if (const auto entry = context_.getSourceManager().getFileEntryRefForID(id))
    if (std::string path = one_name(entry->getName()); chosen_.contains(path)) known->second = std::move(path);
  return known->second;
}

std::optional<written_range> written_code::range(clang::SourceRange of) {
  const clang::SourceManager& sources = context_.getSourceManager();
  if (of.isInvalid()) return std::nullopt;
  const auto whole =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(of), sources, context_.getLangOpts());
  if (whole.isInvalid()) return std::nullopt;
  const auto [file, begin] = sources.getDecomposedLoc(whole.getBegin());
  const auto [end_file, end] = sources.getDecomposedLoc(whole.getEnd());
  if (file != end_file || end <= begin) return std::nullopt;
  const std::string& path = file_of(file);
  if (path.empty()) return std::nullopt;
  const llvm::StringRef text = sources.getBufferData(file);
  return written_range{path, begin, end, {text.data() + begin, end - begin}};
}

std::uint32_t written_code::line(clang::SourceLocation at) const {
  return context_.getSourceManager().getExpansionLineNumber(at);
}

std::uint32_t written_code::column(clang::SourceLocation at) const {
  return context_.getSourceManager().getExpansionColumnNumber(at);
}

std::optional<std::string> name_at_end(clang::QualType type, clang::ASTContext& context) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isDependentType() || type->isUndeducedType() || !can_be_named(type)) return std::nullopt;
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  return clang::TypeName::getFullyQualifiedName(type, context, policy, true);
}

}  // namespace morph::source
