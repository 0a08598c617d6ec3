import type { Minor } from '#kube';
import type { Envelope } from '#evaluation';
import type { Engine } from '../ports.ts';
import { compareDefinition, compareObject } from './compare-minors.ts';
import type { DefinitionRow, ObjectRow } from './compare-minors.ts';
import { judgeInMinor } from './judge-in-minor.ts';
import type { MinorJudgement } from './judge-in-minor.ts';

/** Definitions and objects against several minors. */
export interface VersionMatrix {
  readonly minors: readonly Minor[];
  readonly definitions: readonly DefinitionRow[];
  readonly objects: readonly ObjectRow[];
}

/** Judges the same definitions and objects as each of several minors would. */
export async function versionMatrix(
  engine: Engine,
  documents: Envelope,
  minors: readonly Minor[],
  signal?: AbortSignal,
): Promise<VersionMatrix> {
  const columns: MinorJudgement[] = [];
  for (const minor of minors) columns.push(await judgeInMinor(engine, documents, minor, signal));
  return {
    minors,
    definitions: documents.definitions.map((_, i) => compareDefinition(columns, i)),
    objects: documents.objects.map((_, i) => compareObject(columns, i)),
  };
}
