import type { Random } from './random.ts';

/** The forms of the attacked service: one process without keys, one process with keys, or an API with a worker over Redis. */
export const SHAPES = ['embedded', 'keyed', 'fleet'] as const;

/** Deployment of an attacked service: one of {@link SHAPES}. */
export type Shape = (typeof SHAPES)[number];

/** Attacked service, with the data that an attack needs. */
export interface Target {
  readonly shape: Shape;
  readonly port: number;
  /** HTTP headers with the attacker's credentials; empty if the service requires none. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Headers with the credentials of a client that makes no attacks. */
  readonly othersCredentials: Readonly<Record<string, string>>;
  /** File of the service's journal; undefined if the service has no journal. */
  readonly journal: string | undefined;
}

/** Answer of the service to an attack. */
export interface Answer {
  /** HTTP status code; 0 if the connection ended without an answer, -1 if no answer came in time. */
  readonly code: number;
  /** Headers of the answer, with lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the answer. Of a long body, only the beginning and the end are kept. */
  readonly body: string;
  /** True if parts of the body were left out. */
  readonly isCut: boolean;
}

/** Hostile input, with the answers that are correct for it. */
export interface Attack {
  readonly name: string;
  /** Status codes that are correct answers. */
  readonly codes: readonly number[];
  /** Pattern that the body of every answer must match. */
  readonly says?: RegExp;
  /** True if the attack takes seconds. Short runs skip such an attack. */
  readonly isLong?: true;
  /** Service shapes in which the attack is useful; undefined means all shapes of its family. */
  readonly shapes?: readonly Shape[];
  readonly send: (target: Target) => Promise<Answer | readonly Answer[]>;
}

/** Attacks of one kind. */
export interface Family {
  readonly name: string;
  /** Service shapes that the family attacks. A short run attacks only the first shape. */
  readonly shapes: readonly [Shape, ...Shape[]];
  /** Returns the attacks of the family. The same random numbers always produce the same attacks. */
  readonly attacks: (random: Random) => readonly Attack[];
}
