// LLVM's disassembler and what its tables say of operands.
#include "coverage/object/read/decoder.hpp"

#include <llvm/Config/llvm-config.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "coverage/object/read/common_x86.hpp"

namespace morph::object {
namespace {

#if LLVM_VERSION_MAJOR >= 22
using target_name = llvm::Triple;
#else
using target_name = std::string;
#endif

const llvm::Target& target_named(const target_name& triple) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64Disassembler();
  });
  std::string error;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) std::abort();  // linked above
  return *target;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

void append_number(std::string& to, std::int64_t number) {
  std::array<char, 20> digits;
  to.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

// The forms that compilers give __LINE__: mov $imm32, register or memory.
void find_x86_constant(std::string_view code, instruction& found) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(code[i]); };
  const std::size_t prefix = (byte(0) & 0xf0) == 0x40 ? 1 : 0;  // REX
  if (found.size < prefix + 5) return;
  const bool wide = prefix == 1 && (byte(0) & 8) != 0;
  const unsigned char opcode = byte(prefix);
  const bool to_register = opcode >= 0xb8 && opcode <= 0xbf && !wide && found.size == prefix + 5;
  const bool to_either = opcode == 0xc7 && found.size >= prefix + 6;
  if (!to_register && !to_either) return;
  found.has_constant = true;
  found.constant_field = found.size - 4;
  found.constant = word_at(code, found.constant_field);
  const bool in_memory = to_either && (byte(prefix + 1) & 0xc0) != 0xc0;
  const unsigned low = (to_register ? opcode : byte(prefix + 1)) & 7U;
  const unsigned of_register = low + (prefix == 1 && (byte(0) & 1) != 0 ? 8 : 0);
  // RDI, RSI, RDX, RCX, R8, R9.
  const bool passes = of_register == 7 || of_register == 6 || of_register == 2 || of_register == 1 ||
                      of_register == 8 || of_register == 9;
  found.constant_to = in_memory ? constant_place::memory
                      : passes  ? constant_place::argument
                                : constant_place::elsewhere;
}

// movz with 16 bits and no shift.
constexpr std::uint32_t movz_mask = 0x7fe00000, movz = 0x52800000, movz_constant = 0xffff << 5;

void find_aarch64_constant(std::string_view code, instruction& found) {
  const std::uint32_t word = word_at(code, 0);
  if ((word & movz_mask) != movz) return;
  found.has_constant = true;
  found.constant = (word & movz_constant) >> 5;
  if ((word & 31) <= 7) found.constant_to = constant_place::argument;
}

}  // namespace

struct decoder::state {
  state(machine target_machine, decoding how)
      : machine_(target_machine),
        quick(how == decoding::quick && target_machine == machine::x86_64),
        triple(target_machine == machine::x86_64 ? "x86_64-linux-gnu" : "aarch64-linux-gnu"),
        target(target_named(triple)),
        registers(target.createMCRegInfo(triple)),
        assembly(target.createMCAsmInfo(*registers, triple, llvm::MCTargetOptions())),
        // Every extension: an instruction that is not known cannot tell where it ends.
        subtarget(target.createMCSubtargetInfo(triple, "", target_machine == machine::x86_64 ? "" : "+all")),
        context(llvm::Triple(triple), assembly.get(), registers.get(), subtarget.get()),
        disassembler(target.createMCDisassembler(*subtarget, context)),
        instructions(target.createMCInstrInfo()),
        analysis(target.createMCInstrAnalysis(instructions.get())) {
    for (unsigned i = 1; i < registers->getNumRegs(); ++i) {
      const llvm::StringRef of = registers->getName(i);
      if (of == "RSP" || of == "RBP" || of == "SP" || of == "FP" || of == "ESP" || of == "EBP")
        stack_registers.push_back(i);
    }
  }

