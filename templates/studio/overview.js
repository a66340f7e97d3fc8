// Overview: the state of plan, tests, coverage, mutation, specs and store in one look.
import {commands} from "./actions.js";
import {notes, offerButtons, placeholder} from "./controls.js";
import {fill, h, shareBar} from "./dom.js";
import {clock, counted, number, percent, seconds, shortCommit} from "./format.js";
import {splitReason, tally, untimed} from "./model.js";
import {addressOf} from "./route.js";

function figure(value, what, address) {
  return h("li", {}, h("b", {}, value), " ", address ? h("a", {href: address}, what) : what);
}

function share(label, {hit, total}) {
  return h(
    "div",
    {class: "measure"},
    h("span", {}, label),
    shareBar(total ? hit / total : 0),
    h("b", {}, percent(hit, total)),
    h("span", {class: "quiet"}, `${number(hit)} of ${number(total)}`),
  );
}

const stateWords = {
  "unchanged-proven": "nothing changed since the baseline",
  "affected": "every change was understood",
  "stale-widened": "a change was not understood; what it may touch runs",
  "unmeasured-ran-all": "no usable baseline; everything runs",
};

function planCard(plan) {
  const {totals} = plan;
  const reasons = tally(
    plan.tests.filter(test => test.selected).flatMap(test => [...new Set(test.reasons.map(reason => splitReason(reason)[0]))]),
    kind => kind,
  );
  return [
    h("p", {class: "state"}, h("b", {}, plan.state), ": ", stateWords[plan.state] || ""),
    h(
      "ul",
      {class: "figures"},
      figure(
        `${number(totals.selected)} of ${number(totals.total)}`,
        "tests selected",
        addressOf("plan", {decision: "selected"}),
      ),
      figure(seconds(totals.selected_seconds), `of ${seconds(totals.total_seconds)}`),
    ),
    untimed(plan) > 0 && h("p", {class: "quiet"}, `${counted(untimed(plan), "selected test")} of unknown time`),
    h(
      "div",
      {class: "measure"},
      h("span", {}, "time to run"),
      shareBar(totals.total_seconds ? totals.selected_seconds / totals.total_seconds : 0, "busy"),
      h("b", {}, percent(totals.selected_seconds, totals.total_seconds)),
    ),
    reasons.length > 0 &&
      h(
        "ul",
        {class: "plain"},
        reasons
          .slice(0, 6)
          .map(([kind, n]) => h("li", {}, number(n), " ", h("a", {href: addressOf("plan", {reason: kind})}, kind))),
      ),
    plan.base &&
      plan.base.commit &&
      h(
        "p",
        {class: "quiet"},
        `baseline ${shortCommit(plan.base.commit)}`,
        plan.base.distance ? `, ${counted(plan.base.distance, "commit")} back` : "",
      ),
    notes(plan.notes),
  ];
}

function testsCard(plan) {
  const failed = plan.tests.filter(test => test.reasons.some(reason => reason.startsWith("failed-recently")));
  const flaky = plan.tests.filter(test => test.marks.includes("flaky"));
  const slowest = plan.tests
    .filter(test => test.seconds !== null)
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 3);
  return [
    h(
      "ul",
      {class: "figures"},
      figure(number(failed.length), "failed last", addressOf("tests", {show: "failed"})),
      figure(number(flaky.length), "flaky", addressOf("tests", {show: "flaky"})),
    ),
    slowest.length > 0 && [
      h("h3", {}, "Slowest"),
      h(
        "ul",
        {class: "plain"},
        slowest.map(test =>
          h(
            "li",
            {},
            seconds(test.seconds),
            " ",
            h("a", {href: addressOf("tests", {test: test.name, suite: test.suite})}, test.name),
          ),
        ),
      ),
    ],
  ];
}

function coverageCard(coverage) {
  const {totals} = coverage;
  const missing = coverage.files
    .map(file => [file.path, file.totals.lines.total - file.totals.lines.hit])
    .filter(([, n]) => n > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3);
  return [
    ["lines", "branches", "functions", "conditions"]
      .filter(kind => totals[kind].total > 0)
      .map(kind => share(kind, totals[kind])),
    missing.length > 0 && [
      h("h3", {}, "Most lines that no test executes"),
      h(
        "ul",
        {class: "plain"},
        missing.map(([path, n]) => h("li", {}, number(n), " in ", h("a", {href: addressOf("coverage", {file: path})}, path))),
      ),
    ],
    notes(coverage.notes),
  ];
}

