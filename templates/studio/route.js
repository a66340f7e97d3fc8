// The address: which screen, with which filters; and the token, which leaves the address at once.

/// "#/plan?state=failed" as {screen, words}.
export function readRoute(fragment) {
  const [path, query = ""] = fragment.replace(/^#\/?/, "").split(/\?(.*)/s);
  return {screen: path || "overview", words: Object.fromEntries(new URLSearchParams(query))};
}

export function addressOf(screen, words = {}) {
  const query = new URLSearchParams(
    Object.entries(words).filter(([, value]) => value !== "" && value !== null && value !== undefined),
  );
  return `#/${screen}${query.size > 0 ? "?" + query : ""}`;
}

/// Moves `#token=...` into the tab's storage, and gives the token that is there.
export function takeToken(page) {
  const found = /^#token=([0-9a-fA-F]+)(?:&(.*))?$/.exec(page.location.hash);
  if (found) {
    page.sessionStorage.setItem("token", found[1]);
    page.history.replaceState(null, "", found[2] ? "#" + found[2] : "#/overview");
  }
  return page.sessionStorage.getItem("token") || "";
}

/// The current route. Filters change at each key press; the address follows a moment later.
export class Router {
  constructor(page, onChange) {
    this.page = page;
    this.onChange = onChange;
    Object.assign(this, readRoute(page.location.hash));
    page.addEventListener("hashchange", () => {
      clearTimeout(this.pending);
      Object.assign(this, readRoute(page.location.hash));
      onChange();
    });
    page.addEventListener("pagehide", () => this.write());
  }
  /// Changes filters of this screen; empty ones leave.
  set(words) {
    this.words = Object.fromEntries(
      Object.entries({...this.words, ...words}).filter(([, value]) => value !== "" && value !== null),
    );
    clearTimeout(this.pending);
    this.pending = setTimeout(() => this.write(), 200);
    this.onChange();
  }
  go(screen, words = {}) {
    this.write();
    this.page.location.hash = addressOf(screen, words);
  }
  write() {
    clearTimeout(this.pending);
    const address = addressOf(this.screen, this.words);
    if (this.page.location.hash !== address) this.page.history.replaceState(null, "", address);
  }
}
