import type { Dice } from './dice.ts';

/** Line ends of YAML 1.1. `\n` is repeated so that it is chosen most often. */
const LINE_ENDS = ['\n', '\n', '\n', '\n', '\n', '\r\n', '\r', '\u0085', '\u2028', '\u2029'];
/** Text pieces that have a special meaning for a YAML scanner. */
const PIECES = [
  ': ',
  ':',
  '- ',
  '-',
  '? ',
  '?',
  ', ',
  ',',
  '[',
  ']',
  '{',
  '}',
  '#',
  ' #',
  '&a ',
  '*a',
  '&b',
  '*b ',
  '! ',
  '!!str ',
  '!!int ',
  '!!binary ',
  '!!timestamp ',
  '!!float ',
  '!!null ',
  '!!map ',
  '!x!y ',
  '!<tag:yaml.org,2002:int> ',
  '!<>',
  '!!',
  '!%61 ',
  '|',
  '>',
  '|-',
  '>+',
  '|2',
  '>1-',
  '|+3',
  '|0',
  '%',
  '%YAML 1.1',
  '%YAML 1.2',
  '%TAG ! tag:yaml.org,2002:',
  '%TAG !x! y',
  '%FOO bar',
  '---',
  '--- ',
  '...',
  "'",
  "''",
  '"',
  '\\',
  '\\n',
  '\\x4',
  '\\u00e9',
  '\\U0001F451',
  '\\ud800',
  '\\/',
  '\\\n',
  '@',
  '`',
  '\t',
  ' ',
  '  ',
  '   ',
  '\n',
  '\n\n',
  '\n  ',
  '\n ',
  '\n- ',
  '\n  - ',
  '\r',
  '\r\n',
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u0000',
  '\u0007',
  '\u007f',
  '\u0081',
  '\ufffe',
  'é',
  '👑',
  '<<: ',
  '<<',
  '~',
  'null',
  'yes',
  'no',
  'on',
  '1',
  '0x1F',
  '017',
  '1.0',
  '1e3',
  '.inf',
  '-.inf',
  '.nan',
  '1_000',
  '2001-01-01',
  '18446744073709551615',
  '9223372036854775808',
  '1e400',
  '0b-1',
  'a',
  'b',
  'key: value',
  'a: b',
  '"q"',
  "'s'",
  '"q": ',
  '{{ x }}',
  '{{- if .Values.x }}',
  '{{ .Values.y | quote }}',
  '$(x)',
  '${x}',
];

/** Returns a random text of 1 to 12 pieces that have a special meaning in YAML, in arbitrary order. */
export function oddYaml(dice: Dice): string {
  const count = 1 + dice.below(12);
  let text = '';
  for (let i = 0; i < count; i++) text += dice.pick(PIECES);
  return text;
}

/** Returns a text with one random change: a piece is inserted; characters are removed, doubled or exchanged; or the end is cut off. */
function damage(dice: Dice, text: string): string {
  const at = dice.below(text.length + 1);
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const nextLine = text.indexOf('\n', at);
  const lineEnd = nextLine < 0 ? text.length : nextLine;
  switch (dice.below(11)) {
    case 0:
    case 1:
      return text.slice(0, at) + dice.pick(PIECES) + text.slice(at);
    case 2:
      return text.slice(0, at) + text.slice(at + 1 + dice.below(3));
    case 3:
      return text.slice(0, at) + text.charAt(at) + text.slice(at);
    case 4:
      return text.slice(0, lineStart) + text.slice(lineEnd + 1);
    case 5:
      return text.slice(0, lineStart) + dice.pick([' ', '  ', '\t', '- ', '# ', '  - ']) + text.slice(lineStart);
    case 6:
      return text.slice(0, lineStart) + text.slice(lineStart + 1 + dice.below(2));
    case 7:
      return (
        text.slice(0, lineEnd) +
        dice.pick([' # c', '#c', ' |', ' >-', ' x', ':', ' :', ' ', '\t', '"', ',', ' {{ x }}']) +
        text.slice(lineEnd)
      );
    case 8:
      return text.slice(0, at);
    case 9:
      return text.slice(0, lineEnd) + dice.pick(LINE_ENDS) + text.slice(lineEnd);
    default:
      return text.slice(0, lineEnd) + text.slice(lineStart - 1, lineEnd) + text.slice(lineEnd);
  }
}

/** Returns a text with one to three random changes. */
export function damagedYaml(dice: Dice, text: string): string {
  let damaged = text;
  for (let left = 1 + dice.below(3); left > 0; left--) damaged = damage(dice, damaged);
  return damaged;
}
