import { once } from 'node:events';
import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { isVerdictObject, member } from '../canonical-text.ts';
import type { RecordedCase } from '../recorded-case.ts';

/** File of golden verdicts that is being written. Until it is complete, its name ends with `.partial`. */
export class GoldenWriter {
  readonly #path: string;
  readonly #gzip = createGzip({ level: 9 });
  readonly #written: Promise<void>;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#written = pipeline(this.#gzip, createWriteStream(this.#partial));
  }

  get #partial(): string {
    return `${this.#path}.partial`;
  }

  /** Writes a line. Waits while the disk is slower than the caller. */
  async write(line: string): Promise<void> {
    if (!this.#gzip.write(`${line}\n`)) await once(this.#gzip, 'drain');
  }

  /** Gives the file its name if it is complete, and removes it otherwise. */
  async end(isComplete: boolean): Promise<void> {
    this.#gzip.end();
    await this.#written;
    if (isComplete) renameSync(this.#partial, this.#path);
    else rmSync(this.#partial);
  }
}

/**
 * Returns a case with the verdict of another minor version as a line of a golden file. Leaves out the stored definition and the texts of
 * rules if the recorded verdict leaves them out.
 */
export function goldenLine({ text, verdict: recorded, unstable }: RecordedCase, verdict: JsonObject): string {
  const written: JsonObject = { ...verdict };
  if (recorded['crd'] === undefined) delete written['crd'];
  const rules = written['rules'];
  if (Array.isArray(rules) && !hasRuleTexts(recorded)) written['rules'] = rules.map(withoutText);
  const chance = unstable.length === 0 ? '' : `,"unstable":${JSON.stringify(unstable)}`;
  return `{"case":${text},"verdict":${writeJson(written, { escapeHtml: false, keys: 'own', spelled: true })}${chance}}`;
}

function hasRuleTexts({ rules }: JsonObject): boolean {
  return Array.isArray(rules) && rules.some((rule) => member(rule, 'rule') !== undefined);
}

function withoutText(rule: JsonValue): JsonValue {
  if (!isVerdictObject(rule)) return rule;
  const { rule: _, ...others } = rule;
  return others;
}
