import { MINORS, previewOf } from '#kube';
import type { Minor } from '#kube';
import { GATES } from './gate-list.ts';
import type { GateCommand, GateDeclaration, GateName } from './gate-list.ts';

/** Gate that the user chose. `text` is the gate as the user wrote it, without blanks, such as `cost-exponent>1`. */
export type Gate<Name extends string = GateName> =
  | { readonly kind: 'word'; readonly name: Name; readonly text: string }
  /** The gate fails above (`>`) or below (`<`) the bound, a plain number or a number of per cent. */
  | {
      readonly kind: 'bound';
      readonly name: Name;
      readonly text: string;
      readonly operator: '>' | '<';
      readonly unit: 'number' | 'percent';
      readonly bound: number;
    }
  | { readonly kind: 'minor'; readonly name: Name; readonly text: string; readonly minor: Minor };

/** Result of parsing gates: the gates, or a sentence that describes the error in the text. */
export type ReadGates<Command extends GateCommand> =
  | { readonly ok: true; readonly gates: readonly Gate<GateName<Command>>[] }
  | { readonly ok: false; readonly error: string };

const FORM = /^([A-Za-z-]+)\s*(?:([<>])\s*(\d+(?:\.\d+)?)\s*(%?))?$/;

/** Returns the form in which a gate is written, such as `refused`, `cost-exponent>N`, `cost-worse>P%` or `oldest-minor>1.33`. */
export function gateForm(gate: GateDeclaration): string {
  if (gate.form === 'word') return gate.name;
  const bound = { number: 'N', percent: 'P%', minor: gate.example }[gate.unit];
  return `${gate.name}${gate.form}${bound}`;
}

/** Returns true if a command has gates. */
export const isGateCommand = (command: string): command is GateCommand => Object.hasOwn(GATES, command);

/** Returns the beginnings of all gates of a command, which end before the bound: `refused`, `limit-share>`. */
export const gateStarts = (command: GateCommand): readonly string[] =>
  GATES[command].map((gate: GateDeclaration) => (gate.form === 'word' ? gate.name : `${gate.name}${gate.form}`));

/** Returns the forms of all gates of a command. */
export const gateForms = (command: GateCommand): readonly string[] => GATES[command].map(gateForm);

/**
 * Parses the gates of a command, separated by commas: `refused,estimate-worse>50%,oldest-minor>1.33`. Each gate is a word, or a name, `<` or
 * `>`, and a number.
 */
export function readGates<Command extends GateCommand>(command: Command, text: string): ReadGates<Command> {
  const gates: Gate<GateName<Command>>[] = [];
  for (const part of text.split(',').map((one) => one.trim())) {
    const read = readGate(command, part);
    if (typeof read === 'string') return { ok: false, error: `${part}: ${read}` };
    gates.push(read);
  }
  return { ok: true, gates };
}

/** Returns the gate of a text, or the rest of a sentence that describes the error. */
function readGate<Command extends GateCommand>(command: Command, part: string): Gate<GateName<Command>> | string {
  const [, written = '', operator, number, percent] = FORM.exec(part) ?? [];
  const declared: readonly (GateDeclaration & { readonly name: GateName<Command> })[] = GATES[command];
  const gate = declared.find(({ name }) => name === written);
  if (gate === undefined) return `must be among ${gateForms(command).join(', ')}.`;
  const { name } = gate;
  const text = part.replace(/\s+/g, '');
  if (gate.form === 'word') return operator === undefined ? { kind: 'word', name, text } : `${name} is a word without a bound.`;
  if (operator === undefined || number === undefined) return `${name} needs a bound: write ${name}${gate.form}${gate.example}.`;
  if (operator !== gate.form)
    return `${name} fails if it is ${gate.form === '>' ? 'above' : 'below'} its bound: write ${name}${gate.form}${number}${percent}.`;
  if ((percent === '%') !== (gate.unit === 'percent'))
    return `${name} is ${gate.unit === 'percent' ? 'a percentage, such as 10%' : 'no percentage'}.`;
  if (gate.unit !== 'minor') return { kind: 'bound', name, text, operator, unit: gate.unit, bound: Number(number) };
  const minor = MINORS.find((one) => one === number);
  return minor === undefined ? `${number} must be among ${MINORS.join(', ')}.` : { kind: 'minor', name, text, minor };
}

/** Returns the minor versions whose estimates gates compare: the chosen ones, the oldest first, or all released ones if none is chosen. */
export const gateMinors = (chosen: readonly Minor[] | undefined): readonly Minor[] =>
  MINORS.filter((minor) => (chosen === undefined ? previewOf(minor) === undefined : chosen.includes(minor)));

/**
 * Returns true if a ranked word among the chosen gates fails. A word fails if its finding was found, or a worse one. Worse findings come
 * first in the list of the command. `found` says of each ranked word whether its finding was found.
 */
export function failsByRank(command: GateCommand, chosen: readonly string[], found: Readonly<Record<string, boolean>>): boolean {
  const declared: readonly GateDeclaration[] = GATES[command];
  const ranked = declared.filter((gate) => gate.form === 'word' && gate.isRanked === true);
  const mildest = ranked.findLastIndex(({ name }) => chosen.includes(name));
  return ranked.slice(0, mildest + 1).some(({ name }) => found[name] === true);
}
