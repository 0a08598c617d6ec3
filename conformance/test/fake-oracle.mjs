// Implements the protocol of an oracle. The field `fake` of a case selects what the program does instead of accepting the case.
import { createInterface } from 'node:readline';

/** Acts of the program, by the member that the field `fake` has. */
const ACTS = {
  /** Answers with this verdict. */
  verdict: (verdict, id) => say(JSON.stringify({ id, ...verdict })),
  /** Writes this text instead of an answer. */
  write: (text) => say(text),
  /** Ends with this status before it answers. */
  end: (status) => process.exit(status),
  /** Neither answers nor reads on. */
  hang: () => {
    process.stdin.pause();
    return new Promise(() => setInterval(() => undefined, 1000));
  },
};
const say = (line) => process.stdout.write(`${line}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, fake = { verdict: { accepted: true } } } = JSON.parse(line);
  for (const [name, value] of Object.entries(fake)) await ACTS[name](value, id);
}
