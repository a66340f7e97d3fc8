// Versions of compilers and of their coverage tools, as these print them.
#pragma once

#include <string>

namespace morph::build {

/// "GNU 12.2.0" -> 12; 0 if there is no number.
int major_version(const std::string& text);
/// Of what `gcov --version` prints: "gcov (Debian 12.2.0-14) 12.2.0" -> 12.
int gcov_major(const std::string& version_text);
/// Of what `llvm-cov --version` prints: "Debian LLVM version 14.0.6" -> 14.
int llvm_cov_major(const std::string& version_text);

}  // namespace morph::build
