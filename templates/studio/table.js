// A table that draws only the rows in view: 100,000 rows cost as much as fifty. All rows have one height.
import {h} from "./dom.js";

const overscan = 8;
let tables = 0;

/// Columns: {title, width (rem), grow (its part of what is free), text(row), draw(row) (a node or text; default: text),
/// key(row) (for sorting; default: text), right}. Rows are `height` rem high. id(row) is stable over refreshes;
/// onOpen(row) at Enter or a click; onSort(column, down) when the reader sorts.
export class Table {
  constructor({label, columns, id, onOpen, onSort, empty = "nothing to show", height = 1.75}) {
    Object.assign(this, {
      columns,
      id,
      onOpen,
      onSort,
      height,
      name: "table" + ++tables,
      rows: [],
      lower: [],
      order: [],
      shown: [],
      keys: new Map(),
      query: "",
      keep: null,
      column: -1,
      down: false,
      active: -1,
      activeId: null,
    });
    this.body = h("div", {class: "rows", role: "rowgroup"});
    this.head = h(
      "div",
      {class: "head row", role: "row", "aria-rowindex": 1},
      columns.map((column, i) =>
        h(
          "span",
          {role: "columnheader", class: column.right ? "right" : "", "aria-sort": "none"},
          h("button", {type: "button", onclick: () => this.sortByHand(i)}, column.title),
        ),
      ),
    );
    this.nothing = h("p", {class: "nothing", hidden: true}, empty);
    this.grid = h(
      "div",
      {
        class: "grid",
        role: "grid",
        "aria-label": label,
        tabindex: 0,
        onkeydown: event => this.key(event),
        onscroll: () => this.draw(),
        onclick: event => this.click(event),
      },
      h("div", {role: "rowgroup", class: "heads"}, this.head),
      this.body,
    );
    this.element = h("div", {class: "table"}, this.grid, this.nothing);
    this.setWidths();
    new ResizeObserver(() => this.draw()).observe(this.grid);
  }
  setWidths() {
    const {style} = this.grid;
    style.setProperty(
      "--columns",
      this.columns.map(({width, grow}) => (grow ? `minmax(${width}rem, ${grow}fr)` : `${width}rem`)).join(" "),
    );
    style.setProperty("--row", this.height + "rem");
    style.setProperty(
      "--least",
      this.columns.reduce((sum, column) => sum + column.width, 0.75 * (this.columns.length + 1)) + "rem",
    );
  }
  setRows(rows) {
    this.rows = rows;
    this.lower = rows.map(row =>
      this.columns
        .map(column => column.text(row))
        .join("\n")
        .toLowerCase(),
    );
    this.keys.clear();
    this.arrange();
    this.refilter();
  }
  /// Rows that hold all words of the query and for which keep(row) is true.
  filter(query, keep = null) {
    this.query = query;
    this.keep = keep;
    this.grid.scrollTop = 0;
    this.refilter();
  }
  refilter() {
    const words = this.query
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== "");
    const {lower, rows, keep} = this;
    this.shown = this.order;
    for (const word of words) this.shown = this.shown.filter(i => lower[i].includes(word));
    if (keep) this.shown = this.shown.filter(i => keep(rows[i]));
    this.active = this.activeId === null ? -1 : this.shown.findIndex(i => this.id(rows[i]) === this.activeId);
    this.drawn = "";
    this.draw();
  }
  sortByHand(column) {
    this.sort(column, this.column === column ? !this.down : false);
    if (this.onSort) this.onSort(this.column, this.down);
  }
  sort(column, down) {
    if (column === this.column && down === this.down) return;
    this.column = column;
    this.down = down;
    this.arrange();
    this.refilter();
  }
  arrange() {
    [...this.head.children].forEach((cell, i) =>
      cell.setAttribute("aria-sort", i !== this.column ? "none" : this.down ? "descending" : "ascending"),
    );
    const order = Array.from(this.rows, (row, i) => i);
    const column = this.columns[this.column];
    if (column) {
      if (!this.keys.has(column)) this.keys.set(column, this.rows.map(column.key || (row => column.text(row).toLowerCase())));
      const keys = this.keys.get(column),
        sign = this.down ? -1 : 1;
      const none = key => key === null || key === undefined;
      order.sort((a, b) => {
        const x = keys[a],
          y = keys[b];
        if (none(x) || none(y)) return none(x) - none(y) || a - b;
        return x < y ? -sign : x > y ? sign : a - b;
      });
    }
    this.order = order;
  }
  rowHeight() {
    return this.height * parseFloat(getComputedStyle(document.documentElement).fontSize);
  }
  draw() {
    const height = this.rowHeight();
    const first = Math.max(0, Math.floor(this.grid.scrollTop / height) - overscan);
    const last = Math.min(this.shown.length, first + Math.ceil(this.grid.clientHeight / height) + 2 * overscan);
    const drawn = `${first} ${last} ${this.active} ${this.shown.length}`;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.body.style.height = this.shown.length * height + "px";
    this.body.replaceChildren();
    for (let at = first; at < last; ++at) {
      const row = this.rows[this.shown[at]];
      const element = h(
        "div",
        {
          role: "row",
          class: "row",
          id: `${this.name}r${at}`,
          "aria-rowindex": at + 2,
          "data-at": at,
          "aria-selected": String(at === this.active),
        },
        this.columns.map(column =>
          h("span", {role: "gridcell", class: column.right ? "right" : ""}, (column.draw || column.text)(row)),
        ),
      );
      element.style.top = at * height + "px";
      this.body.append(element);
    }
    this.grid.setAttribute("aria-rowcount", this.shown.length + 1);
    if (this.active >= first && this.active < last)
      this.grid.setAttribute("aria-activedescendant", `${this.name}r${this.active}`);
    else this.grid.removeAttribute("aria-activedescendant");
    this.nothing.hidden = this.shown.length > 0;
    this.body.hidden = this.shown.length === 0;
  }
  /// Makes a row the active one and brings it into view, on request into the middle.
  moveTo(at, middle = false) {
    if (this.shown.length === 0) return;
    this.active = Math.max(0, Math.min(this.shown.length - 1, at));
    this.activeId = this.id(this.rows[this.shown[this.active]]);
    const height = this.rowHeight(),
      top = this.active * height,
      room = this.grid.clientHeight - this.head.offsetHeight - height;
    const isBelow = top > this.grid.scrollTop + room;
    if (top < this.grid.scrollTop || isBelow) this.grid.scrollTop = middle ? top - room / 2 : isBelow ? top - room : top;
    this.drawn = "";
    this.draw();
  }
  /// Marks the row with this id, if it is shown; null: none.
  select(id) {
    if (id === this.activeId) return;
    this.activeId = id;
    const at = id === null ? -1 : this.shown.findIndex(i => this.id(this.rows[i]) === id);
    if (at >= 0) return this.moveTo(at, true);
    this.active = -1;
    this.drawn = "";
    this.draw();
  }
  open() {
    const row = this.rows[this.shown[this.active]];
    if (row !== undefined && this.onOpen) this.onOpen(row);
  }
  click(event) {
    const row = event.target.closest("[data-at]");
    if (!row || event.target.closest("a, button")) return;
    this.moveTo(Number(row.dataset.at));
    this.open();
  }
  key(event) {
    if (event.target !== this.grid || event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.grid.clientHeight / this.rowHeight()) - 2);
    const moves = {
      ArrowDown: this.active + 1,
      ArrowUp: Math.max(0, this.active - 1),
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.shown.length - 1,
    };
    if (event.key in moves) this.moveTo(moves[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.open();
    else return;
    event.preventDefault();
  }
}
