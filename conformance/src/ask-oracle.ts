import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';
import { linesOf } from './read-lines.ts';

/** Maximum time in ms that an oracle may take for one answer. An oracle ends the evaluation of a case itself after 34 seconds. */
const PATIENCE_MS = 120_000;
/** Number of characters of an unreadable answer that an error message shows. */
const SHOWN_CHARACTERS = 200;

/** Oracle: a program that reads one case per line and writes the verdict of Kubernetes' Go code on each case, in order. */
export interface Oracle {
  readonly path: string;
  readonly arguments: readonly string[];
  /** Environment variables of the program in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Maximum time in ms for one answer. Default: 120,000. */
  readonly patienceMs?: number;
}

/** Case for an oracle. */
export interface AskedCase {
  /** Case as one line of JSON. */
  readonly text: string;
  /** Id that the answer must repeat. Undefined if the case has no id. */
  readonly id: string | undefined;
}

/** Answer of an oracle to one case, or the reason why no more answers follow. */
export type OracleAnswer<T> =
  | { readonly kind: 'verdict'; readonly asked: T; readonly line: string; readonly verdict: JsonObject }
  | { readonly kind: 'failure'; readonly why: string };

/** Returns the oracle for definitions and their objects at a path. `crdFolder` is the folder of the definition files that cases name. */
export function definitionOracle(path: string, crdFolder: string): Oracle {
  return { path, arguments: ['-crds', crdFolder] };
}

/** Returns the oracle for admission policies at a path. */
export function policyOracle(path: string): Oracle {
  return { path, arguments: [] };
}

/**
 * Starts an oracle, sends it the cases, and yields the answer to each case in order. Reads a case only when the oracle can take it. The last
 * element is a failure if the oracle ends early, is silent for too long, or answers something else than the case.
 */
export async function* askOracle<T extends AskedCase>(oracle: Oracle, cases: AsyncIterable<T>): AsyncGenerator<OracleAnswer<T>> {
  const child = spawn(oracle.path, oracle.arguments, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...oracle.environment },
  });
  const end = endOf(child);
  /** Cases that were sent and have no answer yet. */
  const waiting: T[] = [];
  let sent: Sent | undefined;
  const sending = send(child.stdin, cases, waiting).then((how) => (sent = how));
  const lines = linesOf(child.stdout);
  const patienceMs = oracle.patienceMs ?? PATIENCE_MS;
  try {
    for (let answers = 0, line = lines.next(); ;) {
      const next = await within(line, patienceMs);
      if (next === 'late') {
        if (waiting[0] !== undefined) yield failure(`the oracle did not answer ${caseName(waiting[0])} within ${patienceMs / 1000} s`);
        if (waiting[0] !== undefined || sent !== undefined) return;
        continue;
      }
      if (next.done === true) {
        const how = await sending;
        if (how.kind === 'unreadable') throw how.error;
        if (how.kind === 'all' && waiting.length === 0) return;
        const open = waiting[0] === undefined ? 'read all cases' : `answered ${caseName(waiting[0])}`;
        yield failure(`the oracle ended (${await within(end, patienceMs)}) before it ${open}; answers before: ${answers}`);
        return;
      }
      const answer = answerTo(waiting.shift(), next.value);
      yield answer;
      if (answer.kind === 'failure') return;
      answers++;
      line = lines.next();
    }
  } finally {
    child.kill('SIGKILL');
    await sending;
  }
}

const failure = (why: string): { readonly kind: 'failure'; readonly why: string } => ({ kind: 'failure', why });
const caseName = ({ id, text }: AskedCase): string => (id === undefined ? `the case ${cut(text)}` : `the case ${JSON.stringify(id)}`);
const cut = (text: string): string => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);

/** Reads a line of an oracle as the answer to the oldest case without one. Returns a failure if the line does not answer this case. */
function answerTo<T extends AskedCase>(asked: T | undefined, line: string): OracleAnswer<T> {
  if (asked === undefined) return failure(`the oracle wrote a line that answers no case: ${cut(line)}`);
  const reading = readJson(line);
  if (!reading.ok || !isJsonObject(reading.value))
    return failure(`the answer of the oracle to ${caseName(asked)} is not a JSON object: ${cut(line)}`);
  const verdict = reading.value;
  // If an oracle cannot read a case or print a verdict, its answer has an empty id.
  const isNameless = verdict['oracleError'] !== undefined && verdict['id'] === '';
  if (asked.id !== undefined && verdict['id'] !== asked.id && !isNameless)
    return failure(`the answer of the oracle to ${caseName(asked)} has another id: ${cut(line)}`);
  return { kind: 'verdict', asked, line, verdict };
}

/** End of the sending of cases. `stopped`: the oracle takes no more cases. */
type Sent = { readonly kind: 'all' | 'stopped' } | { readonly kind: 'unreadable'; readonly error: unknown };

/** Writes cases to an oracle at the speed at which it reads them. Adds each case to `waiting` before it is written. */
async function send<T extends AskedCase>(stdin: Writable, cases: AsyncIterable<T>, waiting: T[]): Promise<Sent> {
  let unreadable: Sent | undefined;
  async function* texts(): AsyncGenerator<string> {
    try {
      for await (const asked of cases) {
        waiting.push(asked);
        yield `${asked.text}\n`;
      }
    } catch (error) {
      unreadable = { kind: 'unreadable', error };
    }
  }
  try {
    await pipeline(texts(), stdin);
    return unreadable ?? { kind: 'all' };
  } catch {
    return unreadable ?? { kind: 'stopped' };
  }
}

/** Resolves with how a process ended, or with the reason why it did not start. */
function endOf(child: ChildProcessByStdio<Writable, Readable, null>): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
}

/** Resolves with the value of a promise, or with `late` if it takes longer than `ms`. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
