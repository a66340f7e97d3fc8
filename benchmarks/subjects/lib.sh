# Getting a subject: a real project out of Debian's source packages, as a git repository with Morph added.
# A recipe (NAME.sh beside this file) sets: subject_package, subject_configure, subject_suite, subject_target,
# subject_tests, subject_affected, and defines subject_add_morph, subject_change, subject_fault.

# Fetches and unpacks the package's source into $1, with a list of source packages made from the machine's own.
subject_get() {
  local into=$1 lists
  if [ -d "$into" ]; then return 0; fi
  mkdir -p "$into.download/lists/partial"
  lists=$into.download/sources
  : >"$lists.sources"
  : >"$lists.list"
  local file
  for file in /etc/apt/sources.list.d/*.sources; do
    if [ -f "$file" ]; then sed 's/^Types:.*/Types: deb-src/' "$file" >>"$lists.sources"; echo >>"$lists.sources"; fi
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    if [ -f "$file" ]; then sed -n 's/^deb /deb-src /p' "$file" >>"$lists.list"; fi
  done
  if [ -s "$lists.sources" ]; then lists=$lists.sources; else lists=$lists.list; fi
  local options=(-o "Dir::Etc::sourcelist=$lists" -o Dir::Etc::sourceparts=- -o "Dir::State::Lists=$into.download/lists")
  apt-get -qq "${options[@]}" update
  (cd "$into.download" && apt-get -qq "${options[@]}" source "$subject_package" >/dev/null 2>&1)
  mv "$into.download/$subject_package"-*/ "$into"
  rm -rf "$into.download"
}

# Makes $1 a git repository.
subject_git() { git -C "$1" -c user.name=demo -c user.email=demo@example.invalid -c commit.gpgsign=false "${@:2}"; }
subject_commit() {
  subject_git "$1" add -A
  subject_git "$1" commit -q -m "$2"
}
