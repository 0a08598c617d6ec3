import type { Dice } from './dice.ts';
import { Members, Spelled } from './tree.ts';
import type { Tree } from './tree.ts';

/** Plain scalars that different YAML readers interpret in different ways. */
const PLAIN = [
  '~',
  'null',
  'Null',
  'yes',
  'No',
  'on',
  'y',
  'N',
  'true',
  'TRUE',
  '1_000',
  '0x1F',
  '0o17',
  '017',
  '0b11',
  '1e3',
  '1.',
  '.5',
  '.inf',
  '-.INF',
  '.nan',
  '2024-01-01',
  '2024-01-01T00:00:00Z',
  '2024-01-01 10:00:00 +1',
  '1:30',
  '190:20:30',
  '+12',
  '-0',
  '9223372036854775808',
  '18446744073709551616',
  '1e400',
  '!!str 1',
  '!!int "3"',
  '!!float 1',
  '!!binary aGk=',
  '!!timestamp 2024-01-01',
  '!!null ""',
  '!local x',
  '=',
  '<<',
  '- a',
  '',
  '"\\u00e9\\x41"',
  "'it''s'",
  '|\n  block\n  text',
  '>-\n  folded\n  text',
  '"\\ud83d\\udc51"',
  'a: b',
  'a #c',
  '@a',
  '`a`',
  '%a',
  '[1, 2,]',
  '{a: 1, b}',
  '{a, b: }',
  '*missing',
  '&x',
  '? a',
  'é👑',
  '!!map {}',
  '!!seq []',
  '!!set {a}',
  '0x',
  '0o8',
  '1__0',
  '0.1e-2',
  '685.230_15e+03',
  '-0x1F',
  '+.inf',
  '1e+3',
  '12e03',
  '1E3',
  '0b',
  '08',
  '00',
  '-017',
  '0.',
  '1:60',
];
const KEYS = [
  'yes',
  'n',
  '1',
  '1.5',
  '~',
  '"a"',
  "'b'",
  '2024-01-01',
  '0x10',
  'true',
  '? x\n',
  '[a]',
  '{a: 1}',
  '!!str 1',
  '.nan',
  '"__proto__"',
  '1e3',
  '010',
];

/** Returns a body as YAML. Most of the text is equivalent to JSON. Anchors, merge keys and scalars that only YAML has are mixed in. */
export function yamlText(dice: Dice, tree: Tree): string {
  const writer = new YamlWriter(dice);
  const head = dice.pick(['', '', '', '---\n', '# comment\n', '%YAML 1.1\n---\n', '\ufeff', '--- \n']);
  const tail = dice.pick(['', '', '', '\n...\n', '\n---\n', '\n--- {}\n', '\n# end']);
  return `${head}${writer.block(tree, '')}\n${tail}`;
}

class YamlWriter {
  readonly #dice: Dice;
  readonly #anchors: string[] = [];
  constructor(dice: Dice) {
    this.#dice = dice;
  }

  block(tree: Tree, indent: string): string {
    const dice = this.#dice;
    if (tree instanceof Members && tree.entries.length > 0) return this.#mapping(tree, indent);
    if (Array.isArray(tree) && tree.length > 0 && dice.chance(0.8))
      return tree.map((item) => `${indent}- ${this.#inline(item, `${indent}  `)}`).join('\n');
    return `${indent}${this.#scalar(tree)}`;
  }

  #mapping(tree: Members, indent: string): string {
    const dice = this.#dice;
    const lines = tree.entries.map(([key, value]) => {
      const name = dice.chance(0.01)
        ? dice.pick(KEYS)
        : /^[a-zA-Z][\w-]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key)
          ? key
          : JSON.stringify(key);
      return `${indent}${name}: ${this.#inline(value, `${indent}  `)}`;
    });
    if (dice.chance(0.03)) lines.splice(dice.below(lines.length + 1), 0, `${indent}<<: ${this.#merged()}`);
    if (dice.chance(0.01)) lines.push(dice.pick(lines));
    return lines.join('\n');
  }

  #merged(): string {
    const dice = this.#dice;
    return dice.chance(0.6) && this.#anchors.length > 0
      ? dice.pick([`*${dice.pick(this.#anchors)}`, `[*${dice.pick(this.#anchors)}]`])
      : dice.pick(['{extra: 1}', '[{a: 1}, {a: 2}]', '1', '[]', '~']);
  }

  /** Returns a value in the YAML form that can follow a key or a dash. */
  #inline(tree: Tree, indent: string): string {
    const dice = this.#dice;
    if (dice.chance(0.02) && this.#anchors.length > 0) return `*${dice.pick(this.#anchors)}`;
    let anchor = '';
    if (dice.chance(0.06)) {
      const name = `a${this.#anchors.length}`;
      this.#anchors.push(name);
      anchor = `&${name} `;
    }
    if (tree instanceof Members && tree.entries.length > 0 && dice.chance(0.85)) return `${anchor}\n${this.block(tree, indent)}`;
    if (Array.isArray(tree) && tree.length > 0 && dice.chance(0.8)) return `${anchor}\n${this.block(tree, indent)}`;
    return anchor + this.#scalar(tree);
  }

  #scalar(tree: Tree): string {
    const dice = this.#dice;
    if (dice.chance(0.04)) return dice.pick(PLAIN);
    if (typeof tree === 'string' && dice.chance(0.5) && /^[\w./-]+( [\w./-]+)*$/.test(tree)) return tree;
    if (tree instanceof Spelled) return tree.text;
    return flow(tree);
  }
}

function flow(tree: Tree): string {
  if (tree instanceof Spelled) return tree.text;
  if (Array.isArray(tree)) return `[${tree.map(flow).join(', ')}]`;
  if (tree instanceof Members) return `{${tree.entries.map(([key, value]) => `${JSON.stringify(key)}: ${flow(value)}`).join(', ')}}`;
  return JSON.stringify(tree).replaceAll('\u0085', '\\u0085');
}
