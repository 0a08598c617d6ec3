import type { JsonValue } from '#go';
import { member } from '../canonical-text.ts';
import type { VerdictValue } from '../canonical-text.ts';
import type { RecordedCase } from '../recorded-case.ts';

/** Published definition that one of two minor versions accepts and the other one refuses. */
export interface FlippedDefinition {
  /** Path of the definition below the folder of definitions. */
  readonly file: string;
  /** Name of the definition, such as `nodepools.karpenter.sh`. */
  readonly name: string;
  /** Answer of the new minor version. The old one answers the opposite. */
  readonly now: 'accepted' | 'refused';
  /** Errors of the minor version that refuses the definition, in alphabetical order, because Kubernetes' order is partly random. */
  readonly errors: readonly string[];
}

/**
 * Returns the definition of a case if it flips, that is, if the old and the new minor version do not agree in accepting it. Returns
 * undefined for other cases, and for cases whose definition is not a published one.
 */
export function flippedDefinition(
  { test, verdict: old }: RecordedCase,
  now: VerdictValue,
  loadDocument: (file: string) => JsonValue,
): FlippedDefinition | undefined {
  const { kind, crdFile: file, crdPatches } = test;
  if (kind !== 'crd' || typeof file !== 'string' || crdPatches !== undefined) return undefined;
  const accepted = member(now, 'accepted');
  if (typeof accepted !== 'boolean' || typeof old['accepted'] !== 'boolean' || accepted === old['accepted']) return undefined;
  const name = member(member(loadDocument(file), 'metadata'), 'name');
  return { file, name: String(name), now: accepted ? 'accepted' : 'refused', errors: errorTexts(accepted ? old : now) };
}

function errorTexts(verdict: VerdictValue): string[] {
  const errors = member(verdict, 'errors');
  const texts = Array.isArray(errors) ? errors.map((error: VerdictValue) => String(member(error, 'text'))) : [];
  return texts.length > 0 ? texts.sort() : [String(member(verdict, 'message'))];
}

/** Number of characters of the field and of the reason of an error that a list of definitions shows. */
const SHOWN = { field: 90, reason: 160 } as const;

/** Returns the list of the definitions that one minor version accepts and another one refuses, as lines. */
export function flippedLines(definitions: readonly FlippedDefinition[], from: string, to: string): string[] {
  const part = (now: FlippedDefinition['now'], accepts: string, refuses: string): string[] => {
    const some = definitions.filter((definition) => definition.now === now);
    if (some.length === 0) return [];
    return [`Definitions that ${accepts} accepts and ${refuses} refuses (${some.length}):`, ...some.flatMap(linesOfOne)];
  };
  return [...part('refused', from, to), ...part('accepted', to, from)];
}

function linesOfOne({ file, name, errors: [first = '', ...others] }: FlippedDefinition): string[] {
  return [`  ${name} (${file})`, `    ${shortError(first)}${others.length === 0 ? '' : ` (and ${others.length} more)`}`];
}

/** Returns an error in a short form. The end of the field and the beginning of the reason are kept. */
function shortError(text: string): string {
  const colon = text.indexOf(': ');
  const [field, reason] = [text.slice(0, Math.max(colon, 0)), text.slice(Math.max(colon, 0)).replaceAll('\n', ' ')];
  const shownField = field.length > SHOWN.field ? `…${field.slice(-SHOWN.field)}` : field;
  return `${shownField}${reason.length > SHOWN.reason ? `${reason.slice(0, SHOWN.reason)}…` : reason}`;
}
