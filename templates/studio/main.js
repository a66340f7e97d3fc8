// Starts the page: source, events, router, the frame around the screens.
import {activityScreen} from "./activity.js";
import {adaptiveScreen} from "./adaptive.js";
import {analysisScreen} from "./analysis.js";
import {allActions} from "./actions.js";
import {CommandBar} from "./bar.js";
import {coverageScreen} from "./coverage.js";
import {Documents} from "./documents.js";
import {button, h} from "./dom.js";
import {drawsSometimes} from "./drawing.js";
import {explorationScreen} from "./exploration.js";
import {clock} from "./format.js";
import {historyScreen} from "./history.js";
import {mutantsScreen} from "./mutants.js";
import {overviewScreen} from "./overview.js";
import {optimizerScreen} from "./optimizer.js";
import {Palette} from "./palette.js";
import {planScreen} from "./plan.js";
import {ProgressStrip} from "./progress.js";
import {relationsScreen} from "./relations.js";
import {Router, takeToken} from "./route.js";
import {Runs} from "./runs.js";
import {scriptsScreen} from "./scripts.js";
import {openSource} from "./source.js";
import {specsScreen} from "./specs.js";
import {testsScreen} from "./tests.js";

const allScreens = [
  overviewScreen,
  planScreen,
  testsScreen,
  coverageScreen,
  mutantsScreen,
  relationsScreen,
  specsScreen,
  optimizerScreen,
  scriptsScreen,
  historyScreen,
  activityScreen,
  analysisScreen,
  explorationScreen,
  adaptiveScreen,
];

class App {
  constructor(page) {
    const token = takeToken(page);
    this.source = openSource(page, token);
    const named = name => allScreens.filter(one => one.name === name);
    this.screens = this.source.screens ? this.source.screens.flatMap(named) : allScreens.filter(one => !one.savedOnly);
    this.commands = new Set();
    this.buildFolder = "";
    this.ready = false;
    this.trouble = "";
    this.draft = []; // lines of a script that is not kept yet
    this.draw = drawsSometimes(() => this.drawNow());
    this.runs = new Runs();
    this.documents = new Documents(this.source, this.runs, () => this.draw());
    this.router = new Router(page, () => this.show());
    this.screen = this.screens[0];
    this.bar = new CommandBar(this);
    this.strip = new ProgressStrip(this);
    this.palette = new Palette(this);
    this.said = h("p", {class: "said", role: "status"});
    this.build(page.document);
    if (this.source.live && token === "") this.trouble = "This address has no token. Open the one that `morph studio` printed.";
    else this.source.listen(0, this.listener());
    this.show();
  }
  build(document) {
    this.links = new Map(this.screens.map(screen => [screen.name, h("a", {href: "#/" + screen.name}, screen.title)]));
    this.where = h("span", {class: "quiet where"});
    this.main = h("main", {id: "main", tabindex: -1});
    document.body.replaceChildren(
      h(
        "a",
        {
          class: "skip",
          href: "#main",
          onclick: event => {
            event.preventDefault();
            this.main.focus();
          },
        },
        "Skip to the screen",
      ),
      h(
        "header",
        {},
        h("strong", {class: "brand"}, "Morph"),
        h("nav", {"aria-label": "Screens"}, [...this.links.values()]),
        this.where,
        button(["Find ", h("kbd", {}, "Ctrl K")], () => this.palette.open(), {class: "find"}),
      ),
      this.strip.element,
      this.main,
      h("footer", {}, this.said, this.bar.element),
      this.palette.element,
    );
  }
  listener() {
    return {
      connected: async () => {
        const state = await this.source.state();
        this.until = state.last_event;
        let begin;
        if (state.last_event < this.runs.lastEvent) {
          this.runs.clear();
          this.documents.spoil();
          begin = 0;
        }
        this.commands = new Set(state.commands);
        const name = (state.repository || "").split("/").pop();
        this.where.textContent = [name, state.saved && `as of ${clock(state.saved)}`].filter(Boolean).join(", ");
        this.where.title = state.build || state.repository || "";
        this.buildFolder = state.build || "";
        for (const run of state.runs) this.runs.take(run);
        this.documents.forgetAsked();
        if (this.trouble !== "") this.say("connected again");
        this.trouble = "";
        if (this.runs.lastEvent >= this.until || (begin === 0 && this.until === 0)) this.ready = true;
        setTimeout(() => {
          this.ready = true;
          this.draw();
        }, 1500);
        this.draw();
        return begin;
      },
      lost: (why, seconds) => {
        this.trouble = `Connection lost: ${why}. What is shown may be old. Trying again ${seconds < 1 ? "now" : `in ${seconds} s`}.`;
        this.draw();
      },
      refused: why => {
        this.trouble = `The server refuses this page: ${why}. Was it started again? Open the address that it printed.`;
        this.draw();
      },
      event: (id, event) => this.event(id, event),
    };
  }
  event(id, event) {
    if (event.type === "missed")
      return void this.source.state().then(state => {
        for (const run of state.runs) this.runs.take(run);
        for (const run of state.runs) if (run.state === "ended") this.documents.ended(run);
        this.spoiled = true;
        this.draw();
      });
    if (this.runs.feed(id, event)) this.spoiled = this.ready;
    if (event.type === "run-ended") this.documents.ended(event.run);
    if (id >= this.until) this.ready = true;
    this.draw();
  }
  /// Interrupts a run; the second time kills it. True if the server took it.
  async stop(id) {
    try {
      await this.source.stop(id);
      return true;
    } catch (error) {
      this.say("not stopped: " + error.message);
      return false;
    }
  }
  canRun(words) {
    return this.source.live && this.commands.has(words[0]);
  }
  actions() {
    return allActions(this, this.screens);
  }
  /// The document, if it may be asked for yet.
  want(words) {
    return this.ready ? this.documents.want(words) : {words, status: "loading", value: undefined, error: ""};
  }
  /// Follows the address.
  show() {
    const screen = this.screens.find(one => one.name === this.router.screen) || this.screens[0];
    if (screen !== this.screen || !this.opened) {
      const navigated = Boolean(this.opened);
      this.screen = screen;
      this.bar.drop();
      this.opened = screen.open(this);
      this.main.className = screen.name;
      this.main.replaceChildren(h("h1", {tabindex: -1}, screen.title), this.opened.element);
      for (const [name, link] of this.links) {
        if (name === screen.name) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
      document.title = `${screen.title} – Morph`;
      if (navigated) this.main.firstChild.focus();
    }
    this.drawNow();
  }
  drawNow() {
    if (this.spoiled && !this.runs.running().some(run => !run.reads)) {
      this.spoiled = false;
      this.documents.spoil();
    }
    this.strip.update();
    if (this.opened) this.opened.update();
    this.bar.update();
    if (this.runs.running().length > 0) this.tick();
  }
  /// Clocks of running commands move without events.
  tick() {
    clearTimeout(this.ticking);
    this.ticking = setTimeout(() => this.draw(), 1000);
  }
  say(text) {
    this.said.textContent = text;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      this.said.textContent = "";
    }, 6000);
  }
  async copyAddress() {
    this.router.write();
    try {
      await navigator.clipboard.writeText(location.href);
      this.say("copied: " + location.href);
    } catch {
      this.say(location.href);
    }
  }
}

window.morph = new App(window);
