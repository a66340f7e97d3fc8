// Programs into which no library can be loaded.
#pragma once

#include <filesystem>
#include <string>

namespace morph::system {

/// Whether no loader runs it. False: it is no ELF file, or cannot be read.
bool is_static_program(const std::filesystem::path& file);

/// The program that runs and records a static one; `runtime`: libmorph_probe.so.
std::string tracer_beside(const std::filesystem::path& runtime);

/// doctest stops a traced program where a check fails, as for a debugger.
inline constexpr const char* no_stops_of_doctest = "--no-breaks=true";

}  // namespace morph::system
