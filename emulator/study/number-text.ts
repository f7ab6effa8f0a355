const DIGITS = 5;

/** A number as tables show it: five digits, and no zeros after them. */
export const shortNumber = (value: number): string => String(Number(value.toPrecision(DIGITS)));
