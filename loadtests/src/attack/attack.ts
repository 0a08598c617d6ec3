import type { Random } from './random.ts';

/** The forms of the attacked service: one process without keys, one process with keys, or an API with a worker over Redis. */
export const SHAPES = ['embedded', 'keyed', 'fleet'] as const;

/** One of {@link SHAPES}. */
export type Shape = (typeof SHAPES)[number];

/** A service that is attacked, as an attacker sees it. */
export interface Target {
  readonly shape: Shape;
  readonly port: number;
  /** Headers that prove the attacker's identity; empty if the service asks for none. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The same of another client, who attacks nobody. */
  readonly othersCredentials: Readonly<Record<string, string>>;
  /** File of the journal, where there is one. */
  readonly journal: string | undefined;
}

/** What came back. */
export interface Answer {
  /** 0: the connection ended without an answer; -1: nothing came in time. */
  readonly code: number;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; if it is long, only its beginning and its end. */
  readonly body: string;
  /** True if parts of the body were left out. */
  readonly isCut: boolean;
}

/** One hostile input. */
export interface Attack {
  readonly name: string;
  /** The codes that are right. */
  readonly codes: readonly number[];
  /** The body of every answer must match it. */
  readonly says?: RegExp;
  /** It takes seconds: no part of the short form. */
  readonly isLong?: true;
  /** The only shapes in which it makes sense; default all of its family. */
  readonly shapes?: readonly Shape[];
  readonly send: (target: Target) => Promise<Answer | readonly Answer[]>;
}

/** Inputs of one kind. */
export interface Family {
  readonly name: string;
  /** Shapes that get the attack. The short form tries the first one only. */
  readonly shapes: readonly [Shape, ...Shape[]];
  /** The same inputs for the same random numbers. */
  readonly attacks: (random: Random) => readonly Attack[];
}
