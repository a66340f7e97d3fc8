// Clang's invocation, diagnostics and the syntax tree of a unit.
#include "coverage/source/clang/parse.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/Tooling.h>

#include "coverage/source/clang/files.hpp"
#include "coverage/source/clang/flags.hpp"

namespace morph::source {
namespace {

class error_list : public clang::DiagnosticConsumer {
 public:
  explicit error_list(std::vector<parse_error>& errors) : errors_(errors) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level != clang::DiagnosticsEngine::Note && level < clang::DiagnosticsEngine::Error) return;
    parse_error error;
    llvm::SmallString<200> text;
    info.FormatDiagnostic(text);
    error.text = text.str().str();
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      const clang::SourceManager& sources = info.getSourceManager();
      const auto [file, offset] = sources.getDecomposedLoc(sources.getFileLoc(info.getLocation()));
      if (const auto entry = sources.getFileEntryRefForID(file)) error.file = one_name(entry->getName());
      error.offset = offset;
      error.line = sources.getLineNumber(file, offset);
    }
    if (level != clang::DiagnosticsEngine::Note)
      errors_.push_back(std::move(error));
    else if (!errors_.empty() && error.text.ends_with("requested here"))
      errors_.back().instantiated_at.push_back({std::move(error.file), error.offset});
  }

 private:
  std::vector<parse_error>& errors_;
};

using observer = std::function<void(clang::ASTContext&, const std::vector<parse_error>&)>;

class observing_consumer : public clang::ASTConsumer {
 public:
  observing_consumer(const observer& look, parse_result& result) : look_(look), result_(result) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    const clang::SourceManager& sources = context.getSourceManager();
    for (auto i = sources.fileinfo_begin(); i != sources.fileinfo_end(); ++i)
      result_.files.push_back(one_name(file_name(i->first)));
    if (look_) look_(context, result_.errors);
  }

 private:
  const observer& look_;
  parse_result& result_;
};

class observing_action : public clang::ASTFrontendAction {
 public:
  observing_action(const observer& look, parse_result& result) : look_(look), result_(result) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<observing_consumer>(look_, result_);
  }

 private:
  const observer& look_;
  parse_result& result_;
};

using analyst = std::function<void(clang::Sema&)>;

class analyzing_consumer : public clang::ASTConsumer {
 public:
  analyzing_consumer(clang::CompilerInstance& compiler, const analyst& look) : compiler_(compiler), look_(look) {}

  void HandleTranslationUnit(clang::ASTContext&) override {
    if (!compiler_.getDiagnostics().hasErrorOccurred()) look_(compiler_.getSema());  // what did not parse may mislead
  }

 private:
  clang::CompilerInstance& compiler_;
  const analyst& look_;
};

class analyzing_action : public clang::ASTFrontendAction {
 public:
  explicit analyzing_action(const analyst& look) : look_(look) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    return std::make_unique<analyzing_consumer>(compiler, look_);
  }

 private:
  const analyst& look_;
};

}  // namespace

void run_clang(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
               std::unique_ptr<clang::FrontendAction> action, std::vector<parse_error>& errors) {
  const auto files = files_of(tree);
  files->setCurrentWorkingDirectory(of.directory);
  clang::FileSystemOptions file_options;
  file_options.WorkingDir = of.directory;
  llvm::IntrusiveRefCntPtr<clang::FileManager> manager(new clang::FileManager(file_options, files));

  std::vector<std::string> command{"clang++",         "-fsyntax-only",      "-w",
                                   "-Wno-everything", "-ferror-limit=0",    "-ftemplate-backtrace-limit=0",
                                   "-resource-dir",   MORPH_CLANG_RESOURCES};
  command.insert(command.end(), options.begin(), options.end());
  const auto kept = parse_options(of.arguments);
  command.insert(command.end(), kept.begin(), kept.end());
  command.push_back(of.file);

  error_list heard(errors);
  clang::tooling::ToolInvocation invocation(command, std::move(action), manager.get());
  invocation.setDiagnosticConsumer(&heard);
  const bool parsed = invocation.run();
  if (!parsed && errors.empty()) errors.push_back({"", 0, 0, "Clang could not be started on it", {}});
}

parse_result parse(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
                   const observer& look) {
  parse_result result;
  run_clang(of, tree, options, std::make_unique<observing_action>(look, result), result.errors);
  return result;
}

void analyze(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options, const analyst& look,
             std::vector<parse_error>& errors) {
  run_clang(of, tree, options, std::make_unique<analyzing_action>(look), errors);
}

}  // namespace morph::source
