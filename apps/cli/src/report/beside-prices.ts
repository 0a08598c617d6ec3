import type { Finding } from '#editing';

/**
 * Returns false if a finding only reports that a rule or the whole definition costs too much. The finding is left out because the table of
 * costs already shows this.
 */
export const isBesidePrices = ({ message }: Finding): boolean => !/ cost (?:exceeds|total exceeding)|cost total for entire/.test(message);