  void decode();
  /// After LLVM decoded it, if it did not yet.
  const state& whole() {
    if (common.size > 0 && size == 0) decode();
    return *this;
  }
  const llvm::MCInstrDesc& description() const { return instructions->get(inst.getOpcode()); }
  llvm::StringRef name() const { return instructions->getName(inst.getOpcode()); }
  std::optional<unsigned> memory_operand() const {
    // LLVM's tables do not call what LEA takes memory.
    if (name().starts_with("LEA") && inst.getNumOperands() == 6) return 1;
    const auto operands = description().operands();
    for (unsigned i = 0; i < operands.size(); ++i)
      if (operands[i].OperandType == llvm::MCOI::OPERAND_MEMORY && i + 4 < inst.getNumOperands()) return i;
    return {};
  }
  bool is_stack(const llvm::MCOperand& operand) const {
    return operand.isReg() &&
           std::find(stack_registers.begin(), stack_registers.end(), operand.getReg()) != stack_registers.end();
  }

  machine machine_;
  bool quick;
  target_name triple;
  const llvm::Target& target;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  llvm::MCContext context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis;
  std::vector<unsigned> stack_registers;

  std::string_view code;
  std::uint64_t address = 0;
  common_instruction common;  // of size 0 if it is none of these

  // By LLVM:
  llvm::MCInst inst;
  std::uint64_t size = 0;
  bool known = false;
};

void decoder::state::decode() {
  inst.clear();
  inst.setFlags(0);
  size = 0;
  const auto status = disassembler->getInstruction(
      inst, size, {reinterpret_cast<const std::uint8_t*>(code.data()), code.size()}, address, llvm::nulls());
  known = status != llvm::MCDisassembler::Fail && size > 0 && size <= code.size();
}

decoder::decoder(machine target, decoding how) : state_(std::make_unique<state>(target, how)) {}
decoder::~decoder() = default;
decoder::decoder(decoder&&) noexcept = default;

instruction decoder::decode(std::string_view code, std::uint64_t address) {
  state& s = *state_;
  s.code = code;
  s.address = address;
  s.size = 0;
  instruction found;
  s.common = s.quick ? common_x86(code) : common_instruction();
  if (s.common.size > 0) {
    found.known = true;
    found.size = s.common.size;
    find_x86_constant(code, found);
    return found;
  }
  s.decode();
  found.known = s.known;
  if (!s.known) {
    const std::size_t least = s.machine_ == machine::x86_64 ? 1 : 4;
    s.size = found.size = static_cast<std::uint32_t>(least < code.size() ? least : code.size());
    return found;
  }
  found.size = static_cast<std::uint32_t>(s.size);
  if (s.machine_ == machine::x86_64)
    find_x86_constant(code, found);
  else
    find_aarch64_constant(code, found);
  return found;
}

std::optional<code_target> decoder::target() const {
  const state& s = *state_;
  if (const common_instruction& common = s.common; common.size > 0) {
    if (common.distance_size == 0) return {};
    const std::uint32_t field = common.size - common.distance_size;
    const std::int64_t distance = common.distance_size == 1 ? static_cast<std::int8_t>(s.code[field])
                                                            : static_cast<std::int32_t>(word_at(s.code, field));
    return code_target{s.address + common.size + static_cast<std::uint64_t>(distance), field, common.distance_size};
  }
  if (!s.known) return {};
  const auto size = static_cast<std::uint32_t>(s.size);
  std::uint64_t address = 0;
  const llvm::MCInstrDesc& description = s.description();
  if ((description.isBranch() || description.isCall()) &&
      s.analysis->evaluateBranch(s.inst, s.address, s.size, address)) {
    const std::uint32_t field = size < 5 ? 1 : 4;
    if (s.machine_ == machine::x86_64) return code_target{address, size - field, field};
    return code_target{address, 0, 4};
  }
  if (s.machine_ == machine::x86_64) {
    const auto read = s.analysis->evaluateMemoryOperandAddress(s.inst, s.subtarget.get(), s.address, s.size);
    const auto field = read ? s.analysis->getMemoryOperandRelocationOffset(s.inst, s.size) : std::nullopt;
    if (!field || *field + 4 > s.size) return {};
    return code_target{*read, static_cast<std::uint32_t>(*field), 4};
  }
  const llvm::StringRef name = s.name();
  const bool whole = name == "ADR", literal = name.starts_with("LDR") && name.ends_with("l");
  if (!whole && !literal) return {};
  const llvm::MCOperand& last = s.inst.getOperand(s.inst.getNumOperands() - 1);
  if (!last.isImm()) return {};
  return code_target{s.address + static_cast<std::uint64_t>(last.getImm() * (whole ? 1 : 4)), 0, 4};
}

