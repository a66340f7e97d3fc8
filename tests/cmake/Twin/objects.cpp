int objects() {
  return 3;
}
