import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { PROJECT } from '../places.ts';
import { posted } from './send.ts';
import type { RawOptions, TYPES } from './send.ts';
import type { Attack } from './attack.ts';

/** An input, and what is right where that is not said for its table. */
export interface InputRow {
  readonly name: string;
  readonly text: string;
  readonly codes?: readonly number[];
  readonly says?: string;
  readonly isLong?: true;
  /** Of bytes on a connection: who ends it. */
  readonly ends?: RawOptions['ends'];
}

/** Reads the tables of a family, by name. Texts in rows are to be {@link written}. */
export const tablesOf = <Tables>(family: string): Tables =>
  load(readFileSync(join(PROJECT, 'loadtests/attacks', `${family}.yaml`), 'utf8')) as Tables;

/** Writes a text of a table out: `⟪a×3⟫` stands for `aaa`, `⟪a№,×3⟫` for `a0,a1,a2,`, and `¶` for the end of a line of HTTP. */
export const written = (text: string): string =>
  text
    .replaceAll('¶', '\r\n')
    .replace(/⟪([^⟫]*)×(\d+)⟫/gu, (_, unit: string, count: string) =>
      unit.includes('№')
        ? Array.from({ length: Number(count) }, (__, i) => unit.replaceAll('№', String(i))).join('')
        : unit.repeat(Number(count)),
    );

/** Posts each input of a table to be evaluated; written out when it is sent, since some are large. */
export const postedRows = (rows: readonly InputRow[], notation: keyof typeof TYPES, usual: readonly number[]): Attack[] =>
  rows.map(({ name, text, codes = usual, says, isLong }) =>
    posted(name, '/evaluate', [notation, () => written(text)], codes, {
      ...(says !== undefined && { says: new RegExp(says) }),
      ...(isLong && { isLong }),
    }),
  );
