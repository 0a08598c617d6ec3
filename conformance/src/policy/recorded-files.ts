import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINORS, previewOf } from '#kube';
import { linesOfFile } from '../read-lines.ts';
import { SHARED } from '../shared-folder.ts';
import type { Minor } from '#kube';
import type { RecordedFile } from '../score-files.ts';

/** Reference to recorded verdicts that are stored in a separate file beside their cases. */
export interface GoldenBeside {
  readonly golden: string;
  /** Kind of the cases that are read, such as `admit` or `mutate`; cases of other kinds are skipped. Undefined: all kinds are read. */
  readonly kind: string | undefined;
  /** Ids of the cases whose costs depend on the random order of a Go map. */
  readonly unstable: ReadonlySet<string>;
}

const FOLDER = join(SHARED, 'corpora-policies');

/** Files with cases about policies, each with the kinds of its cases. */
const FILES: readonly (readonly [file: string, kinds: readonly string[]])[] = [
  ['cases', ['admit', 'mutate']],
  ['checks', ['compile', 'typecheck']],
  ['upstream', ['expr', 'mutate']],
  ['random', ['admit', 'mutate']],
];

/**
 * First minor version for which the oracle answers cases of a kind. For kinds that are not listed, the oracle answers the cases of all
 * minor versions.
 */
const SINCE: Readonly<Record<string, number>> = { mutate: 32 };

/** Returns the recorded verdicts on policies, as one entry per file, kind and minor version. */
export function recordedPolicyFiles(): RecordedFile[] {
  return FILES.flatMap(([file, kinds]) =>
    MINORS.flatMap((minor) =>
      kinds
        .filter((kind) => (SINCE[kind] ?? 0) <= Number(minor.slice(2)))
        .flatMap((kind) => recordedPolicyFile(file, minor, `policies-${file}-${kind}-${minor}`, kind)),
    ),
  );
}

/** Returns the recorded verdicts of a minor version on policies, as one entry per file, with the cases of all kinds. */
export function wholePolicyFiles(minor: Minor): RecordedFile[] {
  return FILES.flatMap(([file]) => recordedPolicyFile(file, minor, `policies-${file}-${minor}`, undefined));
}

function recordedPolicyFile(file: string, minor: Minor, name: string, kind: string | undefined): RecordedFile[] {
  const golden = join(FOLDER, previewOf(minor) === undefined ? 'golden' : 'golden-next', `${file}-${minor}.jsonl.gz`);
  if (!existsSync(golden)) return [];
  return [
    {
      name,
      path: join(FOLDER, `${file}.jsonl.gz`),
      task: { kind: 'golden', minor, crdFolder: join(SHARED, 'corpora') },
      beside: { golden, kind, unstable: unstableIds() },
    },
  ];
}

function unstableIds(): ReadonlySet<string> {
  const byFile = JSON.parse(readFileSync(join(FOLDER, 'golden/unstable.json'), 'utf8')) as Record<string, readonly string[]>;
  return new Set(Object.values(byFile).flat());
}

const KIND = /"kind"\s*:\s*"([^"]*)"/;
const ID = /"id"\s*:\s*"((?:[^"\\]|\\.)*)"/;

/** Yields the cases of one kind, or of all kinds, each as one line together with its recorded verdict. */
export async function* pairedLines(path: string, { golden, kind, unstable }: GoldenBeside): AsyncGenerator<string> {
  const verdicts = linesOfFile(golden)[Symbol.asyncIterator]();
  for await (const line of linesOfFile(path)) {
    const verdict = await verdicts.next();
    if (verdict.done === true) return;
    if (kind !== undefined && KIND.exec(line)?.[1] !== kind) continue;
    const chance = unstable.has(ID.exec(line)?.[1] ?? '') ? ',"unstable":["cost"]' : '';
    yield `{"case":${line},"verdict":${verdict.value}${chance}}`;
  }
}
