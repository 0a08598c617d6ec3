import { extname } from 'node:path';
import { DOCUMENT_EXTENSIONS } from '../../documents/read-inputs.ts';
import type { FileAccess } from '../../files/file-access.ts';
import { GitPlace, runGit } from '../../files/run-git.ts';
import { UsageError } from '../../usage.ts';

/** Commit of a git repository. */
export interface Commit {
  /** Name of the commit in 40 or 64 hexadecimal digits. */
  readonly hash: string;
  /** Day of the commit in UTC, such as `2025-03-02`. */
  readonly date: string;
  /** Time of the commit in ms since 1970. */
  readonly time: number;
  /** First line of its message. */
  readonly subject: string;
}

/** File as a commit leaves it. */
export interface FileState {
  /** Commit that changes the file; undefined for the state before the first commit of a range. */
  readonly commit: Commit | undefined;
  /** Path from the root of the repository. */
  readonly path: string;
  /** Name of the file's content in git; undefined if the commit removes the file. */
  readonly blob: string | undefined;
}

/** All states of one file, oldest first. A file that was renamed has states with several paths. */
export interface FileHistory {
  /** Folder in which git finds the contents. */
  readonly folder: string;
  /** Newest path of the file, from the root of the repository. */
  readonly path: string;
  readonly states: readonly FileState[];
}

/** Commits whose files are read: all ancestors of `head`, without the ancestors of `base` and the commits before `since`. */
export interface CommitRange {
  readonly head: string;
  readonly base: string | undefined;
  /** Day such as `2025-03-02`, in UTC. */
  readonly since: string | undefined;
}

/** Histories of files, and sentences about what the repository does not contain. */
export interface ReadHistory {
  readonly files: readonly FileHistory[];
  readonly notes: readonly string[];
}

/** Maximum number of commits that are read for one path, and maximum number of renames that are followed for one file. */
const MAX_COMMITS = 20_000;
const MAX_RENAMES = 50;

/**
 * Returns the states of the files at some paths in the commits of a range. Follows only the first parent of each commit, so a merge counts
 * as one change. Follows renamed files. Throws {@link UsageError} if a path is in no repository, or if a revision does not exist.
 */
export function readCommits(paths: readonly string[], range: CommitRange, access: FileAccess): ReadHistory {
  const files: FileHistory[] = [];
  const notes = new Set<string>();
  for (const path of paths) {
    const reader = new HistoryReader(path, range, access);
    const found = reader.read();
    if (found.every(({ states }) => states.every(({ commit }) => commit === undefined)))
      notes.add(`${path}: no commit of the range changes it, so this is the state before the range`);
    if (reader.isShallow) notes.add('This clone is shallow, so older commits are missing. Run `git fetch --unshallow` to get them.');
    if (reader.isCut) notes.add(`${path}: only the newest ${MAX_COMMITS} commits are shown`);
    files.push(...found);
  }
  return { files, notes: [...notes] };
}

/** Change of a file by a commit, as `git log --raw` prints it. */
interface RawChange {
  readonly commit: Commit;
  readonly path: string;
  /** First letter of git's status, such as A for an added file. */
  readonly status: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Origin of a renamed file: its older path, and its content before the rename. */
interface Origin {
  readonly path: string;
  readonly blob: string | undefined;
}

class HistoryReader {
  readonly #path: string;
  readonly #range: CommitRange;
  readonly #access: FileAccess;
  readonly #place: GitPlace;
  readonly #renames = new Map<string, ReadonlyMap<string, Origin>>();
  /** Older paths from which renamed files were followed, each with the commit that renamed it. */
  readonly #followed = new Set<string>();
  #isCut = false;

  constructor(path: string, range: CommitRange, access: FileAccess) {
    this.#path = path;
    this.#range = range;
    this.#access = access;
    this.#place = new GitPlace(path, access, 'a history');
  }

  /** True if the clone lacks older commits. */
  get isShallow(): boolean {
    return this.#git(['rev-parse', '--is-shallow-repository'], `${this.#path}: is in no repository`).trim() === 'true';
  }

  /** True if the path has more commits than are read. */
  get isCut(): boolean {
    return this.#isCut;
  }

