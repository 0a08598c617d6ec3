import type { FunctionDeclaration } from './define.ts';
import { ADDITION, DIVISION, MODULO, MULTIPLICATION, NEGATION, SUBTRACTION } from './standard/arithmetic.ts';
import { IN, INDEX, SIZE } from './standard/collections.ts';
import { CONVERSIONS } from './standard/conversions.ts';
import { EQUALS, NOT_EQUALS } from './standard/equality.ts';
import { CONDITIONAL, LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR, NOT_STRICTLY_FALSE } from './standard/logic.ts';
import { GREATER, GREATER_EQUALS, LESS, LESS_EQUALS } from './standard/ordering.ts';
import { CONTAINS, ENDS_WITH, MATCHES, STARTS_WITH } from './standard/string-tests.ts';
import {
  GET_DATE,
  GET_DAY_OF_MONTH,
  GET_DAY_OF_WEEK,
  GET_DAY_OF_YEAR,
  GET_FULL_YEAR,
  GET_HOURS,
  GET_MILLISECONDS,
  GET_MINUTES,
  GET_MONTH,
  GET_SECONDS,
} from './standard/timestamps.ts';

/** Declarations of the standard library and the operators, in the order of cel-go common/stdlib/standard.go (v0.29.2). */
export const STANDARD_FUNCTIONS: readonly FunctionDeclaration[] = [
  CONDITIONAL,
  LOGICAL_AND,
  LOGICAL_OR,
  LOGICAL_NOT,
  NOT_STRICTLY_FALSE,
  EQUALS,
  NOT_EQUALS,
  ADDITION,
  DIVISION,
  MODULO,
  MULTIPLICATION,
  NEGATION,
  SUBTRACTION,
  LESS,
  LESS_EQUALS,
  GREATER,
  GREATER_EQUALS,
  INDEX,
  IN,
  SIZE,
  ...CONVERSIONS,
  CONTAINS,
  ENDS_WITH,
  STARTS_WITH,
  MATCHES,
  GET_FULL_YEAR,
  GET_MONTH,
  GET_DAY_OF_YEAR,
  GET_DAY_OF_MONTH,
  GET_DATE,
  GET_DAY_OF_WEEK,
  GET_HOURS,
  GET_MINUTES,
  GET_SECONDS,
  GET_MILLISECONDS,
];
