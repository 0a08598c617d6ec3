import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { PROJECT } from '../places.ts';
import { posted } from './send.ts';
import type { TYPES } from './send.ts';
import type { Attack } from './attack.ts';

/**
 * Schema of one input in a table. If an input has `codes`, they replace the status codes that are correct for the other inputs of the
 * table.
 */
const inputRow = z.strictObject({
  name: z.string(),
  /** Text of the input, in the short notation that {@link written} expands. */
  text: z.string(),
  codes: z.array(z.int()).optional(),
  says: z.string().optional(),
  isLong: z.literal(true).optional(),
  /**
   * Set if the attacker never ends its side of the connection, or ends it at once. The field applies only to inputs that are sent as raw
   * bytes.
   */
  ends: z.enum(['never', 'at once']).optional(),
});

/**
 * Input tables of a family of attacks. For a table name, `rows` returns the inputs with their correct answers, and `texts` returns the
 * expanded texts.
 */
export interface InputTables {
  readonly rows: (table: string) => readonly z.infer<typeof inputRow>[];
  readonly texts: (table: string) => readonly string[];
}

/** Reads the input tables of a family of attacks from the family's YAML file in `loadtests/attacks`. */
export function tablesOf(family: string): InputTables {
  const tables = z.record(z.string(), z.unknown()).parse(parse(readFileSync(join(PROJECT, 'loadtests/attacks', `${family}.yaml`), 'utf8')));
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
