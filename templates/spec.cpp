// What has to hold for @function@, whatever its input is.
// `morph spec new` has written this; from here on it is yours. TODO marks what only you can say.
@includes@

@types@
static @output@ call_@name@(const @input@& in) {
@call@
}

MORPH_SPEC(@name@, @input@, @output@, s) {
  s.execute(call_@name@);
@options@
@seeds@
@datamorphisms@
@relations@
}
