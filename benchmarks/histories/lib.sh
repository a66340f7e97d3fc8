# Recipes for checkouts of projects with their histories (NAME.sh beside this file, else the one in subjects/): like those of subjects/,
# but what they add fits revisions of several years. They say what differs from the subject's recipe and why.

# history_name CHECKOUT: what the project is called, by its folder
history_name() {
  local name
  name=$(basename "${1%/.git}")
  if [ "$name" = repo ]; then name=$(basename "$(dirname "$1")"); fi
  echo "${name##*+}"
}

# history_recipe NAME: the recipe's file, or nothing
history_recipe() {
  local folder
  for folder in histories subjects; do
    if [ -f "benchmarks/$folder/$1.sh" ]; then echo "benchmarks/$folder/$1.sh"; return; fi
  done
}
