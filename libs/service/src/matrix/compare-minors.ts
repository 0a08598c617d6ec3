import type { Minor } from '#kube';
import type { MinorJudgement } from './judge-in-minor.ts';

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

/** One definition's row; `columns` in the order of the minors. */
export function compareDefinition(columns: readonly MinorJudgement[], i: number): DefinitionRow {
  const accepted = across(columns, ({ judged }) => judged[i]?.report.accepted);
  const messages = across(columns, ({ judged }) => judged[i]?.report.status?.message);
  const warnings = across(columns, ({ judged }) => (judged[i]?.report.warnings.length ? judged[i].report.warnings : undefined));
  const rules = columns.at(-1)?.judged[i]?.rules ?? [];
  const changingRules = rules.flatMap(({ version, path, rule }) => {
    const cost = across(columns, ({ judged }) => {
      const found = judged[i]?.rules?.find((candidate) => candidate.version === version && candidate.path === path);
      return found && (found.error === undefined ? found.totalCost : 'does not compile');
    });
    return differs(cost, columns) ? [{ version, path, rule, cost }] : [];
  });
  const changes = [accepted, messages, warnings].some((values) => differs(values, columns)) || changingRules.length > 0;
  return { name: columns[0]?.judged[i]?.report.name ?? '', accepted, messages, warnings, changingRules, changes };
}

/** One object's row. */
export function compareObject(columns: readonly MinorJudgement[], i: number): ObjectRow {
  const outcome = across(columns, ({ verdicts }) => verdicts[i]?.outcome);
  const messages = across(columns, ({ verdicts }) => verdicts[i]?.status?.message);
  const celCost = across(columns, ({ verdicts }) => verdicts[i]?.cost?.cel);
  const changes = [outcome, messages, celCost].some((values) => differs(values, columns));
  const name = columns.map(({ verdicts }) => verdicts[i]?.name).find((candidate) => candidate !== undefined);
  return { index: i, name, outcome, messages, celCost, changes };
}

function across<T>(columns: readonly MinorJudgement[], pick: (column: MinorJudgement) => T | undefined): ByMinor<T> {
  return Object.fromEntries(columns.flatMap((column) => (pick(column) === undefined ? [] : [[column.minor, pick(column)]])));
}

function differs(values: ByMinor<unknown>, columns: readonly MinorJudgement[]): boolean {
  return new Set(columns.map(({ minor }) => JSON.stringify(values[minor]))).size > 1;
}