bool decoder::is_direct() const {
  const state& s = *state_;
  if (s.common.size > 0) return s.common.is_direct;
  if (!s.known || s.machine_ != machine::x86_64 || s.name().starts_with("LEA")) return false;
  const auto memory = s.memory_operand();
  if (!memory) return false;
  const llvm::MCOperand& base = s.inst.getOperand(*memory);
  const llvm::MCOperand& index = s.inst.getOperand(*memory + 2);
  const bool fixed =
      base.isReg() && (base.getReg() == 0 || llvm::StringRef(s.registers->getName(base.getReg())) == "RIP");
  return fixed && index.isReg() && index.getReg() == 0;
}

flow decoder::control() const {
  const state& s = *state_;
  if (s.common.size > 0) return s.common.control;
  if (!s.known) return flow::unknown;
  const llvm::MCInstrDesc& description = s.description();
  if (description.isCall()) return flow::call;
  if (description.isIndirectBranch()) return flow::unknown;
  if (description.isReturn() || (description.isTrap() && description.isBarrier())) return flow::end;
  if (s.name().starts_with("UD")) return flow::end;
  if (description.isUnconditionalBranch()) return flow::jump;
  return description.isBranch() ? flow::branch : flow::next;
}

bool decoder::is_padding() const {
  const state& s = state_->whole();
  if (!s.known) return false;
  const llvm::StringRef name = s.name();
  if (name.starts_with("NOOP") || name == "INT3" || name == "XCHG16ar") return true;
  return name == "HINT" && s.inst.getNumOperands() == 1 && s.inst.getOperand(0).isImm() &&
         s.inst.getOperand(0).getImm() == 0;
}

bool decoder::stores() const {
  const state& s = state_->whole();
  return s.known && s.description().mayStore();
}

std::string decoder::canonical(bool relocated) const {
  const state& s = state_->whole();
  if (!s.known) return "?";
  const std::string_view name(s.name().data(), s.name().size());
  const bool any_distance = name.starts_with("JMP_") || name.starts_with("JCC_");  // how far it goes is no matter
  std::string text;
  text.reserve(64);
  text += any_distance ? name.substr(0, 3) : name;
  const auto memory = s.machine_ == machine::x86_64 ? s.memory_operand() : std::nullopt;
  bool on_stack = false;
  for (const llvm::MCOperand& operand : s.inst) on_stack |= s.is_stack(operand);
  const bool goes = !relocated && target().has_value();
  for (unsigned i = 0; i < s.inst.getNumOperands(); ++i) {
    const llvm::MCOperand& operand = s.inst.getOperand(i);
    if (operand.isReg()) {
      text += ' ';
      text += operand.getReg() == 0 ? "-" : s.registers->getName(operand.getReg());
    } else if (operand.isImm()) {
      const bool displacement = memory && i == *memory + 3 && s.is_stack(s.inst.getOperand(*memory));
      const bool frame = !memory && on_stack && (s.machine_ == machine::aarch64 || s.is_stack(s.inst.getOperand(0)));
      if (goes && (!memory || i == *memory + 3)) {
        text += " target";
      } else {
        text += displacement || frame ? " stack" : " ";
        append_number(text, operand.getImm());
      }
    } else {
      text += " ?";
    }
  }
  return text;
}

}  // namespace morph::object
