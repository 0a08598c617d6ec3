import type { Finding } from '#source';

/** Whether a finding about a definition says something else than that a rule, or all of them, cost too much: the table of prices says that. */
export const isBesidePrices = ({ message }: Finding): boolean => !/ cost (?:exceeds|total exceeding)|cost total for entire/.test(message);
