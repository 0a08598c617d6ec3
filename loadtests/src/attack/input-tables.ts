import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';
import { PROJECT } from '../places.ts';
import { posted } from './send.ts';
import type { TYPES } from './send.ts';
import type { Attack } from './attack.ts';

/** Schema of an input in a table. Optional fields replace the correct answers that apply to the whole table. */
const inputRow = z.strictObject({
  name: z.string(),
  /** Text of the input, in the short notation that {@link written} expands. */
  text: z.string(),
  codes: z.array(z.int()).optional(),
  says: z.string().optional(),
  isLong: z.literal(true).optional(),
  /** When the attacker ends a connection on which it sends bytes. */
  ends: z.enum(['never', 'at once']).optional(),
});

/**
 * Input tables of a family of attacks, by table name. `rows` returns inputs with their correct answers, and `texts` returns expanded texts.
 */
export interface InputTables {
  readonly rows: (table: string) => readonly z.infer<typeof inputRow>[];
  readonly texts: (table: string) => readonly string[];
}

/** Reads the input tables of a family of attacks. */
export function tablesOf(family: string): InputTables {
  const tables = z.record(z.string(), z.unknown()).parse(load(readFileSync(join(PROJECT, 'loadtests/attacks', `${family}.yaml`), 'utf8')));
  return {
    rows: (table) => z.array(inputRow).parse(tables[table]),
    texts: (table) => z.array(z.string()).parse(tables[table]).map(written),
  };
}

/** Expands the short notation of a table text: `⟪a×3⟫` becomes `aaa`, `⟪a№,×3⟫` becomes `a0,a1,a2,`, and `¶` becomes CR LF. */
export const written = (text: string): string =>
  text
    .replaceAll('¶', '\r\n')
    .replace(/⟪([^⟫]*)×(\d+)⟫/gu, (_, unit: string, count: string) =>
      unit.includes('№')
        ? Array.from({ length: Number(count) }, (__, i) => unit.replaceAll('№', String(i))).join('')
        : unit.repeat(Number(count)),
    );

/**
 * Returns attacks that post each input of a table for evaluation. An input is expanded only when it is sent, because some inputs are large.
 */
export const postedRows = (rows: ReturnType<InputTables['rows']>, notation: keyof typeof TYPES, usual: readonly number[]): Attack[] =>
  rows.map(({ name, text, codes = usual, says, isLong }) =>
    posted(name, '/evaluate', [notation, () => written(text)], codes, {
      ...(says !== undefined && { says: new RegExp(says) }),
      ...(isLong && { isLong }),
    }),
  );
