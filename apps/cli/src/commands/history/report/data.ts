import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import { shareOf } from '../definition-history.ts';
import type { DefinitionHistory, DefinitionState, HistoryResult } from '../definition-history.ts';
import { findingsOf } from '../findings.ts';

const COLUMNS = ['definition', 'file', 'commit', 'date', 'minor', 'kind', 'version', 'path', 'rule', 'cost', 'limit', 'share'] as const;

/**
 * Returns histories as CSV, with one row for each cost of a total or of a rule that a commit changes. A spreadsheet does not
 * run a cell as a formula, because such cells begin with an apostrophe. Source: RFC 4180, with LF at the end of each line.
 */
export function historyCsv({ definitions }: HistoryResult): string {
  return [COLUMNS, ...definitions.flatMap((one) => [...totalRows(one), ...ruleRows(one)])]
    .map((row) => `${row.map(cell).join(',')}\n`)
    .join('');
}

type Row = readonly (string | number)[];

const commitCells = (state: DefinitionState | undefined): readonly string[] => [state?.commit?.hash ?? '', state?.commit?.date ?? ''];

function totalRows({ name, file, minor, states }: DefinitionHistory): Row[] {
  return states.flatMap((state) => {
    const { total } = state.figures ?? {};
    if (total === undefined) return [];
    return [[name, file, ...commitCells(state), minor, 'total', total.version, '', '', total.cost, String(SCHEMA_COST_LIMIT), total.share]];
  });
}

function ruleRows({ name, file, minor, states, rules }: DefinitionHistory): Row[] {
  return rules.flatMap(({ newest: { version, path, rule }, costs, end }) => {
    const start = [name, file] as const;
    const rest = [minor, 'rule', version, path, rule] as const;
    const limit = String(EXPRESSION_COST_LIMIT);
    const rows = costs.map(({ at, cost }) => [
      ...start,
      ...commitCells(states[at]),
      ...rest,
      cost,
      limit,
      shareOf(cost, EXPRESSION_COST_LIMIT),
    ]);
    return end === undefined ? rows : [...rows, [...start, ...commitCells(states[end]), ...rest, '', limit, '']];
  });
}

function cell(value: string | number): string {
  const text = String(value);
  const harmless = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Returns histories as a value for JSON and YAML. Costs are decimal texts, and shares are numbers from 0. */
export function historyValue({ definitions, skipped, notes, minors }: HistoryResult): object {
  return { minors, definitions: definitions.map(definitionValue), skipped, notes };
}

function definitionValue(history: DefinitionHistory): object {
  const { name, file, minor, states, rules } = history;
  return {
    name,
    file,
    minor,
    findings: findingsOf(history),
    states: states.map(stateValue),
    rules: rules.map(({ newest: { version, path, rule }, first, end, costs }) => ({
      version,
      path,
      rule,
      addedIn: first,
      ...(end !== undefined && { goneIn: end }),
      costs: costs.map(({ at, ...cost }) => ({ state: at, ...cost })),
    })),
  };
}

function stateValue({ commit, path, figures, found }: DefinitionState): object {
  if (figures === undefined) return { ...(commit && { commit }), path, gone: true };
  const { bytes, ruleCount, costliestRule, total, refusals } = figures;
  return {
    ...(commit && { commit }),
    path,
    bytes,
    rules: ruleCount,
    ...(costliestRule !== undefined && { costliestRule }),
    ...(total && { total }),
    ...(found && { found }),
    accepted: Object.fromEntries([...refusals].map(([minor, message]) => [minor, message === undefined])),
    ...([...refusals.values()].some((message) => message !== undefined) && {
      refusals: Object.fromEntries([...refusals].filter(([, message]) => message !== undefined)),
    }),
  };
}