function mutationCard(mutation) {
  const {states} = mutation;
  const total = Object.values(states).reduce((sum, n) => sum + n, 0);
  const pseudo = mutation.functions.filter(one => one.tested === "pseudo-tested");
  return [
    mutation.score === null
      ? h("p", {}, "no mutant was judged")
      : h(
          "div",
          {class: "measure"},
          h("span", {}, "score"),
          shareBar(mutation.score),
          h("b", {}, percent(mutation.score, 1)),
          h("span", {class: "quiet"}, `${counted(total, "mutant")}`),
        ),
    h(
      "ul",
      {class: "figures"},
      figure(number(states.survived), "survived", addressOf("mutants", {state: "survived"})),
      figure(number(states["not covered"]), "not covered", addressOf("mutants", {state: "not covered"})),
      figure(number(pseudo.length), "pseudo-tested functions", addressOf("mutants", {tested: "pseudo-tested"})),
    ),
    mutation.missing.length > 0 && notes(mutation.missing),
    h("p", {class: "quiet"}, "judged ", clock(1000 * mutation.at)),
  ];
}

function specsCard(list) {
  const relations = list.specs.reduce((sum, spec) => sum + spec.relations.length, 0);
  return [
    h(
      "ul",
      {class: "figures"},
      figure(number(list.specs.length), list.specs.length === 1 ? "spec" : "specs", addressOf("specs")),
      figure(number(relations), "relations"),
    ),
    h(
      "ul",
      {class: "plain"},
      list.specs
        .slice(0, 6)
        .map(spec =>
          h(
            "li",
            {},
            h("a", {href: addressOf("specs", {spec: spec.name})}, spec.name),
            ` ${counted(spec.relations.length, "relation")}, ${counted(spec.datamorphisms.length, "datamorphism")}`,
          ),
        ),
    ),
  ];
}

function storeCard(store) {
  const last = store.measurements.reduce((newest, one) => (!newest || one.created > newest.created ? one : newest), null);
  return [
    h(
      "ul",
      {class: "figures"},
      figure(number(store.measurements.length), "measurements"),
      figure(number(Math.round(store.bytes / 1024)), "kB"),
    ),
    last &&
      h(
        "p",
        {class: "quiet"},
        `last ${last.created}, commit ${shortCommit(last.commit)}${last.dirty ? " with changes" : ""}: `,
        `${number(last.measured)} of ${counted(last.tests, "test")}`,
      ),
  ];
}

const cards = [
  {title: "Plan", screen: "plan", words: ["plan"], what: "plan", draw: planCard, remedy: [commands.doctor]},
  {title: "Tests", screen: "tests", words: ["plan"], what: "plan", draw: testsCard, remedy: [commands.runAll]},
  {
    title: "Coverage",
    screen: "coverage",
    words: ["report", "coverage"],
    what: "coverage of lines",
    draw: coverageCard,
    remedy: [commands.measure],
  },
  {
    title: "Mutation",
    screen: "mutants",
    words: ["report", "mutation"],
    what: "mutation result",
    draw: mutationCard,
    remedy: [commands.mutate],
  },
  {title: "Specs", screen: "specs", words: ["spec", "list"], what: "spec", draw: specsCard, remedy: []},
  {
    title: "Evidence",
    screen: "",
    words: ["store", "info"],
    what: "evidence store",
    draw: storeCard,
    remedy: [commands.measure],
  },
];

export const overviewScreen = {
  name: "overview",
  title: "Overview",
  about: "the state of everything in one look",
  words: () => ["plan"],
  open(app) {
    const made = cards.map(card => ({card, body: h("div", {})}));
    const element = h(
      "div",
      {class: "cards"},
      made.map(({card, body}, i) =>
        h(
          "section",
          {"aria-labelledby": "card" + i},
          h("h2", {id: "card" + i}, card.screen ? h("a", {href: "#/" + card.screen}, card.title) : card.title),
          body,
        ),
      ),
    );
    return {
      element,
      update: () => {
        for (const {card, body} of made) {
          const entry = app.want(card.words);
          fill(
            body,
            [entry.status, entry.at, entry.error, entry.value !== undefined],
            () => placeholder(entry, card.what, offerButtons(app, card.remedy)) || card.draw(entry.value),
          );
        }
      },
    };
  },
};
