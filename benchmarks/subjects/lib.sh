# Getting a subject: a real project out of Debian's source packages, as a git repository with Morph added.
# A recipe (NAME.sh beside this file) sets some of these and defines subject_add_morph, subject_change and subject_fault.
subject_package=           # Debian's name of it
subject_options=()         # of `apt-get source`: --tar-only where the package keeps no unpacked tree
subject_configure=()       # CMake options
subject_target=            # what to build, separated by blanks; empty: everything
subject_mutated=           # pattern of the files to plant faults in; empty: the sources of the production code
subject_suite=             # names of the suites that the recipe adds
subject_kind=              # for the table: framework, and what is special about it
subject_ctest=()           # options for its own ctest, before Morph
subject_ctest_morph=()     # options for ctest -L morph
subject_tests=0            # tests in the plan
subject_affected=()        # the tests that the change affects, worked out by reading the sources
subject_extra=0            # how many more the line rules may select; the recipe says why
subject_prepare() { :; }   # changes before the first commit

# debian_source FOLDER ARGUMENT...: `apt-get source` there, with a list of source packages made from the machine's own.
debian_source() {
  local into=$1 lists=$1/sources file
  mkdir -p "$into/lists/partial"
  : >"$lists.sources"
  : >"$lists.list"
  for file in /etc/apt/sources.list.d/*.sources; do
    if [ -f "$file" ]; then sed 's/^Types:.*/Types: deb-src/' "$file" >>"$lists.sources"; echo >>"$lists.sources"; fi
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    if [ -f "$file" ]; then sed -n 's/^deb /deb-src /p' "$file" >>"$lists.list"; fi
  done
  if [ -s "$lists.sources" ]; then lists=$lists.sources; else lists=$lists.list; fi
  local options=(-o "Dir::Etc::sourcelist=$lists" -o Dir::Etc::sourceparts=- -o "Dir::State::Lists=$into/lists")
  apt-get -qq "${options[@]}" update
  (cd "$into" && apt-get -qq "${options[@]}" source "${@:2}" >/dev/null 2>&1)
}

# Fetches and unpacks the package's source into $1.
subject_get() {
  local into=$1
  if [ -d "$into" ]; then return 0; fi
  debian_source "$into.download" "${subject_options[@]}" "$subject_package"
  if [[ " ${subject_options[*]} " == *" --tar-only "* ]]; then tar -C "$into.download" -xf "$into.download/$subject_package"_*.orig.tar.*; fi
  mv "$into.download/$subject_package"-*/ "$into"
  rm -rf "$into.download"
}

# Makes $1 a git repository.
subject_git() { git -C "$1" -c user.name=demo -c user.email=demo@example.invalid -c commit.gpgsign=false "${@:2}"; }
subject_commit() {
  subject_git "$1" add -A
  subject_git "$1" commit -q -m "$2"
}

# $1 is the subject with Morph added, in one commit.
subject_with_morph() {
  if [ -d "$1/.git" ]; then return 0; fi
  subject_get "$1"
  subject_git "$1" init -q
  subject_prepare "$1"
  subject_add_morph "$1"
  subject_commit "$1" "With Morph"
}

# $prefix is where Morph is installed: as it says, or that of build/release, in the folder $1.
subject_find_morph() {
  if [ -n "$prefix" ]; then
    prefix=$(realpath "$prefix")
  else
    prefix=$1/prefix
    cmake --install build/release --prefix "$prefix" >/dev/null
  fi
}

# Configures and builds the source $1 in $2, as the recipe says and with the other arguments, by the Morph in $prefix.
subject_build() {
  local launcher=()
  if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  # shellcheck disable=SC2086  # several targets, separated by blanks
  cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "${subject_configure[@]}" "${launcher[@]}" \
    -DCMAKE_PREFIX_PATH="$prefix" "${@:3}" && cmake --build "$2" ${subject_target:+--target $subject_target}
}

# Has the CMakeLists.txt $1 take the machine's GoogleTest instead of that in third_party.
subject_installed_googletest() {
  sed -i -e 's|^ *add_subdirectory("third_party/googletest")|  find_package(GTest REQUIRED)\n  foreach(library gtest gmock gtest_main gmock_main)\n    add_library(${library} ALIAS GTest::${library})\n  endforeach()|' \
    -e '/set_property(TARGET g[a-z]*$/,/-W.*)/d' "$1"
}
