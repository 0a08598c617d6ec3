import type { OpenApiValidator } from './openapi/compile-validator.ts';
import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Structural } from '../structural/structural.ts';
import type { Scale } from './write/scale.ts';
import type { MetaWording, Minor } from '#kube';
import type { StatusWrites } from '../minors/dialect.ts';
import type { AcceptedObject, ReadUpdate } from './schema-reader/schema-reader.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { ObjectWrite, ValidationOptions } from '../verdict.ts';

/** One version of a definition, compiled for judging objects. */
export interface ServedVersion {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** `group/version`. */
  readonly apiVersion: string;
  readonly namespaced: boolean;
  readonly minor: Minor;
  /** The schema as the definition carries it. */
  readonly schema: SchemaProps;
  readonly structural: Structural;
  /** The structural schema as that of a resource. */
  readonly root: Structural;
  /**
   * Returns the schema of another version of the definition, as a resource. A body of that version is read by it.
   * Undefined if the version is unknown.
   */
  readonly rootOf: (version: string) => Structural | undefined;
  readonly preserveUnknownFields: boolean;
  readonly holdsEmbedded: boolean;
  readonly holdsListTypes: boolean;
  readonly openapi: OpenApiValidator;
  /** Validation of `status` alone; undefined when the schema does not declare it. */
  readonly statusOpenapi: OpenApiValidator | undefined;
  readonly hasStatus: boolean;
  readonly scale: Scale | undefined;
  /** The warning that every request to a deprecated version gets. */
  readonly deprecation: string | undefined;
  /** Rules of every node; undefined when there are none. */
  readonly rules: CompiledRules | undefined;
  readonly wording: MetaWording;
  /** True if updates may keep unchanged invalid values. */
  readonly ratchets: boolean;
  /** Behaviour of the minor for a write of the status. */
  readonly status: StatusWrites;
  /** Accepts ordinary objects in one pass over their bytes; undefined where the engine generates no code. */
  readonly reader: OrdinaryObjectReader | undefined;
}

/** Reads the bytes of writes that are fine in every respect; undefined says nothing. */
export interface OrdinaryObjectReader {
  /** Asked once before each reading: whether a body of so many bytes is to be read at all. */
  mayRead(length: number): boolean;
  read(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): AcceptedObject | undefined;
  readUpdate(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): ReadUpdate | undefined;
}
