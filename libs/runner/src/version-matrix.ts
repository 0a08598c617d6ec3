import { timeoutStatus } from '#kube';
import type { Minor } from '#kube';
import { chunkSettings, definitionText, inMinor, serverOf, settleNames, splitBatch } from '#evaluation';
import type { DefinitionText, DocumentSlice, EvaluationOptions, Verdict } from '#evaluation';
import type { Engine } from './engine.ts';
import type { JudgedDefinition } from './protocol.ts';
import { runChunk } from './run-chunk.ts';

/** A value for each minor that was asked. */
export type ByMinor<T> = Readonly<Partial<Record<Minor, T>>>;

/** How one definition fares across minors. */
export interface DefinitionRow {
  readonly name: string;
  readonly accepted: ByMinor<boolean>;
  /** The server's refusal, where it refuses. */
  readonly messages: ByMinor<string>;
  readonly warnings: ByMinor<readonly string[]>;
  /** Rules whose total static cost (uint64 as text, or `does not compile`) is not the same everywhere. */
  readonly changingRules: readonly {
    readonly version: string;
    readonly path: string;
    readonly rule: string;
    readonly cost: ByMinor<string>;
  }[];
  readonly changes: boolean;
}

/** How one object fares across minors. */
export interface ObjectRow {
  readonly index: number;
  readonly name: string | undefined;
  readonly outcome: ByMinor<string>;
  readonly messages: ByMinor<string>;
  readonly celCost: ByMinor<number>;
  /** True when outcome, text or cost is not the same everywhere. */
  readonly changes: boolean;
}

/** Definitions and objects against several minors. */
export interface VersionMatrix {
  readonly minors: readonly Minor[];
  readonly definitions: readonly DefinitionRow[];
  readonly objects: readonly ObjectRow[];
}

/** Judges the same definitions and objects as each of several minors would. */
export async function versionMatrix(
  host: Engine,
  definitions: readonly DocumentSlice[],
  objects: readonly DocumentSlice[],
  options: EvaluationOptions,
  minors: readonly Minor[],
  signal?: AbortSignal,
): Promise<VersionMatrix> {
  const columns: { minor: Minor; judged: JudgedDefinition[]; verdicts: Verdict[] }[] = [];
  for (const minor of minors) {
    const own = inMinor(options, minor);
    const texts = definitions.map((slice) => definitionText(slice, serverOf(own)));
    const judged = await Promise.all(texts.map((definition) => judge(host, definition, signal)));
    columns.push({
      minor,
      judged,
      verdicts: await verdictsOf(host, texts, judged, objects, own, signal),
    });
  }
  const across = <T>(pick: (column: (typeof columns)[number]) => T | undefined): ByMinor<T> =>
    Object.fromEntries(columns.flatMap((column) => (pick(column) === undefined ? [] : [[column.minor, pick(column)]])));
  return {
    minors,
    definitions: definitions.map((_, i) => definitionRow(i)),
    objects: objects.map((_, i) => objectRow(i)),
  };

  function definitionRow(i: number): DefinitionRow {
    const accepted = across(({ judged }) => judged[i]?.report.accepted);
    const messages = across(({ judged }) => judged[i]?.report.status?.message);
    const warnings = across(({ judged }) => (judged[i]?.report.warnings.length ? judged[i].report.warnings : undefined));
    const rules = columns.at(-1)?.judged[i]?.rules ?? [];
    const changingRules = rules.flatMap(({ version, path, rule }) => {
      const cost = across(({ judged }) => {
        const found = judged[i]?.rules?.find((candidate) => candidate.version === version && candidate.path === path);
        return found && (found.error === undefined ? found.totalCost : 'does not compile');
      });
      return differs(cost, minors) ? [{ version, path, rule, cost }] : [];
    });
    const changes = differs(accepted, minors) || differs(messages, minors) || differs(warnings, minors) || changingRules.length > 0;
    return { name: columns[0]?.judged[i]?.report.name ?? '', accepted, messages, warnings, changingRules, changes };
  }

  function objectRow(i: number): ObjectRow {
    const outcome = across(({ verdicts }) => verdicts[i]?.outcome);
    const messages = across(({ verdicts }) => verdicts[i]?.status?.message);
    const celCost = across(({ verdicts }) => verdicts[i]?.cost?.cel);
    const changes = differs(outcome, minors) || differs(messages, minors) || differs(celCost, minors);
    return {
      index: i,
      name: columns.map(({ verdicts }) => verdicts[i]?.name).find((name) => name !== undefined),
      outcome,
      messages,
      celCost,
      changes,
    };
  }
}

function differs(values: ByMinor<unknown>, minors: readonly Minor[]): boolean {
  return new Set(minors.map((minor) => JSON.stringify(values[minor]))).size > 1;
}

/** What stands in for a definition that was not judged. */
const STOPPED = timeoutStatus('the definition was not judged', 0, 408);

async function judge(host: Engine, definition: DefinitionText, signal?: AbortSignal): Promise<JudgedDefinition> {
  const answer = await host.run({ kind: 'judge', definition, rules: true }, { ...(signal && { signal }) });
  if (answer.kind === 'done' && answer.result.kind === 'judge') return answer.result.judged;
  return { report: { name: '', digest: definition.digest, accepted: false, status: STOPPED, warnings: [] } };
}

async function verdictsOf(
  host: Engine,
  texts: readonly DefinitionText[],
  judged: readonly JudgedDefinition[],
  objects: readonly DocumentSlice[],
  options: EvaluationOptions,
  signal: AbortSignal | undefined,
): Promise<Verdict[]> {
  const reports = settleNames(judged.map(({ report }) => report));
  const settings = chunkSettings(reports, { options, deadlineAt: Number.MAX_SAFE_INTEGER, traceparent: undefined });
  const verdicts: Verdict[] = [];
  for (const [index, items] of splitBatch(objects).entries()) {
    const result = await runChunk(
      host,
      { evaluation: 'matrix', index, firstItem: verdicts.length, items, settings },
      texts,
      signal && { signal },
    );
    verdicts.push(...result.verdicts.map((line) => JSON.parse(line) as Verdict));
  }
  return verdicts;
}
