import { byLevel } from '../flow/index.ts';
import type { Level } from '../flow/index.ts';

/** Number of tasks, in total and by level. */
export class LevelCount {
  readonly #levels: Record<Level, number> = { ...byLevel(() => 0) };
  total = 0;

  add(level: Level, tasks: number): void {
    this.#levels[level] += tasks;
    this.total += tasks;
  }

  of(level: Level): number {
    return this.#levels[level];
  }
}
