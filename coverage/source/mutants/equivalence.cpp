// Switches mutants on and off in LLVM's code, simplifies both and compares.
#include "coverage/source/mutants/equivalence.hpp"

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/StructuralHash.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/FunctionComparator.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace morph::source {
namespace {

constexpr std::uint32_t no_node = ~0U;
constexpr int most_rounds = 4;
constexpr unsigned largest_written = 1000;  // instructions of a function that may be inlined, as it is written
constexpr unsigned largest_inlined = 40;    // simplified
constexpr unsigned largest_with_inlined = 4000;

std::uint64_t hash_of(llvm::Function& code) {
#if LLVM_VERSION_MAJOR >= 18
  return llvm::StructuralHash(code, true);
#else
  return llvm::FunctionComparator::functionHash(code);
#endif
}

class emitting_action : public clang::EmitLLVMOnlyAction {
 public:
  emitting_action(llvm::LLVMContext& context, std::unique_ptr<llvm::Module>& to)
      : EmitLLVMOnlyAction(&context), to_(to) {}

 protected:
  void EndSourceFileAction() override {
    EmitLLVMOnlyAction::EndSourceFileAction();
    to_ = takeModule();
  }

 private:
  std::unique_ptr<llvm::Module>& to_;
};

/// Going by its name, without the types of its parameters. Operators that begin with < count, too.
bool is_of_a_template(const llvm::Function& function) {
  llvm::ItaniumPartialDemangler demangler;
  const std::string mangled = function.getName().str();
  if (demangler.partialDemangle(mangled.c_str())) return false;
  std::size_t size = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(demangler.getFunctionName(nullptr, &size), &std::free);
  return name != nullptr && std::strchr(name.get(), '<') != nullptr;
}

/// What a load or call of ours stands for while mutants are on or off. Nodes that are not in `known` stay loads.
struct switches {
  std::map<std::uint32_t, bool> known;
  bool others_are_off = false;
  std::optional<std::uint32_t> alternative;
};

class code_comparison {
 public:
  code_comparison(llvm::Module& module, std::span<const compared_mutant> mutants) : module_(module), mutants_(mutants) {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
    optimize_ =
        builder_.buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None);
    simplify_.addPass(llvm::SimplifyCFGPass());
    simplify_.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    simplify_.addPass(llvm::EarlyCSEPass(true));
    simplify_.addPass(llvm::SimplifyCFGPass());
    for (std::size_t i = 0; i < mutants.size(); ++i) by_node_[mutants[i].node].push_back(i);
  }

  std::vector<mutant_code> run() {
    nodes_ = module_.getNamedGlobal("morph_node");
    codes_.resize(mutants_.size());
    if (nodes_ == nullptr) return std::move(codes_);
    std::vector<llvm::Function*> all;
    llvm::FunctionPassManager prepare;
    prepare.addPass(llvm::LowerExpectIntrinsicPass());
    for (llvm::Function& each : module_) {
      if (each.isDeclaration()) continue;
      prepare.run(each, functions_);
      all.push_back(&each);
    }
    for (llvm::Function* each : all) compare(*each);
    return std::move(codes_);
  }

 private:
  /// The node whose byte an instruction loads.
  std::optional<std::uint32_t> node_of(const llvm::Instruction& instruction) const {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !load->getType()->isIntegerTy(8)) return std::nullopt;
    const llvm::DataLayout& layout = module_.getDataLayout();
    llvm::APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
    if (load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true) != nodes_)
      return std::nullopt;
    return static_cast<std::uint32_t>(offset.getZExtValue());
  }

  std::set<std::uint32_t> nodes_in(const llvm::Function& function) const {
    std::set<std::uint32_t> found;
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& each : block)
        if (const auto node = node_of(each)) found.insert(*node);
    return found;
  }

  /// Whether nodes are read one by one, as they are written: optimization may read several at once.
  bool reads_single_nodes(const llvm::Function& function) const {
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& each : block) {
        if (node_of(each)) continue;
        for (const llvm::Value* operand : each.operands())
          if (operand->getType()->isPointerTy() && llvm::getUnderlyingObject(operand, 0) == nodes_) return false;
      }
    return true;
  }

  llvm::Constant* value_of(const llvm::Instruction& each, const switches& on) const {
    if (const auto node = node_of(each)) {
      const auto known = on.known.find(*node);
      if (known == on.known.end() && !on.others_are_off) return nullptr;
      return llvm::ConstantInt::get(each.getType(), known != on.known.end() && known->second ? 1 : 0);
    }
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&each)) {
      const auto* from = llvm::dyn_cast<llvm::GlobalVariable>(load->getPointerOperand());
      if (from == nullptr || !each.getType()->isIntegerTy()) return nullptr;
      if (from->getName() == "morph_alternative" && on.alternative)
        return llvm::ConstantInt::get(each.getType(), *on.alternative);
      if (from->getName() == "morph_records") return llvm::ConstantInt::get(each.getType(), 0);
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&each))
      if (const auto* called = call->getCalledFunction(); called != nullptr && called->getName() == "morph_at_node")
        return llvm::ConstantInt::getTrue(each.getType());
    return nullptr;
  }

  llvm::Function* copy_with(llvm::Function& function, const switches& on) {
    llvm::ValueToValueMapTy map;
    llvm::Function* const copy = llvm::CloneFunction(&function, map);
    copy->setLinkage(llvm::GlobalValue::InternalLinkage);
    copy->setComdat(nullptr);
    std::vector<std::pair<llvm::Instruction*, llvm::Constant*>> known;
    for (llvm::BasicBlock& block : *copy)
      for (llvm::Instruction& each : block)
        if (llvm::Constant* const value = value_of(each, on)) known.emplace_back(&each, value);
    for (const auto& [instruction, value] : known) {
      instruction->replaceAllUsesWith(value);
      instruction->eraseFromParent();
    }
    return copy;
  }

  struct callee {
    llvm::Function* code = nullptr;  // simplified, without mutants; none if it is not to be inlined
    std::set<std::uint32_t> nodes{};
  };

  const callee& callee_of(llvm::Function& function) {
    const auto [found, is_new] = callees_.try_emplace(&function);
    if (!is_new || function.isDeclaration() || function.isInterposable() || function.isVarArg() ||
        function.hasFnAttribute(llvm::Attribute::NoInline) || function.getInstructionCount() > largest_written)
      return found->second;
    llvm::Function* const code = copy_with(function, {{}, true, 0});
    simplify_.run(*code, functions_);
    if (code->getInstructionCount() > largest_inlined)
      forget(code);
    else
      found->second = {code, nodes_in(function)};
    return found->second;
  }

  /// Small functions in place of calls to them, but for those that have one of these nodes.
  bool inline_calls(llvm::Function& in, const std::set<std::uint32_t>& nodes) {
    std::vector<std::pair<llvm::CallBase*, llvm::Function*>> calls;
    for (llvm::BasicBlock& block : in)
      for (llvm::Instruction& each : block) {
        auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
        llvm::Function* const called = call == nullptr ? nullptr : call->getCalledFunction();
        if (called == nullptr || called->isDeclaration()) continue;
        const callee& small = callee_of(*called);
        if (small.code != nullptr && std::ranges::none_of(small.nodes, [&](auto n) { return nodes.contains(n); }))
          calls.emplace_back(call, small.code);
      }
    bool has_inlined = false;
    for (const auto& [call, code] : calls) {
      if (in.getInstructionCount() > largest_with_inlined) break;
      call->setCalledFunction(code);
      llvm::InlineFunctionInfo how;
      has_inlined = llvm::InlineFunction(*call, how).isSuccess() || has_inlined;
    }
    functions_.clear(in, in.getName());
    return has_inlined;
  }

  void forget(llvm::Function* function) {
    functions_.clear(*function, function->getName());
    function->eraseFromParent();
  }

  /// All mutants around which the same function's node is on.
  void compare_group(llvm::Function& function, std::uint32_t twice, const std::vector<std::size_t>& group) {
    switches ours{{}, true, std::nullopt};
    std::set<std::uint32_t> wanted;
    for (const std::size_t i : group) wanted.insert(mutants_[i].node);
    for (const std::uint32_t node : nodes_in(function))
      if (!wanted.contains(node)) ours.known[node] = node == twice;
    ours.others_are_off = false;
    llvm::Function* base = copy_with(function, ours);
    simplify_.run(*base, functions_);
    wanted.insert(twice);
    for (int round = 0; round < most_rounds && inline_calls(*base, wanted); ++round) simplify_.run(*base, functions_);
    if (!reads_single_nodes(*base)) {
      forget(base);
      base = copy_with(function, ours);
    }

    struct kept {
      llvm::Function* code;
      std::string name;
    };
    std::map<std::uint64_t, std::vector<kept>> known;
    const auto name_of = [&](const switches& on, const std::string& name) {
      llvm::Function* const code = copy_with(*base, on);
      optimize_.run(*code, functions_);
      std::vector<kept>& same = known[hash_of(*code)];
      for (const kept& each : same) {
        llvm::GlobalNumberState numbers;
        if (llvm::FunctionComparator(each.code, code, &numbers).compare() != 0) continue;
        forget(code);
        return each.name;
      }
      same.push_back({code, name});
      return name;
    };
    name_of({{}, true, 0}, "=");
    const bool is_instance = is_of_a_template(function);
    for (const std::size_t i : group) {
      const std::string name =
          name_of({{{mutants_[i].node, true}}, true, mutants_[i].alternative},
                  std::to_string(mutants_[i].node) + ':' + std::to_string(mutants_[i].alternative));
      mutant_code& code = codes_[i];
      // An instance of a template says nothing of those that other programs have.
      code.is_original = name == "=" && !is_instance && (code.code.empty() || code.is_original);
      code.code += name + ' ';
    }
    for (const auto& [hash, same] : known)
      for (const kept& each : same) forget(each.code);
    forget(base);
  }

  void compare(llvm::Function& function) {
    std::map<std::uint32_t, std::vector<std::size_t>> groups;  // by the node of the function around
    for (const std::uint32_t node : nodes_in(function)) {
      const auto here = by_node_.find(node);
      if (here == by_node_.end()) continue;
      for (const std::size_t i : here->second)
        groups[mutants_[i].function_node == node ? no_node : mutants_[i].function_node].push_back(i);
    }
    for (const auto& [twice, group] : groups) compare_group(function, twice, group);
  }

  llvm::Module& module_;
  std::span<const compared_mutant> mutants_;
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::FunctionPassManager optimize_;
  llvm::FunctionPassManager simplify_;
  std::map<std::uint32_t, std::vector<std::size_t>> by_node_;
  std::map<const llvm::Function*, callee> callees_;
  const llvm::GlobalVariable* nodes_ = nullptr;
  std::vector<mutant_code> codes_;
};

}  // namespace

unit_comparison compare_code(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
                             std::span<const compared_mutant> mutants) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  unit_comparison result;
  std::vector<std::string> with_code = options;
  with_code.insert(with_code.end(), {"-O2", "-fno-finite-loops", "-Xclang", "-disable-llvm-passes"});
  run_clang(of, tree, with_code, std::make_unique<emitting_action>(context, module), result.errors);
  if (module == nullptr || !result.errors.empty()) {
    result.mutants.resize(mutants.size());
    return result;
  }
  result.mutants = code_comparison(*module, mutants).run();
  return result;
}

}  // namespace morph::source
