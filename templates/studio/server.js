// The server's requests and its stream of events. A lost stream is opened again and goes on where it ended.

const longestWait = 5000;

export class ServerSource {
  constructor(token) {
    this.live = true;
    this.token = token;
  }
  async request(path, more = {}) {
    const answer = await fetch(path, {cache: "no-store", ...more, headers: {"X-Morph-Token": this.token, ...more.headers}});
    if (answer.ok) return answer;
    const text = await answer.text();
    let message = text;
    try {
      message = JSON.parse(text).message || text;
    } catch {
      /* not JSON: the text itself */
    }
    throw Object.assign(new Error(message || `the server answered ${answer.status}`), {status: answer.status});
  }
  post(path, body) {
    return this.request(path, {method: "POST", body: JSON.stringify(body), headers: {"Content-Type": "application/json"}});
  }
  async state() {
    return (await this.request("/api/state")).json();
  }
  /// `recorded`: it becomes a step of a script that is being recorded.
  async start(words, recorded = true) {
    return (await this.post("/api/runs", {arguments: words, recorded})).json();
  }
  async stop(id) {
    await this.post(`/api/runs/${id}/stop`, {});
  }
  async output(id) {
    return (await this.request(`/api/runs/${id}/output`)).text();
  }
  async file(path) {
    return (await this.request("/api/source?file=" + encodeURIComponent(path))).text();
  }
  async bytes(path) {
    return new Uint8Array(await (await this.request("/api/source?file=" + encodeURIComponent(path))).arrayBuffer());
  }
  async listen(after, listener) {
    for (let failures = 0; ;) {
      let why = "the server closed the connection";
      try {
        const begin = await listener.connected();
        if (begin !== undefined) after = begin;
        failures = 0;
        const answer = await this.request("/api/events", {
          headers: {"Last-Event-ID": String(after), Accept: "text/event-stream"},
        });
        await readEvents(answer.body, (id, event) => {
          if (id > after) after = id;
          listener.event(id, event);
        });
      } catch (error) {
        why = error.status ? error.message : "the server does not answer";
        if (error.status === 401 || error.status === 403) return listener.refused(error.message);
      }
      const wait = Math.min(longestWait, 250 * 2 ** failures++);
      listener.lost(why, wait / 1000);
      await new Promise(done => setTimeout(done, wait));
    }
  }
}

/// Calls found(id, event) for each event of a text/event-stream.
export async function readEvents(stream, found) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      let id = 0;
      const data = [];
      for (const line of block.split(/\r?\n/)) {
        if (line.startsWith("id:")) id = Number(line.slice(3));
        else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      }
      if (data.length > 0) found(id, JSON.parse(data.join("\n")));
    }
  }
}
