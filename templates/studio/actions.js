// All that the palette finds: screens, commands, and what belongs to the current screen and to running commands.

/// Commands that the pages offer by a title; the screens' buttons are some of them.
export const commands = {
  runSelected: {title: "Run the selected tests", words: ["ctest", "-L", "morph", "--output-on-failure"]},
  rerunFailed: {title: "Rerun the failed tests", words: ["ctest", "--rerun-failed", "--output-on-failure"]},
  runAll: {title: "Run all tests", words: ["ctest", "--output-on-failure"]},
  planAgain: {title: "Plan again", words: ["plan"]},
  planBeforeBuild: {title: "Plan before the build", words: ["plan", "--before-build"]},
  measure: {title: "Measure what tests execute", words: ["measure"]},
  coverageAgain: {title: "Report coverage again", words: ["report", "coverage"]},
  mutate: {title: "Judge mutants", words: ["mutate"]},
  mutateChanged: {title: "Judge mutants of changed functions", words: ["mutate", "--diff"]},
  mutationAgain: {title: "Report mutation again", words: ["report", "mutation"]},
  explain: {title: "Explain survivors", words: ["explain", "--most", "50"]},
  listSpecs: {title: "List specs again", words: ["spec", "list"]},
  scout: {title: "Find relations in tests", words: ["scout"]},
  scoutObserved: {title: "Confirm relations by a run", words: ["scout", "--observe"]},
  scoutSpecs: {title: "Try relations as specs", words: ["scout", "--specs"]},
  scoutRank: {title: "Rank written relations", words: ["scout", "--rank"]},
  runSpecs: {title: "Run all specs", words: ["spec", "run"]},
  record: {title: "Record the verdicts of the last ctest run", words: ["record"]},
  audit: {title: "Compare the last run of all tests with the plan", words: ["plan", "--audit"]},
  doctor: {title: "Check what Morph needs", words: ["doctor"]},
  storeInfo: {title: "Show what the store holds", words: ["store", "info"]},
};

export function allActions(app, screens) {
  const list = screens.map(screen => ({
    title: "Go to " + screen.title,
    hint: screen.about,
    run: () => app.router.go(screen.name),
  }));
  for (const command of app.screen.actions ? app.screen.actions(app) : []) list.push(command);
  for (const run of app.runs.running()) list.push({title: "Stop " + run.line, hint: "running", run: () => app.stop(run.id)});
  for (const {title, words} of Object.values(commands))
    list.push({title, hint: (words[0] === "ctest" ? "" : "morph ") + words.join(" "), run: () => app.bar.offer(words, title)});
  list.push({
    title: "Copy the address of this view",
    hint: "with its filters, without the token",
    run: () => app.copyAddress(),
  });
  return list;
}