  read(): FileHistory[] {
    const { prefix, folder, file } = this.#place;
    const fromRoot = `${prefix}${file ?? ''}`;
    const { head, base } = this.#range;
    const from = this.#place.commitOf(head);
    const until = base === undefined ? undefined : this.#place.commitOf(base);
    const changes = this.#changes(from, until, fromRoot);
    const isWanted = (path: string): boolean => file !== undefined || DOCUMENT_EXTENSIONS.has(extname(path));
    const byPath = [...Map.groupBy(changes, ({ path }) => path)].filter(([path]) => isWanted(path));
    const files = byPath.map(([path, newestFirst]) => ({ newestFirst, states: this.#statesOf(path, newestFirst, until) }));
    const changed = files
      .filter(({ newestFirst: [newest] }) => newest === undefined || !this.#followed.has(renameKey(newest.commit.hash, newest.path)))
      .map(({ states }) => ({ folder, path: states.at(-1)?.path ?? this.#path, states }));
    const present = this.#presentFiles(from, fromRoot).filter(({ path }) => isWanted(path) && !byPath.some(([one]) => one === path));
    if (changed.length + present.length === 0)
      throw new UsageError(`${this.#path}: no commit has such a file. A range of revisions, such as v1.0.0..main, comes first`);
    const unchanged = present.map(({ path, blob }) => ({ folder, path, states: [{ commit: undefined, path, blob }] }));
    return [...changed, ...unchanged];
  }

  /** Returns the files at a path in a commit, with the names of their contents. The path is relative to the root of the repository. */
  #presentFiles(commit: string, path: string): { readonly path: string; readonly blob: string }[] {
    const argv = ['ls-tree', '-r', '-z', '--full-tree', commit, ...(path === '' ? [] : ['--', path])];
    const listed = this.#git(argv, `${this.#path}: its files cannot be listed`);
    return [...listed.matchAll(/(100\d{3}) blob ([0-9a-f]+)\t([^\0]+)\0/g)].map(([, , blob = '', file = '']) => ({ path: file, blob }));
  }

  /** Returns the states of a file from its changes, and from the changes under its older names. */
  #statesOf(path: string, newestFirst: readonly RawChange[], until: string | undefined): FileState[] {
    const states: FileState[] = [];
    let changes = newestFirst;
    for (let renames = 0; ; renames++) {
      states.push(...changes.map(({ commit, path: changed, after }) => ({ commit, path: changed, blob: after })));
      const oldest = changes.at(-1);
      if (oldest === undefined) break;
      const isAdded = oldest.status === 'A';
      const origin = isAdded ? this.#originOf(oldest) : { path: oldest.path, blob: oldest.before };
      if (origin === undefined || renames === MAX_RENAMES) break;
      const older = isAdded ? this.#changes(`${oldest.commit.hash}^`, until, origin.path) : [];
      if (older.length === 0) {
        if (origin.blob !== undefined) states.push({ commit: undefined, path: origin.path, blob: origin.blob });
        break;
      }
      changes = older;
    }
    return states.reverse();
  }

  /** Returns the file that a commit renamed to an added file; undefined if it is a new file. */
  #originOf({ commit: { hash }, path }: RawChange): Origin | undefined {
    let ofCommit = this.#renames.get(hash);
    if (ofCommit === undefined) {
      const argv = ['diff-tree', '-r', '--raw', '-z', '--no-abbrev', '-M', '-l1000', '--diff-filter=R', `${hash}^`, hash];
      // The first commit has no parent, so git fails, and nothing is renamed.
      const answer = runGit(this.#place.folder, argv, this.#access);
      ofCommit = answer.ok ? renamesOf(answer.bytes.toString()) : new Map();
      this.#renames.set(hash, ofCommit);
    }
    const origin = ofCommit.get(path);
    if (origin !== undefined) this.#followed.add(renameKey(hash, origin.path));
    return origin;
  }

  /** Returns the changes of the files at a path, newest first. The path is relative to the root of the repository. */
  #changes(head: string, until: string | undefined, path: string): RawChange[] {
    const { since } = this.#range;
    const argv = [
      'log',
      '--first-parent',
      '--diff-merges=first-parent',
      '--raw',
      '-z',
      '--no-abbrev',
      '--no-renames',
      '--no-color',
      '--no-show-signature',
      `--max-count=${MAX_COMMITS + 1}`,
      '--format=tformat:%x01%H%x00%ct%x00%s',
      ...(since === undefined ? [] : [`--since=${since}T00:00:00Z`]),
      head,
      ...(until === undefined ? [] : [`^${until}`]),
      '--',
      `:(top,literal)${path}`,
    ];
    const changes = changesOf(this.#git(argv, `${this.#path}: its commits cannot be listed`));
    const hashes = new Set(changes.map(({ commit }) => commit.hash));
    if (hashes.size <= MAX_COMMITS) return changes;
    this.#isCut = true;
    const last = changes.at(-1)?.commit.hash;
    return changes.filter(({ commit }) => commit.hash !== last);
  }

  #git(argv: readonly string[], problem: string): string {
    return this.#place.run(argv, problem).toString();
  }
}

const renameKey = (hash: string, path: string): string => `${hash} ${path}`;

/** Matches a line of `--raw`: modes, names of the contents before and after, and the status. A submodule has the mode 160000. */
const RAW = /^\n?:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/;
/** Returns the name of a content; undefined for the name of zeros, which means that there is none. */
const blobOf = (name: string, mode: string): string | undefined => (/^0+$/.test(name) || !mode.startsWith('100') ? undefined : name);

/** Reads the output of `git log --raw -z` in the form that `#changes` asks for. */
function changesOf(text: string): RawChange[] {
  const changes: RawChange[] = [];
  const parts = text.split('\0');
  let commit: Commit | undefined;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? '';
    const start = part.indexOf('\u0001');
    if (start >= 0 && start <= 1) {
      const time = 1000 * Number(parts[i + 1]);
      commit = { hash: part.slice(start + 1), time, date: dayOf(time), subject: parts[i + 2] ?? '' };
      i += 2;
      continue;
    }
    const [, modeBefore = '', modeAfter = '', before = '', after = '', status = ''] = RAW.exec(part) ?? [];
    if (status === '' || commit === undefined) continue;
    i++;
    changes.push({ commit, path: parts[i] ?? '', status, before: blobOf(before, modeBefore), after: blobOf(after, modeAfter) });
  }
  return changes;
}

/** Reads the output of `git diff-tree --raw -z -M --diff-filter=R`: older paths by newer paths. */
function renamesOf(text: string): ReadonlyMap<string, Origin> {
  const renames = new Map<string, Origin>();
  const parts = text.split('\0');
  for (let i = 0; i + 2 < parts.length; i++) {
    const [, mode = '', , before = '', , status] = RAW.exec(parts[i] ?? '') ?? [];
    if (status !== 'R') continue;
    renames.set(parts[i + 2] ?? '', { path: parts[i + 1] ?? '', blob: blobOf(before, mode) });
    i += 2;
  }
  return renames;
}

/** Returns the day of a time in UTC. A time that no calendar has is the first day. */
const dayOf = (time: number): string => (Math.abs(time) < 8.64e15 ? new Date(time) : new Date(0)).toISOString().slice(0, 10);
