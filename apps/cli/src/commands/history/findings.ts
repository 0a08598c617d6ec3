import { minorWords, OBJECT_BUDGET } from '#kube';
import type { Minor } from '#kube';
import { columnShare, grouped, times } from '#numbers';
import { cutText } from '#report';
import { placeInObjects } from '../../tracking/tracked-definition.ts';
import { ruleName, shownRules } from './definition-history.ts';
import type { DefinitionHistory, DefinitionState, ShownRule, StateFigures } from './definition-history.ts';

/** Number of rules that an answer names one by one. */
const NAMED_RULES = 5;
/** Maximum length in characters of a server's message in a sentence. JSON has the whole message. */
const MESSAGE_LENGTH = 300;
/** Least share of a limit that a change must move to be named as a rise or a fall. */
const NAMED_MOVE = 0.005;

/** Returns what the history of a definition says, most important first, one sentence each. */
export function findingsOf(history: DefinitionHistory): readonly string[] {
  const { states, minor } = history;
  const rules = shownRules(history.rules);
  const last = states.at(-1);
  if (last === undefined) return [];
  if (last.figures === undefined) return [`The definition is gone ${sinceText(states, states.length - 1)}.`];
  const { figures } = last;
  return [
    ...[...figures.refusals.keys()].flatMap((one) => refusalSentence(states, one)),
    ...totalSentence(states, figures),
    ...costliestSentence(states, rules, figures),
    ...foundSentence(states),
    ...risesOf(states),
    ...addedSentences(states, rules),
    `Rules on ${minorWords(minor)}: ${ruleCountText(states)}.`,
  ];
}

/** Returns a commit as text: its first digits and its day. */
export const commitText = ({ commit }: DefinitionState): string =>
  commit === undefined ? 'before the range' : `${commit.hash.slice(0, 9)} (${commit.date})`;

function sinceText(states: readonly DefinitionState[], at: number): string {
  const state = states[at];
  if (state === undefined) return '';
  return state.commit === undefined ? 'since before the range' : `since ${commitText(state)}`;
}

/** Returns the position of the first state from which a figure has had its newest value without a break. */
function sinceWhen(states: readonly DefinitionState[], valueOf: (figures: StateFigures | undefined) => unknown): number {
  const newest = valueOf(states.at(-1)?.figures);
  const other = states.findLastIndex(({ figures }) => valueOf(figures) !== newest);
  return other + 1;
}

function totalSentence(states: readonly DefinitionState[], { total }: StateFigures): string[] {
  if (total === undefined) return [];
  const since = sinceWhen(states, (figures) => `${figures?.total?.version} ${figures?.total?.cost}`);
  return [`All rules of ${total.version} together take ${columnShare(total.share)} of the limit ${sinceText(states, since)}.`];
}

function costliestSentence(states: readonly DefinitionState[], rules: readonly ShownRule[], { costliestRule }: StateFigures): string[] {
  const rule = rules.find(({ end, costs }) => end === undefined && costs.at(-1)?.share === costliestRule);
  const change = rule?.costs.at(-1);
  if (rule === undefined || change === undefined) return [];
  return [`The rule ${ruleName(rule)} takes ${columnShare(change.share)} of its limit ${sinceText(states, change.at)}.`];
}

function refusalSentence(states: readonly DefinitionState[], minor: Minor): string[] {
  const verdictOf = (figures: StateFigures | undefined): unknown =>
    figures?.refusals.has(minor) ? figures.refusals.get(minor) !== undefined : undefined;
  const message = states.at(-1)?.figures?.refusals.get(minor);
  const since = sinceWhen(states, verdictOf);
  if (message !== undefined)
    return [`Kubernetes ${minorWords(minor)} refuses it ${sinceText(states, since)}: ${cutText(message, MESSAGE_LENGTH)}`];
  const wasRefused = states.slice(0, since).some(({ figures }) => verdictOf(figures) === true);
  return wasRefused ? [`Kubernetes ${minorWords(minor)} accepts it again ${sinceText(states, since)}.`] : [];
}

/** Returns a sentence on the most expensive write that a search found in the newest state. */
function foundSentence(states: readonly DefinitionState[]): string[] {
  const found = states.at(-1)?.found;
  if (found === undefined) return [];
  const since = 1 + states.findLastIndex((state) => state.found?.cost !== found.cost);
  const more = found.isPartial ? ' The time did not suffice for all rules.' : '';
  const rule = `${found.rule.version} ${placeInObjects(found.rule.path)}`;
  return [
    `The most expensive write that was found costs ${grouped(found.cost)} units in the rule ${rule}, ${columnShare(found.cost / OBJECT_BUDGET)} of the limit of a write, ${sinceText(states, since)}.${more}`,
  ];
}

/** Returns sentences on the largest changes of the total, at most three. */
function risesOf(states: readonly DefinitionState[]): string[] {
  const moves = states.flatMap((state, i) => {
    const [before, after] = [states[i - 1]?.figures?.total?.share ?? 0, state.figures?.total?.share];
    return after === undefined || i === 0 ? [] : [{ state, before, after, move: Math.abs(after - before) }];
  });
  return moves
    .filter(({ move }) => move >= NAMED_MOVE)
    .toSorted((a, b) => b.move - a.move)
    .slice(0, 3)
    .map(
      ({ state, before, after }) =>
        `The total ${after > before ? 'rose' : 'fell'} from ${columnShare(before)} to ${columnShare(after)} with ${commitText(state)}: ${state.commit?.subject ?? ''}`,
    );
}

/** Returns sentences on the rules that were added after the first state and take most. */
function addedSentences(states: readonly DefinitionState[], rules: readonly ShownRule[]): string[] {
  const added = rules.filter(({ first, end }) => first > 0 && end === undefined);
  const costliest = added.toSorted((a, b) => (b.costs.at(-1)?.share ?? 0) - (a.costs.at(-1)?.share ?? 0)).slice(0, NAMED_RULES);
  const named = costliest.map((rule) => {
    const state = states[rule.first];
    return `The rule ${ruleName(rule)} (${columnShare(rule.costs.at(-1)?.share ?? 0)} now) was added with ${state ? commitText(state) : ''}.`;
  });
  const more = added.length - costliest.length;
  return more > 0 ? [...named, `${times(more, 'more rule')} ${more === 1 ? 'was' : 'were'} added.`] : named;
}

function ruleCountText(states: readonly DefinitionState[]): string {
  const [first, last] = [states[0]?.figures?.ruleCount ?? 0, states.at(-1)?.figures?.ruleCount ?? 0];
  return first === last ? String(last) : `${first} at first, ${last} now`;
}
