/**
 * Returns true if a version range in the table of built-in kinds includes a Kubernetes minor version. `+31` means from 1.31 on, `-35`
 * before 1.35, `+31-35` both; undefined means always.
 */
export function holdsIn(range: string | undefined, minor: number): boolean {
  if (range === undefined) return true;
  const match = /^(?:\+(\d+))?(?:-(\d+))?$/.exec(range);
  if (match === null) throw new Error(`not a range of minors: ${range}`);
  const [, since, until] = match;
  return (since === undefined || minor >= Number(since)) && (until === undefined || minor < Number(until));
}
