// Specs: the morphisms of each spec, its cases, and what its relations found.
import { button, fill, h } from "./dom.js";
import { placeholder } from "./controls.js";

export const specsScreen = {
  name: "specs",
  title: "Specs",
  about: "metamorphic specs: morphisms, cases, violations",
  words: () => ["spec", "list"],
  open(app) {
    const waiting = h("div", {});
    const update = () => {
      const entry = app.want(["spec", "list"]);
      fill(waiting, [entry.status, entry.error], () => placeholder(entry, "spec"));
    };
    return {element: h("div", {class: "fill"}, waiting), update};
  },
};
