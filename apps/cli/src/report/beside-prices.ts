import type { Finding } from '#source';

/**
 * Returns false if a finding only says that a rule or the whole definition costs too much. The table of prices says
 * this already.
 */
export const isBesidePrices = ({ message }: Finding): boolean => !/ cost (?:exceeds|total exceeding)|cost total for entire/.test(message);
