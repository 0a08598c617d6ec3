import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';
import { PROJECT } from '../places.ts';
import { posted } from './send.ts';
import type { TYPES } from './send.ts';
import type { Attack } from './attack.ts';

/** An input, and what is right where that is not said for its table. */
const inputRow = z.strictObject({
  name: z.string(),
  /** To be {@link written}. */
  text: z.string(),
  codes: z.array(z.int()).optional(),
  says: z.string().optional(),
  isLong: z.literal(true).optional(),
  /** The end of a connection on which bytes are sent. */
  ends: z.enum(['never', 'at once']).optional(),
});

/** The tables of a family of attacks, by name: of inputs, or of texts alone, which are written out. */
export interface InputTables {
  readonly rows: (table: string) => readonly z.infer<typeof inputRow>[];
  readonly texts: (table: string) => readonly string[];
}

/** Reads the tables of a family. */
export function tablesOf(family: string): InputTables {
  const tables = z.record(z.string(), z.unknown()).parse(load(readFileSync(join(PROJECT, 'loadtests/attacks', `${family}.yaml`), 'utf8')));
  return {
    rows: (table) => z.array(inputRow).parse(tables[table]),
    texts: (table) => z.array(z.string()).parse(tables[table]).map(written),
  };
}

/** Writes a text of a table out: `⟪a×3⟫` becomes `aaa`, `⟪a№,×3⟫` becomes `a0,a1,a2,`, and `¶` becomes the end of a line of HTTP. */
export const written = (text: string): string =>
  text
    .replaceAll('¶', '\r\n')
    .replace(/⟪([^⟫]*)×(\d+)⟫/gu, (_, unit: string, count: string) =>
      unit.includes('№')
        ? Array.from({ length: Number(count) }, (__, i) => unit.replaceAll('№', String(i))).join('')
        : unit.repeat(Number(count)),
    );

/** Posts each input of a table to be evaluated; written out when it is sent, since some are large. */
export const postedRows = (rows: ReturnType<InputTables['rows']>, notation: keyof typeof TYPES, usual: readonly number[]): Attack[] =>
  rows.map(({ name, text, codes = usual, says, isLong }) =>
    posted(name, '/evaluate', [notation, () => written(text)], codes, {
      ...(says !== undefined && { says: new RegExp(says) }),
      ...(isLong && { isLong }),
    }),
  );
