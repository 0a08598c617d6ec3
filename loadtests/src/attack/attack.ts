import type { Random } from './random.ts';

/** How the attacked service is made up: one process without keys, one with keys, or an API with a worker over Redis. */
export const SHAPES = ['embedded', 'keyed', 'fleet'] as const;

/** One of {@link SHAPES}. */
export type Shape = (typeof SHAPES)[number];

/** A service that is attacked, as an attacker sees it. */
export interface Target {
  readonly shape: Shape;
  readonly port: number;
  /** What proves who the attacker is; nothing where the service asks for nothing. */
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
  /** Of a long one the beginning and the end. */
  readonly body: string;
  /** Whether parts of the body were left out. */
  readonly isCut: boolean;
}

/** One hostile input. */
export interface Attack {
  readonly name: string;
  /** The codes that are right. */
  readonly codes: readonly number[];
  /** What the body of every answer must say. */
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
  /** Where the short form tries it first; the full form tries it in each. */
  readonly shapes: readonly [Shape, ...Shape[]];
  /** The same inputs for the same random numbers. */
  readonly attacks: (random: Random) => readonly Attack[];
}
