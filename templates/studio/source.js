// Where all data come from: the server, or what stands in the page. Both have these members:
//   live                       whether commands can be started
//   state()                    {version, repository, build, commands, runs, last_event}; of data in the page also {saved}: when
//   start(words)               the run that was started: {id, line}
//   stop(id)                   asks it to end
//   output(id)                 what a run that has ended printed, as text
//   file(path)                 the text of a source
//   bytes(path)                its bytes
//   derived(words)             of data in the page: a document that a larger one has; undefined if none has it
//   screens                    of data in the page: the names of the screens that it has; undefined: all
//   listen(after, listener)    calls listener.event(id, event), .connected(), .lost(why, seconds)
import {EmbeddedSource} from "./saved.js";
import {ServerSource} from "./server.js";

export function openSource(page, token) {
  const data = page.document.getElementById("data");
  return data ? new EmbeddedSource(JSON.parse(data.textContent), page) : new ServerSource(token);
}
