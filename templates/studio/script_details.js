// Scripts: the steps of one, how they ended when it was last played here, and its text to edit.
import {placeholder} from "./controls.js";
import {button, fill, h} from "./dom.js";
import {commandLine, seconds} from "./format.js";
import {endOf} from "./runs.js";

/// What commands call it: its name, or its path where another has that name.
function nameOf(row, rows) {
  return rows.filter(one => one.name === row.name).length === 1 ? row.name : row.path;
}

/// The newest run that played it: the document of its steps, or nothing.
function lastPlay(app, name) {
  const run = [...app.runs.all.values()]
    .reverse()
    .find(one => !one.reads && one.arguments[0] === "script" && one.arguments[1] === "play" && one.arguments[2] === name);
  const entry = run && run.state === "ended" ? app.documents.outputOf(run) : null;
  return {run, steps: (entry && entry.value && entry.value.steps) || []};
}

function stepTable(steps, played) {
  const ended = (step, i) => {
    const same = played[i] && played[i].line === step.line && commandLine(played[i].words) === commandLine(step.words);
    return same ? played[i] : null;
  };
  const row = (step, i) => {
    const end = ended(step, i);
    const failed = end && !/^exit 0|, which may be$/.test(end.status);
    return h(
      "tr",
      {},
      h("td", {class: "right"}, String(i + 1)),
      h("th", {scope: "row"}, h("code", {}, (step.may_fail ? "try " : "") + commandLine(step.words))),
      h("td", {}, end ? h("span", {class: failed ? "tag failed" : "tag passed"}, end.status) : ""),
      h("td", {class: "right"}, end && end.status !== "not run" ? seconds(end.seconds) : ""),
    );
  };
  const heads = ["step", "command", "ended", "time"];
  return h(
    "div",
    {class: "scroll", tabindex: 0, role: "region", "aria-label": "Steps"},
    h(
      "table",
      {class: "steps"},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map(head => h("th", {scope: "col"}, head)),
        ),
      ),
      h("tbody", {}, steps.map(row)),
    ),
  );
}

/// {update(row, isOpen, rows)}; a row with isNew has no file yet.
export function makeScriptDetails(app, details) {
  const name = h("input", {type: "text", spellcheck: "false", class: "name", "aria-label": "name of the new script"});
  const text = h("textarea", {
    rows: 12,
    spellcheck: "false",
    "aria-label": "text of the script",
    onkeydown: event => event.key === "Escape" && event.stopPropagation(),
  });
  const keep = button("Keep this text", () => {
    const target = edited.isNew ? name.value.trim() : edited.name;
    if (target === "") return void name.focus();
    app.bar.offer(["script", "edit", target, "--text", text.value], "Keep the script");
  });
  const play = button("Play", () => app.bar.offer(["script", "play", edited.name], "Play the script"), {class: "main"});
  const state = h("div", {}),
    steps = h("div", {});
  const nameField = h("label", {class: "field"}, "Name ", name);
  details.body.append(h("div", {class: "buttons"}, nameField, play, keep), state, steps, h("h3", {}, "Text"), text);
  let edited = {},
    taken = null;
  /// The text of the file, unless the reader has changed what stands here; until it is known nothing can be typed.
  const takeText = (key, fresh) => {
    if (taken && taken.key !== key) taken = null;
    const isChanged = taken && taken.text !== text.value && text.value !== fresh;
    if (fresh !== undefined && !isChanged && (!taken || taken.text !== fresh)) {
      taken = {key, text: fresh};
      if (text.value !== fresh) text.value = fresh;
    }
    text.disabled = keep.disabled = !taken;
  };
  const update = (row, isOpen, rows) => {
    details.element.hidden = !isOpen;
    if (!isOpen) return void (taken = null);
    const isNew = Boolean(row && row.isNew);
    edited = row ? {isNew, name: isNew ? "" : nameOf(row, rows)} : {name: ""};
    fill(details.title, [isNew, edited.name], () => (isNew ? "New script" : edited.name || "No such script"));
    nameField.hidden = !isNew;
    play.hidden = isNew || !row || Boolean(row.error);
    keep.hidden = text.hidden = !row;
    if (!row) return void fill(steps, "none", () => h("p", {}, "No list of scripts has it now."));
    if (isNew) {
      takeText("new", "# What it is for.\n" + app.draft.map(line => line + "\n").join(""));
      fill(state, "new", () => h("p", {class: "quiet"}, "Add to script in the bar puts a command here."));
      return void fill(steps, "new", () => null);
    }
    const shown = app.want(["script", "show", edited.name]),
      plan = app.want(["script", "play", "--dry-run", edited.name]);
    takeText(row.path, shown.value && shown.value.text);
    const {run, steps: played} = lastPlay(app, edited.name);
    fill(state, [row.path, run && run.id, run && endOf(run)], () => [
      h("p", {class: "path quiet"}, row.path),
      run && h("p", {}, "Last play here: ", h("a", {href: "#/activity?run=" + run.id}, endOf(run))),
    ]);
    fill(
      steps,
      [row.path, plan.status, plan.error, plan.value && plan.value.steps, played],
      () =>
        placeholder(plan, "list of steps") || [
          h("h3", {}, `Steps: ${plan.value.steps.length}`),
          stepTable(plan.value.steps, played),
        ],
    );
  };
  return {update};
}
