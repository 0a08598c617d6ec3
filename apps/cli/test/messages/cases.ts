import { COSTS, DEFINITIONS, RULES, SCHEMAS } from './definition-cases.ts';
import type { MessageCase } from './message-case.ts';
import { ASSAY, CLIENTS, OBJECTS, POLICIES, UPDATES } from './object-cases.ts';

/** Group of messages on one subject. */
export interface MessageGroup {
  readonly title: string;
  readonly cases: readonly MessageCase[];
}

/** Messages of the API server, and of Assay itself about documents, by subject. */
export const MESSAGES: readonly MessageGroup[] = [
  { title: 'Cost of rules', cases: COSTS },
  { title: 'Rules that do not compile', cases: RULES },
  { title: 'Schemas', cases: SCHEMAS },
  { title: 'Definitions', cases: DEFINITIONS },
  { title: 'Objects', cases: [...OBJECTS, ...CLIENTS] },
  { title: 'Updates of objects', cases: UPDATES },
  { title: 'Admission policies', cases: POLICIES },
  { title: 'Assay', cases: ASSAY },
];
