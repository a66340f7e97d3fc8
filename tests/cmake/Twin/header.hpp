#pragma once

inline int header(int x) {
  return x > 1 ? x : 1;
}
