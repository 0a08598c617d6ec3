import type { OpenApiValidator } from './openapi/compile-validator.ts';
import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Structural } from '../structural/structural.ts';
import type { Scale } from './write/scale.ts';
import type { MetaWording, Minor } from '#kube';
import type { StatusWrites } from '../minors/validation-behaviour.ts';
import type { AcceptedObject, ReaderResult, ReadUpdate } from './schema-reader/schema-reader.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { ObjectWrite, ValidationOptions } from '../verdict.ts';

/** One version of a definition, compiled for computing verdicts on objects. */
export interface ServedVersion {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** API version of the objects, as `group/version`. */
  readonly apiVersion: string;
  readonly namespaced: boolean;
  readonly minor: Minor;
  /** Schema as the definition contains it. */
  readonly schema: SchemaProps;
  readonly structural: Structural;
  /** Structural schema with the fields of every resource. */
  readonly root: Structural;
  /**
   * Returns the schema of another version of the definition, with the fields of every resource. It is used to decode a body of that
   * version. Returns undefined if the version is unknown.
   */
  readonly rootOf: (version: string) => Structural | undefined;
  readonly preserveUnknownFields: boolean;
  readonly holdsEmbedded: boolean;
  readonly holdsListTypes: boolean;
  readonly openapi: OpenApiValidator;
  /** Validation of `status` alone; undefined if the schema does not declare a status. */
  readonly statusOpenapi: OpenApiValidator | undefined;
  readonly hasStatus: boolean;
  readonly scale: Scale | undefined;
  /** Warning for every request to a deprecated version; undefined if the version is not deprecated. */
  readonly deprecation: string | undefined;
  /** Compiled rules of all nodes; undefined if there are none. */
  readonly rules: CompiledRules | undefined;
  readonly wording: MetaWording;
  /** True if updates may keep unchanged invalid values. */
  readonly ratchets: boolean;
  /** Behaviour of the Kubernetes minor version for writes of the status. */
  readonly status: StatusWrites;
  /** Reader that accepts valid writes without warnings in a single pass over their bytes; undefined if the engine generates no code. */
  readonly reader: OrdinaryObjectReader | undefined;
  /** Generates another reader of the version's objects; undefined if the engine generates no code. */
  readonly generateReader: (() => ReaderResult) | undefined;
}

/**
 * Reader that accepts valid create and update requests directly from their bytes. If it returns undefined, the exact validation, which
 * follows the server's steps one by one, must compute the verdict.
 */
export interface OrdinaryObjectReader {
  /** Returns true if a body with the given length in bytes should be read. The method must be called exactly once before each read. */
  mayRead(length: number): boolean;
  read(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): AcceptedObject | undefined;
  readUpdate(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): ReadUpdate | undefined;
}
