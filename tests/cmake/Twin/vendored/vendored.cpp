int vendored() {
  return 5;
}
