import type { CompiledDefinition } from '#crd';
import { median } from '#benchmark';
import { judgeAccepted, timed } from '../workloads/judging.ts';

/** A definition with something, one without it, and an object of both with so many elements. */
export interface AddedCase {
  readonly more: CompiledDefinition;
  readonly plain: CompiledDefinition;
  readonly body: Buffer;
  readonly elements: number;
  /** ms to measure for. */
  readonly budgetMs: number;
}

/** ns an element takes more by one definition than by another, and in all by the first: medians of pairs of runs. */
export function addedTime({ more, plain, body, elements, budgetMs }: AddedCase): { readonly addedNs: number; readonly wholeNs: number } {
  const msOf = (definition: CompiledDefinition): number => timed(() => judgeAccepted(definition, body)).ms;
  const rounds: { readonly more: number; readonly plain: number }[] = [];
  for (const until = performance.now() + budgetMs; performance.now() < until;) rounds.push({ more: msOf(more), plain: msOf(plain) });
  const nsOf = (ms: (round: (typeof rounds)[number]) => number): number => ((median(rounds.map(ms)) ?? 0) * 1e6) / elements;
  return { addedNs: nsOf((round) => round.more - round.plain), wholeNs: nsOf((round) => round.more) };
}
