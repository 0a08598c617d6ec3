import { appendFileSync, writeFileSync } from 'node:fs';
import type { Ending } from './clients.ts';

/** The history of faults and endings with their times, as JSON lines. It helps to find the cause of a violation. */
export class History {
  readonly #file: string | undefined;
  readonly #started = performance.now();

  /** @param file path of the output file; undefined writes nothing */
  constructor(file: string | undefined) {
    this.#file = file;
    if (file !== undefined) writeFileSync(file, '');
  }

  fault(kind: string, lastsMs: number, target: number): void {
    this.#write({ fault: kind, lastsMs, target });
  }

  ending({ client, subjects, lines, end, code, why, seconds }: Ending): void {
    const indices = lines.map(({ index }) => index);
    const inOrder = indices.every((index, i) => index === i);
    this.#write({
      client,
      sent: subjects.length,
      received: lines.length,
      inOrder,
      first: indices[0],
      end,
      code,
      why,
      seconds,
      ...(!inOrder && { indices }),
    });
  }

  #write(entry: Readonly<Record<string, unknown>>): void {
    if (this.#file === undefined) return;
    const seconds = (performance.now() - this.#started) / 1000;
    appendFileSync(this.#file, `${JSON.stringify({ at: Number(seconds.toFixed(3)), ...entry })}\n`);
  }
}
