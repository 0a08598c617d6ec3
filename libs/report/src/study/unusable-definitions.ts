import type { StudyReport } from '#benchmark';

/**
 * Returns the text that states why a server refuses a definition, or else why the study did not use the definition; undefined if neither
 * applies.
 */
export const againstText = ({
  refused,
  notStudied,
}: Pick<StudyReport['definitions'][number], 'refused' | 'notStudied'>): string | undefined =>
  refused === undefined ? notStudied : `a server refuses it: ${refused}`;

/** Returns the definitions that a server refuses or that the study could not use, with the reason. */
export const unusableDefinitions = ({ definitions }: StudyReport) =>
  definitions.flatMap(({ source, definition, refused, notStudied }) => {
    const why = againstText({ refused, notStudied });
    return why === undefined ? [] : [{ source, name: `definition ${definition ?? source}`, why }];
  });
