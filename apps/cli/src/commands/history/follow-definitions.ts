import type { Minor } from '#kube';
import type { JudgedContent, PricedDefinition } from './judge-contents.ts';
import type { Commit, FileHistory, FileState } from './read-commits.ts';

/** Verdicts on one definition by minor version; empty in a state without the definition. */
export type VerdictsByMinor = ReadonlyMap<Minor, PricedDefinition>;

/** Definition with its verdicts, state by state, the oldest first. Each state differs from the state before it in a verdict or a cost. */
export interface FollowedDefinition {
  readonly name: string;
  /** Newest path of its file, from the root of the repository. */
  readonly file: string;
  readonly states: readonly (FileState & { readonly byMinor: VerdictsByMinor })[];
}

/** Commit whose content could not be judged. */
export interface SkippedCommit {
  readonly commit: Commit | undefined;
  readonly path: string;
  readonly problem: string;
  /** True if no later commit changes the file, so that its newest content is not known. */
  readonly isNewest: boolean;
}

/** Definitions of some files, and the commits that were skipped. */
export interface FollowedDefinitions {
  readonly followed: readonly FollowedDefinition[];
  readonly skipped: readonly SkippedCommit[];
}

/**
 * Follows all definitions in the files of a repository. A commit with an unreadable content is skipped, as if it did not change the file. A
 * content without a verdict is left out, because the user ended the command before its turn.
 */
export function followDefinitions(files: readonly FileHistory[], contents: ReadonlyMap<string, JudgedContent>): FollowedDefinitions {
  const read = files.map((file) => readableStates(file, contents));
  return { followed: joinMoved(read.flatMap(definitionsIn)), skipped: read.flatMap(({ skipped }) => skipped) };
}

/** States of a file whose contents could be judged, and the others. */
interface ReadableStates {
  readonly file: string;
  readonly states: readonly (FileState & { readonly content: ReadonlyMap<Minor, readonly PricedDefinition[]> })[];
  readonly skipped: readonly SkippedCommit[];
}

function readableStates({ states, path: file }: FileHistory, contents: ReadonlyMap<string, JudgedContent>): ReadableStates {
  const skipped: SkippedCommit[] = [];
  const readable = states.flatMap((state, i) => {
    const { commit, path, blob } = state;
    const content = blob === undefined ? GONE : contents.get(blob);
    if (content === undefined) return [];
    if (content.ok) return [{ ...state, content: content.byMinor }];
    skipped.push({ commit, path, problem: content.problem, isNewest: i === states.length - 1 });
    return [];
  });
  return { file, states: readable, skipped };
}

/** Returns the definitions in a file, each with the states in which a verdict or a cost changes. */
function definitionsIn({ file, states }: ReadableStates): readonly FollowedDefinition[] {
  const names = new Set(states.flatMap(({ content }) => [...content.values()].flatMap((some) => some.map(({ name }) => name))));
  return [...names].map((name) => {
    const priced = states.map(({ content, ...state }) => ({ ...state, byMinor: ofName(name, content) }));
    return { name, file, states: changedStates(priced) };
  });
}

/** Joins the histories of a definition that a commit removes from one file and adds to another. Git does not see this as a renamed file. */
function joinMoved(followed: readonly FollowedDefinition[]): readonly FollowedDefinition[] {
  const keyOf = (name: string, state: FileState | undefined): string => JSON.stringify([name, state?.commit?.hash]);
  const isGone = (state: FollowedDefinition['states'][number] | undefined): boolean => state?.byMinor.size === 0;
  const beginning = new Map(
    followed.flatMap((one) => (one.states[0]?.commit === undefined ? [] : [[keyOf(one.name, one.states[0]), one] as const])),
  );
  const successorOf = ({ name, states }: FollowedDefinition): FollowedDefinition | undefined =>
    isGone(states.at(-1)) ? beginning.get(keyOf(name, states.at(-1))) : undefined;
  const successors = new Set(followed.flatMap((one) => successorOf(one) ?? []));
  const joined = (one: FollowedDefinition): FollowedDefinition => {
    const parts = new Set<FollowedDefinition>();
    for (let part: FollowedDefinition | undefined = one; part !== undefined && !parts.has(part); part = successorOf(part)) parts.add(part);
    const states = [...parts].flatMap((part, i) => (i < parts.size - 1 ? part.states.slice(0, -1) : part.states));
    return { ...one, file: [...parts].at(-1)?.file ?? one.file, states: changedStates(states) };
  };
  return followed.filter((one) => !successors.has(one)).map(joined);
}

/** Returns the states that differ from the state before them. */
const changedStates = (states: FollowedDefinition['states']): FollowedDefinition['states'] =>
  states.filter(({ byMinor }, i) => !isSame(byMinor, states[i - 1]?.byMinor));

const GONE: JudgedContent = { ok: true, byMinor: new Map() };

/** Returns the verdicts on the definition of a name. A content may have the name twice; the first one counts. */
function ofName(name: string, content: ReadonlyMap<Minor, readonly PricedDefinition[]>): VerdictsByMinor {
  return new Map(
    [...content].flatMap(([minor, some]) => {
      const found = some.find((one) => one.name === name);
      return found === undefined ? [] : [[minor, found] as const];
    }),
  );
}

/** Returns true if a state has the same verdicts and costs as the state before it. A state before the definition exists is no change. */
function isSame(after: VerdictsByMinor, before: VerdictsByMinor = new Map()): boolean {
  return after.size === before.size && [...after].every(([minor, one]) => JSON.stringify(one) === JSON.stringify(before.get(minor)));
}
