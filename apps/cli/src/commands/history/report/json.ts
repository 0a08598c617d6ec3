import { findingsOf } from '../findings.ts';
import type { DefinitionHistory, DefinitionState, HistoryResult } from '../definition-history.ts';

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
  const { bytes, ruleCount, dearestRule, total, refusals } = figures;
  return {
    ...(commit && { commit }),
    path,
    bytes,
    rules: ruleCount,
    ...(dearestRule !== undefined && { dearestRule }),
    ...(total && { total }),
    ...(found && { found }),
    accepted: Object.fromEntries([...refusals].map(([minor, message]) => [minor, message === undefined])),
    ...([...refusals.values()].some((message) => message !== undefined) && {
      refusals: Object.fromEntries([...refusals].filter(([, message]) => message !== undefined)),
    }),
  };
}
