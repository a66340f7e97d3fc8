int shared() {
  return 2;
}
