int unrelated() {
  return 4;
}
