// Starts and stops `morph studio`, and a proxy before it that can go away.
import {spawn} from "node:child_process";
import {readdirSync, readFileSync} from "node:fs";
import http from "node:http";

/// {url, origin, port, token, pid, stop()}
export function startStudio(morph, build, port = 0) {
  const child = spawn(morph, ["studio", "--build", build, "--no-open", "--port", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((done, failed) => {
    let text = "";
    child.once("exit", code => failed(new Error(`morph studio ended with ${code}: ${text}`)));
    child.stdout.on("data", bytes => {
      text += bytes;
      const found = /(http:\/\/127\.0\.0\.1:(\d+))\/#token=([0-9a-f]+)/.exec(text);
      if (!found) return;
      child.removeAllListeners("exit");
      const ended = new Promise(gone => child.once("exit", gone));
      const stop = (signal = "SIGINT") => (child.kill(signal), ended);
      done({url: found[0], origin: found[1], port: Number(found[2]), token: found[3], pid: child.pid, stop});
    });
  });
}

/// A request to the server itself, with any headers: {status, text}.
export function ask(studio, path, {method = "GET", headers = {}, body = ""} = {}) {
  return new Promise((done, failed) => {
    const request = http.request(
      {host: "127.0.0.1", port: studio.port, path, method, headers: {"X-Morph-Token": studio.token, ...headers}},
      answer => {
        let text = "";
        answer.on("data", bytes => {
          text += bytes;
        });
        answer.on("end", () => done({status: answer.statusCode, text}));
      },
    );
    request.on("error", failed);
    request.end(body);
  });
}

export async function stateOf(studio) {
  return JSON.parse((await ask(studio, "/api/state")).text);
}

/// All events that the server keeps, up to the end of a run.
export function eventsUntilEnd(studio, id) {
  return new Promise((done, failed) => {
    const headers = {"X-Morph-Token": studio.token, "Last-Event-ID": "0"};
    const request = http.request({host: "127.0.0.1", port: studio.port, path: "/api/events", headers}, answer => {
      let text = "";
      answer.setEncoding("utf8").on("data", piece => {
        text += piece;
        const events = [...text.matchAll(/^data: ?(.*)$(?=\n)/gm)].map(found => JSON.parse(found[1]));
        if (!events.some(event => event.type === "run-ended" && event.run.id === id)) return;
        request.destroy();
        done(events);
      });
    });
    request.on("error", failed);
    request.end();
  });
}

/// Processes that a process started.
export function childrenOf(pid) {
  return readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(name => {
      try {
        const [, , , parent] = readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/\(.*\)/s, "x")
          .split(" ");
        return Number(parent) === pid;
      } catch {
        return false;
      }
    });
}

/// Stands before the server under an address of its own. drop() ends all connections and refuses new ones until listen().
export async function startProxy(studio) {
  const sockets = new Set();
  const relay = (request, answer) => {
    const headers = {...request.headers, host: `127.0.0.1:${studio.port}`};
    if (headers.origin) headers.origin = studio.origin;
    const inner = http.request(
      {host: "127.0.0.1", port: studio.port, path: request.url, method: request.method, headers},
      got => {
        answer.writeHead(got.statusCode, got.headers);
        got.pipe(answer);
      },
    );
    inner.on("error", () => answer.destroy());
    answer.on("close", () => inner.destroy());
    request.pipe(inner);
  };
  let server,
    port = 0;
  const listen = () =>
    new Promise(done => {
      server = http.createServer(relay);
      server.on("connection", socket => {
        sockets.add(socket);
        socket.on("close", () => sockets.delete(socket));
      });
      server.listen(port, "127.0.0.1", () => {
        ({port} = server.address());
        done();
      });
    });
  const drop = () =>
    new Promise(done => {
      server.close(done);
      for (const socket of sockets) socket.destroy();
    });
  await listen();
  return {listen, drop, url: `http://127.0.0.1:${port}/#token=${studio.token}`, origin: `http://127.0.0.1:${port}`};
}
