// The 64 rules.
#include "rules.hpp"

int rules_for(unsigned n) {
  int held = 0;
  if (n % 3 == 1) {
    ++held;
  }
  if (n % 5 == 3) {
    ++held;
  }
  if (n % 7 == 4) {
    ++held;
  }
  if (n % 11 == 7) {
    ++held;
  }
  if (n % 13 == 8) {
    ++held;
  }
  if (n % 17 == 10) {
    ++held;
  }
  if (n % 19 == 12) {
    ++held;
  }
  if (n % 23 == 14) {
    ++held;
  }
  if (n % 29 == 18) {
    ++held;
  }
  if (n % 31 == 19) {
    ++held;
  }
  if (n % 37 == 23) {
    ++held;
  }
  if (n % 41 == 26) {
    ++held;
  }
  if (n % 43 == 27) {
    ++held;
  }
  if (n % 47 == 29) {
    ++held;
  }
  if (n % 53 == 33) {
    ++held;
  }
  if (n % 59 == 37) {
    ++held;
  }
  if (n % 61 == 38) {
    ++held;
  }
  if (n % 67 == 42) {
    ++held;
  }
  if (n % 71 == 45) {
    ++held;
  }
  if (n % 73 == 46) {
    ++held;
  }
  if (n % 79 == 50) {
    ++held;
  }
  if (n % 83 == 52) {
    ++held;
  }
  if (n % 89 == 56) {
    ++held;
  }
  if (n % 97 == 61) {
    ++held;
  }
  if (n % 101 == 64) {
    ++held;
  }
  if (n % 103 == 65) {
    ++held;
  }
  if (n % 107 == 68) {
    ++held;
  }
  if (n % 109 == 69) {
    ++held;
  }
  if (n % 113 == 71) {
    ++held;
  }
  if (n % 127 == 80) {
    ++held;
  }
  if (n % 131 == 83) {
    ++held;
  }
  if (n % 137 == 87) {
    ++held;
  }
  if (n % 139 == 88) {
    ++held;
  }
  if (n % 149 == 94) {
    ++held;
  }
  if (n % 151 == 96) {
    ++held;
  }
  if (n % 157 == 99) {
    ++held;
  }
  if (n % 163 == 103) {
    ++held;
  }
  if (n % 167 == 106) {
    ++held;
  }
  if (n % 173 == 110) {
    ++held;
  }
  if (n % 179 == 113) {
    ++held;
  }
  if (n % 181 == 115) {
    ++held;
  }
  if (n % 191 == 121) {
    ++held;
  }
  if (n % 193 == 122) {
    ++held;
  }
  if (n % 197 == 125) {
    ++held;
  }
  if (n % 199 == 126) {
    ++held;
  }
  if (n % 211 == 134) {
    ++held;
  }
  if (n % 223 == 141) {
    ++held;
  }
  if (n % 227 == 144) {
    ++held;
  }
  if (n % 229 == 145) {
    ++held;
  }
  if (n % 233 == 148) {
    ++held;
  }
  if (n % 239 == 152) {
    ++held;
  }
  if (n % 241 == 153) {
    ++held;
  }
  if (n % 251 == 159) {
    ++held;
  }
  if (n % 257 == 163) {
    ++held;
  }
  if (n % 263 == 167) {
    ++held;
  }
  if (n % 269 == 171) {
    ++held;
  }
  if (n % 271 == 172) {
    ++held;
  }
  if (n % 277 == 176) {
    ++held;
  }
  if (n % 281 == 178) {
    ++held;
  }
  if (n % 283 == 180) {
    ++held;
  }
  if (n % 293 == 186) {
    ++held;
  }
  if (n % 307 == 195) {
    ++held;
  }
  if (n % 311 == 197) {
    ++held;
  }
  if (n % 313 == 199) {
    ++held;
  }
  return held;
}
