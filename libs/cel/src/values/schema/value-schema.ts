import type { JsonValue } from '#go';

/**
 * Parts of a schema node that CEL needs to declare the node's type and to read its data. The structural schema in `libs/crd` implements
 * this interface. Source: k8s.io/apiserver/pkg/cel/common/schemas.go `Schema` (1.37).
 */
export interface ValueSchema {
  readonly type: string;
  readonly format: string;
  readonly items: ValueSchema | undefined;
  readonly properties: ReadonlyMap<string, ValueSchema> | undefined;
  /** Schema in `additionalProperties`; undefined if `additionalProperties` is `true` or `false`. */
  readonly additionalProperties: ValueSchema | undefined;
  readonly nullable: boolean;
  readonly default: JsonValue | undefined;
  readonly pattern: string;
  readonly enum: readonly JsonValue[] | undefined;
  readonly required: readonly string[];
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly intOrString: boolean;
  readonly embeddedResource: boolean;
  readonly preserveUnknownFields: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
}

/** Schema without any constraint. */
export const EMPTY_SCHEMA: ValueSchema = {
  type: '',
  format: '',
  items: undefined,
  properties: undefined,
  additionalProperties: undefined,
  nullable: false,
  default: undefined,
  pattern: '',
  enum: undefined,
  required: [],
  minLength: undefined,
  maxLength: undefined,
  minItems: undefined,
  maxItems: undefined,
  minProperties: undefined,
  maxProperties: undefined,
  intOrString: false,
  embeddedResource: false,
  preserveUnknownFields: false,
  listType: undefined,
  listMapKeys: [],
  mapType: undefined,
};
