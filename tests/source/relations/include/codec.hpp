// Free functions of one header, which tests relate.
#pragma once
#include <string>
std::string encode(const std::string& text);
std::string decode(const std::string& text);
int checksum(const std::string& text);
int checksum_on(int before, const std::string& text);
int version();
