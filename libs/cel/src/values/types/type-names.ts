import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  EMPTY_TYPE,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  typeOf,
  UINT,
} from './type.ts';
import type { CelType } from './type.ts';

/** Name by which expressions can refer to a type. */
export interface TypeName {
  readonly name: string;
  readonly type: CelType;
  /** First compatibility version that offers the name, as the number after the dot. */
  readonly since: number;
  /**
   * Range of minor versions of the server in which this entry applies, as numbers after the dot. `binarySince` is the first minor version
   * of the range, and `replacedIn` is the first one after it.
   */
  readonly binarySince?: number;
  readonly replacedIn?: number;
  /**
   * First minor version of the server that treats the name as a type. Earlier minor versions treat the name as a
   * variable of this type that never has a value.
   */
  readonly typeSince?: number;
  /** True if the checker accepts the name, but no program that uses it can be planned. */
  readonly undefinedAtRunTime?: boolean;
}

/** Names of library types that expressions can use as types. Source: k8s.io/apiserver/pkg/cel/library/{ip,cidr}.go (1.37). */
const NETWORK: readonly TypeName[] = ['net.IP', 'net.CIDR'].map((name) => ({
  name,
  type: { kind: 'opaque', name, parameters: [] },
  since: 30,
}));

/**
 * Names by which expressions can refer to types. The server resolves `duration` and `timestamp` only while it checks an expression, not
 * while it evaluates the expression. Source: cel-go common/stdlib/standard.go (v0.29.2), k8s.io/apiserver/pkg/cel/types.go `findScalar`
 * (1.37), `FindType` (1.30).
 */
export const TYPE_NAMES: readonly TypeName[] = [
  { name: 'bool', type: BOOL, since: 0 },
  { name: 'bytes', type: BYTES, since: 0 },
  { name: 'double', type: DOUBLE, since: 0 },
  { name: 'google.protobuf.Duration', type: DURATION, since: 0 },
  { name: EMPTY_TYPE.name, type: EMPTY_TYPE, since: 0 },
  { name: 'google.protobuf.Timestamp', type: TIMESTAMP, since: 0 },
  { name: 'int', type: INT, since: 0 },
  { name: 'list', type: listOf(DYN), since: 0 },
  { name: 'map', type: mapOf(DYN, DYN), since: 0 },
  { name: 'null_type', type: NULL, since: 0 },
  { name: 'optional_type', type: { kind: 'opaque', name: 'optional_type', parameters: [] }, since: 28, binarySince: 31, replacedIn: 37 },
  { name: 'optional_type', type: optionalOf(DYN), since: 28, binarySince: 37 },
  { name: 'string', type: STRING, since: 0 },
  { name: 'type', type: typeOf(undefined), since: 0 },
  { name: 'uint', type: UINT, since: 0 },
  { name: 'duration', type: DURATION, since: 0, typeSince: 32, undefinedAtRunTime: true },
  { name: 'timestamp', type: TIMESTAMP, since: 0, typeSince: 32, undefinedAtRunTime: true },
  ...NETWORK,
];
