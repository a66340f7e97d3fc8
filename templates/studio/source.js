// Where all data come from: the server, or what stands in the page. Both have these members:
//   live                       whether commands can be started
//   state()                    {version, repository, build, commands, runs, last_event}
//   start(words)               the run that was started: {id, line}
//   stop(id)                   asks it to end
//   output(id)                 what a run that has ended printed, as text
//   file(path)                 the text of a source
//   bytes(path)                its bytes
//   listen(after, listener)    calls listener.event(id, event), .connected(), .lost(why, seconds)
import {commandLine} from "./format.js";
import {ServerSource} from "./server.js";

/// Data: {version, repository, documents: [{arguments, output}], sources: {path: text}}.
export class EmbeddedSource {
  constructor(data) {
    this.live = false;
    this.data = data;
  }
  async state() {
    const runs = this.data.documents.map((one, id) => ({
      id,
      line: commandLine(one.arguments),
      arguments: one.arguments,
      state: "ended",
      exit: 0,
      signal: null,
      started: this.data.at || null,
    }));
    return {version: this.data.version, repository: this.data.repository, build: "", commands: [], runs, last_event: 0};
  }
  async start() {
    throw new Error("this page was saved with its data; it starts nothing");
  }
  async stop() {}
  async output(id) {
    const {output} = this.data.documents[id];
    return typeof output === "string" ? output : JSON.stringify(output);
  }
  async file(path) {
    const text = (this.data.sources || {})[path];
    if (text === undefined) throw new Error(`the source of '${path}' is not in this page`);
    return text;
  }
  async bytes(path) {
    throw new Error("images are not in this page");
  }
  listen(after, listener) {
    listener.connected();
  }
}

export function openSource(page, token) {
  const data = page.document.getElementById("data");
  return data ? new EmbeddedSource(JSON.parse(data.textContent)) : new ServerSource(token);
}
