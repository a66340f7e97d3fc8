// switch: falling through, with and without default, labels that share a statement, enumerations.
namespace {

int last = 0;
int note(int n) { return last += n; }
enum class color { red, green, blue, black };
enum level : signed char { low = -3, middle = 0, high = 5 };

int with_default(int a, int b) {
  switch (a) {
    case 0: note(1); break;
    case 1: note(2); break;
    default: note(3); break;
  }
  switch (b) {
    case 3: return note(1);
    case 1: return note(2);
    default: return note(3);
  }
}

int without_default(int a, int b) {
  switch (a) {
    case 2: note(1); break;
    case 1: note(2);
  }
  switch (b) {
    case 1:
      note(1);
      break;
    case 3:
      break;
    case 0:
      note(3);
      break;
  }
  return last;
}

int falling(int a, int b) {
  switch (a) {
    case 3:
      note(1);
    case 2:
      note(2);
    case 0:
      note(3);
  }
  switch (b) {
    default:
      note(4);
    case 1:
      note(5);
      break;
    case 2:
      note(6);
  }
  return last;
}

int shared(int a, int b) {
  switch (a) {
    case 0:
    case 2:
      note(1);
      break;
    case 1:
      note(2);
      break;
    case 3:
    default:
      note(3);
  }
  switch (b) {
    case 1: case 2: return note(4);
    default: break;
  }
  return last;
}

int colors(int a, int b) {
  switch (static_cast<color>(a)) {
    case color::red: note(1); break;
    case color::green: return note(2);
    case color::blue: note(3); break;
    case color::black: note(4); break;
  }
  switch (static_cast<level>(b == 0 ? low : b == 1 ? high : middle)) {
    case high: return note(5);
    case low: return note(6);
    case middle: return note(7);
  }
  return last;
}

int in_loop(int a, int b) {
  for (int i = 0; i < a; ++i) {
    switch (i + b) {
      case 1:
        continue;
      case 3:
        return note(1);
      case 2:
        if (a > 2) break;
        note(2);
        break;
      case 4: {
        const int n = b;
        if (n > 1) note(n);
      }
    }
  }
  return last;
}

int wide(int a, int b) {
  switch (static_cast<unsigned long long>(a) - 1) {
    case 18446744073709551615ULL: return note(1);
    case 0: return note(2);
    case 2: return note(3);
  }
  switch (b - 2) {
    case -1: note(1); break;
    case -2: note(2); break;
    case 0: note(3); break;
  }
  switch (int n = a - b; n) {
    case 0: return 1;
    case 1: return 2;
  }
  switch (a > b) {
    case true: note(4); break;
    case false: note(5); break;
  }
  return last;
}

}  // namespace

int run(int a, int b) {
  int sum = 0;
  constexpr int (*all[])(int, int) = {with_default, without_default, falling, shared, colors, in_loop, wide};
  for (auto* each : all) sum += each(a, b);
  return sum;
}
