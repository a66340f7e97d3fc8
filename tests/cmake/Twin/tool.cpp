int objects();

int main() {
  return objects();
}
