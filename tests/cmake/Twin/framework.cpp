int framework() {
  return 0;
}
