import { compositeNotice } from '#documents';
import type { ByMinor } from '#service';
import { previewNotice } from '#kube';
import { indented, shownInLine } from '#report';
import { minorsText, placeOfText } from './place-matrix.ts';
import type { ShownMatrix } from './place-matrix.ts';
import { additionsText, causesText } from './report/causes-text.ts';
import { sameNameNotes } from './report/same-name-notes.ts';

/**
 * Returns a text with the verdicts of several Kubernetes minor versions side by side. Each document has a mark for each minor version, and
 * the messages whose text differs between minor versions.
 */
export function matrixText({ minors, definitions, policies = [], objects }: ShownMatrix): string {
  const lines = [`${' '.repeat(NAME_WIDTH)} ${minors.join('  ')}`];
  for (const definition of definitions) {
    const { name, accepted, messages, changingRules, changes } = definition;
    lines.push(
      row(
        name || '(definition)',
        minors.map((minor) => (accepted[minor] ? 'ok' : 'NO')),
        changes,
      ),
      ...texts(messages, minors, definition),
      ...texts(warningTexts(definition.warnings), minors, definition),
    );
    lines.push(...causesText(definition.causes ?? []));
    if (definition.additions !== undefined) lines.push(additionsText(definition.additions, minorsText(minors, minors)));
    lines.push(...changingRuleLines(changingRules, minors));
  }
  for (const policy of policies) {
    const { kind, name, accepted, messages, warnings, changes } = policy;
    const refusals = Object.entries(messages).map(([minor, text]) => [minor, `policy refused: ${text}`]);
    lines.push(
      row(
        `${kind} ${name}`,
        minors.map((minor) => (accepted[minor] === undefined ? '..' : accepted[minor] ? 'ok' : 'NO')),
        changes,
      ),
      ...texts(Object.fromEntries(refusals) as ByMinor<string>, minors, policy),
      ...texts(warningTexts(warnings), minors, policy),
    );
  }
  for (const object of objects) {
    const { index, name, outcome, messages, warnings, celCost, changes } = object;
    lines.push(
      row(
        name ?? `object ${index}`,
        minors.map((minor) => MARKS[outcome[minor] ?? 'cancelled'] ?? '??'),
        changes,
      ),
      ...texts(messages, minors, object),
    );
    lines.push(...texts(warningTexts(warnings), minors, object));
    lines.push(...causesText(object.causes ?? []));
    if (changes) lines.push(`    CEL cost ${runs(celCost, minors)}`);
  }
  const rows = [...definitions, ...policies, ...objects];
  const changing = rows.filter(({ changes }) => changes).length;
  const refusing = minors.filter((minor) => policies.some(({ accepted }) => accepted[minor] === false));
  if (refusing.length > 0) lines.push(`Policy refused on ${minorsText(refusing, minors)}: ${REFUSED_POLICY}`);
  const notices = [previewNotice(minors), compositeNotice(definitions)].filter((notice) => notice !== undefined);
  const notes = sameNameNotes(definitions.map(({ name, source = '' }) => ({ name, source })));
  lines.push(...[...notices, ...notes].map((note) => shownInLine(`Note: ${note}`)));
  lines.push(`Summary: ${changing} of ${rows.length} documents change between ${minors[0] ?? ''} and ${minors.at(-1) ?? ''}`);
  return `${lines.join('\n')}\n`;
}

/** Note about a policy that a server refuses to store. */
const REFUSED_POLICY =
  'if the server does not know its kind or version, objects are judged there without it, and else as if it were stored';
const NAME_WIDTH = 48;
const MARKS: Readonly<Record<string, string>> = { accepted: 'ok', rejected: 'NO', notEvaluated: '--', cancelled: '..' };

function row(name: string, marks: readonly string[], changes: boolean): string {
  return `${shownInLine(name).slice(0, NAME_WIDTH).padEnd(NAME_WIDTH)} ${marks.map((mark) => mark.padEnd(4)).join('  ')}${changes ? '  changes' : ''}`.trimEnd();
}

/** Returns two lines for each rule whose cost differs between minor versions. Rules with the same text and costs are listed once. */
function changingRuleLines(rules: ShownMatrix['definitions'][number]['changingRules'], minors: ShownMatrix['minors']): string[] {
  const same = Map.groupBy(rules, ({ rule, cost }) => `${runs(cost, minors)} ${rule}`);
  return [...same.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { version, path, rule, cost } = first;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return [`    ${shownInLine(`${version} ${path}${more}: ${rule.split('\n', 1)[0] ?? ''}`)}`, `      static cost ${runs(cost, minors)}`];
  });
}

/** Returns the warnings of each minor version as one text. */
function warningTexts(warnings: ByMinor<readonly string[]>): ByMinor<string> {
  const texts = Object.entries(warnings).map(([minor, warned]) => [minor, warned.map((text) => `warning: ${text}`).join('\n')]);
  return Object.fromEntries(texts) as ByMinor<string>;
}

/** Returns lines with each different message once, the minor versions that report it, and the location of the first finding. */
function texts(messages: ByMinor<string>, minors: readonly (keyof ByMinor<string>)[], row: Parameters<typeof placeOfText>[0]): string[] {
  const groups = Map.groupBy(
    minors.filter((minor) => messages[minor] !== undefined),
    (minor) => messages[minor],
  );
  return [...groups].map(([text, saying]) => {
    const place = placeOfText(row, saying[0]);
    return indented(`${place === undefined ? '' : `${shownInLine(place)}: `}${minorsText(saying, minors)}: ${text ?? ''}`);
  });
}

/**
 * Returns values by minor version in short notation, such as `1.30–1.36 5; 1.37 8`. Equal values of neighbouring minor versions are
 * combined.
 */
function runs(values: ByMinor<string | number>, minors: readonly (keyof ByMinor<string>)[]): string {
  const parts: { from: string; to: string; value: string }[] = [];
  for (const minor of minors) {
    const value = String(values[minor] ?? 'none');
    const last = parts.at(-1);
    if (last?.value === value) last.to = minor;
    else parts.push({ from: minor, to: minor, value });
  }
  return parts.map(({ from, to, value }) => `${from === to ? from : `${from}–${to}`} ${value}`).join('; ');
}
