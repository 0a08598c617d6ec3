import { FUNCTIONS, Substitution, typeText } from '#cel';
import type { CelType, Overload } from '#cel';
import { minorWords } from '#kube';
import { firstMinorOf } from '../answers/answers.ts';

/** Snippet and documentation of each macro. Macros are not functions, so they have no declaration that contains documentation. */
export const MACROS: Readonly<Record<string, { readonly snippet: string; readonly doc: string; readonly of: readonly CelType['kind'][] }>> =
  {
    all: {
      snippet: 'all(${1:x}, $0)',
      doc: 'Whether the condition holds for all elements of a list, or all keys of a map.',
      of: ['list', 'map'],
    },
    exists: {
      snippet: 'exists(${1:x}, $0)',
      doc: 'Whether the condition holds for at least one element of a list, or key of a map.',
      of: ['list', 'map'],
    },
    exists_one: {
      snippet: 'exists_one(${1:x}, $0)',
      doc: 'Whether the condition holds for exactly one element of a list, or key of a map.',
      of: ['list', 'map'],
    },
    existsOne: { snippet: 'existsOne(${1:i}, ${2:x}, $0)', doc: 'Whether the condition holds for exactly one entry.', of: ['list', 'map'] },
    map: {
      snippet: 'map(${1:x}, $0)',
      doc: 'A list of what the expression gives for each element of a list, or key of a map.',
      of: ['list', 'map'],
    },
    filter: {
      snippet: 'filter(${1:x}, $0)',
      doc: 'The elements of a list, or keys of a map, for which the condition holds.',
      of: ['list', 'map'],
    },
    sortBy: { snippet: 'sortBy(${1:x}, $0)', doc: 'The list in the order of what the expression gives for each element.', of: ['list'] },
    transformList: {
      snippet: 'transformList(${1:i}, ${2:x}, $0)',
      doc: 'A list of what the expression gives for each entry.',
      of: ['list', 'map'],
    },
    transformMap: {
      snippet: 'transformMap(${1:k}, ${2:v}, $0)',
      doc: 'A map with the same keys, of what the expression gives for each entry.',
      of: ['list', 'map'],
    },
    transformMapEntry: {
      snippet: 'transformMapEntry(${1:k}, ${2:v}, {$0})',
      doc: 'A map of the entries that the expression gives for each entry.',
      of: ['list', 'map'],
    },
    optMap: {
      snippet: 'optMap(${1:x}, $0)',
      doc: 'What the expression gives for the value of an optional; none where there is none.',
      of: ['optional'],
    },
    optFlatMap: {
      snippet: 'optFlatMap(${1:x}, $0)',
      doc: 'The optional that the expression gives for the value of an optional; none where there is none.',
      of: ['optional'],
    },
    has: { snippet: 'has($0)', doc: 'Whether a field is there: `has(self.field)`.', of: [] },
  };

/** Returns the name of a type for display. Objects of the schema are shown as `object`, because their type names are internal. */
export function shownType(type: CelType): string {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types have no parts
  switch (type.kind) {
    case 'object':
      return type.fields === undefined ? type.name : 'object';
    case 'list':
      return `list(${shownType(type.element)})`;
    case 'map':
      return `map(${shownType(type.key)}, ${shownType(type.value)})`;
    case 'optional':
      return `optional(${shownType(type.value)})`;
    default:
      return typeText(type);
  }
}

/** Returns the signature of an overload in the form of a call: `<string>.startsWith(string) → bool`. */
export function signatureText(name: string, { style, parameters, result }: Overload): string {
  const [receiver, ...others] = parameters.map(shownType);
  const called = style === 'method' ? `${receiver}.${name}(${others.join(', ')})` : `${name}(${parameters.map(shownType).join(', ')})`;
  return `${called} → ${shownType(result)}`;
}

/** Returns true if the overload is a method whose receiver can have the type `receiver`. */
export function takes({ style, parameters }: Overload, receiver: CelType): boolean {
  const [first] = parameters;
  return style === 'method' && first !== undefined && new Substitution({ typesUnify: true }).assign(receiver, first);
}

/**
 * Returns the documentation of a function or macro, in Markdown. Signatures that accept `receiver` come first. Returns undefined if no
 * Kubernetes minor version knows the name.
 */
export function functionWords(name: string, receiver: CelType | undefined): string | undefined {
  const macro = Object.hasOwn(MACROS, name) ? MACROS[name] : undefined;
  const declared = FUNCTIONS.filter((one) => one.name === name);
  const overloads = declared.flatMap((one) => one.overloads.map((overload) => ({ overload, doc: one.doc })));
  const fitting = receiver === undefined ? overloads : overloads.filter(({ overload }) => takes(overload, receiver));
  const isMacro =
    macro !== undefined && (receiver === undefined || macro.of.length === 0 || macro.of.includes(receiver.kind) || receiver.kind === 'dyn');
  if (isMacro && fitting.length === 0) return `**macro** \`${name}\`\n\n${macro.doc}`;
  const shown = fitting.length > 0 ? fitting : overloads;
  if (shown.length === 0) return undefined;
  const signatures = [...new Set(shown.map(({ overload }) => signatureText(name, overload) + datesText(overload)))];
  const docs = [...new Set(shown.map(({ doc }) => doc))];
  return `\`\`\`cel\n${signatures.join('\n')}\n\`\`\`\n\n${docs.join('\n\n')}`;
}

/**
 * Returns a text with the Kubernetes minor versions in which new expressions may use an overload. The text is empty if all minor versions
 * allow it.
 */
function datesText({ since, removedIn }: Overload): string {
  const first = firstMinorOf(since);
  const gone = removedIn === undefined ? undefined : firstMinorOf(removedIn);
  if (first === undefined && gone === undefined) return '';
  const words = [first && `since ${minorWords(first)}`, gone && `until ${minorWords(gone)}`].filter((word) => word !== undefined);
  return `  // new rules: ${words.join(', ')}`;
}
